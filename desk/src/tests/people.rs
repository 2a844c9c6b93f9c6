//! Several people at one desk: names become people, each hears what is theirs, others come in once.

use askuser_core::audience::{Audience, Circle, Escalation};
use askuser_core::fact::Fact;

use super::*;

/// Adds users and groups.
async fn peopled(desk: &Desk) {
    for name in ["ann", "bob", "cy"] {
        desk.access().add_user(&name.into()).await.unwrap();
    }
    desk.configure(|settings| {
        settings.groups = [("ops".to_owned(), vec!["bob".to_owned(), "gone".to_owned()])].into();
    });
}

fn named(names: &[&str]) -> Circle {
    Circle { named: names.iter().map(|name| (*name).to_owned()).collect(), ..Circle::default() }
}

fn for_people(circle: Circle, quorum: u32, escalation: Option<(u64, Circle)>) -> Terms {
    let escalation = escalation.map(|(millis, to)| Escalation { after: Duration::from_millis(millis), to });
    Terms { audience: Some(Audience { circle, quorum, escalation }), ..Terms::default() }
}

fn bob() -> Actor {
    actor(Role::Person, "bob")
}

#[tokio::test]
async fn names_are_looked_up_when_an_ask_is_taken_in() {
    let desk = desk().await;
    peopled(&desk).await;
    let asked =
        desk.ask(&agent(), request("q", for_people(named(&["ops", "cy"]), 2, None))).await.unwrap().ask;
    let still: Vec<String> = asked.still_to_answer().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(still, ["cy", "bob"]);
    for (names, told) in [
        (["nobody"], "for: names `nobody`, who is no user of this server"),
        (["gone"], "for: names `gone`, who is no user of this server"),
    ] {
        let refused = desk.ask(&agent(), request("q2", for_people(named(&names), 1, None))).await;
        assert!(refused.unwrap_err().to_string().contains(told), "{told}");
    }
    let group = askuser_core::audience::Group { name: "sec".to_owned(), members: Vec::new() };
    let circle = Circle { groups: vec![group], ..Circle::default() };
    let refused = desk.ask(&agent(), request("q3", for_people(circle, 1, None))).await.unwrap_err();
    assert!(refused.to_string().contains("the group `sec`, which is not configured"), "{refused}");
    // Whoever joins the group later is not asked; the ask is for those who were in it.
    desk.configure(|settings| settings.groups = [("ops".to_owned(), vec!["ann".to_owned()])].into());
    assert!(desk.inbox(&person()).await.unwrap().is_empty());
    assert_eq!(desk.inbox(&bob()).await.unwrap().len(), 1);
}

#[tokio::test]
async fn each_person_hears_of_what_is_for_them_and_no_agent_of_what_others_ask() {
    let desk = desk().await;
    peopled(&desk).await;
    let mut ears = [
        desk.listen(&person(), None, Some(0)),
        desk.listen(&bob(), None, Some(0)),
        desk.listen(&actor(Role::Agent, "bob"), None, Some(0)),
        desk.listen(&actor(Role::Person, "cy"), None, Some(0)),
    ];
    let asked = desk.ask(&agent(), request("q", for_people(named(&["bob"]), 1, None))).await.unwrap().ask.id;
    desk.save(&bob(), asked, pick("q", "1")).await.unwrap();
    assert!(desk.ask_of(&person(), asked).await.unwrap().entries.is_empty(), "his sheet is his");
    desk.answer(&bob(), asked, pick("q", "1")).await.unwrap();
    let mut heard: Vec<Vec<&str>> = Vec::new();
    for ear in &mut ears {
        let mut kinds = Vec::new();
        while let Ok(Ok(Update::Fact(numbered))) =
            tokio::time::timeout(Duration::from_millis(200), ear.next()).await
        {
            kinds.push(kind(numbered.fact.as_deref().unwrap()));
        }
        heard.push(kinds);
    }
    assert_eq!(heard[0], ["opened", "asked", "shown", "heard", "closed"]);
    assert_eq!(heard[1], ["asked", "shown", "saved", "heard", "closed"]);
    assert!(heard[2].is_empty() && heard[3].is_empty());
    assert!(desk.ask_of(&actor(Role::Agent, "bob"), asked).await.is_err());
    assert!(desk.ask_of(&actor(Role::Person, "cy"), asked).await.is_err());
}

fn kind(fact: &Fact) -> &'static str {
    match fact {
        Fact::SessionOpened(_) => "opened",
        Fact::Asked(_) => "asked",
        Fact::Shown { .. } => "shown",
        Fact::Saved { .. } => "saved",
        Fact::Heard { .. } => "heard",
        Fact::Closed { .. } => "closed",
        _ => "another",
    }
}

