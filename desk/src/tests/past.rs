//! What a person answered before, and the rules they made of it, over either store.

use askuser_core::outcome::{AnsweredBy, Ending, Outcome};
use askuser_core::recall::Recall;
use futures_util::FutureExt;

use super::*;

/// Asks in these words, with the choices `a` and `b`.
fn worded(text: &str, template: Option<&str>) -> Request {
    let mut request = request("q", Terms::default());
    let mut questions = request.questions.top().to_vec();
    questions[0].text = text.to_owned();
    request.questions = askuser_core::question::Questions::remembered(questions);
    request.terms.template = template.map(str::to_owned);
    // In sessions of their own, in which the same id may come again.
    request.asker_key = format!("session of {text}");
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
    assert_eq!(desk.insight(&person(), 0, |_| None).await.unwrap().all.answered, 5);
}

/// D19: what was kept of a past ends with the next word of its person, whichever way it came.
#[tokio::test]
async fn d19_whichever_way_a_person_answers_it_is_part_of_their_past_at_once() {
    let desk = desk().await;
    for way in 0..3 {
        let asked = desk.ask(&agent(), worded(&format!("Way {way}?"), None)).await.unwrap().ask;
        // As if it had taken long to read.
        desk.0.pasts.keep(&"ann".into(), &Arc::from([]));
        let before = desk.insight(&person(), 0, |_| None).await.unwrap().all;
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
        let all = desk.insight(&person(), 0, |_| None).await.unwrap().all;
        assert_eq!(all.answered + all.cancelled, way + 1, "{all:?}");
    }
}

/// D15: who made a rule and who took it back is in the chain; an agent makes none, whatever it says it is.
#[tokio::test]
async fn d15_rules_that_are_made_and_removed_are_recorded_and_agents_make_none() {
    let desk = desk().await;
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
    let rule = desk.make_rule(&person(), asked, None).await.unwrap().id;
    for (who, id) in [(actor(Role::Person, "ben"), rule.as_str()), (person(), "rule_1"), (person(), "1")] {
        assert!(matches!(desk.remove_rule(&who, id).await, Err(NoRule::NotFound)), "{who:?} {id}");
    }
    desk.remove_rule(&person(), &rule).await.unwrap();
    let audit = desk.store().audit().unwrap();
    let events = audit.events(0, 10).await.unwrap();
    let told: Vec<(&str, serde_json::Value)> = events
        .iter()
        .map(|event| (event.kind.as_str(), serde_json::from_str(&event.details).unwrap()))
        .collect();
    assert_eq!([told[0].0, told[1].0], ["rule_made", "rule_removed"]);
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|(_, told)| told["user"] == "ann" && told["proof"] == "cookie"), "{told:?}");
    assert_eq!(
        (&told[0].1["ask_id"], &told[0].1["rule_id"]),
        (&asked.to_string().into(), &rule.as_str().into())
    );
    assert_eq!(audit.verify_events().await.unwrap().broken, None);
}

/// How the next ask of these words ends: by a rule, or not at all.
async fn next(desk: &Desk, text: &str) -> Option<Outcome> {
    let asked = desk.ask(&agent(), worded(text, None)).await.unwrap().ask;
    asked.state.outcome().cloned()
}

/// What was made holds for its person, the newest first, until it ends; made again it is the same one.
#[tokio::test]
async fn a_rule_that_was_made_answers_until_it_ends() {
    let desk = desk().await;
    let first = answered(&desk, "Which one?", None, "1").await;
    let until = desk.now().after(Duration::from_hours(1));
    let rule = desk.make_rule(&person(), first, Some(until)).await.unwrap();
    let outcome = next(&desk, "Which one?").await.unwrap();
    assert_eq!(outcome.ending, Ending::Answered(AnsweredBy::Rule));
    assert_eq!(outcome.comment, Some(format!("rule: {}", rule.name)));
    assert_eq!(next(&desk, "Which one then?").await, None, "other words");
    let again = desk.make_rule(&person(), first, None).await.unwrap();
    assert_eq!((&again.id, again.until > until), (&rule.id, true));
    assert_eq!(desk.made_rules(&person()).await.unwrap(), [again]);
    assert!(desk.made_rules(&actor(Role::Person, "ben")).await.unwrap().is_empty());
    // What was written by hand comes first, and where it cannot be believed nothing is answered.
    let by_hand = Arc::new(std::sync::Mutex::new(None));
    let handed = Arc::clone(&by_hand);
    let by_hand_now: RulesByHand =
        Arc::new(move || RulesFile { digest: None, book: handed.lock().unwrap().clone() });
    desk.configure(|settings| settings.rules_by_hand = Some(by_hand_now));
    assert_eq!(next(&desk, "Which one?").await, None, "rather ask");
    let written =
        askuser_config::rules::read("otherwise: fail\nrules: [{name: mine, match: {text: one}, answer: b}]");
    *by_hand.lock().unwrap() = Some(Arc::new(written.unwrap()));
    let open = desk.inbox(&person()).await.unwrap().pop().unwrap().id;
    desk.decline(&person(), open, None).await.unwrap();
    assert_eq!(next(&desk, "Which one?").await.unwrap().comment.as_deref(), Some("rule: mine"));
    desk.remove_rule(&person(), &rule.id).await.unwrap();
    assert!(desk.made_rules(&person()).await.unwrap().is_empty());
}

