//! Runs one golden case and returns it as it is now.

use std::sync::Arc;

use askuser_core::asker::Terms;
use askuser_core::id::UserId;
use askuser_core::limits::Limits;
use askuser_core::outcome::{AnsweredBy, By, CancelStatus, Channel, Ending, Outcome, Proof};
use askuser_core::problem::Problem;
use askuser_core::question::{Kind, Question, Questions};
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;
use askuser_wire::{self as wire, Dialect};
use serde_json::{Map, Value, json};

/// Fields of a case: `why` and `in` are given, so are `strict`, `read_as`, `answers`, `notes`,
/// `ending` and `comment` where they matter; the rest is what comes of them.
pub(crate) fn run(dialect: Dialect, case: &Value) -> Value {
    let mut now = Map::new();
    for key in ["why", "recognised", "strict", "in"] {
        if let Some(given) = case.get(key) {
            now.insert(key.into(), given.clone());
        }
    }
    let input = &case["in"];
    let recognised = wire::recognise(input);
    if recognised != dialect {
        now.insert("recognised".into(), recognised.name().into());
    }
    let strict = case.get("strict") == Some(&json!(true));
    let incoming =
        if strict { wire::read_strictly(input, Limits::COMMAND) } else { wire::read(dialect, input) };
    let wire::Checked { questions, terms, warnings } = match incoming.check_and_warn() {
        Ok(checked) => checked,
        Err(problems) => {
            now.insert("problems".into(), told(&problems, strict));
            return Value::Object(now);
        }
    };
    now.insert("asked".into(), asked(&questions));
    if !warnings.is_empty() {
        now.insert("warnings".into(), told(&warnings, strict));
    }
    if let Some(outcome) = wire::collected(&questions, Timestamp(1_794_736_800_000)) {
        now.insert("out".into(), wire::write(dialect, &questions, &terms, &outcome));
    }
    let said = said(&terms);
    if said != json!({}) {
        now.insert("terms".into(), said);
    }
    for key in ["answers", "notes", "ending", "comment"] {
        if let Some(given) = case.get(key) {
            now.insert(key.into(), given.clone());
        }
    }
    if case.get("answers").is_some() || case.get("ending").is_some() {
        answer(dialect, &questions, &terms, case, &mut now);
    }
    Value::Object(now)
}

fn answer(
    dialect: Dialect,
    questions: &Questions,
    terms: &Terms,
    case: &Value,
    now: &mut Map<String, Value>,
) {
    let body = json!({
        "answers": case.get("answers").unwrap_or(&json!({})),
        "notes": case.get("notes").unwrap_or(&json!({})),
    });
    let entries = match wire::answers::read_answers(questions, &body) {
        Ok(entries) => entries,
        Err(problems) => {
            now.insert("refused".into(), told(&problems, false));
            return;
        }
    };
    let sheet = Sheet::filled(Arc::new(questions.clone()), entries).unwrap();
    let ending = ending(case);
    let answered = matches!(ending, Ending::Answered(_));
    let answers = match sheet.answers() {
        Err(problems) if answered => {
            now.insert("refused".into(), told(&problems, false));
            return;
        }
        _ => sheet.answers_so_far(),
    };
    let outcome = Outcome {
        ending,
        by: By::new(Some(UserId::from("local")), Channel::Web, Proof::Cookie),
        at: Timestamp(1_794_736_800_000),
        comment: case.get("comment").and_then(Value::as_str).map(str::to_owned),
        answers,
        voices: Vec::new(),
    };
    let out = if dialect == Dialect::Claude && recognised_input(case) {
        wire::claude::updated_input(&case["in"], questions, &outcome)
    } else {
        wire::write(dialect, questions, terms, &outcome)
    };
    now.insert("out".into(), out);
    let text = wire::result_text::write(questions, &outcome);
    let result = json!({"text": text.text, "isError": text.is_error});
    now.insert("result".into(), result);
}

