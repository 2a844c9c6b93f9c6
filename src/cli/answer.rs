//! `askuser answer`: by flags for scripts, in the panel for people.

use std::io::{self, BufRead, BufReader, Write};
use std::sync::Arc;
use std::time::Duration;

use askuser_core::id::{AskId, QuestionId};
use askuser_core::question::{Kind, Question, Questions};
use askuser_core::text::shown;
use serde_json::{Map, Value, json};

use super::args::{Answer, Form};
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::in_full::{at_deadline, being_answered, closed, headline, in_full, language, said};
use super::listing::{ask_id, asker};
use super::person::{self, NotAsked, Way};
use super::report::{Report, complain};
use super::seat::{Sat, Seat};
use super::table::table;
use crate::channel::terminal::Language;
use crate::channel::terminal::plain::lines::Lines;
use crate::client::keys::KeyFor;
use crate::client::seen::SeenAsk;
use crate::client::{Client, Hand};
use crate::clock;
use crate::environment::Environment;
use crate::wire;

/// Answers an ask.
pub fn run(args: &Answer, environment: &Environment) -> Result<Exit, Report> {
    let (ask, sheet) = told_apart(args);
    let given = !(args.pick.is_empty() && args.text.is_empty() && args.note.is_empty());
    if given && sheet.is_some() {
        let hint = Some("give either the one or the other");
        return Err(Report::wrong_input("a sheet and single answers were given", hint));
    }
    let (form, language) = (Form { json: args.json.is_some() }, language(environment));
    block_on(async {
        let client = connect::person(environment, args.insists.as_person).await?;
        let is_said = given || sheet.is_some();
        let id = match ask {
            Some(ask) => ask_id(ask)?,
            None => match the_one(&client, is_said, environment).await? {
                Some(id) => id,
                None => return Ok(Exit::StillOpen),
            },
        };
        if !is_said {
            return in_the_panel(&client, id, args.plain, form, environment).await;
        }
        let seen = client.get(KeyFor::Person, id, None, Duration::ZERO).await?;
        let body: Value = match sheet {
            Some(sheet) => serde_json::from_str(sheet)
                .map_err(|error| Report::wrong_input(format!("the sheet is not JSON: {error}"), None))?,
            None => body(&seen.questions, args)?,
        };
        // Nothing is answered unseen: whoever answers by flags has all of it before them as well.
        complain(&in_full(&seen, language));
        let entries = wire::answers::read_answers(&seen.questions, &body).unwrap_or_default();
        let said = said(&seen, entries, language);
        done(&closed(&client.answer(id, Hand::Program, body).await?, form, "answered", &said))
    })
}

/// Tells the ask and the sheet apart: `--json ask_01…` means the ask, printed as JSON.
fn told_apart(args: &Answer) -> (Option<&str>, Option<&str>) {
    match (args.ask.as_deref(), args.json.as_ref().and_then(|json| json.as_deref())) {
        (None, Some(value)) if value.starts_with("ask_") => (Some(value), None),
        (ask, sheet) => (ask, sheet),
    }
}

/// Finds the ask that waits, where only one does. Of several, the person in the terminal picks one;
/// an answer that was given beforehand was given to none of them. None where they leave.
async fn the_one(client: &Client, is_said: bool, environment: &Environment) -> Result<Option<AskId>, Report> {
    let mut waiting = client.inbox().await?;
    waiting.retain(|seen| seen.status != "pending" && !seen.waits_for_others());
    match waiting.as_slice() {
        [] => return Err(Report::wrong_input("nothing is open", None)),
        [only] => return Ok(Some(only.id)),
        _ => {}
    }
    let terminal = if is_said { None } else { person::terminal(environment, true)? };
    let Some(Way::Lines(lines, _)) = terminal else {
        let rows: Vec<Vec<String>> =
            waiting.iter().map(|seen| vec![seen.id.to_string(), asker(seen), headline(seen)]).collect();
        let what = format!(
            "{} questions are waiting: name one\n{}",
            waiting.len(),
            table(&["ASK", "ASKER", "QUESTION"], &rows)
        );
        let hint = "`askuser show ASK` shows one in full, `askuser answer ASK …` answers it";
        return Err(Report::wrong_input(what, Some(hint)));
    };
    let picked = picked(&waiting, lines, language(environment));
    picked.map_err(|error| Report::from(NotAsked::from(error)))
}

/// Has the person pick one of several by its number; none where they leave.
fn picked(waiting: &[SeenAsk], lines: Lines, language: Language) -> io::Result<Option<AskId>> {
    let Lines { input, mut output } = lines;
    let mut input = BufReader::new(input);
    let (n_waiting, now) = (waiting.len(), clock::now());
    let text = match language {
        Language::English => format!("{n_waiting} questions are waiting, the urgent ones first:\n"),
        Language::Chinese => format!("有 {n_waiting} 个问题待回答，紧急的在前：\n"),
    };
    output.write_all(text.as_bytes())?;
    for (place, seen) in waiting.iter().enumerate() {
        let ends = at_deadline(seen, now, language);
        let beside = [Some(asker(seen)), ends, being_answered(seen, language)].into_iter().flatten();
        let beside: Vec<String> = beside.filter(|text| !text.is_empty()).collect();
        let line = format!("{:>3}  {}\n       {}\n", place + 1, headline(seen), beside.join(" · "));
        output.write_all(shown(&line).as_bytes())?;
    }
    loop {
        let ask = match language {
            Language::English => format!("Which one? 1-{n_waiting}, or Enter to leave: "),
            Language::Chinese => format!("回答哪一个？1-{n_waiting}，直接回车则离开："),
        };
        output.write_all(ask.as_bytes())?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 || line.trim().is_empty() {
            return Ok(None);
        }
        let place: Option<usize> = line.trim().parse().ok();
        if let Some(seen) = place.and_then(|place| waiting.get(place.checked_sub(1)?)) {
            return Ok(Some(seen.id));
        }
    }
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
            let answers = seen.outcome.as_ref().map(|outcome| outcome.answers.entries());
            let mut said = said(&seen, answers.unwrap_or_default(), language(environment));
            if said.is_empty() {
                said.push(headline(&seen));
            }
            done(&closed(&seen, form, how, &said))
        }
        Sat::Counted(seen) => done(&closed(&seen, form, "counted", &[headline(&seen)])),
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
