//! Rate limits (D11): per key and session, reads apart, answers apart, sign-ins by address.

use serde_json::{Value, json};

use crate::stage::{Stage, ask, choice, id, stage_with};

async fn limited(requests: u32) -> Stage {
    stage_with(|door| door.rates.requests = requests).await
}

/// D11: one more than allowed is told when to come back, and nobody else is.
#[tokio::test(flavor = "multi_thread")]
async fn d11_a_runaway_agent_is_slowed_down_and_nobody_else_is() {
    let stage = limited(5).await;
    let mut codes = Vec::new();
    for number in 0..8 {
        let reply =
            stage.post("/api/asks", &stage.ann.agent, ask("s", &[choice(&format!("q{number}"))])).await;
        if reply.status == 429 {
            assert_eq!(reply.code(), "429 rate_limited");
            // Five in sixty seconds are one every twelve.
            let wait: u64 = reply.header("retry-after").unwrap().parse().unwrap();
            assert!((1..=12).contains(&wait), "{wait}");
        }
        codes.push(reply.status);
    }
    assert_eq!(codes, [201, 201, 201, 201, 201, 429, 429, 429]);
    // Another session of the same key, another user, and reading are not concerned.
    assert_eq!(stage.post("/api/asks", &stage.ann.agent, ask("t", &[choice("q")])).await.status, 201);
    assert_eq!(stage.post("/api/asks", &stage.bob.agent, ask("s", &[choice("q")])).await.status, 201);
    let inbox = stage.get("/api/inbox", &stage.ann.person).await.ok();
    // The person can still answer, and save as often as they read.
    let asked = &inbox["asks"][0];
    let path = format!("/api/asks/{}", id(asked));
    for _ in 0..20 {
        stage
            .call("PUT", &format!("{path}/sheet"), &stage.ann.person, json!({"answers": {"q0": "a"}}))
            .await
            .ok();
    }
    stage.post(&format!("{path}/answer"), &stage.ann.person, json!({"answers": {"q0": "a"}})).await.ok();
    // Reads have their own limit, ten times as high.
    let mut n_read = 0;
    while stage.get("/api/inbox", &stage.ann.person).await.status == 200 {
        n_read += 1;
        assert!(n_read < 100);
    }
    assert!(n_read >= 20, "{n_read}");
}

/// D11: an agent that answers the limit cannot use up its person's answers.
#[tokio::test(flavor = "multi_thread")]
async fn d11_answers_are_counted_apart_by_session() {
    let stage = limited(2).await;
    let cancel = |session: &'static str| {
        let body = json!({"session_id": session, "question_id": "q"});
        stage.post("/api/task/cancel", &stage.ann.person, body)
    };
    assert_eq!((cancel("a").await.status, cancel("a").await.status), (404, 404));
    assert_eq!(cancel("a").await.code(), "429 rate_limited");
    assert_eq!(cancel("b").await.status, 404);
    assert_eq!(stage.post("/api/login-links", &stage.ann.person, Value::Null).await.status, 201);
}

/// CONTRACT §4: ten failed sign-ins a minute for an address, and a right key still gets in.
#[tokio::test(flavor = "multi_thread")]
async fn failed_sign_ins_are_counted_and_a_right_key_is_never_locked_out() {
    let stage = stage_with(|_| {}).await;
    let mut codes = Vec::new();
    for number in 0..12 {
        let key = format!("askuser_person_{number}");
        codes.push(stage.get("/api/inbox", &key).await.status);
    }
    assert_eq!(codes[..10], [401; 10]);
    assert_eq!(codes[10..], [429; 2]);
    assert_eq!(stage.get("/api/inbox", &stage.ann.person).await.status, 200);
    let own = format!("http://{}", stage.address);
    assert_eq!(stage.send("POST", "/login/guess", &[("origin", &own)], "").await.code(), "429 rate_limited");
}
