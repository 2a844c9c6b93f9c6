//! One ask as lines: all of it before it is answered, and afterwards what was answered to it.

use std::fmt::Write;
use std::sync::Arc;

use askuser_core::entry::Entry;
use askuser_core::id::QuestionId;
use askuser_core::question::{Kind, Question};
use askuser_core::sheet::Sheet;
use askuser_core::text::shown;
use askuser_core::time::Timestamp;
use serde_json::Value;

use super::args::Form;
use super::elsewhere;
use super::table::field;
use crate::channel::terminal::{Language, summary};
use crate::client::seen::SeenAsk;
use crate::clock;
use crate::environment::Environment;
use crate::wire::permission;

/// The language that the person reads.
pub fn language(environment: &Environment) -> Language {
    Language::from(|name| environment.get(name).map(ToOwned::to_owned))
}

/// Returns an ask with everything that has to be read before it is answered.
pub fn in_full(seen: &SeenAsk, language: Language) -> String {
    let mut text = String::new();
    let mut line = |words: String| {
        // Writing to a string does not fail.
        let _written = writeln!(text, "{}", shown(&words));
    };
    line(format!("{} · {}", seen.id, seen.status));
    let asker = [&seen.asker.agent, &seen.asker.project, &seen.asker.folder].into_iter().flatten();
    let asker: Vec<&str> = asker.map(String::as_str).collect();
    if !asker.is_empty() {
        line(format!("asked by {}", asker.join(" · ")));
    }
    line(format!("asked at {}", field(&seen.told, "created_at")));
    let deadline = field(&seen.told, "deadline_at");
    if !deadline.is_empty() {
        line(format!("ends at {deadline}"));
    }
    if let Some(then) = at_deadline(seen, clock::now(), language) {
        line(then);
    }
    if let Some(held) = being_answered(seen, language) {
        line(held);
    }
    if let Some(progress) = seen.progress.as_ref().filter(|_| seen.is_open()) {
        line(progress.line(language.into()));
    }
    if let Some(context) = &seen.context {
        line(format!("\n{context}"));
    }
    match permission::of(&seen.content()) {
        Some(permission) => permission_lines(seen, &permission, &mut line),
        None => seen.questions.top().iter().for_each(|question| question_lines(question, 0, &mut line)),
    }
    if !seen.is_open() {
        line(format!("\n{}", elsewhere::line(seen, language)));
    }
    text
}

/// What would run stands by itself, as it is, with its folder.
fn permission_lines(seen: &SeenAsk, permission: &permission::Permission, line: &mut impl FnMut(String)) {
    let below = |text: &str| text.split('\n').map(|row| format!("    {row}")).collect::<Vec<_>>().join("\n");
    for question in seen.questions.top() {
        asked_line(question, "", line);
        line(below(&permission.command));
        if let Some(folder) = &permission.folder {
            line(format!("  in {folder}"));
        }
        permission.rest.iter().for_each(|rest| line(below(rest)));
        choice_lines(question, "", 0, line);
    }
}

fn question_lines(question: &Question, depth: usize, line: &mut impl FnMut(String)) {
    let indent = "  ".repeat(depth);
    asked_line(question, &indent, line);
    if let Some(description) = &question.description {
        line(format!("{indent}  {}", description.replace('\n', &format!("\n{indent}  "))));
    }
    choice_lines(question, &indent, depth, line);
}

fn asked_line(question: &Question, indent: &str, line: &mut impl FnMut(String)) {
    let how = match question.kind {
        Kind::OneOf => "pick one",
        Kind::SomeOf { .. } => "pick several",
        Kind::YesNo => "yes or no",
        Kind::Text => "text",
    };
    let optional = if question.required { "" } else { ", optional" };
    line(String::new());
    if let Some(header) = &question.header {
        line(format!("{indent}{header}"));
    }
    line(format!("{indent}{} ({how}{optional}): {}", question.id, question.text));
}

fn choice_lines(question: &Question, indent: &str, depth: usize, line: &mut impl FnMut(String)) {
    for choice in &question.choices {
        let about = choice.description.as_ref().map_or(String::new(), |about| format!(": {about}"));
        line(format!("{indent}  {} = {}{about}", choice.id, choice.label));
        if let Some(preview) = &choice.preview {
            line(format!("{indent}      {}", preview.text.replace('\n', &format!("\n{indent}      "))));
        }
        for follow_up in &choice.follow_ups {
            question_lines(follow_up, depth + 2, line);
        }
    }
}

