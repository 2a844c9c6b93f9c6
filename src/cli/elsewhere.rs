//! What a person in the terminal is told when an ask was closed elsewhere: by whom, where, how.

use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::outcome::{AnsweredBy, Channel, Ending, Outcome};
use askuser_core::sheet::Sheet;
use askuser_core::text::shown;
use askuser_words::Language;

use crate::channel::terminal::summary;
use crate::client::seen::{SeenAsk, SeenHeld};

/// Says how an ask ended that was just closed elsewhere, and with which answers.
pub fn line(seen: &SeenAsk, language: Language) -> String {
    let Some(outcome) = &seen.outcome else { return language.words().left_open.to_owned() };
    if outcome.is_disagreement() {
        return each_person(seen, outcome, language);
    }
    told(outcome, &answers(seen, &outcome.answers, language), Terminal::Another, language)
}

/// Says how an ask ended some time ago, its answers left out: they stand beside it.
pub fn looking_back(seen: &SeenAsk, outcome: &Outcome, language: Language) -> String {
    if outcome.is_disagreement() {
        return each_person(seen, outcome, language);
    }
    told(outcome, "", Terminal::Any, language)
}

/// Says where something is being done by somebody else.
pub fn place_of(channel: &Channel, language: Language) -> String {
    place(channel, Terminal::Another, language)
}

/// Returns answers without the titles of their questions.
pub fn bare_answers(seen: &SeenAsk, answers: &Answers, language: Language) -> String {
    let Ok(sheet) = Sheet::filled(Arc::clone(&seen.questions), answers.entries()) else {
        return String::new();
    };
    let visible = sheet.visible();
    let said = visible.iter().map(|visible| summary::answer(&sheet, visible.question, language.words()));
    said.collect::<Vec<_>>().join("; ")
}

/// What a terminal is called.
#[derive(Clone, Copy)]
enum Terminal {
    Another,
    Any,
}

fn told(outcome: &Outcome, said: &str, terminal: Terminal, language: Language) -> String {
    let words = language.words();
    let by = by(outcome, terminal, language);
    match outcome.ending {
        Ending::Answered(AnsweredBy::Default) => language
            .pick("Time ran out: the asker's defaults were taken", "已超时：采用了提问者的默认答案")
            .to_owned(),
        Ending::Answered(
            AnsweredBy::Person | AnsweredBy::Rule | AnsweredBy::AgentDialog | AnsweredBy::Collected,
        ) => {
            let verb = language.pick("Answered", "已回答");
            join(&format!("{verb}{by}"), said, words.colon)
        }
        Ending::Declined => {
            let reason = outcome.comment.as_deref().map(|reason| shown(reason).replace('\n', " "));
            join(&format!("{}{by}", words.declined), &reason.unwrap_or_default(), words.colon)
        }
        Ending::Withdrawn => language.pick("Withdrawn by the asker", "提问者已撤回问题").to_owned(),
        Ending::Expired { .. } => words.expired.to_owned(),
    }
}

fn join(head: &str, tail: &str, colon: &str) -> String {
    if tail.is_empty() { head.to_owned() } else { format!("{head}{colon}{tail}") }
}

fn by(outcome: &Outcome, terminal: Terminal, language: Language) -> String {
    let user = outcome.by.user.as_ref().map_or(String::new(), |user| shown(user.as_str()).into_owned());
    let place = place(&outcome.by.channel, terminal, language);
    match language {
        Language::English if user.is_empty() => format!(" {place}"),
        Language::English => format!(" by {user} {place}"),
        Language::Chinese if user.is_empty() => format!("（{place}）"),
        Language::Chinese => format!("（{user}，{place}）"),
    }
}

fn place(channel: &Channel, terminal: Terminal, language: Language) -> String {
    let (english, chinese) = match channel {
        Channel::Terminal => match terminal {
            Terminal::Another => ("in another terminal", "另一个终端"),
            Terminal::Any => ("in the terminal", "终端"),
        },
        Channel::Web => ("in the browser", "浏览器"),
        Channel::Api => ("with a command", "命令"),
        Channel::AgentDialog => ("in the agent's own dialog", "智能体自己的对话框"),
        Channel::Notify(service) => {
            let service = shown(service);
            return match language {
                Language::English => format!("on {service}"),
                Language::Chinese => service.into_owned(),
            };
        }
        Channel::Agent => ("by the agent", "智能体"),
        Channel::Server => ("automatically", "自动"),
    };
    language.pick(english, chinese).to_owned()
}

/// Says that people did not agree, and what each said: nothing else stands for all of them.
fn each_person(seen: &SeenAsk, outcome: &Outcome, language: Language) -> String {
    let colon = language.words().colon;
    let said = outcome.voices.iter().map(|voice| {
        let said = match &voice.answers {
            Some(given) => answers(seen, given, language),
            None => language.words().declined.to_owned(),
        };
        format!("{}{colon}{said}", shown(voice.user.as_str()))
    });
    let said: Vec<String> = said.collect();
    language.pick("They did not agree. ", "意见不一致。").to_owned() + &said.join("; ")
}

fn answers(seen: &SeenAsk, answers: &Answers, language: Language) -> String {
    let filled = Sheet::filled(Arc::clone(&seen.questions), answers.entries());
    let Ok(sheet) = filled else { return String::new() };
    let visible = sheet.visible();
    let said: Vec<String> =
        visible.iter().map(|visible| summary::titled(&sheet, visible.question, language)).collect();
    said.join("; ")
}

/// Says that the agent went away and may come back, where it did.
pub(super) fn left(seen: &SeenAsk, language: Language) -> Option<&'static str> {
    let nobody_waits = seen.told.get("nobody_waits") == Some(&serde_json::Value::Bool(true));
    (nobody_waits && seen.is_open()).then(|| {
        language.pick(
            "Nobody is waiting for this right now. The agent gets your answer when it comes back.",
            "目前没有智能体在等待此问题，它回来后会收到你的回答。",
        )
    })
}

/// Says who is about to answer an ask, and where.
pub(super) fn being_answered(held: &SeenHeld, language: Language) -> String {
    let (user, place) = (shown(&held.user), place_of(&held.channel, language));
    match language {
        Language::English => format!("being answered by {user} {place}"),
        Language::Chinese => format!("{user} 正在回答（{place}）"),
    }
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
            "They did not agree. bo: Database: PostgreSQL; ana: Database: MySQL"
        );
        outcome["status"] = json!("cancelled");
        outcome["comment"] = json!("not\u{1b} now");
        assert_eq!(line(&ended(&outcome), Language::English), "Declined by ana in the browser: not␛ now");
        outcome["reason"] = json!("system");
        assert_eq!(line(&ended(&outcome), Language::English), "Withdrawn by the asker");
    }
}
