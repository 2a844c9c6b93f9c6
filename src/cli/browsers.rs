//! `askuser browsers`: the browsers in which you are signed in; rename one, sign one out.

use askuser_words::commands::{Access, Titles};
use hyper::Method;
use serde_json::{Value, json};

use super::args::Browsers;
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::output::Screen;
use super::output::paint::Role;
use super::output::table::{Cell, Column, table};
use super::report::Report;
use super::told::{called, field};
use super::which::{self, Noun};
use askuser_client::ids::Thing;
use askuser_client::in_path;
use askuser_client::keys::KeyFor;
use askuser_system::environment::Environment;

/// Lists the browsers, or changes one.
pub fn run(args: &Browsers, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    block_on(async {
        let named = args.sign_out.as_ref().or_else(|| args.rename.as_ref().and_then(|words| words.first()));
        let Some(client) = connect::reader(environment, args.insists.as_person).await? else {
            return match named {
                Some(typed) => Err(which::nothing(Noun::Browser, typed, &[], screen.language)),
                None if args.form.json => done(&json!({"browsers": []}).to_string()),
                None => done(nobody(&screen)),
            };
        };
        let call = async |method, path: &str, body| client.plain(method, path, KeyFor::Person, body).await;
        let meant = async |typed: &str| {
            let told = call(Method::GET, "/api/browsers", None).await?;
            let there = told.get("browsers").and_then(Value::as_array).into_iter().flatten();
            let there: Vec<Thing> = there.map(thing).collect();
            let id = which::meant_of(Noun::Browser, typed, &there, &Screen::of_stderr(environment))?;
            let called = there.iter().find(|browser| browser.id == id);
            Ok::<_, Report>((called.map_or(id.clone(), |browser| browser.short_id.clone()), id))
        };
        if let Some(typed) = &args.sign_out {
            let (called, id) = &meant(typed).await?;
            let told = call(Method::DELETE, &format!("/api/browsers/{}", in_path(id)), None).await;
            let told = told.map_err(|error| Report::no_such(error, Noun::Browser, id, screen.language))?;
            return done(&if args.form.json {
                told.to_string()
            } else {
                Access(screen.language).signed_out(called)
            });
        }
        if let Some([typed, name]) = args.rename.as_deref() {
            let ((called, id), body) = (&meant(typed).await?, json!({ "name": name }));
            let told = call(Method::PUT, &format!("/api/browsers/{}", in_path(id)), Some(body)).await;
            let told = told.map_err(|error| Report::no_such(error, Noun::Browser, id, screen.language))?;
            return done(&if args.form.json {
                told.to_string()
            } else {
                Access(screen.language).renamed(called, name)
            });
        }
        let told = call(Method::GET, "/api/browsers", None).await?;
        if args.form.json {
            return done(&told.to_string());
        }
        let browsers = told.get("browsers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        if browsers.is_empty() {
            return done(nobody(&screen));
        }
        screen.print(&listed(browsers, &screen))
    })
}

fn nobody(screen: &Screen) -> &'static str {
    Access(screen.language).no_browsers()
}

const COLUMNS: [Column; 5] = [
    Column::new(Titles::browser),
    Column::new(Titles::signed_in).minor(2),
    Column::new(Titles::last_used),
    Column::new(Titles::permissions).minor(1),
    Column::new(Titles::name).cut(10),
];

/// A browser as what may be meant.
pub(super) fn thing(browser: &Value) -> Thing {
    Thing {
        id: field(browser, "browser_id"),
        short_id: called(browser, "browser_id"),
        text: field(browser, "name"),
        ..Thing::default()
    }
}

pub(super) fn listed(browsers: &[Value], screen: &Screen) -> String {
    let said = Access(screen.language);
    let row = |browser: &Value| {
        let may_grant = browser.get("may_grant") == Some(&Value::Bool(true));
        vec![
            Cell::new(Role::Id, called(browser, "browser_id")),
            Cell::new(Role::Dim, screen.times.clock_of(&field(browser, "signed_in_at"))),
            Cell::new(Role::Dim, screen.times.relative_of(&field(browser, "last_seen_at"))),
            if may_grant { said.yes() } else { said.no() }.into(),
            field(browser, "name").into(),
        ]
    };
    table(screen, &COLUMNS, browsers.iter().map(row).collect())
}
