//! Asking, waiting, answering.

use std::time::Duration;

use serde_json::{Value, json};

use crate::stage::{ask, choice, id, stage};

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_asks_waits_and_is_told_in_its_own_dialect() {
    let stage = stage().await;
    let asked = json!({"questions": [{
        "question": "Which authentication?", "header": "Auth", "multiSelect": false,
        "options": [{"label": "OAuth", "description": "x"}, {"label": "Keys", "description": "y"}],
    }]});
    let ask = stage.ask(asked.clone()).await;
    assert_eq!(ask["status"], "showing");
    let path = format!("/api/asks/{}", id(&ask));
    let waiting_path = format!("{path}?wait=60");
    let waiting = stage.get(&waiting_path, &stage.ann.agent);
    let answering = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let question = ask["questions"][0]["question_id"].as_str().unwrap();
        let body = json!({"answers": {question: "OAuth"}});
        stage.post(&format!("{path}/answer"), &stage.ann.person, body).await.ok()
    };
    let (told, _) = tokio::join!(waiting, answering);
    let told = told.ok();
    assert_eq!(told["outcome"]["reply"], json!({"answers": {"Auth": "OAuth"}}));
    assert_eq!(told["outcome"]["answered_by"], "person");
    assert_eq!(told["outcome"]["by"]["proof"], "key_file");
    // Another process that comes back by id is told the same, and the ask moves on.
    assert_eq!(stage.get(&path, &stage.ann.agent).await.ok()["outcome"], told["outcome"]);
    stage.until(&id(&ask), "processing").await;
    let acknowledged = stage.post(&format!("{path}/ack"), &stage.ann.agent, Value::Null).await.ok();
    assert_eq!(acknowledged["status"], "completed");
}
