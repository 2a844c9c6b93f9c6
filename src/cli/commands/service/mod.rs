//! `askuser service`: the system starts the daemon, and keeps it running.
//!
//! One file, written whole; what stood there before is kept and put back by `remove`. Where the
//! supervisor says no, everything is as it was.

mod plist;
mod supervisor;
mod unit;

use std::path::{Path, PathBuf};
use std::time::Duration;

use askuser_words::commands::service::Service;
use askuser_words::commands::setup::Editing;
use askuser_words::config::Wrong;
use askuser_words::{Both, Language};
use serde_json::json;
use tokio::time::{Instant, sleep};

use self::supervisor::Step;
use super::install::file::{self, FileContent};
use super::install::receipt::{Receipt, Receipts, digest};
use super::install::recipe;
use super::stop;
use crate::cli::args::{Form, Insists};
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_client::Client;
use askuser_client::home::{Home, Running};
use askuser_system::environment::Environment;

/// Start askuser at login: install, remove, status
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser service install")]
pub struct SupervisorArgs {
    /// What to do
    #[command(subcommand)]
    pub what: SupervisorVerb,
}

/// What to do about the system's own service.
#[derive(Debug, clap::Subcommand)]
pub enum SupervisorVerb {
    /// Start askuser at login and restart it when it exits
    #[command(after_help = "askuser service install --dry-run")]
    Install {
        /// Show what would be done, without doing it
        #[arg(long)]
        dry_run: bool,
        /// The data folder [default: `ASKUSER_HOME`, else the system's usual place]
        #[arg(long, value_name = "FOLDER")]
        data: Option<PathBuf>,
        #[command(flatten)]
        by: SupervisedBy,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Stop the service and remove it
    #[command(after_help = "askuser service remove")]
    Remove {
        /// Show what would be done, without doing it
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        by: SupervisedBy,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Show whether the service is installed and running
    #[command(after_help = "askuser service status")]
    Status {
        #[command(flatten)]
        by: SupervisedBy,
        #[command(flatten)]
        form: Form,
    },
}

/// Who runs the service.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct SupervisedBy {
    /// The service manager [default: this system's]
    #[arg(long, value_name = "MANAGER", value_enum)]
    pub by: Option<Supervisor>,
}

/// A program that starts others and keeps them running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Supervisor {
    /// systemd, on Linux
    Systemd,
    /// launchd, on macOS
    Launchd,
}

/// How long the daemon may take to be there once it is started.
const THERE_IN: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Everybody may read how it is started: there are no secrets in it.
const MODE: u32 = 0o644;

/// What the file is to say.
#[derive(Debug, Clone)]
struct Wanted {
    program: String,
    data: String,
    log: String,
    /// A file of variables, which need not be there.
    variables: String,
    /// Where agents that are given tasks are found.
    path: Option<String>,
}

impl Wanted {
    fn of(home: &Home, environment: &Environment) -> Result<Self, Report> {
        let folder = std::path::absolute(home.folder())
            .map_err(|error| Report::failure(|said: Service| said.no_data_folder(&error)))?;
        let text = |path: &Path| {
            let named = path.to_str().filter(|path| !path.contains(['\n', '\r']));
            named.map(str::to_owned).ok_or_else(|| {
                Report::input(|said: Service| said.not_plain(path.display())).hint(Service::other_folder)
            })
        };
        Ok(Self {
            program: text(Path::new(&recipe::program(environment)?))?,
            data: text(&folder)?,
            log: text(&Home::new(&folder).log())?,
            variables: text(&folder.join("service.env"))?,
            path: environment.get("PATH").filter(|path| !path.contains(['\n', '\r'])).map(str::to_owned),
        })
    }
}

/// Tells our file from another's.
const MARK: &str = "Written by `askuser service install`; `askuser service remove` takes it away.";

/// `askuser service …`
pub fn run(args: &SupervisorArgs, environment: &Environment) -> Result<Exit, Report> {
    match &args.what {
        SupervisorVerb::Install { dry_run, data, by, form, insists } => {
            connect::not_by_an_agent(environment, *insists)?;
            let home = connect::home(data.clone(), environment)?;
            let supervisor = by.by.unwrap_or_else(Supervisor::usual);
            let wanted = Wanted::of(&home, environment)?;
            if *dry_run {
                shown(supervisor, &wanted, *form, environment)
            } else {
                install(supervisor, &wanted, &home, *form, environment)
            }
        }
        SupervisorVerb::Remove { dry_run, by, form, insists } => {
            connect::not_by_an_agent(environment, *insists)?;
            remove(by.by.unwrap_or_else(Supervisor::usual), *dry_run, *form, environment)
        }
        SupervisorVerb::Status { by, form } => {
            status(by.by.unwrap_or_else(Supervisor::usual), *form, environment)
        }
    }
}

