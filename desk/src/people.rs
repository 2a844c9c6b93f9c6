//! Whom an ask is for: names become people when the ask is taken in, and each person has the ask with
//! their own sheet.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::asker::Terms;
use askuser_core::audience::{Circle, Group};
use askuser_core::command::Actor;
use askuser_core::decide::Refusal;
use askuser_core::id::UserId;
use askuser_core::problem::Problem;
use askuser_words::fault::unfit;

use super::{Desk, DeskError};

/// Open asks that the agents of one user may have put to another person.
const OPEN_FOR_ANOTHER_MAX: usize = 100;
/// Asks of an inbox that are looked through for them.
const INBOX_READ_MAX: usize = 2000;

/// Groups of people, by name.
pub type Groups = BTreeMap<String, Vec<String>>;

/// Who is there: what names are looked up in.
struct Known<'a> {
    groups: &'a Groups,
    /// Those who may come in now.
    users: Vec<UserId>,
}

impl Desk {
    /// Looks up everybody whom an ask names. An ask for somebody who is not there would wait for ever,
    /// so it is refused.
    pub(super) async fn look_up(&self, asker: &UserId, terms: &mut Terms) -> Result<(), DeskError> {
        let Some(audience) = &mut terms.audience else { return Ok(()) };
        let settings = self.settings();
        let users = self.0.store.users().await?.into_iter();
        let users = users.filter(|user| user.disabled_at.is_none()).map(|user| user.id).collect();
        let known = Known { groups: &settings.groups, users };
        let mut problems = Vec::new();
        known.settle(&mut audience.circle, "for", &mut problems);
        if let Some(escalation) = &mut audience.escalation {
            known.settle(&mut escalation.to, "for.escalate.to", &mut problems);
        }
        if problems.is_empty() {
            let escalated = audience.escalation.iter().flat_map(|escalation| everybody(&escalation.to));
            let anyone = known.users.iter().filter(|_| audience.circle.anyone);
            let people: BTreeSet<&UserId> =
                everybody(&audience.circle).chain(escalated).chain(anyone).collect();
            for person in people.into_iter().filter(|person| *person != asker) {
                self.check_room_for(asker, person, &mut problems).await?;
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(Refusal::UnfitQuestions(problems).into()) }
    }

    /// One user's agents may fill their own person's inbox, and not another's.
    async fn check_room_for(
        &self,
        asker: &UserId,
        person: &UserId,
        problems: &mut Vec<Problem>,
    ) -> Result<(), DeskError> {
        let open = self.0.store.inbox(person, INBOX_READ_MAX).await?;
        if open.iter().filter(|ask| ask.owner == *asker).count() >= OPEN_FOR_ANOTHER_MAX {
            let fault = unfit(|said| said.too_many_for(person, OPEN_FOR_ANOTHER_MAX));
            problems.push(Problem::new("for", fault));
        }
        Ok(())
    }
}

/// Everybody in a circle, by name or by group.
fn everybody(circle: &Circle) -> impl Iterator<Item = &UserId> {
    circle.people.iter().chain(circle.groups.iter().flat_map(|group| &group.members))
}

impl Known<'_> {
    fn settle(&self, circle: &mut Circle, at: &str, problems: &mut Vec<Problem>) {
        for name in std::mem::take(&mut circle.named) {
            if self.groups.contains_key(&name) {
                circle.groups.push(Group { name, members: Vec::new() });
            } else {
                circle.people.push(UserId::new(name));
            }
        }
        for person in circle.people.iter().filter(|person| !self.users.contains(person)) {
            let fault = unfit(|said| said.unknown_person(person));
            problems.push(Problem::new(at, fault));
        }
        for group in &mut circle.groups {
            let Some(members) = self.groups.get(&group.name) else {
                let fault = unfit(|said| said.unknown_group(&group.name));
                problems.push(Problem::new(at, fault));
                continue;
            };
            // A member who is not there yet, or no more, is not waited for.
            let members = members.iter().map(|name| UserId::from(name.as_str()));
            group.members = members.filter(|member| self.users.contains(member)).collect();
        }
    }
}

/// The ask as this actor has it: nobody sees what others are putting down, and no other agent a secret.
pub(super) fn seen_by(actor: &Actor, ask: Arc<Ask>) -> Arc<Ask> {
    let ask = if ask.terms.audience.is_none() { ask } else { Arc::new(ask.seen_by(&actor.user)) };
    if ask.tells_secrets_to(actor) { ask } else { Arc::new(ask.without_secrets()) }
}
