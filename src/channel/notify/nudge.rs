//! What a nudge says. Who asks, and as much of what is asked as the person lets out; secrets never.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::hearing::Voice;
use askuser_core::id::UserId;
use askuser_core::outcome::{By, Outcome};
use askuser_core::question::{Kind, Question};
use askuser_core::text::shown as harmless;
use serde_json::{Value, json};

use super::minder::Why;
use crate::config::{Content, PersonPart, Tongue};
use crate::wire::time;

/// Characters of a title, of a text and of a choice; services cut where they like otherwise.
const TITLE_CHARS_MAX: usize = 100;
const TEXT_CHARS_MAX: usize = 1000;
const CHOICE_CHARS_MAX: usize = 60;
/// Asks that are named where several are told of in one.
const NAMED_MAX: usize = 5;
/// Choices that a small question has at most: services have three buttons.
const BUTTONS_MAX: usize = 3;

/// Something that one person is told.
#[derive(Debug, Clone)]
pub struct Nudge {
    /// Its name: the same in every attempt, and never the same for two.
    pub id: String,
    /// Why.
    pub why: Why,
    /// Whom.
    pub person: UserId,
    /// Of what: one ask, or several; none where it is tried whether it works.
    pub asks: Vec<Arc<Ask>>,
}

/// A nudge as it is sent: everything that leaves this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The name of the nudge.
    pub id: String,
    /// Why.
    pub why: Why,
    /// Who asks.
    pub title: String,
    /// What; empty where nothing more is let out.
    pub text: String,
    /// What may be picked, where that is let out.
    pub choices: Vec<String>,
    /// Where to answer; none where the page has no address out there.
    pub link: Option<String>,
    /// The secret of the buttons, where there may be any: it answers this ask, once.
    pub token: Option<String>,
    /// The asks, by their names.
    pub asks: Vec<String>,
}

/// How an ask ended, for whoever was nudged of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The ask, by its name.
    pub ask: String,
    /// The word for it: answered, cancelled, timeout.
    pub status: &'static str,
    /// It in a sentence.
    pub text: String,
}

impl Ended {
    /// Says how an ask ended: by whom and through what, never what was answered.
    pub fn of(ask: &Ask, outcome: &Outcome, language: Tongue) -> Self {
        Self::told(ask, outcome.status(), &outcome.by, language)
    }

    /// Says that its person has spoken, where others are still to.
    pub fn heard(ask: &Ask, voice: &Voice, language: Tongue) -> Self {
        let status = if voice.answers.is_some() { "answered" } else { "cancelled" };
        Self::told(ask, status, &voice.by, language)
    }

    fn told(ask: &Ask, status: &'static str, by: &By, language: Tongue) -> Self {
        let text = match (language, status) {
            (Tongue::En, "answered") => format!("Answered by {by}."),
            (Tongue::En, "timeout") => "Nobody answered in time.".to_owned(),
            (Tongue::En, _) => format!("Cancelled by {by}."),
            (Tongue::Zh, "answered") => format!("已由 {by} 回答。"),
            (Tongue::Zh, "timeout") => "已超时，无人回答。".to_owned(),
            (Tongue::Zh, _) => format!("已由 {by} 取消。"),
        };
        Self { ask: ask.id.to_string(), status, text: harmless(&text).into_owned() }
    }
}

/// Returns the question that a button can answer: the only one, with few choices and nothing to type.
pub(super) fn small(ask: &Ask) -> Option<&Question> {
    let [question] = ask.questions.top() else { return None };
    let picks_one = matches!(question.kind, Kind::OneOf | Kind::YesNo);
    let few = (1..=BUTTONS_MAX).contains(&question.choices.len());
    let alone = question.choices.iter().all(|choice| choice.follow_ups.is_empty());
    let open = !question.secret && question.collected.is_none() && question.depends_on.is_none();
    (picks_one && few && alone && open).then_some(question)
}

fn has_secret(ask: &Ask) -> bool {
    ask.questions.all().iter().any(|question| question.secret)
}

impl Nudge {
    /// Writes it as the person wants it. `token` is the secret of its link.
    pub fn write(&self, rule: &PersonPart, url: Option<&str>, token: Option<&str>) -> Letter {
        let title = cut(&harmless(&self.title(rule.language)), TITLE_CHARS_MAX);
        let page = url.map(|url| url.trim_end_matches('/'));
        let mut letter = Letter {
            id: self.id.clone(),
            why: self.why,
            title,
            text: String::new(),
            choices: Vec::new(),
            link: page.map(|page| format!("{page}/")),
            token: None,
            asks: self.asks.iter().map(|ask| ask.id.to_string()).collect(),
        };
        match self.asks.as_slice() {
            [] => {
                let works =
                    rule.language.pick("It works: nudges reach you here.", "测试成功：通知可以送达。");
                works.clone_into(&mut letter.text);
            }
            [ask] => self.write_one(ask, rule, page, token, &mut letter),
            several => letter.text = cut(&list(several, &self.person, rule), TEXT_CHARS_MAX),
        }
        letter
    }

