//! Claude Code as a child: a stream of JSON each way, with its control protocol.
//!
//! `can_use_tool` for its own question tool becomes the question, for every other tool a permission;
//! `elicitation` becomes a form. Each request is answered once, under its id, unless it was
//! cancelled. The turn ends with `result`; what the person said meanwhile makes another turn.

mod requests;
mod messages;
mod words;

use askuser_core::message::Said;
use askuser_core::task::Task;
use serde_json::Value;
use tokio::sync::mpsc;

use super::super::asking::Answered;
use super::super::child::Pipes;
use super::super::lines::{LINES_MAX, Line};
use super::{ASK_USER_TIMEOUT, BY_USER, Ending, Stage};
use crate::REASONS;
use messages::Held;
use requests::Requests;

/// What we call our own first request.
const INITIALIZE: &str = "askuser-initialize";
/// And the one that asks it to stop.
const INTERRUPT: &str = "askuser-interrupt";

/// The flags under which it is a child that asks us.
pub(super) fn args(task: &Task) -> Vec<String> {
    let flags = [
        "-p",
        "--output-format",
        "stream-json",
        "--verbose",
        "--input-format",
        "stream-json",
        "--permission-prompt-tool",
        "stdio",
        "--include-partial-messages",
        "--replay-user-messages",
    ];
    let mut args: Vec<String> = flags.map(str::to_owned).into();
    if let Some(session) = &task.agent_session {
        args.extend(["--resume".to_owned(), session.clone()]);
    }
    args
}

/// One conversation.
struct Talk {
    out: mpsc::Sender<String>,
    requests: Requests,
    held: Held,
    /// What was said to it and not taken up yet.
    n_said: usize,
    /// Whether it was asked to stop.
    stopping: bool,
}

/// Runs a task to its end.
pub(super) async fn run(stage: &mut Stage, pipes: Pipes) -> Ending {
    let Pipes { mut lines, out } = pipes;
    let mut talk =
        Talk { out, requests: Requests::default(), held: Held::default(), n_said: 0, stopping: false };
    talk.send(&words::initialize(INITIALIZE)).await;
    let stop = stage.stop.clone();
    loop {
        tokio::select! {
            // The person first: an agent that floods us can still be stopped and answered.
            biased;
            () = stop.cancelled(), if !talk.stopping => talk.stop(stage).await,
            Some(answered) = stage.asking.answered.recv() => {
                if let Some(ending) = talk.answer(stage, answered).await {
                    return ending;
                }
            }
            Some(text) = stage.says.recv() => talk.say(&text).await,
            line = lines.recv() => {
                let Some(line) = line else { return talk.gone(stage).await };
                let mut ending = talk.line(stage, line).await;
                // Whatever else has come already is written in the same go.
                for _ in 0..LINES_MAX {
                    let Some(line) = lines.try_recv().ok().filter(|_| ending.is_none()) else { break };
                    ending = talk.line(stage, line).await;
                }
                if let Err(error) = stage.writer.flush().await {
                    return error.into();
                }
                if let Some(ending) = ending {
                    return ending;
                }
            }
        }
    }
}

impl Talk {
    async fn send(&self, value: &Value) {
        // Where it has closed its input, the end of its output says why.
        let _sent = self.out.send(value.to_string()).await;
    }

    async fn say(&mut self, text: &str) {
        self.n_said += 1;
        self.send(&words::user(text)).await;
    }

    /// Asks it to stop; its questions are nobody's any more.
    async fn stop(&mut self, stage: &mut Stage) {
        self.stopping = true;
        for key in self.requests.take_all() {
            stage.asking.withdraw(&key, REASONS.task_stopped()).await;
            self.send(&words::refuse(&key, "The user stopped the task.", true)).await;
        }
        self.send(&words::interrupt(INTERRUPT)).await;
    }

    /// Takes in one line; how the run ended, where it did.
    async fn line(&mut self, stage: &mut Stage, line: Line) -> Option<Ending> {
        let text = match line {
            Line::Whole(text) if text.trim().is_empty() => return None,
            Line::Whole(text) => text,
            Line::TooLong(n_bytes) => {
                stage.writer.write(Said::Notice(REASONS.line_skipped(n_bytes)));
                return None;
            }
            Line::Half(_) => {
                stage.writer.write(Said::Notice(REASONS.cut_off().to_owned()));
                return None;
            }
        };
        let Ok(value) = serde_json::from_str::<Value>(&text) else {
            // Some other program's words on the same pipe: shown, and nothing more.
            stage.writer.write(Said::Notice(text));
            return None;
        };
        self.message(stage, &value).await
    }

