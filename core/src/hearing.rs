//! What the people have said whom an ask is for: one voice each, and the sheets they are filling.
//!
//! An ask for several people ends when as many have answered as it wants, or when that many no
//! longer can. Nobody is counted twice, and nobody's answer is made up from those of others.

use crate::answer::{Answer, Answers};
use crate::ask::Ask;
use crate::entry::Entry;
use crate::id::{QuestionId, UserId};
use crate::outcome::By;
use crate::time::Timestamp;

/// What has been said and put down so far. Where an ask is its session owner's alone, only what they hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hearing {
    /// What each person said, in order; one voice a person.
    pub voices: Vec<Voice>,
    /// Answers given by one press that can still be taken back; one a person.
    pub held: Vec<Held>,
    /// What each person is putting down. Nobody sees another's.
    pub sheets: Vec<OwnSheet>,
    /// When others were shown the ask as well.
    pub escalated_at: Option<Timestamp>,
}

/// What one person said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voice {
    pub user: UserId,
    /// Through what, and how we know.
    pub by: By,
    pub at: Timestamp,
    /// Their answers; none where they said no.
    pub answers: Option<Answers>,
    /// Why they said no.
    pub comment: Option<String>,
}

/// An answer that becomes final by itself, unless its person takes it back before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Who gave it.
    pub user: UserId,
    /// What they answered; empty where it is somebody else's.
    pub entries: Vec<(QuestionId, Entry)>,
    /// Through what, and how we know.
    pub by: By,
    /// When it becomes final.
    pub until: Timestamp,
}

/// What one person has put down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnSheet {
    pub user: UserId,
    pub entries: Vec<(QuestionId, Entry)>,
    /// Questions answered one at a time so far.
    pub submitted: Vec<QuestionId>,
}

/// Where a hearing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quorum {
    /// More have to answer, and they can.
    Open,
    /// As many have answered as were wanted.
    Reached,
    /// So many said no that it cannot be reached any more.
    OutOfReach,
}

impl Hearing {
    /// Whether this person has said something.
    pub fn has_heard(&self, user: &UserId) -> bool {
        self.voices.iter().any(|voice| voice.user == *user)
    }

    /// Whether anybody has said anything, or answered a question for good.
    pub fn has_begun(&self) -> bool {
        !self.voices.is_empty() || self.sheets.iter().any(|sheet| !sheet.submitted.is_empty())
    }

    /// Returns how many have answered.
    pub fn n_answered(&self) -> usize {
        self.voices.iter().filter(|voice| voice.answers.is_some()).count()
    }

    /// Returns the sheet of a person, a new one where there is none.
    pub(crate) fn sheet_of(&mut self, user: &UserId) -> &mut OwnSheet {
        let idx = self.sheets.iter().position(|sheet| sheet.user == *user).unwrap_or_else(|| {
            let (user, entries, submitted) = (user.clone(), Vec::new(), Vec::new());
            self.sheets.push(OwnSheet { user, entries, submitted });
            self.sheets.len() - 1
        });
        &mut self.sheets[idx]
    }

    /// Holds an answer, in place of what its person held before.
    pub(crate) fn hold(&mut self, held: &Held) {
        self.let_go(&held.user);
        self.held.push(held.clone());
    }

    /// Forgets what a person held.
    pub(crate) fn let_go(&mut self, user: &UserId) {
        self.held.retain(|held| held.user != *user);
    }

    /// Takes in what a person said; what they were putting down is done with.
    pub(crate) fn hear(&mut self, voice: &Voice) {
        self.sheets.retain(|sheet| sheet.user != voice.user);
        self.let_go(&voice.user);
        self.voices.push(voice.clone());
    }
}

impl Ask {
    /// Whether it is for this person now.
    pub fn is_for(&self, user: &UserId) -> bool {
        let Some(audience) = &self.terms.audience else { return self.owner == *user };
        let escalated = audience.escalation.as_ref().filter(|_| self.hearing.escalated_at.is_some());
        audience.circle.has(user) || escalated.is_some_and(|escalation| escalation.to.has(user))
    }

