//! The agent's own dialog: whoever sits before it is known by what the agent's program tells, and by nothing
//! else. So what is answered there says so, grants no permission (invariant 6), and is taken only where this
//! desk's configuration says that it is: never on the word of whoever would answer.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::{Actor, Role};
use askuser_core::decide::{Barred, Refusal};
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use askuser_core::outcome::{By, Channel, Program, Proof};

use super::observer::Observed;
use super::{Caller, Desk, DeskError, KeyRole};

/// Where an answer comes in that is not wanted.
const WAY: &str = "the agent's own dialog";
/// Characters of what a program calls itself.
const CLIENT_CHARS_MAX: usize = 200;

impl Desk {
    /// Whether answers of agents' own dialogs are taken.
    pub fn takes_dialogs(&self) -> bool {
        self.defaults().agent_dialog
    }

    /// Answers with what the dialog of an agent's program was told; `client` is what that calls itself.
    pub async fn answer_in_dialog(
        &self,
        caller: &Caller,
        client: Option<&str>,
        ask: AskId,
        entries: Vec<(QuestionId, Entry)>,
    ) -> Result<Arc<Ask>, DeskError> {
        if caller.role != KeyRole::Agent {
            return Err(Refusal::Forbidden(Barred::DialogOfNoAgent).into());
        }
        let program = client.map(|client| Program {
            path: client.chars().filter(|c| !c.is_control()).take(CLIENT_CHARS_MAX).collect(),
            mark: None,
        });
        let by = By::new(Some(caller.user.clone()), Channel::AgentDialog, Proof::AgentDialog);
        let by = By { program, ..by };
        let somebody = Actor { role: Role::Person, user: caller.user.clone(), by, key: caller.key };
        self.answer(&somebody, ask, entries).await
    }

    /// Refuses whoever comes through a dialog that is not to be believed here.
    pub(super) fn check_dialog(&self, actor: &Actor) -> Result<(), DeskError> {
        if actor.by.proof != Proof::AgentDialog || self.takes_dialogs() {
            return Ok(());
        }
        self.observe(|| Observed::Forged { user: actor.user.clone(), way: WAY });
        Err(Refusal::Forbidden(Barred::DialogOff).into())
    }
}
