//! What an agent asks its person: through the desk, in the task's own session, any number at once.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::asker::{Asker, Purpose, TimeoutPolicy};
use askuser_core::command::{Actor, KnownBy, Role};
use askuser_core::id::AskId;
use askuser_core::outcome::{AnsweredBy, By, Channel, Ending, Outcome, Proof};
use askuser_core::problem::Problem;
use askuser_core::task::Task;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use askuser_desk::{Desk, DeskError, PATIENCE_MAX, Request, Waited};
use askuser_wire::{self as wire, Dialect, result_text};

/// Asks of one task that may wait for an answer at once.
const OPEN_MAX: usize = 100;

/// One question of an agent.
pub(super) struct Question {
    /// The agent's name of its request: under it the answer goes back.
    pub(super) key: String,
    /// The ask, as JSON.
    pub(super) ask: Value,
    pub(super) dialect: Dialect,
    /// What it is about.
    pub(super) purpose: Purpose,
    /// The agent's name of the tool call that it belongs to.
    pub(super) call: Option<String>,
}

/// A question that has its outcome.
pub(super) struct Answered {
    /// The agent's name of its request.
    pub(super) key: String,
    /// The ask, which has ended.
    pub(super) ask: Arc<Ask>,
}

/// Asks for one task.
pub(super) struct Asking {
    desk: Desk,
    actor: Actor,
    task: Arc<Task>,
    timeout: Option<Duration>,
    open: HashMap<String, AskId>,
    waiting: JoinSet<()>,
    done: mpsc::Sender<Answered>,
    /// What has its outcome, as it comes.
    pub(super) answered: mpsc::Receiver<Answered>,
}

impl Asking {
    pub(super) fn new(desk: Desk, task: Arc<Task>, timeout: Option<Duration>) -> Self {
        let by = By::new(Some(task.owner.clone()), Channel::Agent, Proof::Server);
        let actor = Actor { role: Role::Agent, user: task.owner.clone(), by, key: None };
        let (done, answered) = mpsc::channel(OPEN_MAX);
        Self { desk, actor, task, timeout, open: HashMap::new(), waiting: JoinSet::new(), done, answered }
    }

    /// Asks. Where that cannot be, the words for the agent: what is wrong, so that it can ask better.
    pub(super) async fn ask(&mut self, question: Question) -> Result<(), String> {
        if self.open.len() >= OPEN_MAX {
            return Err(format!("{OPEN_MAX} questions wait for an answer: wait for one first"));
        }
        let key = question.key.clone();
        let request = self.request(question).map_err(|problems| {
            let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
            format!("The questions do not fit: {}", told.join("; "))
        })?;
        let asked = self.desk.ask(&self.actor, request).await.map_err(|error| error.to_string())?;
        let id = asked.ask.id;
        self.open.insert(key.clone(), id);
        let (desk, actor, done) = (self.desk.clone(), self.actor.clone(), self.done.clone());
        self.waiting.spawn(async move {
            let Some(ask) = outcome(&desk, &actor, id).await else { return };
            // Whoever ran the task may have ended it meanwhile.
            let _told = done.send(Answered { key, ask }).await;
        });
        Ok(())
    }

    fn request(&self, question: Question) -> Result<Request, Vec<Problem>> {
        let (questions, mut terms) = wire::read(question.dialect, &question.ask).check()?;
        let folder = Path::new(&self.task.folder);
        terms.asker = Asker {
            agent: Some(self.task.agent.clone()),
            project: folder.file_name().and_then(|name| name.to_str()).map(str::to_owned),
            folder: Some(self.task.folder.clone()),
        };
        terms.session = Some(self.task.session.to_string());
        terms.purpose = question.purpose;
        terms.tool_use = question.call;
        terms.timeout = terms.timeout.or(self.timeout);
        // Where nobody answers, the task that we run is stopped (P13, O4).
        terms.policy = Some(TimeoutPolicy::Abort);
        terms.reply_in = Some(question.dialect.name().to_owned());
        Ok(Request {
            questions,
            terms,
            asker_key: format!("task {}", self.task.id),
            known_by: KnownBy::Place,
        })
    }

