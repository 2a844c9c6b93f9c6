//! Browsers in which a person is signed in: login links, names, notifications, what the page measured.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::route::{Done, routes};

routes! {
    MakeLoginLink(Person, Writes) Post "/api/login-links" status &[201]; => LoginLink: "Creates a one-time login link";
    ListBrowsers(Person, Reads) Get "/api/browsers" => Browsers:
        "The browsers where this person is signed in, newest first";
    NameBrowser(Person, Writes) Put "/api/browsers/{browser_id}" body BrowserName; => Done: "Renames a signed-in browser";
    SignBrowserOut(Person, Writes) Delete "/api/browsers/{browser_id}" => Done: "Signs a browser out";
    SignOut(Person, Writes) Post "/api/sign-out" => Done: "Signs this browser out";
    PushKey(Person, Reads) Get "/api/push" => PublicKey: "The public key that a browser needs for Web Push";
    Subscribe(Person, Writes) Post "/api/push" body Subscription; status &[201]; => Done:
        "Turns Web Push on for this browser and its signed-in person";
    Unsubscribe(Person, Writes) Post "/api/push/forget" body Endpoint; => Forgotten: "Turns Web Push off for this browser";
    NoteTimings(Person, Reads) Post "/api/timings" body Timings; => Noted:
        "How long things took in a person's browser, as the page measured them";
}

/// A login link, good once.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct LoginLink {
    /// The path, with the secret in it.
    pub url_path: String,
    /// The page's own name on this machine; none where it has none.
    pub page_host: Option<String>,
    /// Until when it is good.
    pub expires_at: String,
}

/// Browsers.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Browsers {
    /// The browsers.
    pub browsers: Vec<Browser>,
}

/// A browser in which a person is signed in.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Browser {
    /// The shortest end of its id that stands for it.
    pub short_id: String,
    /// Its id.
    pub browser_id: String,
    /// What its person calls it.
    pub name: String,
    /// What it calls itself.
    pub user_agent: String,
    /// What the link was made with that signed it in.
    pub made_with: String,
    /// Whether an answer from it may grant a permission.
    pub may_grant: bool,
    /// Since when.
    pub signed_in_at: String,
    /// When it was last here.
    pub last_seen_at: String,
    /// Until when.
    pub expires_at: String,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// What a browser is called.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct BrowserName {
    /// The name.
    pub name: String,
}

/// The key that a browser needs.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct PublicKey {
    /// As base64 for addresses, without padding.
    pub key: String,
}

/// A value of the page; none where it is not there or does not fit: whoever needs it says what it should be.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Fitting<T>(#[schemars(with = "T")] pub Option<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Fitting<T> {
    fn deserialize<D: Deserializer<'de>>(given: D) -> Result<Self, D::Error> {
        let given = Option::<Value>::deserialize(given)?;
        Ok(Self(given.and_then(|value| serde_json::from_value(value).ok())))
    }
}

/// What `PushSubscription.toJSON()` returns, and the page's language.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Subscription {
    /// Where the browser's service takes messages.
    pub endpoint: Fitting<String>,
    /// What they are sealed with.
    pub keys: Fitting<SubscriptionKeys>,
    /// The language of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Fitting<String>>,
}

/// What messages to a browser are sealed with, as base64 for addresses.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct SubscriptionKeys {
    /// Its public key.
    pub p256dh: Fitting<String>,
    /// Its secret.
    pub auth: Fitting<String>,
}

/// Which browser.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Endpoint {
    /// Where its service takes messages.
    pub endpoint: Fitting<String>,
}

/// Whether it was there.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Forgotten {
    /// Always.
    pub success: bool,
    /// Whether it was there.
    pub forgotten: bool,
}

/// What the page measured.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Timings {
    /// The measurements.
    pub timings: Fitting<Vec<Timing>>,
}

/// How long something took.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Timing {
    /// What.
    pub operation: Fitting<String>,
    /// Milliseconds.
    pub duration: Fitting<f64>,
}

/// How many were taken.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Noted {
    /// How many.
    pub noted: usize,
}
