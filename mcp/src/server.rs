//! The MCP server itself, for both eras of the protocol: what it says of itself, and what it does
//! with a call. The handshake and the list need no desk, so they are answered at once.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use askuser_core::id::AskId;
use axum::http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, ConstString, CustomRequest, CustomResult,
    GetPromptRequestMethod, GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult,
    Implementation, ListPromptsRequestMethod, ListPromptsResult, ListResourceTemplatesRequestMethod,
    ListResourceTemplatesResult, ListResourcesRequestMethod, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestMethod, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, Tool, UpdateTaskParams,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::OnceCell;
use tokio::time::error::Elapsed;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::desk::{DeskHandle, Guest};
use super::hold::{self, Carrier};
use super::identity::{Identity, Surroundings, folder_of};
use super::remote::RemoteDesk;
use super::sealed::Seal;
use super::templates::Templates;
use super::tool_call::{Dialog, ToolCall};
use super::tools::{self, Verb};
use super::trouble::Trouble;
use super::{dialog, tasks, trouble};
use askuser_agents::by_client;
use askuser_system::environment::Environment;

const INSTRUCTIONS: &str = include_str!("instructions.md");
/// How long a client that has roots may take to name them. Without its folder it would be taken for somebody else when
/// it asks again, so a busy machine is waited for.
const ROOTS_WITHIN: Duration = Duration::from_secs(2);

/// How long a session that nobody uses lives unless something else is configured.
const SESSION_IDLE: Duration = Duration::from_hours(4);

/// What was configured for the calls of agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How long a call is held, whatever client it is.
    pub hold: Option<Duration>,
    /// Whether the agent's own dialog is never used, whatever the desk says of it.
    pub no_dialog: bool,
    /// How long the session of an older client lives over HTTP that nobody uses.
    pub session_idle: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { hold: None, no_dialog: false, session_idle: SESSION_IDLE }
    }
}

/// A server for one connection. Cloning it is cheap.
#[derive(Clone)]
pub struct Server {
    /// The desk in another process; none where each request brings the desk along.
    remote: Option<Arc<RemoteDesk>>,
    /// Our own surroundings, where the agent started us.
    environment: Option<Arc<Environment>>,
    settings: Settings,
    seal: Arc<Seal>,
    /// Templates around the agent that started us; behind the door each request brings them along.
    templates: Arc<Templates>,
    root: Arc<OnceCell<Option<PathBuf>>>,
    /// Whether the daemon was looked for.
    looked: Arc<AtomicBool>,
    /// Cancelled when the client has left.
    left: CancellationToken,
}

impl Server {
    /// A server that an agent started on its standard input and output.
    pub fn started_by_agent(
        remote: RemoteDesk,
        environment: Environment,
        settings: Settings,
        templates: Templates,
    ) -> Self {
        let server =
            Self::new(Some(Arc::new(remote)), Some(Arc::new(environment)), settings, Arc::new(Seal::new()));
        Self { templates: Arc::new(templates), ..server }
    }

    /// A server behind the desk's own door: each request brings its guest along.
    pub(super) fn behind_the_door(settings: Settings, seal: Arc<Seal>) -> Self {
        Self::new(None, None, settings, seal)
    }

    fn new(
        remote: Option<Arc<RemoteDesk>>,
        environment: Option<Arc<Environment>>,
        settings: Settings,
        seal: Arc<Seal>,
    ) -> Self {
        let (root, looked, left) = (Arc::default(), Arc::default(), CancellationToken::new());
        Self { remote, environment, settings, seal, templates: Arc::default(), root, looked, left }
    }

    /// Returns the desk in another process, where it is in one.
    pub(super) fn desk_elsewhere(&self) -> Option<Arc<RemoteDesk>> {
        self.remote.clone()
    }

    /// Returns what is to be cancelled when the client has left.
    pub(super) fn left(&self) -> CancellationToken {
        self.left.clone()
    }

    /// Looks for the daemon once the client has what it waits for, so that the first question finds
    /// it there.
    fn look_ahead(&self, context: &RequestContext<RoleServer>) {
        let Some(remote) = self.remote(context) else { return };
        if !self.looked.swap(true, Ordering::Relaxed) {
            tokio::spawn(async move {
                // Where it cannot be had, the first question says so.
                if remote.find().await.is_ok() {
                    let _got = remote.get_own_key().await;
                }
            });
        }
    }

    /// The desk in another process, before which the agent stands that started us: as the client calls itself,
    /// else by the mark in our surroundings.
    fn remote(&self, context: &RequestContext<RoleServer>) -> Option<RemoteDesk> {
        let client = context.client_info();
        let named = client.as_ref().and_then(|client| by_client(&client.name));
        let agent = named.or_else(|| self.environment.as_ref()?.agent());
        Some(self.remote.as_ref()?.by_agent(agent.map(|agent| agent.name)))
    }

