//! Whom an ask is for, where that is not simply the user whose agent asks.
//!
//! An ask for several people may want the answers of some of them (`quorum`) and may be shown to
//! others as well after a time (`escalation`). Names are settled when the ask is taken in: who was
//! in a group then is who it is for.

use std::time::Duration;

use crate::id::UserId;
use crate::limits::AUDIENCE_MAX;
use crate::problem::{Fault, Problem};

/// Whom an ask is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audience {
    /// The people that it is shown to from the start.
    pub circle: Circle,
    /// How many of them have to answer, 1 at least.
    pub quorum: u32,
    /// Who comes in after a time.
    pub escalation: Option<Escalation>,
}

/// Who is shown an ask as well when it has been open for so long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Escalation {
    /// How long, counted from when it was accepted.
    pub after: Duration,
    pub to: Circle,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Circle {
    /// By their own names.
    pub people: Vec<UserId>,
    /// By the groups that they are in.
    pub groups: Vec<Group>,
    /// Whoever may come in as a person.
    pub anyone: bool,
    /// Names that may be a group's or a person's: only until the desk has said which.
    pub named: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub name: String,
    /// Who was in it when the ask was taken in; nobody until then.
    pub members: Vec<UserId>,
}

impl Circle {
    /// Whether this person is in it.
    pub fn has(&self, user: &UserId) -> bool {
        self.anyone || self.listed().any(|member| member == user)
    }

    /// Returns everybody who is in it by name, each once.
    pub fn members(&self) -> Vec<&UserId> {
        let mut members = Vec::new();
        for member in self.listed() {
            if !members.contains(&member) {
                members.push(member);
            }
        }
        members
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        !self.anyone && self.people.is_empty() && self.groups.is_empty() && self.named.is_empty()
    }

    fn listed(&self) -> impl Iterator<Item = &UserId> {
        self.people.iter().chain(self.groups.iter().flat_map(|group| &group.members))
    }
}

impl Audience {
    /// Returns everybody who is or will be shown the ask, each once; none where that is anyone.
    pub fn everybody(&self) -> Option<Vec<&UserId>> {
        let later = self.escalation.as_ref().map(|escalation| &escalation.to);
        if self.circle.anyone || later.is_some_and(|later| later.anyone) {
            return None;
        }
        let mut everybody = self.circle.members();
        for member in later.into_iter().flat_map(Circle::members) {
            if !everybody.contains(&member) {
                everybody.push(member);
            }
        }
        Some(everybody)
    }

    /// Returns what keeps it from ever being answered, with paths as the asker knows them.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let is_nobody = |circle: &Circle| !circle.anyone && circle.members().is_empty();
        if is_nobody(&self.circle) {
            problems.push(Problem::new("for", Fault::Nobody));
        }
        if self.escalation.as_ref().is_some_and(|escalation| is_nobody(&escalation.to)) {
            problems.push(Problem::new("for.escalate.to", Fault::Nobody));
        }
        let Some(everybody) = self.everybody() else { return problems };
        let got = everybody.len();
        if got > AUDIENCE_MAX {
            problems.push(Problem::new("for", Fault::TooManyItems { max: AUDIENCE_MAX, got }));
        }
        let wanted = usize::try_from(self.quorum).unwrap_or(usize::MAX);
        if got > 0 && wanted > got {
            problems.push(Problem::new("for.quorum", Fault::TooFewPeople { wanted, got }));
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(people: &[&str]) -> Circle {
        Circle { people: people.iter().map(|name| (*name).into()).collect(), ..Circle::default() }
    }

    #[test]
    fn somebody_in_two_ways_is_one_person() {
        let group = Group { name: "ops".to_owned(), members: vec!["bob".into(), "ann".into()] };
        let circle = Circle { groups: vec![group], ..circle(&["ann", "ann"]) };
        assert_eq!(circle.members(), [&UserId::from("ann"), &UserId::from("bob")]);
        assert!(circle.has(&"bob".into()) && !circle.has(&"eve".into()));
        let audience = Audience { circle, quorum: 3, escalation: None };
        let told: Vec<String> = audience.problems().iter().map(ToString::to_string).collect();
        assert_eq!(told, ["for.quorum: is 3, but there are only 2 to answer"]);
    }

    #[test]
    fn whoever_comes_in_later_counts_and_anyone_is_enough_for_any_quorum() {
        let after = Duration::from_secs(1);
        let to = |to| Some(Escalation { after, to });
        let audience = |escalation| Audience { circle: circle(&["ann"]), quorum: 2, escalation };
        assert!(audience(to(circle(&["bob"]))).problems().is_empty());
        assert_eq!(audience(to(circle(&["ann"]))).problems().len(), 1);
        assert!(audience(to(Circle { anyone: true, ..Circle::default() })).problems().is_empty());
        let told: Vec<String> =
            audience(to(circle(&[]))).problems().iter().map(ToString::to_string).collect();
        assert_eq!(told[0], "for.escalate.to: has nobody who could answer");
    }
}
