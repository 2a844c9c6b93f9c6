//! The shapes that the source documents define, field by field, beside what the real server tells.

use std::collections::BTreeMap;

use askuser_config::{Alerts, Sources, settings};
use askuser_system::environment::Environment;
use serde_json::{Value, json};

use crate::literals::{declared, keys, literal};
use crate::sockets::Socket;
use crate::stage::{Stage, ask, choice, id, stage, stage_with};

async fn answer(stage: &Stage, ask: &Value, answers: Value) {
    let path = format!("/api/asks/{}/answer", id(ask));
    stage.post(&path, &stage.ann.person, json!({"answers": answers})).await.ok();
}

#[track_caller]
fn has_all(told: &Value, names: &[String]) {
    let missing: Vec<&String> = names.iter().filter(|name| told.get(name.as_str()).is_none()).collect();
    assert!(missing.is_empty() && !names.is_empty(), "{missing:?} of {told}");
}

/// 002 3.1.2 (D5): every field of the session's state, of its kind.
#[tokio::test(flavor = "multi_thread")]
async fn d5_a_session_has_the_fields_of_002() {
    let stage = stage().await;
    stage.ask(ask("s", &[choice("q")])).await;
    let told = stage.get("/api/sessions/s", &stage.ann.agent).await.ok();
    has_all(
        &told,
        &declared(include_str!("../wire/documents/002-3.1.2-session-state.py"), "class SessionState:"),
    );
    assert_eq!((&told["session_id"], &told["status"]), (&json!("s"), &json!("active")));
    assert_eq!((&told["current_questions"], &told["answered_questions"]), (&json!(["q"]), &json!({})));
}

/// 003 2.7.1 (P11): the very session of the document: its third of five rounds, and the two before.
#[tokio::test(flavor = "multi_thread")]
async fn p11_the_session_of_003_is_told_as_it_stands_there() {
    let stage = stage().await;
    let document: Value =
        serde_json::from_str(include_str!("../wire/documents/003-2.7.1-session.json")).unwrap();
    let options = json!([{"id": "poem", "label": "背唐诗"}, {"id": "joke", "label": "讲笑话"}]);
    for round in document["dialog_history"].as_array().unwrap() {
        let asked = stage
            .ask(json!({
                "session_id": document["session_id"], "total_rounds": document["total_rounds"],
                "question_text": round["question"], "type": "multiple_choice", "options": options,
            }))
            .await;
        let question = asked["questions"][0]["question_id"].as_str().unwrap();
        answer(&stage, &asked, json!({question: {"other": round["answer"]}})).await;
    }
    let last = json!({"session_id": document["session_id"], "question_text": "第三轮？", "type": "text"});
    stage.ask(last).await;
    let told = stage.get("/api/sessions/session_xxx", &stage.ann.agent).await.ok();
    for key in keys(&document).iter().filter(|key| *key != "dialog_history") {
        assert_eq!(told[key], document[key], "{key}");
    }
    let told = told["dialog_history"].as_array().unwrap();
    let rounds = document["dialog_history"].as_array().unwrap();
    assert_eq!(told.len(), rounds.len());
    for (told, round) in told.iter().zip(rounds) {
        for key in keys(round) {
            assert_eq!(told[&key], round[&key], "{key}");
        }
    }
}

/// 002 4.2.1 (D4): each state of its machine is one that an ask may have.
#[tokio::test(flavor = "multi_thread")]
async fn d4_an_ask_has_the_states_of_002() {
    let stage = stage().await;
    let api = stage.get("/openapi.json", &stage.ann.agent).await.ok();
    let states = api["components"]["schemas"]["Ask"]["properties"]["status"]["enum"].clone();
    let block = include_str!("../wire/documents/002-4.2.1-states.txt").trim();
    for state in block.split(" → ").flat_map(|state| state.split('/')) {
        assert!(states.as_array().unwrap().contains(&json!(state)), "{state} is none of {states}");
    }
}

