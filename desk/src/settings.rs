//! What the program around the desk sets: what holds for every ask that says nothing else, and who is to be
//! told what (D16). It may change while the desk is open; asks that came in before keep what held then.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::asker::{TimeoutPolicy, Timing};
use askuser_core::limits::{DeskLimits, Limits};
use askuser_core::time::Timestamp;

use super::Desk;
use super::files::RulesByHand;
use super::observer::{Observed, Observer};
use super::people::Groups;
use super::web_push::PushRule;

/// All of it, behind one lock.
#[derive(Clone, Default)]
pub struct Settings {
    /// What holds for asks that say nothing else.
    pub defaults: Defaults,
    /// Groups of people that an ask may be for.
    pub groups: Groups,
    /// Which browsers may be told.
    pub push: PushRule,
    /// What everybody who looks at the desk should know.
    pub notices: Vec<Notice>,
    /// Who is told what people see.
    pub observer: Option<Observer>,
    /// The rules that were written by hand, before the first ask.
    pub rules_by_hand: Option<RulesByHand>,
    /// Which of several servers this one is: each has its own files. Before the first file is noted.
    pub server: String,
}

/// What holds for every ask that says nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Defaults {
    /// When an ask ends that says nothing about it; never where none is set (P13).
    pub timeout: Option<Duration>,
    /// What happens then, where the ask does not say (O6).
    pub policy: Option<TimeoutPolicy>,
    /// Characters that a person may type into one field.
    pub text_chars_max: usize,
    /// Whether those may be control characters too.
    pub any_characters: bool,
    /// How long an answer by one press can be taken back; not at all where this is nothing.
    pub undo_for: Duration,
    /// Whether answers of agents' own dialogs are taken.
    pub agent_dialog: bool,
}

impl Default for Defaults {
    fn default() -> Self {
        let text_chars_max = Limits::COMMAND.text_chars_max;
        Self {
            timeout: None,
            policy: None,
            text_chars_max,
            any_characters: false,
            undo_for: Duration::ZERO,
            agent_dialog: false,
        }
    }
}

impl Defaults {
    /// Returns what holds for asks that say nothing of their deadline, and whose session says nothing.
    pub(super) fn timing(self) -> Timing {
        Timing { timeout: self.timeout, policy: self.policy }
    }
}

/// An alert that fires now (D17).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What the alert is called.
    pub alert: String,
    /// Since when it fires.
    pub since: Timestamp,
}

impl Desk {
    /// Returns what is set now.
    pub fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.0.settings.read())
    }

    /// Changes what is set, for asks from now on.
    pub fn configure(&self, change: impl FnOnce(&mut Settings)) {
        let (before, now) = {
            let mut settings = self.0.settings.write();
            let before = settings.defaults;
            change(Arc::make_mut(&mut settings));
            (before, settings.defaults)
        };
        if now.agent_dialog && !before.agent_dialog {
            self.observe(|| Observed::DialogSwitchedOn);
        }
    }

    /// Returns what holds for asks that say nothing else.
    pub fn defaults(&self) -> Defaults {
        self.0.settings.read().defaults
    }

    /// Sets other limits, from now on. False where the store cannot while it is open.
    pub fn set_limits(&self, limits: DeskLimits) -> bool {
        self.0.store.set_limits(limits)
    }
}
