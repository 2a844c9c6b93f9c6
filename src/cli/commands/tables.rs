//! Every table at four widths and in both languages, to be looked at; and that none is ever too wide.

use std::collections::BTreeMap;

use askuser_words::Language;
use serde_json::{Value, json};

use super::audit;
use super::browsers;
use super::config;
use super::history;
use super::key;
use super::list;
use super::rules;
use super::sessions;
use super::task;
use super::tasks;
use super::template;
use super::user;
use crate::cli::lookup;
use crate::cli::lookup::Noun;
use askuser_ask::output::Screen;
use askuser_client::ids::Thing;
use askuser_client::seen::SeenAsk;
use askuser_config::Sources;
use askuser_system::environment::Environment;
use askuser_terminal::width::width;
use askuser_wire::time;

const NOW: &str = "2026-11-18T12:00:00.000Z";

fn screen(columns: usize, language: Language) -> Screen {
    Screen::made(columns, language, time::read(NOW).unwrap())
}

/// Draws it everywhere. From 40 columns on nothing is wider than its terminal.
fn drawn(draw: impl Fn(&Screen) -> String) -> String {
    let mut all = Vec::new();
    for columns in [120, 80, 60, 40] {
        for language in [Language::English, Language::Chinese] {
            let text = draw(&screen(columns, language));
            assert!(text.lines().all(|line| width(line) <= columns), "{columns}: {text}");
            all.push(format!("── {columns} {language:?}\n{text}"));
        }
    }
    all.join("\n\n")
}

fn seen(more: &Value) -> SeenAsk {
    let mut told = json!({
        "ask_id": "ask_01M7MR5HTHE008AZZ93X8DYNQD", "short_id": "YNQD", "status": "showing", "round": 1,
        "session": "ses_01M7PT0BMEE00SN48GKXBYRR15", "created_at": "2026-11-18T11:56:00.000Z",
        "asker": {"agent": "claude-code", "project": "shop", "folder": "/home/ann/shop"},
        "questions": [{"question_id": "db", "header": "Database",
            "question": "Which database should the shop use?", "type": "multiple_choice",
            "options": [{"id": "pg", "label": "PostgreSQL"}, {"id": "my", "label": "MySQL"}]}],
    });
    for (key, value) in more.as_object().unwrap() {
        told[key] = value.clone();
    }
    SeenAsk::read(told).unwrap()
}

fn asks() -> Vec<SeenAsk> {
    let by = json!({"user": "ann", "channel": "web", "proof": "cookie"});
    let answered = json!({"status": "answered", "reason": "user", "answered_by": "person", "by": by,
        "closed_at": "2026-11-18T11:58:00.000Z",
        "answers": [{"question_id": "db", "selected": [{"id": "pg", "label": "PostgreSQL"}]}]});
    let declined = json!({"status": "cancelled", "reason": "user", "by": by, "comment": "not before Monday",
        "closed_at": "2026-11-18T11:58:00.000Z", "answers": []});
    let long = "May I run the 30-minute integration test-suite against the staging cluster, which will create \
                and delete about four hundred temporary virtual machines?";
    vec![
        seen(&json!({"deadline_at": "2026-11-18T12:01:30.000Z", "at_deadline": "unanswered"})),
        seen(
            &json!({"short_id": "Y9E7", "status": "pending", "asker": {}, "created_at": "2026-11-18T11:00:00.000Z",
            "questions": [{"question_id": "q", "question": long, "type": "boolean", "options": []}]}),
        ),
        seen(
            &json!({"short_id": "3T15X", "status": "completed", "outcome": answered, "created_at": "2026-11-17T09:00:00.000Z"}),
        ),
        seen(&json!({"short_id": "RQ44", "status": "completed", "outcome": declined, "round": 2,
            "asker": {"agent": "codex", "project": "网站"}, "created_at": "2025-11-17T09:00:00.000Z",
            "questions": [{"question_id": "q", "question": "需要哪些功能模块？\u{1b}[31m", "type": "boolean",
                "options": []}]})),
    ]
}