/// 001 回应方式 (E1, E2): the listener finds each `data.…` that the document reads, and the response that it
/// emits is taken as it stands.
#[tokio::test(flavor = "multi_thread")]
async fn e1_e2_the_listener_of_001_works_as_it_stands() {
    let block = include_str!("../wire/documents/001-responding.js");
    let stage = stage().await;
    let mut listener = Socket::open(&stage, "", &stage.ann.person).await;
    let mut agent = Socket::open(&stage, "", &stage.ann.agent).await;
    let option = |label: &str| json!({"label": label, "description": "…"});
    let questions = json!([
        {"question": "Which?", "header": "Framework", "options": [option("react"), option("vue")]},
        {"question": "What else?", "header": "More", "multiSelect": true, "options": [option("a"), option("b"), option("c")]},
    ]);
    let request = block.split_once("sema.on('").unwrap().1.split('\'').next().unwrap();
    let data = json!({"agentId": "agent-7", "questions": questions, "metadata": {"source": "remember"}});
    agent.say(json!({"event": request, "data": data})).await;
    let heard = listener.hear().await;
    assert_eq!(heard["event"], request);
    let read: Vec<String> = block
        .split("// data.")
        .skip(1)
        .map(|rest| rest.split([' ', '\n']).next().unwrap().to_owned())
        .collect();
    assert_eq!(read.len(), 3);
    has_all(&heard["data"], &read);
    let response = block.split_once("sema.emit('").unwrap().1.split('\'').next().unwrap();
    let said = literal(&block.replace("data.agentId", "agent-7"), "sema.emit(");
    listener.say(json!({"event": response, "data": said})).await;
    let told = agent.hear().await;
    assert_eq!((&told["event"], &told["data"]["answers"]), (&json!(response), &said["answers"]));
}

/// 002 7.1 (D8): the figures of response times, under its names.
#[tokio::test(flavor = "multi_thread")]
async fn d8_response_times_have_the_names_of_002() {
    let stage = stage().await;
    let block = include_str!("../wire/documents/002-7.1-response-times.js");
    let told = stage.get("/api/status", &stage.ann.admin).await.ok();
    has_all(&told["operations"], &declared(block, "slice(-100);\n        return {"));
}

/// 002 9.2 (D13): a checkpoint, and a session that was restored from it.
#[tokio::test(flavor = "multi_thread")]
async fn d13_checkpoints_and_restored_sessions_have_the_fields_of_002() {
    let stage = stage().await;
    let block = include_str!("../wire/documents/002-9.2-session-recovery.py");
    stage.ask(ask("s", &[choice("q")])).await;
    let told = stage.get("/api/sessions/s/checkpoints", &stage.ann.person).await.ok();
    let fields: Vec<String> = block
        .split_once("checkpoint = {")
        .unwrap()
        .1
        .split('}')
        .next()
        .unwrap()
        .lines()
        .filter_map(|line| Some(line.trim().split_once("':")?.0.trim_matches('\'').to_owned()))
        .collect();
    assert_eq!(fields.len(), 4);
    let first = &told["checkpoints"][0];
    has_all(first, &fields);
    let argument =
        block.split_once("def restore_session(self, session_id, ").unwrap().1.split('=').next().unwrap();
    let body = json!({argument: first["version"]});
    let restored = stage.post("/api/sessions/s/restore", &stage.ann.person, body).await.ok();
    let assigned: BTreeMap<&str, &str> = block
        .lines()
        .filter_map(|line| line.trim().strip_prefix("restored_state['")?.split_once("'] = "))
        .collect();
    assert_eq!(assigned.len(), 2);
    has_all(&restored, &assigned.keys().map(|&key| key.to_owned()).collect::<Vec<_>>());
    let reason = assigned["restore_reason"].trim_matches('\'');
    assert_eq!(restored["restore_reason"], reason);
}

