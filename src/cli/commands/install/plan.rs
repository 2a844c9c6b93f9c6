//! What will change, worked out in full before anything is written.

use std::path::PathBuf;

use askuser_agents::install::{Content, NAME, Scope};
use askuser_words::Language;
use askuser_words::commands::setup::Editing;
use serde_json::{Map, Value};
use similar::TextDiff;

use super::file::{self, FileContent, FileError};
use super::json::{self, Unfit};
use super::receipt::{Receipt, Receipts, digest};
use super::recipe::Part;
use super::{toml, whole};

/// One file, before and after.
#[derive(Debug)]
pub struct Change {
    /// The file, as it is named.
    pub path: PathBuf,
    found: FileContent,
    after: Option<String>,
    receipt: Option<Receipt>,
    /// Folders that we made for it and that go with it.
    leaves: Vec<PathBuf>,
    mode: u32,
}

/// Why nothing is changed.
#[derive(Debug)]
pub enum NoPlan {
    /// A file cannot be used.
    File(FileError),
    /// A file is not as it should be.
    Unfit {
        /// The file.
        path: PathBuf,
        /// Why.
        why: Unfit,
    },
    /// A back-up cannot be kept.
    NoBackup {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl NoPlan {
    /// Says it to a person.
    pub fn said(&self, language: Language) -> String {
        let said = Editing(language);
        match self {
            Self::File(error) => error.said(language),
            Self::Unfit { path, why } => said.cannot_change(path.display(), why.said(language)),
            Self::NoBackup { path, source } => said.no_backup(path.display(), source),
        }
    }
}

impl From<FileError> for NoPlan {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

/// Works out how a file becomes as the recipe wants it.
pub fn install(part: &Part, scope: Scope, receipts: &Receipts) -> Result<Change, NoPlan> {
    let found = file::read(&part.path)?;
    let text = found.text.clone().unwrap_or_default();
    let unfit = |why| NoPlan::Unfit { path: part.path.clone(), why };
    let after = kept_lines(&text, |text| put(&part.content, text)).map_err(unfit)?;
    let kept = receipts.read(&found.real);
    let mut folders = kept.as_ref().map(|receipt| receipt.folders.clone()).unwrap_or_default();
    let missing = file::missing_folders(&found.real);
    folders.retain(|folder| !missing.contains(folder));
    folders.extend(missing);
    let before = match kept {
        // There was nothing, or another text of ours.
        _ if is_ours_whole(&part.content, &text) => None,
        // Nobody touched it since we did: the way back is the one that was kept then.
        Some(receipt) if receipt.after == digest(&text) => receipt.before,
        // Edited since: the way back is this text without us.
        Some(receipt) if found.text.is_some() => {
            let had = receipt.before.clone().unwrap_or_default();
            let without = |text: &str| take(&part.content, text, Some(&had));
            Some(kept_lines(&text, without).map_err(unfit)?)
        }
        _ => found.text.clone(),
    };
    let receipt = Some(Receipt { before, after: digest(&after), folders });
    let (path, mode) = (part.path.clone(), mode(scope));
    Ok(Change { path, found, after: Some(after), receipt, leaves: Vec::new(), mode })
}

/// Works out how a file becomes as it was.
pub fn uninstall(part: &Part, scope: Scope, receipts: &Receipts) -> Result<Change, NoPlan> {
    let found = file::read(&part.path)?;
    let unfit = |why| NoPlan::Unfit { path: part.path.clone(), why };
    let receipt = receipts.read(&found.real);
    let leaves = receipt.as_ref().map(|receipt| receipt.folders.clone()).unwrap_or_default();
    let after = match (&found.text, receipt) {
        (None, _) => None,
        (Some(text), Some(receipt)) if receipt.after == digest(text) => receipt.before,
        (Some(text), receipt) => {
            let made_by_us = receipt.as_ref().is_some_and(|receipt| receipt.before.is_none())
                || is_ours_whole(&part.content, text);
            // A file that we made held nothing before; one without a receipt, whatever is not ours.
            let before = receipt.map(|receipt| receipt.before.unwrap_or_default());
            let left =
                kept_lines(text, |text| take(&part.content, text, before.as_deref())).map_err(unfit)?;
            Some(left).filter(|left| !(made_by_us && is_empty(&part.content, left)))
        }
    };
    Ok(Change { path: part.path.clone(), found, after, receipt: None, leaves, mode: mode(scope) })
}

/// A shared file is as others expect it; a person's own settings are theirs alone.
fn mode(scope: Scope) -> u32 {
    match scope {
        Scope::User => 0o600,
        Scope::Project => 0o644,
    }
}

fn put(content: &Content, text: &str) -> Result<String, Unfit> {
    match content {
        Content::Json(wants) => json::put(text, wants),
        Content::Toml { table, fields } => toml::put(text, table, NAME, fields),
        Content::Whole(ours) if text.trim().is_empty() || whole::is_ours(text) => Ok(ours.clone()),
        Content::Whole(_) => Err(whole::not_ours()),
    }
}

fn take(content: &Content, text: &str, before: Option<&str>) -> Result<String, Unfit> {
    match content {
        Content::Json(wants) => {
            let read = |before: &str| json::read(before).unwrap_or_else(|_| Value::Object(Map::new()));
            json::take(text, wants, before.map(read).as_ref())
        }
        Content::Toml { table, .. } => toml::take(text, table, NAME, before),
        // A file that is not ours stays, and ours goes whatever was changed in it.
        Content::Whole(_) if whole::is_ours(text) => Ok(String::new()),
        Content::Whole(_) => Ok(text.to_owned()),
    }
}

fn is_ours_whole(content: &Content, text: &str) -> bool {
    matches!(content, Content::Whole(_)) && whole::is_ours(text)
}

fn is_empty(content: &Content, text: &str) -> bool {
    match content {
        Content::Json(_) => json::read(text).is_ok_and(|value| value == Value::Object(Map::new())),
        Content::Toml { .. } | Content::Whole(_) => text.trim().is_empty(),
    }
}

/// Edits a text by its lines as they are: a mark at its beginning and the ends of its lines stay.
fn kept_lines(text: &str, edit: impl Fn(&str) -> Result<String, Unfit>) -> Result<String, Unfit> {
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    };
    let windows = text.contains("\r\n") && !text.replace("\r\n", "").contains('\n');
    if !windows {
        return Ok(format!("{mark}{}", edit(text)?));
    }
    Ok(format!("{mark}{}", edit(&text.replace("\r\n", "\n"))?.replace('\n', "\r\n")))
}

impl Change {
    /// Whether anything changes.
    pub fn changes(&self) -> bool {
        self.found.text != self.after
    }

    /// Whether the file is there now.
    pub fn is_there(&self) -> bool {
        self.found.text.is_some()
    }

    /// Returns what becomes of the file, in a word.
    pub fn verb(&self) -> &'static str {
        match (&self.found.text, &self.after) {
            (None, Some(_)) => "created",
            (Some(_), None) => "removed",
            _ => "changed",
        }
    }

    /// Writes what changes, as `diff -u` does.
    pub fn diff(&self, name: &str) -> String {
        let before = self.found.text.as_deref().unwrap_or_default();
        let after = self.after.as_deref().unwrap_or_default();
        let old = if self.found.text.is_some() { name } else { "/dev/null" };
        let new = if self.after.is_some() { name } else { "/dev/null" };
        TextDiff::from_lines(before, after).unified_diff().context_radius(3).header(old, new).to_string()
    }

    /// Makes it so, with the way back kept first. Returns the folders that went with the file: those that
    /// we made and that hold nothing else.
    pub fn carry_out(&self, receipts: &Receipts) -> Result<Vec<PathBuf>, NoPlan> {
        let no_backup = |source| NoPlan::NoBackup { path: self.path.clone(), source };
        if let Some(receipt) = &self.receipt {
            receipts.write(&self.found.real, receipt).map_err(no_backup)?;
        }
        if self.changes() {
            file::write(&self.path, &self.found, self.after.as_deref(), self.mode)?;
        }
        if self.receipt.is_none() {
            receipts.remove(&self.found.real);
        }
        Ok(file::remove_empty(&self.leaves))
    }

    /// Puts the file back as it was found: another file of the same agent could not be written.
    pub fn undo(&self) -> Result<(), FileError> {
        file::write(&self.path, &file::read(&self.path)?, self.found.text.as_deref(), self.mode)?;
        if let (None, Some(receipt)) = (&self.found.text, &self.receipt) {
            file::remove_empty(&receipt.folders);
        }
        Ok(())
    }
}
