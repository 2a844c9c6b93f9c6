//! What a route is.

use std::any::TypeId;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::query::Query;

/// The method of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Does something.
    Post,
    /// Puts something in its place.
    Put,
    /// Removes something.
    Delete,
}

impl Method {
    /// As it stands in a request.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Whoever finds it.
    Anyone,
    /// Whoever has a key or the page's cookie.
    AnyKey,
    /// An agent.
    Agent,
    /// A person, by key or cookie.
    Person,
    /// Either of the two.
    AgentOrPerson,
    /// A person, or whoever looks after the server.
    PersonOrAdmin,
    /// Whoever looks after the server.
    Admin,
}

impl Who {
    /// As `docs/http.md` and `/openapi.json` say it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Anyone => "anyone",
            Self::AnyKey => "any key",
            Self::Agent => "agent",
            Self::Person => "person",
            Self::AgentOrPerson => "agent, person",
            Self::PersonOrAdmin => "person, admin",
            Self::Admin => "admin",
        }
    }
}

/// What a request counts as, where requests are limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bucket {
    /// Nothing: anybody may call it, and it costs nothing.
    Free,
    /// Changes nothing, or saves a sheet.
    Reads,
    /// Changes something.
    Writes,
    /// A person's answer, so that a runaway agent cannot lock its person out.
    Answers,
}

impl Bucket {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Free, Self::Reads, Self::Writes, Self::Answers];
}

/// What a request is about, and so in which session it is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// The ask that its path names.
    Ask,
    /// The session that its path names.
    Session,
    /// Something else.
    Other,
}

/// A header that a route reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Its name.
    pub name: &'static str,
    /// What may stand in it; anything where nothing is named.
    pub one_of: &'static [&'static str],
    /// Whether it is a number.
    pub is_number: bool,
    /// Characters at most; 0 is no limit of its own.
    pub chars_max: usize,
}

impl Header {
    /// A header with a text in it.
    pub const fn text(name: &'static str) -> Self {
        Self { name, one_of: &[], is_number: false, chars_max: 0 }
    }
}

/// A route of the contract.
pub trait Route: 'static {
    /// Its name in generated clients.
    const NAME: &'static str;
    /// How it is called.
    const METHOD: Method;
    /// The path, with `{…}` for what changes.
    const PATH: &'static str;
    /// Who may use it.
    const WHO: Who;
    /// What it counts as.
    const BUCKET: Bucket;
    /// What it does, in a line.
    const SUMMARY: &'static str;
    /// The statuses of what was done.
    const STATUSES: &'static [u16];
    /// What it may be answered as.
    const CONTENTS: &'static [&'static str];
    /// The headers that it reads.
    const HEADERS: &'static [Header];
    /// What may stand behind `?`.
    type Query: JsonSchema + Serialize + Query;
    /// What is sent.
    type Body: JsonSchema + Serialize;
    /// What is told as JSON.
    type Reply: JsonSchema + Serialize + DeserializeOwned;

    /// Returns its path about something: with that in place of the first `{…}`.
    fn path_of(value: impl fmt::Display) -> String {
        filled(Self::PATH, &value.to_string())
    }
}

/// Most routes are below it, and nothing of the page is.
pub const PREFIX: &str = "/api/";

/// Puts a value in place of the first `{…}` of a path.
pub fn filled(path: &str, value: &str) -> String {
    match path.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?.1))) {
        Some((before, after)) => format!("{before}{value}{after}"),
        None => path.to_owned(),
    }
}

/// JSON is what most routes are answered as.
pub const JSON: &str = "application/json";

/// Makes the schema of a type; none of `()`.
pub type Shape = fn(&mut SchemaGenerator) -> Option<Schema>;

fn shape<T: JsonSchema + 'static>(generator: &mut SchemaGenerator) -> Option<Schema> {
    (TypeId::of::<T>() != TypeId::of::<()>()).then(|| generator.subschema_for::<T>())
}