/// 002 10.1 (D14): the four metrics, each with its figures.
#[tokio::test(flavor = "multi_thread")]
async fn d14_the_metrics_have_the_names_of_002() {
    let stage = stage().await;
    let block = include_str!("../wire/documents/002-10.1-performance-monitor.py");
    let told = stage.get("/api/metrics/summary", &stage.ann.admin).await.ok();
    let figures: Vec<String> = block
        .split_once("summary[metric_name] = {")
        .unwrap()
        .1
        .lines()
        .map_while(|line| if line.trim() == "}" { None } else { Some(line.trim().split_once("':")) })
        .flatten()
        .map(|(name, _)| name.trim_matches('\'').to_owned())
        .collect();
    assert_eq!(figures, ["count", "avg", "min", "max", "p95"]);
    for metric in keys(&literal(block, "self.metrics =")) {
        has_all(&told["metrics"][&metric], &figures);
    }
    let window: f64 = block.split_once("time_window=").unwrap().1.split(')').next().unwrap().parse().unwrap();
    assert_eq!(told["window"], window);
}

/// 002 10.2 (D15): an entry of the audit and a security event, with every field; the actions and severities that
/// it names.
#[tokio::test(flavor = "multi_thread")]
async fn d15_the_audit_has_the_fields_of_002() {
    let stage = stage().await;
    let block = include_str!("../wire/documents/002-10.2-audit-logger.py");
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    answer(&stage, &asked, json!({"q": "a"})).await;
    let fields = keys(&literal(block, "self.log_format ="));
    let actions = block.split_once("'action': action,  # ").unwrap().1.lines().next().unwrap();
    for action in actions.split(", ") {
        let log = stage.get(&format!("/api/audit?action={action}"), &stage.ann.admin).await.ok();
        for entry in log["entries"].as_array().unwrap() {
            has_all(entry, &fields);
        }
        let n_expected = usize::from(["show", "answer"].contains(&action));
        assert_eq!(log["entries"].as_array().unwrap().len(), n_expected, "{action}");
    }
    // An agent that answers itself.
    let forged = format!("/api/asks/{}/answer", id(&asked));
    stage.post(&forged, &stage.ann.agent, json!({"answers": {}})).await;
    let event = &crate::audit::events(&stage, "forged_response").await[0];
    has_all(event, &keys(&literal(&block.replace("datetime.utcnow().isoformat()", "now"), "security_log =")));
    assert_eq!(event["severity"], "high");
}

/// 002 12.1 (D16): the configuration as it stands loads, and each of its lines counts.
#[test]
fn d16_the_configuration_of_002_loads_as_it_stands() {
    let block = include_str!("../wire/documents/002-12.1-config.yaml");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.yaml");
    std::fs::write(&file, block).unwrap();
    let loaded = Sources { named: Some(file), ..Sources::default() }.load().unwrap();
    let all = settings(&loaded, &Environment::default(), askuser_words::Language::English);
    let mut n_lines = 0;
    for line in block.lines().map(|line| line.split('#').next().unwrap()) {
        let Some((name, value)) = line.trim().split_once(": ") else { continue };
        let setting = all.iter().find(|setting| setting.name == format!("ask_user_question.{name}"));
        let setting = setting.unwrap_or_else(|| panic!("there is no {name}"));
        assert_eq!(setting.value.trim_end_matches(" s"), value.trim(), "{name}");
        assert!(setting.from.name().contains("of the file"), "{name}: {}", setting.from.name());
        n_lines += 1;
    }
    assert_eq!(n_lines, 9);
}

/// 002 12.2 (D17): both rules are there from the start, with its numbers and actions, and told under its names.
#[tokio::test(flavor = "multi_thread")]
async fn d17_the_alert_rules_of_002_are_there_from_the_start() {
    let stage = stage_with(|server| server.watch.set_alerts(Alerts::default().rules, None)).await;
    let rules = literal(include_str!("../wire/documents/002-12.2-alerts.py"), "self.alert_rules =");
    let told = stage.get("/api/alerts", &stage.ann.admin).await.ok();
    assert_eq!(keys(&rules).len(), 2);
    for name in keys(&rules) {
        let alerts = told["alerts"].as_array().unwrap();
        let alert = alerts.iter().find(|alert| alert["alert"] == name.as_str()).unwrap();
        for key in keys(&rules[&name]) {
            let (ours, theirs) = (&alert[&key], &rules[&name][&key]);
            assert!(
                ours == theirs || ours.as_f64() == theirs.as_f64() && ours.is_number(),
                "{name} {key}: {ours}"
            );
        }
    }
}
