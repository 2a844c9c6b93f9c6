//! What rules answer, what they do not, and what is wrong with a file of them.

use std::sync::Arc;

use askuser_core::ask::{Ask, State};
use askuser_core::asker::{Purpose, Terms};
use askuser_core::command::RuleReach;
use askuser_core::id::KeyId;
use askuser_core::outcome::{AnsweredBy, By, Channel, Ending, Outcome, Proof};
use askuser_core::question::Questions;
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;
use serde_json::{Value, json};

use super::made::{NotMade, book, make, mark, marks};
use super::{Asked, Found, Otherwise, RuleDigest, read};
use askuser_wire::{self as wire, Dialect};

fn ask(value: &Value) -> (Arc<Questions>, Terms) {
    let (questions, terms) = wire::read(Dialect::Full, value).check().unwrap();
    (Arc::new(questions), terms)
}

fn about<'a>(questions: &'a Arc<Questions>, terms: &'a Terms) -> Asked<'a> {
    Asked { questions, terms, owner: None, asked_by: None, confirmed: &[], now: Timestamp(1000) }
}

fn sample() -> Value {
    json!({"questions": [
        {"question_id": "db", "header": "Database", "question": "Which database?", "type": "multiple_choice",
         "options": [{"id": "pg", "label": "PostgreSQL", "follow_up_questions": []}, {"id": "lite", "label": "SQLite"}],
         "follow_up_questions": {"pg": [{"question_id": "version", "question": "Which version?", "type": "text"}]}},
        {"question_id": "why", "question": "Why so?", "type": "text", "required": false},
    ], "metadata": {"template": "start"}, "asker": {"agent": "codex"}})
}

#[track_caller]
fn told(rules: &str, value: &Value) -> String {
    let (questions, terms) = ask(value);
    match read(rules).unwrap().look_up(&about(&questions, &terms)) {
        Found::Answers { entries, rule, .. } => {
            let shown = entries.iter().map(|(id, entry)| {
                let picked: Vec<&str> = entry.picked.iter().map(askuser_core::id::ChoiceId::as_str).collect();
                format!("{id}={}{}", picked.join("+"), entry.text.as_deref().unwrap_or_default())
            });
            format!("{} {}", shown.collect::<Vec<_>>().join(" "), rule.unwrap_or_default()).trim().to_owned()
        }
        Found::Unanswered(why) => why.iter().map(|why| why.english.as_str()).collect::<Vec<_>>().join(" | "),
        Found::Unconfirmed(rules) => format!("{} unconfirmed", rules.len()),
    }
}

#[test]
fn a_place_counts_only_in_a_file_for_one_ask() {
    let value = json!({"questions": [{"question": "Ship it?", "type": "boolean"}]});
    assert_eq!(told("answers: {q1: yes}", &value), "q1=yes");
    let (questions, terms) = ask(&value);
    let questions = Arc::new(Questions::clone(&questions).in_round(3));
    let ann = "ann".into();
    let book = read("answers: {q1: yes}").unwrap();
    let found = |owner| book.look_up(&Asked { owner, ..about(&questions, &terms) });
    assert!(matches!(found(None), Found::Answers { .. }));
    assert!(matches!(found(Some(&ann)), Found::Unanswered(_)));
}

#[test]
fn a_question_is_matched_by_id_header_text_template_and_agent() {
    let all = "answers: {why: so}\nrules:\n";
    for (matched, fits) in [
        ("{id: db}", true),
        ("{id: other}", false),
        ("{header: Database}", true),
        ("{text: '(?i)which DATA'}", true),
        ("{text: '^data'}", false),
        ("{id: db, template: start, agent: codex}", true),
        ("{id: db, template: end}", false),
        ("{id: db, agent: gemini-cli}", false),
        ("{question: 'Which database?', options: [PostgreSQL, SQLite]}", true),
        ("{question: 'which database?'}", false),
        ("{id: db, options: [PostgreSQL]}", false),
        ("{id: db, project: null, folder: null}", true),
        ("{id: db, project: shop}", false),
        ("{id: db, agent: null}", false),
    ] {
        let rules = format!("{all}  - {{match: {matched}, answer: SQLite, name: usual}}\n");
        let expected = if fits {
            "db=lite why=so rule: usual".to_owned()
        } else {
            "no rule answers `Database`: Which database?".to_owned()
        };
        assert_eq!(told(&rules, &sample()), expected, "{matched}");
    }
}

