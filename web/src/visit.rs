//! One request to the page: who comes, what they like, what they sent.

use std::sync::Arc;

use askuser_core::command::Actor;
use askuser_core::id::{AskId, UserId};
use askuser_words::Language;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Uri, header};
use axum::response::Response;

use super::failing::{Mishap, too_large, wrong_body};
use super::form::Form;
use super::look::Look;
use super::upload::{NotTaken, take};
use super::{AgentHere, Site, sign_in};
use askuser_api::cookie::{CookieScope, is_https};
use askuser_api::headers::{BODY_BYTES_MAX, BODY_TIME_MAX};
use askuser_desk::{Caller, Desk, SignedIn};
use askuser_words::page::Page;

/// One request.
pub(super) struct Visit {
    pub(super) site: Arc<Site>,
    /// Who comes; none where nobody is signed in.
    pub(super) caller: Option<Caller>,
    pub(super) look: Look,
    pub(super) language: Language,
    pub(super) headers: HeaderMap,
    pub(super) uri: Uri,
    pub(super) form: Form,
    /// Which cookie is set and taken under the name that the request came by.
    pub(super) scope: CookieScope,
    /// Browsers that signed in, of which the person was not told here yet.
    pub(super) news: Vec<SignedIn>,
    params: Vec<String>,
}

impl FromRequest<Arc<Site>> for Visit {
    type Rejection = Response;

    async fn from_request(request: Request, site: &Arc<Site>) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let mut visit = Self::without_body(parts, site).await;
        match take(body, BODY_BYTES_MAX, BODY_TIME_MAX).await {
            Ok(bytes) => visit.form = Form::read(&bytes),
            Err(NotTaken::TooLarge) => return Err(too_large(&visit)),
            Err(NotTaken::Lost | NotTaken::Malformed) => return Err(wrong_body(&visit)),
        }
        Ok(visit)
    }
}

impl Visit {
    /// Returns a request whose body is somebody else's to read.
    pub(super) async fn without_body(mut parts: Parts, site: &Arc<Site>) -> Self {
        let params = RawPathParams::from_request_parts(&mut parts, &()).await;
        let params = params.map(|params| params.iter().map(|(_, value)| value.to_owned()).collect());
        let mut visit = Self {
            site: Arc::clone(site),
            caller: parts.extensions.get::<Caller>().cloned(),
            look: Look::of(&parts.headers),
            language: Language::default(),
            headers: parts.headers,
            uri: parts.uri,
            form: Form::default(),
            scope: parts.extensions.get().copied().unwrap_or_default(),
            news: Vec::new(),
            params: params.unwrap_or_default(),
        };
        visit.language = visit.look.language.unwrap_or_else(|| visit.asked_for());
        if let Some(caller) = visit.caller.as_ref().filter(|_| visit.is_whole_page(&parts.method)) {
            // The page is shown all the same where the store cannot say.
            visit.news = visit.desk().access().new_browsers(caller).await.unwrap_or_default();
        }
        visit
    }

    fn is_whole_page(&self, method: &Method) -> bool {
        let is_html = self.header(header::ACCEPT).is_some_and(|accept| accept.contains("text/html"));
        method == Method::GET && is_html && self.query("part").is_none()
    }

    pub(super) fn desk(&self) -> &Desk {
        &self.site.desk
    }

    pub(super) fn words(&self) -> Page {
        Page(self.language)
    }

    /// Returns the coding agents of this machine, where it is this person's.
    pub(super) async fn agents_here(&self, person: &UserId) -> Vec<AgentHere> {
        let Some(agents) = self.site.agents.clone().filter(|agents| agents.person == *person) else {
            return Vec::new();
        };
        let language = self.language;
        // Their settings are read from the disk.
        tokio::task::spawn_blocking(move || (agents.look)(language)).await.unwrap_or_default()
    }

    /// Returns whoever is signed in as the person that they are.
    pub(super) fn person(&self) -> Result<Actor, Mishap> {
        let person = self.caller.as_ref().and_then(Caller::person);
        person.ok_or_else(|| Mishap::Answered(Box::new(sign_in::asked_for(self))))
    }

    /// Returns what stands in the path in place of the first `{…}`, the second, …
    pub(super) fn param(&self, place: usize) -> &str {
        self.params.get(place).map(String::as_str).unwrap_or_default()
    }

    /// Returns the ask that the path names.
    pub(super) fn ask_id(&self) -> Result<AskId, Mishap> {
        self.param(0).parse().map_err(|_| Mishap::NotFound)
    }

    /// Whether only this part of the page is wanted.
    pub(super) fn wants_part(&self, part: &str) -> bool {
        self.query("part").is_some_and(|wanted| wanted == part)
    }

    /// Returns a value of the query.
    pub(super) fn query(&self, name: &str) -> Option<String> {
        let mut pairs = form_urlencoded::parse(self.uri.query().unwrap_or_default().as_bytes());
        pairs.find_map(|(known, value)| (known == name).then(|| value.into_owned()))
    }

    /// Whether the script asks, and wants to be told in JSON.
    pub(super) fn is_script(&self) -> bool {
        self.header(header::ACCEPT).is_some_and(|accept| accept.contains("application/json"))
    }

    /// What a cookie says more where the page is seen over TLS, ours or a proxy's. A form says by its origin
    /// which it is, and the door has checked that.
    pub(super) fn secure(&self) -> &'static str {
        if is_https(&self.headers) { "; Secure" } else { "" }
    }

    /// Returns a header that is text.
    pub(super) fn header(&self, name: header::HeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The name that others on the same ask see.
    pub(super) fn shown_name(&self) -> String {
        let user = self.caller.as_ref().map(|caller| caller.user.to_string()).unwrap_or_default();
        if self.look.name.is_empty() { user } else { self.look.name.clone() }
    }

    fn asked_for(&self) -> Language {
        self.header(header::ACCEPT_LANGUAGE).and_then(Language::accepted).unwrap_or_default()
    }
}