#[test]
fn questions_fit() {
    insta::assert_snapshot!("list", drawn(|screen| list::listed(&asks(), screen)));
    insta::assert_snapshot!("history", drawn(|screen| history::listed(&asks(), screen)));
}

#[test]
fn what_may_be_meant_fits() {
    let meant = |screen: &Screen| {
        let of = |seen: &SeenAsk| lookup::of_ask(seen, screen.times.now(), screen.language);
        lookup::listed(Noun::Question, &asks().iter().map(of).collect::<Vec<_>>(), screen)
    };
    insta::assert_snapshot!("meant", drawn(meant));
    let thing = |short_id: &str, text: &str, about: &str| Thing {
        short_id: short_id.to_owned(),
        text: text.to_owned(),
        about: about.to_owned(),
        ..Thing::default()
    };
    let keys =
        [thing("89ab", "made at the first start", "admin · local"), thing("bcde", "laptop", "agent · ann")];
    insta::assert_snapshot!("meant_keys", drawn(|screen| lookup::listed(Noun::Key, &keys, screen)));
}

#[test]
fn a_conversation_is_told_in_order_with_who_and_when() {
    let about = json!({"id": "ses_01M7PT0BMEE00SN48GKXBYRR15", "status": "active"});
    insta::assert_snapshot!("conversation", drawn(|screen| history::page(&about, &asks(), screen)));
}

#[test]
fn conversations_fit() {
    let session = |id: &str, name: &str, origin: &str, last: &str| {
        json!({"id": id, "short_id": &id[id.len() - 4..], "session_id": name, "origin": origin, "status": "active", "current_round": 12,
            "last_activity": last})
    };
    let sessions = [
        session("ses_01M7PT0BMEE00SN48GKXBYRR15", "3f9a", "derived", "2026-11-18T11:59:58.000Z"),
        session("ses_01M7PSZHTCE00SEKM9XTSSZW3R", "work", "named", "2026-11-16T11:59:58.000Z"),
    ];
    let latest = BTreeMap::from([("ses_01M7PT0BMEE00SN48GKXBYRR15".to_owned(), seen(&json!({})))]);
    insta::assert_snapshot!("sessions", drawn(|screen| sessions::listed(&sessions, &latest, screen)));
}

#[test]
fn tasks_fit_and_one_that_asks_waits_for_its_person() {
    let task = |status: &str, session: &str| {
        json!({"task_id": "task_01M7MRKSZRE00A4JHX1R5N4RCG", "short_id": "4RCG", "created_at": "2026-11-18T11:30:00.000Z",
            "status": status, "session": session, "agent": "claude",
            "text": "Fix the failing test in the shop, and then look whether the others still pass\nthanks"})
    };
    let list = [task("running", "ses_01M7PT0BMEE00SN48GKXBYRR15"), task("running", "s"), task("failed", "s")];
    let waiting = [seen(&json!({}))];
    let text = drawn(|screen| tasks::listed(&list, &waiting, screen));
    assert!(text.contains("waiting for you") && text.contains("等待你回答"), "{text}");
    insta::assert_snapshot!("tasks", text);
}

#[test]
fn one_task_fits() {
    let task = json!({"task_id": "task_01M7MRKSZRE00A4JHX1R5N4RCG", "created_at": "2026-11-18T11:30:00.000Z",
        "status": "failed", "reason": "the agent ended with exit code 1 before it said anything", "agent": "claude",
        "folder": "/home/ann/a/long/way/down/to/the/shop", "session": "ses_01M7PT0BMEE00SN48GKXBYRR15",
        "text": "Fix the failing test in the shop, and then look whether the others still pass\nthanks"});
    insta::assert_snapshot!("task", drawn(|screen| task::in_full(&task, screen)));
}

#[test]
fn templates_fit() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("templates");
    std::fs::create_dir(&folder).unwrap();
    let deploy = "description: Where a release goes, and when\nvariables: {service: , stage: prod}\nquestions:\n\
        - {question_id: go, header: Deploy, question: 'Deploy {{service}} to {{stage}}?', type: boolean}\n";
    for (name, text) in [("deploy", deploy), ("broken", "questions: 7\n")] {
        std::fs::write(folder.join(format!("{name}.yaml")), text).unwrap();
    }
    let environment = Environment::of(&[("ASKUSER_HOME", home.path().to_str().unwrap())]);
    let shelf = template::shelf(&environment).unwrap().list();
    insta::assert_snapshot!("templates", drawn(|screen| template::table_of(&shelf, screen)));
}

