//! Hearing the people whom an ask is for: who may speak, and when enough have.

use super::closing::already_closed;
use super::{Barred, Deciding, Refusal};
use crate::answer::Answers;
use crate::ask::Ask;
use crate::command::Role;
use crate::fact::Fact;
use crate::hearing::{Quorum, Voice, agreement};
use crate::id::AskId;
use crate::outcome::{AnsweredBy, Ending, Proof};

impl Deciding {
    /// The ask as this person has it, where it is for them. Its session's owner sees it in any case,
    /// and is told so; for everybody else it is not there.
    pub(super) fn theirs(&self, id: AskId) -> Result<Ask, Refusal> {
        let ask = self.own_ask(id)?;
        if !ask.is_for(&self.actor.user) {
            return Err(Refusal::Forbidden(Barred::ForOthers));
        }
        if ask.terms.audience.is_some() && self.actor.by.proof == Proof::AgentDialog {
            return Err(Refusal::Forbidden(Barred::NamedInDialog));
        }
        if self.actor.by.proof == Proof::AgentDialog && ask.asked_by != self.actor.key {
            return Err(Refusal::Forbidden(Barred::AnothersDialog));
        }
        Ok(ask.seen_by(&self.actor.user))
    }

    /// The same, where it is open and they have not spoken yet.
    pub(super) fn unheard(&self, id: AskId) -> Result<Ask, Refusal> {
        let ask = self.theirs(id)?;
        if !ask.is_open() {
            return Err(already_closed(&ask));
        }
        self.first_word(&ask)?;
        Ok(ask)
    }

    /// Nobody is counted twice.
    pub(super) fn first_word(&self, ask: &Ask) -> Result<(), Refusal> {
        if ask.hearing.has_heard(&self.actor.user) { Err(Refusal::AlreadyHeard) } else { Ok(()) }
    }

    /// Takes a person's answers: the ask ends with them, unless it wants those of others too.
    pub(super) fn answered(&mut self, ask: &Ask, answers: Answers) {
        if ask.terms.audience.is_none() {
            let by = match self.actor.by.proof {
                Proof::AgentDialog => AnsweredBy::AgentDialog,
                _ => AnsweredBy::Person,
            };
            self.close(ask.id, Ending::Answered(by), answers, None);
            return;
        }
        if let Quorum::Reached = self.hear(ask.id, Some(answers), None) {
            let voices = self.view.ask(ask.id).map(|ask| ask.hearing.voices.clone()).unwrap_or_default();
            let (answers, _) = agreement(&voices);
            self.close(ask.id, Ending::Answered(AnsweredBy::Person), answers, None);
        }
    }

    /// Takes a person's no: the ask ends with it, unless enough others can still answer.
    pub(super) fn said_no(&mut self, ask: &Ask, reason: Option<String>) {
        let so_far = ask.put_down().answers_so_far();
        let is_over =
            ask.terms.audience.is_none() || self.hear(ask.id, None, reason.clone()) == Quorum::OutOfReach;
        if is_over {
            self.close(ask.id, Ending::Declined, so_far, reason);
        }
    }

    fn hear(&mut self, id: AskId, answers: Option<Answers>, comment: Option<String>) -> Quorum {
        let (user, by) = (self.actor.user.clone(), self.actor.by.clone());
        let voice = Voice { user, by, at: self.now, answers, comment };
        self.decision.ask = Some(id);
        self.emit(Fact::Heard { ask: id, voice });
        self.view.ask(id).map_or(Quorum::Open, Ask::quorum)
    }

    /// Shows an ask to others as well: never early, never twice, and only by the server.
    pub(super) fn escalate(&mut self, id: AskId) -> Result<(), Refusal> {
        self.only(&[Role::Server], Barred::ServerEscalates)?;
        let ask = self.open_ask(id)?;
        let escalation = ask.terms.audience.as_ref().and_then(|audience| audience.escalation.as_ref());
        let escalation = escalation.filter(|_| ask.hearing.escalated_at.is_none());
        if escalation.is_none_or(|escalation| self.now < ask.asked_at.after(escalation.after)) {
            return Err(Refusal::TooEarly);
        }
        self.decision.ask = Some(id);
        self.emit(Fact::Escalated { ask: id });
        Ok(())
    }
}
