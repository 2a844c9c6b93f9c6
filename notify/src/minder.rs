//! Decides who is nudged of what, and when. Pure: the time is handed in, and what a person looks at.
//!
//! One nudge an ask; later ones only by the person's own rule. None while they look at it, none in
//! their quiet hours, and many at once are told of in one.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use askuser_core::id::AskId;
use askuser_core::time::Timestamp;

use askuser_config::{PersonPart, Quiet};

/// What comes in so short a time after one another is looked at together.
pub(super) const GATHER: Duration = Duration::from_millis(250);
const MINUTE_MS: i64 = 60_000;
const DAY_MINUTES: i64 = 24 * 60;

/// Why a person is nudged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// An agent asks.
    New,
    /// Nobody has answered yet.
    Reminder,
    /// Nobody has answered yet, so others are told.
    Escalation,
    /// Somebody tries whether it works.
    Test,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Deed {
    /// Nudge: of one ask, or of several in one.
    Nudge {
        why: Why,
        /// The asks, each with its step.
        asks: Vec<(AskId, u32)>,
    },
    /// The person looks at it anyway: this step is over.
    Seen(AskId, u32),
}

/// One open ask, as far as it must be minded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Minded {
    since: Timestamp,
    /// The step that comes next.
    step: usize,
}

/// What one person has to be told.
#[derive(Debug, Default)]
pub(super) struct Minder {
    open: BTreeMap<AskId, Minded>,
    new: Pace,
    reminders: Pace,
    escalations: Pace,
}

/// How often a person was told lately.
#[derive(Debug, Default)]
struct Pace {
    /// When they were told of one ask.
    singles: VecDeque<Timestamp>,
    /// When they were last told of several in one.
    several_at: Option<Timestamp>,
}

impl Pace {
    /// Says in which portions these may be told now: one by one while they are few, else in one; or when
    /// to look again, where that is too soon.
    fn portions(
        &mut self,
        rule: &PersonPart,
        now: Timestamp,
        asks: Vec<(AskId, u32)>,
    ) -> Result<Vec<Vec<(AskId, u32)>>, Timestamp> {
        let lately = |at: &Timestamp| now.since(*at) < rule.every;
        self.singles.retain(lately);
        if let Some(at) = self.several_at.filter(lately) {
            return Err(at.after(rule.every));
        }
        if self.singles.len() + asks.len() <= rule.single_max {
            self.singles.extend(asks.iter().map(|_| now));
            return Ok(asks.into_iter().map(|one| vec![one]).collect());
        }
        self.several_at = Some(now);
        Ok(vec![asks])
    }
}

/// The moments at which something is told of an ask, counted from when it came.
fn moments(rule: &PersonPart) -> Vec<(Duration, Why)> {
    let reminders = rule.remind.iter().map(|after| (*after, Why::Reminder));
    let escalation = rule.escalate.iter().map(|escalate| (escalate.after, Why::Escalation));
    let mut later: Vec<_> = reminders.chain(escalation).collect();
    later.sort_by_key(|(after, _)| *after);
    let mut all = vec![(rule.wait + GATHER, Why::New)];
    all.extend(later);
    all
}

/// When quiet hours end, where it is within them now.
pub(super) fn quiet_until(rule: &PersonPart, now: Timestamp) -> Option<Timestamp> {
    let Quiet { from, to } = rule.quiet?;
    let (from, to) = (i64::from(from), i64::from(to));
    let local = now.0.div_euclid(MINUTE_MS) + rule.utc_offset.0;
    let minute = local.rem_euclid(DAY_MINUTES);
    let length = (to - from).rem_euclid(DAY_MINUTES);
    let gone = (minute - from).rem_euclid(DAY_MINUTES);
    let begun = now.0.div_euclid(MINUTE_MS) * MINUTE_MS;
    (gone < length).then(|| Timestamp(begun + (length - gone) * MINUTE_MS))
}

