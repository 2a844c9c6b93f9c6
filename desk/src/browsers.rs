//! Browsers that are signed in: by a one-time link, whose proof each keeps; listed, named and sent away by
//! their person, who is told of every new one.

use std::time::Duration;

use askuser_core::command::Actor;
use askuser_core::id::UserId;
use askuser_core::outcome::Proof;

use super::access::{Access, Secret, hash};
use super::observer::Observed;
use super::{Caller, DeskError};
use askuser_store::{BrowserChange, BrowserId, KeyRole, Pass, SignedIn};

/// How long a cookie is good.
pub const COOKIE_FOR: Duration = Duration::from_hours(24 * 90);
/// How long a login link is good.
pub const LINK_FOR: Duration = Duration::from_mins(10);
/// How often it is noted that a browser was heard of.
const SEEN_EVERY: Duration = Duration::from_mins(5);
/// How long a new one is news to the others.
const NEWS_FOR: Duration = Duration::from_hours(24 * 7);
/// The longest name of a browser.
pub const BROWSER_NAME_CHARS_MAX: usize = 64;
/// What is kept of what a browser says of itself.
const USER_AGENT_CHARS_MAX: usize = 200;

/// What a signed-in browser proves: no more than the link it was signed in by. One that a terminal or
/// another such browser made is the person at their page; one that a mere key or an agent's command made
/// stays what that was (invariant 6).
pub fn proof_of(made_with: Proof) -> Proof {
    if made_with.may_grant() { Proof::Cookie } else { made_with }
}

impl Access<'_> {
    /// Finds whose browser has this cookie: always a person.
    pub async fn by_cookie(self, secret: &str) -> Result<Option<Caller>, DeskError> {
        let now = self.0.now();
        let Some(browser) = self.0.0.store.cookie(hash(secret), now).await? else { return Ok(None) };
        if browser.last_seen_at.after(SEEN_EVERY) <= now {
            // For the list only: nobody is shut out because it could not be noted.
            let seen = BrowserChange::Seen(now);
            let _noted = self.0.0.store.change_browser(&browser.user, browser.id, seen).await;
        }
        let proof = proof_of(browser.made_with);
        let (user, browser) = (browser.user, Some(browser.id));
        Ok(Some(Caller { role: KeyRole::Person, user, key: None, browser, proof }))
    }

    /// Makes the secret of a one-time login link for a person, which keeps how we know them.
    pub async fn make_login_link(self, person: &Actor) -> Result<Option<Secret>, DeskError> {
        let secret = Secret::new("link")?;
        let now = self.0.now();
        let (user, made_with) = (person.user.clone(), person.by.proof);
        let pass = Pass { user, expires_at: now.after(LINK_FOR), made_with };
        Ok(self.0.0.store.add_login_link(hash(secret.reveal()), pass, now).await?.then_some(secret))
    }

    /// Uses a login link up and returns the cookie that it becomes, for a browser that says this of itself.
    pub async fn use_login_link(self, secret: &str, user_agent: &str) -> Result<Option<Secret>, DeskError> {
        let now = self.0.now();
        let Some(pass) = self.0.0.store.use_login_link(hash(secret), now).await? else { return Ok(None) };
        let cookie = Secret::new("cookie")?;
        let browser = SignedIn {
            id: BrowserId(self.0.0.ids.next(now)),
            user: pass.user,
            made_with: pass.made_with,
            name: browser_name(user_agent),
            user_agent: user_agent.chars().take(USER_AGENT_CHARS_MAX).collect(),
            created_at: now,
            last_seen_at: now,
            told_at: now,
            expires_at: now.after(COOKIE_FOR),
        };
        if !self.0.0.store.add_cookie(hash(cookie.reveal()), browser.clone(), now).await? {
            return Ok(None);
        }
        let SignedIn { user, made_with, name, .. } = browser;
        self.0.observe(|| Observed::SignedIn { user, made_with, browser: name });
        Ok(Some(cookie))
    }

    /// Takes a cookie back.
    pub async fn revoke_cookie(self, secret: &str) -> Result<bool, DeskError> {
        Ok(self.0.0.store.revoke_cookie(hash(secret)).await?)
    }

    /// Returns the browsers in which a person is signed in, the newest first.
    pub async fn signed_in(self, person: &UserId) -> Result<Vec<SignedIn>, DeskError> {
        Ok(self.0.0.store.signed_in(person, self.0.now()).await?)
    }

    /// Returns the browsers that signed in lately, of which the person was not told in this one yet.
    pub async fn new_browsers(self, caller: &Caller) -> Result<Vec<SignedIn>, DeskError> {
        let Some(here) = caller.browser else { return Ok(Vec::new()) };
        let (now, all) = (self.0.now(), self.signed_in(&caller.user).await?);
        let Some(told_at) = all.iter().find(|browser| browser.id == here).map(|browser| browser.told_at)
        else {
            return Ok(Vec::new());
        };
        let is_news = |browser: &SignedIn| {
            browser.id != here && browser.created_at > told_at && browser.created_at.after(NEWS_FOR) > now
        };
        Ok(all.into_iter().filter(is_news).collect())
    }

    /// Notes that a person has seen in this browser which others are signed in.
    pub async fn told_of_browsers(self, caller: &Caller) -> Result<(), DeskError> {
        if let Some(here) = caller.browser {
            let told = BrowserChange::Told(self.0.now());
            self.0.0.store.change_browser(&caller.user, here, told).await?;
        }
        Ok(())
    }

    /// Gives a browser of a person another name. False where they have none of this id.
    pub async fn name_browser(self, person: &UserId, id: BrowserId, name: &str) -> Result<bool, DeskError> {
        let name: String = name.trim().chars().take(BROWSER_NAME_CHARS_MAX).collect();
        Ok(self.0.0.store.change_browser(person, id, BrowserChange::Named(name)).await?)
    }

    /// Signs a browser of a person out. False where they have none of this id.
    pub async fn revoke_browser(self, person: &UserId, id: BrowserId) -> Result<bool, DeskError> {
        Ok(self.0.0.store.change_browser(person, id, BrowserChange::Revoked).await?)
    }
}

