//! A browser asks to be told (Web Push), and to be left alone again. Only a browser that is signed in:
//! no key gets here, an agent's least of all.

use askuser_core::command::Actor;
use askuser_core::outcome::Channel;
use askuser_core::problem::Fault;
use askuser_words::failed::Failed;
use askuser_words::fault::{Wrong, unfit};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::failing::{forbidden, wrong_field};
use super::visit::Visit;
use askuser_api::Done;
use askuser_api::browsers::{Fitting, Forgotten, PublicKey, Subscribe, Unsubscribe};
use askuser_desk::{NotABrowser, Subscription};
use askuser_net::guard::{self, NotCalled};
use askuser_wire::failure::Failure;

/// The longest name of a language.
const LANGUAGE_CHARS_MAX: usize = 20;

/// `GET /api/push`: the key that a browser needs to subscribe.
pub(super) async fn key(visit: Visit) -> Result<PublicKey, Failure> {
    browser(&visit)?;
    let key = visit.desk().push_key().await?;
    Ok(PublicKey { key: URL_SAFE_NO_PAD.encode(key.public()) })
}

/// `POST /api/push`: what `PushSubscription.toJSON()` returns, and the page's language.
pub(super) async fn subscribe(visit: Visit) -> Result<Done, Failure> {
    let person = browser(&visit)?;
    let rule = &visit.desk().settings().push;
    if !rule.is_on {
        return Err(forbidden(Failed::push_off));
    }
    let given = visit.body::<Subscribe>()?;
    let endpoint = there("endpoint", given.endpoint)?;
    let unwelcome = |why: NotCalled| wrong_field("endpoint", Fault::Other(why.said()));
    guard::check(&endpoint, &rule.servers).map_err(unwelcome)?;
    let (keys, language) = (given.keys.0.unwrap_or_default(), given.language.and_then(|language| language.0));
    let subscription = Subscription {
        endpoint,
        key: bytes("keys.p256dh", keys.p256dh)?,
        auth: bytes("keys.auth", keys.auth)?,
        language: language.as_deref().unwrap_or("en").chars().take(LANGUAGE_CHARS_MAX).collect(),
    };
    match visit.desk().subscribe(&person.user, subscription).await {
        Ok(true) => Ok(Done::YES),
        Ok(false) => Err(signed_out()),
        Err(NotABrowser::Key) => Err(wrong_field("keys.p256dh", unfit(Wrong::no_push_key))),
        Err(NotABrowser::Auth) => Err(wrong_field("keys.auth", unfit(Wrong::no_push_secret))),
        Err(NotABrowser::Desk(error)) => Err(error.into()),
    }
}

/// `POST /api/push/forget`: `{"endpoint": …}`
pub(super) async fn unsubscribe(visit: Visit) -> Result<Forgotten, Failure> {
    let person = browser(&visit)?;
    let endpoint = there("endpoint", visit.body::<Unsubscribe>()?.endpoint)?;
    let forgotten = visit.desk().unsubscribe(&person.user, &endpoint).await?;
    Ok(Forgotten { success: true, forgotten })
}

/// Returns whose browser it is.
pub(super) fn browser(visit: &Visit) -> Result<Actor, Failure> {
    let person = visit.person()?;
    if person.by.channel == Channel::Web { Ok(person) } else { Err(signed_out()) }
}

fn signed_out() -> Failure {
    forbidden(Failed::browser_only)
}

fn there(name: &str, text: Fitting<String>) -> Result<String, Failure> {
    text.0.ok_or_else(|| wrong_field(name, Fault::Missing))
}

fn bytes(name: &str, text: Fitting<String>) -> Result<Vec<u8>, Failure> {
    let wrong = |_| wrong_field(name, unfit(Wrong::not_base64));
    URL_SAFE_NO_PAD.decode(there(name, text)?.trim_end_matches('=')).map_err(wrong)
}
