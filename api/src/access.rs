//! Users and keys.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::route::{Done, routes};

routes! {
    ListUsers(Admin, Reads) Get "/api/users" => Users: "Every user";
    AddUser(Admin, Writes) Post "/api/users" body NewUser; status &[201]; => User: "Adds a user";
    DisableUser(Admin, Writes) Post "/api/users/{name}/disable" => Done:
        "Disables a user with all their keys and sessions";
    ListKeys(Admin, Reads) Get "/api/keys" => Keys: "All keys, without their secrets";
    MakeKey(Admin, Writes) Post "/api/keys" body NewKey; status &[201]; => MadeKey: "Creates a key; it is shown once";
    RevokeKey(Admin, Writes) Delete "/api/keys/{key_id}" => Done: "Revokes a key";
    AddOwnKey(Agent, Reads) Post "/api/keys/own" body OwnKey; status &[200, 201]; => MadeOwnKey:
        "Registers an agent's own key, once; only its digest is sent";
    RenewOwnKey(Admin, Writes) Put "/api/keys/own" body OwnKeyOf; status &[201]; => MadeOwnKey:
        "Replaces an agent's own key and revokes the old one";
}

/// What a key opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Role {
    /// Asks.
    Agent,
    /// Answers.
    Person,
    /// Looks after the server.
    Admin,
}

impl Role {
    /// Its word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Person => "person",
            Self::Admin => "admin",
        }
    }
}

/// Users.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Users {
    /// The users.
    pub users: Vec<User>,
}

/// A user.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct User {
    /// The name.
    pub name: String,
    /// Since when.
    pub created_at: String,
    /// Since when they are not let in any more.
    pub disabled_at: Option<String>,
}

/// A user to add.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct NewUser {
    /// The name.
    pub name: String,
}

/// Keys.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Keys {
    /// The keys.
    pub keys: Vec<Key>,
}

/// A key, without the key.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Key {
    /// Its id.
    pub key_id: String,
    /// The shortest end of it that stands for it.
    pub short_id: String,
    /// What it opens.
    pub role: Role,
    /// Whose it is.
    pub user: String,
    /// What it is called.
    pub name: String,
    /// Since when.
    pub created_at: String,
    /// Since when it opens nothing.
    pub revoked_at: Option<String>,
}

/// A key to make.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct NewKey {
    /// What it opens.
    pub role: Role,
    /// Whose it is; the caller's own where nobody is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A key that was made.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct MadeKey {
    /// The key, this once.
    pub key: String,
    /// Its id.
    pub key_id: Option<String>,
    /// What it opens.
    pub role: Role,
    /// Whose it is.
    pub user: String,
    /// What it is called.
    pub name: String,
}

/// A key that an agent made for itself.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct OwnKey {
    /// The agent.
    pub agent: String,
    /// The SHA-256 of the key, in hexadecimal digits.
    pub digest: String,
}

/// Another key for an agent.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct OwnKeyOf {
    /// The agent.
    pub agent: String,
    /// The SHA-256 of the key, in hexadecimal digits.
    pub digest: String,
    /// Whose agent it is; the caller's own where nobody is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
}

/// An agent is let in by a key of its own.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct MadeOwnKey {
    /// Always.
    pub success: bool,
    /// The key's id.
    pub key_id: String,
    /// The agent.
    pub agent: String,
}
