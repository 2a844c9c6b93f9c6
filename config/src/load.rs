//! Reads the configuration from where it stands; every fault at once, each with its place.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use askuser_words::Language;
use askuser_words::config::Wrong;
use sha2::{Digest, Sha256};

use super::Origin;
use super::keys::{Config, KEYS, TABLES};
use super::keys::{Key, Table, When};
use super::nearest::did_you_mean;
use super::said::{Fault, Said, kind};
use super::value::Given;
use crate::yaml::{self, Kind, Node};
use askuser_system::environment::Environment;

/// The file in the data folder.
pub const FILE: &str = "config.yaml";
/// Variables that switch something off and never on: whoever starts a program says what stands in its
/// environment, and that may be the agent that this is about.
const OFF_ONLY: &[&str] = &["ASKUSER_AGENT_DIALOG"];
/// The largest file.
const BYTES_MAX: u64 = 1024 * 1024;

/// Where the configuration stands.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The file of the data folder, which need not be there.
    pub usual: Option<PathBuf>,
    /// A file that was named, which must be.
    pub named: Option<PathBuf>,
    /// Flags: the full name of a key, and its value.
    pub flags: Vec<(String, String)>,
    pub environment: Environment,
}

/// The configuration, and where each value came from, in the order of the keys, then of the tables.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    pub config: Config,
    pub origins: Vec<Origin>,
    /// The file that was read, where there is one.
    pub file: Option<PathBuf>,
    /// The SHA-256 of what stands in it.
    pub digest: Option<[u8; 32]>,
}

/// What is wrong with the configuration; all of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.said(Language::English))]
pub struct ConfigError(pub Vec<Said>);

impl ConfigError {
    /// Says all of it, a line each.
    pub fn said(&self, language: Language) -> String {
        self.0.iter().map(|fault| fault.in_language(language)).collect::<Vec<_>>().join("\n")
    }
}

impl Sources {
    /// Reads the configuration.
    pub fn load(&self) -> Result<Loaded, ConfigError> {
        let file = self.named().or_else(|| self.usual.clone().filter(|usual| usual.exists()));
        let mut reading = Reading::new();
        if let Some(file) = &file {
            reading.file(file);
        }
        reading.variables(&self.environment);
        reading.flags(&self.flags);
        if reading.faults.is_empty() {
            let Reading { config, origins, digest, .. } = reading;
            return Ok(Loaded { config, origins, file, digest });
        }
        Err(ConfigError(reading.faults))
    }
}

impl Sources {
    /// Returns the file that is read, or would be if it were there.
    pub fn file(&self) -> Option<PathBuf> {
        self.named().or_else(|| self.usual.clone())
    }

    fn named(&self) -> Option<PathBuf> {
        self.named.clone().or_else(|| self.environment.path("ASKUSER_CONFIG"))
    }
}

impl Loaded {
    /// Returns where the value of a key came from.
    pub fn origin(&self, full_name: &str) -> Origin {
        let at = KEYS.iter().position(|key| key.full_name() == full_name);
        at.and_then(|at| self.origins.get(at)).copied().unwrap_or(Origin::Default)
    }

    /// Returns the full names of what differs from `old` and takes effect only at the next start.
    pub fn waits_for_start(&self, old: &Self) -> Vec<String> {
        self.changed(old, When::Start)
    }

    /// Returns the full names of what differs from `old` and takes effect when the file is reloaded.
    pub fn reloaded_since(&self, old: &Self) -> Vec<String> {
        self.changed(old, When::Reload)
    }

    fn changed(&self, old: &Self, when: When) -> Vec<String> {
        let keys = KEYS.iter().filter(|key| key.when == when);
        let keys = keys.filter(|key| key.show(&self.config) != key.show(&old.config)).map(Key::full_name);
        let tables = TABLES.iter().filter(|table| table.when == when);
        let tables = tables.filter(|table| !(table.same)(&self.config, &old.config));
        keys.chain(tables.map(|table| table.name.to_owned())).collect()
    }
}

/// Reads the text of a file alone; what is wrong with it, if anything is.
pub(super) fn read_text(text: &str) -> Result<Config, Vec<Said>> {
    let (mut reading, mut faults) = (Reading::new(), Vec::new());
    reading.text(text, &mut faults);
    if faults.is_empty() { Ok(reading.config) } else { Err(faults.iter().map(Fault::said).collect()) }
}

struct Reading {
    config: Config,
    origins: Vec<Origin>,
    faults: Vec<Said>,
    digest: Option<[u8; 32]>,
}

impl Reading {
    fn new() -> Self {
        let origins = vec![Origin::Default; KEYS.len() + TABLES.len()];
        Self { config: Config::default(), origins, faults: Vec::new(), digest: None }
    }

    fn file(&mut self, path: &Path) {
        let shown = path.display();
        match read(path) {
            Ok(text) => {
                self.digest = Some(Sha256::digest(&text).into());
                let mut faults = Vec::new();
                self.text(&text, &mut faults);
                faults.sort_by_key(|fault| fault.at);
                self.faults.extend(
                    faults.iter().map(|fault| fault.said().within(|say, what| say.in_file(&shown, what))),
                );
            }
            Err(why) => self.faults.push(why.within(|say, what| say.in_file(&shown, what))),
        }
    }

