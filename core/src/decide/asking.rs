//! Taking an ask in: whose session, joins, limits, depth.

use std::sync::Arc;

use super::having::Having;
use super::{Barred, Deciding, Refusal};
use crate::ask::{Ask, State};
use crate::asker::{Purpose, Terms, Timing};
use crate::audience::Audience;
use crate::command::{KnownBy, NewAsk, Role};
use crate::condition;
use crate::content::{Content, questions_hash};
use crate::fact::Fact;
use crate::hearing::{Hearing, OwnSheet};
use crate::id::{AskId, QuestionId};
use crate::outcome::Ending;
use crate::problem::{Fault, Problem};
use crate::question::{NamedBy, Question, Questions};
use crate::session::{Origin, Session, SessionStatus};

impl Deciding {
    pub(super) fn ask(&mut self, new: &NewAsk) -> Result<(), Refusal> {
        self.only(&[Role::Agent, Role::Server], Barred::AgentAsks)?;
        let session = self.live_session().map_err(|none| self.ended_task().unwrap_or(none))?;
        if let Some(earlier) = self.same_ask(new) {
            // Joined by its words, it may still carry the name of another.
            self.free_names(new)?;
            self.decision.ask = Some(earlier);
            self.decision.joined = true;
            return Ok(());
        }
        if let Some(ended) = self.ended_task() {
            return Err(ended);
        }
        audience_fits(new)?;
        event_fits(&new.terms)?;
        self.room(&session)?;
        let mut questions = new.questions.clone();
        if !new.names_for_session(&session) {
            questions = questions.named_here();
        }
        self.fresh_ids(&questions)?;
        self.free_names(new)?;
        let depth = self.depth(new, &session)?;
        self.known_conditions(new)?;
        let round = session.round + 1;
        let terms = timed(&new.terms, session.timing.or(new.otherwise));
        let questions = Arc::new(questions.in_round(round));
        let ask = Ask {
            session_name: session.given_name().map(Arc::from),
            asked_by: self.actor.key,
            round,
            depth,
            deadline: terms.timeout.map(|timeout| self.now.after(timeout)),
            fingerprint: new.fingerprint,
            ..Ask::new(new.id, session.id, session.owner.clone(), questions, terms, self.now)
        };
        self.decision.ask = Some(new.id);
        self.emit(Fact::Asked(Arc::new(ask)));
        Ok(())
    }

    /// Asks a timed-out or cancelled ask anew (P13).
    pub(super) fn reopen(&mut self, id: AskId, as_new: AskId) -> Result<(), Refusal> {
        self.only(&[Role::Person], Barred::PersonReopens)?;
        let ended = self.own_ask(id)?.clone();
        // Those whom it was for may be others than the session's owner.
        let session = self.view.session.clone().filter(|session| session.status == SessionStatus::Active);
        let session = session.ok_or(Refusal::SessionNotFound)?;
        let reopenable = ended
            .state
            .outcome()
            .is_some_and(|outcome| matches!(outcome.ending, Ending::Expired { .. } | Ending::Declined));
        if !reopenable || self.view.open().any(|ask| ask.reopens == Some(id)) {
            return Err(Refusal::NotReopenable);
        }
        self.room(&session)?;
        self.fresh_ids(&ended.questions)?;
        let ask = Ask { round: session.round + 1, ..self.anew(as_new, &ended) };
        self.decision.ask = Some(as_new);
        self.emit(Fact::Reopened { ask: id, as_new });
        self.emit(Fact::Asked(Arc::new(ask)));
        Ok(())
    }

    /// The same ask anew, with what was already put down, but for secrets; its time runs from now.
    pub(super) fn anew(&self, as_new: AskId, ask: &Ask) -> Ask {
        let is_secret = |id: &QuestionId| ask.questions.find(id).is_some_and(|question| question.secret);
        let mut sheets = unsent(&ask.hearing.sheets);
        for sheet in &mut sheets {
            sheet.entries.retain(|(id, _)| !is_secret(id));
        }
        let (questions, terms) = (Arc::clone(&ask.questions), Arc::clone(&ask.terms));
        Ask {
            session_name: ask.session_name.clone(),
            asked_by: ask.asked_by,
            round: ask.round,
            depth: ask.depth,
            fingerprint: ask.fingerprint,
            deadline: ask.terms.timeout.map(|timeout| self.now.after(timeout)),
            entries: ask.entries.iter().filter(|(id, _)| !is_secret(id)).cloned().collect(),
            hearing: Hearing { sheets, ..Hearing::default() },
            reopens: Some(ask.id),
            ..Ask::new(as_new, ask.session, ask.owner.clone(), questions, terms, self.now)
        }
    }

