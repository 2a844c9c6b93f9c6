//! `askuser user` and `key`: who may do what.

use hyper::Method;
use serde_json::{Value, json};

use super::args::{Insists, KeyRole, KeyVerb, UserVerb};
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::report::Report;
use super::table::{field, table};
use crate::client::keys::KeyFor;
use crate::client::{Whereabouts, in_path};
use crate::environment::{Environment, known_agent};

/// Calls an admin's route.
async fn admin(
    method: Method,
    path: &str,
    body: Option<Value>,
    insists: Insists,
    environment: &Environment,
) -> Result<Value, Report> {
    let client = connect::person(environment, insists.as_person).await?;
    Ok(client.plain(method, path, KeyFor::Admin, body).await?)
}

/// `askuser user …`
pub fn user(verb: &UserVerb, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        match verb {
            UserVerb::Add { name, insists } => {
                let body = json!({ "name": name });
                admin(Method::POST, "/api/users", Some(body), *insists, environment).await?;
                done(&format!("added {name}; `askuser key create --role person --user {name}` lets them in"))
            }
            UserVerb::List { form, insists } => {
                let told = admin(Method::GET, "/api/users", None, *insists, environment).await?;
                if form.json {
                    return done(&told.to_string());
                }
                let rows: Vec<Vec<String>> = list(&told, "users")
                    .iter()
                    .map(|user| vec![named(user), field(user, "created_at"), field(user, "disabled_at")])
                    .collect();
                done(&table(&["USER", "SINCE", "DISABLED"], &rows))
            }
            UserVerb::Disable { name, insists } => {
                let path = format!("/api/users/{}/disable", in_path(name));
                admin(Method::POST, &path, None, *insists, environment).await?;
                done(&format!("disabled {name}"))
            }
        }
    })
}

/// `askuser key …`
pub fn key(verb: &KeyVerb, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        match verb {
            KeyVerb::Create { role, user, name, form, insists } => {
                let body = json!({"role": role_name(*role), "user": user, "name": name});
                let told = admin(Method::POST, "/api/keys", Some(body), *insists, environment).await?;
                connect::say("shown once and never again:");
                done(&if form.json { told.to_string() } else { field(&told, "key") })
            }
            KeyVerb::List { form, insists } => {
                let told = admin(Method::GET, "/api/keys", None, *insists, environment).await?;
                if form.json {
                    return done(&told.to_string());
                }
                let columns = ["key_id", "role", "user", "created_at", "revoked_at", "name"];
                let rows: Vec<Vec<String>> = list(&told, "keys")
                    .iter()
                    .map(|key| columns.iter().map(|column| field(key, column)).collect())
                    .collect();
                done(&table(&["KEY", "ROLE", "USER", "SINCE", "REVOKED", "NAME"], &rows))
            }
            KeyVerb::Renew { agent, insists } => {
                let Some(known) = known_agent(agent) else {
                    let what = format!("no agent `{agent}` has a key of its own");
                    return Err(Report::wrong_input(what, Some("`askuser key list` names those that do")));
                };
                let client = connect::person(environment, insists.as_person).await?;
                let Whereabouts::Folder(home) = client.whereabouts() else {
                    let what = "an agent has a key of its own on the machine of the askuser server only";
                    return Err(Report::wrong_input(what, Some("run this there, without ASKUSER_URL")));
                };
                let file = client.renew_own_key(home, known).await?;
                done(&format!("{known} has a new key: {}", environment.told(&file)))
            }
            KeyVerb::Revoke { key, insists } => {
                let path = format!("/api/keys/{}", in_path(key));
                admin(Method::DELETE, &path, None, *insists, environment).await?;
                done(&format!("revoked {key}"))
            }
        }
    })
}

fn list(told: &Value, key: &str) -> Vec<Value> {
    told.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
}

fn named(user: &Value) -> String {
    let name = field(user, "name");
    if name.is_empty() { field(user, "user") } else { name }
}

fn role_name(role: KeyRole) -> &'static str {
    match role {
        KeyRole::Agent => "agent",
        KeyRole::Person => "person",
        KeyRole::Admin => "admin",
    }
}
