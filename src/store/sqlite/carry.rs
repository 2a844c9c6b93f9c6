//! Carries out one command inside the batch's transaction: load, decide, write.

use std::sync::Arc;

use askuser_core::ask::{Ask, State};
use askuser_core::decide::{Decision, decide};
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, QuestionId};
use askuser_core::limits::DeskLimits;
use rusqlite::{Connection, OptionalExtension, params};

use super::ask::{self, standing, weight};
use super::error::Fail;
use super::fact::{self, NewFact};
use super::hot::{Hot, HotSession};
use super::latest::Changed;
use super::scene::{self, Scene};
use super::session;
use crate::store::chain::Salts;
use crate::store::row::{self, LateRow, OutcomeRow, Sheet, StateWord};
use crate::store::{Committed, Head, Numbered, Order, StoreError};

/// What the writer works with besides the connection.
pub(super) struct Desk {
    pub(super) limits: DeskLimits,
    pub(super) hot: Hot,
    pub(super) salts: Salts,
    /// The head as this transaction sees it.
    pub(super) head: Head,
    /// The asks that this transaction changed, in order.
    pub(super) changed: Vec<Changed>,
}

/// Carries out a command. A refusal has written nothing.
pub(super) fn carry_out(db: &Connection, desk: &mut Desk, order: &mut Order) -> Result<Committed, Fail> {
    let mut scene = scene::load(db, &mut desk.hot, desk.limits, order)?;
    let decided = decision(&mut scene, order);
    let decided = match decided {
        Ok(decided) => decided,
        Err(refusal) => {
            // Nothing has changed, so what was in memory still holds.
            scene.hot.into_iter().for_each(|hot| desk.hot.put(hot));
            return Err(refusal.into());
        }
    };
    if decided.facts.is_empty() || (decided.joined && scene.hot.is_none()) {
        return unchanged(db, desk, scene, &decided);
    }
    write(db, desk, scene, order, decided).map_err(Fail::after_writing)
}

/// Opens the session first where it must be, and decides. The facts of both come out together.
fn decision(scene: &mut Scene, order: &Order) -> Result<Decision, askuser_core::decide::Refusal> {
    let Some(opens) = &scene.opens else {
        return decide(&scene.view, &order.actor, &order.command, order.now);
    };
    let mut opened = decide(&scene.view, &order.actor, opens, order.now)?;
    let mut view = scene.view.clone();
    opened.facts.iter().for_each(|fact| view.apply(fact, order.now));
    let decided = decide(&view, &order.actor, &order.command, order.now)?;
    opened.facts.extend(decided.facts);
    Ok(Decision { facts: opened.facts, ..decided })
}

/// A command that changed nothing: a repeated ask, an outcome taken twice.
fn unchanged(db: &Connection, desk: &mut Desk, scene: Scene, decided: &Decision) -> Result<Committed, Fail> {
    let here = decided.ask.and_then(|id| scene.view.asks.iter().find(|ask| ask.id == id).cloned());
    let mut session = scene.view.session;
    scene.hot.into_iter().for_each(|hot| desk.hot.put(hot));
    let ask = match (here, decided.ask) {
        (Some(ask), _) => Some(ask),
        (None, None) => None,
        // The same key in another session of the owner.
        (None, Some(id)) => {
            let ask = ask::by_id(db, id)?.map(|found| found.ask);
            if let Some(ask) = &ask {
                session = session::by_id(db, ask.session)?.map(|found| found.session);
            }
            ask
        }
    };
    Ok(Committed { facts: Vec::new(), ask, session, joined: decided.joined })
}

fn write(
    db: &Connection,
    desk: &mut Desk,
    mut scene: Scene,
    order: &Order,
    decided: Decision,
) -> Result<Committed, Fail> {
    let before = scene.view.asks.clone();
    for fact in &decided.facts {
        scene.view.apply(fact, order.now);
    }
    let Some(session) = scene.view.session.clone() else {
        return Err(StoreError::Damaged("a decision about no session".to_owned()).into());
    };
    let n_open = scene.view.open().count();
    let mut hot = match scene.hot.take() {
        Some(hot) => {
            session::update(db, hot.n, &session, n_open)?;
            hot
        }
        None => {
            if let Some(old) = scene.superseded {
                session::supersede(db, old)?;
            }
            HotSession::new(session::insert(db, &session, n_open)?, session.clone(), Vec::new())
        }
    };
    let payloads =
        decided.facts.iter().map(|fact| row::payload(session.id, fact)).collect::<Result<Vec<_>, _>>()?;
    let number_of = |idx: usize| desk.head.number + 1 + idx as u64;
    for (idx, now) in scene.view.asks.iter().enumerate() {
        let (n, bytes) = match (before.get(idx), scene.ns.get(idx)) {
            (Some(was), Some((n, bytes))) => {
                if Arc::ptr_eq(was, now) {
                    continue;
                }
                let closed = position(&decided.facts, now.id, is_closed).map(number_of);
                update_ask(db, *n, hot.n, was, now, closed)?;
                (*n, *bytes)
            }
            _ => {
                let asked = position(&decided.facts, now.id, |fact| matches!(fact, Fact::Asked(_)));
                let body = asked.and_then(|idx| payloads.get(idx)).map_or("", String::as_str);
                let closed = position(&decided.facts, now.id, is_closed).map(number_of);
                (insert_ask(db, hot.n, now, body, &dropped(&decided.facts, now.id), closed)?, weight(body))
            }
        };
        hot.put(n, now, bytes);
        desk.changed.push((now.id, Some((Arc::clone(now), bytes))));
        if idx >= scene.ns.len() {
            scene.ns.push((n, bytes));
        }
    }
    hot.session = session.clone();
    let facts = add_facts(db, desk, &scene, &hot, order, decided.facts, &payloads)?;
    let ask = match decided.ask {
        Some(id) => match scene.view.asks.iter().find(|ask| ask.id == id) {
            Some(ask) => Some(Arc::clone(ask)),
            None => ask::by_id(db, id)?.map(|found| found.ask),
        },
        None => None,
    };
    desk.hot.put(hot);
    Ok(Committed { facts, ask, session: Some(session), joined: decided.joined })
}

