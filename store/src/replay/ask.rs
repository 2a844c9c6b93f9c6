//! One ask, made again from its facts.

use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::ask::{Ask, State};
use askuser_core::decide::View;
use askuser_core::entry::Entry;
use askuser_core::fact::Fact;
use askuser_core::hearing::Held;
use askuser_core::id::{AskId, QuestionId, SessionId, UserId};
use askuser_core::outcome::{By, Outcome};
use askuser_core::time::Timestamp;

use super::session::SessionReplay;
use super::{Served, Subject, Than, is_text};
use crate::chain::{self, Link};
use crate::erase::bare;
use crate::plan;
use crate::row::{self, Body, Filled, LateRow, OutcomeRow, Sheet, StateWord, Wrong};

/// The kinds of facts that tell answers: those that are erased with a secret.
const TELL_ANSWERS: [&str; 4] = ["submitted", "heard", "closed", "answered_late"];

/// An ask as its row has it, column by column.
#[derive(Debug, Clone)]
pub(crate) struct AskRow {
    pub(crate) id: AskId,
    /// None where there is no such session.
    pub(crate) session: Option<SessionId>,
    pub(crate) owner: String,
    pub(crate) round: i64,
    pub(crate) depth: i64,
    pub(crate) standing: i64,
    pub(crate) state: String,
    pub(crate) deadline: Option<i64>,
    pub(crate) idempotency_key: Option<String>,
    /// Which of the session's asks it was to end.
    pub(crate) closed: Option<i64>,
    pub(crate) ended_at: Option<i64>,
    pub(crate) outcome: Option<String>,
    pub(crate) sheet: Option<String>,
    pub(crate) late: Option<String>,
    pub(crate) dropped: Option<String>,
    pub(crate) erased_at: Option<i64>,
    pub(crate) people: Option<String>,
    pub(crate) body: String,
}

/// What the erased facts of an ask no longer tell.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says of one column whether its facts were erased")]
struct Untold {
    /// Everything: it was erased with whatever is old.
    all: bool,
    outcome: bool,
    late: bool,
    submitted: bool,
    voices: bool,
}

/// An ask that is made again.
#[derive(Debug, Clone, Default)]
pub(super) struct AskReplay {
    place: u128,
    id: Option<AskId>,
    row: Option<AskRow>,
    /// What it was when it was asked.
    asked: Option<Arc<Ask>>,
    /// It alone, as its facts make it.
    view: View,
    untold: Untold,
    /// The latest fact of each kind, by number.
    numbers: Vec<(String, u64)>,
    /// When the facts say that it ended.
    closed_at: Option<Timestamp>,
}

impl AskReplay {
    pub(super) fn new(place: u128) -> Self {
        Self { place, ..Self::default() }
    }

    pub(super) fn place(&self) -> u128 {
        self.place
    }

    /// Whether its row says that it is in another session than this one, in which it was asked.
    pub(super) fn is_elsewhere(&self, session: SessionId) -> bool {
        let is_in = self.row.as_ref().and_then(|row| row.session);
        is_in.is_some_and(|is_in| is_in != session) && !self.view.asks.is_empty()
    }

    /// Notes that no fact moved it to where its row says that it is.
    pub(super) fn went_nowhere(self, found: &mut Served) {
        found.n_asks += 1;
        found.differs(self.subject(), "session", self.fact(&["moved"]));
    }