impl Minder {
    /// Notes an ask that is open since then; `done` is the last step that is behind it.
    pub(super) fn opened(&mut self, ask: AskId, since: Timestamp, done: Option<u32>) {
        let step = done.map_or(0, |done| done as usize + 1);
        self.open.entry(ask).or_insert(Minded { since, step });
    }

    /// Forgets an ask. True where something was told of it, as far as is known here.
    pub(super) fn closed(&mut self, ask: AskId) -> bool {
        self.open.remove(&ask).is_some_and(|minded| minded.step > 0)
    }

    /// Whether nothing is open.
    pub(super) fn is_idle(&self) -> bool {
        self.open.is_empty()
    }

    /// Looks at everything that is open: says what is to be done now, and when to look again.
    pub(super) fn look(
        &mut self,
        rule: &PersonPart,
        now: Timestamp,
        is_looked_at: impl Fn(AskId) -> bool,
    ) -> (Vec<Deed>, Option<Timestamp>) {
        let moments = moments(rule);
        let mut deeds = Vec::new();
        if let Some(until) = quiet_until(rule, now) {
            return (deeds, self.first_due(&moments).map(|due| due.max(until)));
        }
        // What is due a moment later comes along: a burst is told of in one.
        let soon = now.after(GATHER);
        match self.first_due(&moments) {
            Some(due) if due <= now => {}
            later => return (deeds, later),
        }
        let (mut new, mut reminders, mut escalations) = (Vec::new(), Vec::new(), Vec::new());
        for (ask, minded) in &mut self.open {
            let n_due = moments.iter().filter(|(after, _)| minded.since.after(*after) <= soon).count();
            if n_due <= minded.step {
                continue;
            }
            let step = u32::try_from(n_due - 1).unwrap_or(u32::MAX);
            // Whoever was told nothing yet is told that it is new, however late.
            let why = if minded.step == 0 {
                Why::New
            } else {
                moments.get(n_due - 1).map_or(Why::New, |(_, why)| *why)
            };
            if why != Why::Escalation && is_looked_at(*ask) {
                minded.step = n_due;
                deeds.push(Deed::Seen(*ask, step));
                continue;
            }
            match why {
                Why::New | Why::Test => new.push((*ask, step)),
                Why::Reminder => reminders.push((*ask, step)),
                Why::Escalation => escalations.push((*ask, step)),
            }
        }
        let mut held = None;
        for (why, asks) in [(Why::New, new), (Why::Reminder, reminders), (Why::Escalation, escalations)] {
            match self.nudge(rule, now, why, asks) {
                Ok(told) => deeds.extend(told),
                Err(later) => held = held.into_iter().chain([later]).min(),
            }
        }
        // Whatever is due by now and still open is held back.
        let next = self.dues(&moments).filter(|due| *due > soon).min();
        (deeds, held.into_iter().chain(next).min())
    }

    /// Tells of these, or says when to look again.
    fn nudge(
        &mut self,
        rule: &PersonPart,
        now: Timestamp,
        why: Why,
        asks: Vec<(AskId, u32)>,
    ) -> Result<Vec<Deed>, Timestamp> {
        if asks.is_empty() {
            return Ok(Vec::new());
        }
        let pace = match why {
            Why::New | Why::Test => &mut self.new,
            Why::Reminder => &mut self.reminders,
            Why::Escalation => &mut self.escalations,
        };
        let portions = pace.portions(rule, now, asks)?;
        for (ask, step) in portions.iter().flatten() {
            if let Some(minded) = self.open.get_mut(ask) {
                minded.step = *step as usize + 1;
            }
        }
        Ok(portions.into_iter().map(|asks| Deed::Nudge { why, asks }).collect())
    }

    fn first_due(&self, moments: &[(Duration, Why)]) -> Option<Timestamp> {
        self.dues(moments).min()
    }

    /// When the next thing is due for each ask.
    fn dues(&self, moments: &[(Duration, Why)]) -> impl Iterator<Item = Timestamp> {
        self.open
            .values()
            .filter_map(|minded| moments.get(minded.step).map(|(after, _)| minded.since.after(*after)))
    }
}

#[cfg(test)]
mod tests;