/// Rules that were written by hand, as a person's file would say.
fn written(text: &str) -> RulesByHand {
    let file = RulesFile { digest: None, book: Some(Arc::new(askuser_config::rules::read(text).unwrap())) };
    Arc::new(move || file.clone())
}

const ONE: &str = "otherwise: ask\nrules: [{name: mine, match: {text: one}, answer: b}]";

/// Waits for what is told of an ask that nobody holds any more.
async fn closed(listener: &mut Listener) -> Outcome {
    loop {
        let Update::Fact(numbered) = listener.next().await.unwrap() else { panic!("the desk is open") };
        if let Some(Fact::Closed { outcome, .. }) = numbered.fact.as_deref() {
            return Outcome::clone(outcome);
        }
    }
}

/// Invariant 13: whoever asked and went away leaves no ask behind that a rule was to answer.
#[tokio::test]
async fn a_rule_answers_also_where_the_asker_went_away() {
    let desk = desk().await;
    desk.configure(|settings| settings.rules_by_hand = Some(written(ONE)));
    let mut listener = desk.listen(&person(), None, Some(0));
    // It is handed in, and nobody waits for it to be stored.
    assert!(desk.ask(&agent(), worded("Which one?", None)).now_or_never().is_none());
    assert_eq!(closed(&mut listener).await.comment.as_deref(), Some("rule: mine"));
}

/// A desk that ended between showing an ask and applying its rule makes that good: when it begins, and
/// when it is asked again. What a person has begun to answer is theirs.
#[tokio::test]
async fn what_was_shown_without_its_rule_is_looked_at_again() {
    for begun in [false, true] {
        let desk = desk().await;
        let asked = desk.ask(&agent(), worded("Which one?", None)).await.unwrap().ask;
        if begun {
            let question = asked.questions.top()[0].id.clone();
            desk.save(&person(), asked.id, pick(question.as_str(), "1")).await.unwrap();
        }
        desk.configure(|settings| settings.rules_by_hand = Some(written(ONE)));
        desk.look_again().await.unwrap();
        let now = desk.ask_of(&person(), asked.id).await.unwrap();
        assert_eq!(now.is_open(), begun);
    }
    // What nobody answers is refused only where it was just asked: the rest was shown to its person.
    for late in [false, true] {
        let (forward, folder) = (Arc::default(), tempfile::tempdir().unwrap());
        let desk = desk_in(folder.path(), &forward).await;
        let asked = desk.ask(&agent(), worded("Which one?", None)).await.unwrap().ask;
        forward.store(if late { 61_000 } else { 0 }, Ordering::SeqCst);
        desk.configure(|settings| settings.rules_by_hand = Some(written("otherwise: fail\nrules: []")));
        desk.look_again().await.unwrap();
        assert_eq!(desk.ask_of(&person(), asked.id).await.unwrap().is_open(), late);
        desk.close().await.unwrap();
    }
    let desk = desk().await;
    let first = desk.ask(&agent(), worded("Which one?", None)).await.unwrap().ask;
    desk.configure(|settings| settings.rules_by_hand = Some(written(ONE)));
    let again = desk.ask(&agent(), worded("Which one?", None)).await.unwrap();
    assert_eq!((again.ask.id, again.joined, again.ask.is_open()), (first.id, true, false));
}
