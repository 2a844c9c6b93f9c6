//! Which keys come too soon to be meant.
//!
//! Whoever answers has what they answer before their eyes. A key that was on its way when something else
//! came up, that was pressed twice, or that is held down was meant for what stood there before: where it
//! would answer or open something, it does nothing. Moving and typing are never held up.
//! Pure: the time is handed in.

use std::time::Duration;

use askuser_core::time::Timestamp;

use super::keys::Key;

/// After a change that the person did not cause, as long as it takes to see it.
pub const AFTER_CHANGE: Duration = Duration::from_millis(400);
/// After their own answer, for which they know that another question comes.
pub const AFTER_ANSWER: Duration = Duration::from_millis(250);
/// A key that is held down comes again within this time.
const REPEATED: Duration = Duration::from_millis(150);
/// It comes again for the first time within this one: keyboards wait for up to a second.
const FIRST_REPEATED: Duration = Duration::from_secs(1);

/// What is to be done about a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// What it means.
    Meant,
    /// Nothing.
    TooSoon,
    /// What it means, unless the same key comes again at once: see [`Guard::due`].
    WaitAndSee,
}

/// Remembers what a person could have seen when they pressed a key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Guard {
    /// Until then no key answers or opens.
    until: Option<Timestamp>,
    last: Option<(Key, Timestamp)>,
    /// Whether the last key waits to be told from one that is held down.
    waits: bool,
}

impl Guard {
    /// Notes a change that the person did not cause.
    pub fn changed(&mut self, now: Timestamp) {
        self.rest(now, AFTER_CHANGE);
    }

    /// Notes that the person's own key brought up what they see now.
    pub fn answered(&mut self, now: Timestamp) {
        self.rest(now, AFTER_ANSWER);
    }

    fn rest(&mut self, now: Timestamp, wait: Duration) {
        let until = now.after(wait);
        self.until = Some(self.until.map_or(until, |had| had.max(until)));
        self.waits = false;
    }

    /// Takes a key in, and says whether it is meant; `acts` where it would answer or open something.
    pub fn hear(&mut self, key: &Key, acts: bool, now: Timestamp) -> Verdict {
        let before = self.last.replace((key.clone(), now));
        self.waits = false;
        if !acts {
            return Verdict::Meant;
        }
        let again = before.filter(|(same, _)| same == key).map(|(_, at)| now.since(at));
        // A clock that was set back must not hold keys up for longer.
        let rests = self.until.is_some_and(|until| until > now && until.since(now) <= AFTER_CHANGE);
        match again {
            _ if rests => Verdict::TooSoon,
            Some(gap) if gap < REPEATED => Verdict::TooSoon,
            Some(gap) if gap < FIRST_REPEATED => {
                self.waits = true;
                Verdict::WaitAndSee
            }
            _ => Verdict::Meant,
        }
    }

    /// Returns the key that waited and did not come again.
    pub fn due(&mut self, now: Timestamp) -> Option<Key> {
        let (key, at) = self.last.as_ref().filter(|_| self.waits)?;
        if now.since(*at) < REPEATED {
            return None;
        }
        self.waits = false;
        Some(key.clone())
    }

    /// Returns after how long [`Guard::due`] is to be asked.
    pub fn due_in(&self, now: Timestamp) -> Option<Duration> {
        let (_, at) = self.last.as_ref().filter(|_| self.waits)?;
        Some(at.after(REPEATED).since(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_800_000_000_000);

    fn at(ms: u64) -> Timestamp {
        NOW.after(Duration::from_millis(ms))
    }

    /// Presses Enter at these times; returns when one was meant.
    fn presses(guard: &mut Guard, times: impl IntoIterator<Item = u64>) -> Vec<u64> {
        let mut meant = Vec::new();
        for ms in times {
            if let Some(wait) = guard.due_in(at(0)).filter(|wait| at(0).after(*wait) <= at(ms)) {
                let due = at(0).after(wait);
                meant.extend(guard.due(due).map(|_| u64::try_from(wait.as_millis()).unwrap()));
            }
            if guard.hear(&Key::Enter, true, at(ms)) == Verdict::Meant {
                meant.push(ms);
            }
        }
        meant
    }

    #[test]
    fn a_key_within_400_ms_of_a_change_does_nothing() {
        let heard = |ms| {
            let mut guard = Guard::default();
            guard.changed(NOW);
            guard.hear(&Key::Enter, true, at(ms))
        };
        assert_eq!((heard(0), heard(399), heard(400)), (Verdict::TooSoon, Verdict::TooSoon, Verdict::Meant));
        let mut guard = Guard::default();
        guard.changed(NOW);
        assert_eq!(guard.hear(&Key::Down, false, at(1)), Verdict::Meant, "moving is never held up");
        // Whoever sets the clock back does not lose their keyboard for as long.
        assert_eq!(guard.hear(&Key::Enter, true, Timestamp(NOW.0 - 3_600_000)), Verdict::Meant);
    }

    #[test]
    fn after_their_own_answer_the_next_takes_another_key_after_250_ms() {
        let mut guard = Guard::default();
        guard.answered(NOW);
        assert_eq!(guard.hear(&Key::Char('1'), true, at(249)), Verdict::TooSoon);
        let mut guard = Guard::default();
        guard.answered(NOW);
        assert_eq!(guard.hear(&Key::Char('1'), true, at(250)), Verdict::Meant);
        // What happens by itself meanwhile counts for as long as it does.
        let mut guard = Guard::default();
        guard.changed(NOW);
        guard.answered(at(10));
        assert_eq!(guard.hear(&Key::Char('1'), true, at(399)), Verdict::TooSoon);
    }

    #[test]
    fn a_key_that_is_held_down_counts_once() {
        // As keyboards do it: a pause, then every few milliseconds, fast or slow ones.
        for (pause, every) in [(250, 30), (500, 33), (660, 40), (990, 92), (500, 140)] {
            let times = std::iter::once(0).chain((0..100).map(|n| pause + n * every));
            assert_eq!(presses(&mut Guard::default(), times), [0], "{pause} {every}");
        }
    }

    #[test]
    fn a_key_that_is_pressed_again_counts_a_moment_later() {
        assert_eq!(presses(&mut Guard::default(), [0, 300, 700, 2000]), [0, 450, 850, 2000]);
        let mut guard = Guard::default();
        guard.hear(&Key::Enter, true, at(0));
        assert_eq!(guard.hear(&Key::Enter, true, at(300)), Verdict::WaitAndSee);
        assert_eq!(guard.due_in(at(310)), Some(Duration::from_millis(140)));
        assert_eq!(guard.due(at(449)), None);
        assert_eq!((guard.due(at(450)), guard.due(at(460))), (Some(Key::Enter), None));
        // A change meanwhile takes it back: it was meant for what stood there before.
        guard.hear(&Key::Enter, true, at(800));
        guard.changed(at(810));
        assert_eq!((guard.due_in(at(811)), guard.due(at(2000))), (None, None));
    }
}
