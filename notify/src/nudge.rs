//! What a nudge says. Who asks, and as much of what is asked as the person lets out; secrets never.
//!
//! It has answer buttons only where all of what is asked is in it, uncut: nobody answers what they were not
//! shown.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::hearing::Voice;
use askuser_core::id::UserId;
use askuser_core::outcome::Outcome;
use askuser_core::question::{Choice, Question};
use askuser_core::text::shown as harmless;
use askuser_core::whole::Room;
use askuser_words::nudge::Nudges;
use askuser_words::{Language, ending};
use serde_json::{Value, json};

use super::deadline;
use super::minder::Why;
use askuser_api::page::{ASK, LINK};
use askuser_api::route::filled;
use askuser_config::{Content, PersonPart};
use askuser_wire::time;

/// Characters of a title, of a text, of a choice and of what it means; services cut where they like
/// otherwise.
const TITLE_CHARS_MAX: usize = 100;
const TEXT_CHARS_MAX: usize = 1000;
const CHOICE_CHARS_MAX: usize = 60;
const MEANING_CHARS_MAX: usize = 100;
/// Choices that are listed.
const LISTED_MAX: usize = 10;
/// Asks that are named where several are told of in one.
const NAMED_MAX: usize = 5;
/// What every service and every phone shows whole: three buttons, of which the narrowest shows thirty
/// characters, and as much text as a message on a locked screen unfolds to.
pub(super) const ROOM: Room = Room { choices: 3, label_chars: 30, chars: 300, lines: 6 };

/// Something that one person is told.
#[derive(Debug, Clone)]
pub struct Nudge {
    /// Its name: the same in every attempt, and never the same for two.
    pub id: String,
    pub why: Why,
    pub person: UserId,
    /// Of what: one ask, or several; none where it is tried whether it works.
    pub asks: Vec<Arc<Ask>>,
}

/// A nudge as it is sent: everything that leaves this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The name of the nudge.
    pub id: String,
    pub why: Why,
    /// Who asks.
    pub title: String,
    /// What; empty where nothing more is let out.
    pub text: String,
    /// What may be picked, where that is let out.
    pub choices: Vec<Offered>,
    /// Where to answer; none where the page has no address out there.
    pub link: Option<String>,
    /// The secret of the buttons, where there may be any: it answers this ask, once.
    pub token: Option<String>,
    /// The asks, by their names.
    pub asks: Vec<String>,
}

/// A choice as it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// What it says.
    pub label: String,
    /// What it means.
    pub meaning: Option<String>,
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
    pub fn of(ask: &Ask, outcome: &Outcome, language: Language) -> Self {
        Self::saying(ask, outcome.status(), &language.ended(outcome), language)
    }

    /// Says that its person has spoken, where others are still to.
    pub fn heard(ask: &Ask, voice: &Voice, language: Language) -> Self {
        match voice.answers {
            Some(_) => Self::saying(ask, "answered", &language.answered_by(&voice.by), language),
            None => Self::saying(ask, "cancelled", &language.declined_by(&voice.by), language),
        }
    }

    fn saying(ask: &Ask, status: &'static str, how: &str, language: Language) -> Self {
        Self { ask: ask.id.to_string(), status, text: ending::Ended(language).sentence(how) }
    }
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
            [] => Nudges(rule.language).works().clone_into(&mut letter.text),
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
            Some(token) => format!("{page}{}", filled(LINK, token)),
            None => format!("{page}{}", filled(ASK, &ask.id.to_string())),
        });
        if rule.content == Content::Title || has_secret(ask) {
            return;
        }
        let pressed = ask.one_press(&ROOM).filter(|_| rule.content == Content::Choices);
        letter.text = pressed.map_or_else(|| in_short(ask), |question| whole(ask, question));
        if let Some(line) = deadline::line(ask, rule) {
            letter.text = format!("{}\n{}", letter.text, harmless(&line));
        }
        if let (Content::Choices, [question]) = (rule.content, ask.questions.top()) {
            letter.choices =
                question.choices.iter().map(|choice| offered(choice, pressed.is_some())).collect();
        }
        letter.token = token.filter(|_| pressed.is_some()).map(str::to_owned);
    }

    fn title(&self, language: Language) -> String {
        let said = Nudges(language);
        match self.asks.as_slice() {
            [] => said.test().to_owned(),
            [ask] => {
                let who = asker_line(ask, language);
                match self.why {
                    Why::New | Why::Test => said.asks(who),
                    Why::Reminder => said.still_waiting(who),
                    Why::Escalation => said.waiting_for(who, awaited(ask, &self.person)),
                }
            }
            several => said.several(several.len()),
        }
    }
}

