//! Made-up asks that ended, and what they say together.

use std::sync::Arc;

use super::*;
use crate::ask::State;
use crate::asker::Asker;
use crate::draft::{Draft, DraftChoice, DraftKind, DraftQuestion, Given};
use crate::entry::Entry;
use crate::id::{AskId, SessionId};
use crate::limits::Limits;
use crate::outcome::{By, Channel, Proof};
use crate::question::Questions;
use crate::sheet::Sheet;

/// One question with these choices, whose labels are their ids in capitals.
pub(crate) fn questions_of(text: &str, header: Option<&str>, ids: &[&str]) -> Arc<Questions> {
    let choice = |id: &str| DraftChoice {
        id: Given::Value(id.to_owned()),
        label: Given::Value(id.to_uppercase()),
        ..DraftChoice::default()
    };
    let question = DraftQuestion {
        at: "questions[0]".to_owned(),
        id: Given::Value("q".to_owned()),
        text: Given::Value(text.to_owned()),
        header: header.map_or(Given::Missing, |header| Given::Value(header.to_owned())),
        kind: Given::Value(DraftKind::OneOf),
        choices: Given::Value(ids.iter().map(|id| choice(id)).collect()),
        ..DraftQuestion::default()
    };
    let list = Given::Value(vec![question]);
    let draft = Draft { at: "questions".to_owned(), questions: list, ..Draft::default() };
    Arc::new(draft.check(&Limits::FORM).unwrap())
}

/// An ask that a person ended by picking a choice.
pub(crate) fn picked(id: u128, user: &str, text: &str, choice: &str, at: Timestamp) -> Ask {
    let ids = if matches!(choice, "a" | "b") { ["a", "b"] } else { [choice, "other"] };
    let questions = questions_of(text, None, &ids);
    let entry = Entry { picked: vec![choice.into()], ..Entry::default() };
    let sheet = Sheet::filled(Arc::clone(&questions), [("q".into(), entry)]).unwrap();
    let by = By::new(Some(user.into()), Channel::Web, Proof::Cookie);
    let ending = Ending::Answered(AnsweredBy::Person);
    let outcome =
        Outcome { ending, by, at, comment: None, answers: sheet.answers_so_far(), voices: Vec::new() };
    Ask {
        state: State::Closed(Arc::new(outcome)),
        ..Ask::new(AskId(id), SessionId(1), user.into(), questions, Arc::default(), at)
    }
}

fn ended(agent: &str, text: &str, ending: Ending, at: Timestamp, took: Duration) -> Ask {
    let mut ask = picked(1, "ann", text, "a", at);
    Arc::make_mut(&mut ask.terms).asker = Asker { agent: Some(agent.to_owned()), ..Asker::default() };
    ask.asked_at = Timestamp(at.0 - i64::try_from(took.as_millis()).unwrap());
    if let State::Closed(outcome) = &mut ask.state {
        Arc::make_mut(outcome).ending = ending;
    }
    ask
}

/// D19: what is counted is what was there.
#[test]
fn d19_ended_asks_are_counted_by_day_time_agent_and_ending() {
    let person = Ending::Answered(AnsweredBy::Person);
    let rule = Ending::Answered(AnsweredBy::Rule);
    let day = |n: i64| Timestamp(n * DAY_MS);
    let mut asks = Vec::new();
    for (n, (agent, text, ending, took_s)) in [
        ("codex", "Ship it?", person, 3),
        ("codex", "Ship it?", person, 10),
        ("codex", "Ship it?", Ending::Declined, 50),
        ("claude-code", "Which one?", rule, 0),
        ("claude-code", "Which one?", Ending::Withdrawn, 7000),
    ]
    .into_iter()
    .enumerate()
    {
        let at = day(100).after(Duration::from_secs(n as u64));
        asks.push(ended(agent, text, ending, at, Duration::from_secs(took_s)));
    }
    // Long ago, and from the future: counted, on no day.
    asks.push(ended("codex", "Old?", person, day(10), Duration::from_hours(20)));
    asks.push(ended("codex", "Odd?", person, day(101), Duration::from_secs(1)));
    let source = |terms: &Terms| terms.asker.agent.clone().filter(|agent| agent == "codex");
    let insight = Insight::of(&asks, day(100).after(Duration::from_hours(1)), 0, source);
    assert_eq!(insight.all, Tally { answered: 4, by_itself: 1, cancelled: 1, withdrawn: 1, timed_out: 0 });
    assert_eq!(insight.days.len(), DAYS);
    assert_eq!(insight.days.last().map(|(at, tally)| (*at, tally.all())), Some((day(100), 5)));
    assert_eq!(insight.days.iter().map(|(_, tally)| tally.all()).sum::<usize>(), 5);
    assert_eq!(insight.took, [2, 1, 1, 0, 0, 0, 0, 1]);
    assert_eq!(insight.median, Some(Duration::from_secs(10)));
    assert_eq!(insight.p90, Some(Duration::from_hours(20)));
    assert_eq!(insight.agents[0].0.as_deref(), Some("codex"));
    let by_source: Vec<_> =
        insight.sources.iter().map(|(name, tally)| (name.as_str(), tally.all())).collect();
    assert_eq!(by_source, [("codex", 5)], "those that say nothing are not counted (E4)");
    assert_eq!(insight.most_asked[0], ("Ship it?".to_owned(), 3));
    assert_eq!(insight.most_cancelled, [("Ship it?".to_owned(), 1)]);
    assert_eq!(insight.since, Some(day(10)));
    assert_eq!(Insight::of(&[], day(1), 0, |_| None).median, None);
    // In New York all of it was the day before.
    let there = Insight::of(&asks, day(100).after(Duration::from_hours(1)), -300, |_| None);
    assert_eq!(there.days.last().map(|(at, tally)| (*at, tally.all())), Some((day(99), 5)));
}
