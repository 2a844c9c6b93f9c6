//! What a command needs to be decided, whichever store keeps it: which session it means, which asks
//! must be in view, what is counted. Nothing here reads anything.

use std::slice;
use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::ask::{Ask, State};
use askuser_core::asker::Timing;
use askuser_core::audience::Circle;
use askuser_core::command::{Command, NewAsk};
use askuser_core::condition;
use askuser_core::decide::{Decision, Refusal, Restoring, View, decide};
use askuser_core::entry::Entry;
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, MessageId, QuestionId, SessionId, UserId};
use askuser_core::question::NamedBy;
use askuser_core::session::{Origin, Session, SessionStatus};
use askuser_core::time::Timestamp;

use super::{Order, People, SessionRef};

/// Asks of one session that ended and were never handed over: so many a new ask is compared with.
pub(super) const MISSED_MAX: i64 = 32;

/// What must be in view besides the session and its open asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Needed<'a> {
    Nothing,
    /// These asks, open or not.
    Asks(&'a [AskId]),
    /// Every ask of the session whose outcome nobody fetched.
    Unfetched,
    /// The latest ask of the session that has this question, unless an open one has it.
    Having(&'a QuestionId),
}

/// Returns what a command needs in view.
pub(super) fn needed(command: &Command) -> Needed<'_> {
    match command {
        Command::OpenSession { .. }
        | Command::Ask(_)
        | Command::Restore { .. }
        | Command::StartTask(_)
        | Command::ResumeTask { .. }
        | Command::SayToTask { .. }
        | Command::MoveTask { .. }
        | Command::Tell { .. } => Needed::Nothing,
        Command::EndSession { .. } => Needed::Unfetched,
        Command::AnswerOne { question, .. } => Needed::Having(question),
        Command::Save { ask, .. }
        | Command::Answer { ask, .. }
        | Command::Hold { ask, .. }
        | Command::TakeBack { ask }
        | Command::Decline { ask, .. }
        | Command::AnswerByRule { ask, .. }
        | Command::Withdraw { ask, .. }
        | Command::Expire { ask }
        | Command::Escalate { ask }
        | Command::Acknowledge { ask }
        | Command::Reopen { ask, .. } => Needed::Asks(slice::from_ref(ask)),
        Command::Deliver { asks } => Needed::Asks(asks),
    }
}

/// Whether a command makes a session of its name where none holds it, or only an ended one.
pub(super) fn makes_session(command: &Command) -> bool {
    matches!(command, Command::Ask(_) | Command::OpenSession { .. })
}

/// The name that a command means its session by.
pub(super) fn name(order: &Order) -> Option<(&UserId, &str)> {
    match (&order.session, &order.command) {
        (SessionRef::Named { external_id, .. }, _) => Some((&order.actor.user, external_id)),
        (SessionRef::Id(_), Command::OpenSession { external_id: Some(external_id), .. }) => {
            Some((&order.actor.user, external_id))
        }
        _ => None,
    }
}

/// Puts the id of the session that was found, or of a new one, into the command. Returns the id, and
/// what a new session must be opened as before the command.
pub(super) fn aim(order: &mut Order, found: Option<&Session>) -> (Option<SessionId>, Option<Command>) {
    let id = match (&order.session, found) {
        (_, Some(found)) => Some(found.id),
        (SessionRef::Named { fresh, .. }, None) => Some(*fresh),
        (SessionRef::Id(id), None) => Some(*id),
        (SessionRef::OfAsk(_), None) => None,
    };
    let mut opens = None;
    if let SessionRef::Named { external_id, origin, fresh } = &order.session {
        match &mut order.command {
            Command::Ask(new) if found.is_none() => {
                opens = Some(Command::OpenSession {
                    session: *fresh,
                    external_id: Some(external_id.clone()),
                    origin: *origin,
                    total_rounds: new.terms.total_rounds,
                    timing: Timing::default(),
                });
            }
            Command::OpenSession { external_id: name, origin: wanted, .. } => {
                *name = Some(external_id.clone());
                *wanted = *origin;
            }
            Command::EndSession { session } => *session = id.unwrap_or(*session),
            _ => {}
        }
    }
    if let Some(id) = id {
        match &mut order.command {
            Command::Ask(new) => new.session = id,
            Command::OpenSession { session, .. } => *session = id,
            _ => {}
        }
    }
    (id, opens)
}

