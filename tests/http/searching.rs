//! One search: the page and the API find the same asks by the same words, and so does the terminal, which asks
//! the API. Secrets and what is another's are never found.

use std::collections::BTreeSet;

use serde_json::json;

use crate::page::Person;
use crate::stage::{Stage, ask, choice, id, stage};

async fn by_api(stage: &Stage, words: &str) -> BTreeSet<String> {
    let (mut found, mut after) = (BTreeSet::new(), String::new());
    loop {
        let page = stage.get(&format!("/api/history?q={words}{after}"), &stage.ann.person).await.ok();
        found.extend(page["asks"].as_array().unwrap().iter().map(id));
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => return found,
        }
    }
}

async fn by_page(person: &Person<'_>, words: &str) -> BTreeSet<String> {
    let (mut found, mut path) = (BTreeSet::new(), format!("/sessions?q={words}"));
    loop {
        let page = person.get(&path).await.text;
        let ids = page.split("data-ask=\"").skip(1).filter_map(|rest| rest.split('"').next());
        found.extend(ids.map(str::to_owned));
        let next = page.split("&amp;after=").nth(1).and_then(|rest| rest.split('"').next());
        match next {
            Some(next) => path = format!("/sessions?q={words}&after={next}"),
            None => return found,
        }
    }
}

/// The page had a search of its own: one text in one piece, in other fields, in the latest 200 conversations.
#[tokio::test(flavor = "multi_thread")]
async fn the_same_words_find_the_same_asks_on_the_page_and_in_the_api() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let mut body = ask(
        "one",
        &[json!({
            "question_id": "db", "question_text": "Which database should the shop use?", "type": "multiple_choice",
            "header": "Storage", "description": "for years",
            "options": [{"id": "p", "label": "PostgreSQL"}, {"id": "s", "label": "SQLite"}],
        })],
    );
    body["asker"] = json!({"agent": "claude-code", "project": "shop-front"});
    body["context"] = json!("Because of the orders.");
    let first = id(&stage.ask(body).await);
    let answers = json!({"answers": {"db": "p"}, "notes": {"db": "on the small machine"}});
    stage.post(&format!("/api/asks/{first}/answer"), &stage.ann.person, answers).await.ok();
    let second = id(&stage.ask(ask("two", &[choice("shop")])).await);
    let no = json!({"reason": "ask the manager"});
    stage.post(&format!("/api/asks/{second}/cancel"), &stage.ann.person, no).await.ok();
    let token = json!({"question_id": "t", "question": "Token?", "type": "text", "secret": true});
    let third = id(&stage.ask(ask("two", &[token])).await);
    let secret = json!({"answers": {"t": "hunter2"}});
    stage.post(&format!("/api/asks/{third}/answer"), &stage.ann.person, secret).await.ok();
    stage.ask(ask("two", &[choice("open")])).await;
    for (words, expected) in [
        ("database+shop", vec![&first]),
        ("shop+database", vec![&first]),
        ("SHOP++Database", vec![&first]),
        ("database+claude", vec![&first]),
        ("storage", vec![&first]),
        ("years+orders", vec![&first]),
        ("postgresql+machine+small", vec![&first]),
        ("shop", vec![&first, &second]),
        ("manager", vec![&second]),
        ("token", vec![&third]),
        ("hunter2", vec![]),
        ("open", vec![]),
        ("database+nowhere", vec![]),
    ] {
        let expected: BTreeSet<String> = expected.into_iter().cloned().collect();
        assert_eq!(by_api(&stage, words).await, expected, "API: {words}");
        assert_eq!(by_page(&person, words).await, expected, "page: {words}");
    }
    // Nothing of it is another's to find.
    let others = stage.get("/api/history?q=shop", &stage.bob.person).await.ok();
    assert_eq!(others["asks"], json!([]));
    // What is open as well, for whoever lists everything.
    let all = stage.get("/api/history?open=true", &stage.ann.person).await.ok();
    assert_eq!(all["asks"].as_array().unwrap().len(), 4);
}

/// Beyond what one page holds, and beyond what the page used to look at.
#[tokio::test(flavor = "multi_thread")]
async fn a_search_goes_through_every_conversation() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let mut all = BTreeSet::new();
    for n in 0..70 {
        let asked = id(&stage.ask(ask(&format!("s{n}"), &[choice("needle")])).await);
        let answers = json!({"answers": {"needle": "a"}});
        stage.post(&format!("/api/asks/{asked}/answer"), &stage.ann.person, answers).await.ok();
        all.insert(asked);
    }
    assert_eq!(by_api(&stage, "needle").await, all);
    assert_eq!(by_page(&person, "needle").await, all);
}
