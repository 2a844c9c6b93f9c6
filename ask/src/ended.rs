//! What a person in the terminal reads of an ask that ended or is being answered elsewhere: how, and with what.

use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::outcome::{Ending, Outcome};
use askuser_core::question::Question;
use askuser_core::sheet::Sheet;
use askuser_core::text::shown;
use askuser_words::Language;
use askuser_words::prompt::Prompt;

use askuser_client::seen::{SeenAsk, SeenHeld};
use askuser_terminal::summary;

/// Says how an ask ended that was just closed elsewhere, and with which answers or why.
pub fn line(seen: &SeenAsk, language: Language) -> String {
    let Some(outcome) = &seen.outcome else { return language.words().left_open().to_owned() };
    let with = match outcome.ending {
        Ending::Answered(_) if !outcome.is_disagreement() => answers(seen, &outcome.answers, language),
        _ => String::new(),
    };
    joined(looking_back(seen, outcome, language), &with, language)
}

/// Says how an ask ended some time ago, its answers left out: they stand beside it.
pub fn looking_back(seen: &SeenAsk, outcome: &Outcome, language: Language) -> String {
    let with = match outcome.ending {
        _ if outcome.is_disagreement() => each_person(seen, outcome, language),
        Ending::Declined => shown(outcome.comment.as_deref().unwrap_or_default()).replace('\n', " "),
        Ending::Answered(_) | Ending::Withdrawn | Ending::Expired { .. } => String::new(),
    };
    joined(language.ended(outcome), &with, language)
}

fn joined(how: String, with: &str, language: Language) -> String {
    if with.is_empty() { how } else { how + language.words().colon() + with }
}

/// Returns answers without the titles of their questions.
pub fn bare_answers(seen: &SeenAsk, answers: &Answers, language: Language) -> String {
    each_answer(seen, answers, language, |sheet, question| summary::answer(sheet, question, language.words()))
}

fn answers(seen: &SeenAsk, answers: &Answers, language: Language) -> String {
    each_answer(seen, answers, language, |sheet, question| summary::titled(sheet, question, language))
}

fn each_answer(
    seen: &SeenAsk,
    answers: &Answers,
    language: Language,
    say: impl Fn(&Sheet, &Question) -> String,
) -> String {
    let filled = Sheet::filled(Arc::clone(&seen.questions), answers.entries());
    let Ok(sheet) = filled else { return String::new() };
    let said: Vec<String> = sheet.visible().iter().map(|visible| say(&sheet, visible.question)).collect();
    said.join(language.words().semicolon())
}

/// Returns what each of several people said: nothing else stands for all of them.
fn each_person(seen: &SeenAsk, outcome: &Outcome, language: Language) -> String {
    let words = language.words();
    let said = outcome.voices.iter().map(|voice| {
        let said = match &voice.answers {
            Some(given) => answers(seen, given, language),
            None => words.declined().to_owned(),
        };
        format!("{}{}{said}", shown(voice.user.as_str()), words.colon())
    });
    said.collect::<Vec<_>>().join(words.semicolon())
}

/// Says that the agent went away and may come back, where it did.
pub fn left(seen: &SeenAsk, language: Language) -> Option<&'static str> {
    (seen.nobody_waits && seen.is_open()).then(|| Prompt(language).no_agent_waits())
}

/// Says who is about to answer an ask, and where.
pub fn being_answered(held: &SeenHeld, language: Language) -> String {
    language.being_answered(&held.user, &held.channel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ended(outcome: &serde_json::Value) -> SeenAsk {
        SeenAsk::read(json!({
            "ask_id": "ask_01ARZ3NDEKTSV4RRFFQ69G5FAV", "status": "answered",
            "questions": [{"question_id": "q1", "header": "Database", "question": "Which?", "type": "multiple_choice",
                "options": [{"id": "pg", "label": "PostgreSQL"}, {"id": "my", "label": "MySQL"}]}],
            "outcome": outcome,
        }))
        .unwrap()
    }

    #[test]
    fn it_says_by_whom_where_and_what() {
        let mut outcome = json!({"status": "answered", "reason": "user", "answered_by": "person",
            "by": {"user": "ana", "channel": "web", "proof": "cookie"}, "closed_at": "2026-11-15T10:00:00.000Z",
            "answers": [{"question_id": "q1", "selected": [{"id": "my", "label": "MySQL"}]}]});
        let seen = ended(&outcome);
        assert_eq!(line(&seen, Language::English), "Answered by ana in the browser: Database: MySQL");
        assert_eq!(line(&seen, Language::Chinese), "已回答（ana，浏览器）：Database：MySQL");
        let voice = |user: &str, id: &str| {
            json!({"user": user, "status": "answered", "channel": "web", "proof": "cookie",
            "at": "2026-11-15T10:00:00.000Z", "answers": [{"question_id": "q1", "selected": [{"id": id}]}]})
        };
        outcome["voices"] = json!([voice("bo", "pg"), voice("ana", "my")]);
        assert_eq!(
            line(&ended(&outcome), Language::English),
            "They did not agree: bo: Database: PostgreSQL; ana: Database: MySQL"
        );
        outcome["status"] = json!("cancelled");
        outcome["comment"] = json!("not\u{1b} now");
        assert_eq!(line(&ended(&outcome), Language::English), "Declined by ana in the browser: not␛ now");
        outcome["reason"] = json!("system");
        assert_eq!(line(&ended(&outcome), Language::English), "Withdrawn");
    }
}
