//! Users and keys, for whoever looks after the desk.

use askuser_core::id::UserId;
use askuser_core::problem::Fault;
use askuser_core::short_id::{Digits, shortest_end};
use askuser_words::failed::Failed;
use askuser_words::fault::unfit;
use serde_json::Value;

use super::failing::{invalid_request, not_found, wrong_field};
use super::visit::Visit;
use askuser_api::Done;
use askuser_api::access::{Key, Keys, MadeKey, Role, User, Users};
use askuser_desk::{self as desk, KeyId, KeyRole};
use askuser_wire::failure::Failure;
use askuser_wire::time;

/// Characters of a user's or a key's name.
const NAME_CHARS_MAX: usize = 64;

/// `GET /api/users`
pub(super) async fn users(visit: Visit) -> Result<Users, Failure> {
    let users = visit.desk().access().users().await?;
    Ok(Users { users: users.iter().map(user).collect() })
}

/// `POST /api/users {"name"}`
pub(super) async fn add_user(visit: Visit) -> Result<User, Failure> {
    let name = name(&visit.fields()?, "name")?.ok_or_else(|| wrong_field("name", Fault::Missing))?;
    let added = visit.desk().access().add_user(&UserId::new(name.clone())).await?;
    let added = added.ok_or_else(|| invalid_request(|said| said.user_exists(&name)))?;
    Ok(user(&added))
}

/// `POST /api/users/{name}/disable`
pub(super) async fn disable_user(visit: Visit) -> Result<Done, Failure> {
    let name = UserId::from(visit.param());
    if visit.caller.as_ref().is_some_and(|caller| caller.user == name) {
        return Err(invalid_request(Failed::not_yourself));
    }
    if !visit.desk().access().disable_user(&name).await? {
        return Err(not_found());
    }
    Ok(Done::YES)
}

/// `GET /api/keys`
pub(super) async fn keys(visit: Visit) -> Result<Keys, Failure> {
    let keys = visit.desk().access().keys().await?;
    let ids: Vec<u128> = keys.iter().map(|key| key.id.0).collect();
    let keys = keys.into_iter().map(|key| Key {
        key_id: key_id(key.id),
        short_id: shortest_end(key.id.0, ids.iter().copied(), Digits::Hex),
        role: role(key.role),
        user: key.user.to_string(),
        name: key.name,
        created_at: time::write(key.created_at),
        revoked_at: key.revoked_at.map(time::write),
    });
    Ok(Keys { keys: keys.collect() })
}

/// `POST /api/keys {"role","user"?,"name"?}`: the caller's own user where none is named.
pub(super) async fn make_key(visit: Visit) -> Result<MadeKey, Failure> {
    let body = visit.fields()?;
    let word = body.get("role").and_then(Value::as_str).unwrap_or_default();
    let opens = KeyRole::ALL.into_iter().find(|role| role.name() == word).ok_or_else(|| {
        let expected = KeyRole::ALL.map(|role| role.name().to_owned()).to_vec();
        wrong_field("role", Fault::NotOneOf { expected, received: word.to_owned() })
    })?;
    let own = visit.caller.as_ref().map(|caller| caller.user.clone());
    let user = name(&body, "user")?.map(UserId::new).or(own);
    let user = user.ok_or_else(|| wrong_field("user", Fault::Missing))?;
    let label = name(&body, "name")?.unwrap_or_default();
    let Some(secret) = visit.desk().access().make_key(opens, &user, &label).await? else {
        return Err(wrong_field("user", unfit(|said| said.no_user(&user))));
    };
    let made = visit.desk().access().by_key(secret.reveal()).await?;
    Ok(MadeKey {
        key: secret.reveal().to_owned(),
        key_id: made.and_then(|made| made.key).map(key_id),
        role: role(opens),
        user: user.to_string(),
        name: label,
    })
}

/// `DELETE /api/keys/{id}`
pub(super) async fn revoke_key(visit: Visit) -> Result<Done, Failure> {
    let id = u128::from_str_radix(visit.param(), 16).map_err(|_| not_found())?;
    if !visit.desk().access().revoke_key(KeyId(id)).await? {
        return Err(not_found());
    }
    Ok(Done::YES)
}

fn user(user: &desk::User) -> User {
    User {
        name: user.id.to_string(),
        created_at: time::write(user.created_at),
        disabled_at: user.disabled_at.map(time::write),
    }
}

fn role(role: KeyRole) -> Role {
    match role {
        KeyRole::Agent => Role::Agent,
        KeyRole::Person => Role::Person,
        KeyRole::Admin => Role::Admin,
    }
}

pub(super) fn key_id(id: KeyId) -> String {
    format!("{:032x}", id.0)
}

/// Reads a name: letters of any script, digits, and `. _ - @` and blanks between them.
fn name(body: &Value, field: &str) -> Result<Option<String>, Failure> {
    let Some(value) = body.get(field).filter(|value| !value.is_null()) else { return Ok(None) };
    let fits = |name: &&str| {
        let n_chars = name.chars().count();
        let plain = |c: char| c.is_alphanumeric() || " ._-@".contains(c);
        (1..=NAME_CHARS_MAX).contains(&n_chars) && name.chars().all(plain) && name.trim() == *name
    };
    let wrong = || unfit(|said| said.not_a_user_name(NAME_CHARS_MAX));
    let name = value.as_str().filter(fits).ok_or_else(|| wrong_field(field, wrong()))?;
    Ok(Some(name.to_owned()))
}
