//! Short ids: what is meant by a part of an id, and what there is to be meant.

use serde_json::Value;

use super::visit::Visit;
use askuser_api::asks::{IdKind as Named, Ids, Meant, Thing as Told, Things};
use askuser_desk::{Desk, IdKind, IdsOf, Thing};
use askuser_wire::failure::Failure;
use askuser_wire::time;

/// `GET /api/ids[?kind=ask|session|task|rule][&part=TYPED][&open=true]`
pub(super) async fn show(visit: Visit) -> Result<Things, Failure> {
    let Meant { kind, part, open } = visit.query::<Ids>()?;
    let kind = kind.unwrap_or(Named::Ask);
    let (of, actor) = match kind {
        Named::Ask => (IdKind::Ask, visit.reader()?),
        Named::Session => (IdKind::Session, visit.reader()?),
        Named::Task => (IdKind::Task, visit.person()?),
        Named::Rule => (IdKind::Rule, visit.person()?),
    };
    let found = match part {
        Some(typed) => visit.desk().meant(&actor, of, &typed).await?,
        None => visit.desk().things(&actor, of, open.unwrap_or_default()).await?,
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
    desk: &Desk,
    wanted: Option<bool>,
    of: IdsOf,
    ids: impl Iterator<Item = u128>,
) -> Result<Vec<Option<String>>, Failure> {
    let ids: Vec<u128> = ids.collect();
    if !wanted.unwrap_or_default() {
        return Ok(vec![None; ids.len()]);
    }
    Ok(desk.short_ids(of, &ids).await?.into_iter().map(Some).collect())
}

/// Puts a short id into what a list tells.
pub(super) fn with_short_id((mut told, short_id): (Value, Option<String>)) -> Value {
    if let (Some(fields), Some(short_id)) = (told.as_object_mut(), short_id) {
        fields.insert("short_id".to_owned(), short_id.into());
    }
    told
}
