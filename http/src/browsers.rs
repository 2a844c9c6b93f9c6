//! The browsers in which a person is signed in: theirs to see, to name and to sign out.

use askuser_core::short_id::{Digits, shortest_end};
use askuser_words::fault::unfit;
use serde_json::Value;

use super::failing::{not_found, wrong_field};
use super::visit::Visit;
use askuser_api::Done;
use askuser_api::browsers::{Browser, Browsers};
use askuser_desk::{BROWSER_NAME_CHARS_MAX, BrowserId, proof_of};
use askuser_wire::failure::Failure;
use askuser_wire::time;

/// `GET /api/browsers`
pub(super) async fn list(visit: Visit) -> Result<Browsers, Failure> {
    let person = visit.person()?;
    let here = visit.caller.as_ref().and_then(|caller| caller.browser);
    let browsers = visit.desk().access().signed_in(&person.user).await?;
    let ids: Vec<u128> = browsers.iter().map(|browser| browser.id.0).collect();
    let browsers = browsers.into_iter().map(|browser| Browser {
        short_id: shortest_end(browser.id.0, ids.iter().copied(), Digits::Hex),
        browser_id: format!("{:032x}", browser.id.0),
        name: browser.name,
        user_agent: browser.user_agent,
        made_with: browser.made_with.name().to_owned(),
        may_grant: proof_of(browser.made_with).may_grant(),
        signed_in_at: time::write(browser.created_at),
        last_seen_at: time::write(browser.last_seen_at),
        expires_at: time::write(browser.expires_at),
        current: Some(browser.id) == here,
    });
    Ok(Browsers { browsers: browsers.collect() })
}

/// `PUT /api/browsers/{browser_id}`: `{"name": …}`
pub(super) async fn rename(visit: Visit) -> Result<Done, Failure> {
    let person = visit.person()?;
    let fields = visit.fields()?;
    let name = fields.get("name").and_then(Value::as_str).map(str::trim).unwrap_or_default();
    if name.is_empty() || name.chars().count() > BROWSER_NAME_CHARS_MAX {
        return Err(wrong_field("name", unfit(|said| said.not_a_name(BROWSER_NAME_CHARS_MAX))));
    }
    let named = visit.desk().access().name_browser(&person.user, id(&visit)?, name).await?;
    if named { Ok(Done::YES) } else { Err(not_found()) }
}

/// `DELETE /api/browsers/{browser_id}`
pub(super) async fn revoke(visit: Visit) -> Result<Done, Failure> {
    let person = visit.person()?;
    let revoked = visit.desk().access().revoke_browser(&person.user, id(&visit)?).await?;
    if revoked { Ok(Done::YES) } else { Err(not_found()) }
}

fn id(visit: &Visit) -> Result<BrowserId, Failure> {
    u128::from_str_radix(visit.param(), 16).map(BrowserId).map_err(|_| not_found())
}
