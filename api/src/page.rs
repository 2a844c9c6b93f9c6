//! Paths of the page that others than the page know: whoever leads people there, counts them, or keeps a secret.

/// Its files: whoever asks for one is nobody in particular.
pub const ASSETS: &str = "/assets/";
/// One ask.
pub const ASK: &str = "/asks/";
/// What its script calls by itself.
pub const SHEET: &str = "/asks/{ask}/sheet";
/// The same.
pub const PRESENT: &str = "/asks/{ask}/present";
/// Behind it is the secret that signs a browser in.
pub const LOGIN: &str = "/login/";
/// Behind it is the secret that answers one ask.
pub const LINK: &str = "/a/";

/// Returns a path as it may be told of: without a secret.
pub fn without_secret(path: &str) -> String {
    let secret = [LOGIN, LINK].into_iter().find(|secret| path.starts_with(secret));
    secret.map_or_else(|| path.to_owned(), |before| format!("{before}…"))
}
