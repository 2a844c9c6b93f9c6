//! A key of its own for each agent of this machine.

use askuser_core::id::UserId;
use askuser_words::failed::Failed;
use askuser_words::fault::{Wrong, unfit};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::Value;

use super::access::key_id;
use super::failing::{forbidden, unauthorized, wrong_field};
use super::gate;
use super::visit::{Visit, respond};
use askuser_agents::by_client;
use askuser_api::access::MadeOwnKey;
use askuser_desk::{KeyId, NoOwnKey};
use askuser_watch::security::Kind;
use askuser_wire::failure::{Code, Failure};

/// `POST /api/keys/own {"agent","digest"}`: an agent's key lets in what an agent may do and no more, so asking
/// for one is safe; but only for a program on this machine, which finds the others in the data folder too.
pub(super) async fn add(visit: Visit) -> Result<Response, Failure> {
    if !gate::is_of_this_machine(&visit.parts) {
        return Err(forbidden(Failed::not_on_this_machine));
    }
    let (agent, digest) = read(&visit)?;
    let caller = visit.caller.as_ref().ok_or_else(unauthorized)?;
    match visit.desk().access().add_own_key(caller, agent, digest).await {
        Ok((id, is_new)) => {
            if is_new {
                gate::noticed(&visit.state, &visit.parts, Some(caller), Kind::KeyMade);
            }
            let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
            Ok(respond(status, made(id, agent)))
        }
        Err(NoOwnKey::HadOne) => Err(Failure::new(Code::Conflict, |said: Failed| said.had_own_key(agent))),
        Err(NoOwnKey::IsOne) => Err(forbidden(Failed::anothers_key)),
        Err(NoOwnKey::NoUser) => Err(unauthorized()),
        Err(NoOwnKey::Desk(error)) => Err(error.into()),
    }
}

/// `PUT /api/keys/own {"agent","digest","user"?}`: the caller's own user where none is named.
pub(super) async fn renew(visit: Visit) -> Result<MadeOwnKey, Failure> {
    let (agent, digest) = read(&visit)?;
    let caller = visit.caller.as_ref().ok_or_else(unauthorized)?;
    let user = visit.fields()?.get("user").and_then(Value::as_str).map_or(caller.user.clone(), UserId::from);
    let Some(id) = visit.desk().access().renew_own_key(&user, agent, digest).await? else {
        return Err(wrong_field("user", unfit(|said| said.no_user(&user))));
    };
    gate::noticed(&visit.state, &visit.parts, Some(caller), Kind::KeyMade);
    Ok(made(id, agent))
}

fn made(id: KeyId, agent: &str) -> MadeOwnKey {
    MadeOwnKey { success: true, key_id: key_id(id), agent: agent.to_owned() }
}

/// Reads which agent it is, and the SHA-256 of its key in hexadecimal digits.
fn read(visit: &Visit) -> Result<(&'static str, [u8; 32]), Failure> {
    let body = visit.fields()?;
    let text = |field: &str| body.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let unknown = || wrong_field("agent", unfit(Wrong::no_agent));
    let agent = by_client(&text("agent")).ok_or_else(unknown)?.name;
    let wrong = || wrong_field("digest", unfit(Wrong::not_a_digest));
    let digest = digest(&text("digest")).ok_or_else(wrong)?;
    Ok((agent, digest))
}

fn digest(text: &str) -> Option<[u8; 32]> {
    let mut digest = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (byte, at) in digest.iter_mut().zip((0..64).step_by(2)) {
        *byte = u8::from_str_radix(text.get(at..at + 2)?, 16).ok()?;
    }
    Some(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_64_hexadecimal_digits() {
        assert_eq!(digest(&"0a".repeat(32)), Some([10; 32]));
        for wrong in ["", "0a", &"zz".repeat(32), &"0a".repeat(33), &"中".repeat(64)] {
            assert_eq!(digest(wrong), None, "{wrong}");
        }
    }
}