/// Everything that has to be read before one of the buttons is pressed, but the choices.
fn whole(ask: &Ask, question: &Question) -> String {
    let about = ask.terms.context.as_deref().map(|context| format!("{context}\n"));
    let lines =
        [about.as_deref(), question.header.as_deref(), Some(&question.text), question.description.as_deref()];
    let lines: Vec<&str> = lines.into_iter().flatten().collect();
    harmless(&lines.join("\n")).into_owned()
}

/// What is asked, for whoever reads the rest elsewhere; it shows where there is more to read.
fn in_short(ask: &Ask) -> String {
    let (top, context) = (ask.questions.top(), ask.terms.context.as_deref());
    let first = context.and_then(|_| top.first()).map(|_| ask.headline());
    let others = top.iter().skip(usize::from(first.is_some())).map(|question| question.text.clone());
    let text = first.into_iter().chain(others).collect::<Vec<_>>().join("\n");
    let has_more = context.is_some() || top.iter().any(|question| question.description.is_some());
    let text = if has_more { format!("{text} …") } else { text };
    cut(&harmless(&text), TEXT_CHARS_MAX)
}

/// A choice, whole or as far as it is short.
fn offered(choice: &Choice, is_whole: bool) -> Offered {
    let within =
        |text: &str, chars_max: usize| cut(&harmless(text), if is_whole { usize::MAX } else { chars_max });
    Offered {
        label: within(choice.shown_label(), CHOICE_CHARS_MAX),
        meaning: choice.description.as_deref().map(|meaning| within(meaning, MEANING_CHARS_MAX)),
    }
}

/// The agent and its project.
fn asker_line(ask: &Ask, language: Language) -> String {
    let asker = &ask.terms.asker;
    let agent = asker.agent.clone().unwrap_or_else(|| language.unnamed_agent().to_owned());
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
        let asker_line = asker_line(ask, rule.language);
        let is_let_out = rule.content != Content::Title && !has_secret(ask) && ask.is_for(person);
        let line = if is_let_out { format!("{asker_line}: {}", ask.headline()) } else { asker_line };
        cut(&harmless(&line), TITLE_CHARS_MAX)
    };
    let mut lines: Vec<String> = asks.iter().take(NAMED_MAX).map(line).collect();
    if asks.len() > NAMED_MAX {
        lines.push("…".to_owned());
    }
    lines.join("\n")
}

impl Letter {
    /// Returns what stands below its title, line by line: the text, and the choices. Those that have a
    /// button are listed only with what they mean.
    pub fn lines(&self, has_buttons: bool) -> Vec<String> {
        let text = Some(self.text.clone()).filter(|text| !text.is_empty());
        let line = |choice: &Offered| match &choice.meaning {
            Some(meaning) => Some(format!("• {}: {meaning}", choice.label)),
            None if has_buttons => None,
            None => Some(format!("• {}", choice.label)),
        };
        let listed = self.choices.iter().take(LISTED_MAX).filter_map(line);
        let more = (self.choices.len() > LISTED_MAX).then(|| "…".to_owned());
        text.into_iter().chain(listed).chain(more).collect()
    }

    /// Returns it as JSON, for programs. No secret is in it but the link.
    pub fn json(&self) -> Value {
        let choices: Vec<&str> = self.choices.iter().map(|choice| choice.label.as_str()).collect();
        json!({
            "id": self.id, "why": self.why.name(), "title": self.title, "text": self.text,
            "choices": choices, "link": self.link, "asks": self.asks,
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
pub(super) mod tests;