    fn desk(&self, context: &RequestContext<RoleServer>) -> Result<DeskHandle, ErrorData> {
        if let Some(remote) = self.remote(context) {
            return Ok(DeskHandle::Remote(Arc::new(remote)));
        }
        let guest = context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Guest>());
        let nobody = || ErrorData::internal_error("nobody knows who this is", None);
        guest.cloned().map(|guest| DeskHandle::Local(Box::new(guest))).ok_or_else(nobody)
    }

    /// Returns everything that is known of a call.
    async fn call<'a>(&'a self, context: &'a RequestContext<RoleServer>) -> Result<ToolCall<'a>, ErrorData> {
        let at = self.desk(context)?;
        let client = context.client_info();
        let program = client.as_ref().map(|client| format!("{} {}", client.name, client.version));
        let capabilities = context.client_capabilities();
        let (carrier, asked_for) = match &at {
            DeskHandle::Local(guest) => (Carrier::Http, guest.hold),
            DeskHandle::Remote(_) => (Carrier::Stdio, None),
        };
        let client = client.as_ref().map(|client| client.name.as_str());
        let hold = hold::hold(hold::CallLimits {
            client,
            carrier,
            progress: context.meta.get_progress_token().is_some(),
            configured: asked_for.or(self.settings.hold),
        });
        let around =
            Surroundings { client, root: self.root(context).await, environment: self.environment.as_deref() };
        let dialog = match is_modern(context) {
            _ if self.settings.no_dialog || !dialog::shows_forms(capabilities.as_ref()) => Dialog::Off,
            true => Dialog::Between,
            false => Dialog::Beside,
        };
        // Older clients may declare tasks too, but theirs are of another kind.
        let tasks = is_modern(context) && capabilities.is_some_and(|can| can.supports_tasks());
        let who = Identity::of(&context.meta, around);
        let (seal, templates, left) = (&*self.seal, &self.templates, &self.left);
        Ok(ToolCall { at, who, hold, dialog, program, tasks, seal, templates, left, context })
    }

    /// The first root of the client, asked for until it answers; older clients alone can be asked.
    async fn root(&self, context: &RequestContext<RoleServer>) -> Option<PathBuf> {
        let has_roots = context.client_capabilities().is_some_and(|can| can.roots.is_some());
        if is_modern(context) || !has_roots {
            return None;
        }
        self.root.get_or_try_init(|| first_root(context)).await.ok().cloned().flatten()
    }
}

#[expect(deprecated, reason = "the newer protocol has no roots; the older clients still do")]
async fn first_root(context: &RequestContext<RoleServer>) -> Result<Option<PathBuf>, Elapsed> {
    let listed = timeout(ROOTS_WITHIN, context.peer.list_roots()).await?;
    Ok(listed.ok().and_then(|listed| listed.roots.iter().find_map(|root| folder_of(&root.uri))))
}

fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// Reads the id of a task, which is that of its ask.
fn task_id(id: &str) -> Result<AskId, ErrorData> {
    id.parse().map_err(|_| no_such_task(id))
}

fn no_such_task(id: &str) -> ErrorData {
    ErrorData::invalid_params(format!("there is no task `{id}`"), None)
}

fn of_task(id: &str, trouble: Trouble) -> ErrorData {
    if trouble.is_not_found() { no_such_task(id) } else { ErrorData::internal_error(trouble.text, None) }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tasks().build();
        let own = Implementation::new("askuser", env!("CARGO_PKG_VERSION")).with_title("askuser");
        ServerConfig::new(capabilities).with_server_info(own).with_instructions(INSTRUCTIONS.trim_end())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.look_ahead(&context);
        let client = context.client_info();
        Ok(ListToolsResult::with_all_items(tools::all(client.as_ref().map(|client| client.name.as_str()))))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all(None).into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(verb) = Verb::of(&request.name) else {
            let named = request.name.chars().take(64).collect::<String>();
            return Err(ErrorData::invalid_params(format!("there is no tool `{named}`"), None));
        };
        let call = self.call(&context).await?;
        Ok(call.at.timed(Box::pin(call.run(verb, request))).await)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        // The SDK would answer with an empty list, as if there could be any.
        Err(trouble::not_offered(ListPromptsRequestMethod::VALUE))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(trouble::not_offered(ListResourcesRequestMethod::VALUE))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(trouble::not_offered(ListResourceTemplatesRequestMethod::VALUE))
    }

    async fn get_prompt(
        &self,
        _: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Err(trouble::not_offered(GetPromptRequestMethod::VALUE))
    }

    async fn read_resource(
        &self,
        _: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Err(trouble::not_offered(ReadResourceRequestMethod::VALUE))
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(trouble::not_offered(&request.method))
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let id = task_id(&request.task_id)?;
        let at = self.desk(&context)?;
        let snapshot = at.timed(at.look(id)).await;
        let snapshot = snapshot.map_err(|trouble| of_task(&request.task_id, trouble))?;
        at.hand_over(&context.id, &snapshot);
        Ok(GetTaskResult::new(tasks::detailed(&snapshot)))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // Our tasks require no input of their client: whatever it sends is taken note of, and no more.
        let id = task_id(&request.task_id)?;
        let at = self.desk(&context)?;
        let snapshot = at.timed(at.look(id)).await;
        snapshot.map(drop).map_err(|trouble| of_task(&request.task_id, trouble))
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let at = self.desk(&context)?;
        let id = task_id(&request.task_id)?;
        let cancelling =
            async { if at.look(id).await?.outcome.is_some() { Ok(()) } else { at.withdraw(id).await } };
        at.timed(cancelling).await.map_err(|trouble| of_task(&request.task_id, trouble))
    }
}
