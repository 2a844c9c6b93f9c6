//! Whose browsers are told. Somebody who asks for it on the page needs no line in the configuration:
//! their browsers are a channel of theirs like any other.

use std::collections::BTreeSet;
use std::sync::Arc;

use askuser_words::Language;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::{Settings, nudger};
use askuser_config::{ChannelPart, Notify, PersonPart, WebPushPart};
use askuser_desk::{Browser, Desk, PushRule};
use askuser_system::backoff::Pauses;

/// What the channel is called where nobody gave it a name, and where that one is taken.
const NAMES: [&str; 2] = ["browser", "web_push"];

/// Which browsers may be told under a configuration.
pub(super) fn rule(notify: &Notify) -> PushRule {
    PushRule { is_on: notify.web_push, servers: notify.push_servers.clone() }
}

/// Has people nudged as they are configured, and those whose browsers asked for it.
pub(super) async fn run(
    desk: Desk,
    mut configured: watch::Receiver<Arc<Settings>>,
    in_force: watch::Sender<Option<u64>>,
    stop: CancellationToken,
) {
    let mut came = desk.browsers_came();
    let first = tokio::select! {
        first = with_browsers(&desk, &mut configured) => first,
        () = stop.cancelled() => return,
        () = desk.stopping().cancelled_owned() => return,
    };
    let (all, seen) = watch::channel(first);
    let nudging = nudger::run(desk.clone(), seen, in_force, stop);
    let following = async move {
        loop {
            let goes_on = tokio::select! {
                changed = configured.changed() => changed.is_ok(),
                changed = came.changed() => changed.is_ok(),
            };
            if !goes_on {
                break;
            }
            let new = with_browsers(&desk, &mut configured).await;
            all.send_if_modified(|old| {
                let differs = old.notify != new.notify;
                *old = new;
                differs
            });
        }
        // Whoever nudges ends in good order when nobody is there to configure it.
        drop(all);
        std::future::pending::<()>().await;
    };
    tokio::select! { () = nudging => {}, () = following => {} }
}

async fn with_browsers(desk: &Desk, configured: &mut watch::Receiver<Arc<Settings>>) -> Arc<Settings> {
    loop {
        let settings = Arc::clone(&configured.borrow_and_update());
        let push = rule(&settings.notify);
        desk.configure(|settings| settings.push = push);
        match desk.push_browsers(None).await {
            Ok(browsers) => {
                let notify = added(&settings.notify, &browsers);
                return Arc::new(Settings { notify, ..Settings::clone(&settings) });
            }
            Err(error) => {
                warn!("No browser is notified, because the subscriptions could not be read: {error}");
                tokio::time::sleep(Pauses::OF_THE_STORE.after(1)).await;
            }
        }
    }
}

/// Adds the channel to everybody who has a browser, and to nobody twice.
fn added(notify: &Notify, browsers: &[Browser]) -> Notify {
    let mut notify = notify.clone();
    if !notify.web_push {
        return notify;
    }
    let named: BTreeSet<String> = notify.people.keys().cloned().collect();
    for browser in browsers {
        let person = browser.person.to_string();
        let is_named = named.contains(&person);
        let part: &mut PersonPart = notify.people.entry(person).or_default();
        if !is_named {
            // As in the page where they asked for it last.
            part.language = Language::named(&browser.language);
        }
        if part.channels.values().any(|channel| matches!(channel, ChannelPart::WebPush(_))) {
            continue;
        }
        if let Some(free) = NAMES.iter().find(|name| !part.channels.contains_key(**name)) {
            part.channels.insert((*free).to_owned(), ChannelPart::WebPush(WebPushPart {}));
        }
    }
    notify
}

#[cfg(test)]
mod tests {
    use askuser_core::time::Timestamp;
    use askuser_words::Language;

    use super::*;
    use crate::tests::fake::config;

    fn browser(person: &str, language: &str) -> Browser {
        Browser {
            person: person.into(),
            endpoint: String::new(),
            key: Vec::new(),
            auth: Vec::new(),
            language: language.to_owned(),
            at: Timestamp(0),
        }
    }

    #[test]
    fn everybody_with_a_browser_has_the_channel_once() {
        let text = "notify: {people: {ann: {content: title, channels: {browser: {kind: desktop}}}, bob: {channels: {pad: {kind: web_push}}}}}";
        let browsers = [
            browser("ann", "zh-CN"),
            browser("ann", "en"),
            browser("bob", "zh-CN"),
            browser("cid", "en"),
            browser("cid", "zh-CN"),
        ];
        let notify = added(&config(text), &browsers);
        let channels = |person: &str| {
            let of = &notify.people[person].channels;
            of.iter().map(|(name, part)| format!("{name} {}", part.kind())).collect::<Vec<_>>()
        };
        assert_eq!(channels("ann"), ["browser desktop", "web_push web_push"]);
        assert_eq!(channels("bob"), ["pad web_push"]);
        assert_eq!(channels("cid"), ["browser web_push"]);
        // Who is named has the language that stands there; who is not, that of the page.
        let language = |person: &str| notify.people[person].language;
        assert_eq!((language("ann"), language("cid")), (Language::English, Language::Chinese));
        let off = config("notify: {web_push: false}");
        assert_eq!((added(&off, &browsers).people.len(), rule(&off).is_on), (0, false));
    }
}