    /// Takes the next fact in and returns what it tells, as far as that is known.
    pub(super) fn take(&mut self, link: &Link, row: Option<AskRow>, found: &mut Served) -> Option<Fact> {
        if let Some(row) = row {
            self.id = self.id.or(Some(row.id));
            self.row = Some(row);
        }
        match self.numbers.iter_mut().find(|(kind, _)| *kind == link.kind) {
            Some((_, number)) => *number = link.number,
            None => self.numbers.push((link.kind.clone(), link.number)),
        }
        if link.kind == "closed" {
            self.closed_at = Some(link.at);
        }
        let fact = match &link.payload {
            Some((_, text)) => row::read_fact(&link.kind, text).ok().map(|(_, fact)| fact),
            None => self.erased(link, found),
        };
        if let Some(Fact::Asked(ask)) = &fact {
            self.id = Some(ask.id);
            self.asked = Some(Arc::clone(ask));
            // The body that is served is the payload of this fact.
            let is_as_asked = link
                .payload
                .as_ref()
                .is_none_or(|(salt, text)| chain::digest(salt, text.as_bytes())[..] == link.digest[..]);
            if !is_as_asked {
                found.differs(self.subject(), "body", Than::Fact(link.number));
            }
        } else if fact.is_none() && link.payload.is_some() {
            let field = if link.kind == "asked" { "body" } else { "facts" };
            found.differs(self.subject(), field, Than::Fact(link.number));
        }
        // What was typed is not in the fact that it was saved.
        if let Some(fact) = fact.as_ref().filter(|fact| !matches!(fact, Fact::Saved { .. })) {
            self.view.apply(fact, link.at);
        }
        fact
    }

    /// What a fact says by its kind alone; what else it told is no longer known.
    fn erased(&mut self, link: &Link, found: &mut Served) -> Option<Fact> {
        let row = self.row.as_ref()?;
        let has_secret = |ask: &Ask| ask.questions.all().iter().any(|question| question.secret);
        let is_secret = TELL_ANSWERS.contains(&link.kind.as_str())
            && self.asked.as_ref().is_some_and(|asked| has_secret(asked));
        if row.erased_at.is_none() && !is_secret {
            found.differs(self.subject(), "facts", Than::Erased(link.number));
        }
        let ask = self.id?;
        match link.kind.as_str() {
            "asked" => {
                self.untold.all = true;
                let asked: Ask = row::read::<Body<'_>, _>(&row.body).ok()?;
                let asked = Ask { state: State::Pending, late: None, ..asked };
                return Some(Fact::Asked(Arc::new(asked)));
            }
            "shown" => return Some(Fact::Shown { ask }),
            "escalated" => return Some(Fact::Escalated { ask }),
            "delivered" => return Some(Fact::Delivered { ask }),
            "acknowledged" => return Some(Fact::Acknowledged { ask }),
            "undeliverable" => return Some(Fact::Undeliverable { ask }),
            "moved" => {
                let (from, to) = (self.view.asks.first()?.session, row.session?);
                return Some(Fact::Moved { ask, from, to });
            }
            "closed" => {
                self.untold.outcome = true;
                return Some(Fact::Closed { ask, outcome: Arc::new(row.outcome().ok()??) });
            }
            "answered_late" => self.untold.late = true,
            "submitted" => self.untold.submitted = true,
            "heard" => self.untold.voices = true,
            _ => {}
        }
        None
    }

    fn subject(&self) -> Subject {
        self.id.map_or(Subject::Everything, Subject::Ask)
    }

    /// The latest fact of these kinds; the first one of the ask where there is none.
    fn fact(&self, kinds: &[&str]) -> Than {
        let of = |kinds: &[&str]| {
            let numbers = self.numbers.iter().filter(|(kind, _)| kinds.contains(&kind.as_str()));
            numbers.map(|(_, number)| *number).max()
        };
        of(kinds).or_else(|| of(&["asked"])).map_or(Than::NoFact, Than::Fact)
    }

    /// Compares the row with what the facts say.
    pub(super) fn compare(self, session: &mut SessionReplay, found: &mut Served) {
        let untold = &self.untold;
        let is_erased = untold.all || untold.outcome || untold.late || untold.submitted || untold.voices;
        found.n_asks_erased += u64::from(is_erased);
        let (Some(said), Some(asked)) = (self.view.asks.first(), self.asked.as_ref()) else {
            // Where only the body cannot be read, that was told.
            if !self.numbers.iter().any(|(kind, _)| kind == "asked") {
                found.differs(self.subject(), "ask", Than::NoFact);
            }
            return;
        };
        session.n_open += i64::from(said.is_open());
        let Some(row) = &self.row else {
            let Than::Fact(number) = self.fact(&["asked"]) else { return };
            found.differs(self.subject(), "ask", Than::Gone(number));
            return;
        };
        for (field, kinds) in row.differences(said, asked, session, &self) {
            found.differs(self.subject(), field, self.fact(kinds));
        }
    }
}