    fn write_one(
        &self,
        ask: &Ask,
        rule: &PersonPart,
        page: Option<&str>,
        token: Option<&str>,
        letter: &mut Letter,
    ) {
        if !ask.is_for(&self.person) {
            // Somebody else is told that it waits; what it says is not theirs to read.
            letter.link = None;
            return;
        }
        letter.link = page.map(|page| match token {
            Some(token) => format!("{page}/a/{token}"),
            None => format!("{page}/asks/{}", ask.id),
        });
        if rule.content == Content::Title || has_secret(ask) {
            return;
        }
        let texts: Vec<String> =
            ask.questions.top().iter().map(|one| harmless(&one.text).into_owned()).collect();
        letter.text = cut(&texts.join("\n"), TEXT_CHARS_MAX);
        if let (Content::Choices, [question]) = (rule.content, ask.questions.top()) {
            let label = |choice: &askuser_core::question::Choice| {
                cut(&harmless(choice.shown_label()), CHOICE_CHARS_MAX)
            };
            letter.choices = question.choices.iter().map(label).collect();
            letter.token = token.filter(|_| small(ask).is_some()).map(str::to_owned);
        }
    }

    fn title(&self, language: Tongue) -> String {
        match self.asks.as_slice() {
            [] => language.pick("A test of askuser", "askuser 测试").to_owned(),
            [ask] => {
                let who = whence(ask, language);
                match (self.why, language) {
                    (Why::New | Why::Test, Tongue::En) => format!("{who} asks"),
                    (Why::Reminder, Tongue::En) => format!("{who} still waits"),
                    (Why::Escalation, Tongue::En) => {
                        format!("{who} waits for {}", awaited(ask, &self.person))
                    }
                    (Why::New | Why::Test, Tongue::Zh) => format!("{who} 有问题"),
                    (Why::Reminder, Tongue::Zh) => format!("{who} 仍在等待"),
                    (Why::Escalation, Tongue::Zh) => format!("{who} 正在等待 {}", awaited(ask, &self.person)),
                }
            }
            several => match language {
                Tongue::En => format!("{} questions wait", several.len()),
                Tongue::Zh => format!("{} 个问题等待回答", several.len()),
            },
        }
    }
}

impl Tongue {
    fn pick<T>(self, english: T, chinese: T) -> T {
        match self {
            Self::En => english,
            Self::Zh => chinese,
        }
    }
}

/// The agent and its project.
fn whence(ask: &Ask, language: Tongue) -> String {
    let asker = &ask.terms.asker;
    let agent = asker.agent.clone().unwrap_or_else(|| language.pick("An agent", "智能体").to_owned());
    match &asker.project {
        Some(project) => format!("{agent} · {project}"),
        None => agent,
    }
}

/// Whom an ask waits for besides this person.
fn awaited(ask: &Ask, person: &UserId) -> String {
    let mut still = ask.still_to_answer().unwrap_or_else(|| vec![&ask.owner]);
    still.retain(|other| *other != person);
    let names: Vec<&str> = still.iter().take(NAMED_MAX).map(|other| other.as_str()).collect();
    if names.is_empty() { person.to_string() } else { names.join(", ") }
}

/// A line an ask, the first few of them. What is not the person's to read is not in it.
fn list(asks: &[Arc<Ask>], person: &UserId, rule: &PersonPart) -> String {
    let line = |ask: &Arc<Ask>| {
        let whence = whence(ask, rule.language);
        let is_let_out = rule.content != Content::Title && !has_secret(ask) && ask.is_for(person);
        let first = ask.questions.top().first().filter(|_| is_let_out);
        let line = first.map_or_else(|| whence.clone(), |first| format!("{whence}: {}", first.text));
        cut(&harmless(&line.replace('\n', " ")), TITLE_CHARS_MAX)
    };
    let mut lines: Vec<String> = asks.iter().take(NAMED_MAX).map(line).collect();
    if asks.len() > NAMED_MAX {
        lines.push("…".to_owned());
    }
    lines.join("\n")
}

impl Letter {
    /// Returns it as JSON, for programs. No secret is in it but the link.
    pub fn json(&self) -> Value {
        json!({
            "id": self.id, "why": self.why.name(), "title": self.title, "text": self.text,
            "choices": self.choices, "link": self.link, "asks": self.asks,
        })
    }

    /// Returns it as the message of a webhook.
    pub fn message(&self, now: askuser_core::time::Timestamp) -> String {
        let kind = format!("nudge.{}", self.why.name());
        json!({"type": kind, "timestamp": time::write(now), "data": self.json()}).to_string()
    }
}

impl Ended {
    /// Returns it as JSON, for programs.
    pub fn json(&self) -> Value {
        json!({"ask": self.ask, "status": self.status, "text": self.text})
    }
}

impl Why {
    /// Returns its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Reminder => "reminder",
            Self::Escalation => "escalation",
            Self::Test => "test",
        }
    }
}

/// Cuts a text to so many characters, and shows that it was cut.
fn cut(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(chars_max.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests;
