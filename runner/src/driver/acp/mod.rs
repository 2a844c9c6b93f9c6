//! Any agent of the Agent Client Protocol, through the protocol's own crate.
//!
//! `session/request_permission` becomes a permission, `elicitation/create` a form. What the agent
//! tells comes as updates; its turn ends when the prompt is answered. The agent is offered no files
//! and no terminal of ours: it has its own.

mod messages;
mod pipe;

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::schema::{
    CancelNotification, ClientCapabilities, ContentBlock, CreateElicitationRequest,
    CreateElicitationResponse, ElicitationAction, ElicitationCapabilities, ElicitationFormCapabilities,
    EnvVariable, Implementation, InitializeRequest, LoadSessionRequest, McpServer, McpServerStdio,
    NewSessionRequest, PromptRequest, PromptResponse, RequestPermissionOutcome, RequestPermissionRequest,
    RequestPermissionResponse, ResumeSessionRequest, SelectedPermissionOutcome, SessionId,
    SessionNotification, StopReason, TextContent,
};
use agent_client_protocol::v1::{ConnectionTo, Responder};
use agent_client_protocol::{Agent, Client, Error, Lines};
use askuser_core::asker::Purpose;
use askuser_core::message::Said;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};

use self::messages::Calls;
use super::super::asking::{Answered, Question, permission};
use super::super::child::Pipes;
use super::{ASK_USER_TIMEOUT, BY_USER, Ending, Stage};
use crate::REASONS;
use askuser_wire::{self as wire, Dialect};

/// What came from the agent and waits for us; then the agent waits.
const HEARD_MAX: usize = 64;

/// What the agent tells or wants.
enum Heard {
    Update(Box<SessionNotification>),
    Permission(Box<RequestPermissionRequest>, Responder<RequestPermissionResponse>),
    Form(Box<CreateElicitationRequest>, Responder<CreateElicitationResponse>),
}

