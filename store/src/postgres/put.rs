//! Writes asks: whole batches in one statement each.

use askuser_core::ask::Ask;
use askuser_core::id::{AskId, QuestionId};

use super::db::{Client, Params, clean, run};
use crate::StoreError;
use crate::fail::Fail;
use crate::plan;
use crate::row::{self, LateRow, OutcomeRow, Sheet, StateWord};
use crate::sql::asks::Found;

pub(super) const ASKS: &str = "INSERT INTO ask (id, session, owner, round, depth, standing, state, deadline,
        idempotency_key, closed, ended_at, outcome, sheet, late, dropped, people)
    SELECT * FROM unnest($1::BYTEA[], $2::BYTEA[], $3::TEXT[], $4::BIGINT[], $5::BIGINT[], $6::SMALLINT[],
        $7::TEXT[], $8::BIGINT[], $9::TEXT[], $10::BIGINT[], $11::BIGINT[], $12::TEXT[], $13::TEXT[], $14::TEXT[],
        $15::TEXT[], $16::TEXT[])
    ON CONFLICT (id) DO UPDATE SET session = excluded.session, standing = excluded.standing, state = excluded.state,
        closed = excluded.closed, ended_at = excluded.ended_at, outcome = excluded.outcome,
        sheet = excluded.sheet, late = excluded.late, dropped = excluded.dropped, deadline = excluded.deadline,
        people = excluded.people";

pub(super) const BODIES: &str =
    "INSERT INTO ask_body (ask, body) SELECT * FROM unnest($1::BYTEA[], $2::TEXT[])";

pub(super) const QUESTIONS: &str = "INSERT INTO ask_question (session, question, ask)
    SELECT * FROM unnest($1::BYTEA[], $2::TEXT[], $3::BYTEA[]) ON CONFLICT DO NOTHING";

const NO_QUESTIONS: &str = "DELETE FROM ask_question q
    USING unnest($1::BYTEA[], $2::TEXT[], $3::BYTEA[]) AS gone (session, question, ask)
    WHERE q.session = gone.session AND q.question = gone.question AND q.ask = gone.ask";

/// The columns of an ask that are texts of our own.
struct Texts {
    outcome: Option<String>,
    sheet: Option<String>,
    late: Option<String>,
    dropped: Option<String>,
    people: Option<String>,
}

impl Texts {
    fn of(found: &Found) -> Result<Self, StoreError> {
        let (ask, sheet) = (&found.ask, Sheet::of(&found.ask));
        let outcome = ask.state.outcome().map(|outcome| row::write(&OutcomeRow::from(outcome)));
        let late = ask.late.as_ref().map(|(answers, by)| row::write(&LateRow::new(answers, by)));
        let dropped = &found.dropped;
        Ok(Self {
            outcome: outcome.transpose()?,
            sheet: (!sheet.is_empty()).then(|| row::write(&sheet)).transpose()?,
            late: late.transpose()?,
            people: plan::people(ask),
            dropped: (!dropped.is_empty()).then(|| row::write_ids(dropped.iter())).transpose()?,
        })
    }
}

/// Writes asks, new ones and changed ones, in this order.
pub(super) async fn asks(db: &Client, written: &[&Found]) -> Result<(), Fail> {
    if written.is_empty() {
        return Ok(());
    }
    let ids: Vec<[u8; 16]> = written.iter().map(|it| it.ask.id.0.to_be_bytes()).collect();
    let sessions: Vec<[u8; 16]> = written.iter().map(|it| it.ask.session.0.to_be_bytes()).collect();
    let texts = written.iter().map(|it| Texts::of(it)).collect::<Result<Vec<_>, _>>()?;
    macro_rules! column {
        ($ask:ident => $value:expr) => {
            written.iter().map(|it| &it.ask).map(|$ask| $value).collect::<Vec<_>>()
        };
    }
    macro_rules! text {
        ($field:ident) => {
            texts.iter().map(|text| text.$field.as_deref()).collect::<Vec<_>>()
        };
    }
    let params: &Params<'_> = &[
        &ids.iter().map(|id| &id[..]).collect::<Vec<_>>(),
        &sessions.iter().map(|id| &id[..]).collect::<Vec<_>>(),
        &column!(ask => ask.owner.as_str()),
        &column!(ask => i64::from(ask.round)),
        &column!(ask => i64::from(ask.depth)),
        &column!(ask => i16::from(plan::standing(&ask.state))),
        &column!(ask => StateWord::of(&ask.state).name()),
        &column!(ask => ask.next_alarm().map(|alarm| alarm.0)),
        &column!(ask => ask.terms.idempotency_key.as_deref()),
        &written.iter().map(|it| it.closed).collect::<Vec<_>>(),
        &column!(ask => ask.state.outcome().map(|outcome| outcome.at.0)),
        &text!(outcome),
        &text!(sheet),
        &text!(late),
        &text!(dropped),
        &text!(people),
    ];
    run(db, ASKS, params).await.map(|_| ())
}

/// Writes what new asks ask.
pub(super) async fn bodies(db: &Client, written: &[(AskId, &str)]) -> Result<(), Fail> {
    if written.is_empty() {
        return Ok(());
    }
    let ids: Vec<[u8; 16]> = written.iter().map(|(id, _)| id.0.to_be_bytes()).collect();
    let ids: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
    let bodies: Vec<&str> = written.iter().map(|(_, body)| *body).collect();
    run(db, BODIES, &[&ids, &bodies]).await.map(|_| ())
}

/// Notes which questions new asks have. Most are named after their round, and need no row.
pub(super) async fn questions(db: &Client, new: &[&Ask]) -> Result<(), Fail> {
    let all = new.iter().flat_map(|ask| ask.questions.all().into_iter().map(|question| (*ask, &question.id)));
    let named: Vec<_> = all.filter(|(ask, id)| !plan::says_round(id, ask.round)).collect();
    each_question(db, QUESTIONS, &named).await
}

/// Has the questions of asks found in the sessions that those were moved to.
pub(super) async fn moved(db: &Client, asks: &[AskId]) -> Result<(), Fail> {
    if asks.is_empty() {
        return Ok(());
    }
    let ids: Vec<[u8; 16]> = asks.iter().map(|id| id.0.to_be_bytes()).collect();
    let ids: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
    let sql = "UPDATE ask_question q SET session = a.session FROM ask a
         WHERE a.id = ANY ($1::BYTEA[]) AND q.ask = a.id";
    run(db, sql, &[&ids]).await.map(|_| ())
}

/// Forgets that asks have questions that were dropped.
pub(super) async fn no_questions(db: &Client, gone: &[(&Ask, &QuestionId)]) -> Result<(), Fail> {
    each_question(db, NO_QUESTIONS, gone).await
}

async fn each_question(db: &Client, sql: &str, of: &[(&Ask, &QuestionId)]) -> Result<(), Fail> {
    if of.is_empty() {
        return Ok(());
    }
    let sessions: Vec<[u8; 16]> = of.iter().map(|(ask, _)| ask.session.0.to_be_bytes()).collect();
    let ids: Vec<[u8; 16]> = of.iter().map(|(ask, _)| ask.id.0.to_be_bytes()).collect();
    let questions: Vec<_> = of.iter().map(|(_, question)| clean(question.as_str())).collect();
    let sessions: Vec<&[u8]> = sessions.iter().map(|id| &id[..]).collect();
    let ids: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
    run(db, sql, &[&sessions, &questions, &ids]).await.map(|_| ())
}
