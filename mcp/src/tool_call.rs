//! One call of a tool, from its arguments to its result.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::id::AskId;
use askuser_core::problem::{Fault, Problem};
use askuser_words::Language;
use askuser_words::fault::{Wrong, unfit};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CreateTaskResult, InputRequiredResult};
use rmcp::service::RequestContext;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::desk::{Checked, DeskHandle};
use super::dialog::{self, Came};
use super::identity::Identity;
use super::sealed::{Between, Seal};
use super::snapshot::AskSnapshot;
use super::templates::{self, Filled, Templates};
use super::tools::Verb;
use super::trouble::Trouble;
use super::waiting::Waiting;
use super::{result, tasks};
use askuser_system::clock;
use askuser_wire as wire;

/// How the agent's own dialog can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialog {
    /// Not at all.
    Off,
    /// While the call waits, by a request to the client.
    Beside,
    /// Between two calls: the client asks and calls again.
    Between,
}

/// A call with all that is known of it.
pub(super) struct ToolCall<'a> {
    pub(super) at: DeskHandle,
    pub(super) who: Identity,
    pub(super) hold: Duration,
    /// How the client could be asked in its own dialog; whether it is, the desk says.
    pub(super) dialog: Dialog,
    /// What the client calls itself, with its version.
    pub(super) program: Option<String>,
    /// Whether the client takes tasks.
    pub(super) tasks: bool,
    pub(super) seal: &'a Seal,
    pub(super) templates: &'a Arc<Templates>,
    /// Cancelled when the client has left.
    pub(super) left: &'a CancellationToken,
    pub(super) context: &'a RequestContext<RoleServer>,
}

