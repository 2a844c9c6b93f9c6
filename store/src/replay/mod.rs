//! Whether what is served is what happened: every ask, session and task is made again from its facts, and
//! the row that is served must say the same.
//!
//! Written once for every store: a store hands in the rows and the facts of one session after another,
//! those of one ask together and in order, so that never more than one ask is held, and those that moved to
//! another session. What a person typed and has not sent is no fact and is not compared. Where facts were erased (retention, secrets) the row is
//! compared with what they still say: their kinds, times and order.

mod ask;
mod session;

use std::fmt;

use askuser_core::id::{AskId, SessionId};

use self::ask::AskReplay;
pub(super) use self::ask::AskRow;
use self::session::SessionReplay;
pub(super) use self::session::{SessionColumns, TaskColumns};
use super::chain::Link;

/// Differences that are named, at most; all are counted.
const NAMED_MAX: usize = 100;

/// What a comparison of everything that is served with its facts found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Served {
    /// How many sessions were compared.
    pub n_sessions: u64,
    /// How many asks were compared.
    pub n_asks: u64,
    /// How many of those have facts that were erased, and so are compared only as far as the rest says.
    pub n_asks_erased: u64,
    /// How many facts were read for it.
    pub n_facts: u64,
    /// How many differences there are.
    pub n_differences: u64,
    /// The first of them.
    pub differences: Vec<Difference>,
}

impl Served {
    /// Whether every row says what its facts say.
    pub fn is_whole(&self) -> bool {
        self.n_differences == 0
    }

    fn differs(&mut self, of: Subject, field: &'static str, than: Than) {
        self.n_differences += 1;
        if self.differences.len() < NAMED_MAX {
            self.differences.push(Difference { of, field, than });
        }
    }
}

/// Something that is served and does not say what happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What it is part of.
    pub of: Subject,
    /// Which part, by the name of its column.
    pub field: &'static str,
    /// What it differs from.
    pub than: Than,
}

/// What a difference is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Ask(AskId),
    /// A session, or the task in it.
    Session(SessionId),
    /// All of it.
    Everything,
}

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Than {
    /// The fact of this number says something else.
    Fact(u64),
    /// The fact of this number tells of it, and it is not there.
    Gone(u64),
    /// What the fact of this number told was erased, and nothing says that it should have been.
    Erased(u64),
    /// No fact tells of it.
    NoFact,
    /// So many facts belong to no session.
    Lost(u64),
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Subject::Ask(ask) => write!(out, "{ask}: ")?,
            Subject::Session(session) => write!(out, "{session}: ")?,
            Subject::Everything => {}
        }
        let field = self.field;
        match self.than {
            Than::Fact(number) => write!(out, "{field} differs from fact {number}"),
            Than::Gone(number) => write!(out, "{field} is missing, but fact {number} tells of it"),
            Than::Erased(number) => write!(out, "{field}: fact {number} was erased without a reason"),
            Than::NoFact => write!(out, "{field} is there, but no fact tells of it"),
            Than::Lost(n) => write!(out, "{n} {field} belong to no session"),
        }
    }
}

/// Makes sessions, tasks and asks again from their facts, one after another.
#[derive(Debug, Clone, Default)]
pub(super) struct Replay {
    /// The last fact that has to be there; what comes meanwhile is looked at as well, and not counted.
    last: u64,
    found: Served,
    session: Option<SessionReplay>,
    ask: Option<AskReplay>,
    /// Asks whose rows say that they went on in another session, which comes later.
    moved: Vec<AskReplay>,
}

impl Replay {
    /// Begins, at a time when this is the number of the latest fact.
    pub(super) fn upto(last: u64) -> Self {
        Self { last, ..Self::default() }
    }

    /// Returns the last fact that has to be there.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// Begins with a session: its row, or none where the row cannot be read.
    pub(super) fn session(&mut self, id: SessionId, row: Option<SessionColumns>) {
        self.end_session();
        self.found.n_sessions += 1;
        self.session = Some(SessionReplay::new(id, row));
    }

    /// Takes the next fact of the session: those of an ask together, in order, and the ask's row with the
    /// first. `place` tells the asks of a store apart.
    pub(super) fn fact(&mut self, link: &Link, place: Option<u128>, row: Option<AskRow>) {
        self.found.n_facts += u64::from(link.number <= self.last);
        if self.ask.as_ref().map(AskReplay::place) != place {
            self.end_ask();
        }
        let Some(session) = &mut self.session else { return };
        let fact = match place {
            None => session::read(link),
            Some(place) => {
                let moved = &mut self.moved;
                let ask = self.ask.get_or_insert_with(|| {
                    let at = moved.iter().position(|ask| ask.place() == place);
                    at.map_or_else(|| AskReplay::new(place), |at| moved.swap_remove(at))
                });
                ask.take(link, row, &mut self.found)
            }
        };
        session.take(link, fact);
    }

    /// Notes something that is there although no fact tells of it.
    pub(super) fn untold(&mut self, of: Subject, field: &'static str) {
        self.found.differs(of, field, Than::NoFact);
    }

    /// Ends, and compares how many facts were read with how many there are.
    pub(super) fn end(mut self, n_facts: u64) -> Served {
        self.end_session();
        for ask in std::mem::take(&mut self.moved) {
            ask.went_nowhere(&mut self.found);
        }
        let n_lost = n_facts.saturating_sub(self.found.n_facts);
        if n_lost > 0 {
            self.found.differs(Subject::Everything, "facts", Than::Lost(n_lost));
        }
        self.found
    }

    fn end_ask(&mut self) {
        let Some(ask) = self.ask.take() else { return };
        let Some(session) = &mut self.session else { return };
        if ask.is_elsewhere(session.id) {
            self.moved.push(ask);
        } else {
            self.found.n_asks += 1;
            ask.compare(session, &mut self.found);
        }
    }

    fn end_session(&mut self) {
        self.end_ask();
        if let Some(session) = self.session.take() {
            session.compare(&mut self.found);
        }
    }
}

/// Whether a column holds a text. PostgreSQL refuses one character; a store puts another in its place.
fn is_text(column: Option<&str>, said: Option<&str>) -> bool {
    column == said || column == said.map(|said| said.replace('\0', "\u{fffd}")).as_deref()
}
