//! `askuser user` and `key`: who may do what.

use askuser_words::commands::{Access, Titles};
use hyper::Method;
use serde_json::{Value, json};

use super::args::{Form, Insists, KeyRole, KeyVerb, UserVerb};
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::output::Screen;
use super::output::paint::Role;
use super::output::table::{Cell, Column, table};
use super::report::Report;
use super::told::{called, field};
use super::which::{self, Looked, Noun};
use askuser_client::ids::Thing;
use askuser_client::keys::KeyFor;
use askuser_client::{Client, Whereabouts, in_path};
use askuser_system::environment::{Environment, known_agent};

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

/// Returns what is listed under a name; nothing where there is no server and never was.
async fn looked_up(key: &str, insists: Insists, environment: &Environment) -> Result<Value, Report> {
    match connect::reader(environment, insists.as_person).await? {
        Some(client) => Ok(client.plain(Method::GET, &format!("/api/{key}"), KeyFor::Admin, None).await?),
        None => Ok(json!({ key: [] })),
    }
}

const USERS: [Column; 3] =
    [Column::new(Titles::user), Column::new(Titles::since).minor(1), Column::new(Titles::disabled)];

const KEYS: [Column; 6] = [
    Column::new(Titles::key),
    Column::new(Titles::role),
    Column::new(Titles::user).cut(8).minor(1),
    Column::new(Titles::since).minor(3),
    Column::new(Titles::revoked).minor(2),
    Column::new(Titles::name).cut(8),
];

pub(super) fn users(told: &Value, screen: &Screen) -> String {
    let row =
        |user: &Value| vec![named(user).into(), since(user, screen), ended(user, "disabled_at", screen)];
    table(screen, &USERS, list(told, "users").iter().map(row).collect())
}

pub(super) fn keys(told: &Value, screen: &Screen) -> String {
    let row = |key: &Value| {
        vec![
            Cell::new(Role::Id, called(key, "key_id")),
            field(key, "role").into(),
            field(key, "user").into(),
            since(key, screen),
            ended(key, "revoked_at", screen),
            field(key, "name").into(),
        ]
    };
    table(screen, &KEYS, list(told, "keys").iter().map(row).collect())
}

fn since(it: &Value, screen: &Screen) -> Cell {
    Cell::new(Role::Dim, screen.times.clock_of(&field(it, "created_at")))
}

fn ended(it: &Value, key: &str, screen: &Screen) -> Cell {
    Cell::new(Role::Bad, screen.times.clock_of(&field(it, key)))
}

/// Prints what was done; for programs, what the server told of it.
fn said(told: &Value, form: Form, words: String) -> Result<Exit, Report> {
    done(&if form.json { told.to_string() } else { words })
}

/// `askuser user …`
pub fn user(verb: &UserVerb, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    let phrase = Access(screen.language);
    block_on(async {
        match verb {
            UserVerb::Add { name, form, insists } => {
                let body = json!({ "name": name });
                let told = admin(Method::POST, "/api/users", Some(body), *insists, environment).await?;
                said(&told, *form, phrase.user_added(name))
            }
            UserVerb::List { form, insists } => {
                let told = looked_up("users", *insists, environment).await?;
                if form.json {
                    return done(&told.to_string());
                }
                if list(&told, "users").is_empty() {
                    return done(phrase.no_users());
                }
                screen.print(&users(&told, &screen))
            }
            UserVerb::Disable { name, form, insists } => {
                let client = connect::person(environment, insists.as_person).await?;
                let there = things(&client, "users", "name").await?;
                if there.iter().all(|user| user.id != *name) {
                    return Err(which::nothing(Noun::User, name, &there, screen.language));
                }
                let path = format!("/api/users/{}/disable", in_path(name));
                let told = client.plain(Method::POST, &path, KeyFor::Admin, None).await;
                let told = told.map_err(|error| Report::no_such(error, Noun::User, name, screen.language))?;
                said(&told, *form, phrase.user_disabled(name))
            }
        }
    })
}

/// `askuser key …`
pub fn key(verb: &KeyVerb, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    let phrase = Access(screen.language);
    block_on(async {
        match verb {
            KeyVerb::Create { role, user, name, form, insists } => {
                let body = json!({"role": role_name(*role), "user": user, "name": name});
                let told = admin(Method::POST, "/api/keys", Some(body), *insists, environment).await?;
                connect::say(phrase.shown_once());
                done(&if form.json { told.to_string() } else { field(&told, "key") })
            }
            KeyVerb::List { form, insists } => {
                let told = looked_up("keys", *insists, environment).await?;
                if form.json {
                    return done(&told.to_string());
                }
                if list(&told, "keys").is_empty() {
                    return done(phrase.no_keys());
                }
                screen.print(&keys(&told, &screen))
            }
            KeyVerb::Renew { agent, form, insists } => {
                let Some(known) = known_agent(agent) else {
                    return Err(
                        Report::input(|said: Access| said.no_own_key(agent)).hint(Access::no_own_key_hint)
                    );
                };
                let client = connect::person(environment, insists.as_person).await?;
                let Whereabouts::Folder(home) = client.whereabouts() else {
                    return Err(Report::input(Access::own_key_elsewhere).hint(Access::own_key_elsewhere_hint));
                };
                let file = client.renew_own_key(home, known).await?;
                let told = json!({"agent": known, "file": file.display().to_string()});
                said(&told, *form, phrase.key_renewed(known, environment.told(&file)))
            }
            KeyVerb::Revoke { key, form, insists } => {
                let client = connect::person(environment, insists.as_person).await?;
                let Some((called, key)) = &meant(&client, key.as_deref(), environment).await? else {
                    return Ok(Exit::Interrupted);
                };
                let path = format!("/api/keys/{}", in_path(key));
                let told = client.plain(Method::DELETE, &path, KeyFor::Admin, None).await;
                let told = told.map_err(|error| Report::no_such(error, Noun::Key, key, screen.language))?;
                said(&told, *form, phrase.key_revoked(called))
            }
        }
    })
}

/// Returns what a key is called by, and its id: the one that was named, else the one that the person picks of those
/// that are not revoked. None where they leave.
async fn meant(
    client: &Client,
    typed: Option<&str>,
    environment: &Environment,
) -> Result<Option<(String, String)>, Report> {
    let there = things(client, "keys", "key_id").await?;
    let id = if let Some(typed) = typed {
        Some(which::meant_of(Noun::Key, typed, &there, &Screen::of_stderr(environment))?)
    } else {
        let held = there.iter().filter(|key| key.open).cloned().collect();
        which::one_of(Noun::Key, held, Looked::All, environment).await?
    };
    let called = |id: &String| there.iter().find(|key| key.id == *id).map(|key| key.short_id.clone());
    Ok(id.map(|id| (called(&id).unwrap_or_else(|| id.clone()), id)))
}

fn list(told: &Value, key: &str) -> Vec<Value> {
    told.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Everything that is listed under a name, as what may be meant.
async fn things(client: &Client, key: &str, id: &str) -> Result<Vec<Thing>, Report> {
    let told = client.plain(Method::GET, &format!("/api/{key}"), KeyFor::Admin, None).await?;
    let thing = |it: &Value| {
        let whose = [field(it, "role"), field(it, "user")];
        let about = whose.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
        let text = field(it, "name");
        let open = field(it, "revoked_at").is_empty() && field(it, "disabled_at").is_empty();
        Thing { id: field(it, id), short_id: called(it, id), text, about, open, at: None }
    };
    Ok(list(&told, key).iter().map(thing).collect())
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
