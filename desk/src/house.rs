//! What holds at this desk for every ask that says nothing else (D16). It may change while the desk
//! is open; asks that came in before keep what held then.

use std::time::Duration;

use askuser_core::asker::{TimeoutPolicy, Timing};
use askuser_core::limits::{DeskLimits, Limits};

use super::Desk;
use super::viewing::Sight;

/// The rules of the house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct House {
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

impl Default for House {
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

impl House {
    /// Returns what holds for asks that say nothing of their deadline, and whose session says nothing.
    pub(super) fn timing(self) -> Timing {
        Timing { timeout: self.timeout, policy: self.policy }
    }
}

impl Desk {
    /// Returns the rules of the house.
    pub fn house(&self) -> House {
        *self.0.house.read()
    }

    /// Sets other ones, for asks from now on.
    pub fn set_house(&self, house: House) {
        let before = std::mem::replace(&mut *self.0.house.write(), house);
        if house.agent_dialog && !before.agent_dialog {
            self.sees(|| Sight::DialogSwitchedOn);
        }
    }

    /// Sets other limits, from now on. False where the store cannot while it is open.
    pub fn set_limits(&self, limits: DeskLimits) -> bool {
        self.0.store.set_limits(limits)
    }
}
