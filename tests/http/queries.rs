//! What stands behind `?` and does not fit: which value it is, and why, to the byte.

use serde_json::Value;

use crate::stage::{ask, choice, id, stage};

/// A path with a wrong query, and what is wrong with it: the code, the field, the words.
const WRONG: [(&str, &str, &str, &str); 18] = [
    ("/api/asks/ID?wait=soon", "400 invalid_request", "wait", "is not a number of seconds"),
    ("/api/asks/ID?wait=-1", "400 invalid_request", "wait", "is not a number of seconds"),
    ("/api/asks/ID?wait=NaN", "400 invalid_request", "wait", "is not a number of seconds"),
    ("/api/asks/ID?reply=latin", "400 invalid_question", "reply", "is `latin`, which is none of "),
    ("/api/history?after=x", "400 invalid_request", "after", "is not the id of a question"),
    (
        "/api/ids?kind=key",
        "400 invalid_request",
        "kind",
        "is `key`, which is none of ask, session, task, rule",
    ),
    ("/api/events?since=x", "400 invalid_request", "since", "is not the number of an event"),
    ("/api/events?protocol=x", "400 invalid_request", "protocol", "is `x`, which is none of push"),
    (
        "/api/sessions/ID/export?format=pdf",
        "400 invalid_request",
        "format",
        "is `pdf`, which is none of jsonl, md",
    ),
    ("/api/insight?minutes_east=841", "400 invalid_request", "minutes_east", "is not a zone's minutes"),
    ("/api/insight?minutes_east=east", "400 invalid_request", "minutes_east", "is not a zone's minutes"),
    ("/api/audit?after=x", "400 invalid_request", "after", "is not a number"),
    ("/api/audit?form=pdf", "400 invalid_request", "form", "is `pdf`, which is none of json, jsonl, csv, md"),
    ("/api/audit?limit=1001", "400 invalid_request", "limit", "is not within 1 and 1000"),
    ("/api/security?limit=many", "400 invalid_request", "limit", "is not a number"),
    ("/api/purge", "400 invalid_request", "older_than", "is missing"),
    ("/api/purge?older_than=week", "400 invalid_request", "older_than", "is not a number"),
    ("/api/metrics/summary?window=x", "400 invalid_request", "window", "is not a number of seconds"),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_does_not_fit_is_refused_by_the_name_of_the_value() {
    let stage = stage().await;
    let asked = id(&stage.ask(ask("asked", &[choice("q")])).await);
    let admins = ["/api/audit", "/api/security", "/api/purge", "/api/metrics"];
    for (path, code, field, why) in WRONG {
        let key = if admins.iter().any(|start| path.starts_with(start)) {
            &stage.ann.admin
        } else {
            &stage.ann.person
        };
        let reply = stage.call("GET", &path.replace("ID", &asked), key, Value::Null).await;
        let problem = &reply.json()["problems"][0];
        assert_eq!(
            (reply.code().as_str(), &problem["path"]),
            (code, &field.into()),
            "{path}: {}",
            reply.text
        );
        assert!(problem["message"].as_str().unwrap().starts_with(why), "{path}: {}", reply.text);
    }
}

/// What is empty is not there, and what nobody knows is nobody's.
#[tokio::test(flavor = "multi_thread")]
async fn an_empty_value_and_one_that_nobody_reads_are_no_mistakes() {
    let stage = stage().await;
    for path in ["/api/history?after=&q=&open=", "/api/ids?kind=&part=", "/api/inbox?short_ids=&page=2"] {
        let reply = stage.call("GET", path, &stage.ann.person, Value::Null).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text);
    }
}
