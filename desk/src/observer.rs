//! What is told to the observer of the desk, for figures and security events: which asks people have on a
//! surface, and who tries what is not theirs.

use std::sync::Arc;

use askuser_core::ask::{Ask, State};
use askuser_core::command::{Actor, Role};
use askuser_core::id::{AskId, UserId};
use askuser_core::outcome::Proof;

use super::Desk;
use super::answer_links::Misuse;

/// What is seen of people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Observed {
    /// A surface of the person has an ask.
    Viewed(AskId),
    /// A user named what belongs to another. They were told that it is not there.
    Trespassed {
        user: UserId,
        /// What they called; nothing where that is not known.
        path: String,
    },
    /// Somebody tried a link that opens nothing.
    Misused {
        misuse: Misuse,
        /// Whose channel it came in through, where it did.
        person: Option<UserId>,
        /// Where it came in; never the link itself.
        way: String,
    },
    /// A browser signed in.
    SignedIn {
        user: UserId,
        /// How we knew whoever made its link.
        made_with: Proof,
        /// What it is called.
        browser: String,
    },
    /// Somebody answered through what they may not.
    Forged { user: UserId, way: &'static str },
    /// From now on answers of agents' own dialogs are taken.
    DialogSwitchedOn,
}

tokio::task_local! {
    static PATH: String;
}

/// Does something for whoever called this path: what is observed of it says so.
pub async fn on_path<T>(path: String, doing: impl Future<Output = T>) -> T {
    PATH.scope(path, doing).await
}

/// Is told what people do; again and again, so it must be quick.
pub type Observer = Arc<dyn Fn(Observed) + Send + Sync>;

impl Desk {
    pub(super) fn viewed<'a>(&self, actor: &Actor, asks: impl Iterator<Item = &'a Arc<Ask>>) {
        if actor.role != Role::Person {
            return;
        }
        let Some(observer) = self.observer() else { return };
        asks.filter(|ask| ask.state == State::Showing).for_each(|ask| observer(Observed::Viewed(ask.id)));
    }

    /// Tells the observer something, where there is one.
    pub(super) fn observe(&self, observed: impl FnOnce() -> Observed) {
        if let Some(observer) = self.observer() {
            observer(observed());
        }
    }

    pub(super) fn trespass(&self, actor: &Actor, owner: Option<&UserId>) {
        if owner.is_some_and(|owner| !actor.may_see(owner)) {
            self.observe(|| {
                let path = PATH.try_with(Clone::clone).unwrap_or_default();
                Observed::Trespassed { user: actor.user.clone(), path }
            });
        }
    }

    fn observer(&self) -> Option<Observer> {
        self.0.settings.read().observer.clone()
    }
}
