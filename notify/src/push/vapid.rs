//! Says who we are to a push service (RFC 8292): a token for this service and half a day, signed with the
//! key that the browser knows us by.

use std::time::Duration;

use askuser_core::time::Timestamp;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use askuser_desk::PushKey;
use askuser_net::url::Url;

/// How long a token is good: services take a day at most.
const GOOD_FOR: Duration = Duration::from_hours(12);

/// Returns the header `Authorization` for a message to this address. Where nobody said who runs the desk,
/// nobody is named: the standard leaves it open, and a made-up name helps none who would write to it.
pub(super) fn authorization(
    key: &PushKey,
    url: &str,
    contact: Option<&str>,
    now: Timestamp,
) -> Result<String, String> {
    let service = url.parse::<Url>().map_err(|error| error.to_string())?.origin();
    let until_s = now.after(GOOD_FOR).0 / 1000;
    let head = json!({"typ": "JWT", "alg": "ES256"}).to_string();
    let mut claims = json!({"aud": service, "exp": until_s});
    if let Some(contact) = contact {
        claims["sub"] = contact.into();
    }
    let signed = format!("{}.{}", URL_SAFE_NO_PAD.encode(head), URL_SAFE_NO_PAD.encode(claims.to_string()));
    let signature = key.sign(signed.as_bytes()).map_err(|error| error.to_string())?;
    let public = URL_SAFE_NO_PAD.encode(key.public());
    Ok(format!("vapid t={signed}.{}, k={public}", URL_SAFE_NO_PAD.encode(signature)))
}
