//! A call of one route of the contract.

use std::fmt::Display;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use askuser_api::route::filled;
use askuser_api::{Method, Route, headers};
use askuser_net::url::escaped;
use askuser_wire::failure::Code;
use serde::Serialize;
use serde_json::{Map, Value};

use super::error::ClientError;
use super::request::Call;
use super::{Client, Via};
use askuser_core::command::KeyRole;

/// A call of a route that is being put together.
#[derive(Debug)]
pub struct Calling<'a, R> {
    client: &'a Client,
    call: Result<Call, ClientError>,
    query: String,
    route: PhantomData<R>,
}

impl Client {
    /// Calls a route of the contract, with a key of this role.
    pub fn call<R: Route>(&self, who: KeyRole) -> Calling<'_, R> {
        let call = self.keys.find(who).map(|key| Call {
            method: method(R::METHOD),
            path: R::PATH.to_owned(),
            key: Some(key),
            headers: self.headers(who),
            body: None,
            patience: super::PATIENCE,
        });
        Calling { client: self, call, query: String::new(), route: PhantomData }
    }
}

impl<R: Route> Calling<'_, R> {
    /// Says what it is about: what stands in the next `{…}` of the path.
    #[must_use]
    pub fn at(self, value: impl Display) -> Self {
        self.with(|call| {
            call.path = filled(&call.path, &escaped(&value.to_string()));
        })
    }

    /// Says what stands behind `?`.
    #[must_use]
    pub fn query(mut self, query: &R::Query) -> Self {
        self.query = written(query);
        self
    }

    /// Says what is sent.
    #[must_use]
    pub fn body(self, body: &R::Body) -> Self {
        self.with(|call| call.body = Some(fields(body).into()))
    }

    /// Sends what was written elsewhere, as it is.
    #[must_use]
    pub fn json(self, body: Value) -> Self {
        self.with(|call| call.body = Some(body))
    }

    /// Says through what the person acts.
    #[must_use]
    pub fn through(self, via: Via) -> Self {
        self.header(headers::CHANNEL, Some(via.name().to_owned()))
    }

    /// Says how long the answer may take to begin.
    #[must_use]
    pub fn patience(self, patience: Duration) -> Self {
        self.with(|call| call.patience = patience)
    }

    /// Says that the outcome is acknowledged once it is where it belongs, where this client does that.
    #[must_use]
    pub(super) fn acknowledging(self) -> Self {
        let later = self.client.acknowledges.then(|| "later".to_owned());
        self.header(headers::ACKNOWLEDGED, later)
    }

    #[must_use]
    pub(super) fn header(self, name: &'static str, value: Option<String>) -> Self {
        self.with(|call| call.headers.extend(value.map(|value| (name, value))))
    }

    /// Sends it; returns what is told.
    pub async fn send(self) -> Result<R::Reply, ClientError> {
        let client = self.client;
        let told = self.told().await?;
        serde_json::from_value(told).map_err(|error| ClientError::Garbled {
            url: client.url().unwrap_or_default(),
            what: Arc::new(error),
        })
    }

    /// Sends it; returns what is told as it came, for whoever prints it on.
    pub async fn told(self) -> Result<Value, ClientError> {
        let client = self.client;
        let call = self.ready()?;
        let own = call.key.as_ref().and_then(|key| key.own_file()).map(ToOwned::to_owned);
        // In a place of its own: every verb would carry it along.
        Box::pin(client.target()?.exchange(&client.http, call)).await.map_err(|error| match own {
            // It is not replaced by itself: whoever revoked it meant it.
            Some(path) if error.code() == Some(Code::Unauthorized) => ClientError::OwnKeyRefused { path },
            _ => error,
        })
    }

    /// Returns the request.
    pub(super) fn ready(self) -> Result<Call, ClientError> {
        let mut call = self.call?;
        if !self.query.is_empty() {
            call.path = format!("{}?{}", call.path, self.query);
        }
        Ok(call)
    }

    fn with(mut self, change: impl FnOnce(&mut Call)) -> Self {
        if let Ok(call) = &mut self.call {
            change(call);
        }
        self
    }
}

fn method(method: Method) -> hyper::Method {
    match method {
        Method::Get => hyper::Method::GET,
        Method::Post => hyper::Method::POST,
        Method::Put => hyper::Method::PUT,
        Method::Delete => hyper::Method::DELETE,
    }
}

/// What of a request is there.
fn fields(request: &impl Serialize) -> Map<String, Value> {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(request) else { return Map::new() };
    fields.retain(|_, value| !value.is_null());
    fields
}

fn written(query: &impl Serialize) -> String {
    let pairs = fields(query).into_iter().map(|(name, value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{name}={}", escaped(&text))
    });
    pairs.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use askuser_api::asks::{Meant, Search};

    use super::*;

    #[test]
    fn a_query_is_written_as_it_stands_behind_the_path() {
        let search = Search { q: Some("a b&c".to_owned()), open: Some(true), ..Search::default() };
        assert_eq!(written(&search), "q=a%20b%26c&open=true");
        assert_eq!(written(&Meant::default()), "");
        assert_eq!(written(&()), "");
    }
}