/// `--dry-run`: the file and the commands.
fn shown(
    supervisor: Supervisor,
    wanted: &Wanted,
    form: Form,
    environment: &Environment,
) -> Result<Exit, Report> {
    let path = supervisor.file(environment)?;
    let steps: Vec<String> = supervisor.begin(&path).iter().map(Step::as_typed).collect();
    if form.json {
        let (file, text) = (environment.told(&path), supervisor.text(wanted));
        let told = json!({"supervisor": supervisor.name(), "file": file, "text": text, "commands": steps});
        return done(&told.to_string());
    }
    let words = Service(language(environment));
    done(&words.would_write(environment.told(&path), supervisor.text(wanted), steps.join("\n  ")))
}

fn install(
    supervisor: Supervisor,
    wanted: &Wanted,
    home: &Home,
    form: Form,
    environment: &Environment,
) -> Result<Exit, Report> {
    let (path, receipts) = (supervisor.file(environment)?, receipts(environment)?);
    let found = file::read(&path).map_err(untouched)?;
    let kept = receipts.read(&found.real);
    let before = match (&found.text, &kept) {
        (Some(text), Some(kept)) if kept.after == digest(text) => kept.before.clone(),
        (Some(text), _) if text.contains(MARK) => return Err(edited(&path, environment)),
        _ => found.text.clone(),
    };
    let text = supervisor.text(wanted);
    let receipt = Receipt { before, after: digest(&text), folders: Vec::new() };
    let no_backup = |error: std::io::Error| {
        Report::failure(|said: Editing| said.no_backup(path.display(), &error)).hint(Editing::unchanged)
    };
    receipts.write(&found.real, &receipt).map_err(no_backup)?;
    file::write(&path, &found, Some(&text), MODE).map_err(untouched)?;
    let first = if supervisor.ends_first() && kept.is_some() { supervisor.end() } else { Vec::new() };
    // One that is not running cannot be ended.
    let _ended: Vec<_> = first.iter().map(Step::run).collect();
    let begun = make_way(home).and_then(|()| {
        supervisor.begin(&path).iter().try_for_each(|step| step.run().map(drop)).map_err(refused)
    });
    if let Err(report) = begun {
        put_back(supervisor, &path, &found, kept.as_ref(), &receipts);
        return Err(report);
    }
    let there = block_on(async { Ok(until_there(home).await) })?;
    if form.json {
        let url = there.map(|running| running.url);
        let file = environment.told(&path);
        return done(&json!({"supervisor": supervisor.name(), "file": file, "url": url}).to_string());
    }
    let words = Service(language(environment));
    let now = match there {
        Some(running) => words.running(running.url, running.pid),
        None => words.not_ready().to_owned(),
    };
    let mut told = vec![words.installed(supervisor.name(), now)];
    told.push(format!("  {}", words.wrote(environment.told(&path))));
    if found.text.as_ref().is_some_and(|text| !text.contains(MARK)) {
        told.push(format!("  {}", words.kept()));
    }
    told.push(supervisor.remark(words).to_owned());
    done(&told.join("\n"))
}

fn remove(
    supervisor: Supervisor,
    dry_run: bool,
    form: Form,
    environment: &Environment,
) -> Result<Exit, Report> {
    // Programs read the same in every language.
    let words = Service(if form.json { Language::English } else { language(environment) });
    let (path, receipts) = (supervisor.file(environment)?, receipts(environment)?);
    let found = file::read(&path).map_err(untouched)?;
    let kept = receipts.read(&found.real);
    let ours = found.text.as_ref().is_some_and(|text| text.contains(MARK));
    if !ours {
        let unchanged = words.not_installed_unchanged(supervisor.name());
        return said(supervisor, false, &[], unchanged, form);
    }
    let before = kept.as_ref().and_then(|kept| kept.before.clone());
    let named = environment.told(&path);
    let what = if before.is_some() { words.restore(&named) } else { words.remove(&named) };
    if dry_run {
        let steps = supervisor.end().into_iter().map(|step| words.run(step.as_typed()));
        let after = supervisor.forget().into_iter().map(|step| words.run(step.as_typed()));
        let all: Vec<String> = steps.chain([what]).chain(after).collect();
        return said(supervisor, false, &all, words.would(all.join("\n  ")), form);
    }
    supervisor.end().iter().try_for_each(|step| step.run().map(drop)).map_err(refused)?;
    let edited = kept.zip(found.text.as_ref()).is_none_or(|(kept, text)| kept.after != digest(text));
    let mut told = vec![words.no_longer(supervisor.name())];
    if edited {
        // Somebody's own words: they are not ours to throw away.
        let aside = path.with_extension("edited");
        std::fs::copy(&found.real, &aside).map_err(|error| {
            Report::failure(|said: Wrong| said.in_file(aside.display(), &error)).hint(Editing::unchanged)
        })?;
        told.push(format!("  {}", words.edited(environment.told(&aside))));
    }
    file::write(&path, &found, before.as_deref(), MODE).map_err(untouched)?;
    receipts.remove(&found.real);
    supervisor.forget().iter().try_for_each(|step| step.run().map(drop)).map_err(refused)?;
    let what = if before.is_some() { words.restored(&named) } else { words.removed(&named) };
    told.push(format!("  {what}"));
    said(supervisor, true, &[], told.join("\n"), form)
}

