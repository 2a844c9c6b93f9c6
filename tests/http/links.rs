//! The page behind a link that was sent to one person: used, replayed, expired, forged, somebody else's.

use std::sync::atomic::Ordering;

use askuser_desk::{LinkError, LinkRefusal};
use serde_json::Value;

use crate::audit::events;
use crate::stage::{Reply, Stage, ask, choice, id, stage, stage_with, unlimited};

/// Asks as Ann's agent; returns the ask and a link for it.
async fn asked(stage: &Stage, body: Value) -> (String, String) {
    let ask = id(&stage.ask(body).await);
    let found = stage.desk.across_users().ask(ask.parse().unwrap()).await.unwrap().unwrap();
    let link = stage.desk.links().make(&found, &"ann".into(), "mail").await.unwrap().unwrap();
    (ask, format!("/a/{}", link.reveal()))
}

async fn send(stage: &Stage, path: &str, form: &str) -> Reply {
    let origin = stage.origin();
    stage.send("POST", path, &[("origin", &origin)], form.to_owned()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_shows_the_ask_and_answers_it_without_signing_in() {
    let stage = stage().await;
    let (ask_id, link) = asked(&stage, ask("s", &[choice("auth")])).await;
    // Whatever fetches links ahead changes nothing.
    for _ in 0..3 {
        let page = stage.send("GET", &link, &[], "").await;
        assert_eq!(page.status, 200, "{}", page.text);
        assert!(page.text.contains("auth?") && page.text.contains(&format!("action=\"{link}/answer\"")));
        assert!(!page.text.contains("value=\"save\"") && !page.text.contains("data-user"), "{}", page.text);
        assert!(page.header("set-cookie").is_none());
    }
    // What does not fit is said where it stands, and uses nothing up.
    let unfit = send(&stage, &format!("{link}/answer"), "pick:auth=zzz").await;
    assert_eq!(unfit.status, 422, "{}", unfit.text);
    let done = send(&stage, &format!("{link}/answer"), "pick:auth=b").await;
    assert_eq!(done.status, 200, "{}", done.text);
    let told = stage.get(&format!("/api/asks/{ask_id}"), &stage.ann.person).await.ok();
    assert_eq!(told["status"], "answered", "{told}");
    let by = &told["outcome"]["by"];
    assert_eq!(
        (by["user"].as_str(), by["channel"].as_str(), by["proof"].as_str()),
        (Some("ann"), Some("mail"), Some("link")),
        "{told}"
    );
    // Replayed: refused, with what happened.
    for again in [
        stage.send("GET", &link, &[], "").await,
        send(&stage, &format!("{link}/answer"), "pick:auth=a").await,
    ] {
        assert_eq!(again.status, 410, "{}", again.text);
        assert!(
            again.text.contains("This link no longer works") && again.text.contains("ann"),
            "{}",
            again.text
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_declines_and_is_for_one_ask_only() {
    let stage = stage().await;
    let (first, link) = asked(&stage, ask("s", &[choice("one")])).await;
    let (second, _) = asked(&stage, ask("s", &[choice("two")])).await;
    let done = send(&stage, &format!("{link}/cancel"), "reason=not+now").await;
    assert_eq!(done.status, 200, "{}", done.text);
    let told = stage.get(&format!("/api/asks/{first}"), &stage.ann.person).await.ok();
    assert_eq!(told["status"], "cancelled", "{told}");
    let other = stage.get(&format!("/api/asks/{second}"), &stage.ann.person).await.ok();
    assert_eq!(other["status"], "showing");
}

#[tokio::test(flavor = "multi_thread")]
async fn forged_expired_and_foreign_links_are_refused_with_words() {
    let stage = stage_with(|server| server.rates.failed_sign_ins = 3).await;
    let (ask_id, link) = asked(&stage, ask("s", &[choice("auth")])).await;
    // Another site cannot send the form.
    let foreign = stage
        .send("POST", &format!("{link}/answer"), &[("origin", "http://evil.example")], "pick:auth=a")
        .await;
    assert_eq!(foreign.status, 403);
    stage.forward_ms.store(31 * 24 * 3_600_000, Ordering::SeqCst);
    let old = send(&stage, &format!("{link}/answer"), "pick:auth=a").await;
    assert_eq!(old.status, 410);
    assert!(old.text.contains("This link is too old"), "{}", old.text);
    stage.forward_ms.store(0, Ordering::SeqCst);
    // Made up: told so, and not for long.
    let made_up = format!("/a/a_{}/answer", "A".repeat(32));
    let mut statuses = Vec::new();
    for _ in 0..5 {
        let forged = send(&stage, &made_up, "pick:auth=a").await;
        statuses.push(forged.status);
        assert!(forged.status != 401 || forged.text.contains("not valid"), "{}", forged.text);
    }
    assert_eq!(statuses, [401, 401, 401, 429, 429]);
    // A user who is disabled has no links any more.
    stage.desk.access().disable_user(&"ann".into()).await.unwrap();
    assert_eq!(stage.send("GET", &link, &[], "").await.status, 429, "looking is trying");
    let followed = stage.desk.links().follow(link.trim_start_matches("/a/")).await;
    assert!(matches!(followed, Err(LinkError::Refused(LinkRefusal::Unknown))), "{followed:?}");
    let ask = stage.desk.across_users().ask(ask_id.parse().unwrap()).await.unwrap().unwrap();
    assert!(ask.is_open());
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_signed_in_has_more_than_a_link_and_others_are_refused() {
    let stage = stage().await;
    let (ask_id, link) = asked(&stage, ask("s", &[choice("auth")])).await;
    let (ann, bob) = (stage.sign_in().await, stage.sign_in_as(&stage.bob).await);
    let reply = stage.send("GET", &link, &[("cookie", &ann)], "").await;
    assert_eq!((reply.status, reply.header("location")), (303, Some(format!("/asks/{ask_id}").as_str())));
    // Bob's browser with Ann's link: Bob does not answer for Ann.
    let origin = stage.origin();
    for reply in [
        stage.send("GET", &link, &[("cookie", &bob)], "").await,
        stage
            .send("POST", &format!("{link}/answer"), &[("cookie", &bob), ("origin", &origin)], "pick:auth=a")
            .await,
    ] {
        assert_eq!(reply.status, 403);
        assert!(reply.text.contains("This is for somebody else"), "{}", reply.text);
    }
    let ask = stage.desk.across_users().ask(ask_id.parse().unwrap()).await.unwrap().unwrap();
    assert!(ask.is_open());
}

/// D15: links that are replayed, expired, made up or another's are security events, each by its name; the
/// link itself is in none of them.
#[tokio::test(flavor = "multi_thread")]
async fn d15_links_that_are_replayed_expired_forged_or_of_another_are_in_the_audit() {
    let stage = stage_with(|server| server.rates = unlimited()).await;
    let (_, link) = asked(&stage, ask("s", &[choice("auth")])).await;
    let answer = format!("{link}/answer");
    let made_up = format!("/a/a_{}", "A".repeat(32));
    assert_eq!(stage.send("GET", &made_up, &[], "").await.status, 401);
    let bob = stage.sign_in_as(&stage.bob).await;
    assert_eq!(stage.send("GET", &link, &[("cookie", &bob)], "").await.status, 403);
    stage.forward_ms.store(31 * 24 * 3_600_000, Ordering::SeqCst);
    assert_eq!(send(&stage, &answer, "pick:auth=a").await.status, 410);
    stage.forward_ms.store(0, Ordering::SeqCst);
    // A form of another site is refused before anybody looks at the link.
    let evil = [("origin", "http://evil.example")];
    assert_eq!(stage.send("POST", &answer, &evil, "pick:auth=a").await.status, 403);
    assert_eq!(send(&stage, &answer, "pick:auth=a").await.status, 200);
    assert_eq!(send(&stage, &answer, "pick:auth=b").await.status, 410);
    for (kind, severity, user) in [
        ("link_forged", "medium", None),
        ("link_of_another", "high", Some("bob")),
        ("link_expired", "low", None),
        ("link_replayed", "low", None),
    ] {
        let found = events(&stage, kind).await;
        assert_eq!((found.len(), found[0]["severity"].as_str()), (1, Some(severity)), "{kind}: {found:?}");
        let details = &found[0]["details"];
        assert_eq!((details["path"].as_str(), details["user"].as_str()), (Some("/a/…"), user), "{details}");
        assert_eq!(details["address"], "127.0.0.1", "{details}");
    }
    assert_eq!(events(&stage, "wrong_origin").await[0]["details"]["path"], "/a/…");
    let all = stage.get("/api/security?limit=1000", &stage.ann.admin).await.text;
    assert!(!all.contains(link.trim_start_matches("/a/")) && !all.contains("AAAA"), "{all}");
}
