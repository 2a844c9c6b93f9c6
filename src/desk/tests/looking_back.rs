//! What a person answered before, and the rules they made of it, over either store.

use std::sync::Mutex;

use askuser_core::recall::Recall;

use super::*;

/// Asks in these words, with the choices `a` and `b`.
fn worded(text: &str, template: Option<&str>) -> Request {
    let mut request = request("q", Terms::default());
    let mut questions = request.questions.top().to_vec();
    questions[0].text = text.to_owned();
    request.questions = askuser_core::question::Questions::remembered(questions);
    request.terms.template = template.map(str::to_owned);
    request.terms.session = Some(format!("session of {text}"));
    request
}

async fn answered(desk: &Desk, text: &str, template: Option<&str>, choice: &str) -> AskId {
    let asked = desk.ask(&agent(), worded(text, template)).await.unwrap().ask.id;
    desk.answer(&person(), asked, pick("q", choice)).await.unwrap();
    asked
}

async fn recalled(desk: &Desk, text: &str, template: Option<&str>) -> Option<Recall> {
    let asked = desk.ask(&agent(), worded(text, template)).await.unwrap().ask;
    desk.recall(&person(), &asked).await.unwrap()
}

/// D19: the same words, nearly the same words and the same template are recalled from what is stored;
/// for nobody else.
#[tokio::test]
async fn d19_what_was_answered_is_recalled_from_the_store() {
    let desk = desk().await;
    for choice in ["1", "2", "1"] {
        answered(&desk, "Which database should I use for it?", None, choice).await;
    }
    let last = answered(&desk, "Ship version 1?", Some("ship"), "2").await;
    answered(&desk, "Ship version 2?", Some("ship"), "2").await;
    let near = recalled(&desk, "Which database should we use for it?", None).await.unwrap();
    assert_eq!(near.last, None, "other words");
    let usual = &near.usual[0];
    assert_eq!((usual.label.as_str(), usual.n_picked, usual.n_answers, usual.n_same), ("a", 2, 3, 0));
    let shipped = recalled(&desk, "May it go out?", Some("ship")).await.unwrap();
    assert_eq!((shipped.usual[0].label.as_str(), shipped.usual[0].n_answers), ("b", 2));
    assert_eq!(recalled(&desk, "May it go out then?", None).await, None);
    let same = desk.ask(&agent(), worded("Ship version 1?", None)).await.unwrap().ask;
    assert_eq!(desk.recall(&person(), &same).await.unwrap().unwrap().last.unwrap().ask, last);
    assert_eq!(desk.recall(&actor(Role::Person, "ben"), &same).await.unwrap(), None);
    assert_eq!(desk.insight(&person()).await.unwrap().all.answered, 5);
}

/// D19: what was kept of a past ends with the next word of its person, whichever way it came.
#[tokio::test]
async fn d19_whichever_way_a_person_answers_it_is_part_of_their_past_at_once() {
    let desk = desk().await;
    for way in 0..3 {
        let asked = desk.ask(&agent(), worded(&format!("Way {way}?"), None)).await.unwrap().ask;
        // As if it had taken long to read.
        desk.0.pasts.keep(&"ann".into(), &Arc::from([]));
        let before = desk.insight(&person()).await.unwrap().all;
        assert_eq!((before.answered, before.cancelled), (0, 0), "what is kept is read");
        let said = match way {
            0 => desk.answer(&person(), asked.id, pick("q", "1")).await,
            1 => {
                let (question, entry) = pick("q", "1").remove(0);
                desk.answer_one(&person(), asked.session, None, question, entry).await
            }
            _ => desk.decline(&person(), asked.id, None).await,
        };
        said.unwrap();
        let all = desk.insight(&person()).await.unwrap().all;
        assert_eq!(all.answered + all.cancelled, way + 1, "{all:?}");
    }
}

/// A rulebook in memory.
#[derive(Default)]
struct Book(Mutex<Vec<MadeRule>>);

impl Rulebook for Book {
    fn rule(&self, _ask: &Ask, _now: Timestamp) -> Ruling {
        Ruling::Silent
    }

    fn made(&self, _user: &UserId, _now: Timestamp) -> Result<Vec<MadeRule>, NoRule> {
        Ok(self.0.lock().unwrap().clone())
    }

    fn make(&self, ask: &Ask, _user: &UserId, until: Timestamp, now: Timestamp) -> Result<MadeRule, NoRule> {
        let (id, name) = ("rule_1".to_owned(), "one".to_owned());
        let rule = MadeRule {
            id,
            name,
            from: ask.id,
            made_at: now,
            until,
            agent: None,
            project: None,
            says: vec![],
        };
        self.0.lock().unwrap().push(rule.clone());
        Ok(rule)
    }

    fn remove(&self, id: &str, _user: &UserId, _now: Timestamp) -> Result<(), NoRule> {
        self.0.lock().unwrap().retain(|rule| rule.id != id);
        Ok(())
    }

    fn may_make(&self, _ask: &Ask, _user: &UserId) -> bool {
        true
    }
}

/// D15: who made a rule and who took it back is in the chain; an agent makes none, whatever it says it is.
#[tokio::test]
async fn d15_rules_that_are_made_and_removed_are_recorded_and_agents_make_none() {
    let desk = desk().await;
    desk.set_rules(Arc::new(Book::default()));
    let asked = answered(&desk, "Which one?", None, "1").await;
    let mut as_person = person();
    as_person.by.proof = Proof::AsPerson;
    let mut in_dialog = person();
    in_dialog.by.proof = Proof::AgentDialog;
    for not_a_person in [agent(), actor(Role::Server, "ann"), as_person, in_dialog] {
        let refused = desk.make_rule(&not_a_person, asked, None).await;
        assert!(matches!(refused, Err(NoRule::ByAgent)), "{not_a_person:?}: {refused:?}");
    }
    assert!(desk.made_rules(&person()).await.unwrap().is_empty());
    desk.make_rule(&person(), asked, None).await.unwrap();
    desk.remove_rule(&person(), "rule_1").await.unwrap();
    let audit = desk.store().audit().unwrap();
    let events = audit.events(0, 10).await.unwrap();
    let told: Vec<(&str, serde_json::Value)> = events
        .iter()
        .map(|event| (event.kind.as_str(), serde_json::from_str(&event.details).unwrap()))
        .collect();
    assert_eq!([told[0].0, told[1].0], ["rule_made", "rule_removed"]);
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|(_, told)| told["user"] == "ann" && told["proof"] == "cookie"), "{told:?}");
    assert_eq!((&told[0].1["ask_id"], &told[0].1["rule_id"]), (&asked.to_string().into(), &"rule_1".into()));
    assert_eq!(audit.verify_events().await.unwrap().broken, None);
}
