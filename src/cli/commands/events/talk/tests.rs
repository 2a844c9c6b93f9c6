//! What may be sent again, to which ask, and what is printed.

use serde_json::json;

use super::*;

const FIRST: &str = "ask_00000000000000000000000001";
const SECOND: &str = "ask_00000000000000000000000002";

/// A person's end that was told two asks of one agent.
fn told_two() -> Talk {
    let mut talk = Talk::new(End::Person, None);
    for id in [FIRST, SECOND] {
        assert!(talk.hear(&request(id)));
    }
    talk
}

fn request(id: &str) -> Value {
    json!({"event": "ask:question:request", "data": {"agentId": "a", "askId": id, "questions": []}})
}

fn response() -> String {
    json!({"event": "ask:question:response", "data": {"agentId": "a", "answers": {}}}).to_string()
}

fn close(id: &str) -> Value {
    json!({"event": "ask:question:response", "data": {"agentId": "a", "askId": id, "ask_id": id, "opCode": id}})
}

fn refusal(line: &str, code: &str) -> Value {
    let mut said: Value = serde_json::from_str(line).unwrap();
    said["event"] = "ask:question:error".into();
    said["data"]["error"] = code.into();
    said
}

fn ask_of(line: &str) -> Value {
    serde_json::from_str::<Value>(line).unwrap()["data"]["askId"].clone()
}

fn sent_again(talk: &mut Talk) -> Vec<String> {
    talk.hold_no_longer();
    std::iter::from_fn(|| talk.held()).collect()
}

#[test]
fn a_response_by_agent_is_bound_to_the_oldest_ask_and_stays_with_it() {
    let mut talk = told_two();
    let line = talk.take(response()).unwrap();
    assert_eq!(ask_of(&line), FIRST);
    // The close of another ask of that agent is not its answer.
    assert!(talk.hear(&close(SECOND)));
    assert!(talk.come_back().is_empty());
    assert_eq!(sent_again(&mut talk), [line]);
    assert!(talk.hear(&close(FIRST)));
    talk.ended = true;
    assert!(talk.is_over());
}

#[test]
fn responses_in_a_row_mean_one_ask_each() {
    let mut talk = told_two();
    let meant: Vec<Value> = (0..3).map(|_| ask_of(&talk.take(response()).unwrap())).collect();
    // The third comes too late for the first, and is told so: it does not wait for another ask.
    assert_eq!(meant, [FIRST, SECOND, FIRST]);
    assert!(talk.hear(&close(FIRST)));
    assert_eq!(ask_of(&talk.take(response()).unwrap()), SECOND);
}

#[test]
fn a_response_by_event_is_bound_to_the_ask_that_was_told_with_it() {
    let mut talk = Talk::new(End::Person, None);
    assert!(talk.hear(&json!({"type": "ask_user", "askId": FIRST, "eventId": "e", "questions": []})));
    let by = |name: &str| json!({"type": "ask_user_response", "opCode": name, "answers": []}).to_string();
    let line: Value = serde_json::from_str(&talk.take(by("e")).unwrap()).unwrap();
    assert_eq!((&line["askId"], &line["opCode"]), (&json!(FIRST), &json!("e")));
    assert_eq!(talk.take(by("another")).unwrap(), by("another"));
    assert_eq!(talk.come_back().len(), 1);
    // Another asker chose the same name: the desk is to say that it does not know which is meant.
    assert!(talk.hear(&json!({"type": "ask_user", "askId": SECOND, "eventId": "e", "questions": []})));
    assert_eq!(talk.take(by("e")).unwrap(), by("e"));
}

#[test]
fn a_response_whose_ask_is_not_known_is_never_sent_again() {
    let mut talk = Talk::new(End::Person, None);
    assert_eq!(talk.take(response()).unwrap(), response());
    let complaints = talk.come_back();
    let complaint: Value = serde_json::from_str(&complaints[0]).unwrap();
    assert_eq!((complaints.len(), &complaint["event"]), (1, &json!("ask:question:error")));
    assert_eq!(complaint["data"]["agentId"], "a");
    assert!(complaint["data"]["message"].as_str().unwrap().contains("not known whether"), "{complaint}");
    assert!(sent_again(&mut talk).is_empty());
    talk.ended = true;
    assert!(talk.is_over());
}

#[test]
fn what_is_refused_for_a_moment_is_held_and_what_is_refused_for_good_is_printed() {
    let mut talk = told_two();
    let lines: Vec<String> = (0..2).map(|_| talk.take(response()).unwrap()).collect();
    assert!(!talk.hear(&refusal(&lines[0], "rate_limited")));
    assert!(talk.again_at().is_some());
    assert!(talk.hear(&refusal(&lines[1], "invalid_answer")));
    assert_eq!(sent_again(&mut talk), lines[..1]);
    assert!(talk.again_at().is_none());
    assert!(!talk.hear(&refusal(&lines[0], "unavailable")));
    assert_eq!(sent_again(&mut talk), lines[..1]);
}

#[test]
fn the_wait_grows_to_half_a_minute() {
    let mut talk = told_two();
    let line = talk.take(response()).unwrap();
    let mut waits = Vec::new();
    for _ in 0..7 {
        assert!(!talk.hear(&refusal(&line, "rate_limited")));
        waits.push(talk.last_hold.unwrap().1.as_secs());
        assert_eq!(sent_again(&mut talk).len(), 1);
    }
    assert_eq!(waits, [1, 2, 4, 8, 16, 30, 30]);
}

#[test]
fn a_refused_response_by_agent_is_known_not_to_have_arrived() {
    let mut talk = Talk::new(End::Person, None);
    let line = talk.take(response()).unwrap();
    assert!(!talk.hear(&refusal(&line, "rate_limited")));
    assert!(talk.hear(&request(FIRST)));
    assert!(talk.come_back().is_empty());
    assert_eq!(ask_of(&sent_again(&mut talk)[0]), FIRST);
}

#[test]
fn a_line_that_grew_too_long_is_not_sent() {
    let mut talk = Talk::new(End::Agent, None);
    let mut request = json!({"type": "ask_user", "eventId": "e", "context": ""});
    let rest = BODY_BYTES_MAX - request.to_string().len();
    request["context"] = "x".repeat(rest).into();
    assert_eq!(request.to_string().len(), BODY_BYTES_MAX);
    let complaint: Value = serde_json::from_str(&talk.take(request.to_string()).unwrap_err()).unwrap();
    assert_eq!((&complaint["error"], &complaint["eventId"]), (&json!("payload_too_large"), &json!("e")));
    talk.ended = true;
    assert!(talk.is_over());
}

#[test]
fn an_ask_is_told_once_over_all_sockets() {
    let mut talk = told_two();
    assert_eq!(talk.told.come_back().len(), 2);
    assert!(!talk.hear(&request(FIRST)));
    assert!(talk.hear(&close(FIRST)));
    assert_eq!(talk.told.come_back(), [SECOND.parse().unwrap()]);
}