/// Says how long there is left, and what happens then; none where there is no deadline.
pub fn at_deadline(seen: &SeenAsk, now: Timestamp, language: Language) -> Option<String> {
    let seconds = seen.deadline.filter(|_| seen.is_open())?.since(now).as_secs();
    let (left, unit) = match seconds {
        0..60 => (seconds, ("s", "秒")),
        60..3600 => (seconds / 60, ("min", "分钟")),
        3600..86_400 => (seconds / 3600, ("h", "小时")),
        _ => (seconds / 86_400, ("d", "天")),
    };
    let then = match field(&seen.told, "at_deadline").as_str() {
        "stops" => language.either("the task stops", "任务停止").to_owned(),
        "default" => {
            let taken = default_words(&seen.told);
            match language {
                Language::English => format!("the default{taken} is taken"),
                Language::Chinese => format!("采用默认值{taken}"),
            }
        }
        _ => language.either("it times out", "超时").to_owned(),
    };
    Some(match language {
        Language::English => format!("in {left} {}: {then}", unit.0),
        Language::Chinese => format!("{left} {}后：{then}", unit.1),
    })
}

/// The default, where there is only one.
fn default_words(told: &Value) -> String {
    let answers = told.get("default_answers").and_then(Value::as_array);
    let Some([only]) = answers.map(Vec::as_slice) else { return String::new() };
    let labels = only.get("selected").and_then(Value::as_array).into_iter().flatten();
    let labels = labels.filter_map(|choice| choice.get("label").and_then(Value::as_str));
    let words: Vec<&str> = labels.chain(only.get("text").and_then(Value::as_str)).collect();
    if words.is_empty() { String::new() } else { format!(" \u{201c}{}\u{201d}", words.join(", ")) }
}

/// Says who has answered it a moment ago and can still take that back; none where nobody has.
pub fn being_answered(seen: &SeenAsk, language: Language) -> Option<String> {
    let held = seen.told.get("held").and_then(Value::as_array).filter(|held| !held.is_empty())?;
    let names: Vec<String> = held.iter().map(|held| field(held, "user")).collect();
    Some(match language {
        Language::English => format!("being answered by {}", names.join(", ")),
        Language::Chinese => format!("{} 正在回答", names.join("、")),
    })
}