impl ToolCall<'_> {
    /// Does it. Whatever keeps it from being done is told to the model.
    pub(super) async fn run(&self, verb: Verb, request: CallToolRequestParams) -> CallToolResponse {
        let done = match verb {
            Verb::Ask => self.ask(request).await,
            Verb::Wait => self.wait_for(&arguments(&request)).await,
            Verb::List => self.at.list(&self.who).await.map(|asks| result::list(&asks).into()),
            Verb::Cancel => self.cancel(&arguments(&request)).await,
        };
        done.unwrap_or_else(|trouble| result::failed(&trouble).into())
    }

    async fn ask(&self, request: CallToolRequestParams) -> Result<CallToolResponse, Trouble> {
        let begun = clock::now();
        // Some models wrap their arguments in the call that they make, or get their form wrong.
        let arguments = wire::slips::mended(wire::unwrapped(arguments(&request)));
        let sealed = request.request_state.as_deref();
        let again = sealed.and_then(|sealed| self.seal.open(sealed, &self.at.caller(), &arguments));
        let mut wrong = None;
        let mut warnings = Vec::new();
        let snapshot = if let Some(between) = again {
            let snapshot = self.at.look(between.ask).await?;
            let responses = request.input_responses.unwrap_or_default();
            match dialog::take_inputs(&self.at, self.program.as_deref(), &snapshot, &responses).await {
                Came::Unfit(why) => wrong = Some(why),
                Came::Answered | Came::Aside => {}
            }
            snapshot
        } else {
            let checked = self.checked(&arguments).await?;
            if let Some((questions, outcome)) = &checked.collected {
                return Ok(result::closed(questions, outcome).into());
            }
            warnings.clone_from(&checked.warnings);
            self.at.ask(&checked, &self.who).await?
        };
        if let Some(ended) = &snapshot.outcome {
            self.at.hand_over(&self.context.id, &snapshot);
            let told = result::of_asked(&snapshot, &warnings);
            let is_news = again.is_some() || ended.at >= begun;
            return Ok(if is_news { told } else { result::decided_before(told, ended.at, begun) }.into());
        }
        if self.tasks {
            return Ok(CreateTaskResult::new(tasks::task(&snapshot)).into());
        }
        let n_forms = again.map_or(0, |between| between.n_forms);
        // A form that was answered wrongly too often is not shown again: the question waits for the person.
        if (again.is_none() || wrong.is_some() && n_forms < dialog::TRIES_MAX)
            && self.dialog().await == Dialog::Between
            && let Some(required) = self.input_required(&snapshot, n_forms + 1, &arguments, wrong.as_deref())
        {
            return Ok(required.into());
        }
        self.wait(snapshot, self.hold, &warnings).await
    }

    /// How the client is asked in its own dialog: as it can be, where the desk takes such answers.
    async fn dialog(&self) -> Dialog {
        if self.dialog == Dialog::Off || !self.at.takes_dialogs().await { Dialog::Off } else { self.dialog }
    }

    async fn checked(&self, arguments: &Value) -> Result<Checked, Trouble> {
        let filled = templates::filled(arguments, &self.at, self.templates, &self.who).await?;
        let (mut value, is_whole) = match filled {
            Filled::Ask(value) => (value, true),
            Filled::ForTheDesk(value) => (value, false),
        };
        if let Some(fields) = value.as_object_mut() {
            self.who.sign(fields);
        }
        if !is_whole {
            return Ok(Checked { dialect: None, value, warnings: Vec::new(), collected: None });
        }
        let dialect = wire::recognise(&value);
        let read = wire::read(dialect, &value).check_and_warn().map_err(Trouble::wrong_arguments)?;
        let warnings = wire::warnings(&read.warnings, Language::English);
        let collected = wire::collected(&read.questions, clock::now());
        let collected = collected.map(|outcome| (read.questions, outcome));
        Ok(Checked { dialect: Some(dialect), value, warnings, collected })
    }

    fn input_required(
        &self,
        snapshot: &AskSnapshot,
        n_forms: u32,
        arguments: &Value,
        wrong: Option<&str>,
    ) -> Option<InputRequiredResult> {
        let inputs = dialog::inputs(dialog::form_of(snapshot, wrong)?);
        let state = self.seal.seal(Between { ask: snapshot.id, n_forms }, &self.at.caller(), arguments)?;
        Some(InputRequiredResult::new(Some(inputs), Some(state)))
    }

    async fn wait_for(&self, arguments: &Value) -> Result<CallToolResponse, Trouble> {
        let mut problems = Vec::new();
        let id = ask_id(arguments, &mut problems);
        let most = max_wait(arguments, &mut problems);
        let Some(id) = id.filter(|_| problems.is_empty()) else {
            return Err(Trouble::wrong_call(Verb::Wait, problems));
        };
        let snapshot = self.at.look(id).await.map_err(Trouble::of_an_id)?;
        let hold = most.map_or(self.hold, |most| most.min(self.hold));
        if snapshot.outcome.is_some() || hold.is_zero() {
            self.at.hand_over(&self.context.id, &snapshot);
            return Ok(result::of(&snapshot).into());
        }
        self.wait(snapshot, hold, &[]).await
    }

    async fn wait(
        &self,
        snapshot: AskSnapshot,
        hold: Duration,
        warnings: &[String],
    ) -> Result<CallToolResponse, Trouble> {
        let waiting = Waiting {
            at: &self.at,
            snapshot,
            hold,
            dialog: self.dialog().await == Dialog::Beside,
            program: self.program.as_deref(),
            context: self.context,
            left: self.left,
        };
        let snapshot = waiting.wait().await?;
        self.at.hand_over(&self.context.id, &snapshot);
        Ok(result::of_asked(&snapshot, warnings).into())
    }

    async fn cancel(&self, arguments: &Value) -> Result<CallToolResponse, Trouble> {
        let mut problems = Vec::new();
        let Some(id) = ask_id(arguments, &mut problems) else {
            return Err(Trouble::wrong_call(Verb::Cancel, problems));
        };
        self.at.withdraw(id).await.map_err(Trouble::of_an_id)?;
        Ok(result::withdrawn(&id.to_string()).into())
    }
}

fn arguments(request: &CallToolRequestParams) -> Value {
    Value::Object(request.arguments.clone().unwrap_or_default())
}

fn ask_id(arguments: &Value, problems: &mut Vec<Problem>) -> Option<AskId> {
    let fault = match arguments.get("ask_id") {
        None | Some(Value::Null) => Fault::Missing,
        Some(given) => match given.as_str().and_then(|text| text.trim().parse().ok()) {
            Some(id) => return Some(id),
            None => unfit(Wrong::no_prefixed_ask_id),
        },
    };
    problems.push(Problem::new("ask_id", fault));
    None
}

fn max_wait(arguments: &Value, problems: &mut Vec<Problem>) -> Option<Duration> {
    let given = arguments.get("max_wait_ms").filter(|given| !given.is_null())?;
    let seconds = given.as_f64().map(|millis| millis / 1000.0);
    let most = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    if most.is_none() {
        problems.push(Problem::new("max_wait_ms", unfit(Wrong::not_millis)));
    }
    most
}