    fn text(&mut self, text: &str, faults: &mut Vec<Fault>) {
        if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
            // Nothing is set, and YAML has no table for that.
            return;
        }
        let node = match yaml::parse(text) {
            Ok(node) => node,
            Err(fault) => return faults.push(fault.into()),
        };
        if !matches!(node.kind, Kind::Table(_) | Kind::Null) {
            return faults.push(Fault::new(node.at, |say| say.file_is(kind(&node, say))));
        }
        for (name, section) in node.entries() {
            let known = name.text().unwrap_or_default();
            if let Some((at, table)) = TABLES.iter().enumerate().find(|(_, table)| table.name == known) {
                (table.read)(&mut self.config, section, faults);
                self.came_from(KEYS.len() + at, Origin::File { line: name.at.line });
            } else if KEYS.iter().any(|key| key.section == known) {
                self.section(known, section, faults);
            } else {
                faults.push(Fault::new(name.at, |say| say.no_section(known, meant_section(known, say))));
            }
        }
    }

    fn section(&mut self, section: &str, node: &Node, faults: &mut Vec<Fault>) {
        match node.kind {
            Kind::Table(_) | Kind::Null => {}
            _ => {
                return faults.push(Fault::no_table(node, section));
            }
        }
        for (name, value) in node.entries() {
            let known = name.text().unwrap_or_default();
            let at = KEYS.iter().position(|key| key.section == section && key.name == known);
            let Some((at, key)) = at.and_then(|at| Some((at, KEYS.get(at)?))) else {
                let names = || KEYS.iter().filter(|key| key.section == section).map(|key| key.name);
                faults.push(Fault::new(name.at, |say| {
                    say.no_key_in(section, known, did_you_mean(known, names(), say))
                }));
                continue;
            };
            match (key.read)(&mut self.config, &Given::Yaml(value)) {
                Ok(()) => self.came_from(at, Origin::File { line: name.at.line }),
                Err(what) => {
                    let what = what.within(|say, what| say.of(format!("{section}.{known}"), what));
                    faults.push(Fault { at: value.at, what });
                }
            }
        }
    }

    fn variables(&mut self, environment: &Environment) {
        for (at, key) in KEYS.iter().enumerate() {
            let Some(value) = environment.get(key.variable) else {
                if environment.has(key.variable) {
                    self.faults.push(Said::new(|say| say.of(key.variable, say.is_not("", say.text()))));
                }
                continue;
            };
            if OFF_ONLY.contains(&key.variable) && matches!(value, "true" | "on") {
                continue;
            }
            match (key.read)(&mut self.config, &Given::Text(value)) {
                Ok(()) => self.came_from(at, Origin::Variable(key.variable)),
                Err(what) => self.faults.push(what.within(|say, what| say.of(key.variable, what))),
            }
        }
    }

    fn flags(&mut self, flags: &[(String, String)]) {
        for (name, value) in flags {
            let at = KEYS.iter().position(|key| key.full_name() == *name);
            let Some((at, key)) = at.and_then(|at| Some((at, KEYS.get(at)?))) else {
                let names: Vec<String> = KEYS.iter().map(Key::full_name).collect();
                let names = || names.iter().map(String::as_str);
                self.faults.push(Said::new(|say| say.no_key(name, did_you_mean(name, names(), say))));
                continue;
            };
            if OFF_ONLY.contains(&key.variable) && matches!(value.as_str(), "true" | "on") {
                self.faults.push(Said::new(|say| say.only_in_file(name)));
                continue;
            }
            match (key.read)(&mut self.config, &Given::Text(value)) {
                Ok(()) => self.came_from(at, Origin::Flag),
                Err(what) => self.faults.push(what.within(|say, what| say.of(name, what))),
            }
        }
    }

    fn came_from(&mut self, at: usize, from: Origin) {
        if let Some(origin) = self.origins.get_mut(at) {
            *origin = from;
        }
    }
}

fn meant_section(name: &str, say: Wrong) -> String {
    let mut sections: Vec<&str> = KEYS.iter().map(|key| key.section).collect();
    sections.dedup();
    sections.extend(TABLES.iter().map(|table: &Table| table.name));
    // A key at the top is more often meant than a section alike.
    match KEYS.iter().find(|key| key.name == name) {
        Some(key) => say.belongs_under(key.section),
        None => did_you_mean(name, sections, say),
    }
}

/// Reads a file that nobody else may have written.
fn read(path: &Path) -> Result<String, Said> {
    let file = fs::metadata(path).map_err(|error| unreadable(&error))?;
    // Reading a pipe or a device would wait for whoever writes it, perhaps for ever.
    if !file.is_file() {
        return Err(Said::new(|say| say.not_a_file().to_owned()));
    }
    let own = file.uid() == rustix::process::geteuid().as_raw() || file.uid() == 0;
    if !own || file.mode() & 0o022 != 0 {
        return Err(Said::new(|say| say.writable_by_others().to_owned()));
    }
    if file.len() > BYTES_MAX {
        return Err(Said::new(|say| say.too_large(file.len(), BYTES_MAX)));
    }
    fs::read_to_string(path).map_err(|error| unreadable(&error))
}

fn unreadable(error: &io::Error) -> Said {
    Said::new(|say| say.cannot_be_read(error))
}

#[cfg(test)]
mod tests;
