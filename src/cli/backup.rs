//! `askuser backup`: a copy of the desk's database while the daemon runs, checked before it is called
//! one.

use std::path::Path;

use serde_json::json;

use super::args::Backup;
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::report::Report;
use super::serve;
use super::told::field;
use crate::client::{Client, Whereabouts};
use crate::environment::Environment;
use crate::store::sqlite::{self, BackupError};

/// What else is in the data folder that somebody would miss.
const BESIDE: [&str; 6] = ["keys/", "config.yaml", "rules.yaml", "templates/", "transcripts/", "tasks/"];

/// `askuser backup FILE`
pub fn run(args: &Backup, environment: &Environment) -> Result<Exit, Report> {
    // Everybody's answers are in it.
    connect::not_by_an_agent(environment, args.insists.as_person)?;
    let client = connect::client(environment)?;
    if let (None, Whereabouts::Address(url)) = (&args.data, client.whereabouts()) {
        let what = format!("the desk is at {url}, and its database with it");
        return Err(Report::wrong_input(what, Some("run `askuser backup` on its machine, as its user")));
    }
    let home = connect::home(args.data.clone(), environment)?;
    if environment.has("ASKUSER_DATABASE") || args.data.is_none() && is_shared(&client)? {
        return Err(not_ours(&args.file));
    }
    let database = home.database();
    if !database.exists() {
        let what = format!("there is no askuser database in {}", home.folder().display());
        return Err(Report::wrong_input(what, Some("name its data folder with --data or ASKUSER_HOME")));
    }
    let sound = sqlite::backup(&database, &args.file).map_err(|error| report(&error))?;
    if args.form.json {
        let told = json!({
            "file": args.file.display().to_string(), "facts": sound.chain.upto.number, "sound": true,
            "folder": home.folder().display().to_string(), "beside": BESIDE,
        });
        return done(&told.to_string());
    }
    done(&format!(
        "copied to {} and checked: the file is sound, {} facts, each chained to the one before\n\
         Also back up {} in {}: they are not in the database.",
        args.file.display(),
        sound.chain.upto.number,
        BESIDE.join(", "),
        home.folder().display(),
    ))
}

/// Whether the daemon that runs keeps everything in a database of its own choosing.
fn is_shared(client: &Client) -> Result<bool, Report> {
    block_on(async {
        // Where none runs, or does not say, the file is what there is.
        let told = serve::asked(client).await.ok();
        Ok(told.is_some_and(|told| field(&told, "database") == "postgresql"))
    })
}

/// A database that several servers share has its own way, which knows more than we do.
fn not_ours(copy: &Path) -> Report {
    let command = format!("pg_dump --format=custom --file={} \"$ASKUSER_DATABASE\"", quoted(copy));
    let hint = format!(
        "{command}, with ASKUSER_DATABASE set as for the servers; `askuser help operating` says how to restore it"
    );
    Report::failed("everything is in PostgreSQL, which is copied by its own program", Some(&hint))
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

fn report(error: &BackupError) -> Report {
    match error {
        BackupError::Taken(_) => Report::wrong_input(error.to_string(), None),
        BackupError::NotWritten { path, .. } => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let hint = match folder.filter(|folder| !folder.is_dir()) {
                Some(folder) => format!("there is no folder {}: create it first", folder.display()),
                None => "nothing is left of it; name another place".to_owned(),
            };
            Report::failed(error.to_string(), Some(&hint))
        }
        BackupError::From(_) | BackupError::Unread(_) | BackupError::NotSound(_) => {
            Report::failed(error.to_string(), Some("`askuser doctor` looks the database over"))
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
