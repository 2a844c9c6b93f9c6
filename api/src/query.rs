//! What stands behind `?`: a struct for each route, read once, field by field; the first that does not fit is named.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use askuser_core::problem::{Fault, Problem};
use askuser_words::fault::{Wrong, unfit};
use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{self, IntoDeserializer};

use crate::asks::{DialectName, IdKind};
use crate::audit::Form;
use crate::doorways::{EventNumber, Protocol, Pushed};
use crate::rules::MinutesEast;
use crate::sessions::Written;

/// Finds a value by its name; none where it is not there or empty.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<&'a str>;

/// What may stand behind `?` of a route.
pub trait Query: Sized {
    /// Reads it.
    fn read(given: Lookup<'_>) -> Result<Self, Problem>;
}

impl Query for () {
    fn read(_: Lookup<'_>) -> Result<Self, Problem> {
        Ok(())
    }
}

/// Declares what may stand behind `?`.
macro_rules! query {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$of:meta])* pub $field:ident: $type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, serde::Serialize, schemars::JsonSchema)]
        pub struct $name { $($(#[$of])* pub $field: $type,)* }

        impl $crate::query::Query for $name {
            fn read(given: $crate::query::Lookup<'_>) -> Result<Self, askuser_core::problem::Problem> {
                Ok(Self { $($field: $crate::query::field(given, stringify!($field))?,)* })
            }
        }
    )*};
}
pub(crate) use query;

pub(crate) fn field<T: Value>(given: Lookup<'_>, name: &str) -> Result<T, Problem> {
    given(name).map_or_else(T::missing, T::read).map_err(|fault| Problem::new(name, fault))
}

/// One value of it.
pub(crate) trait Value: Sized {
    /// Reads its text.
    fn read(text: &str) -> Result<Self, Fault>;

    /// What it is where nothing was said.
    fn missing() -> Result<Self, Fault> {
        Err(Fault::Missing)
    }
}

impl<T: Value> Value for Option<T> {
    fn read(text: &str) -> Result<Self, Fault> {
        T::read(text).map(Some)
    }

    fn missing() -> Result<Self, Fault> {
        Ok(None)
    }
}

/// Values that are read in an expression, which says what is wrong with them.
macro_rules! values {
    ($($type:ty: |$text:ident| $read:expr;)*) => {$(
        impl Value for $type {
            fn read($text: &str) -> Result<Self, Fault> {
                $read
            }
        }
    )*};
}

values! {
    String: |text| Ok(text.to_owned());
    DialectName: |text| Ok(Self(text.to_owned()));
    bool: |text| Ok(text == "true");
    u64: |text| text.parse().map_err(|_| unfit(Wrong::not_a_number));
    usize: |text| text.parse().map_err(|_| unfit(Wrong::not_a_number));
    Seconds: |text| text.parse().ok().and_then(Self::new).ok_or_else(|| unfit(Wrong::not_seconds));
    EventNumber: |text| Self::parse(text);
    MinutesEast: |text| text.parse().ok().and_then(Self::new).ok_or_else(|| unfit(Wrong::not_minutes));
    IdKind: |text| word(text);
    Written: |text| word(text);
    Form: |text| word(text);
    Pushed: |text| word(text);
    Protocol: |text| word(text);
}

/// A length of time.
#[derive(Debug, Clone, Copy, serde::Serialize)]
#[serde(into = "f64")]
pub struct Seconds(pub Duration);

impl Seconds {
    fn new(seconds: f64) -> Option<Self> {
        Duration::try_from_secs_f64(seconds).ok().map(Self)
    }
}

impl From<Seconds> for f64 {
    fn from(seconds: Seconds) -> Self {
        seconds.0.as_secs_f64()
    }
}

/// Reads one of the words that an enum is written as.
fn word<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Fault> {
    let text: StrDeserializer<'a, Unknown> = text.into_deserializer();
    T::deserialize(text).map_err(|Unknown { expected, received }| Fault::NotOneOf { expected, received })
}

/// A word that is none of those that an enum is written as.
#[derive(Debug)]
struct Unknown {
    expected: Vec<String>,
    received: String,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.received)
    }
}

impl Error for Unknown {}

impl de::Error for Unknown {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { expected: Vec::new(), received: message.to_string() }
    }

    fn unknown_variant(received: &str, expected: &'static [&'static str]) -> Self {
        let expected = expected.iter().map(|word| (*word).to_owned()).collect();
        Self { expected, received: received.to_owned() }
    }
}