#[test]
fn follow_ups_want_answers_and_nothing_is_guessed() {
    let short = "answers: {Database: pg, why: null}";
    assert_eq!(told(short, &sample()), "no rule answers Which version?");
    assert_eq!(told("answers: {Database: pg, version: '17', why: null}", &sample()), "db=pg version=17 why=");
    assert_eq!(
        told("answers: {Database: Oracle, why: so}", &sample()),
        "the rule does not fit `Database`: Which database?: names the choice `Oracle`, which is not offered"
    );
    // The first that fits counts, and `rules` go before the short form.
    let two = "answers: {db: lite, why: so}\nrules:\n- {match: {id: why}, answer: first}\n- {match: {text: why}, answer: no}";
    assert_eq!(told(two, &sample()), "db=lite why=first");
    assert_eq!(
        told("answers: {}", &sample()),
        "no rule answers `Database`: Which database? | no rule answers Why so?"
    );
}

/// Invariant 6: a permission is answered by a rule that says so in so many words, and by no other; and only
/// for the person who confirmed that rule.
#[test]
fn a_permission_is_answered_only_by_a_rule_for_permissions_that_was_confirmed() {
    let value = json!({"questions": [{"question_id": "p", "question": "Run it?", "type": "boolean"}]});
    let (questions, mut terms) = ask(&value);
    let ann = "ann".into();
    let look = |rules: &str, terms: &Terms, confirmed: &[RuleDigest]| {
        let asked = Asked { owner: Some(&ann), confirmed, ..about(&questions, terms) };
        read(rules).unwrap().look_up(&asked)
    };
    let plain = "rules: [{match: {text: Run}, answer: true}]\nanswers: {p: true}";
    let granting = "rules: [{match: {text: Run}, answer: true, permission: true}]";
    assert!(matches!(look(plain, &terms, &[]), Found::Answers { .. }));
    assert!(matches!(look(granting, &terms, &[]), Found::Unanswered(_)), "and for nothing else");
    terms.purpose = Purpose::Permission;
    assert!(matches!(look(plain, &terms, &[]), Found::Unanswered(_)));
    let Found::Unconfirmed(rules) = look(granting, &terms, &[]) else { panic!("nobody confirmed it") };
    let confirmed = [rules[0].digest];
    let Found::Answers { reach, .. } = look(granting, &terms, &confirmed) else { panic!("it is confirmed") };
    assert_eq!(reach, RuleReach::ConfirmedBy("ann".into()));
    // Written otherwise it is the same rule; whatever is changed in it makes it another.
    let same = "rules:\n- permission: true\n  answer: true\n  match:\n    text: 'Run'\n";
    assert!(matches!(look(same, &terms, &confirmed), Found::Answers { .. }));
    for other in [
        "{match: {text: Ru}, answer: true, permission: true}",
        "{match: {text: Run}, answer: false, permission: true}",
        "{match: {text: Run}, answer: true, permission: true, name: x}",
        "{match: {text: Run}, answer: true, permission: true, note: x}",
        "{match: {text: Run}, answer: true, permission: true, user: ann}",
        "{match: {text: Run, agent: null}, answer: true, permission: true}",
        "{match: {text: Run}, answer: true, permission: true, until: '2050-01-01T00:00:00.000Z'}",
    ] {
        let alone = format!("rules: [{other}]");
        assert!(matches!(look(&alone, &terms, &confirmed), Found::Unconfirmed(_)), "{other}");
        // It does not make way for one behind it either, and its person is asked.
        let before = format!("rules: [{other}, {{match: {{text: Run}}, answer: true, permission: true}}]");
        assert!(matches!(look(&before, &terms, &confirmed), Found::Unconfirmed(_)), "{other}");
    }
}