fn add_facts(
    db: &Connection,
    desk: &mut Desk,
    scene: &Scene,
    hot: &HotSession,
    order: &Order,
    facts: Vec<Fact>,
    payloads: &[String],
) -> Result<Vec<Numbered>, Fail> {
    let mut numbered = Vec::with_capacity(facts.len());
    for (fact, payload) in facts.into_iter().zip(payloads) {
        let ask = fact.ask();
        let place = ask.and_then(|id| scene.view.asks.iter().position(|ask| ask.id == id));
        let no_salt = |error| StoreError::Unavailable(format!("the system has no random numbers: {error}"));
        let new = NewFact {
            at: order.now,
            kind: row::kind(&fact),
            session_n: hot.n,
            ask_n: place.and_then(|idx| scene.ns.get(idx)).map(|(n, _)| *n),
            salt: desk.salts.draw().map_err(no_salt)?,
            payload,
            is_body: matches!(fact, Fact::Asked(_)),
        };
        desk.head = fact::add(db, &desk.head, &new)?;
        numbered.push(Numbered {
            number: desk.head.number,
            at: order.now,
            owner: hot.session.owner.clone(),
            session: hot.session.id,
            ask,
            fact: Some(Arc::new(fact)),
        });
    }
    Ok(numbered)
}

fn is_closed(fact: &Fact) -> bool {
    matches!(fact, Fact::Closed { .. })
}

/// Where among the facts of a decision one about this ask stands.
fn position(facts: &[Fact], ask: AskId, is: impl Fn(&Fact) -> bool) -> Option<usize> {
    facts.iter().position(|fact| is(fact) && fact.ask() == Some(ask))
}

fn dropped(facts: &[Fact], id: AskId) -> Vec<QuestionId> {
    let settled = facts.iter().filter_map(|fact| match fact {
        Fact::Settled { ask, dropped } if *ask == id => Some(dropped),
        _ => None,
    });
    settled.flatten().cloned().collect()
}

fn insert_ask(
    db: &Connection,
    session_n: i64,
    ask: &Ask,
    body: &str,
    dropped: &[QuestionId],
    closed: Option<u64>,
) -> Result<i64, Fail> {
    let sheet = Sheet::of(ask);
    db.prepare_cached(
        "INSERT INTO ask (id, session, owner, round, depth, standing, state, deadline, idempotency_key,
         closed, outcome, sheet, dropped) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?
    .execute(params![
        ask.id.0.to_be_bytes(),
        session_n,
        ask.owner.as_str(),
        ask.round,
        ask.depth,
        standing(&ask.state),
        StateWord::of(&ask.state).name(),
        ask.deadline.map(|deadline| deadline.0),
        ask.terms.idempotency_key,
        closed,
        ask.state.outcome().map(|outcome| row::write(&OutcomeRow::from(outcome))).transpose()?,
        (!sheet.is_empty()).then(|| row::write(&sheet)).transpose()?,
        (!dropped.is_empty()).then(|| row::write_ids(dropped.iter())).transpose()?,
    ])?;
    let n = db.last_insert_rowid();
    db.prepare_cached("INSERT INTO ask_body (n, body) VALUES (?1, ?2)")?.execute((n, body))?;
    let mut statement =
        db.prepare_cached("INSERT OR IGNORE INTO ask_question (session, question, ask) VALUES (?1, ?2, ?3)")?;
    for question in ask.questions.all() {
        statement.execute((session_n, question.id.as_str(), n))?;
    }
    Ok(n)
}