/// The questions whose answers decide what moves on: those that a new ask waits for, and where something may
/// end those of all pending asks. Nothing else settles a condition.
pub(super) fn conditions(view: &View, command: &Command) -> Vec<QuestionId> {
    let mut named: Vec<QuestionId> = match command {
        Command::Ask(new) => all_conditions(new),
        Command::OpenSession { .. }
        | Command::Save { .. }
        | Command::Hold { .. }
        | Command::TakeBack { .. }
        | Command::Escalate { .. }
        | Command::Deliver { .. }
        | Command::Acknowledge { .. }
        | Command::SayToTask { .. }
        | Command::Tell { .. } => Vec::new(),
        Command::Answer { .. }
        | Command::AnswerOne { .. }
        | Command::AnswerByRule { .. }
        | Command::Decline { .. }
        | Command::Withdraw { .. }
        | Command::Expire { .. }
        | Command::Reopen { .. }
        | Command::Restore { .. }
        | Command::EndSession { .. }
        | Command::StartTask(_)
        | Command::ResumeTask { .. }
        | Command::MoveTask { .. } => {
            let pending = view.open().filter(|ask| ask.state == State::Pending);
            let conditions = pending.flat_map(|ask| condition::on_other_asks(&ask.questions));
            conditions.map(|(_, condition)| condition.question.clone()).collect()
        }
    };
    named.sort();
    named.dedup();
    named
}

/// Every condition of a new ask: ids that we made change their names when the round is known, so
/// which are about other asks is not known yet.
fn all_conditions(new: &NewAsk) -> Vec<QuestionId> {
    let all = new.questions.all().into_iter();
    all.filter_map(|question| question.depends_on.as_ref()).map(|on| on.question.clone()).collect()
}

/// The ids that a new ask gives its questions for the whole session.
pub(super) fn ids_for_session<'a>(new: &'a NewAsk, session: Option<&Arc<Session>>) -> Vec<&'a QuestionId> {
    if !session.is_some_and(|session| new.names_for_session(session)) {
        return Vec::new();
    }
    let all = new.questions.all().into_iter();
    all.filter(|question| question.named_by == NamedBy::Asker).map(|question| &question.id).collect()
}

/// Whether an ask has ended and holds an id for its whole session.
pub(super) fn holds(ask: &Ask, id: &QuestionId) -> bool {
    !ask.is_open() && ask.questions.find(id).is_some_and(|question| question.named_by == NamedBy::Asker)
}

/// How many sessions one goes on from are looked at, of any number of restores in a row.
pub(super) const LINE_MAX: usize = 1000;

/// What the rule book must know of a session that is restored.
pub(super) fn restoring(session: &Arc<Session>, holds_name: bool, at_work: bool) -> Restoring {
    let mut session = Arc::clone(session);
    if !holds_name {
        Arc::make_mut(&mut session).external_id = None;
    }
    Restoring { session, at_work }
}

/// A session from which another has gone on: nothing more is asked in it.
pub(super) fn restored(mut session: Arc<Session>, now: Timestamp) -> Arc<Session> {
    if session.status == SessionStatus::Active {
        let ended = Arc::make_mut(&mut session);
        ended.status = SessionStatus::Completed;
        ended.last_activity = ended.last_activity.max(now);
    }
    session
}

/// The session that a fact belongs to: all of a decision to the same one, but for the end of another.
pub(super) fn session_of(fact: &Fact, session: SessionId) -> SessionId {
    match fact {
        Fact::SessionEnded { session, .. } => *session,
        _ => session,
    }
}

/// Whether the command may make its session count as active, so that the others are counted.
pub(super) fn counts(view: &View, opens: Option<&Command>, command: &Command) -> bool {
    let origin = match (&view.session, opens) {
        (Some(session), _) => Some(session.origin),
        (None, Some(Command::OpenSession { origin, .. })) => Some(*origin),
        (None, _) => None,
    };
    if matches!(command, Command::Restore { .. }) {
        return true;
    }
    matches!(command, Command::Ask(_) | Command::Reopen { .. })
        && origin.is_some_and(|origin| origin != Origin::Derived)
        && view.open().next().is_none()
}

/// Opens the session first where it must be, and decides. The facts of both come out together.
pub(super) fn decision(view: &View, opens: Option<&Command>, order: &Order) -> Result<Decision, Refusal> {
    let Some(opens) = opens else {
        return decide(view, &order.actor, &order.command, order.now);
    };
    let mut opened = decide(view, &order.actor, opens, order.now)?;
    let decided = decide(&opened.after, &order.actor, &order.command, order.now)?;
    opened.facts.extend(decided.facts);
    Ok(Decision { facts: opened.facts, ..decided })
}

/// The questions of an ask that a decision drops.
pub(super) fn dropped(facts: &[Fact], id: AskId) -> Vec<QuestionId> {
    let settled = facts.iter().filter_map(|fact| match fact {
        Fact::Settled { ask, dropped } if *ask == id => Some(dropped),
        _ => None,
    });
    settled.flatten().cloned().collect()
}