#[test]
fn every_fault_of_a_file_has_its_place() {
    let file = "\
otherwise: maybe
rules:
  - match: {heather: Database}
    answer: x
  - match: {}
    answer: x
  - answer: x
  - match: {text: '('}
    permission: often
";
    let faults: Vec<String> = read(file).unwrap_err().iter().map(ToString::to_string).collect();
    let heads: Vec<&str> = faults.iter().map(|fault| fault.split(": ").next().unwrap()).collect();
    assert_eq!(
        heads,
        [
            "line 1, column 12",
            "line 3, column 13",
            "line 5, column 12",
            "line 7, column 5",
            "line 8, column 5"
        ],
        "{faults:#?}"
    );
    assert!(faults[1].contains("knows no `heather`"), "{faults:#?}");
    assert_eq!(read("otherwise: fail\nrules: []").unwrap().otherwise(), Some(Otherwise::Fail));
    assert!(read("rules: {a: b}").is_err() && read("[]").is_err() && read("rules: [").is_err());
}

/// A rule that is made from an answer answers the very same question and nothing else, until it ends.
#[test]
fn a_rule_made_from_an_answer_is_as_narrow_as_can_be() {
    let ask = answered(&sample(), "answers: {Database: SQLite, why: it is small}");
    let user = ask.owner.clone();
    let entries = make(&ask, &user, Timestamp(60_000), Timestamp(1000)).unwrap();
    let written: Vec<String> = entries.iter().map(Value::to_string).collect();
    let book = book(&written).unwrap();
    let look_by = |key: Option<KeyId>, value: &Value, owner: &str, now: i64| {
        let (questions, terms) = self::ask(value);
        let owner = owner.into();
        let (owner, now) = (Some(&owner), Timestamp(now));
        let asked = Asked { questions: &questions, terms: &terms, owner, asked_by: key, confirmed: &[], now };
        match book.look_up(&asked) {
            Found::Answers { entries, rule, .. } => format!("{} {}", entries.len(), rule.unwrap()),
            Found::Unanswered(_) | Found::Unconfirmed(_) => "asked".to_owned(),
        }
    };
    let look = |value: &Value, owner: &str, now: i64| look_by(Some(KeyId(7)), value, owner, now);
    let id = super::made::id_of(ask.id);
    assert_eq!(look(&sample(), "ann", 59_999), format!("2 rule: Database → SQLite ({id})"));
    assert_eq!(look(&sample(), "ann", 60_000), "asked", "it has ended");
    assert_eq!(look(&sample(), "ben", 2000), "asked", "somebody else's");
    for (path, other) in [
        ("/questions/0/question", json!("Which database")),
        ("/questions/0/header", json!("Store")),
        ("/questions/0/options/1/label", json!("SQLite 4")),
        ("/asker/agent", json!("claude-code")),
        ("/asker/project", json!("shop")),
        ("/asker/agent", Value::Null),
    ] {
        let mut value = sample();
        if let Some(place) = value.pointer_mut(path) {
            *place = other;
        } else {
            value["asker"]["project"] = other;
        }
        assert_eq!(look(&value, "ann", 2000), "asked", "{path}");
    }
    // Another key that says the same of itself, or none.
    for key in [None, Some(KeyId(8))] {
        assert_eq!(look_by(key, &sample(), "ann", 2000), "asked", "{key:?}");
    }
    // One choice more is another question.
    let mut value = sample();
    value["questions"][0]["options"].as_array_mut().unwrap().push(json!({"label": "None"}));
    assert_eq!(look(&value, "ann", 2000), "asked");
}

