//! Asks.

use std::sync::Arc;

use askuser_core::answer::Answer;
use askuser_core::ask::Ask;
use askuser_core::id::{AskId, QuestionId, SessionId, UserId};
use askuser_core::outcome::Outcome;
use askuser_core::time::Timestamp;

use super::sessions::Line;
use crate::db::{Cell, Database, Db, Row, cells, places};
use crate::fail::Fail;
use crate::row::{self, Body, Filled, LateRow, OutcomeRow, Sheet, StateWord};
use crate::{AskStore, Later, StoreError, plan};

/// What an ask is read from.
pub(crate) const SELECT: &str = "SELECT a.id, a.state, a.outcome, a.sheet, a.late, a.dropped, b.body, a.closed, a.session, a.n \
     FROM ask a JOIN ask_body b ON b.ask = a.id";

/// An ask and what else is stored of it.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Where it stands in the order of asking.
    pub(crate) n: i64,
    pub(crate) ask: Arc<Ask>,
    /// Questions that need not be asked.
    pub(crate) dropped: Vec<QuestionId>,
    /// Which of the session's asks it was to end.
    pub(crate) closed: Option<i64>,
    /// About how much memory it takes.
    pub(crate) bytes: usize,
}

/// About how much memory an ask takes, given the text it was read from.
pub(crate) fn weight(body: &str) -> usize {
    2 * body.len() + 1024
}

impl<D: Database> AskStore for D {
    fn ask(&self, id: AskId) -> Later<'_, Option<Arc<Ask>>> {
        if let Some(ask) = self.latest(id) {
            return Box::pin(std::future::ready(Ok(Some(ask))));
        }
        self.read(id, |db, id| Box::pin(async move { Ok(by_id(db, *id).await?.map(|found| found.ask)) }))
    }

    fn asks_of(&self, session: SessionId, after_round: u32, limit: usize) -> Later<'_, Vec<Arc<Ask>>> {
        self.read((session, after_round, limit), |db, (session, after_round, limit)| {
            Box::pin(async move {
                let sql = format!(
                    "{} {SELECT} WHERE {} AND a.round > ?2 ORDER BY a.round, a.n LIMIT ?3",
                    db.thread("0"),
                    db.asks_in_session()
                );
                asks(db, &sql, cells![*session, *after_round, *limit]).await
            })
        })
    }

    fn inbox(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Arc<Ask>>> {
        self.read((user.clone(), limit), |db, (user, limit)| {
            Box::pin(async move {
                // What is for this person is chosen before its text is read.
                let sql = "SELECT a.id, a.state, a.outcome, a.sheet, a.late, a.dropped, b.body, a.closed, a.session,
                        a.n
                    FROM (SELECT id, n FROM ask WHERE owner = ?1 AND standing = 0 AND people IS NULL
                        UNION ALL SELECT id, n FROM ask WHERE standing = 0 AND people IS NOT NULL
                            AND (replace(people, ?2, '') <> people OR people = ?3)
                        ORDER BY n LIMIT ?4) mine
                    JOIN ask a ON a.id = mine.id JOIN ask_body b ON b.ask = a.id ORDER BY a.n";
                let (by_name, anyone) = plan::for_person(user);
                asks(db, sql, cells![user, &by_name, anyone, *limit]).await
            })
        })
    }

    fn open_in(&self, session: SessionId) -> Later<'_, Vec<Arc<Ask>>> {
        self.read(session, |db, session| {
            Box::pin(
                async move { Ok(open_in(db, *session).await?.into_iter().map(|found| found.ask).collect()) },
            )
        })
    }

    fn open_asks(&self, after: Option<AskId>, limit: usize) -> Later<'_, Vec<Arc<Ask>>> {
        self.read((after, limit), |db, (after, limit)| Box::pin(open(db, *after, *limit)))
    }

    fn due(&self, now: Timestamp, limit: usize) -> Later<'_, Vec<AskId>> {
        self.read((now, limit), |db, (now, limit)| {
            Box::pin(async move {
                let sql = "SELECT id FROM ask WHERE standing = 0 AND deadline IS NOT NULL AND deadline <= ?1
                     ORDER BY deadline LIMIT ?2";
                db.rows(sql, cells![*now, *limit], |row| row.get(0)).await
            })
        })
    }

    fn next_deadline(&self) -> Later<'_, Option<Timestamp>> {
        self.read((), |db, ()| {
            Box::pin(async move {
                let sql = "SELECT min(deadline) FROM ask WHERE standing = 0 AND deadline IS NOT NULL";
                db.value(sql, &[]).await
            })
        })
    }
}