#[tokio::test]
async fn whoever_waits_is_woken_when_enough_have_answered_and_not_before() {
    let desk = desk().await;
    peopled(&desk).await;
    let terms = for_people(named(&["ann", "bob", "cy"]), 2, None);
    let asked = desk.ask(&agent(), request("q", terms)).await.unwrap().ask.id;
    desk.answer(&person(), asked, pick("q", "1")).await.unwrap();
    let waited = desk.wait(&agent(), asked, Duration::from_millis(1)).await.unwrap();
    assert!(matches!(waited, Waited::StillOpen(_)));
    assert!(desk.inbox(&person()).await.unwrap().is_empty(), "they have spoken");
    desk.answer(&bob(), asked, pick("q", "2")).await.unwrap();
    let Waited::Closed(ask) = desk.wait(&agent(), asked, Duration::from_secs(20)).await.unwrap() else {
        panic!("still open")
    };
    let outcome = ask.state.outcome().unwrap();
    assert_eq!((outcome.agreed(), outcome.answers.0.len()), (Some(false), 0));
}

/// Waits until somebody's inbox has an ask.
async fn until_shown(desk: &Desk, who: &Actor) {
    let begun = Instant::now();
    while desk.inbox(who).await.unwrap().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(30), "never shown to {}", who.user);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn n_escalated(desk: &Desk) -> usize {
    let facts = desk.store().facts_since(0, 99).await.unwrap();
    facts.iter().filter(|fact| matches!(fact.fact.as_deref(), Some(Fact::Escalated { .. }))).count()
}

#[tokio::test]
async fn others_are_shown_it_after_the_time_also_when_nobody_was_there_then() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("askuser.db");
    let forward_ms = Arc::new(AtomicI64::new(0));
    let open = || Arc::new(Sqlite::open(&path, &options()).unwrap());
    let before = Desk::open(open(), clock(&forward_ms)).await.unwrap();
    peopled(&before).await;
    let terms = for_people(named(&["ann"]), 1, Some((3_600_000, named(&["bob"]))));
    before.ask(&agent(), request("q", terms)).await.unwrap();
    assert!(before.inbox(&bob()).await.unwrap().is_empty());
    before.close().await.unwrap();
    forward_ms.store(3_600_000, Ordering::SeqCst);
    for _ in 0..2 {
        let desk = Desk::open(open(), clock(&forward_ms)).await.unwrap();
        assert_eq!((desk.inbox(&bob()).await.unwrap().len(), n_escalated(&desk).await), (1, 1));
        desk.close().await.unwrap();
    }
    // And while it is there: a time that comes in is kept.
    let desk = Desk::open(open(), clock(&forward_ms)).await.unwrap();
    let terms = for_people(named(&["ann"]), 1, Some((50, named(&["cy"]))));
    desk.ask(&agent(), request("q2", terms)).await.unwrap();
    until_shown(&desk, &actor(Role::Person, "cy")).await;
}

/// Two replicas see that it is time; one of them does it.
#[tokio::test]
async fn two_replicas_escalate_once() {
    let address = server().corner();
    let (one, other) = (replicas::desk_at(&address).await, replicas::desk_at(&address).await);
    peopled(&one).await;
    other.configure(|settings| settings.groups = [("ops".to_owned(), vec!["bob".to_owned()])].into());
    for round in 0..4 {
        let (here, there) = if round % 2 == 0 { (&one, &other) } else { (&other, &one) };
        let terms = for_people(named(&["ann"]), 1, Some((100, named(&["ops"]))));
        let id = format!("q{round}");
        let asked = here.ask(&agent(), request(&id, terms)).await.unwrap().ask.id;
        until_shown(there, &bob()).await;
        there.answer(&bob(), asked, pick(&id, "1")).await.unwrap();
    }
    assert_eq!(n_escalated(&one).await, 4);
}

/// D13: each has their own sheet again after a restore, and nobody another's.
#[tokio::test]
async fn d13_a_restore_gives_everybody_their_own_sheet() {
    let desk = desk().await;
    peopled(&desk).await;
    let terms = Terms { session: Some("talk".into()), ..for_people(named(&["ann", "bob", "cy"]), 2, None) };
    let asked = desk.ask(&agent(), request("q", terms)).await.unwrap().ask.id;
    desk.save(&person(), asked, pick("q", "1")).await.unwrap();
    desk.save(&bob(), asked, pick("q", "2")).await.unwrap();
    let from = desk.session(&person(), "talk").await.unwrap();
    let asks = desk.restore(&person(), &from, Point::Latest, None).await.unwrap().rounds;
    for (who, entries) in
        [(person(), pick("q", "1")), (bob(), pick("q", "2")), (actor(Role::Person, "cy"), Vec::new())]
    {
        let seen = desk.ask_of(&who, asks[0].id).await.unwrap();
        assert_eq!(seen.entries, entries, "{}", who.user);
    }
}
