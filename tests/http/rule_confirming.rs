//! A file of rules is somebody's words until the person has confirmed them: what it grants, who is told of
//! a change, and whose rule answers whom.

use std::fs;

use askuser::daemon::rules;
use askuser_client::home::Home;
use askuser_desk::KeyRole;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::audit::events;
use crate::page::Person;
use crate::stage::{Reply, Stage, ask, choice, id, stage};

const GRANTS: &str = "\
otherwise: ask
rules:
- {name: go on, match: {header: Permission}, permission: true, answer: true}
";

async fn ruled() -> Stage {
    let stage = stage().await;
    let by_hand = rules::of(&Home::new(stage.home.path()));
    stage.desk.configure(|settings| settings.rules_by_hand = Some(by_hand));
    stage
}

/// Writes the file of rules; returns its digest.
fn write(stage: &Stage, text: &str) -> String {
    fs::write(stage.home.path().join("rules.yaml"), text).unwrap();
    Sha256::digest(text).iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
}

/// Asks for a permission with this key, and waits a moment.
async fn request(stage: &Stage, key: &str, command: &str) -> Reply {
    let event = json!({
        "session_id": "abc", "cwd": "/home/u/shop", "permission_mode": "default",
        "hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": command},
    });
    stage.post("/api/hooks/claude-code?wait=0.05", key, event).await
}

/// Asks for a permission, which waits for its person; returns the ask's id.
#[track_caller]
fn waits(reply: &Reply) -> String {
    assert_eq!(reply.status, 202, "{}", reply.text);
    reply.json()["ask_id"].as_str().unwrap().to_owned()
}

fn is_granted(reply: &Reply) -> bool {
    reply.status == 200 && reply.json()["hookSpecificOutput"]["decision"]["behavior"] == "allow"
}

/// The rules for permissions, as the API lists them.
async fn listed(stage: &Stage, key: &str) -> Vec<Value> {
    stage.get("/api/rules", key).await.ok()["permissions"].as_array().unwrap().clone()
}

/// A file that an agent wrote was the law at once: a permission was granted in 5 ms, and nothing told of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_permission_rule_that_nobody_confirmed_grants_nothing() {
    let stage = ruled().await;
    let agent = &stage.ann.agent;
    let after = write(&stage, GRANTS);
    let waiting = waits(&request(&stage, agent, "rm -rf ~").await);
    let changes = events(&stage, "file_changed").await;
    let details: Vec<&Value> = changes.iter().map(|event| &event["details"]).collect();
    assert_eq!(
        details,
        [&json!({"number": 1, "file": "rules.yaml", "server": "", "before": null, "after": after})],
        "before it holds"
    );
    // It is shown with all that it says, in both languages, and nothing but the page confirms it.
    let person = Person::at(&stage).await;
    let rule = listed(&stage, &stage.ann.person).await.remove(0);
    let digest = rule["digest"].as_str().unwrap().to_owned();
    assert_eq!((&rule["name"], &rule["confirmed_at"]), (&json!("go on"), &Value::Null));
    let page = person.get("/rules").await.text;
    for part in ["Not confirmed yet", "&quot;header&quot;: &quot;Permission&quot;", &digest] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let headers = [("cookie", person.cookie.as_str()), ("accept-language", "zh")];
    assert!(stage.send("GET", "/rules", &headers, "").await.text.contains("尚未确认"));
    let form = format!("digest={digest}");
    for key in [&stage.ann.person, &stage.ann.agent, &stage.ann.admin] {
        let bearer = format!("Bearer {key}");
        let headers = [("authorization", bearer.as_str()), ("origin", person.own.as_str())];
        stage.send("POST", "/rules/confirm", &headers, form.clone()).await;
    }
    person.send("/rules/confirm", "digest=00").await;
    assert_eq!(listed(&stage, &stage.ann.person).await[0]["confirmed_at"], Value::Null);
    waits(&request(&stage, agent, "rm -rf ~").await);
    // Confirmed, it answers; also what has waited for it, and for nobody else.
    let confirmed = person.send("/rules/confirm", &form).await;
    assert_eq!((confirmed.status, confirmed.header("location")), (303, Some("/rules")));
    let outcome = &stage.until(&waiting, "answered").await["outcome"];
    assert_eq!((&outcome["answered_by"], &outcome["comment"]), (&json!("rule"), &json!("rule: go on")));
    assert!(is_granted(&request(&stage, agent, "ls").await));
    waits(&request(&stage, &stage.bob.agent, "ls").await);
    assert_eq!(listed(&stage, &stage.bob.person).await[0]["confirmed_at"], Value::Null);
    let recorded = &events(&stage, "rule_confirmed").await[0]["details"];
    assert_eq!(
        (&recorded["user"], &recorded["rule_digest"], &recorded["proof"]),
        (&json!("ann"), &json!(digest), &json!("cookie"))
    );
    // Taken back, they are asked again.
    person.send("/rules/unconfirm", &form).await;
    waits(&request(&stage, agent, "pwd").await);
    assert_eq!(events(&stage, "rule_unconfirmed").await.len(), 1);
    assert_eq!(stage.get("/api/audit/verify", &stage.ann.admin).await.ok()["whole"], true);
}