/// Returns what an ask is about, on one line of a terminal.
pub fn headline(seen: &SeenAsk) -> String {
    let mut line = seen.questions.headline(seen.context.as_deref());
    if let Some(permission) = permission::of(&seen.content()) {
        line = format!("{line} {}", permission.command);
    }
    shown(&line).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns which question was answered with what, a line each; a secret is not told.
pub fn said(seen: &SeenAsk, entries: Vec<(QuestionId, Entry)>, language: Language) -> Vec<String> {
    let Ok(sheet) = Sheet::filled(Arc::clone(&seen.questions), entries) else {
        return vec![headline(seen)];
    };
    let visible = sheet.visible();
    let answered = visible.iter().filter(|visible| summary::is_answered(&sheet, visible.question));
    let line = |question: &Question| {
        let is_first = seen.questions.top().first().is_some_and(|first| first.id == question.id);
        let asked = if is_first { headline(seen) } else { shown(&question.text).replace('\n', " ") };
        format!("{asked} → {}", summary::answer(&sheet, question, language.words()).replace('\n', " "))
    };
    answered.map(|visible| line(visible.question)).collect()
}

/// Says that an ask was closed and how, and what it was.
pub fn closed(seen: &SeenAsk, form: Form, how: &str, said: &[String]) -> String {
    if form.json {
        return seen.told.to_string();
    }
    let is_disagreement = seen.outcome.as_ref().is_some_and(askuser_core::outcome::Outcome::is_disagreement);
    let first = match seen.progress.as_ref().filter(|_| seen.is_open()) {
        // What this person said is counted; the ask goes on.
        Some(progress) => {
            format!("{} {how}: {}", seen.id, progress.line(crate::wire::language::Language::English))
        }
        None if is_disagreement => format!("{} ended: they did not agree", seen.id),
        None => format!("{} {how}", seen.id),
    };
    std::iter::once(first).chain(said.iter().cloned()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn seen(more: &Value) -> SeenAsk {
        let mut told = json!({
            "ask_id": "ask_01ARZ3NDEKTSV4RRFFQ69G5FAV", "status": "showing", "created_at": "2026-11-15T10:00:00.000Z",
            "asker": {"agent": "codex", "project": "shop", "folder": "/home/ann/shop"},
            "context": "Delete all 14 backups?", "questions": [
                {"question_id": "confirm", "header": "Database", "question": "Confirm", "description": "It cannot\nbe undone.",
                 "type": "multiple_choice", "options": [
                    {"id": "y", "label": "Yes", "description": "deletes them", "preview": "rm a\nrm b"},
                    {"id": "n", "label": "No"}]},
                {"question_id": "key", "question": "Key?", "type": "text", "secret": true, "options": []}],
        });
        for (key, value) in more.as_object().unwrap() {
            told[key] = value.clone();
        }
        SeenAsk::read(told).unwrap()
    }

    #[test]
    fn everything_is_there_before_it_is_answered() {
        let seen = seen(&json!({}));
        let text = in_full(&seen, Language::English);
        for part in askuser_core::whole::parts(&seen.content()) {
            let lines = part.split('\n');
            assert!(lines.clone().all(|line| text.contains(line)), "{part:?} is not in {text}");
        }
    }

    #[test]
    fn what_was_answered_stands_beside_what_was_asked_and_no_secret() {
        let seen = seen(&json!({}));
        let entries = vec![
            ("confirm".into(), Entry { picked: vec!["y".into()], ..Entry::default() }),
            ("key".into(), Entry { text: Some("sk-1".into()), ..Entry::default() }),
        ];
        let said = said(&seen, entries, Language::English);
        assert_eq!(said, ["Delete all 14 backups? · Confirm → Yes", "Key? → ••••••"]);
        let id = seen.id;
        assert_eq!(
            closed(&seen, Form { json: false }, "answered", &said[..1]),
            format!("{id} answered\nDelete all 14 backups? · Confirm → Yes")
        );
    }

    #[test]
    fn a_permission_shows_what_would_run_and_where() {
        let input = format!("{:#}", json!({"command": "rm -rf dist\u{1b}", "timeout": 5}));
        let seen = seen(&json!({"purpose": "permission", "context": null, "questions": [
            {"question_id": "p", "header": "Permission", "question": "Allow codex to use `Bash`?",
             "type": "boolean", "other": false, "description": input, "options": []}]}));
        let text = in_full(&seen, Language::English);
        assert!(text.contains("\n    rm -rf dist␛\n  in /home/ann/shop\n"), "{text}");
        assert!(text.contains("\"timeout\": 5"), "{text}");
        assert_eq!(headline(&seen), "Allow codex to use `Bash`? rm -rf dist␛");
    }

    #[test]
    fn a_deadline_says_what_happens_then() {
        let ends = |more: Value| {
            let mut told = json!({"deadline_at": "2026-11-15T10:05:00.000Z"});
            told.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let now = crate::wire::time::read("2026-11-15T10:00:30.000Z").unwrap();
            let seen = seen(&told);
            [Language::English, Language::Chinese].map(|language| at_deadline(&seen, now, language).unwrap())
        };
        assert_eq!(ends(json!({"at_deadline": "unanswered"})), ["in 4 min: it times out", "4 分钟后：超时"]);
        assert_eq!(ends(json!({"at_deadline": "stops"})), ["in 4 min: the task stops", "4 分钟后：任务停止"]);
        let info = json!([{"selected": [{"id": "i", "label": "info"}], "text": null}]);
        assert_eq!(
            ends(json!({"at_deadline": "default", "default_answers": info})),
            [
                "in 4 min: the default \u{201c}info\u{201d} is taken",
                "4 分钟后：采用默认值 \u{201c}info\u{201d}"
            ]
        );
        let now = Timestamp(0);
        assert_eq!(at_deadline(&seen(&json!({})), now, Language::English), None);
    }

    #[test]
    fn an_answer_that_is_held_is_being_given() {
        let held = json!({"held": [{"user": "ann", "channel": "web", "until": "", "mine": false}]});
        assert_eq!(being_answered(&seen(&held), Language::English).as_deref(), Some("being answered by ann"));
        assert_eq!(being_answered(&seen(&json!({})), Language::English), None);
    }
}
