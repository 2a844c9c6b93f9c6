//! What serves each route of the contract. The router, the gate and the rate limits are made from this table.

use std::sync::Arc;

use askuser_api::{self as api, Described, Method, Route};
use askuser_words::failed::Failed;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{MethodFilter, on};

use super::failing::{not_found, response};
use super::visit::{Reply, Visit, language, receive, respond, speak};
use super::{
    AppState, access, alerts, asks, audit, browsers, configuration, dialog, events, figures, gate, history,
    hooks, ids, insight, mcp, openapi, operating, own_keys, page, person, push, reach, restoring, rules,
    sessions, signing_in, socket, task, tasks, templates, timings,
};
use askuser_watch::security::Kind;
use askuser_wire::failure::{Code, Failure};

/// One route of the contract, and what serves it.
#[derive(Clone, Copy)]
pub(super) struct Served {
    pub(super) route: Described,
    /// Its session stands in the body: it counts once that is read.
    pub(super) counts_itself: bool,
    pub(super) run: fn(Visit) -> Reply,
}

/// A route whose handler returns what is told, or with `whole` the response as a whole: streams, other forms than
/// JSON, a status or a header that depends, and asks, which are written without being copied.
macro_rules! route {
    ($module:ident::$route:ident => $run:path) => {
        Served {
            route: Described::of::<api::$module::$route>(),
            counts_itself: false,
            run: |visit| Box::pin(async move { Ok(reply::<api::$module::$route>($run(visit).await?)) }),
        }
    };
    ($module:ident::$route:ident => $run:path, whole) => {
        Served {
            route: Described::of::<api::$module::$route>(),
            counts_itself: false,
            run: |visit| Box::pin($run(visit)),
        }
    };
}

fn reply<R: Route>(told_of: R::Reply) -> Response {
    let status = R::STATUSES.first().and_then(|status| StatusCode::from_u16(*status).ok());
    respond(status.unwrap_or_default(), told_of)
}

/// A route whose session stands in its body.
const fn counts_itself(served: Served) -> Served {
    Served { counts_itself: true, ..served }
}

/// What serves each route of the contract.
static SERVED: &[Served] = &[
    counts_itself(route!(asks::AskPeople => asks::ask, whole)),
    route!(asks::OwnAsks => asks::own, whole),
    route!(asks::ShowAsk => asks::show, whole),
    route!(asks::Withdraw => asks::withdraw, whole),
    route!(asks::Acknowledge => asks::acknowledge, whole),
    route!(asks::AnswerInDialog => dialog::answer, whole),
    route!(asks::Inbox => person::inbox, whole),
    route!(asks::History => history::show, whole),
    route!(asks::Ids => ids::show),
    route!(asks::Answer => person::answer, whole),
    route!(asks::Hold => person::hold, whole),
    route!(asks::TakeBack => person::take_back, whole),
    route!(asks::SaveSheet => person::save, whole),
    route!(asks::Decline => person::cancel, whole),
    route!(asks::Reopen => person::reopen, whole),
    route!(asks::AnswerMany => person::answer_many),
    counts_itself(route!(asks::AnswerQuestion => task::answer)),
    counts_itself(route!(asks::DeclineQuestion => task::cancel)),
    route!(sessions::OpenSession => sessions::open, whole),
    route!(sessions::ListSessions => sessions::list),
    route!(sessions::ShowSession => sessions::show, whole),
    route!(sessions::Messages => sessions::messages),
    route!(sessions::Export => sessions::export, whole),
    route!(sessions::ListCheckpoints => restoring::checkpoints),
    route!(sessions::EndSession => sessions::end, whole),
    route!(sessions::Restore => restoring::restore, whole),
    route!(tasks::StartTask => tasks::start),
    route!(tasks::ListTasks => tasks::list),
    route!(tasks::ShowTask => tasks::show),
    route!(tasks::StopTask => tasks::stop),
    route!(tasks::SayToTask => tasks::say),
    route!(tasks::ResumeTask => tasks::resume),
    route!(tasks::WholeMessage => tasks::whole, whole),
    route!(doorways::Events => events::events, whole),
    route!(doorways::OpenSocket => socket::open, whole),
    route!(doorways::McpMessage => mcp::answer, whole),
    route!(doorways::McpEvents => mcp::answer, whole),
    route!(doorways::McpEnd => mcp::answer, whole),
    route!(browsers::MakeLoginLink => signing_in::make_link),
    route!(browsers::ListBrowsers => browsers::list),
    route!(browsers::NameBrowser => browsers::rename),
    route!(browsers::SignBrowserOut => browsers::revoke),
    route!(browsers::SignOut => signing_in::sign_out, whole),
    route!(browsers::PushKey => push::key),
    route!(browsers::Subscribe => push::subscribe),
    route!(browsers::Unsubscribe => push::unsubscribe),
    route!(browsers::NoteTimings => timings::note),
    route!(operating::ShowStatus => operating::status),
    route!(operating::CompareConfig => configuration::show),
    route!(operating::ReloadConfig => configuration::reload),
    route!(operating::Stop => operating::stop),
    route!(access::ListUsers => access::users),
    route!(access::AddUser => access::add_user),
    route!(access::DisableUser => access::disable_user),
    route!(access::ListKeys => access::keys),
    route!(access::MakeKey => access::make_key),
    route!(access::RevokeKey => access::revoke_key),
    route!(access::AddOwnKey => own_keys::add, whole),
    route!(access::RenewOwnKey => own_keys::renew),
    counts_itself(route!(doorways::HookEvent => hooks::receive, whole)),
    route!(templates::ListTemplates => templates::list),
    route!(templates::ShowTemplate => templates::show),
    route!(templates::PutTemplate => templates::put, whole),
    route!(templates::RemoveTemplate => templates::remove),
    route!(rules::ShowInsight => insight::show, whole),
    route!(rules::ListRules => rules::list),
    route!(rules::MakeRule => rules::make),
    route!(rules::RemoveRule => rules::remove),
    route!(audit::VerifyAudit => operating::verify),
    route!(audit::SearchAudit => audit::show, whole),
    route!(audit::ListSecurityEvents => audit::security),
    route!(audit::CountOld => audit::would_purge),
    route!(audit::EraseOld => audit::purge),
    route!(figures::Metrics => figures::metrics, whole),
    route!(figures::Summarize => figures::summary),
    route!(figures::ListAlerts => alerts::show),
    route!(operating::IsAlive => operating::healthy),
    route!(operating::IsReady => operating::ready),
    route!(operating::Reach => reach::show, whole),
    route!(operating::OpenApi => openapi::show, whole),
];

