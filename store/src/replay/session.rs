//! One session and the task in it, made again from their facts.

use std::sync::Arc;

use askuser_core::decide::View;
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, ServerId, SessionId, TaskId, UserId};
use askuser_core::session::Session;
use askuser_core::task::Task;
use askuser_core::time::Timestamp;

use super::{Served, Subject, Than, is_text};
use crate::chain::Link;
use crate::row::{self, TaskRow};

/// A session as its row has it, and the row of its task.
#[derive(Debug, Clone)]
pub(crate) struct SessionColumns {
    pub(crate) session: Session,
    pub(crate) n_open: i64,
    /// How many of its asks have ended, or more.
    pub(crate) n_closed: i64,
    pub(crate) task: Option<TaskColumns>,
}

/// A task as its row has it.
#[derive(Debug, Clone)]
pub(crate) struct TaskColumns {
    pub(crate) id: TaskId,
    pub(crate) owner: String,
    pub(crate) state: String,
    pub(crate) server: Option<ServerId>,
    pub(crate) body: String,
}

/// A fact that the session is made again from.
type Kept = Option<(u64, Timestamp, Fact)>;

/// A session that is made again. Of its facts only those are kept that decide: a session may have any
/// number, and they come ask by ask.
#[derive(Debug, Clone)]
pub(super) struct SessionReplay {
    pub(super) id: SessionId,
    row: Option<SessionColumns>,
    /// How many of its asks are open.
    pub(super) n_open: i64,
    /// The asks that ended: by which fact, and as which of the session's asks, where the row says so.
    pub(super) ended: Vec<(u64, i64, AskId)>,
    opened: Kept,
    asked: Kept,
    /// The latest ask that said how many rounds there will be.
    announced: Kept,
    status: Kept,
    task: Kept,
    /// The latest moment.
    latest: Option<Timestamp>,
    /// Whether an ask was erased: then the latest round is not known from the facts.
    is_erased: bool,
}

/// What a fact tells that is about no ask.
pub(super) fn read(link: &Link) -> Option<Fact> {
    let (_, text) = link.payload.as_ref()?;
    row::read_fact(&link.kind, text).ok().map(|(_, fact)| fact)
}

impl SessionReplay {
    pub(super) fn new(id: SessionId, row: Option<SessionColumns>) -> Self {
        Self {
            id,
            row,
            n_open: 0,
            ended: Vec::new(),
            opened: None,
            asked: None,
            announced: None,
            status: None,
            task: None,
            latest: None,
            is_erased: false,
        }
    }

    /// Whose it is, by the fact that opened it.
    pub(super) fn owner(&self) -> Option<&UserId> {
        match &self.opened {
            Some((_, _, Fact::SessionOpened(session))) => Some(&session.owner),
            _ => None,
        }
    }

    /// Takes a fact in, of any ask or of none.
    pub(super) fn take(&mut self, link: &Link, fact: Option<Fact>) {
        self.latest = self.latest.max(Some(link.at));
        self.is_erased |= link.kind == "asked" && link.payload.is_none();
        let Some(fact) = fact else { return };
        let is_later = |kept: &Kept| kept.as_ref().is_none_or(|(number, ..)| *number < link.number);
        let keep = |kept: &mut Kept, fact: &Fact| {
            if is_later(kept) {
                *kept = Some((link.number, link.at, fact.clone()));
            }
        };
        match &fact {
            Fact::SessionOpened(_) => keep(&mut self.opened, &fact),
            Fact::Asked(ask) => {
                keep(&mut self.asked, &fact);
                if ask.terms.total_rounds.is_some() {
                    keep(&mut self.announced, &fact);
                }
            }
            Fact::SessionEnded { .. } => keep(&mut self.status, &fact),
            Fact::TaskChanged { task, .. } => {
                keep(&mut self.task, &fact);
                if task.state.is_alive() {
                    keep(&mut self.status, &fact);
                }
            }
            _ => {}
        }
    }