/// Claude Code wants its own questions back, word for word.
fn recognised_input(case: &Value) -> bool {
    case["in"].get("questions").is_some()
}

fn ending(case: &Value) -> Ending {
    match case.get("ending").and_then(Value::as_str) {
        None | Some("answered") => Ending::Answered(AnsweredBy::Person),
        Some("default") => Ending::Answered(AnsweredBy::Default),
        Some("declined") => Ending::Declined,
        Some("withdrawn") => Ending::Withdrawn,
        Some("expired") => Ending::Expired { told_as: CancelStatus::Timeout, abort: false },
        Some("expired_as_cancelled") => Ending::Expired { told_as: CancelStatus::Cancelled, abort: false },
        Some(other) => panic!("no ending is called {other}"),
    }
}

fn told(problems: &[Problem], strict: bool) -> Value {
    problems
        .iter()
        .map(|problem| if strict { wire::zod::line(problem) } else { problem.to_string() })
        .collect()
}

/// One line per question, follow-ups under the choice that opens them.
fn asked(questions: &Questions) -> Value {
    let mut lines = Vec::new();
    for question in questions.top() {
        describe(question, "", &mut lines);
    }
    lines.into()
}

fn describe(question: &Question, before: &str, lines: &mut Vec<String>) {
    let kind = match question.kind {
        Kind::OneOf => "one of".to_owned(),
        Kind::SomeOf { min, max } => format!("{min}-{max} of"),
        Kind::Text => "text".to_owned(),
        Kind::YesNo => "yes or no".to_owned(),
    };
    let choices: Vec<String> = question
        .choices
        .iter()
        .map(|choice| {
            let mark = if choice.default { "*" } else { "" };
            let star = if choice.recommended { "!" } else { "" };
            let preview = if choice.preview.is_some() { "+" } else { "" };
            format!("{}={}{mark}{star}{preview}", choice.id, choice.label)
        })
        .collect();
    let header = question.header.iter().map(|header| format!(" [{header}]"));
    let offered = (!choices.is_empty()).then(|| format!(": {}", choices.join(" | ")));
    let marks = [
        (question.takes_other(), " other"),
        (!question.required, " optional"),
        (question.secret, " secret"),
        (question.description.is_some(), " described"),
        (question.depends_on.is_some(), " waits"),
        (question.collected.is_some(), " collected"),
    ];
    let marks = marks.into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark);
    let line = format!(
        "{before}{}{} {} ({kind}{}){}{}",
        question.id,
        header.collect::<String>(),
        question.text,
        offered.unwrap_or_default(),
        marks.collect::<String>(),
        typed(question),
    );
    lines.push(line);
    for choice in &question.choices {
        for follow_up in &choice.follow_ups {
            describe(follow_up, &format!("{before}  {} > ", choice.id), lines);
        }
    }
}

fn typed(question: &Question) -> String {
    let (Kind::Text, Some(free)) = (question.kind, &question.free) else {
        return String::new();
    };
    let default = free.default.iter().map(|text| format!(" = {text}"));
    format!(" {:?} {}-{}{}", free.format, free.chars_min, free.chars_max, default.collect::<String>())
}

fn said(terms: &Terms) -> Value {
    let mut said = Map::new();
    let mut put = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            said.insert(key.into(), value.into());
        }
    };
    put("agent", terms.asker.agent.clone());
    put("project", terms.asker.project.clone());
    put("session", terms.session.clone());
    put("parent", terms.parent_question.as_ref().map(ToString::to_string));
    put("rounds", terms.total_rounds.map(|rounds| rounds.to_string()));
    put("timeout", terms.timeout.map(|wait| format!("{wait:?}")));
    put("policy", terms.policy.map(|policy| format!("{policy:?}")));
    put("context", terms.context.clone());
    put("event", terms.event.clone());
    put("tool_use", terms.tool_use.clone());
    put("metadata", terms.metadata.clone());
    Value::Object(said)
}