/// Runs a task to its end.
pub(super) async fn run(stage: &mut Stage, pipes: Pipes) -> Ending {
    let (to, mut heard) = mpsc::channel(HEARD_MAX);
    let (updates, permissions, forms) = (to.clone(), to.clone(), to);
    let room = Arc::new(Semaphore::new(HEARD_MAX));
    let transport = Lines::new(pipe::outgoing(pipes.out), pipe::incoming(pipes.lines, Arc::clone(&room)));
    let connected = Client
        .v1()
        .name("askuser")
        .on_receive_notification(
            async move |notification: SessionNotification, _connection| {
                pass_on(&updates, Heard::Update(Box::new(notification))).await
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder, _connection| {
                pass_on(&permissions, Heard::Permission(Box::new(request), responder)).await
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |request: CreateElicitationRequest, responder, _connection| {
                pass_on(&forms, Heard::Form(Box::new(request), responder)).await
            },
            agent_client_protocol::on_receive_request!(),
        )
        .connect_with(transport, async |connection: ConnectionTo<Agent>| {
            Ok(talk(stage, &connection, &mut heard, &room).await)
        })
        .await;
    connected.unwrap_or(Ending::Gone)
}

async fn pass_on(to: &mpsc::Sender<Heard>, heard: Heard) -> Result<(), Error> {
    // Whoever listened is gone only when the run is over.
    to.send(heard).await.map_err(|_| Error::internal_error())
}

/// One conversation.
struct Talk<'a> {
    connection: &'a ConnectionTo<Agent>,
    session: SessionId,
    permissions: HashMap<String, Responder<RequestPermissionResponse>>,
    forms: HashMap<String, Responder<CreateElicitationResponse>>,
    calls: Calls,
    /// Questions so far: each gets a name of ours.
    n_asked: usize,
    /// What the person said while a turn ran: a turn each, in order.
    said: VecDeque<String>,
    stopping: bool,
}

async fn talk(
    stage: &mut Stage,
    connection: &ConnectionTo<Agent>,
    heard: &mut mpsc::Receiver<Heard>,
    room: &Semaphore,
) -> Ending {
    let stop = stage.stop.clone();
    let began = tokio::select! {
        began = begin(stage, connection, heard, room) => began,
        () = stop.cancelled() => return Ending::Stopped(BY_USER),
    };
    let session = match began {
        Ok(session) => session,
        Err(error) => return failed(&error),
    };
    let _told = stage.named.send(session.0.to_string()).await;
    let mut talk = Talk {
        connection,
        session,
        permissions: HashMap::new(),
        forms: HashMap::new(),
        calls: Calls::default(),
        n_asked: 0,
        said: VecDeque::from([stage.task.text.to_string()]),
        stopping: false,
    };
    while let Some(text) = talk.said.pop_front() {
        if let Some(ending) = talk.turn(stage, heard, room, text).await {
            return ending;
        }
    }
    Ending::Done
}

/// Shakes hands and opens the conversation: a new one, or the one that is taken up again.
async fn begin(
    stage: &mut Stage,
    connection: &ConnectionTo<Agent>,
    heard: &mut mpsc::Receiver<Heard>,
    room: &Semaphore,
) -> Result<SessionId, Error> {
    let forms = ElicitationCapabilities::new().form(ElicitationFormCapabilities::new());
    let hello = InitializeRequest::new(ProtocolVersion::V1)
        .client_capabilities(ClientCapabilities::new().elicitation(forms))
        .client_info(Implementation::new("askuser", env!("CARGO_PKG_VERSION")));
    let can = connection.send_request(hello).block_task().await?.agent_capabilities;
    let folder = PathBuf::from(&stage.task.folder);
    if let Some(earlier) = stage.task.agent_session.clone() {
        let earlier = SessionId::new(earlier);
        if can.session_capabilities.resume.is_some() {
            let again = ResumeSessionRequest::new(earlier.clone(), folder).mcp_servers(own_server(stage));
            connection.send_request(again).block_task().await?;
            return Ok(earlier);
        }
        if can.load_session {
            let again = connection
                .send_request(LoadSessionRequest::new(earlier.clone(), folder).mcp_servers(own_server(stage)))
                .block_task();
            let mut again = std::pin::pin!(again);
            loop {
                tokio::select! {
                    // It tells everything again that was said before: we have that.
                    Some(_told) = heard.recv() => room.add_permits(1),
                    loaded = &mut again => {
                        loaded?;
                        // The last of it came before the answer, and may still be on its way to us.
                        while heard.try_recv().is_ok() {
                            room.add_permits(1);
                        }
                        return Ok(earlier);
                    }
                }
            }
        }
        stage.writer.write(Said::Notice(REASONS.begins_new().to_owned()));
    }
    let new = NewSessionRequest::new(folder).mcp_servers(own_server(stage));
    Ok(connection.send_request(new).block_task().await?.session_id)
}

/// Our own tools, for agents that have no question of their own: what they ask comes to this session.
fn own_server(stage: &Stage) -> Vec<McpServer> {
    let Some(program) = stage.program.clone().filter(|_| stage.asks_here()) else { return Vec::new() };
    let env = stage.surroundings.iter().map(|(name, value)| EnvVariable::new(name.clone(), value.clone()));
    let server = McpServerStdio::new("askuser", program).args(vec!["mcp".to_owned()]).env(env.collect());
    vec![McpServer::Stdio(server)]
}

fn failed(error: &Error) -> Ending {
    if agent_client_protocol::is_incoming_transport_closed(error) {
        return Ending::Gone;
    }
    let data = error.data.as_ref().map(|data| format!(": {data}")).unwrap_or_default();
    Ending::Failed(format!("{}{data}", error.message))
}

impl Talk<'_> {
    /// One turn; how the run ended, where it did.
    async fn turn(
        &mut self,
        stage: &mut Stage,
        heard: &mut mpsc::Receiver<Heard>,
        room: &Semaphore,
        text: String,
    ) -> Option<Ending> {
        let prompt = vec![ContentBlock::Text(TextContent::new(text))];
        let prompt = PromptRequest::new(self.session.clone(), prompt);
        let turn = self.connection.send_request(prompt).block_task();
        let mut turn = std::pin::pin!(turn);
        let stop = stage.stop.clone();
        let mut answer = None;
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled(), if !self.stopping => self.stop(stage).await,
                Some(answered) = stage.asking.answered.recv() => {
                    if self.answer(stage, &answered).await {
                        let _cancelled = self.connection.send_notification(CancelNotification::new(self.session.clone()));
                        return Some(Ending::Stopped(ASK_USER_TIMEOUT));
                    }
                }
                Some(text) = stage.says.recv() => self.said.push_back(text),
                Some(one) = heard.recv() => {
                    self.take(stage, one).await;
                    let mut n_taken = 1;
                    while n_taken < HEARD_MAX && let Ok(one) = heard.try_recv() {
                        self.take(stage, one).await;
                        n_taken += 1;
                    }
                    room.add_permits(n_taken);
                    if let Err(error) = stage.writer.flush().await {
                        return Some(error.into());
                    }
                }
                ended = &mut turn, if answer.is_none() => answer = Some(ended),
                // The answer to the prompt may overtake the last updates: those first.
                () = std::future::ready(()), if answer.is_some() => {
                    stage.writer.end_pieces();
                    let ending = self.ended(stage, answer?);
                    return match stage.writer.flush().await {
                        Err(error) => Some(error.into()),
                        Ok(()) => ending,
                    };
                }
            }
        }
    }

    fn ended(&self, stage: &mut Stage, answer: Result<PromptResponse, Error>) -> Option<Ending> {
        let reason = match answer {
            Ok(answer) => answer.stop_reason,
            Err(_) if self.stopping => return Some(Ending::Stopped(BY_USER)),
            Err(error) => {
                let ending = failed(&error);
                if let Ending::Failed(why) = &ending {
                    stage.writer.write(Said::Error(why.clone()));
                }
                return Some(ending);
            }
        };
        let why = match reason {
            StopReason::EndTurn if !self.stopping => {
                stage.writer.write(Said::Complete(String::new()));
                return None;
            }
            StopReason::EndTurn | StopReason::Cancelled => return Some(Ending::Stopped(BY_USER)),
            StopReason::MaxTokens => REASONS.token_limit(),
            StopReason::MaxTurnRequests => REASONS.turn_limit(),
            StopReason::Refusal => REASONS.refused(),
            _ => REASONS.stopped_itself(),
        };
        stage.writer.write(Said::Error(why.to_owned()));
        Some(Ending::Failed(why.to_owned()))
    }

    /// Asks it to stop; every open request is answered as cancelled, as the protocol demands.
    async fn stop(&mut self, stage: &mut Stage) {
        self.stopping = true;
        self.said.clear();
        let _sent = self.connection.send_notification(CancelNotification::new(self.session.clone()));
        for (_, responder) in self.permissions.drain() {
            let _answered =
                responder.respond(RequestPermissionResponse::new(RequestPermissionOutcome::Cancelled));
        }
        for (_, responder) in self.forms.drain() {
            let _answered = responder.respond(CreateElicitationResponse::new(ElicitationAction::Cancel));
        }
        stage.asking.withdraw_all(REASONS.task_stopped()).await;
    }

    async fn take(&mut self, stage: &mut Stage, heard: Heard) {
        match heard {
            Heard::Update(told) if told.session_id == self.session => self.calls.update(stage, told.update),
            // Of a conversation that is not this one.
            Heard::Update(_) => {}
            Heard::Permission(request, responder) => self.permission(stage, &request, responder).await,
            Heard::Form(request, responder) => self.form(stage, &request, responder).await,
        }
    }

    async fn ask(
        &mut self,
        stage: &mut Stage,
        ask: Value,
        dialect: Dialect,
        purpose: Purpose,
        call: Option<String>,
    ) -> Result<String, String> {
        self.n_asked += 1;
        let key = format!("{}-{}", stage.task.n_runs, self.n_asked);
        // The question comes after the words before it.
        stage.writer.end_pieces();
        stage.writer.flush().await.map_err(|error| error.to_string())?;
        stage.asking.ask(Question { key: key.clone(), ask, dialect, purpose, call }).await?;
        Ok(key)
    }

    async fn permission(
        &mut self,
        stage: &mut Stage,
        request: &RequestPermissionRequest,
        responder: Responder<RequestPermissionResponse>,
    ) {
        let fields = &request.tool_call.fields;
        let title = fields.title.as_deref().or(fields.name.as_deref()).unwrap_or("a tool");
        let text = format!("Allow {} to use `{}`?", stage.task.agent, title.replace('`', "'"));
        let shown = messages::shown(fields);
        let ids: Vec<String> = request.options.iter().map(|option| option.option_id.0.to_string()).collect();
        let names = request.options.iter().map(|option| option.name.as_str());
        let choices: Vec<(&str, &str)> = ids.iter().map(String::as_str).zip(names).collect();
        let call = Some(request.tool_call.tool_call_id.0.to_string());
        let ask = permission("Permission", &text, &shown, &choices);
        match self.ask(stage, ask, Dialect::Full, Purpose::Permission, call).await {
            Ok(key) => drop(self.permissions.insert(key, responder)),
            Err(why) => {
                stage.writer.write(Said::Notice(format!("A permission could not be asked for: {why}")));
                let cancelled = RequestPermissionResponse::new(RequestPermissionOutcome::Cancelled);
                let _answered = responder.respond(cancelled);
            }
        }
    }

    async fn form(
        &mut self,
        stage: &mut Stage,
        request: &CreateElicitationRequest,
        responder: Responder<CreateElicitationResponse>,
    ) {
        let asked = serde_json::to_value(request).unwrap_or_default();
        let schema = &asked["requestedSchema"];
        let ask = json!({"message": request.message, "requestedSchema": schema});
        let call = asked["toolCallId"].as_str().map(str::to_owned);
        let key = if schema.is_object() {
            self.ask(stage, ask, Dialect::Elicitation, Purpose::Decision, call).await
        } else {
            Err("only forms can be answered here".to_owned())
        };
        match key {
            Ok(key) => drop(self.forms.insert(key, responder)),
            Err(why) => {
                stage.writer.write(Said::Notice(format!("A form could not be asked for: {why}")));
                let _answered = responder.respond(CreateElicitationResponse::new(ElicitationAction::Cancel));
            }
        }
    }

    /// Hands an outcome to the agent; whether the run ends because nobody answered in time (O4).
    async fn answer(&mut self, stage: &mut Stage, answered: &Answered) -> bool {
        if let Some(responder) = self.permissions.remove(&answered.key) {
            let picked = answered.picked().map(|id| SelectedPermissionOutcome::new(id.to_owned()));
            let outcome =
                picked.map_or(RequestPermissionOutcome::Cancelled, RequestPermissionOutcome::Selected);
            let _answered = responder.respond(RequestPermissionResponse::new(outcome));
        } else if let Some(responder) = self.forms.remove(&answered.key) {
            let _answered = responder.respond(filled(answered));
        } else {
            return false;
        }
        stage.asking.handed_over(answered).await;
        answered.stops()
    }
}

fn filled(answered: &Answered) -> CreateElicitationResponse {
    let said = answered.outcome().map(|outcome| {
        wire::write(Dialect::Elicitation, &answered.ask.questions, &answered.ask.terms, outcome)
    });
    let cancelled = CreateElicitationResponse::new(ElicitationAction::Cancel);
    said.and_then(|said| serde_json::from_value(said).ok()).unwrap_or(cancelled)
}
