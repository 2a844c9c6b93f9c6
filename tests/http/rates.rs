//! Rate limits (D11): per key and session, reads apart, answers apart, sign-ins by address.

use serde_json::{Value, json};

use crate::stage::{Stage, ask, choice, id, stage_with};

async fn limited(requests: u32) -> Stage {
    stage_with(|server| server.rates.requests = requests).await
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
            // The first of the five leaves the window a minute after it came.
            let wait: u64 = reply.header("retry-after").unwrap().parse().unwrap();
            assert!((40..=60).contains(&wait), "{wait}");
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

/// Ten failed sign-ins a minute for an address, and a right key still gets in.
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
    let own = stage.origin();
    assert_eq!(stage.send("POST", "/login/guess", &[("origin", &own)], "").await.code(), "429 rate_limited");
}

/// D11: what names an ask counts in that ask's session, whoever calls and however the session is
/// named; another session of the same key goes on.
#[tokio::test(flavor = "multi_thread")]
async fn d11_answers_and_reads_by_ask_are_counted_by_the_asks_session() {
    let stage = limited(3).await;
    let mut paths = Vec::new();
    for (session, question) in [("a", "q0"), ("a", "q1"), ("b", "q0"), ("b", "q1")] {
        let asked = stage.ask(ask(session, &[choice(question)])).await;
        paths.push((format!("/api/asks/{}", id(&asked)), asked["session"].as_str().unwrap().to_owned()));
    }
    let wrong = json!({"answers": {"nothing": "a"}});
    let answer = async |ask: usize| {
        stage.post(&format!("{}/answer", paths[ask].0), &stage.ann.person, wrong.clone()).await
    };
    let statuses = [answer(0).await.status, answer(1).await.status, answer(0).await.status];
    assert_eq!(statuses, [400; 3]);
    // Two asks of one session share its limit, also by the other route and the session's own id.
    assert_eq!(answer(1).await.code(), "429 rate_limited");
    for name in ["a", paths[0].1.as_str()] {
        let body = json!({"session_id": name, "question_id": "q0", "answer": "x"});
        assert_eq!(stage.post("/api/task/answer", &stage.ann.person, body).await.code(), "429 rate_limited");
    }
    assert_eq!(answer(2).await.status, 400, "the other session is not concerned");
    let read = |ask: usize| stage.get(&paths[ask].0, &stage.ann.agent);
    let mut n_read = 0;
    while read(n_read % 2).await.status == 200 {
        n_read += 1;
        assert!(n_read < 100);
    }
    assert_eq!(n_read, 30);
    assert_eq!(read(2).await.status, 200);
    // Asking and taking back count together; what is nobody's counts in no session.
    let withdraw = async |ask: usize| {
        stage.post(&format!("{}/withdraw", paths[ask].0), &stage.ann.agent, Value::Null).await
    };
    assert_eq!(withdraw(0).await.status, 200, "the third of session a");
    assert_eq!(withdraw(1).await.code(), "429 rate_limited");
    let nowhere = "/api/asks/ask_00000000000000000000000000/withdraw";
    let nobodys = async || stage.post(nowhere, &stage.ann.agent, Value::Null).await.status;
    assert_eq!([nobodys().await, nobodys().await, nobodys().await, nobodys().await], [404, 404, 404, 429]);
}
