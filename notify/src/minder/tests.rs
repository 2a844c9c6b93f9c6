//! Every rule of nudging, with the time handed in.

use super::*;
use askuser_config::{Escalate, Offset};

fn rule() -> PersonPart {
    PersonPart::default()
}

/// Runs a minder over a time, asks coming in and closing; returns what was told when, in seconds.
struct Play {
    minder: Minder,
    rule: PersonPart,
    told: Vec<(i64, Deed)>,
    looked_at: Vec<AskId>,
}

impl Play {
    fn new(rule: PersonPart) -> Self {
        Self { minder: Minder::default(), rule, told: Vec::new(), looked_at: Vec::new() }
    }

    fn ask(&mut self, ask: u128, at_s: i64) {
        self.minder.opened(AskId(ask), Timestamp(at_s * 1000), None);
    }

    /// Looks at every moment that the minder names, from one second to another.
    fn run(&mut self, from_s: i64, to_s: i64) {
        let mut now = Timestamp(from_s * 1000);
        for _ in 0..10_000 {
            let looked_at = self.looked_at.clone();
            let (deeds, next) = self.minder.look(&self.rule, now, |ask| looked_at.contains(&ask));
            self.told.extend(deeds.into_iter().map(|deed| (now.0 / 1000, deed)));
            match next.filter(|next| next.0 <= to_s * 1000) {
                Some(next) => {
                    assert!(next > now, "it stands still at {now:?}");
                    now = next;
                }
                None => return,
            }
        }
        panic!("it never comes to rest");
    }

    fn nudges(&self) -> Vec<(i64, Why, Vec<u128>)> {
        let nudge = |(at, deed): &(i64, Deed)| match deed {
            Deed::Nudge { why, asks } => Some((*at, *why, asks.iter().map(|(ask, _)| ask.0).collect())),
            Deed::Seen(..) => None,
        };
        self.told.iter().filter_map(nudge).collect()
    }
}

#[test]
fn one_nudge_an_ask_and_no_more_unless_the_person_says_so() {
    let mut play = Play::new(rule());
    play.ask(1, 0);
    play.run(0, 1_000_000);
    assert_eq!(play.nudges(), [(0, Why::New, vec![1])]);
    let (_, next) = play.minder.look(&play.rule, Timestamp(5_000_000_000), |_| false);
    assert_eq!(next, None);
}

#[test]
fn whoever_has_answered_within_the_moment_is_not_nudged() {
    let mut play = Play::new(rule());
    play.ask(1, 0);
    assert_eq!(play.minder.look(&play.rule, Timestamp(100), |_| false).0, []);
    assert!(!play.minder.closed(AskId(1)), "nothing was told of it");
    play.run(1, 1000);
    assert_eq!(play.nudges(), []);
    assert!(play.minder.is_idle());
}

#[test]
fn reminders_and_the_escalation_come_when_they_are_due() {
    let mut play = Play::new(PersonPart {
        wait: Duration::from_secs(5),
        remind: vec![Duration::from_mins(10), Duration::from_hours(1)],
        escalate: Some(Escalate { after: Duration::from_mins(30), channels: vec!["ops".into()], to: None }),
        ..rule()
    });
    play.ask(1, 0);
    play.run(0, 10_000);
    let expected = [
        (5, Why::New, vec![1]),
        (600, Why::Reminder, vec![1]),
        (1800, Why::Escalation, vec![1]),
        (3600, Why::Reminder, vec![1]),
    ];
    assert_eq!(play.nudges(), expected);
    let steps: Vec<u32> = play
        .told
        .iter()
        .filter_map(|(_, deed)| match deed {
            Deed::Nudge { asks, .. } => Some(asks[0].1),
            Deed::Seen(..) => None,
        })
        .collect();
    assert_eq!(steps, [0, 1, 2, 3]);
}