    /// Notes that the agent has the outcome of a question and goes on.
    pub(super) async fn handed_over(&mut self, answered: &Answered) {
        self.open.remove(&answered.key);
        // Whether the note is kept changes nothing for anybody.
        let _noted = self.desk.acknowledge(&self.actor, answered.ask.id).await;
    }

    /// Takes a question back. Nobody is told of its outcome.
    pub(super) async fn withdraw(&mut self, key: &str, reason: &str) {
        if let Some(ask) = self.open.remove(key) {
            self.take_back(ask, reason).await;
        }
    }

    /// Takes back everything that is open.
    pub(super) async fn withdraw_all(&mut self, reason: &str) {
        let open: Vec<AskId> = self.open.drain().map(|(_, ask)| ask).collect();
        for ask in open {
            self.take_back(ask, reason).await;
        }
        self.waiting.abort_all();
    }

    async fn take_back(&self, ask: AskId, reason: &str) {
        // Where somebody was quicker, it has ended already.
        let _taken = self.desk.withdraw_because(&self.actor, ask, Some(reason.to_owned())).await;
    }
}

/// Waits for the outcome, however long that takes; none where the desk closes.
async fn outcome(desk: &Desk, actor: &Actor, id: AskId) -> Option<Arc<Ask>> {
    loop {
        match desk.wait(actor, id, PATIENCE_MAX).await {
            Ok(Waited::Closed(ask)) => return Some(ask),
            Ok(Waited::StillOpen(_)) if desk.stopping().is_cancelled() => return None,
            Ok(Waited::StillOpen(_)) => {}
            Err(DeskError::Refused(_)) => return None,
            // The store is away: look again in a moment.
            Err(_) => tokio::time::sleep(Duration::from_secs(1)).await,
        }
    }
}

impl Answered {
    /// Returns how it ended.
    pub(super) fn outcome(&self) -> Option<&Outcome> {
        self.ask.state.outcome()
    }

    /// Whether nobody answered in time and the task is to stop (O4).
    pub(super) fn stops(&self) -> bool {
        self.outcome().is_some_and(|outcome| matches!(outcome.ending, Ending::Expired { abort: true, .. }))
    }

    /// Returns the choice that a person, or a rule of theirs, picked.
    pub(super) fn picked(&self) -> Option<&str> {
        let outcome = self.outcome()?;
        let theirs = matches!(outcome.ending, Ending::Answered(AnsweredBy::Person | AnsweredBy::Rule));
        let mut picked = outcome.answers.0.iter().filter(|_| theirs).flat_map(|answer| &answer.picked);
        picked.next().map(askuser_core::id::ChoiceId::as_str)
    }

    /// Returns the text that a model reads of it (P4).
    pub(super) fn text(&self) -> String {
        self.outcome()
            .map_or_else(String::new, |outcome| result_text::write(&self.ask.questions, outcome).text)
    }

    /// Returns what a model reads of a no to a permission: with the person's words, where there are
    /// any.
    pub(super) fn refusal(&self) -> String {
        let note = self
            .outcome()
            .filter(|outcome| matches!(outcome.ending, Ending::Answered(_)))
            .map(|outcome| outcome.answers.0.iter().find_map(|answer| answer.note.as_deref()));
        match note {
            Some(Some(note)) => format!("The user said no: {note}"),
            Some(None) => "The user said no.".to_owned(),
            None => self.text(),
        }
    }
}

/// Writes a question that grants something: what is to be done stands in the question itself, so
/// that no answer to one is ever taken for another.
pub(super) fn permission(header: &str, text: &str, shown: &str, choices: &[(&str, &str)]) -> Value {
    let options: Vec<Value> = choices.iter().map(|(id, label)| json!({"id": id, "label": label})).collect();
    json!({"questions": [{
        "header": header, "type": "multiple_choice", "other": false,
        "question": text, "description": shown, "options": options,
    }]})
}