#[test]
fn the_log_fits() {
    let entry = |number: u64, action: &str, agent: Value| {
        json!({"number": number, "timestamp": "2026-11-18T11:30:00.000Z", "action": action, "agent": agent,
            "user_id": "ann", "channel": "web", "ip_address": "127.0.0.1",
            "questions": [{"question": "Which database should the shop use?", "answer": "PostgreSQL"}]})
    };
    let entries = [entry(9, "ask", Value::Null), entry(10, "answer", "claude-code".into())];
    insta::assert_snapshot!("audit", drawn(|screen| audit::entries_listed(&entries, screen)));
    let event = json!({"timestamp": "2026-11-18T11:30:00.000Z", "severity": "high", "event_type": "wrong_key",
        "details": {"number": 4, "address": "192.168.1.7", "path": "/api/asks"}});
    insta::assert_snapshot!(
        "security",
        drawn(|screen| audit::events_listed(std::slice::from_ref(&event), screen))
    );
}

#[test]
fn rules_keys_users_and_browsers_fit() {
    let rules = json!({
        "permissions": [{"digest": "0123456789abcdef", "name": "tests may run", "confirmed_at": null}],
        "rules": [{"rule_id": "rule_01M7MR5HTHE008AZZ93X8DYNQD", "short_id": "YNQD", "until": "2026-12-18T12:00:00.000Z",
            "agent": "claude-code", "project": "shop", "answers": [{"question": "Ship it?", "answer": "true"}]}],
    });
    insta::assert_snapshot!("rules", drawn(|screen| rules::listed(&rules, screen)));
    let key = |revoked: Value| {
        json!({"key_id": "01997c2b00007abc8def0123456789ab", "short_id": "89ab", "role": "agent", "user": "local",
            "created_at": "2026-11-18T08:00:00.000Z", "revoked_at": revoked, "name": "made at the first start"})
    };
    let keys = json!({"keys": [key(Value::Null), key("2026-11-18T09:00:00.000Z".into())]});
    let keys = serde_json::from_value(keys).unwrap();
    insta::assert_snapshot!("keys", drawn(|screen| key::keys(&keys, screen)));
    let users =
        json!({"users": [{"name": "ann", "created_at": "2026-11-18T08:00:00.000Z", "disabled_at": null}]});
    let users = serde_json::from_value(users).unwrap();
    insta::assert_snapshot!("users", drawn(|screen| user::users(&users, screen)));
    let browser = json!({"browser_id": "01997c2b00007abc8def0123456abcde", "short_id": "bcde", "name": "Firefox on Linux",
        "signed_in_at": "2026-11-18T08:00:00.000Z", "last_seen_at": "2026-11-18T11:57:00.000Z", "may_grant": true,
        "user_agent": "Firefox", "made_with": "terminal", "expires_at": "2026-12-18T08:00:00.000Z", "current": false});
    let browser = serde_json::from_value(browser).unwrap();
    insta::assert_snapshot!(
        "browsers",
        drawn(|screen| browsers::listed(std::slice::from_ref(&browser), screen))
    );
}

#[test]
fn settings_fit() {
    let environment = Environment::of(&[("HOME", "/home/ann"), ("ASK_MAX_OPTIONS", "6")]);
    let loaded = Sources { environment: environment.clone(), ..Sources::default() }.load().unwrap();
    let all = |screen: &Screen| {
        let mut all = askuser_config::settings(&loaded, &environment, screen.language);
        all.retain(|setting| {
            let some = ["data", "max_options", "ask_user_question.max_concurrent_questions", "alerts"];
            some.contains(&setting.name.as_str())
        });
        all
    };
    insta::assert_snapshot!("config", drawn(|screen| config::listed(&all(screen), screen)));
    insta::assert_snapshot!("config_verbose", drawn(|screen| config::explained(&all(screen), screen)));
}