#[test]
fn after_a_restart_nothing_is_told_again_and_what_was_missed_is_told_once() {
    let rule = PersonPart { remind: vec![Duration::from_mins(10), Duration::from_mins(20)], ..rule() };
    // Told once before: the first reminder is next.
    let mut play = Play::new(rule.clone());
    play.minder.opened(AskId(1), Timestamp(0), Some(0));
    play.run(60, 700);
    assert_eq!(play.nudges(), [(600, Why::Reminder, vec![1])]);
    // Told nothing, and both reminders are over: that is one nudge, and it is new to them.
    let mut play = Play::new(rule);
    play.minder.opened(AskId(1), Timestamp(0), None);
    play.run(3000, 9000);
    assert_eq!(play.nudges(), [(3000, Why::New, vec![1])]);
}

#[test]
fn whoever_looks_at_it_needs_no_nudge() {
    let mut play = Play::new(PersonPart { remind: vec![Duration::from_mins(1)], ..rule() });
    play.ask(1, 0);
    play.ask(2, 0);
    play.looked_at = vec![AskId(1)];
    play.run(0, 30);
    assert_eq!(play.nudges(), [(0, Why::New, vec![2])]);
    assert!(play.told.iter().any(|(_, deed)| *deed == Deed::Seen(AskId(1), 0)));
    // They left: the reminder is by their own rule.
    play.looked_at.clear();
    play.run(30, 100);
    assert_eq!(play.nudges().len(), 3);
}

#[test]
fn nothing_is_told_in_quiet_hours_and_everything_afterwards_in_one() {
    // 22:00 to 07:00 on a clock that is an hour ahead: 21:00 to 06:00 UTC.
    let quiet = PersonPart {
        quiet: Some(Quiet { from: 22 * 60, to: 7 * 60 }),
        utc_offset: Offset(60),
        remind: vec![Duration::from_mins(10)],
        ..rule()
    };
    let hour = 3600;
    let mut play = Play::new(quiet.clone());
    for ask in 1..=5 {
        play.ask(ask, 22 * hour + i64::try_from(ask).unwrap());
    }
    play.run(22 * hour, 40 * hour);
    assert_eq!(play.nudges(), [(30 * hour, Why::New, vec![1, 2, 3, 4, 5])]);
    for (at_s, expected) in [
        (21 * hour - 1, None),
        (21 * hour, Some(30 * hour)),
        (30 * hour - 1, Some(30 * hour)),
        (30 * hour, None),
        (2 * hour, Some(6 * hour)),
    ] {
        let until = quiet_until(&quiet, Timestamp(at_s * 1000));
        assert_eq!(until, expected.map(|until| Timestamp(until * 1000)), "at {at_s}");
    }
}

#[test]
fn a_thousand_asks_are_told_of_in_one_and_a_trickle_one_by_one() {
    let mut play = Play::new(rule());
    for ask in 0..1000 {
        play.ask(ask, 0);
    }
    play.run(0, 1000);
    assert_eq!(play.nudges().len(), 1);
    assert_eq!(play.nudges()[0].2.len(), 1000);
    // Three in a minute come one by one; those after them in one, a minute apart at most.
    let mut play = Play::new(rule());
    for second in 0..600 {
        play.ask(u128::try_from(second).unwrap(), second);
        play.run(second, second);
        play.minder
            .look(&play.rule, Timestamp(second * 1000 + 300), |_| false)
            .0
            .into_iter()
            .for_each(|deed| play.told.push((second, deed)));
    }
    play.run(600, 2000);
    let nudges = play.nudges();
    assert!(nudges.len() <= 3 + 11, "{} nudges", nudges.len());
    let told: usize = nudges.iter().map(|(_, _, asks)| asks.len()).sum();
    assert_eq!(told, 600, "each is told of once");
}

#[test]
fn a_trickle_never_has_to_wait() {
    let mut play = Play::new(rule());
    for n in 0..10_i64 {
        play.ask(u128::try_from(n).unwrap(), n * 120);
        play.run(n * 120, n * 120 + 119);
    }
    let nudges = play.nudges();
    assert_eq!(nudges.len(), 10);
    assert!(nudges.iter().zip(0..).all(|((at, ..), n)| *at == n * 120), "{nudges:?}");
}
