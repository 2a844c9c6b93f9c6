//! Who has seen what: an ask that a surface of the person has is seen; and who looked for what is
//! another's.

use std::sync::Arc;

use askuser_core::ask::{Ask, State};
use askuser_core::command::{Actor, Role};
use askuser_core::id::{AskId, UserId};
use askuser_core::outcome::Proof;

use super::Desk;
use super::linking::Misuse;

/// What an eye sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sight {
    /// A surface of the person has an ask.
    Viewed(AskId),
    /// A user named what belongs to another. They were told that it is not there.
    Trespassed {
        /// Who.
        user: UserId,
        /// What they called; nothing where that is not known.
        path: String,
    },
    /// Somebody tried a link that opens nothing.
    Misused {
        /// How.
        misuse: Misuse,
        /// Whose channel it came in through, where it did.
        person: Option<UserId>,
        /// Where it came in; never the link itself.
        way: String,
    },
    /// A browser signed in.
    SignedIn {
        /// Who.
        user: UserId,
        /// How we knew whoever made its link.
        made_with: Proof,
        /// What it is called.
        browser: String,
    },
    /// Somebody answered through what they may not.
    Forged {
        /// As whom.
        user: UserId,
        /// Through what.
        way: &'static str,
    },
    /// From now on answers of agents' own dialogs are taken.
    DialogSwitchedOn,
}

tokio::task_local! {
    static PATH: String;
}

/// Does something for whoever called this path: what the eye sees of it says so.
pub async fn on_path<T>(path: String, doing: impl Future<Output = T>) -> T {
    PATH.scope(path, doing).await
}

/// Sees what people do; again and again, so it must be quick.
pub type Eye = Arc<dyn Fn(Sight) + Send + Sync>;

impl Desk {
    /// Has an eye see what people see. The first one stays.
    pub fn set_eye(&self, eye: Eye) {
        // A second one would be a fault of the wiring; figures are kept once.
        let _set = self.0.eye.set(eye);
    }

    pub(super) fn viewed<'a>(&self, actor: &Actor, asks: impl Iterator<Item = &'a Arc<Ask>>) {
        let Some(eye) = self.0.eye.get().filter(|_| actor.role == Role::Person) else { return };
        asks.filter(|ask| ask.state == State::Showing).for_each(|ask| eye(Sight::Viewed(ask.id)));
    }

    /// Has the eye see something, where there is one.
    pub(super) fn sees(&self, sight: impl FnOnce() -> Sight) {
        if let Some(eye) = self.0.eye.get() {
            eye(sight());
        }
    }

    pub(super) fn trespass(&self, actor: &Actor, owner: Option<&UserId>) {
        if let Some(eye) = self.0.eye.get()
            && owner.is_some_and(|owner| !actor.may_see(owner))
        {
            let path = PATH.try_with(Clone::clone).unwrap_or_default();
            eye(Sight::Trespassed { user: actor.user.clone(), path });
        }
    }
}