/// What a browser is called until its person names it: `Firefox on Linux`. It is its own word only.
fn browser_name(user_agent: &str) -> String {
    // Each names itself beside those that it wants to be taken for, so the rarer come first.
    let programs = [
        ("Edg/", "Edge"),
        ("EdgA/", "Edge"),
        ("OPR/", "Opera"),
        ("Vivaldi/", "Vivaldi"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"),
        ("CriOS/", "Chrome"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    let systems = [
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("CrOS", "ChromeOS"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("Linux", "Linux"),
    ];
    let named = |known: &[(&str, &'static str)]| {
        known.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    match (named(&programs), named(&systems)) {
        (Some(program), Some(system)) => format!("{program} on {system}"),
        (Some(program), None) => program.to_owned(),
        (None, Some(system)) => system.to_owned(),
        (None, None) => "Browser".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_called_what_it_says_it_is() {
        let chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";
        let iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";
        for (user_agent, name) in [
            (chrome, "Chrome on Linux"),
            (&chrome.replace("537.36 (", "537.36 Edg/131 ("), "Edge on Linux"),
            (iphone, "Safari on iPhone"),
            ("Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Windows"),
            ("", "Browser"),
        ] {
            assert_eq!(browser_name(user_agent), name, "{user_agent}");
        }
    }

    #[test]
    fn what_an_agents_command_began_grants_nothing() {
        for made_with in Proof::ALL {
            let proof = proof_of(made_with);
            assert_eq!(proof.may_grant(), made_with.may_grant(), "{made_with:?}");
            assert_eq!(proof == Proof::Cookie, made_with.may_grant(), "{made_with:?}");
        }
    }
}
