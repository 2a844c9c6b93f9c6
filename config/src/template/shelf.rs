//! Where templates lie, whose they are, and those that were read lately (D9).
//!
//! Those of the data folder belong to the desk, or, in a folder of theirs, to one person: their agents find
//! the person's own first, and nobody else finds them at all.
//!
//! A template is read again when its file changed, and after five minutes in any case; between, it
//! is taken from memory and counted.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::project::Project;
use super::{BYTES_MAX, NAME_CHARS_MAX, Template, TemplateError, Variables, reading};

/// How long a template is taken from memory without being read again, unless `cache_ttl` says otherwise
/// (D16).
const KEPT_FOR: Duration = Duration::from_mins(5);
/// A folder's name, at most: file systems take no longer ones.
const FOLDER_NAME_MAX: usize = 200;
/// Templates that are kept in memory.
const KEPT_MAX: usize = 1000;

/// The user that a desk has from the beginning: whoever calls on the same machine.
pub const LOCAL: &str = "local";

/// Templates by name: of the skills of a project, of a person, and of the desk. Cloning it is cheap.
#[derive(Debug, Clone, Default)]
pub struct Shelf {
    skills: Vec<PathBuf>,
    desk: Option<PathBuf>,
    person: Option<String>,
    kept: Arc<Mutex<HashMap<PathBuf, Kept>>>,
    kept_for: Arc<Mutex<Option<Duration>>>,
}

#[derive(Debug, Clone)]
struct Kept {
    stamp: Stamp,
    since: Instant,
    hits: u64,
    template: Arc<Template>,
}

/// What changes when a file does.
type Stamp = (u64, i64, i64, u64);

/// A template as a list shows it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Its full name: `skill/name`, or its name alone in the data folder.
    pub name: String,
    /// The person whose it is; none where it is the desk's, or a skill's.
    pub owner: Option<String>,
    pub path: PathBuf,
    /// How often it was taken from memory.
    pub hits: u64,
    /// The template, or what is wrong with it.
    pub template: Result<Arc<Template>, TemplateError>,
}

impl Shelf {
    /// A shelf over folders of skills, the nearest first, and the desk's templates.
    pub fn new(skills: Vec<PathBuf>, desk: Option<PathBuf>) -> Self {
        Self { skills, desk, ..Self::default() }
    }

    /// The same with the templates of a person before the desk's.
    #[must_use]
    pub fn of(&self, person: &str) -> Self {
        Self { person: Some(person.to_owned()), ..self.clone() }
    }

    /// Takes templates from memory for so long from now on.
    pub fn keep_for(&self, time: Duration) {
        *self.kept_for.lock() = Some(time);
    }

    fn kept_for(&self) -> Duration {
        self.kept_for.lock().unwrap_or(KEPT_FOR)
    }