/// Prints what became of a removal, or would.
fn said(
    supervisor: Supervisor,
    removed: bool,
    would: &[String],
    words: String,
    form: Form,
) -> Result<Exit, Report> {
    let told = json!({"supervisor": supervisor.name(), "removed": removed, "would": would});
    done(&if form.json { told.to_string() } else { words })
}

/// 0 where it is installed and runs, 1 otherwise.
fn status(supervisor: Supervisor, form: Form, environment: &Environment) -> Result<Exit, Report> {
    let path = supervisor.file(environment)?;
    let text = file::read(&path).map_err(untouched)?.text;
    let installed = text.is_some_and(|text| text.contains(MARK));
    let (active, enabled) = if installed { supervisor.state() } else { ("no".to_owned(), "no".to_owned()) };
    let well = installed && active == "active";
    let exit = if well { Exit::Answered } else { Exit::Failed };
    let named = environment.told(&path);
    if form.json {
        let told = json!({
            "supervisor": supervisor.name(), "file": named, "installed": installed,
            "active": active, "enabled": enabled,
        });
        return askuser_ask::report::finish(&told.to_string(), exit);
    }
    let said = if installed {
        format!("{}: {active}, {enabled} ({named})", supervisor.name())
    } else {
        Service(language(environment)).not_installed(supervisor.name())
    };
    askuser_ask::report::finish(&said, exit)
}

/// What `askuser doctor` says of it: the words, and whether all is well. Nothing where there is none.
pub(super) fn seen(environment: &Environment) -> Option<(String, bool)> {
    let supervisor = Supervisor::usual();
    let path = supervisor.file(environment).ok()?;
    let text = file::read(&path).ok()?.text?;
    if !text.contains(MARK) {
        return None;
    }
    let (active, enabled) = supervisor.state();
    let well = active == "active";
    Some((format!("{}: {active}, {enabled} ({})", supervisor.name(), environment.told(&path)), well))
}

fn receipts(environment: &Environment) -> Result<Receipts, Report> {
    Ok(Receipts::of(&connect::home(None, environment)?))
}

/// One that runs in the background owns the folder: it ends in good order, and whoever waits comes back.
fn make_way(home: &Home) -> Result<(), Report> {
    if home.running().is_none() {
        return Ok(());
    }
    let client = Client::new(&Environment::default(), home.clone());
    block_on(async { stop::end(&client).await })
}

fn put_back(
    supervisor: Supervisor,
    path: &Path,
    found: &FileContent,
    kept: Option<&Receipt>,
    receipts: &Receipts,
) {
    // What fails here is told by what failed before.
    let now = file::read(path);
    let _back = now.map(|now| file::write(path, &now, found.text.as_deref(), MODE));
    match kept {
        Some(kept) => drop(receipts.write(&found.real, kept)),
        None => receipts.remove(&found.real),
    }
    let _told: Vec<_> = supervisor.forget().iter().map(Step::run).collect();
}

async fn until_there(home: &Home) -> Option<Running> {
    let until = Instant::now() + THERE_IN;
    loop {
        let running = home.running();
        if running.is_some() || Instant::now() >= until {
            return running;
        }
        sleep(LOOK_EVERY).await;
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it ends here")]
fn untouched(error: file::FileError) -> Report {
    Report::failure(|language| error.said(language)).hint(Editing::unchanged)
}

fn refused(said: Both) -> Report {
    Report::of(Exit::Failed, said).hint(Service::refused_hint)
}

fn edited(path: &Path, environment: &Environment) -> Report {
    let file = environment.told(path);
    Report::input(|said: Service| said.edited_by_hand(&file)).hint(Service::edited_by_hand_hint)
}
