//! `askuser history --import` and what follows: transcripts of Claude Code, taken in and read.
//!
//! A transcript may have a million lines: it is copied, read and written as it passes.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use askuser_core::text::shown;
use askuser_words::Language;
use askuser_words::commands::{History, Titles};
use serde_json::json;

use super::Export;
use super::projects::{self, TranscriptFile};
use crate::cli::args::{Form, Insists};
use askuser_ask::connect::{self, done, not_by_an_agent};
use askuser_ask::exit::Exit;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::output::{Screen, language};
use askuser_ask::report::Report;
use askuser_desk::archive::{Archive, ArchiveError, FILE_BYTES_MAX, Kept};
use askuser_system::environment::Environment;
use askuser_wire::time;
use askuser_wire::transcript::{Markdown, Message, Transcript, Window, each_message, read_file};

/// What stands before the name of a transcript that was taken in.
pub const PREFIX: &str = "file:";
/// Whose transcripts this command means: whoever owns the data folder.
const LOCAL: &str = "local";
/// Transcripts that are listed.
const LISTED_MAX: usize = 50;
/// Nothing of the messages: only their number is wanted.
const COUNTED: Window = Window { before: None, messages_max: 1, bytes_max: 0 };

/// `askuser history --import FILE`
pub fn import(file: &Path, form: Form, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    not_by_an_agent(environment, insists)?;
    let path = found(file, environment)?;
    let wrong = |error: io::Error| unreadable(&path, &error);
    let transcript = read_file(File::open(&path).map_err(wrong)?, COUNTED).map_err(wrong)?;
    if transcript.n_messages == 0 {
        let say = |said: History| match transcript.left_out.n_broken {
            0 => said.empty(printable(&path)),
            n => said.empty_broken(printable(&path), n),
        };
        return Err(Report::input(say).hint(History::empty_hint));
    }
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let kept = archive(environment)?.take(&name, File::open(&path).map_err(wrong)?);
    let kept = kept.map_err(|error| not_kept(&path, &error))?;
    if form.json {
        return done(
            &json!({
                "name": format!("{PREFIX}{}", kept.name),
                "messages": transcript.n_messages,
                "rounds": transcript.n_rounds,
                "broken_lines": transcript.left_out.n_broken,
                "bytes": kept.n_bytes,
            })
            .to_string(),
        );
    }
    done(&summary(&kept, &transcript, language(environment)))
}

fn summary(kept: &Kept, transcript: &Transcript, language: Language) -> String {
    let (said, name) = (History(language), format!("{PREFIX}{}", kept.name));
    let (n, rounds) = (transcript.n_messages, transcript.n_rounds);
    let imported = match transcript.left_out.n_broken {
        0 => said.imported(&name, n, rounds),
        n_broken => said.imported_broken(&name, n, rounds, n_broken),
    };
    format!("{imported}\n{}", said.read_it(&name))
}

/// `askuser history --projects`
pub fn projects(form: Form, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    not_by_an_agent(environment, insists)?;
    let folder = project_folders(environment)?;
    let all = projects::find(&folder);
    let rows = all.iter().take(LISTED_MAX).map(|found| (found, projects::look(&found.path)));
    if form.json {
        let list: Vec<_> = rows
            .map(|(found, about)| {
                json!({"id": found.id, "at": time::write(found.at), "bytes": found.n_bytes,
                    "folder": about.folder, "about": about.words})
            })
            .collect();
        return done(&json!({ "transcripts": list, "total": all.len() }).to_string());
    }
    if all.is_empty() {
        return done(&History(language(environment)).no_transcripts(environment.told(&folder)));
    }
    let screen = Screen::of(environment);
    let rows = rows.map(|(found, about)| {
        let folder = about.folder.map(|folder| environment.told(Path::new(&folder)));
        vec![
            Cell::new(Role::Id, found.id.clone()),
            Cell::new(Role::Dim, screen.times.relative(found.at)),
            Cell::new(Role::Dim, format!("{} kB", found.n_bytes.div_ceil(1000))),
            folder.unwrap_or_default().into(),
            about.words.unwrap_or_default().into(),
        ]
    });
    let text = table(&screen, &PROJECTS, rows.collect());
    let said = History(screen.language);
    let more = match all.len().saturating_sub(LISTED_MAX) {
        0 => String::new(),
        n => format!("\n{}", said.older(n)),
    };
    let next = said.import_one();
    screen.print(&format!("{text}{more}\n\n{next}"))
}