fn inlined<T: JsonSchema + 'static>(generator: &mut SchemaGenerator) -> Option<Schema> {
    (TypeId::of::<T>() != TypeId::of::<()>()).then(|| T::json_schema(generator))
}

/// A route, described.
#[derive(Debug, Clone, Copy)]
pub struct Described {
    /// Its name in generated clients.
    pub name: &'static str,
    /// How it is called.
    pub method: Method,
    /// The path, with `{…}` for what changes.
    pub path: &'static str,
    /// Who may use it.
    pub who: Who,
    /// What it counts as.
    pub bucket: Bucket,
    /// What it does, in a line.
    pub summary: &'static str,
    /// The statuses of what was done.
    pub statuses: &'static [u16],
    /// What it may be answered as.
    pub contents: &'static [&'static str],
    /// The headers that it reads.
    pub headers: &'static [Header],
    /// What may stand behind `?`.
    pub query: Shape,
    /// What is sent.
    pub body: Shape,
    /// What is told as JSON.
    pub reply: Shape,
}

impl Described {
    /// Describes a route.
    pub const fn of<R: Route>() -> Self
    where
        R::Query: 'static,
        R::Body: 'static,
        R::Reply: 'static,
    {
        Self {
            name: R::NAME,
            method: R::METHOD,
            path: R::PATH,
            who: R::WHO,
            bucket: R::BUCKET,
            summary: R::SUMMARY,
            statuses: R::STATUSES,
            contents: R::CONTENTS,
            headers: R::HEADERS,
            query: inlined::<R::Query>,
            body: shape::<R::Body>,
            reply: shape::<R::Reply>,
        }
    }
}

impl Described {
    /// Says what a request is about, by what its path names.
    pub fn about(&self) -> About {
        match self.path.split(['{', '}']).nth(1) {
            Some("ask_id") => About::Ask,
            Some("session_id") => About::Session,
            _ => About::Other,
        }
    }
}

/// Declares routes: a type for each, and the list of them.
///
/// `Name(who, bucket) METHOD "path" [query Type] [body Type] [status […]] [as […]] [headers […]] -> Reply: "summary";`
macro_rules! routes {
    (@or [$given:ty] $otherwise:ty) => { $given };
    (@or [] $otherwise:ty) => { $otherwise };
    (@value [$given:expr] $otherwise:expr) => { $given };
    (@value [] $otherwise:expr) => { $otherwise };
    ($(
        $name:ident($who:ident, $bucket:ident) $method:ident $path:literal
        $(query $query:ty;)? $(body $body:ty;)? $(status $statuses:expr;)? $(as $contents:expr;)?
        $(headers $headers:expr;)? => $reply:ty: $summary:literal;
    )*) => {
        $(
            #[doc = $summary]
            #[derive(Debug, Clone, Copy)]
            pub struct $name;

            impl $crate::route::Route for $name {
                const NAME: &'static str = stringify!($name);
                const METHOD: $crate::route::Method = $crate::route::Method::$method;
                const PATH: &'static str = $path;
                const WHO: $crate::route::Who = $crate::route::Who::$who;
                const BUCKET: $crate::route::Bucket = $crate::route::Bucket::$bucket;
                const SUMMARY: &'static str = $summary;
                const STATUSES: &'static [u16] = routes!(@value [$($statuses)?] &[200]);
                const CONTENTS: &'static [&'static str] = routes!(@value [$($contents)?] &[$crate::route::JSON]);
                const HEADERS: &'static [$crate::route::Header] = routes!(@value [$($headers)?] &[]);
                type Query = routes!(@or [$($query)?] ());
                type Body = routes!(@or [$($body)?] ());
                type Reply = $reply;
            }
        )*

        /// The routes here.
        pub const ROUTES: &[$crate::route::Described] = &[$($crate::route::Described::of::<$name>()),*];
    };
}
pub(crate) use routes;

/// It was done, and there is nothing to tell of it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub struct Done {
    /// Always.
    pub success: bool,
}

impl Done {
    /// Says so.
    pub const YES: Self = Self { success: true };
}
