//! Short ids: what is meant by a part of an id, and what there is to be meant.

use askuser_core::problem::Fault;
use serde_json::Value;

use super::failing::wrong_field;
use super::visit::Visit;
use askuser_api::asks::{IdKind as Named, Thing as Told, Things};
use askuser_desk::{IdKind, IdsOf, Thing};
use askuser_wire::failure::Failure;
use askuser_wire::time;

/// `GET /api/ids[?kind=ask|session|task|rule][&part=TYPED][&open=true]`
pub(super) async fn show(visit: Visit) -> Result<Things, Failure> {
    let word = visit.query("kind").unwrap_or("ask");
    let kind = IdKind::NAMES.into_iter().find(|(name, _)| *name == word).map(|(_, kind)| kind);
    let kind = kind.ok_or_else(|| {
        let expected = IdKind::NAMES.map(|(name, _)| name.to_owned()).to_vec();
        wrong_field("kind", Fault::NotOneOf { expected, received: word.to_owned() })
    })?;
    let actor = match kind {
        IdKind::Ask | IdKind::Session => visit.reader()?,
        IdKind::Task | IdKind::Rule => visit.person()?,
    };
    let found = match visit.query("part") {
        Some(typed) => visit.desk().meant(&actor, kind, typed).await?,
        None => visit.desk().things(&actor, kind, visit.query("open") == Some("true")).await?,
    };
    let kind = match kind {
        IdKind::Ask => Named::Ask,
        IdKind::Session => Named::Session,
        IdKind::Task => Named::Task,
        IdKind::Rule => Named::Rule,
    };
    Ok(Things { kind, ids: found.things.into_iter().map(written).collect(), more: found.more })
}

fn written(thing: Thing) -> Told {
    let Thing { id, short_id, text, about, at, open, .. } = thing;
    Told { id, short_id, text, about, at: time::write(at), open }
}

/// Returns the short ids of what a list shows, where the caller wants them: to find them, all the ids there are have
/// to be gone through.
pub(super) async fn short_ids(
    visit: &Visit,
    of: IdsOf,
    ids: impl Iterator<Item = u128>,
) -> Result<Vec<Option<String>>, Failure> {
    let ids: Vec<u128> = ids.collect();
    if visit.query("short_ids") != Some("true") {
        return Ok(vec![None; ids.len()]);
    }
    Ok(visit.desk().short_ids(of, &ids).await?.into_iter().map(Some).collect())
}

/// Puts a short id into what a list tells.
pub(super) fn with_short_id((mut told, short_id): (Value, Option<String>)) -> Value {
    if let (Some(fields), Some(short_id)) = (told.as_object_mut(), short_id) {
        fields.insert("short_id".to_owned(), short_id.into());
    }
    told
}
