//! Whom an ask is for and what they said: `for` in any dialect's ask, and how it is told.

use std::borrow::Cow;
use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::audience::{Audience, Circle, Escalation, Group};
use askuser_core::hearing::Voice;
use askuser_core::id::UserId;
use askuser_core::outcome::Outcome;
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::Questions;
use askuser_words::Language;
use askuser_words::fault::{Wrong, unfit};
use askuser_words::prompt::People;
use serde_json::{Map, Value, json};

use super::ask::Reader;
use super::outcome;
use super::reading::wrong_type;
use super::terms::positive;

/// Reads `for`: a name, a list of names, or an object that says which is what.
pub(crate) fn read(value: &Value, problems: &mut Vec<Problem>) -> Option<Audience> {
    let circle = circle(value, "for", problems);
    let (mut quorum, mut escalation) = (1, None);
    if let Some(wanted) = field(value, "quorum") {
        let small = wanted.as_number().and_then(positive).and_then(|wanted| u32::try_from(wanted).ok());
        quorum = small.unwrap_or_else(|| {
            let fault = unfit(Wrong::not_positive);
            problems.push(Problem::new("for.quorum", fault));
            1
        });
    }
    if let Some(given) = field(value, "escalate") {
        escalation = escalate(given, problems);
    }
    if circle.is_empty() && problems.is_empty() {
        let fault = unfit(Wrong::nobody_named);
        problems.push(Problem::new("for", fault));
    }
    problems.is_empty().then_some(Audience { circle, quorum, escalation })
}

fn escalate(given: &Value, problems: &mut Vec<Problem>) -> Option<Escalation> {
    if !given.is_object() {
        problems.push(Problem::new("for.escalate", wrong_type("object", given)));
        return None;
    }
    let after = field(given, "afterMs").and_then(Value::as_number).and_then(positive);
    if after.is_none() {
        let fault = match field(given, "afterMs") {
            None => Fault::Missing,
            Some(_) => unfit(Wrong::not_positive),
        };
        problems.push(Problem::new("for.escalate.afterMs", fault));
    }
    let to = field(given, "to").map(|to| circle(to, "for.escalate.to", problems)).unwrap_or_default();
    if to.is_empty() {
        problems.push(Problem::new("for.escalate.to", unfit(Wrong::nobody)));
    }
    Some(Escalation { after: Duration::from_millis(after?), to })
}

fn circle(value: &Value, at: &str, problems: &mut Vec<Problem>) -> Circle {
    match value {
        Value::String(_) | Value::Array(_) => {
            Circle { named: names(value, at, problems), ..Circle::default() }
        }
        Value::Object(_) => {
            let mut listed = |key: &str| {
                field(value, key)
                    .map(|list| names(list, &format!("{at}.{key}"), problems))
                    .unwrap_or_default()
            };
            let people = listed("people").into_iter().map(UserId::new).collect();
            let groups = listed("groups").into_iter().map(|name| Group { name, members: Vec::new() });
            let groups = groups.collect();
            let anyone = match field(value, "anyone") {
                None => false,
                Some(Value::Bool(anyone)) => *anyone,
                Some(other) => {
                    problems.push(Problem::new(format!("{at}.anyone"), wrong_type("boolean", other)));
                    false
                }
            };
            Circle { people, groups, anyone, named: Vec::new() }
        }
        other => {
            problems.push(Problem::new(at, wrong_type("object", other)));
            Circle::default()
        }
    }
}

/// A name, or a list of names.
fn names(value: &Value, at: &str, problems: &mut Vec<Problem>) -> Vec<String> {
    if let Some(name) = value.as_str() {
        return vec![name.to_owned()];
    }
    let Some(list) = value.as_array() else {
        problems.push(Problem::new(at, wrong_type("array", value)));
        return Vec::new();
    };
    let mut names = Vec::new();
    for (idx, name) in list.iter().enumerate() {
        match name.as_str() {
            Some(name) => names.push(name.to_owned()),
            None => problems.push(Problem::new(format!("{at}[{idx}]"), wrong_type("string", name))),
        }
    }
    names
}

fn field<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    value.get(key).filter(|value| !value.is_null())
}

/// Writes whom an ask is for, as it can be sent back.
pub(crate) fn audience(audience: &Audience) -> Value {
    let mut written = circle_told(&audience.circle);
    written.insert("quorum".to_owned(), audience.quorum.into());
    if let Some(escalation) = &audience.escalation {
        let after = u64::try_from(escalation.after.as_millis()).unwrap_or(u64::MAX);
        let to = circle_told(&escalation.to);
        written.insert("escalate".to_owned(), json!({"afterMs": after, "to": to}));
    }
    Value::Object(written)
}

fn circle_told(circle: &Circle) -> Map<String, Value> {
    let mut told = Map::new();
    if !circle.people.is_empty() {
        told.insert("people".to_owned(), circle.people.iter().map(UserId::as_str).collect());
    }
    if !circle.groups.is_empty() {
        told.insert("groups".to_owned(), circle.groups.iter().map(|group| group.name.as_str()).collect());
    }
    if circle.anyone {
        told.insert("anyone".to_owned(), true.into());
    }
    told
}