/// Makes the router of the table.
pub(super) fn router(state: &Arc<AppState>) -> Router {
    let mut router = Router::new();
    for served in SERVED {
        let visit =
            move |State(state): State<Arc<AppState>>, request: Request| receive(state, served, request);
        router = router.route(served.route.path, on(filter(served.route.method), visit));
    }
    router = match &state.options.page {
        Some(page) => {
            let through = middleware::from_fn_with_state(Arc::clone(state), page::let_through);
            router.fallback_service(page.clone().layer(through))
        }
        None => router
            .fallback(|request: Request| async move { response(&not_found(), language(request.headers())) }),
    };
    router
        .method_not_allowed_fallback(|request: Request| async move {
            let failure = Failure::new(Code::MethodNotAllowed, Failed::no_such_method);
            response(&failure, language(request.headers()))
        })
        .layer(middleware::from_fn_with_state(Arc::clone(state), around))
        .with_state(Arc::clone(state))
}

fn filter(method: Method) -> MethodFilter {
    match method {
        Method::Get => MethodFilter::GET,
        Method::Post => MethodFilter::POST,
        Method::Put => MethodFilter::PUT,
        Method::Delete => MethodFilter::DELETE,
    }
}

/// What holds for every request, also one that leads nowhere.
async fn around(State(state): State<Arc<AppState>>, mut request: Request, next: Next) -> Response {
    let endpoint = request.extensions().get::<gate::Endpoint>().copied();
    speak(request.headers_mut(), state.options.language);
    let mut answered = match gate::check_host(&state, request.uri(), request.headers(), endpoint) {
        Ok(scope) => {
            request.extensions_mut().insert(scope);
            next.run(request).await
        }
        Err(failure) => {
            state.watch().security(
                Kind::WrongHost,
                &gate::suspect(request.uri(), gate::peer(request.extensions()), None),
            );
            response(&failure, language(request.headers()))
        }
    };
    let headers = answered.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Not `no-referrer`: browsers then send forms with the origin `null`.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_of_the_contract_is_served_once() {
        let name = |route: &Described| (route.method.name(), route.path);
        let mut served: Vec<_> = SERVED.iter().map(|served| name(&served.route)).collect();
        let mut promised: Vec<_> = api::routes().map(name).collect();
        served.sort_unstable();
        promised.sort_unstable();
        assert_eq!(served, promised);
    }
}
