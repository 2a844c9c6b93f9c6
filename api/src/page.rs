//! Routes of the page that others than the page know: whoever leads people there, counts them, or keeps a secret.

use crate::route::filled;

/// One ask.
pub const ASK: &str = "/asks/{ask}";
/// Where the page's script saves what is being written.
pub const SHEET: &str = "/asks/{ask}/sheet";
/// Where it says that somebody looks at an ask.
pub const PRESENT: &str = "/asks/{ask}/present";
/// A file of the page; whoever asks for one is nobody in particular.
pub const ASSET: &str = "/assets/{version}/{name}";
/// A link that signs a browser in. It is a secret.
pub const LOGIN: &str = "/login/{link}";
/// A link that answers one ask. It is a secret.
pub const LINK: &str = "/a/{link}";

/// Whether a path is this route, or one that begins as it does.
pub fn is_of(path: &str, route: &str) -> bool {
    path.starts_with(beginning(route))
}

/// Returns a path as it may be told of: without a secret.
pub fn without_secret(path: &str) -> String {
    let secret = [LOGIN, LINK].into_iter().find(|route| is_of(path, route));
    secret.map_or_else(|| path.to_owned(), |route| filled(route, "…"))
}

/// Returns what is the same for everything that a route is about.
fn beginning(route: &str) -> &str {
    route.split('{').next().unwrap_or(route)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_told_of_without_its_secret() {
        for path in ["/a/5ec2e7", "/a/5ec2e7/answer", "/a/x/y/z"] {
            assert_eq!(without_secret(path), "/a/…");
        }
        assert_eq!(without_secret("/login/5ec2e7"), "/login/…");
        assert_eq!(without_secret("/asks/1"), "/asks/1");
    }
}
