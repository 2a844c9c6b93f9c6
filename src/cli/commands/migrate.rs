//! `askuser migrate`: a desk moves from its file to a database that several servers share.

use std::path::PathBuf;

use askuser_core::hex::hex;
use askuser_words::commands::Backup as Words;
use serde_json::{Map, Value, json};

use crate::cli::args::Form;
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::{Report, complain};
use askuser_store::moving::{MoveError, move_over};
use askuser_system::clock;
use askuser_system::environment::Environment;

/// Move all data from SQLite to PostgreSQL
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser migrate --to postgres://askuser@db.example.com/askuser")]
pub struct Migrate {
    /// The empty database to move to, e.g. `postgres://user@host/askuser`
    #[arg(long, value_name = "URL")]
    pub to: String,
    /// The data folder [default: `ASKUSER_HOME`, else the system's usual place]
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub form: Form,
}

/// `askuser migrate --to URL`
pub fn run(args: &Migrate, environment: &Environment) -> Result<Exit, Report> {
    let home = connect::home(args.data.clone(), environment)?;
    let path = home.database();
    if !path.exists() {
        return Err(Report::input(|said: Words| said.no_database(home.folder().display()))
            .hint(Words::no_database_hint));
    }
    block_on(async {
        let said = Words(language(environment));
        let mut last = "";
        let tell = |table: &'static str, _: u64| {
            if table != last {
                complain(&format!("{}\n", said.copying(table)));
                last = table;
            }
        };
        let moved = move_over(&path, &args.to, clock::now(), tell).await.map_err(|error| report(&error))?;
        if args.form.json {
            let tables: Map<String, Value> =
                moved.tables.iter().map(|(table, n)| ((*table).to_owned(), json!(n))).collect();
            let told = json!({
                "tables": tables, "facts": moved.head.number, "security_events": moved.events.number,
                "from": path.display().to_string(),
            });
            return done(&told.to_string());
        }
        let rows: Vec<String> = moved.tables.iter().map(|(table, n)| format!("{table} {n}")).collect();
        let hash: String = hex(&moved.head.hash).chars().take(16).collect();
        let lines = [
            said.moved(rows.join(", ")),
            said.moved_chains(moved.head.number, hash, moved.events.number),
            said.moved_next(path.display()),
        ];
        done(&lines.join("\n"))
    })
}

fn report(error: &MoveError) -> Report {
    let report = Report::failure(|language| error.said(language));
    match error {
        MoveError::From(_) => report.hint(Words::stop_hint),
        _ => report,
    }
}
