//! `askuser answer`: by flags for scripts, in the panel for people.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::id::{AskId, QuestionId};
use askuser_core::question::{Kind, Question, Questions};
use serde_json::{Map, Value, json};

use super::args::{Answer, Form};
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::listing::{ask_id, closed};
use super::person;
use super::report::Report;
use super::seat::{Sat, Seat};
use crate::client::keys::KeyFor;
use crate::client::{Client, Hand};
use crate::environment::Environment;

/// Answers an ask.
pub fn run(args: &Answer, environment: &Environment) -> Result<Exit, Report> {
    let (ask, sheet) = told_apart(args);
    let given = !(args.pick.is_empty() && args.text.is_empty() && args.note.is_empty());
    if given && sheet.is_some() {
        let hint = Some("give either the one or the other");
        return Err(Report::wrong_input("a sheet and single answers were given", hint));
    }
    let form = Form { json: args.json.is_some() };
    block_on(async {
        let client = connect::person(environment, args.insists.as_person).await?;
        let id = match ask {
            Some(ask) => ask_id(ask)?,
            None => oldest(&client).await?,
        };
        if let Some(sheet) = sheet {
            let body: Value = serde_json::from_str(sheet)
                .map_err(|error| Report::wrong_input(format!("the sheet is not JSON: {error}"), None))?;
            return done(&closed(&client.answer(id, Hand::Program, body).await?, form, "answered"));
        }
        if given {
            let seen = client.get(KeyFor::Person, id, None, Duration::ZERO).await?;
            let body = body(&seen.questions, args)?;
            return done(&closed(&client.answer(id, Hand::Program, body).await?, form, "answered"));
        }
        in_the_panel(&client, id, args.plain, form, environment).await
    })
}

/// Tells the ask and the sheet apart: `--json ask_01…` means the ask, printed as JSON.
fn told_apart(args: &Answer) -> (Option<&str>, Option<&str>) {
    match (args.ask.as_deref(), args.json.as_ref().and_then(|json| json.as_deref())) {
        (None, Some(value)) if value.starts_with("ask_") => (Some(value), None),
        (ask, sheet) => (ask, sheet),
    }
}

async fn oldest(client: &Client) -> Result<AskId, Report> {
    let first = client.inbox().await?.into_iter().find(|seen| seen.status != "pending");
    first.map(|seen| seen.id).ok_or_else(|| Report::wrong_input("nothing is open", None))
}

async fn in_the_panel(
    client: &Client,
    id: AskId,
    plain: bool,
    form: Form,
    environment: &Environment,
) -> Result<Exit, Report> {
    let Some(way) = person::terminal(environment, plain)? else {
        let hint = format!("`askuser show {id}` shows what may be answered");
        return Err(Report::wrong_input(
            "no answer was given, and there is no terminal to ask for it",
            Some(&hint),
        ));
    };
    let seat = Seat {
        client,
        ask: id,
        waits_as: KeyFor::Person,
        reply: None,
        until: None,
        round: None,
        environment,
    };
    match seat.sit(way).await? {
        Sat::Closed(seen) => {
            let how = seen.outcome.as_ref().map_or("open", |outcome| outcome.status());
            done(&closed(&seen, form, how))
        }
        Sat::Counted(seen) => done(&closed(&seen, form, "counted")),
        Sat::LeftOpen | Sat::NotTaken => Ok(Exit::StillOpen),
        Sat::Interrupted => Ok(Exit::Interrupted),
        Sat::Gone => Ok(Exit::NobodyThere),
    }
}

/// Makes the sheet of the flags.
fn body(questions: &Arc<Questions>, args: &Answer) -> Result<Value, Report> {
    let mut answers: Map<String, Value> = Map::new();
    for pick in &args.pick {
        let (question, choice) = named(questions, pick)?;
        let entry = answers.entry(question.id.as_str()).or_insert_with(|| json!({ "selected": [] }));
        let selected = entry.get_mut("selected").and_then(Value::as_array_mut);
        selected.map(|list| list.push(choice.into())).unwrap_or_default();
    }
    for text in &args.text {
        let (question, text) = named(questions, text)?;
        let selected = if question.kind == Kind::Text { json!({}) } else { json!({ "selected": [] }) };
        let entry = answers.entry(question.id.as_str()).or_insert(selected);
        if let Some(fields) = entry.as_object_mut() {
            fields.insert("other".to_owned(), text.into());
        }
    }
    let mut notes = Map::new();
    for note in &args.note {
        let (question, note) = named(questions, note)?;
        notes.insert(question.id.as_str().to_owned(), note.into());
    }
    Ok(json!({"answers": answers, "notes": notes}))
}

/// Reads `QUESTION=VALUE`, the question by its id or its header; an ask of one question needs no
/// name for it.
fn named<'a>(questions: &'a Questions, text: &'a str) -> Result<(&'a Question, &'a str), Report> {
    let all = questions.all();
    if let Some((name, value)) = text.split_once('=') {
        let by_id = questions.find(&QuestionId::from(name));
        let mut by_header = all.iter().filter(|question| question.header.as_deref() == Some(name));
        let found = by_id.or_else(|| by_header.next().copied().filter(|_| by_header.next().is_none()));
        if let Some(question) = found {
            return Ok((question, value));
        }
    }
    if let [only] = all.as_slice() {
        return Ok((only, text));
    }
    let ids: Vec<&str> = all.iter().map(|question| question.id.as_str()).collect();
    let hint = format!("write QUESTION=VALUE; the questions are {}", ids.join(", "));
    Err(Report::wrong_input(format!("`{text}` names no question"), Some(&hint)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::read_told;

    fn args(words: &[&str]) -> Answer {
        use clap::Parser;
        let line = ["askuser", "answer"].into_iter().chain(words.iter().copied());
        match super::super::args::Args::parse_from(line).verb {
            super::super::args::Verb::Answer(answer) => answer,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn flags_become_a_sheet() {
        let questions = Arc::new(
            read_told(&json!({"questions": [
                {"question_id": "q1", "header": "Auth", "question": "Which?", "type": "checkbox",
                 "options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]},
                {"question_id": "q2", "question": "Why?", "type": "text"},
            ]}))
            .unwrap(),
        );
        let given = args(&[
            "ask_1", "--pick", "q1=a", "--pick", "Auth=B", "--text", "q1=c", "--text", "q2=x=y", "--note",
            "q2=n",
        ]);
        assert_eq!(
            body(&questions, &given).unwrap(),
            json!({"answers": {"q1": {"selected": ["a", "B"], "other": "c"}, "q2": {"other": "x=y"}}, "notes": {"q2": "n"}})
        );
        assert!(body(&questions, &args(&["--pick", "q9=a"])).is_err());
        assert!(body(&questions, &args(&["--pick", "a"])).is_err());
    }

    #[test]
    fn json_is_a_form_or_a_sheet() {
        assert_eq!(told_apart(&args(&["ask_1", "--json"])), (Some("ask_1"), None));
        assert_eq!(told_apart(&args(&["--json", "ask_1"])), (Some("ask_1"), None));
        assert_eq!(told_apart(&args(&["ask_1", "--json", "{}"])), (Some("ask_1"), Some("{}")));
    }
}
