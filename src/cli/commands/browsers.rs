//! `askuser browsers`: the browsers in which you are signed in; rename one, sign one out.

use askuser_words::commands::{Access, Titles};

use crate::cli::args::{Form, Insists};
use crate::cli::completion;
use crate::cli::fields::json;
use crate::cli::lookup::{self, Noun};
use askuser_api::browsers::{self as api, Browser, BrowserName, ListBrowsers, NameBrowser, SignBrowserOut};
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::report::Report;
use askuser_client::ids::Thing;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// List, rename or sign out your browsers
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser browsers")]
pub struct Browsers {
    /// Sign a browser out
    #[arg(long, value_name = "BROWSER", conflicts_with = "rename", add = completion::browsers())]
    pub sign_out: Option<String>,
    /// Rename a browser
    #[arg(long, value_names = ["BROWSER", "NAME"], num_args = 2)]
    pub rename: Option<Vec<String>>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// Lists the browsers, or changes one.
pub fn run(args: &Browsers, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    block_on(async {
        let named = args.sign_out.as_ref().or_else(|| args.rename.as_ref().and_then(|words| words.first()));
        let Some(client) = connect::reader(environment, args.insists).await? else {
            return match named {
                Some(typed) => Err(lookup::nothing(Noun::Browser, typed, &[], screen.language)),
                None if args.form.json => done(&json(&api::Browsers::default())),
                None => done(nobody(&screen)),
            };
        };
        let listing = async || client.call::<ListBrowsers>(KeyRole::Person).send().await;
        let meant = async |typed: &str| {
            let there: Vec<Thing> = listing().await?.browsers.into_iter().map(thing).collect();
            let id = lookup::meant_of(Noun::Browser, typed, &there, &Screen::of_stderr(environment))?;
            let called = there.iter().find(|browser| browser.id == id);
            Ok::<_, Report>((called.map_or(id.clone(), |browser| browser.short_id.clone()), id))
        };
        if let Some(typed) = &args.sign_out {
            let (called, id) = &meant(typed).await?;
            let told = client.call::<SignBrowserOut>(KeyRole::Person).at(id).send().await;
            let told = told.map_err(|error| lookup::no_such(error, Noun::Browser, id, screen.language))?;
            return done(&if args.form.json {
                json(&told)
            } else {
                Access(screen.language).signed_out(called)
            });
        }
        if let Some([typed, name]) = args.rename.as_deref() {
            let ((called, id), named) = (&meant(typed).await?, BrowserName { name: name.clone() });
            let told = client.call::<NameBrowser>(KeyRole::Person).at(id).body(&named).send().await;
            let told = told.map_err(|error| lookup::no_such(error, Noun::Browser, id, screen.language))?;
            return done(&if args.form.json {
                json(&told)
            } else {
                Access(screen.language).renamed(called, name)
            });
        }
        let told = listing().await?;
        if args.form.json {
            return done(&json(&told));
        }
        if told.browsers.is_empty() {
            return done(nobody(&screen));
        }
        screen.print(&listed(&told.browsers, &screen))
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
pub fn thing(Browser { browser_id: id, short_id, name: text, .. }: Browser) -> Thing {
    Thing { id, short_id, text, ..Thing::default() }
}

pub(super) fn listed(browsers: &[Browser], screen: &Screen) -> String {
    let said = Access(screen.language);
    let row = |browser: &Browser| {
        vec![
            Cell::new(Role::Id, browser.short_id.clone()),
            Cell::new(Role::Dim, screen.times.clock_of(&browser.signed_in_at)),
            Cell::new(Role::Dim, screen.times.relative_of(&browser.last_seen_at)),
            if browser.may_grant { said.yes() } else { said.no() }.into(),
            browser.name.clone().into(),
        ]
    };
    table(screen, &COLUMNS, browsers.iter().map(row).collect())
}
