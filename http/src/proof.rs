//! How we know that it is a person: what the desk finds out itself about whoever comes with a key.

use std::sync::Arc;

use askuser_core::outcome::{By, Channel, Program, Proof};
use axum::http::request::Parts;

use super::{AppState, gate};
use askuser_api::headers::AS_PERSON;
use askuser_api::{Described, Who};
use askuser_desk::{Caller, KeyRole};
use askuser_system::peer::{Evidence, Peer, Standing};
use askuser_watch::security::{Kind, Suspect};

/// Says how we know somebody who came with a person's key. Through what they act they may say themselves;
/// how we know them, never: a terminal is proven only where the desk found one behind the connection. Who
/// says that it is less is believed.
pub(super) fn establish(
    by: &mut By,
    channel: Option<&str>,
    insists: Option<&str>,
    evidence: Option<&Evidence>,
) {
    by.program = evidence.and_then(program);
    by.proof = match evidence.map(|evidence| &evidence.standing) {
        _ if insists.is_some() => Proof::AsPerson,
        Some(Standing::Marked(_)) => Proof::AsPerson,
        Some(Standing::Terminal) => Proof::Terminal,
        Some(Standing::Unproven(_)) | None => Proof::KeyFile,
    };
    // Where an agent's mark is set there is no terminal, whatever is said.
    if channel == Some("terminal") && by.proof != Proof::AsPerson {
        by.channel = Channel::Terminal;
    }
}

/// What the desk finds out about whoever comes with a person's or an admin's key, where they come over the
/// Unix socket.
pub(super) async fn evidence(parts: &Parts, caller: Option<&Caller>) -> Option<Evidence> {
    let by_key = caller.is_some_and(|caller| caller.key.is_some() && caller.role != KeyRole::Agent);
    let process = parts.extensions.get::<Arc<Peer>>().filter(|_| by_key)?;
    Some(process.evidence().await.clone())
}

/// Whether it is a person for all we can find out: in a browser that was signed in, or at a terminal. A key alone
/// proves nobody.
pub(super) fn is_a_person(caller: Option<&Caller>, evidence: Option<&Evidence>) -> bool {
    let in_browser = caller.is_some_and(|caller| caller.key.is_none());
    in_browser || evidence.is_some_and(|evidence| evidence.standing == Standing::Terminal)
}

/// Notes that somebody acts as a person where an agent's mark is, by their own word or by what was found.
pub(super) fn note_mark(
    state: &AppState,
    route: &Described,
    parts: &Parts,
    caller: &Caller,
    evidence: Option<&Evidence>,
) {
    let said = parts.headers.get(AS_PERSON).map(|mark| mark.to_str().unwrap_or_default());
    // What any key may see is nothing that a person does.
    let found = evidence.and_then(Evidence::mark).filter(|_| route.who != Who::AnyKey);
    let Some(mark) = said.or(found) else { return };
    let program = evidence.and_then(|evidence| evidence.program.clone());
    tracing::warn!(mark, program, role = caller.role.name(), user = %caller.user, method = route.method.name(),
        path = route.path, "A person's command ran where an agent's mark is set");
    let suspect = gate::suspect(&parts.uri, gate::address(parts), Some(caller));
    state.watch().security(Kind::AsPerson, &Suspect { program, mark: Some(mark.to_owned()), ..suspect });
}

/// The program at the other end, for the fact.
fn program(evidence: &Evidence) -> Option<Program> {
    let path = evidence.program.clone()?;
    Some(Program { path, mark: evidence.mark().map(str::to_owned) })
}