/// An entry is found by its mark: what it answers has it, and what is asked otherwise has another.
#[test]
fn a_rule_that_was_made_is_found_by_what_it_matches() {
    let ask = answered(&sample(), "answers: {Database: SQLite, why: it is small}");
    let entries = make(&ask, &ask.owner, Timestamp(60_000), Timestamp(1000)).unwrap();
    let [database, why] = [mark(&entries[0]), mark(&entries[1])];
    let sought = marks(&ask);
    assert!(sought.contains(&database) && sought.contains(&why) && database != why, "{sought:?}");
    for (path, other) in [
        ("/questions/0/question", json!("Which database")),
        ("/questions/0/header", json!("Store")),
        ("/questions/0/options/1/label", json!("SQLite 4")),
        ("/asker/agent", json!("claude-code")),
        ("/asker", json!({"agent": "codex", "project": "shop"})),
        ("/asker", json!({"agent": "codex", "folder": "/shop"})),
        ("/asker", json!({})),
        ("/context", json!("about something else")),
    ] {
        let mut value = sample();
        value["context"] = value["context"].take();
        *value.pointer_mut(path).unwrap() = other;
        let (questions, terms) = self::ask(&value);
        let other = Ask { questions, terms: Arc::new(terms), ..ask.clone() };
        assert!(!marks(&other).contains(&database), "{path}");
    }
    for asked_by in [None, Some(KeyId(8))] {
        assert!(!marks(&Ask { asked_by, ..ask.clone() }).contains(&database), "{asked_by:?}");
    }
    // No header is not any header.
    let mut bare = ask.clone();
    let mut questions = bare.questions.all().into_iter().cloned().collect::<Vec<_>>();
    questions[0].header = None;
    bare.questions = Arc::new(Questions::remembered(questions));
    assert!(!marks(&bare).contains(&database));
    let mut permission = ask;
    Arc::make_mut(&mut permission.terms).purpose = Purpose::Permission;
    assert!(marks(&permission).is_empty(), "no rule that was made grants one");
}

/// Invariants 5 and 6: from a person's own answer only; never a permission, never a secret.
#[test]
fn no_rule_is_made_from_what_is_not_the_persons_own_answer() {
    let ask = answered(&sample(), "answers: {Database: SQLite, why: null}");
    let user = ask.owner.clone();
    let made = |ask: &Ask| make(ask, &user, Timestamp(60_000), Timestamp(1000)).map(drop);
    assert_eq!(made(&ask), Ok(()));
    assert_eq!(make(&ask, &"ben".into(), Timestamp(9), Timestamp(1)).unwrap_err(), NotMade::NotYours);
    let with = |change: &dyn Fn(&mut Outcome)| {
        let mut ask = ask.clone();
        let mut outcome = ask.state.outcome().unwrap().clone();
        change(&mut outcome);
        ask.state = State::Closed(Arc::new(outcome));
        made(&ask)
    };
    for ending in
        [Ending::Declined, Ending::Answered(AnsweredBy::Rule), Ending::Answered(AnsweredBy::Default)]
    {
        assert_eq!(with(&|outcome| outcome.ending = ending), Err(NotMade::NotAnswered));
    }
    for proof in [Proof::AgentDialog, Proof::AsPerson] {
        assert_eq!(with(&|outcome| outcome.by.proof = proof), Err(NotMade::NotYours));
    }
    let mut permission = ask.clone();
    Arc::make_mut(&mut permission.terms).purpose = Purpose::Permission;
    assert_eq!(made(&permission), Err(NotMade::Permission));
    let mut secret = sample();
    secret["questions"][1]["secret"] = true.into();
    assert_eq!(made(&answered(&secret, "answers: {Database: SQLite, why: hush}")), Err(NotMade::Secret));
}

/// An ask of Ann's that she answered so.
fn answered(value: &Value, answers: &str) -> Ask {
    let (questions, terms) = ask(value);
    let Found::Answers { entries, .. } = read(answers).unwrap().look_up(&about(&questions, &terms)) else {
        panic!("the sample is answered by {answers}")
    };
    let sheet = Sheet::filled(Arc::clone(&questions), entries).unwrap();
    let by = By::new(Some("ann".into()), Channel::Web, Proof::Cookie);
    let ending = Ending::Answered(AnsweredBy::Person);
    let outcome = Outcome {
        ending,
        by,
        at: Timestamp(900),
        comment: None,
        answers: sheet.answers_so_far(),
        voices: Vec::new(),
    };
    Ask {
        asked_by: Some(KeyId(7)),
        state: State::Closed(Arc::new(outcome)),
        ..Ask::new(
            "ask_01M7HDVES7E00AVK1BY9HAZ1YV".parse().unwrap(),
            "ses_01M7HDVES7E00AVK1BY9HAZ1YV".parse().unwrap(),
            "ann".into(),
            questions,
            Arc::new(terms),
            Timestamp(100),
        )
    }
}