/// Goes through the index of open asks, which is by owner and then by age.
async fn open(db: Db<'_>, after: Option<AskId>, limit: usize) -> Result<Vec<Arc<Ask>>, Fail> {
    let Some(after) = after else {
        let sql = format!("{SELECT} WHERE a.standing = 0 ORDER BY a.owner, a.n LIMIT ?1");
        return asks(db, &sql, cells![limit]).await;
    };
    let last = |row: &Row<'_>| Ok((row.get::<UserId>(0)?, row.get::<i64>(1)?));
    let last = db.one("SELECT owner, n FROM ask WHERE id = ?1", cells![after], last).await?;
    let Some((owner, n)) = last else { return Ok(Vec::new()) };
    let sql =
        format!("{SELECT} WHERE a.standing = 0 AND (a.owner, a.n) > (?1, ?2) ORDER BY a.owner, a.n LIMIT ?3");
    asks(db, &sql, cells![&owner, n, limit]).await
}

pub(crate) async fn by_id(db: Db<'_>, id: AskId) -> Result<Option<Found>, Fail> {
    db.one(&format!("{SELECT} WHERE a.id = ?1"), cells![id], read).await
}

/// The open asks of a session, in the order of asking.
pub(crate) async fn open_in(db: Db<'_>, session: SessionId) -> Result<Vec<Found>, Fail> {
    let sql =
        format!("{SELECT} WHERE a.session = ?1 AND a.standing = 0 AND a.standing < 2 ORDER BY a.round, a.n");
    db.rows(&sql, cells![session], read).await
}

/// The asks of a session whose outcome nobody fetched.
pub(crate) async fn unfetched_in(db: Db<'_>, session: SessionId) -> Result<Vec<Found>, Fail> {
    let sql =
        format!("{SELECT} WHERE a.session = ?1 AND a.standing = 1 AND a.standing < 2 ORDER BY a.round, a.n");
    db.rows(&sql, cells![session], read).await
}

/// The latest asks of a session that ended and were never handed over, oldest first.
pub(crate) async fn missed_in(db: Db<'_>, session: SessionId) -> Result<Vec<Found>, Fail> {
    let sql = format!(
        "{SELECT} WHERE a.session = ?1 AND a.standing = 1 AND a.standing < 2 ORDER BY a.round DESC, a.n DESC LIMIT ?2"
    );
    let mut found = db.rows(&sql, cells![session, plan::MISSED_MAX], read).await?;
    found.reverse();
    Ok(found)
}

