//! An agent that is known by its conversation, over `/mcp` in every era, in any order of things: the person is asked
//! once, and the agent has every decision, each once.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::home::{TestHome, which};
use crate::http::Answer;
use crate::web::{self, Web};

/// The protocol that the agent speaks when it calls.
#[derive(Debug, Clone, Copy)]
enum Era {
    /// With a session.
    Session,
    /// Without one.
    Modern,
    /// Without one, and it looks at its task instead of waiting.
    Tasks,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    /// The agent asks, from a new client, under a new name of its call.
    Ask(Era),
    /// Its process is killed.
    GoAway,
    /// The person answers what is open.
    Answer,
    /// The desk is killed and comes back.
    Crash,
}

fn any_step() -> impl Strategy<Value = Step> {
    let era = prop_oneof![Just(Era::Session), Just(Era::Modern), Just(Era::Tasks)];
    prop_oneof![4 => era.prop_map(Step::Ask), 2 => Just(Step::GoAway), 3 => Just(Step::Answer), 1 => Just(Step::Crash)]
}

/// A call of the agent's that has not brought a decision yet.
enum Call {
    Waits(Answer),
    Looks(Web, Value),
}

struct Story<'a> {
    home: &'a TestHome,
    call: Option<Call>,
    n_calls: u32,
    /// How many decisions the person has made, and how many the agent has.
    n_decided: u32,
    n_told: u32,
    /// Whether the latest may be told once more: the desk was killed before it had noted that.
    may_repeat: bool,
}

impl Story<'_> {
    fn step(&mut self, step: Step) {
        match step {
            Step::Ask(era) => self.ask(era),
            Step::GoAway => self.call = None,
            Step::Answer => self.answer(),
            Step::Crash => {
                self.home.kill();
                self.call = None;
                self.home.start();
                self.may_repeat = true;
            }
        }
        let n_open = self.home.inbox().len();
        assert!(n_open <= 1, "the person is asked {n_open} times");
    }

    fn ask(&mut self, era: Era) {
        self.call = None;
        self.n_calls += 1;
        let client = match era {
            Era::Session => Web::open(self.home, "claude-code", json!({})),
            Era::Modern => Web::modern(self.home, "claude-code", json!({})),
            Era::Tasks => {
                let tasks = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
                Web::modern(self.home, "claude-code", tasks)
            }
        };
        let meta = json!({"claudecode/sessionId": "s1", "claudecode/toolUseId": format!("toolu_{}", self.n_calls),
            "progressToken": "p"});
        let mut answer = client.start(
            "tools/call",
            json!({"name": "ask_user_question", "arguments": which("Deploy?"), "_meta": meta}),
        );
        let first = answer.event().unwrap();
        match first["result"]["resultType"].as_str() {
            Some("task") => {
                let call = Call::Looks(client, json!({"taskId": first["result"]["taskId"]}));
                self.call = Some(call);
                self.look();
            }
            _ if first["method"] == "notifications/progress" => {
                assert_eq!(self.n_told, self.n_decided, "asked again although it is decided");
                self.call = Some(Call::Waits(answer));
            }
            _ => self.told(&first["result"]),
        }
    }

    /// A client with tasks looks.
    fn look(&mut self) {
        let Some(Call::Looks(client, task)) = &self.call else { return };
        let task = client.request("tasks/get", task.clone());
        if task["status"] == "completed" {
            self.call = None;
            self.told(&task["result"]);
        } else {
            assert_eq!(self.n_told, self.n_decided, "asked again although it is decided");
        }
    }

    fn answer(&mut self) {
        if self.call.is_none() {
            // A reply that the system has taken for somebody who is gone would count as handed over.
            self.home.until_alone();
        }
        let Some(ask) = self.home.inbox().into_iter().next() else { return };
        self.n_decided += 1;
        let question = ask["questions"][0]["question_id"].as_str().unwrap().to_owned();
        self.home.answer(&ask, json!({ question: {"other": format!("decision {}.", self.n_decided)} }));
        match self.call.take() {
            Some(Call::Waits(mut answer)) => self.told(&web::result(&mut answer)),
            looks => {
                self.call = looks;
                self.look();
            }
        }
    }

    fn told(&mut self, result: &Value) {
        let is_again = self.n_told == self.n_decided;
        assert!(!is_again || self.may_repeat, "told twice: {result}");
        let latest = format!("decision {}.", self.n_decided);
        assert!(result.to_string().contains(&latest), "not {latest}: {result}");
        self.n_told = self.n_decided;
        self.may_repeat = false;
    }

    /// In the end somebody answers, and the agent, which goes on asking, has it.
    fn end(mut self, era: Era) {
        self.step(Step::Ask(era));
        self.step(Step::Answer);
        assert_eq!(self.n_told, self.n_decided, "the agent is left without the answer");
    }
}

fn cases() -> ProptestConfig {
    let cases = ProptestConfig::default().cases.div_ceil(32).min(60);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn over_mcp_the_person_is_asked_once_and_the_agent_has_the_answer(steps in prop::collection::vec(any_step(), 1..16)) {
        let home = TestHome::with_daemon();
        let mut story = Story { home: &home, call: None, n_calls: 0, n_decided: 0, n_told: 0, may_repeat: false };
        for step in steps {
            story.step(step);
        }
        story.end(Era::Modern);
    }
}