    /// Compares the rows with what the facts say.
    pub(super) fn compare(mut self, found: &mut Served) {
        let subject = Subject::Session(self.id);
        let Some((opened, ..)) = self.opened.clone() else {
            found.differs(subject, "session", Than::NoFact);
            return;
        };
        let number = |kept: &Kept| kept.as_ref().map_or(opened, |(number, ..)| *number);
        let (asked, announced, status) = (number(&self.asked), number(&self.announced), number(&self.status));
        // Which of its asks ended when: in the order of their facts.
        self.ended.sort_unstable();
        let last = self.row.as_ref().map(|row| row.n_closed);
        for (number, nth, ask) in &self.ended {
            if *nth < 1 || last.is_some_and(|last| *nth > last) {
                found.differs(Subject::Ask(*ask), "closed", Than::Fact(*number));
            }
        }
        for pair in self.ended.windows(2) {
            if pair[0].1 >= pair[1].1 {
                found.differs(Subject::Ask(pair[1].2), "closed", Than::Fact(pair[1].0));
            }
        }
        let Some(row) = self.row.take() else {
            found.differs(subject, "session", Than::Fact(opened));
            return;
        };
        self.compare_task(row.task, found);
        let Some(said) = self.made_again() else { return };
        let is = &row.session;
        let text =
            |column: &Option<String>, said: &Option<String>| is_text(column.as_deref(), said.as_deref());
        let known = |fits: bool| fits || self.is_erased;
        for (field, number, fits) in [
            ("id", opened, is.id == said.id),
            ("owner", opened, is_text(Some(is.owner.as_str()), Some(said.owner.as_str()))),
            ("external_id", opened, text(&is.external_id, &said.external_id)),
            ("origin", opened, is.origin == said.origin),
            ("restored_to", opened, is.restored_to == said.restored_to),
            ("restore_reason", opened, text(&is.restore_reason, &said.restore_reason)),
            ("timing", opened, is.timing == said.timing),
            ("created_at", opened, is.created_at == said.created_at),
            ("status", status, is.status == said.status),
            ("round", asked, known(is.round == said.round)),
            ("last_round", asked, known(last_round(is) == last_round(&said))),
            ("total_rounds", announced, known(is.total_rounds == said.total_rounds)),
            ("last_activity", asked.max(status), is.last_activity == said.last_activity),
            ("n_open", asked, row.n_open == self.n_open),
        ] {
            if !fits {
                found.differs(subject, field, Than::Fact(number));
            }
        }
    }

    /// The session as its facts make it.
    fn made_again(&self) -> Option<Session> {
        let kept = [&self.opened, &self.asked, &self.announced, &self.status, &self.task];
        let mut kept: Vec<_> = kept.into_iter().flatten().collect();
        kept.sort_by_key(|(number, ..)| *number);
        let mut view = View::default();
        for (_, at, fact) in kept {
            view.apply(fact, *at);
        }
        let mut session = view.session.map(Arc::unwrap_or_clone)?;
        session.last_activity = self.latest.map_or(session.last_activity, |at| at.max(session.last_activity));
        Some(session)
    }

    fn compare_task(&self, row: Option<TaskColumns>, found: &mut Served) {
        let subject = Subject::Session(self.id);
        let (number, said) = match (&self.task, &row) {
            (Some((number, _, Fact::TaskChanged { task, .. })), _) => (*number, task),
            (_, Some(_)) => return found.differs(subject, "task", Than::NoFact),
            (_, None) => return,
        };
        let Some(row) = row else { return found.differs(subject, "task", Than::Gone(number)) };
        let body = row::read::<TaskRow<'_>, Task>(&row.body).ok();
        // Which message was the last is said with every message.
        let is_body = body.is_some_and(|task| task == Task { last_message: None, ..Task::clone(said) });
        for (field, fits) in [
            ("task.id", row.id == said.id),
            ("task.owner", is_text(Some(&row.owner), Some(said.owner.as_str()))),
            ("task.state", row.state == said.state.name()),
            ("task.server", row.server == said.server),
            ("task.body", is_body),
        ] {
            if !fits {
                found.differs(subject, field, Than::Fact(number));
            }
        }
    }
}

/// What is remembered of the latest round, but for its hash: it tells repeats and nothing else, and earlier
/// versions made it otherwise.
fn last_round(session: &Session) -> Option<(u32, Timestamp)> {
    session.last_round.map(|last| (last.depth, last.at))
}