    /// Returns the answer that this person holds.
    pub fn held_by(&self, user: &UserId) -> Option<&Held> {
        self.hearing.held.iter().find(|held| held.user == *user)
    }

    /// Whether it waits for this person: it is open and for them, and they have not spoken.
    pub fn waits_for(&self, user: &UserId) -> bool {
        self.is_open() && self.is_for(user) && !self.hearing.has_heard(user)
    }

    /// Returns those whom it is for now and who have not said anything, by name. None where that is
    /// whoever comes first, or its session's owner.
    pub fn still_to_answer(&self) -> Option<Vec<&UserId>> {
        let audience = self.terms.audience.as_ref()?;
        let everybody = match (&audience.escalation, self.hearing.escalated_at) {
            (Some(_), None) if !audience.circle.anyone => audience.circle.members(),
            _ => audience.everybody()?,
        };
        Some(everybody.into_iter().filter(|user| !self.hearing.has_heard(user)).collect())
    }

    /// Where the hearing stands. For anyone nobody knows how many could still answer: then as many
    /// noes end it as answers were wanted.
    pub(crate) fn quorum(&self) -> Quorum {
        let Some(audience) = &self.terms.audience else { return Quorum::Open };
        let wanted = usize::try_from(audience.quorum).unwrap_or(usize::MAX);
        let n_answered = self.hearing.n_answered();
        let n_noes = self.hearing.voices.len() - n_answered;
        let out_of_reach = match audience.everybody() {
            Some(everybody) => everybody.len().saturating_sub(n_noes) < wanted,
            None => n_noes >= wanted,
        };
        if n_answered >= wanted {
            Quorum::Reached
        } else if out_of_reach {
            Quorum::OutOfReach
        } else {
            Quorum::Open
        }
    }

    /// When something is next to happen to it by itself: a held answer becomes final, others are shown it,
    /// or it ends.
    pub fn next_alarm(&self) -> Option<Timestamp> {
        let escalation = self.terms.audience.as_ref().and_then(|audience| audience.escalation.as_ref());
        let escalation = escalation.filter(|_| self.hearing.escalated_at.is_none());
        let escalation = escalation.map(|escalation| self.asked_at.after(escalation.after));
        let held = self.hearing.held.iter().map(|held| held.until);
        self.deadline.into_iter().chain(escalation).chain(held).min()
    }

    /// Returns the ask as this person has it: with their own sheet, and nobody else's. That others hold an
    /// answer is seen, and not which.
    #[must_use]
    pub fn seen_by(&self, user: &UserId) -> Self {
        let mut seen = self.clone();
        for held in seen.hearing.held.iter_mut().filter(|held| held.user != *user) {
            held.entries.clear();
        }
        if self.terms.audience.is_some() {
            let sheets = std::mem::take(&mut seen.hearing.sheets);
            if let Some(own) = sheets.into_iter().find(|sheet| sheet.user == *user) {
                (seen.entries, seen.submitted) = (own.entries, own.submitted);
            }
        }
        seen
    }
}

/// What people agree on, question by question, and whether that is everything. Where they do not,
/// the question is left out: which answer holds is not for us to say. A remark stays where all made
/// the same.
pub fn agreement(voices: &[Voice]) -> (Answers, bool) {
    let mut given = voices.iter().filter_map(|voice| voice.answers.as_ref());
    let Some(first) = given.next() else { return (Answers::default(), false) };
    let others: Vec<&Answers> = given.collect();
    let mut agreed = Vec::new();
    for answer in &first.0 {
        let same: Vec<&Answer> = others.iter().filter_map(|other| other.to(&answer.question)).collect();
        if same.len() == others.len() && same.iter().all(|other| is_same(answer, other)) {
            let note = answer.note.clone().filter(|_| same.iter().all(|other| other.note == answer.note));
            agreed.push(Answer { note, ..answer.clone() });
        }
    }
    let all = first.0.len() == agreed.len() && others.iter().all(|other| other.0.len() == agreed.len());
    (Answers(agreed), all)
}

fn is_same(one: &Answer, other: &Answer) -> bool {
    let what = |answer: &Answer| (answer.parent.clone(), answer.text.clone(), answer.skipped);
    one.picked == other.picked && what(one) == what(other)
}
