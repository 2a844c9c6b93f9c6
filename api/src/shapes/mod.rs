//! What is read and written elsewhere (`wire`, with nothing copied on the way), and how it looks.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub mod ask;
pub mod failure;
pub mod outcome;
pub mod question;
pub mod session;

/// JSON that looks like this, kept as it came.
macro_rules! shaped {
    ($(#[$doc:meta])* $name:ident looks like $looks:ty) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Value);

        impl JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                <$looks>::json_schema(generator)
            }
        }
    };
}

shaped!(
    /// An ask.
    Ask looks like ask::Ask
);
shaped!(
    /// A session (002 3.1.2, 003 2.7.1).
    Session looks like session::Session
);
shaped!(
    /// What is answered to what cannot be done.
    Failure looks like failure::Failure
);
shaped!(
    /// What became of one of several asks.
    Answered looks like failure::Answered
);
shaped!(
    /// An entry of the log (002 10.2).
    AuditEntry looks like crate::audit::AuditEntryFields
);

/// An object that is described elsewhere: an ask in any dialect, an agent's own event, a message.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Open(pub Value);

impl JsonSchema for Open {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Open".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Map::<String, Value>::json_schema(generator)
    }
}

/// A text, or a stream of them.
pub type Text = String;

/// Any JSON by name.
pub type Fields = Map<String, Value>;
