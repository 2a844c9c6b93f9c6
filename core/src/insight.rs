//! What a person's ended asks say together: how many, how fast, by whom, and how they ended (D19).

use std::collections::BTreeMap;
use std::time::Duration;

use crate::ask::Ask;
use crate::asker::Terms;
use crate::outcome::{AnsweredBy, Ending, Outcome};
use crate::time::Timestamp;

/// Days that are told one by one.
pub const DAYS: usize = 30;
/// Lines of a list of the most.
pub const MOST: usize = 10;
/// Where one part of the response times ends and the next begins; the last part is open.
pub const BOUNDS: [Duration; 7] = [
    Duration::from_secs(5),
    Duration::from_secs(15),
    Duration::from_mins(1),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(12),
];
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// How asks ended, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Answered by the person, or in the agent's own dialog.
    pub answered: usize,
    /// Answered by a rule or a default.
    pub by_itself: usize,
    /// Declined by the person.
    pub cancelled: usize,
    pub withdrawn: usize,
    /// Their time ran out.
    pub timed_out: usize,
}

/// Everything together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Insight {
    /// How they ended.
    pub all: Tally,
    /// The last days, the oldest first: when each began by the clock of its zone, and how the asks of it ended.
    pub days: Vec<(Timestamp, Tally)>,
    /// How many were answered or declined within each of [`BOUNDS`], and after the last.
    pub took: [usize; BOUNDS.len() + 1],
    /// Half took no longer.
    pub median: Option<Duration>,
    /// Nine in ten took no longer.
    pub p90: Option<Duration>,
    /// By agent, the busiest first.
    pub agents: Vec<(Option<String>, Tally)>,
    /// By what the askers say they come from, the busiest first; those that say nothing are not in it (E4).
    pub sources: Vec<(String, Tally)>,
    /// What was asked most often, in the words of its first question.
    pub most_asked: Vec<(String, usize)>,
    /// What was declined most often.
    pub most_cancelled: Vec<(String, usize)>,
    /// The earliest that was counted.
    pub since: Option<Timestamp>,
}

impl Tally {
    /// Returns how many there are.
    pub fn all(self) -> usize {
        self.answered + self.by_itself + self.cancelled + self.withdrawn + self.timed_out
    }

    fn count(&mut self, outcome: &Outcome) {
        *match outcome.ending {
            Ending::Answered(AnsweredBy::Person | AnsweredBy::AgentDialog) => &mut self.answered,
            Ending::Answered(AnsweredBy::Default | AnsweredBy::Rule | AnsweredBy::Collected) => {
                &mut self.by_itself
            }
            Ending::Declined => &mut self.cancelled,
            Ending::Withdrawn => &mut self.withdrawn,
            Ending::Expired { .. } => &mut self.timed_out,
        } += 1;
    }
}

impl Insight {
    /// Counts the asks that ended, by days of a zone that is so many minutes east of UTC; `source` reads what an asker
    /// says it comes from.
    pub fn of<'a>(
        asks: impl IntoIterator<Item = &'a Ask>,
        now: Timestamp,
        minutes_east: i32,
        source: impl Fn(&Terms) -> Option<String>,
    ) -> Self {
        let day_of = |at: Timestamp| (at.0 + i64::from(minutes_east) * 60_000).div_euclid(DAY_MS);
        let today = day_of(now);
        let first = today - i64::try_from(DAYS).unwrap_or(i64::MAX) + 1;
        let days = (first..=today).map(|day| (Timestamp(day * DAY_MS), Tally::default()));
        let mut insight = Self { days: days.collect(), ..Self::default() };
        let (mut times, mut agents, mut sources) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        let (mut asked, mut cancelled) = (BTreeMap::new(), BTreeMap::new());
        for ask in asks {
            let Some(outcome) = ask.state.outcome() else { continue };
            insight.all.count(outcome);
            let day = usize::try_from(day_of(outcome.at) - first).ok();
            if let Some((_, tally)) = day.and_then(|day| insight.days.get_mut(day)) {
                tally.count(outcome);
            }
            let agent: &mut Tally = agents.entry(ask.terms.asker.agent.clone()).or_default();
            agent.count(outcome);
            if let Some(source) = source(&ask.terms) {
                let tally: &mut Tally = sources.entry(source).or_default();
                tally.count(outcome);
            }
            let text = ask.questions.top().first().map_or("", |question| question.text.as_str());
            *asked.entry(text.to_owned()).or_insert(0) += 1;
            if outcome.ending == Ending::Declined {
                *cancelled.entry(text.to_owned()).or_insert(0) += 1;
            }
            if matches!(outcome.ending, Ending::Answered(AnsweredBy::Person) | Ending::Declined) {
                times.push(outcome.at.since(ask.asked_at));
            }
            insight.since = Some(insight.since.map_or(outcome.at, |since| since.min(outcome.at)));
        }
        insight.measure(times);
        insight.agents = busiest(agents);
        insight.sources = busiest(sources);
        insight.most_asked = most(asked);
        insight.most_cancelled = most(cancelled);
        insight
    }

    fn measure(&mut self, mut times: Vec<Duration>) {
        times.sort_unstable();
        for time in &times {
            let part = BOUNDS.iter().position(|bound| time <= bound).unwrap_or(BOUNDS.len());
            if let Some(count) = self.took.get_mut(part) {
                *count += 1;
            }
        }
        let at = |tenths: usize| times.get((times.len() * tenths).div_ceil(10).saturating_sub(1)).copied();
        (self.median, self.p90) = (at(5), at(9));
    }
}

/// The busiest first.
fn busiest<Name>(counted: BTreeMap<Name, Tally>) -> Vec<(Name, Tally)> {
    let mut busiest: Vec<_> = counted.into_iter().collect();
    busiest.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.all()));
    busiest.truncate(MOST);
    busiest
}

/// The most frequent first, those of the same count in the order of their words.
fn most(counted: BTreeMap<String, usize>) -> Vec<(String, usize)> {
    let mut most: Vec<(String, usize)> = counted.into_iter().collect();
    most.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    most.truncate(MOST);
    most
}

#[cfg(test)]
pub(crate) mod tests;