    /// Returns the folders of skills that count in a folder: those of the project up to its root,
    /// then the person's own.
    pub fn skills_around(folder: &Path, home: Option<&Path>) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        for at in folder.ancestors() {
            folders.push(at.join(".claude/skills"));
            if at.join(".git").exists() {
                break;
            }
        }
        folders.extend(home.map(|home| home.join(".claude/skills")));
        let mut there: Vec<PathBuf> = Vec::new();
        for found in folders.into_iter().filter(|folder| folder.is_dir()) {
            if !there.contains(&found) {
                there.push(found);
            }
        }
        there
    }

    /// Asks for a template filled in: an ask, as JSON.
    pub fn ask(&self, name: &str, given: &Variables, project: &dyn Project) -> Result<Value, TemplateError> {
        let (name, path) = self.find(name)?;
        self.get(&path)?.fill(&name, given, project)
    }

    /// Returns every template.
    pub fn list(&self) -> Vec<Listed> {
        let own = self.persons();
        let listed = |(name, path): (String, PathBuf)| {
            let template = self.look(&path, Count::Not);
            let hits = self.lock().get(&path).map_or(0, |kept| kept.hits);
            let is_own = own.as_deref().is_some_and(|own| path.parent() == Some(own));
            let owner = self.person.clone().filter(|_| is_own);
            Listed { name, owner, path, hits, template }
        };
        self.files().into_iter().map(listed).collect()
    }

    /// Finds a template by its name or its full name.
    pub fn find(&self, name: &str) -> Result<(String, PathBuf), TemplateError> {
        let files = self.files();
        let exact = files.iter().find(|(full, _)| full == name);
        // The nearest folder goes before the others, so only skills of one folder are alike.
        let short: Vec<&(String, PathBuf)> =
            files.iter().filter(|(full, _)| full.rsplit('/').next() == Some(name)).collect();
        let folder_of = |path: &Path| path.ancestors().nth(3).map(Path::to_owned);
        let alike: Vec<String> = match short.first() {
            Some(first) => {
                let near = folder_of(&first.1);
                short
                    .iter()
                    .filter(|(_, path)| folder_of(path) == near)
                    .map(|(full, _)| full.clone())
                    .collect()
            }
            None => Vec::new(),
        };
        match (exact, alike.len()) {
            (Some(found), _) => Ok(found.clone()),
            (None, 0) => {
                let known = files.into_iter().map(|(full, _)| full).collect();
                Err(TemplateError::NotFound { name: name.to_owned(), known })
            }
            (None, 1) => short
                .first()
                .map(|found| (*found).clone())
                .ok_or_else(|| TemplateError::NotFound { name: name.to_owned(), known: Vec::new() }),
            (None, _) => Err(TemplateError::Ambiguous { name: name.to_owned(), all: alike }),
        }
    }

    /// Returns a template of a file, from memory where the file has not changed.
    pub fn get(&self, path: &Path) -> Result<Arc<Template>, TemplateError> {
        self.look(path, Count::Hit)
    }

    /// Returns the file of a template of the person, or of the desk where this is nobody's shelf; none
    /// where the name is none.
    pub fn own_file(&self, name: &str) -> Option<PathBuf> {
        let folder = if self.person.is_some() { self.persons() } else { self.desk.clone() };
        file_in(&folder?, name)
    }

    /// Returns the file of a template of the desk; none where the name is none.
    pub fn desk_file(&self, name: &str) -> Option<PathBuf> {
        file_in(self.desk.as_deref()?, name)
    }

    /// The folder of the person's templates.
    fn persons(&self) -> Option<PathBuf> {
        Some(self.desk.as_ref()?.join(folder_name(self.person.as_deref()?)))
    }

    fn look(&self, path: &Path, count: Count) -> Result<Arc<Template>, TemplateError> {
        let unreadable = |error| TemplateError::Unreadable { path: path.to_owned(), source: Arc::new(error) };
        let file = fs::metadata(path).map_err(unreadable)?;
        let stamp = (file.ino(), file.mtime(), file.mtime_nsec(), file.len());
        let kept_for = self.kept_for();
        if let Some(kept) = self.lock().get_mut(path)
            && kept.stamp == stamp
            && kept.since.elapsed() < kept_for
        {
            kept.hits += u64::from(count == Count::Hit);
            return Ok(Arc::clone(&kept.template));
        }
        if file.len() > BYTES_MAX as u64 {
            return Err(TemplateError::TooLarge { path: path.to_owned() });
        }
        let text = fs::read_to_string(path).map_err(unreadable)?;
        let template =
            reading::read(&text).map_err(|faults| TemplateError::Faulty { path: path.to_owned(), faults })?;
        let template = Arc::new(template);
        let mut all = self.lock();
        if all.len() >= KEPT_MAX {
            all.retain(|_, kept| kept.since.elapsed() < kept_for);
        }
        let hits = all.get(path).map_or(0, |kept| kept.hits);
        if all.len() < KEPT_MAX {
            let kept = Kept { stamp, since: Instant::now(), hits, template: Arc::clone(&template) };
            all.insert(path.to_owned(), kept);
        }
        Ok(template)
    }

    /// Every file, by its full name: the skills' first, then the person's, then the desk's.
    fn files(&self) -> Vec<(String, PathBuf)> {
        let mut files: Vec<(String, PathBuf)> = Vec::new();
        for skills in &self.skills {
            for skill in sorted(skills) {
                let Some(of) = skill.file_name().and_then(|name| name.to_str()).map(str::to_owned) else {
                    continue;
                };
                let found = sorted(&skill.join("questions")).into_iter();
                files.extend(found.filter_map(|path| Some((format!("{of}/{}", stem(&path)?), path))));
            }
        }
        let own = self.persons().into_iter().chain(self.desk.clone()).flat_map(|folder| sorted(&folder));
        files.extend(own.filter_map(|path| Some((stem(&path)?, path))));
        // Of two with one full name the nearer one counts.
        let mut seen: Vec<String> = Vec::new();
        files.retain(|(name, _)| {
            let is_new = !seen.contains(name);
            seen.push(name.clone());
            is_new
        });
        files
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, Kept>> {
        self.kept.lock()
    }
}

/// Whether a look counts as a use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    Hit,
    Not,
}

/// The file of a template in a folder; none where the name is none.
fn file_in(folder: &Path, name: &str) -> Option<PathBuf> {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let is_name = !name.is_empty() && name.len() <= NAME_CHARS_MAX && name.chars().all(letter);
    is_name.then(|| folder.join(format!("{name}.yaml")))
}

/// The name of a person's folder: two people never have the same one, also where the file system takes
/// large and small letters for the same, and no name leads elsewhere.
fn folder_name(person: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    let hex = |mut name: String, byte: u8| {
        // Writing to a string does not fail.
        let _written = write!(name, "%{byte:02x}");
        name
    };
    let name = person.bytes().fold(String::new(), |mut name, byte| {
        if !plain(byte) {
            return hex(name, byte);
        }
        name.push(char::from(byte));
        name
    });
    if name.is_empty() || name.len() > FOLDER_NAME_MAX {
        return Sha256::digest(person).into_iter().fold("%".to_owned(), hex);
    }
    name
}

fn stem(path: &Path) -> Option<String> {
    let is_yaml = matches!(path.extension()?.to_str()?, "yaml" | "yml");
    is_yaml.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}
