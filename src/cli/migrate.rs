//! `askuser migrate`: a desk moves from its file to a database that several servers share.

use serde_json::{Map, Value, json};

use super::args::Migrate;
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::report::{Report, complain};
use crate::clock;
use crate::environment::Environment;
use crate::store::moving::{MoveError, move_over};

/// `askuser migrate --to URL`
pub fn run(args: &Migrate, environment: &Environment) -> Result<Exit, Report> {
    let home = connect::home(args.data.clone(), environment)?;
    let path = home.database();
    if !path.exists() {
        let what = format!("there is no askuser database in {}", home.folder().display());
        return Err(Report::wrong_input(what, Some("name its data folder with --data or ASKUSER_HOME")));
    }
    block_on(async {
        let mut last = "";
        let tell = |table: &'static str, _: u64| {
            if table != last {
                complain(&format!("copying {table}\n"));
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
        let hash =
            moved.head.hash.iter().take(8).fold(String::new(), |hash, byte| format!("{hash}{byte:02x}"));
        done(&format!(
            "moved and compared, row by row: {}\nthe chains hold, up to fact {} ({hash}…) and security \
             event {}\nstart servers with ASKUSER_DATABASE set to it; {} is as it was, and yours to keep or to remove",
            rows.join(", "),
            moved.head.number,
            moved.events.number,
            path.display()
        ))
    })
}

fn report(error: &MoveError) -> Report {
    let hint = match error {
        MoveError::From(_) => Some("end its daemon with `askuser stop` where it is in use"),
        _ => None,
    };
    Report::failed(error.to_string(), hint)
}