/// What was confirmed is a text, not a name: whoever changes it, changes it back or takes it away leaves a
/// trace each time, before the next ask is looked at.
#[tokio::test(flavor = "multi_thread")]
async fn a_rule_that_was_changed_after_it_was_confirmed_grants_nothing() {
    let stage = ruled().await;
    let (agent, person) = (&stage.ann.agent, Person::at(&stage).await);
    let first = write(&stage, GRANTS);
    let digest = listed(&stage, &stage.ann.person).await[0]["digest"].as_str().unwrap().to_owned();
    person.send("/rules/confirm", &format!("digest={digest}")).await;
    assert!(is_granted(&request(&stage, agent, "ls").await));
    let wider = write(&stage, &GRANTS.replace("{header: Permission}", "{text: '.*'}"));
    waits(&request(&stage, agent, "rm -rf /").await);
    // An unconfirmed one before it leaves the ask to the person, whatever becomes of other asks.
    let before = "- {match: {text: Allow}, permission: true, answer: false}\n- {name: go on";
    let both = GRANTS.replace("otherwise: ask", "otherwise: fail").replace("- {name: go on", before);
    let both = write(&stage, &both);
    waits(&request(&stage, agent, "rm -rf /home").await);
    // The page still shows what was confirmed, when it stands in no file any more.
    fs::remove_file(stage.home.path().join("rules.yaml")).unwrap();
    waits(&request(&stage, agent, "rm -rf /root").await);
    let left = listed(&stage, &stage.ann.person).await;
    assert_eq!((left.len(), &left[0]["in_file"]), (1, &json!(false)));
    assert!(person.get("/rules").await.text.contains("no longer in rules.yaml"));
    let changes = events(&stage, "file_changed").await;
    let chain: Vec<(&Value, &Value)> =
        changes.iter().map(|event| (&event["details"]["before"], &event["details"]["after"])).collect();
    let [first, wider, both, none] = [json!(first), json!(wider), json!(both), Value::Null];
    assert_eq!(chain, [(&none, &first), (&first, &wider), (&wider, &both), (&both, &none)]);
}

/// Where the change cannot be told, it does not take effect.
#[tokio::test(flavor = "multi_thread")]
async fn rules_whose_change_cannot_be_recorded_do_not_hold() {
    let stage = ruled().await;
    write(&stage, "otherwise: ask\nanswers: {q: a}\n");
    assert_eq!(stage.ask(ask("s", &[choice("q")])).await["outcome"]["answers"][0]["selected"][0]["id"], "a");
    let db = rusqlite::Connection::open(stage.home.path().join("askuser.db")).unwrap();
    db.execute_batch("CREATE TRIGGER no BEFORE UPDATE ON watched_file BEGIN SELECT RAISE(ABORT, 'no'); END")
        .unwrap();
    write(&stage, "otherwise: ask\nanswers: {q: b}\n");
    let asked = stage.ask(ask("t", &[choice("q")])).await;
    assert_eq!(asked["outcome"]["answers"][0]["selected"][0]["id"], "a", "as it was: {asked}");
    assert_eq!(events(&stage, "file_changed").await.len(), 1);
    db.execute_batch("DROP TRIGGER no").unwrap();
    let asked = stage.ask(ask("u", &[choice("q")])).await;
    assert_eq!(asked["outcome"]["answers"][0]["selected"][0]["id"], "b", "{asked}");
    assert_eq!(events(&stage, "file_changed").await.len(), 2);
}

/// A rule that was made "for this agent" went by what the asker said of itself.
#[tokio::test(flavor = "multi_thread")]
async fn another_key_that_claims_to_be_the_same_agent_gets_no_answer_of_its_rule() {
    let stage = ruled().await;
    let other = stage.desk.access().make_key(KeyRole::Agent, &"ann".into(), "other").await.unwrap().unwrap();
    let body = |session: &str| {
        let mut body = ask(session, &[choice("q")]);
        body["asker"] = json!({"agent": "codex", "project": "shop", "folder": "/home/u/shop"});
        body
    };
    let asked = stage.ask(body("s")).await;
    let path = format!("/api/asks/{}/answer", id(&asked));
    stage.post(&path, &stage.ann.person, json!({"answers": {"q": "a"}})).await.ok();
    let made = stage.post("/api/rules", &stage.ann.person, json!({"ask_id": id(&asked)})).await.ok();
    assert_eq!(made["holds"], true);
    assert_eq!(stage.ask(body("t")).await["outcome"]["answered_by"], "rule");
    let claimed = stage.post("/api/asks", other.reveal(), body("u")).await.ok();
    assert_eq!(claimed["status"], "showing", "{claimed}");
}