    /// The session, where it belongs to the actor and still lives. Anything else is not there:
    /// that a session exists is its owner's secret.
    pub(super) fn live_session(&self) -> Result<Arc<Session>, Refusal> {
        let session = self.view.session.as_ref().filter(|session| self.actor.may_see(&session.owner));
        let session = session.filter(|session| session.status == SessionStatus::Active);
        let session = session.filter(|session| {
            !session.is_idle(self.now, self.view.limits.session_idle) || self.view.is_in_use()
        });
        session.cloned().ok_or(Refusal::SessionNotFound)
    }

    /// A repeated call is the same ask (invariant 7), where it asks the same: by its key at any time, by
    /// content while it is open, and for a while longer where its asker has not been told how it ended.
    fn same_ask(&self, new: &NewAsk) -> Option<AskId> {
        let same_key = self.view.same_key.as_deref().filter(|_| new.terms.idempotency_key.is_some());
        let same_key = same_key.filter(|ask| self.is_repeat(ask, new));
        // Two tool calls with the same words are two questions; without one, words are all we have.
        let other_call = |ask: &Ask| {
            let calls = (&ask.terms.tool_use, &new.terms.tool_use);
            matches!(calls, (Some(one), Some(other)) if one != other)
        };
        let open = self.view.open().find(|ask| !other_call(ask) && self.is_repeat(ask, new));
        // Whatever its call is named now: the one that made it is gone.
        let missed = self.view.missed.iter().map(AsRef::as_ref).filter(|ask| self.is_missed(ask, new));
        let latest = missed.max_by_key(|ask: &&Ask| (ask.round, ask.id));
        same_key.or(open).or(latest).map(|ask| ask.id)
    }

    /// Whether a new ask is one that its person decided while its asker was away. Only the asker that it was for
    /// gets it, only once, and never a permission: what was granted then is not granted now.
    fn is_missed(&self, ask: &Ask, new: &NewAsk) -> bool {
        let State::Closed(outcome) = &ask.state else { return false };
        let limits = self.view.limits;
        let within = match new.known_by {
            KnownBy::Nothing => return false,
            KnownBy::Program => limits.hand_over_within.min(limits.hand_over_unplaced_within),
            KnownBy::Place => limits.hand_over_within,
        };
        new.may_be_missed()
            && ask.asked_by == self.actor.key
            && ask.reopened_as.is_none()
            && matches!(outcome.ending, Ending::Answered(_) | Ending::Declined)
            && self.now.since(outcome.at) < within
            && asks_the_same(ask, new)
    }

    /// Whether a new ask is an earlier one once more. What grants something is joined by nothing but the equal
    /// thing in the same session from the same API key, and only while it is open (invariant 6).
    fn is_repeat(&self, ask: &Ask, new: &NewAsk) -> bool {
        let may_join = new.terms.purpose == Purpose::Decision
            || (ask.is_open() && ask.session == new.session && ask.asked_by == self.actor.key);
        may_join && asks_the_same(ask, new)
    }

