//! Exit codes: a public contract, in one place.

use std::process::ExitCode;

use askuser_core::outcome::{Ending, Outcome};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Answered, or done.
    Answered,
    /// Something on our side failed; for `AskUserQuestion` also wrong input.
    Failed,
    /// The input was wrong.
    WrongInput,
    /// The person said no.
    Declined,
    /// The asker took it back.
    Withdrawn,
    /// Still open.
    StillOpen,
    /// Nobody is there to ask.
    NobodyThere,
    /// The person answered no, and the exit code was to say so. Far from every failure: none may read as a no.
    SaidNo,
    /// The deadline passed, as `timeout(1)` says it.
    TimedOut,
    /// Ctrl-C or a signal.
    Interrupted,
}

impl Exit {
    /// Returns the code.
    pub fn code(self) -> u8 {
        match self {
            Self::Answered => 0,
            Self::Failed => 1,
            Self::WrongInput => 2,
            Self::Declined => 3,
            Self::Withdrawn => 4,
            Self::StillOpen => 5,
            Self::NobodyThere => 6,
            Self::SaidNo => 10,
            Self::TimedOut => 124,
            Self::Interrupted => 130,
        }
    }
}

impl From<&Outcome> for Exit {
    fn from(outcome: &Outcome) -> Self {
        match outcome.ending {
            Ending::Answered(_) => Self::Answered,
            Ending::Declined => Self::Declined,
            Ending::Withdrawn => Self::Withdrawn,
            Ending::Expired { .. } => Self::TimedOut,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_a_contract() {
        let codes = [
            Exit::Answered,
            Exit::Failed,
            Exit::WrongInput,
            Exit::Declined,
            Exit::Withdrawn,
            Exit::StillOpen,
            Exit::NobodyThere,
            Exit::SaidNo,
            Exit::TimedOut,
            Exit::Interrupted,
        ];
        assert_eq!(codes.map(Exit::code), [0, 1, 2, 3, 4, 5, 6, 10, 124, 130]);
    }
}