/// Writes how far an ask for several people has come: who has spoken, who still has to. What they
/// said is told to people only; the asker learns it from the outcome, when enough have spoken.
pub(crate) fn progress(ask: &Ask, reader: Reader) -> Option<Value> {
    let audience = ask.terms.audience.as_ref()?;
    let voice = |voice: &Voice| match reader {
        Reader::Person => told(&ask.questions, voice, true),
        Reader::Asker => spoken(voice),
    };
    let still = ask.still_to_answer();
    let still = still.map(|people| people.into_iter().map(UserId::as_str).collect::<Vec<_>>());
    Some(json!({
        "wanted": audience.quorum,
        "answered": ask.hearing.n_answered(),
        "voices": ask.hearing.voices.iter().map(voice).collect::<Vec<_>>(),
        "still_to_answer": still,
        "escalated_at": ask.hearing.escalated_at.map(super::time::write),
    }))
}

/// How far an ask for several people has come, for a person to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// How many answers are wanted.
    pub wanted: u64,
    /// How many there are.
    pub answered: u64,
    /// Who said no.
    pub declined: Vec<String>,
    /// Who has not spoken; none where it is anyone's to answer.
    pub still: Option<Vec<String>>,
}

impl Progress {
    /// Returns how far an ask has come; none where it is its session owner's alone.
    pub fn of(ask: &Ask) -> Option<Self> {
        Self::read(progress(ask, Reader::Asker).as_ref())
    }

    /// Reads it off what is told of an ask.
    pub fn read(told: Option<&Value>) -> Option<Self> {
        let told = told.filter(|told| told.is_object())?;
        let count = |key: &str| told.get(key).and_then(Value::as_u64).unwrap_or(0);
        let names = |list: &Vec<Value>| list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        let voices = told.get("voices").and_then(Value::as_array).into_iter().flatten();
        let word = |voice: &Value, key: &str| voice.get(key).and_then(Value::as_str).map(str::to_owned);
        let noes = voices.filter(|voice| word(voice, "status").as_deref() == Some("declined"));
        Some(Self {
            wanted: count("wanted"),
            answered: count("answered"),
            declined: noes.filter_map(|voice| word(voice, "user")).collect(),
            still: told.get("still_to_answer").and_then(Value::as_array).map(names),
        })
    }

    /// Says it in one line: `2 answers wanted, 1 so far; waiting for bob`.
    pub fn line(&self, language: Language) -> String {
        self.line_to(None, language)
    }

    /// The same, to one of the people, who is not called by name.
    pub fn line_to(&self, reader: Option<&str>, language: Language) -> String {
        let is_reader = |name: &String| Some(name.as_str()) == reader;
        let said = People(language);
        let named = |names: &[String]| {
            // Whoever reads comes last, as one says it.
            let others = names.iter().filter(|name| !is_reader(name)).cloned();
            let own = names.iter().filter(|name| is_reader(name)).map(|_| said.you().to_owned());
            others.chain(own).collect::<Vec<String>>()
        };
        let still = self.still.as_deref().map_or_else(|| vec![said.anyone().to_owned()], named);
        if self.wanted <= 1 && self.declined.is_empty() {
            return said.only_for(joined(&still, Joined::Or, language));
        }
        let (answered, wanted) = (self.answered, self.wanted);
        let so_far = if answered == 0 { said.so_far_none().to_owned() } else { said.so_far(answered) };
        let mut line = said.wanted(wanted, so_far);
        if !self.declined.is_empty() {
            line.push_str(&said.declined(joined(&named(&self.declined), Joined::And, language)));
        }
        let missing = usize::try_from(wanted.saturating_sub(answered)).unwrap_or(usize::MAX);
        if self.still.is_none() || still.len() > missing {
            line.push_str(&said.can_answer(joined(&still, Joined::Or, language)));
        } else if !still.is_empty() {
            line.push_str(&said.waiting_for(joined(&still, Joined::And, language)));
        }
        line
    }
}

/// How names stand together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joined {
    /// Each of them.
    And,
    /// Any of them.
    Or,
}

/// Writes names as a list: `ann, bob or you`.
fn joined(names: &[String], how: Joined, language: Language) -> String {
    let comma = language.words().comma();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => {
            let (said, before) = (People(language), before.join(comma));
            if how == Joined::And { said.and(before, last) } else { said.or(before, last) }
        }
        _ => names.join(comma),
    }
}

/// That somebody has spoken, and how.
fn spoken(voice: &Voice) -> Value {
    json!({
        "user": voice.user.as_str(),
        "status": if voice.answers.is_some() { "answered" } else { "declined" },
        "channel": voice.by.channel.name(),
        "proof": voice.by.proof.name(),
        "at": super::time::write(voice.at),
    })
}

