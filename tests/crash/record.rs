//! What the clients were told: the daemon is held to every word of it.

use std::collections::{BTreeSet, HashMap};

use askuser_core::fact::Fact;
use askuser_store::Store;
use serde_json::{Value, json};

use crate::http::Reply;
use crate::saves::Saves;

/// One ask as its client knows it.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    /// The idempotency key; also its words, so that each ask is told from every other.
    pub(crate) key: String,
    body: Value,
    has_deadline: bool,
    /// Its id, once the daemon has acknowledged it.
    pub(crate) id: Option<String>,
    question: String,
    /// Endings that somebody tried, whether or not they learnt what came of it.
    tried: BTreeSet<String>,
    /// The ending that somebody was told.
    pub(crate) ended: Option<String>,
    /// How many were told that *they* ended it.
    n_winners: usize,
    /// What those who came too late were told they lost to.
    lost_to: BTreeSet<(String, String)>,
    saves: Saves,
}

impl Known {
    /// A new ask, not yet sent.
    pub(crate) fn new(key: &str, folder: &str, timeout_ms: Option<u64>) -> Self {
        let option = |label: &str| json!({"label": label, "description": format!("take {label}")});
        let question = json!({"question": format!("Which one of {key}?"), "header": "Pick",
            "options": [option("left"), option("right")], "multiSelect": false});
        let mut body = json!({"questions": [question], "asker": {"agent": "crash", "folder": folder}});
        if let Some(timeout_ms) = timeout_ms {
            body["timeoutMs"] = json!(timeout_ms);
        }
        Self {
            key: key.to_owned(),
            body,
            has_deadline: timeout_ms.is_some(),
            id: None,
            question: String::new(),
            tried: BTreeSet::new(),
            ended: None,
            n_winners: 0,
            lost_to: BTreeSet::new(),
            saves: Saves::default(),
        }
    }

    pub(crate) fn body(&self) -> &Value {
        &self.body
    }

    /// The path of the ask, with something behind it.
    pub(crate) fn path(&self, behind: &str) -> String {
        format!("/api/asks/{}{behind}", self.id.as_deref().unwrap())
    }

    /// The words of the only question.
    pub(crate) fn words(&self) -> &str {
        self.body["questions"][0]["question"].as_str().unwrap()
    }

    /// An answer, noted as tried.
    pub(crate) fn try_answer(&mut self, label: &str) -> Value {
        self.tried.insert(format!("answered {label}"));
        json!({"answers": {(self.question.clone()): label}})
    }

    /// A half-filled sheet, each like no other, noted as under way; the number is for `learn_save`.
    pub(crate) fn try_save(&mut self, label: &str) -> (usize, Value) {
        let number = self.saves.begin();
        let note = self.saves.note(number);
        (
            number,
            json!({"answers": {(self.question.clone()): label}, "notes": {(self.question.clone()): note}}),
        )
    }

    /// Takes in what became of a save.
    pub(crate) fn learn_save(&mut self, number: usize, reply: &Reply) {
        if reply.is_ok() {
            self.saves.acknowledge(number);
        } else {
            self.check_lost(reply);
            self.saves.refuse(number);
        }
    }

    /// Compares the sheet that the person is shown after a restart with what was saved. False where there
    /// is none to compare: an ask that ended is judged by its outcome.
    pub(crate) fn learn_sheet(&mut self, reply: &Reply) -> bool {
        let Some(notes) = reply.body["sheet"]["notes"].as_object() else { return false };
        let found = notes.get(&self.question).map(|note| note.as_str().unwrap());
        assert!(self.saves.may_be(found), "{}: the sheet is {found:?}, but {:?}", self.key, self.saves);
        let was_saved = self.saves.is_any_acknowledged();
        self.saves.settle(found);
        was_saved
    }

    /// Another ending, noted as tried.
    pub(crate) fn try_ending(&mut self, ending: &str) {
        self.tried.insert(ending.to_owned());
    }

    /// Takes in what the daemon says about the ask, where nobody else called meanwhile.
    pub(crate) fn learn(&mut self, reply: &Reply) {
        self.learn_since(reply, self.ended.is_some());
    }