/// Not ended.
pub(super) const OPEN: u8 = 0;
const ENDED: u8 = 1;
const HANDED_OVER: u8 = 2;

/// How an ask stands, for the indexes: open, ended and not handed over, handed over.
pub(super) fn standing(state: &State) -> u8 {
    match state {
        State::Pending | State::Showing => OPEN,
        State::Closed(_) => ENDED,
        State::Processing(_) | State::Completed(_) | State::Error(_) => HANDED_OVER,
    }
}

/// Whether the id of a question says that it is of this round. Such a question is found by the round
/// and needs no row of its own.
pub(super) fn says_round(question: &QuestionId, round: u32) -> bool {
    round_said(question) == Some(round)
}

/// The round that an id says, as `r7q1` says 7. Whoever gave it: whether the ask of that round has
/// the question is looked at in any case.
pub(super) fn round_said(question: &QuestionId) -> Option<u32> {
    let (round, _) = question.as_str().strip_prefix('r')?.split_once('q')?;
    round.parse().ok()
}

/// The asks that are meant where a round names the message that it follows, as `parentUuid` does: that of an
/// ask, of its outcome or of what came with it. None where it names no message.
pub(super) fn asks_of_message(name: &QuestionId) -> Vec<AskId> {
    name.as_str().parse::<MessageId>().map_or_else(|_| Vec::new(), |message| message.asks().to_vec())
}

/// Takes what was answered to the secret questions out of an ended ask; false where it has none.
pub(super) fn erase(ask: &mut Ask) -> Result<bool, Refusal> {
    let all = ask.questions.all().into_iter();
    let secret: Vec<QuestionId> =
        all.filter(|question| question.secret).map(|question| question.id.clone()).collect();
    if ask.is_open() {
        return Err(Refusal::StillOpen);
    }
    if secret.is_empty() {
        return Ok(false);
    }
    let sheets = ask.hearing.sheets.iter_mut().flat_map(|sheet| &mut sheet.entries);
    for (_, entry) in ask.entries.iter_mut().chain(sheets).filter(|(id, _)| secret.contains(id)) {
        *entry = Entry::default();
    }
    let late = ask.late.as_mut().map(|(answers, _)| answers);
    let outcome = match &mut ask.state {
        State::Closed(outcome)
        | State::Processing(outcome)
        | State::Completed(outcome)
        | State::Error(outcome) => Some(Arc::make_mut(outcome)),
        State::Pending | State::Showing => None,
    };
    let mut all: Vec<&mut Answers> = late.into_iter().collect();
    all.extend(ask.hearing.voices.iter_mut().filter_map(|voice| voice.answers.as_mut()));
    if let Some(outcome) = outcome {
        all.push(&mut outcome.answers);
        all.extend(outcome.voices.iter_mut().filter_map(|voice| voice.answers.as_mut()));
    }
    let answers = all.into_iter().flat_map(|answers| &mut answers.0);
    for answer in answers.filter(|answer| secret.contains(&answer.question)) {
        answer.picked.clear();
        (answer.text, answer.note) = (None, None);
    }
    Ok(true)
}

/// Whom an ask is for now, as a column: names between line ends, `*` where that is anyone. None where
/// it is its session owner's, as most are.
pub(super) fn people(ask: &Ask) -> Option<String> {
    let audience = ask.terms.audience.as_ref()?;
    let later = audience.escalation.as_ref().filter(|_| ask.hearing.escalated_at.is_some());
    let circles = [Some(&audience.circle), later.map(|escalation| &escalation.to)];
    let circles = circles.into_iter().flatten();
    if circles.clone().any(|circle| circle.anyone) {
        return Some(ANYONE.to_owned());
    }
    let mut names: Vec<&str> = circles.flat_map(Circle::members).map(UserId::as_str).collect();
    names.sort_unstable();
    names.dedup();
    Some(names.iter().fold("\n".to_owned(), |all, name| all + name + "\n"))
}

/// Whoever may come in as a person.
const ANYONE: &str = "\n*\n";

/// Reads the column.
pub(super) fn read_people(column: Option<&str>) -> Option<People> {
    let column = column?;
    if column == ANYONE {
        return Some(People::Anyone);
    }
    Some(People::Some(column.split('\n').filter(|name| !name.is_empty()).map(UserId::new).collect()))
}

/// What to look for in the column to find what is for this person by name, or for anyone.
pub(super) fn for_person(user: &UserId) -> (String, &'static str) {
    (format!("\n{user}\n"), ANYONE)
}