    async fn message(&mut self, stage: &mut Stage, value: &Value) -> Option<Ending> {
        match value["type"].as_str().unwrap_or_default() {
            "control_request" => self.request(stage, value).await,
            "control_cancel_request" => {
                let key = value["request_id"].as_str().unwrap_or_default();
                if self.requests.cancelled(key) {
                    stage.asking.withdraw(key, REASONS.took_it_back()).await;
                }
            }
            "control_response" => return self.response(stage, &value["response"]).await,
            "system" => messages::system(stage, value).await,
            "stream_event" => messages::piece(stage, value),
            "assistant" => self.held.assistant(stage, value),
            "user" => {
                if value["isReplay"].as_bool() == Some(true) {
                    self.n_said = self.n_said.saturating_sub(1);
                } else {
                    self.held.user(stage, value);
                }
            }
            "result" => return self.result(stage, value),
            // Heartbeats, rates, and what a later version adds.
            _ => {}
        }
        None
    }

    /// It answers our own request.
    async fn response(&mut self, stage: &mut Stage, response: &Value) -> Option<Ending> {
        if response["request_id"].as_str() != Some(INITIALIZE) {
            return None;
        }
        if response["subtype"].as_str() == Some("error") {
            let why = response["error"].as_str().unwrap_or("no reason given");
            return Some(Ending::Failed(REASONS.not_started(why)));
        }
        let text = stage.task.text.to_string();
        self.say(&text).await;
        // What it asked before and nobody answered yet.
        for list in ["pending_permission_requests", "pending_elicitation_requests"] {
            for request in response["response"][list].as_array().into_iter().flatten() {
                self.request(stage, request).await;
            }
        }
        None
    }

    async fn request(&mut self, stage: &mut Stage, value: &Value) {
        let key = value["request_id"].as_str().unwrap_or_default().to_owned();
        let request = &value["request"];
        if key.is_empty() || self.requests.has(&key) {
            return;
        }
        if self.stopping {
            self.send(&words::refuse(&key, "The user stopped the task.", true)).await;
            return;
        }
        let question = match requests::read(&stage.task, &key, request) {
            Ok(question) => question,
            Err(reply) => {
                self.send(&reply).await;
                return;
            }
        };
        // The question comes after the words before it.
        let told = stage.writer.flush().await.map_err(|error| error.to_string());
        let asked = match told {
            Ok(()) => stage.asking.ask(question).await,
            Err(why) => Err(why),
        };
        match asked {
            Ok(()) => {
                self.held.is_asked(request["tool_use_id"].as_str());
                self.requests.open(key, request.clone());
            }
            Err(why) => self.send(&requests::not_asked(&key, request, &why)).await,
        }
    }

    /// Hands an outcome to the agent; the run ends where nobody answered in time (O4).
    async fn answer(&mut self, stage: &mut Stage, answered: Answered) -> Option<Ending> {
        let request = self.requests.take(&answered.key)?;
        self.send(&requests::reply(&request, &answered)).await;
        stage.asking.handed_over(&answered).await;
        if !answered.stops() {
            return None;
        }
        self.send(&words::interrupt(INTERRUPT)).await;
        Some(Ending::Stopped(ASK_USER_TIMEOUT))
    }

    /// A turn is over.
    fn result(&mut self, stage: &mut Stage, value: &Value) -> Option<Ending> {
        stage.writer.forget_pieces();
        if self.stopping {
            return Some(Ending::Stopped(BY_USER));
        }
        let failed =
            value["is_error"].as_bool() == Some(true) || value["subtype"].as_str() != Some("success");
        let text = messages::result_text(value);
        if failed {
            stage.writer.write(Said::Error(text.clone()));
            return Some(Ending::Failed(text));
        }
        stage.writer.write(Said::Complete(text));
        // Something was said meanwhile that it has not taken up: another turn follows.
        (self.n_said == 0).then_some(Ending::Done)
    }

    async fn gone(&mut self, stage: &mut Stage) -> Ending {
        stage.writer.end_pieces();
        if let Err(error) = stage.writer.flush().await {
            return error.into();
        }
        if self.stopping { Ending::Stopped(BY_USER) } else { Ending::Gone }
    }
}