    /// A name that the asker gave to one ask is not that of another.
    fn free_names(&self, new: &NewAsk) -> Result<(), Refusal> {
        let named = |name: &'static str, ask: &Ask| {
            if asks_the_same(ask, new) { Ok(()) } else { Err(Refusal::Conflict { name, ask: ask.id }) }
        };
        let given = &new.terms;
        if let Some(ask) = self.view.same_key.as_deref().filter(|_| given.idempotency_key.is_some()) {
            named("idempotency key", ask)?;
        }
        for ask in self.view.open() {
            if given.tool_use.is_some() && ask.terms.tool_use == given.tool_use {
                named("tool call id", ask)?;
            }
            let same_event = given.event.is_some() && ask.terms.event == given.event;
            // Agents that share a session name their events each for itself.
            if same_event && ask.terms.asker.agent == given.asker.agent {
                named("event id", ask)?;
            }
        }
        Ok(())
    }

    fn room(&self, session: &Session) -> Result<(), Refusal> {
        let limits = self.view.limits;
        let n_open = self.view.open().count();
        if n_open >= limits.open_max {
            return Err(Refusal::TooManyOpen { max: limits.open_max });
        }
        let counts = session.origin != Origin::Derived && n_open == 0;
        if counts && self.view.n_other_active_sessions >= limits.active_sessions_max {
            return Err(Refusal::TooManySessions { max: limits.active_sessions_max });
        }
        Ok(())
    }

    /// Ids that the asker gave for the session must be free in it: an answer by id must find one question, and an
    /// id that had its answer stands for that decision (P9).
    fn fresh_ids(&self, questions: &Questions) -> Result<(), Refusal> {
        let all = questions.all();
        let given = all.iter().filter(|question| question.named_by == NamedBy::Asker);
        let open = Having::find(&self.view, given.clone().map(|question| &question.id));
        let is_taken = |id| open.of(id).is_some() || self.view.taken.contains(id);
        match given.clone().find(|question| is_taken(&question.id)) {
            Some(taken) => Err(Refusal::DuplicateQuestionId(taken.id.clone())),
            None => Ok(()),
        }
    }

    /// How many rounds build on one another up to this one (P3). Asking for permission never
    /// counts: an agent that works long asks it often.
    fn depth(&self, new: &NewAsk, session: &Session) -> Result<u32, Refusal> {
        let limits = self.view.limits;
        let repeated = session.last_round.filter(|last| {
            last.fingerprint == questions_hash(&new.questions)
                && self.now.since(last.at) <= limits.repeat_window
        });
        let depth = match (new.terms.purpose, self.view.parent_depth) {
            (Purpose::Permission, _) => 1,
            (Purpose::Decision, Some(parent)) => parent.saturating_add(1),
            (Purpose::Decision, None) => repeated.map_or(1, |last| last.depth.saturating_add(1)),
        };
        if depth > limits.depth_max {
            Err(Refusal::RecursiveLimit { max: limits.depth_max })
        } else {
            Ok(depth)
        }
    }

    /// A condition may only wait for a question that was or is asked (P19).
    fn known_conditions(&self, new: &NewAsk) -> Result<(), Refusal> {
        let mut problems = Vec::new();
        let conditions = condition::on_other_asks(&new.questions);
        let open = Having::find(&self.view, conditions.iter().map(|(_, condition)| &condition.question));
        for (question, condition) in conditions {
            let target = open.of(&condition.question).and_then(|ask| ask.questions.find(&condition.question));
            let top_idx = new.questions.top().iter().position(|top| top.id == question.id);
            let path = match top_idx {
                Some(idx) => format!("questions[{idx}].depends_on"),
                // A follow-up is found by its name: where it stands, each dialect says otherwise.
                None => format!("{}.depends_on", question.id),
            };
            if let Some(target) = target {
                if let Some(choice) =
                    condition.choice.as_ref().filter(|choice| target.choice(choice).is_none())
                {
                    let choice = choice.as_str().to_owned();
                    problems.push(Problem::new(path, Fault::NoSuchChoice { choice }));
                }
            } else if self.view.answer_to(&condition.question).is_none() {
                let question = condition.question.as_str().to_owned();
                problems.push(Problem::new(path, Fault::NoSuchQuestion { question }));
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(Refusal::UnfitQuestions(problems)) }
    }
}

/// The terms with what they leave open of the deadline.
fn timed(terms: &Arc<Terms>, otherwise: Timing) -> Arc<Terms> {
    let (said, timing) = (terms.timing(), terms.timing().or(otherwise));
    if timing == said {
        return Arc::clone(terms);
    }
    Arc::new(Terms { timeout: timing.timeout, policy: timing.policy, ..Terms::clone(terms) })
}

/// An ask that nobody could ever answer is not taken in.
fn audience_fits(new: &NewAsk) -> Result<(), Refusal> {
    let problems = new.terms.audience.as_ref().map(Audience::problems).unwrap_or_default();
    if problems.is_empty() { Ok(()) } else { Err(Refusal::UnfitQuestions(problems)) }
}

/// An asker's own name for its event is never that of an ask: whoever answers by that name would answer the
/// other one.
fn event_fits(terms: &Terms) -> Result<(), Refusal> {
    if terms.event.as_deref().is_some_and(|event| event.parse::<AskId>().is_ok()) {
        let fault = Fault::NameOfAnAsk;
        return Err(Refusal::UnfitQuestions(vec![Problem::new("eventId", fault)]));
    }
    Ok(())
}

/// The same sheets with nothing answered for good.
fn unsent(sheets: &[OwnSheet]) -> Vec<OwnSheet> {
    sheets.iter().map(|sheet| OwnSheet { submitted: Vec::new(), ..sheet.clone() }).collect()
}

/// Whether an ask asks the same, of the same people, and under the same names: under those answers go back.
fn asks_the_same(ask: &Ask, new: &NewAsk) -> bool {
    ask.fingerprint == new.fingerprint
        && ask.terms.purpose == new.terms.purpose
        && (new.terms.purpose == Purpose::Decision || same_thing(ask, new))
        && ask.terms.audience == new.terms.audience
        && same_names(&ask.questions, &new.questions)
}

/// What is granted is compared itself, and not by a digest.
fn same_thing(ask: &Ask, new: &NewAsk) -> bool {
    let asked = Content::new(&ask.questions, &ask.terms).canonical();
    asked == Content::new(&new.questions, &new.terms).canonical()
}

fn same_names(asked: &Questions, anew: &Questions) -> bool {
    let (asked, anew) = (asked.all(), anew.all());
    let alike = |(asked, anew): (&&Question, &&Question)| anew.named_by == NamedBy::Us || asked.id == anew.id;
    asked.len() == anew.len() && asked.iter().zip(&anew).all(alike)
}
