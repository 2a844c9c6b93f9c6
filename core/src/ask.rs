//! One call by an agent, from its acceptance to its end and beyond.
//!
//! The states and their moves are those of one question's life (D4): `pending`, `showing`, one of
//! the three closed ones, `processing`, `completed` or `error`. An ask is closed exactly when it
//! has an outcome.

use std::sync::Arc;

use crate::answer::Answers;
use crate::asker::Terms;
use crate::entry::Entry;
use crate::hearing::Hearing;
use crate::id::{AskId, KeyId, QuestionId, SessionId, UserId};
use crate::outcome::{By, Outcome};
use crate::question::Questions;
use crate::sheet::Sheet;
use crate::time::Timestamp;

#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    pub id: AskId,
    /// The conversation that it belongs to.
    pub session: SessionId,
    /// The name that the caller gave to it, where it gave one.
    pub session_name: Option<Arc<str>>,
    /// The user whose agent asks. It is theirs to see and, unless it is for others, to answer.
    pub owner: UserId,
    /// The API key that asked; none where the desk itself did, or before keys were kept.
    pub asked_by: Option<KeyId>,
    /// Its number in the session, from 1.
    pub round: u32,
    /// How many rounds build on one another up to this one (P3).
    pub depth: u32,
    /// What is asked.
    pub questions: Arc<Questions>,
    /// Who asks and under which terms.
    pub terms: Arc<Terms>,
    /// Tells equal contents: a digest of what was asked, handed in.
    pub fingerprint: Fingerprint,
    /// When it was accepted.
    pub asked_at: Timestamp,
    /// When it ends by itself. Runs from acceptance, also while pending.
    pub deadline: Option<Timestamp>,
    /// What was put down so far.
    pub entries: Vec<(QuestionId, Entry)>,
    /// Questions answered one at a time so far (P8).
    pub submitted: Vec<QuestionId>,
    /// What the people have said and put down whom it is for, where it is for others.
    pub hearing: Hearing,
    /// Where it stands.
    pub state: State,
    /// An answer that came after the deadline and was kept.
    pub late: Option<(Answers, By)>,
    /// The timed-out or cancelled ask that this one asks anew (P13).
    pub reopens: Option<AskId>,
    /// The ask that asked this one anew last.
    pub reopened_as: Option<AskId>,
}

/// A digest of an ask's content.
pub type Fingerprint = [u8; 16];

/// Where an ask stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Stored; waits for a slot or for the answer that it depends on.
    Pending,
    /// On the channels.
    Showing,
    /// Ended; the asker has not been told yet.
    Closed(Arc<Outcome>),
    /// The outcome was handed to the asker.
    Processing(Arc<Outcome>),
    /// The asker went on.
    Completed(Arc<Outcome>),
    /// The outcome could never be handed over.
    Error(Arc<Outcome>),
}

impl State {
    /// Returns its word on the wire.
    pub fn status(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Showing => "showing",
            Self::Closed(outcome) => outcome.status(),
            Self::Processing(_) => "processing",
            Self::Completed(_) => "completed",
            Self::Error(_) => "error",
        }
    }

    /// Returns how the ask ended, once it has: the only test of closed.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            Self::Pending | Self::Showing => None,
            Self::Closed(outcome)
            | Self::Processing(outcome)
            | Self::Completed(outcome)
            | Self::Error(outcome) => Some(outcome),
        }
    }

    /// Whether the life of a question allows this move (D4). An outcome never changes on the way.
    pub fn may_become(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Pending, Self::Showing | Self::Closed(_)) | (Self::Showing, Self::Closed(_)) => true,
            (Self::Closed(had), Self::Processing(has) | Self::Error(has))
            | (Self::Processing(had), Self::Completed(has) | Self::Error(has)) => had == has,
            _ => false,
        }
    }
}

impl Ask {
    /// An ask as it comes in: the first round of its session, before anybody has seen it.
    pub fn new(
        id: AskId,
        session: SessionId,
        owner: UserId,
        questions: Arc<Questions>,
        terms: Arc<Terms>,
        asked_at: Timestamp,
    ) -> Self {
        Self {
            id,
            session,
            session_name: None,
            owner,
            asked_by: None,
            round: 1,
            depth: 1,
            questions,
            terms,
            fingerprint: Fingerprint::default(),
            asked_at,
            deadline: None,
            entries: Vec::new(),
            submitted: Vec::new(),
            hearing: Hearing::default(),
            state: State::Pending,
            late: None,
            reopens: None,
            reopened_as: None,
        }
    }