/// Writes what has changed of an ask and nothing else.
fn update_ask(
    db: &Connection,
    n: i64,
    session_n: i64,
    was: &Ask,
    now: &Ask,
    closed: Option<u64>,
) -> Result<(), Fail> {
    let (had, has) = (StateWord::of(&was.state), StateWord::of(&now.state));
    if was.is_open()
        && let Some(outcome) = now.state.outcome()
    {
        db.prepare_cached(
            "UPDATE ask SET standing = ?2, state = ?3, outcome = ?4, closed = ?5 WHERE n = ?1",
        )?
        .execute(params![
            n,
            standing(&now.state),
            has.name(),
            row::write(&OutcomeRow::from(outcome))?,
            closed
        ])?;
    } else if had != has {
        db.prepare_cached("UPDATE ask SET standing = ?2, state = ?3 WHERE n = ?1")?.execute((
            n,
            standing(&now.state),
            has.name(),
        ))?;
    }
    if was.entries != now.entries || was.submitted != now.submitted {
        write_sheet(db, n, now)?;
    }
    if let Some((answers, by)) = now.late.as_ref().filter(|_| was.late != now.late) {
        db.prepare_cached("UPDATE ask SET late = ?2 WHERE n = ?1")?
            .execute((n, row::write(&LateRow::new(answers, by))?))?;
    }
    if !Arc::ptr_eq(&was.questions, &now.questions) {
        drop_questions(db, n, session_n, was, now)?;
    }
    Ok(())
}

pub(super) fn write_sheet(db: &Connection, n: i64, ask: &Ask) -> Result<(), Fail> {
    db.prepare_cached("UPDATE ask SET sheet = ?2 WHERE n = ?1")?
        .execute((n, row::write(&Sheet::of(ask))?))?;
    Ok(())
}

/// Notes which questions were dropped, and forgets that the ask has them.
fn drop_questions(db: &Connection, n: i64, session_n: i64, was: &Ask, now: &Ask) -> Result<(), Fail> {
    let gone = was.questions.all().into_iter().map(|question| &question.id).filter(|id| !now.has(id));
    let gone: Vec<&QuestionId> = gone.collect();
    let earlier: Option<Option<String>> = db
        .prepare_cached("SELECT dropped FROM ask WHERE n = ?1")?
        .query_row([n], |row| row.get(0))
        .optional()?;
    let earlier = earlier.flatten().map(|list| row::read_ids(&list)).transpose();
    let earlier = earlier.map_err(|wrong| wrong.at(format_args!("ask {}", now.id)))?.unwrap_or_default();
    let all = row::write_ids(earlier.iter().chain(gone.iter().copied()))?;
    db.prepare_cached("UPDATE ask SET dropped = ?2 WHERE n = ?1")?.execute((n, all))?;
    let mut statement =
        db.prepare_cached("DELETE FROM ask_question WHERE session = ?1 AND question = ?2 AND ask = ?3")?;
    for question in gone {
        statement.execute((session_n, question.as_str(), n))?;
    }
    Ok(())
}

/// Erases what was answered to the secret questions of an ended ask.
pub(super) fn erase_secrets(db: &Connection, desk: &mut Desk, id: AskId) -> Result<u64, Fail> {
    let Some(found) = ask::by_id(db, id)? else {
        return Err(askuser_core::decide::Refusal::AskNotFound.into());
    };
    let mut ask = (*found.ask).clone();
    let all = ask.questions.all().into_iter();
    let secret: Vec<QuestionId> =
        all.filter(|question| question.secret).map(|question| question.id.clone()).collect();
    if ask.is_open() {
        return Err(askuser_core::decide::Refusal::StillOpen.into());
    }
    if secret.is_empty() {
        return Ok(0);
    }
    desk.hot.take(ask.session);
    desk.changed.push((id, None));
    for (_, entry) in ask.entries.iter_mut().filter(|(id, _)| secret.contains(id)) {
        *entry = askuser_core::entry::Entry::default();
    }
    let late = ask.late.as_mut().map(|(answers, _)| answers);
    let outcome = match &mut ask.state {
        State::Closed(outcome)
        | State::Processing(outcome)
        | State::Completed(outcome)
        | State::Error(outcome) => Some(outcome),
        State::Pending | State::Showing => None,
    };
    let answers = late.into_iter().chain(outcome.into_iter().map(|outcome| &mut outcome.answers));
    for answer in
        answers.flat_map(|answers| &mut answers.0).filter(|answer| secret.contains(&answer.question))
    {
        answer.picked.clear();
        (answer.text, answer.note) = (None, None);
    }
    write_sheet(db, found.n, &ask)?;
    let outcome = ask.state.outcome().map(|outcome| row::write(&OutcomeRow::from(outcome))).transpose()?;
    let late = ask.late.as_ref().map(|(answers, by)| row::write(&LateRow::new(answers, by))).transpose()?;
    db.prepare_cached("UPDATE ask SET outcome = ?2, late = ?3 WHERE n = ?1")?
        .execute((found.n, outcome, late))?;
    let session = session::by_id(db, ask.session)?;
    session.map_or(Ok(0), |session| fact::erase_answers(db, session.n, found.n))
}