/// The latest ask of a session that has a question of this id.
pub(crate) async fn latest_having(
    db: Db<'_>,
    line: &Line,
    question: &QuestionId,
) -> Result<Option<Found>, Fail> {
    for (session, until) in line {
        let found = may_have(db, *session, *until, &[question]).await?;
        if let Some(found) = found.into_iter().rev().find(|found| found.ask.has(question)) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Those of these ids that an ended question of the session has for good, among what is written and among these.
pub(crate) async fn taken(
    db: Db<'_>,
    line: &Line,
    ids: &[&QuestionId],
    also: &[Arc<Ask>],
) -> Result<Vec<QuestionId>, Fail> {
    let mut all = also.to_vec();
    for (session, until) in line.iter().filter(|_| !ids.is_empty()) {
        all.extend(may_have(db, *session, *until, ids).await?.into_iter().map(|found| found.ask));
    }
    let is_taken = |id: &&&QuestionId| all.iter().any(|ask| plan::holds(ask, id));
    Ok(ids.iter().filter(is_taken).map(|id| (**id).clone()).collect())
}

/// The asks of one session of a line that may have one of these questions, in the order of asking; of a session
/// that it goes on from what had ended by then.
async fn may_have(
    db: Db<'_>,
    session: SessionId,
    until: Timestamp,
    questions: &[&QuestionId],
) -> Result<Vec<Found>, Fail> {
    let mut names: Vec<Cell<'_>> = questions.iter().map(|question| question.as_str().into()).collect();
    let mut rounds: Vec<Cell<'_>> =
        questions.iter().filter_map(|question| plan::round_said(question)).map(Cell::from).collect();
    let mut given = vec![session.into()];
    let mut sql = format!(
        "SELECT ask FROM ask_question WHERE session = ?1 AND question IN ({})",
        places(2, &mut names)
    );
    given.extend(names);
    if !rounds.is_empty() {
        sql = format!(
            "{} {sql} UNION SELECT a.id FROM ask a WHERE {} AND a.round IN ({})",
            db.thread("0"),
            db.asks_in_session(),
            places(given.len() + 1, &mut rounds)
        );
        given.extend(rounds);
    }
    let ids: Vec<AskId> = db.rows(&sql, &given, |row| row.get(0)).await?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut ids: Vec<Cell<'_>> = ids.into_iter().map(Cell::from).collect();
    let sql = format!("{SELECT} WHERE a.id IN ({}) ORDER BY a.round, a.n", places(1, &mut ids));
    let mut found = db.rows(&sql, &ids, read).await?;
    found.retain(|found| until == FOR_EVER || found.ask.has_ended_by(until));
    Ok(found)
}

/// The end of the session itself, which is not over.
pub(crate) const FOR_EVER: Timestamp = Timestamp(i64::MAX);

/// The latest answer in a session to a question: that of the ask that ended last.
pub(crate) async fn latest_answer(
    db: Db<'_>,
    line: &Line,
    question: &QuestionId,
) -> Result<Option<Answer>, Fail> {
    for (session, until) in line {
        let mut found = may_have(db, *session, *until, &[question]).await?;
        found.retain(|found| found.closed.is_some());
        found.sort_by_key(|found| found.closed);
        let answer = |found: &Found| found.ask.state.outcome()?.answers.to(question).cloned();
        if let Some(answer) = found.iter().rev().find_map(answer) {
            return Ok(Some(answer));
        }
    }
    Ok(None)
}

/// How deep the round is that another names as its parent: the latest that has this question, else the one
/// whose message it is.
pub(crate) async fn depth_of(
    db: Db<'_>,
    (line, session): (&Line, SessionId),
    parent: &QuestionId,
) -> Result<Option<u32>, Fail> {
    let mut found = latest_having(db, line, parent).await?;
    for id in plan::asks_of_message(parent) {
        if found.is_none() {
            found = by_id(db, id).await?.filter(|found| found.ask.session == session);
        }
    }
    Ok(found.map(|found| found.ask.depth))
}

async fn asks(db: Db<'_>, sql: &str, params: &[Cell<'_>]) -> Result<Vec<Arc<Ask>>, Fail> {
    db.rows(sql, params, |row| Ok(read(row)?.ask)).await
}

/// Reads an ask from the columns of `SELECT`.
pub(crate) fn read(row: &Row<'_>) -> Result<Found, Fail> {
    let id: AskId = row.get(0)?;
    let wrong = |wrong: row::Wrong| wrong.at(format_args!("ask {id}"));
    let body: &str = row.get(6)?;
    let mut ask: Ask = row::read::<Body<'_>, _>(body).map_err(wrong)?;
    // Its body says where it was asked: a restored session takes what is open.
    ask.session = row.get(8)?;
    let word: &str = row.get(1)?;
    let word = StateWord::ALL.into_iter().find(|state| state.name() == word);
    let word = word.ok_or_else(|| StoreError::Damaged(format!("ask {id}: its state has no such word")))?;
    let outcome: Option<&str> = row.get(2)?;
    let outcome = outcome.map(row::read::<OutcomeRow<'_>, Outcome>).transpose().map_err(wrong)?;
    ask.state = word.state(outcome).map_err(wrong)?;
    if let Some(sheet) = row.get::<Option<&str>>(3)? {
        row::read::<Sheet<'_>, Filled>(sheet).map_err(wrong)?.fill(&mut ask);
    }
    if let Some(late) = row.get::<Option<&str>>(4)? {
        ask.late = Some(row::read::<LateRow<'_>, _>(late).map_err(wrong)?);
    }
    let dropped: Option<&str> = row.get(5)?;
    let dropped = dropped.map(row::read_ids).transpose().map_err(wrong)?.unwrap_or_default();
    if !dropped.is_empty() {
        ask.questions = Arc::new(Arc::unwrap_or_clone(ask.questions).without(&dropped));
    }
    Ok(Found { n: row.get(9)?, bytes: weight(body), ask: Arc::new(ask), dropped, closed: row.get(7)? })
}
