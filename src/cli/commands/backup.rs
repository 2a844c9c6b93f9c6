//! `askuser backup`: a copy of the desk's database while the daemon runs, checked before it is called
//! one.

use std::path::{Path, PathBuf};

use askuser_words::commands::Backup as Words;

use serde_json::json;

use super::status;
use crate::cli::args::{Form, Insists};
use crate::cli::fields::field;
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_client::{Client, Location};
use askuser_store::sqlite::{self, BackupError};
use askuser_system::environment::Environment;

/// Back up the database to a file
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser backup askuser-backup.db")]
pub struct Backup {
    /// Where to write the backup; the file must not exist yet
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The data folder [default: `ASKUSER_HOME`, else the system's usual place]
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// What else is in the data folder that somebody would miss.
const BESIDE: [&str; 6] = ["keys/", "config.yaml", "rules.yaml", "templates/", "transcripts/", "tasks/"];

/// `askuser backup FILE`
pub fn run(args: &Backup, environment: &Environment) -> Result<Exit, Report> {
    // Everybody's answers are in it.
    connect::not_by_an_agent(environment, args.insists)?;
    let client = connect::client(environment)?;
    if let (None, Location::Address(url)) = (&args.data, client.location()) {
        return Err(Report::input(|said: Words| said.elsewhere(url)).hint(Words::elsewhere_hint));
    }
    let home = connect::home(args.data.clone(), environment)?;
    if environment.has("ASKUSER_DATABASE") || args.data.is_none() && is_shared(&client)? {
        return Err(not_ours(&args.file));
    }
    let database = home.database();
    if !database.exists() {
        return Err(Report::input(|said: Words| said.no_database(home.folder().display()))
            .hint(Words::no_database_hint));
    }
    let sound = sqlite::backup(&database, &args.file).map_err(|error| report(&error))?;
    if args.form.json {
        let told = json!({
            "file": args.file.display().to_string(), "facts": sound.chain.upto.number, "sound": true,
            "folder": home.folder().display().to_string(), "beside": BESIDE,
        });
        return done(&told.to_string());
    }
    let language = language(environment);
    let said = Words(language);
    let copied = said.done(args.file.display(), sound.chain.upto.number);
    let beside = said.beside(BESIDE.join(language.words().comma()), home.folder().display());
    done(&format!("{copied}\n{beside}"))
}

/// Whether the daemon that runs keeps everything in a database of its own choosing.
fn is_shared(client: &Client) -> Result<bool, Report> {
    block_on(async {
        // Where none runs, or does not say, the file is what there is.
        let told = status::fetch(client).await.ok();
        Ok(told.is_some_and(|told| field(&told, "database") == "postgresql"))
    })
}

/// A database that several servers share has its own way, which knows more than we do.
fn not_ours(copy: &Path) -> Report {
    let command = format!("pg_dump --format=custom --file={} \"$ASKUSER_DATABASE\"", quoted(copy));
    Report::failure(Words::postgres).hint(|said: Words| said.postgres_hint(&command))
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

pub(super) fn report(error: &BackupError) -> Report {
    match error {
        BackupError::Taken(path) => Report::input(|said: Words| said.taken(path.display())),
        BackupError::NotWritten { path, source } => {
            let report = Report::failure(|said: Words| said.not_written(path.display(), source));
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            match folder.filter(|folder| !folder.is_dir()) {
                Some(folder) => report.hint(|said: Words| said.no_folder_hint(folder.display())),
                None => report.hint(Words::not_written_hint),
            }
        }
        BackupError::From(error) => Report::failure(|language| error.said(language)).hint(Words::doctor_hint),
        BackupError::Unread(why) => Report::failure(|said: Words| said.unread(why)).hint(Words::doctor_hint),
        BackupError::NotSound(why) => {
            Report::failure(|said: Words| said.not_sound(why)).hint(Words::doctor_hint)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_postgresql_is_said_as_a_shell_takes_it() {
        let said = not_ours(Path::new("/b/it's here.dump"));
        assert_eq!(said.exit, Exit::Failed);
        assert_eq!(quoted(Path::new("/b/it's here.dump")), r"'/b/it'\''s here.dump'");
    }
}