    /// The same where others may have ended it while the call was under way: what counts is whether
    /// it was known to have ended when the call began.
    pub(crate) fn learn_since(&mut self, reply: &Reply, had_ended: bool) {
        assert!(reply.is_ok(), "{} was acknowledged, and now: {reply:?}", self.key);
        let ask = &reply.body;
        let id = ask["ask_id"].as_str().unwrap();
        assert_eq!(self.id.get_or_insert_with(|| id.to_owned()), id, "{} has two ids", self.key);
        let question = &ask["questions"][0];
        question["question_id"].as_str().unwrap().clone_into(&mut self.question);
        assert_eq!(question["question"], self.words(), "other words than were asked");
        let labels = |options: &Value| -> Vec<Value> {
            options.as_array().unwrap().iter().map(|option| option["label"].clone()).collect()
        };
        assert_eq!(labels(&question["options"]), ["left", "right"]);
        if ask["outcome"].is_null() {
            assert!(!had_ended, "{} had ended and is open again", self.key);
            return;
        }
        let ending = ending(&ask["outcome"]);
        let by_time = self.has_deadline && ending == "timeout";
        assert!(by_time || self.tried.contains(&ending), "{} {ending}: nobody did that", self.key);
        let told = self.ended.get_or_insert_with(|| ending.clone());
        assert_eq!(*told, ending, "{}: two outcomes", self.key);
    }

    /// Takes in the answer to an attempt to end it. One that was acknowledged has ended it, for good.
    pub(crate) fn learn_attempt(&mut self, reply: &Reply) {
        if reply.is_ok() {
            self.n_winners += 1;
            assert_eq!(self.n_winners, 1, "{} was ended twice", self.key);
            self.learn(reply);
            assert!(self.ended.is_some(), "{} was ended, and is told to be open: {reply:?}", self.key);
        } else {
            self.check_lost(reply);
            if reply.error() == "already_closed" {
                let told = |key: &str| reply.body["outcome"][key].as_str().unwrap().to_owned();
                let message = reply.body["message"].as_str().unwrap();
                assert!(message.starts_with("this question has ended: "), "{message}");
                self.lost_to.insert((told("status"), told("reason")));
            }
        }
    }

    /// Refused: somebody was first, it is not its turn, or there were too many calls (D11).
    fn check_lost(&self, reply: &Reply) {
        let lost = ["already_closed", "already_answered", "question_not_showing", "rate_limited"];
        assert!(lost.contains(&reply.error()), "{}: {reply:?}", self.key);
    }

    /// Whether everybody who came too late was told how it really ended.
    pub(crate) fn losers_know(&self) -> bool {
        let ended = self.ended.as_deref().unwrap_or_default();
        self.lost_to.iter().all(|(status, reason)| match status.as_str() {
            "cancelled" => ended == format!("cancelled by {reason}"),
            status => ended.starts_with(status),
        })
    }
}

/// An ending in one word or two.
fn ending(outcome: &Value) -> String {
    match outcome["status"].as_str().unwrap() {
        "answered" => format!("answered {}", outcome["answers"][0]["selected"][0]["label"].as_str().unwrap()),
        "cancelled" => format!("cancelled by {}", outcome["reason"].as_str().unwrap()),
        status => status.to_owned(),
    }
}

/// At the end, past the daemon: the chain holds, numbers have no gaps, every ask is there once and
/// ended once, as it was told. Returns the numbers of all facts.
pub(crate) async fn check_store(store: &dyn Store, asks: &[Known]) -> Vec<u64> {
    let (mut asked, mut ended) = (HashMap::<String, usize>::new(), HashMap::<String, String>::new());
    let verified = store.verify(1).await.unwrap();
    assert!(verified.broken.is_none(), "the chain: {verified:?}");
    let mut number = 0;
    loop {
        let facts = store.facts_since(number, 1000).await.unwrap();
        if facts.is_empty() {
            break;
        }
        for numbered in facts {
            number += 1;
            assert_eq!(numbered.number, number, "a gap in the numbers");
            match numbered.fact.as_deref() {
                Some(Fact::Asked(ask)) => {
                    *asked.entry(ask.questions.top()[0].text.clone()).or_default() += 1;
                }
                Some(Fact::Closed { ask, outcome }) => {
                    let twice = ended.insert(ask.to_string(), outcome.status().to_owned());
                    assert_eq!(twice, None, "{ask} ended twice");
                }
                _ => {}
            }
        }
    }
    store.close().await.unwrap();
    for known in asks {
        let n_asked = asked.get(known.words()).copied().unwrap_or_default();
        assert!(
            n_asked == 1 || (n_asked == 0 && known.id.is_none()),
            "{} is there {n_asked} times",
            known.key
        );
        let kept = known.id.as_ref().and_then(|id| ended.get(id));
        if let Some(told) = &known.ended {
            assert_eq!(kept.map(String::as_str), told.split(' ').next(), "{}", known.key);
        }
    }
    (1..=number).collect()
}
