//! What rules answer, what they do not, and what is wrong with a file of them.

use std::sync::Arc;

use askuser_core::asker::{Purpose, Terms};
use askuser_core::question::Questions;
use serde_json::{Value, json};

use super::{Found, Otherwise, read};
use crate::wire::{self, Dialect};

fn ask(value: &Value) -> (Arc<Questions>, Terms) {
    let (questions, terms) = wire::read(Dialect::Full, value).check().unwrap();
    (Arc::new(questions), terms)
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
    match read(rules).unwrap().look_up(&questions, &terms) {
        Found::Answers { entries, rule, .. } => {
            let shown = entries.iter().map(|(id, entry)| {
                let picked: Vec<&str> = entry.picked.iter().map(askuser_core::id::ChoiceId::as_str).collect();
                format!("{id}={}{}", picked.join("+"), entry.text.as_deref().unwrap_or_default())
            });
            format!("{} {}", shown.collect::<Vec<_>>().join(" "), rule.unwrap_or_default()).trim().to_owned()
        }
        Found::Unanswered(why) => why.join(" | "),
    }
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

/// Invariant 6: a permission is answered by a rule that says so in so many words, and by no other.
#[test]
fn a_permission_is_answered_only_by_a_rule_for_permissions() {
    let value = json!({"questions": [{"question_id": "p", "question": "Run it?", "type": "boolean"}]});
    let (questions, mut terms) = ask(&value);
    let look = |rules: &str, terms: &Terms| read(rules).unwrap().look_up(&questions, terms);
    let plain = "rules: [{match: {text: Run}, answer: true}]\nanswers: {p: true}";
    let granting = "rules: [{match: {text: Run}, answer: true, permission: true}]";
    assert!(matches!(look(plain, &terms), Found::Answers { .. }));
    assert!(matches!(look(granting, &terms), Found::Unanswered(_)), "and for nothing else");
    terms.purpose = Purpose::Permission;
    assert!(matches!(look(plain, &terms), Found::Unanswered(_)));
    assert!(matches!(look(granting, &terms), Found::Answers { .. }));
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