    /// Whether nobody has ended it yet.
    pub fn is_open(&self) -> bool {
        self.state.outcome().is_none()
    }

    /// Notes that its outcome could never be handed over.
    pub(crate) fn give_up(&mut self) {
        if let State::Closed(outcome) | State::Processing(outcome) = &self.state {
            self.state = State::Error(outcome.clone());
        }
    }

    /// Returns how it ended, where that is without an answer to this question.
    pub fn ended_without(&self, question: &QuestionId) -> Option<&Outcome> {
        let outcome = self.state.outcome()?;
        (outcome.status() != "answered" && !self.submitted.contains(question)).then_some(outcome)
    }

    /// Whether it had ended by then.
    pub fn has_ended_by(&self, moment: Timestamp) -> bool {
        self.state.outcome().is_some_and(|outcome| outcome.at <= moment)
    }

    /// Whether it has a question of this id, follow-ups included.
    pub fn has(&self, question: &QuestionId) -> bool {
        self.questions.has(question)
    }

    /// Returns its sheet as it was last saved; the asker's suggestions where it never was.
    pub fn sheet(&self) -> Sheet {
        if self.entries.is_empty() {
            return Sheet::suggested(Arc::clone(&self.questions));
        }
        self.filled(&self.entries)
    }

    /// Returns what was put down and nothing else: suggestions are not answers. Of an ask for several
    /// people that is nothing, because what one of them has typed is not what they have to say.
    pub(crate) fn put_down(&self) -> Sheet {
        let is_one_persons = match &self.terms.audience {
            None => true,
            Some(audience) => audience.everybody().is_some_and(|everybody| everybody.len() == 1),
        };
        let own = self.hearing.sheets.first().map_or(&self.entries, |sheet| &sheet.entries);
        self.filled(if is_one_persons { own } else { &[] })
    }

    /// Returns what was answered for good and nothing else: what somebody has only typed is theirs.
    pub fn sheet_for_good(&self) -> Sheet {
        let entries: Vec<_> = self.answered_for_good().cloned().collect();
        self.filled(&entries)
    }

    /// Returns what was answered for good, one question at a time.
    pub(crate) fn answered_for_good(&self) -> impl Iterator<Item = &(QuestionId, Entry)> {
        self.entries.iter().filter(|(id, _)| self.submitted.contains(id))
    }

    fn filled(&self, entries: &[(QuestionId, Entry)]) -> Sheet {
        Sheet::filled(Arc::clone(&self.questions), entries.iter().cloned())
            .unwrap_or_else(|_| Sheet::blank(Arc::clone(&self.questions)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Ending;

    fn outcome(ending: Ending) -> Arc<Outcome> {
        let by = By::server();
        Arc::new(Outcome {
            ending,
            by,
            at: Timestamp(0),
            comment: None,
            answers: Answers::default(),
            voices: Vec::new(),
        })
    }

    #[test]
    fn d4_a_question_lives_one_life_and_no_other() {
        let (one, other) = (outcome(Ending::Declined), outcome(Ending::Withdrawn));
        let states = [
            State::Pending,
            State::Showing,
            State::Closed(one.clone()),
            State::Processing(one.clone()),
            State::Completed(one.clone()),
            State::Error(one.clone()),
            State::Processing(other),
        ];
        let mut moves = Vec::new();
        for (from_idx, from) in states.iter().enumerate() {
            for (to_idx, to) in states.iter().enumerate() {
                if from.may_become(to) {
                    moves.push((from_idx, to_idx));
                }
            }
        }
        // Never back, never twice, never from one outcome to another.
        assert_eq!(moves, [(0, 1), (0, 2), (1, 2), (2, 3), (2, 5), (3, 4), (3, 5)]);
        assert_eq!(states.iter().filter(|state| state.outcome().is_none()).count(), 2);
        assert_eq!(states[2].status(), "cancelled");
        assert_eq!(states[3].status(), "processing");
    }
}