/// What somebody said.
pub(crate) fn told(questions: &Questions, voice: &Voice, hides_secrets: bool) -> Value {
    let mut written = spoken(voice);
    let answers = voice.answers.as_ref().map(|answers| {
        let shown =
            if hides_secrets { outcome::hidden_answers(questions, answers) } else { Cow::Borrowed(answers) };
        super::value(&outcome::answers(questions, &shown))
    });
    written["answers"] = answers.unwrap_or_else(|| json!([]));
    written["comment"] = json!(voice.comment);
    written
}

/// Writes what each person said, where several did: whatever the dialect, whoever wanted the answers
/// of several is told whether they agree.
pub(crate) fn add_voices(reply: &mut Value, questions: &Questions, outcome: &Outcome) {
    let (Some(fields), Some(agreed)) = (reply.as_object_mut(), outcome.agreed()) else { return };
    fields.insert("agreed".to_owned(), agreed.into());
    let voices = outcome.voices.iter().map(|voice| told(questions, voice, false)).collect();
    fields.insert("voices".to_owned(), Value::Array(voices));
}

/// Reads what each person said.
pub(crate) fn read_voices(value: Option<&Value>) -> Vec<Voice> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(outcome::read_voice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(value: &Value) -> Vec<String> {
        let mut problems = Vec::new();
        assert_eq!(read(value, &mut problems), None, "{value}");
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn whom_an_ask_is_for_reads_back_as_it_is_told() {
        let told = json!({
            "people": ["ann"], "groups": ["ops"], "quorum": 2,
            "escalate": {"afterMs": 600_000, "to": {"anyone": true}},
        });
        let read_back = read(&told, &mut Vec::new()).unwrap();
        assert_eq!(audience(&read_back), told);
        assert_eq!(read_back.escalation.unwrap().after, Duration::from_mins(10));
        let short = read(&json!(["ann", "ops"]), &mut Vec::new()).unwrap();
        assert_eq!((short.circle.named, short.quorum), (vec!["ann".to_owned(), "ops".to_owned()], 1));
        assert_eq!(read(&json!("ann"), &mut Vec::new()).unwrap().circle.named, ["ann"]);
    }

    #[test]
    fn how_far_it_has_come_is_said_in_one_line() {
        let mut told = json!({"wanted": 2, "answered": 1, "voices": [], "still_to_answer": ["bob", "cy"]});
        let check = |told: &Value, expected: &str, language| {
            assert_eq!(Progress::read(Some(told)).unwrap().line(language), expected);
        };
        check(&told, "2 answers wanted, 1 so far; bob or cy can answer", Language::English);
        check(&told, "需要 2 个回答，已有 1 个；可回答：bob、cy", Language::Chinese);
        told["voices"] = json!([{"user": "ann", "status": "declined"}]);
        told["still_to_answer"] = Value::Null;
        check(&told, "2 answers wanted, 1 so far; declined by ann; anyone can answer", Language::English);
        check(&json!({"wanted": 1, "still_to_answer": ["ann"]}), "for ann", Language::English);
        assert_eq!(Progress::read(Some(&Value::Null)), None);
    }

    #[test]
    fn three_who_can_answer_are_not_called_the_two_who_have_to() {
        let told = json!({"wanted": 2, "still_to_answer": ["local", "ann", "bob"]});
        let progress = Progress::read(Some(&told)).unwrap();
        let said = |language| progress.line_to(Some("local"), language);
        assert_eq!(said(Language::English), "2 answers wanted, none so far; ann, bob or you can answer");
        assert_eq!(said(Language::Chinese), "需要 2 个回答，还没有；可回答：ann、bob、你");
        let told = json!({"wanted": 2, "still_to_answer": ["ann", "bob"]});
        let both = Progress::read(Some(&told)).unwrap();
        assert_eq!(
            both.line_to(Some("ann"), Language::English),
            "2 answers wanted, none so far; waiting for bob and you"
        );
        assert_eq!(both.line(Language::Chinese), "需要 2 个回答，还没有；等待：ann、bob");
        let own = json!({"wanted": 1, "still_to_answer": ["ann"]});
        assert_eq!(Progress::read(Some(&own)).unwrap().line_to(Some("ann"), Language::English), "for you");
    }

    #[test]
    fn every_wrong_word_about_people_is_told() {
        assert_eq!(problems(&json!(7)), ["for: is a number, not an object"]);
        assert_eq!(problems(&json!({})), ["for: names nobody: give `people`, `groups` or `anyone`"]);
        assert_eq!(
            problems(
                &json!({"people": 3, "groups": [1], "anyone": "yes", "quorum": 0, "escalate": {"afterMs": "5"}})
            ),
            [
                "for.people: is a number, not an array",
                "for.groups[0]: is a number, not a string",
                "for.anyone: is a string, not a boolean",
                "for.quorum: is not a positive whole number",
                "for.escalate.afterMs: is not a positive whole number",
                "for.escalate.to: names nobody",
            ]
        );
        assert_eq!(
            problems(&json!({"anyone": true, "escalate": {"to": "bob"}})),
            ["for.escalate.afterMs: is missing"]
        );
    }
}
