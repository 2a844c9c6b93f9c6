//! `askuser rules`: always the same answer to the same question, until a time; made from an answer that
//! the person gave.

use askuser_core::text::shown;
use askuser_words::commands::{Access, Titles};
use serde_json::{Value, json};

use crate::cli::args::{Form, Insists};
use crate::cli::completion;
use crate::cli::fields::{called, field};
use crate::cli::lookup::{self, Noun};
use askuser_api::asks::Listing;
use askuser_api::rules::{ListRules, MakeRule, NewRule, RemoveRule};
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::report::Report;
use askuser_config::duration;
use askuser_core::command::KeyRole;
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_wire::time;

/// Manage auto-answer rules: add, list, remove
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser rules add YNQD --for 30d")]
pub struct RulesArgs {
    /// What to do
    #[command(subcommand)]
    pub what: RuleVerb,
}

/// What to do about rules.
#[derive(Debug, clap::Subcommand)]
pub enum RuleVerb {
    /// Give the same answer to the same question from the same agent and project
    #[command(after_help = "askuser rules add YNQD --for 30d")]
    Add {
        /// The answered question's id, or four characters of it [default: the only one, or pick from a list]
        #[arg(value_name = "QUESTION", add = completion::questions())]
        ask: Option<String>,
        /// How long the rule lasts, e.g. 8h or 30d; at most a year
        #[arg(long = "for", value_name = "TIME", default_value = "30d")]
        length: String,
        #[command(flatten)]
        form: Form,
    },
    /// List your rules, newest first
    #[command(after_help = "askuser rules list")]
    List {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Remove a rule and be asked again
    #[command(after_help = "askuser rules remove YNQD")]
    Remove {
        /// The rule's id, or four characters of it [default: pick from a list]
        #[arg(add = completion::rules())]
        rule: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}

/// `askuser rules …`
pub fn run(args: &RulesArgs, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    match &args.what {
        RuleVerb::Add { ask, length, form } => {
            let until = time::write(clock::now().after(duration::parse(length)?));
            block_on(async {
                // Whoever insists may answer, and may not have answers given from then on (invariant 6).
                let client = connect::person(environment, Insists::NO).await?;
                let Some(ask) = lookup::ended(&client, ask.as_deref(), environment).await? else {
                    return Ok(Exit::Interrupted);
                };
                let new = NewRule { ask_id: ask.to_string(), until: Some(until) };
                let told = client.call::<MakeRule>(KeyRole::Person).body(&new).told().await?;
                if form.json {
                    return done(&told.to_string());
                }
                let id = lookup::called(&client, Noun::Rule, &field(&told, "rule_id")).await;
                done(&words(&told, &id, &screen))
            })
        }
        RuleVerb::List { form, insists } => block_on(async {
            // What stands in rules.yaml is there before anything was asked.
            let home = connect::home(None, environment)?;
            let reader = if home.rules().exists() {
                Some(connect::person(environment, *insists).await?)
            } else {
                connect::reader(environment, *insists).await?
            };
            let Some(client) = reader else {
                let told = json!({"permissions": [], "rules": []});
                return done(&if form.json { told.to_string() } else { listed(&told, &screen) });
            };
            let call = client.call::<ListRules>(KeyRole::Person).query(&Listing::SHORT_IDS);
            let told = call.told().await?;
            if form.json { done(&told.to_string()) } else { screen.print(&listed(&told, &screen)) }
        }),
        RuleVerb::Remove { rule, form, insists } => block_on(async {
            let client = lookup::reader(Noun::Rule, rule.as_deref(), false, *insists, environment).await?;
            let found = lookup::one(&client, Noun::Rule, rule.as_deref(), false, environment).await?;
            let Some(rule) = found.as_deref() else { return Ok(Exit::Interrupted) };
            let called = lookup::called(&client, Noun::Rule, rule).await;
            let told = client.call::<RemoveRule>(KeyRole::Person).at(rule).told().await;
            let told = told.map_err(|error| lookup::no_such(error, Noun::Rule, rule, screen.language))?;
            done(&if form.json { told.to_string() } else { Access(screen.language).rule_removed(called) })
        }),
    }
}

fn words(rule: &Value, id: &str, screen: &Screen) -> String {
    let name = shown(&field(rule, "name")).into_owned();
    let until = screen.times.clock_of(&field(rule, "until"));
    Access(screen.language).rule(name, until, id)
}

pub(super) fn listed(told: &Value, screen: &Screen) -> String {
    let permissions = permissions(told, screen);
    let made = made(told, screen);
    if permissions.is_empty() { made } else { format!("{permissions}\n\n{made}") }
}

const PERMISSIONS: [Column; 3] = [
    Column::new(Titles::for_permissions).minor(1),
    Column::new(Titles::name).cut(10),
    Column::new(Titles::status).cut(10),
];

const MADE: [Column; 5] = [
    Column::new(Titles::rule),
    Column::new(Titles::until).cut(8).minor(2),
    Column::new(Titles::agent).cut(8).minor(3),
    Column::new(Titles::project).cut(8).minor(3),
    Column::new(Titles::answer).cut(14),
];

/// The rules for permissions of `rules.yaml`, and whether they count.
fn permissions(told: &Value, screen: &Screen) -> String {
    let rules = told.get("permissions").and_then(Value::as_array).cloned().unwrap_or_default();
    let said = Access(screen.language);
    let row = |rule: &Value| {
        let in_file = rule.get("in_file").and_then(Value::as_bool).unwrap_or(true);
        let (state, role) = match rule.get("confirmed_at").and_then(Value::as_str) {
            None => (said.unconfirmed().to_owned(), Role::Warn),
            Some(at) if in_file => (said.confirmed(screen.times.clock_of(at)), Role::Good),
            Some(at) => (said.confirmed_gone(screen.times.clock_of(at)), Role::Good),
        };
        let digest: String = field(rule, "digest").chars().take(12).collect();
        vec![Cell::new(Role::Id, digest), field(rule, "name").into(), Cell::new(role, state)]
    };
    if rules.is_empty() {
        String::new()
    } else {
        table(screen, &PERMISSIONS, rules.iter().map(row).collect())
    }
}

fn made(told: &Value, screen: &Screen) -> String {
    let rules = told.get("rules").and_then(Value::as_array).cloned().unwrap_or_default();
    if rules.is_empty() {
        return Access(screen.language).no_rules().to_owned();
    }
    let row = |rule: &Value| {
        let says = rule.get("answers").and_then(Value::as_array).cloned().unwrap_or_default();
        let says = says.iter().map(|said| format!("{} → {}", field(said, "question"), answer(said, screen)));
        let holds = rule.get("holds").and_then(Value::as_bool).unwrap_or(true);
        let until = if holds {
            Cell::new(Role::Plain, screen.times.clock_of(&field(rule, "until")))
        } else {
            Cell::new(Role::Bad, Access(screen.language).rule_dead())
        };
        vec![
            Cell::new(Role::Id, called(rule, "rule_id")),
            until,
            field(rule, "agent").into(),
            field(rule, "project").into(),
            says.collect::<Vec<_>>().join("; ").into(),
        ]
    };
    table(screen, &MADE, rules.iter().map(row).collect())
}

/// What a rule answers; a yes or no in words.
fn answer(said: &Value, screen: &Screen) -> String {
    match field(said, "answer").as_str() {
        "true" => screen.language.words().yes().to_owned(),
        "false" => screen.language.words().no().to_owned(),
        other => other.to_owned(),
    }
}