const PROJECTS: [Column; 5] = [
    Column::new(Titles::id).cut(12),
    Column::new(Titles::last),
    Column::new(Titles::size).right().minor(2),
    Column::new(Titles::folder).cut(10).minor(1),
    Column::new(Titles::first_words).cut(14),
];

/// `askuser history file:NAME [--export FORM]`
pub fn history(
    name: &str,
    export: Option<Export>,
    insists: Insists,
    environment: &Environment,
) -> Result<Exit, Report> {
    not_by_an_agent(environment, insists)?;
    let archive = archive(environment)?;
    let full_name = format!("{PREFIX}{}", shown(name));
    let failed = |error: io::Error| Report::failure(|said: History| said.unreadable(&full_name, &error));
    let Some(mut file) = archive.open(name).map_err(failed)? else {
        return Err(
            Report::input(|said: History| said.no_transcript(&full_name)).hint(History::no_transcript_hint)
        );
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match export {
        Some(Export::Jsonl) => io::copy(&mut file, &mut out).map(drop),
        Some(Export::Md) | None => markdown(name, file, &mut out, export.is_none()),
        Some(Export::Json) => {
            return Err(Report::wrong_input(
                "a transcript that was taken in is not written as one list",
                Some("take --export jsonl, which is the file as it came, or md"),
            ));
        }
    };
    match written.and_then(|()| out.flush()) {
        // A reader that has gone away is no failure of ours.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(failed(error)),
        Ok(()) | Err(_) => Ok(Exit::Answered),
    }
}

/// Writes a transcript as Markdown, message by message; for a terminal without what disturbs it.
fn markdown(name: &str, file: File, out: &mut impl Write, harmless: bool) -> io::Result<()> {
    let mut markdown = Markdown::default();
    let mut written = Ok(());
    let put = |text: &str, out: &mut dyn Write| {
        let text = if harmless { shown(text) } else { text.into() };
        out.write_all(text.as_bytes())
    };
    put(&Markdown::title(name), out)?;
    each_message(file, |message: Message| {
        if written.is_ok() {
            written = put(&markdown.message(&message), out);
        }
    })?;
    written
}

/// Returns the file that is meant: one that is there, else the one of this id in a project's folder.
fn found(file: &Path, environment: &Environment) -> Result<PathBuf, Report> {
    if file.is_file() {
        return Ok(file.to_owned());
    }
    let id = file.to_str().filter(|id| !id.is_empty() && !id.contains('/')).unwrap_or_default();
    let all = match (id, projects::folder(environment)) {
        ("", _) | (_, None) => Vec::new(),
        (_, Some(folder)) => projects::find(&folder),
    };
    let meant: Vec<&TranscriptFile> = all.iter().filter(|found| found.id.starts_with(id)).collect();
    match meant.as_slice() {
        [one] => Ok(one.path.clone()),
        [] => Err(Report::input(|said: History| said.neither(printable(file))).hint(History::projects_hint)),
        several => {
            Err(Report::input(|said: History| said.several(several.len(), id)).hint(History::several_hint))
        }
    }
}

fn project_folders(environment: &Environment) -> Result<PathBuf, Report> {
    projects::folder(environment).ok_or_else(|| Report::failure(History::no_home).hint(History::no_home_hint))
}

/// The transcripts of whoever owns the data folder. One of another machine is not ours to write.
fn archive(environment: &Environment) -> Result<Archive, Report> {
    if environment.get("ASKUSER_URL").is_some() {
        return Err(Report::input(History::elsewhere).hint(History::elsewhere_hint));
    }
    Ok(Archive::new(&connect::home(None, environment)?.transcripts(), LOCAL))
}

fn printable(path: &Path) -> String {
    shown(&path.display().to_string()).into_owned()
}

fn unreadable(path: &Path, error: &io::Error) -> Report {
    Report::input(|said: History| said.unreadable(printable(path), error))
}

fn not_kept(path: &Path, error: &ArchiveError) -> Report {
    match error {
        ArchiveError::TooLarge => {
            Report::input(|said: History| said.too_large(printable(path), FILE_BYTES_MAX))
                .hint(History::rename_hint)
        }
        ArchiveError::TooManyAlike => {
            Report::input(|said: History| said.too_many_alike(printable(path))).hint(History::rename_hint)
        }
        ArchiveError::Failed(error) => Report::failure(|said: History| said.not_kept(printable(path), error))
            .hint(History::not_kept_hint),
    }
}