const ASKED: &[&str] = &["asked"];
const PLACES: &[&str] = &["asked", "moved"];
const ENDED: &[&str] = &["closed"];
const MOVES: &[&str] = &["asked", "shown", "closed", "delivered", "acknowledged", "undeliverable"];

impl AskRow {
    /// How it says that the ask ended; nothing where that cannot be read.
    fn outcome(&self) -> Result<Option<Outcome>, Wrong> {
        self.outcome.as_deref().map(row::read::<OutcomeRow<'_>, Outcome>).transpose()
    }

    fn late(&self) -> Result<Option<(Answers, By)>, Wrong> {
        self.late.as_deref().map(row::read::<LateRow<'_>, _>).transpose()
    }

    /// The columns that say something else than the facts, each with the kinds of facts that it is from.
    fn differences(
        &self,
        said: &Ask,
        asked: &Ask,
        session: &mut SessionReplay,
        replay: &AskReplay,
    ) -> Vec<(&'static str, &'static [&'static str])> {
        let untold = &replay.untold;
        let outcome = self.outcome();
        let closed = replay.numbers.iter().find(|(kind, _)| kind == "closed").map(|(_, number)| *number);
        let is_closed_so = match (self.closed, closed) {
            (Some(nth), Some(closed)) => {
                session.ended.push((closed, nth, said.id));
                true
            }
            (row, fact) => row.is_none() && fact.is_none(),
        };
        let ended_at = said.state.outcome().map(|outcome| outcome.at.0);
        let key = said.terms.idempotency_key.as_deref();
        // What says whose an erased one was is the session, of which nothing is erased.
        let is_owners = !untold.all || session.owner().is_none_or(|owner| *owner == said.owner);
        let mut all = vec![
            ("id", ASKED, self.id == said.id),
            ("session", PLACES, self.session == Some(said.session) && said.session == session.id),
            ("owner", ASKED, is_owners && is_text(Some(&self.owner), Some(said.owner.as_str()))),
            ("round", ASKED, self.round == i64::from(said.round)),
            ("depth", ASKED, self.depth == i64::from(said.depth)),
            ("state", MOVES, self.state == StateWord::of(&said.state).name()),
            ("standing", MOVES, self.standing == i64::from(plan::standing(&said.state))),
            ("closed", ENDED, is_closed_so),
            ("ended_at", ENDED, self.ended_at == ended_at),
            ("outcome", ENDED, outcome.as_ref().is_ok_and(|row| row.as_ref() == said.state.outcome())),
            ("idempotency_key", ASKED, is_text(self.idempotency_key.as_deref(), key)),
            ("erased_at", ASKED, self.erased_at.is_some() == untold.all),
        ];
        // Which time an ended one that was erased would have ended at, and whom it was for, tells nobody.
        let alarm = said.next_alarm().map(|alarm| alarm.0);
        let escalated: &[&str] = &["asked", "escalated"];
        all.push(("deadline", escalated, untold.all || self.deadline == alarm));
        all.push(("people", escalated, untold.all || self.people == plan::people(said)));
        if untold.outcome {
            let at = outcome.as_ref().ok().and_then(Option::as_ref).map(|outcome| outcome.at);
            all.push(("outcome", ENDED, at == replay.closed_at));
        }
        let late = self.late();
        let is_late_so = (untold.late && !untold.all) || late.as_ref().is_ok_and(|late| *late == said.late);
        all.push(("late", &["answered_late"], is_late_so));
        let mut differing: Vec<_> =
            all.into_iter().filter(|(_, _, fits)| !fits).map(|(field, kinds, _)| (field, kinds)).collect();
        self.compare_sheet(said, asked, untold, &mut differing);
        Self::compare_erased(asked, outcome.ok().flatten(), late.ok().flatten(), untold, &mut differing);
        differing.dedup_by_key(|(field, _)| *field);
        differing
    }

    /// What was said for good stands on the sheet, among what was only typed.
    fn compare_sheet(
        &self,
        said: &Ask,
        asked: &Ask,
        untold: &Untold,
        differing: &mut Vec<(&'static str, &'static [&'static str])>,
    ) {
        let mut row = asked.clone();
        let filled = self.sheet.as_deref().map(row::read::<Sheet<'_>, Filled>).transpose();
        match filled {
            Ok(Some(filled)) => filled.fill(&mut row),
            Ok(None) => {}
            Err(_) => differing.push(("sheet", &["submitted", "heard", "escalated", "reopened"])),
        }
        let is_reopened_so = row.reopened_as == said.reopened_as;
        // What somebody holds is not in the fact that they do.
        let held = |ask: &Ask| -> Vec<Held> {
            ask.hearing.held.iter().map(|held| Held { entries: Vec::new(), ..held.clone() }).collect()
        };
        let is_held_so = untold.all || held(&row) == held(said);
        let heard = |ask: &Ask| (ask.hearing.voices.clone(), ask.hearing.escalated_at);
        let is_heard_so = match (untold.all, untold.voices) {
            // With everything else it says nothing any more.
            (true, _) => row.hearing.voices.is_empty(),
            (false, true) => row.hearing.escalated_at == said.hearing.escalated_at,
            (false, false) => heard(&row) == heard(said),
        };
        let is_submitted_so = match (untold.all, untold.submitted) {
            (true, _) => row.submitted.is_empty(),
            (false, true) => true,
            (false, false) => submitted(&row) == submitted(said),
        };
        let dropped = self.dropped.as_deref().map(row::read_ids).transpose();
        let is_dropped_so = dropped.is_ok_and(|dropped| {
            let dropped = dropped.unwrap_or_default();
            let left = || Arc::unwrap_or_clone(Arc::clone(&asked.questions)).without(&dropped);
            // What is left of an erased one is without them.
            untold.all || (dropped.iter().all(|id| asked.has(id)) && left() == *said.questions)
        });
        for (field, kinds, fits) in [
            ("sheet.reopened_as", &["reopened"] as &[&str], is_reopened_so),
            ("sheet.hearing", &["heard", "escalated"], is_heard_so),
            ("sheet.hearing", &["held", "taken_back"], is_held_so),
            ("sheet.submitted", &["submitted"], is_submitted_so),
            ("dropped", &["settled"], is_dropped_so),
        ] {
            if !fits {
                differing.push((field, kinds));
            }
        }
    }

    /// What was erased stays erased: nobody puts other words in its place.
    fn compare_erased(
        asked: &Ask,
        outcome: Option<Outcome>,
        late: Option<(Answers, By)>,
        untold: &Untold,
        differing: &mut Vec<(&'static str, &'static [&'static str])>,
    ) {
        let Some(outcome) = outcome.filter(|_| untold.all || untold.outcome) else { return };
        let row = Ask { state: State::Closed(Arc::new(outcome)), late, ..asked.clone() };
        if untold.all {
            let left = bare(&row);
            if left.questions != row.questions || left.terms != row.terms {
                differing.push(("body", ASKED));
            }
            if left.state != row.state {
                differing.push(("outcome", ENDED));
            }
        } else {
            let mut left = row.clone();
            if plan::erase(&mut left).is_err()
                || left.state != row.state
                || (untold.late && left.late != row.late)
            {
                differing.push(("outcome", ENDED));
            }
        }
    }
}

/// Questions with what was answered to them.
type Given<'a> = Vec<(&'a QuestionId, Option<&'a Entry>)>;

/// What each person answered for good: on the ask's own sheet, or on theirs.
fn submitted(ask: &Ask) -> Vec<(Option<&UserId>, Given<'_>)> {
    let of =
        |entries: &'_ [(QuestionId, Entry)], id: &QuestionId| entries.iter().position(|(at, _)| at == id);
    let mut all = Vec::new();
    let own = (None, &ask.entries, &ask.submitted);
    let sheets = ask.hearing.sheets.iter().map(|sheet| (Some(&sheet.user), &sheet.entries, &sheet.submitted));
    for (user, entries, done) in std::iter::once(own).chain(sheets) {
        let answers = done.iter().map(|id| (id, of(entries, id).map(|idx| &entries[idx].1)));
        all.push((user, answers.collect::<Vec<_>>()));
    }
    all.retain(|(_, answers)| !answers.is_empty());
    all.sort_by_key(|(user, _)| *user);
    all
}
