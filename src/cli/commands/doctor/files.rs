//! What lies in the data folder: whether it can be written, who else may read it, what is wrong in it.

use std::fs::{self, File, Metadata};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use askuser_words::commands::Files;
use askuser_words::{Language, both};

use super::{Finding, Verdict};
use crate::cli::commands::config;
use crate::daemon::rules;
use askuser_client::home::Home;
use askuser_config::LISTEN;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// How much room there should be, and must be.
const ROOM_MB: (u64, u64) = (200, 20);

pub(super) fn folder(home: &Home) -> Vec<Finding> {
    let path = home.folder();
    let shown = path.display();
    let Ok(metadata) = fs::metadata(path) else {
        return vec![
            Finding::warn("data folder", |said: Files| said.no_folder(&shown))
                .means(Files::no_folder_means)
                .hint(Files::no_folder_hint),
        ];
    };
    let mut findings = Vec::new();
    let mode = mode(&metadata);
    findings.push(if is_private(mode) {
        Finding::ok("data folder", |said: Files| said.private(&shown, format!("{mode:o}")))
    } else {
        Finding::warn("data folder", |said: Files| said.open(&shown, format!("{mode:o}")))
            .means(Files::open_folder_means)
            .hint(|said: Files| said.chmod_folder(&shown))
    });
    let probe = path.join(format!("askuser.probe-{}", std::process::id()));
    match File::create(&probe) {
        // What was written can be removed.
        Ok(_) => drop(fs::remove_file(&probe)),
        Err(error) => findings.push(
            Finding::fail("data folder", |said: Files| said.not_writable(&shown, &error))
                .means(Files::not_writable_means)
                .hint(Files::not_writable_hint),
        ),
    }
    findings
}

pub(super) fn keys(home: &Home) -> Vec<Finding> {
    // Before the first start there are none, and that is well.
    if !home.database().exists() {
        return Vec::new();
    }
    let mut findings: Vec<Finding> = KeyRole::ALL.into_iter().map(|role| key_file(home, role)).collect();
    findings.extend(own_keys(home).iter().map(|(_, path)| private_key("agent key", path)));
    findings
}

/// The keys that are one agent's own: whose each is, and its file.
pub(super) fn own_keys(home: &Home) -> Vec<(String, PathBuf)> {
    let files = fs::read_dir(home.agent_keys()).into_iter().flatten().flatten();
    let named = files.filter_map(|file| Some((file.file_name().into_string().ok()?, file.path())));
    // One that waits for the desk has an ending, which no agent's name has.
    let mut keys: Vec<(String, PathBuf)> = named.filter(|(name, _)| !name.contains('.')).collect();
    keys.sort();
    keys
}

fn key_file(home: &Home, role: KeyRole) -> Finding {
    let path = home.keys().join(role.name());
    let what = match role {
        KeyRole::Agent => "agent key",
        KeyRole::Person => "person key",
        KeyRole::Admin => "admin key",
    };
    if !path.exists() {
        return Finding::fail(what, |said: Files| said.key_missing(path.display()))
            .means(|said: Files| said.key_missing_means(role.name()))
            .hint(Files::key_missing_hint);
    }
    let found = private_key(what, &path);
    if role == KeyRole::Agent && found.verdict == Verdict::Ok {
        return Finding::ok(what, |said: Files| said.shared_key(path.display(), mode_of(&path)));
    }
    found
}

fn private_key(what: &'static str, path: &Path) -> Finding {
    let (shown, mode) = (path.display(), fs::metadata(path).map_or(0, |metadata| mode(&metadata)));
    if is_private(mode) {
        return Finding::ok(what, |said: Files| said.private(&shown, mode_of(path)));
    }
    Finding::fail(what, |said: Files| said.open(&shown, mode_of(path)))
        .means(Files::open_key_means)
        .hint(|said: Files| said.open_key_hint(&shown))
}

/// The mode of a file as `chmod` has it.
fn mode_of(path: &Path) -> String {
    format!("{:o}", fs::metadata(path).map_or(0, |metadata| mode(&metadata)))
}

/// The files with answers in them, and those that say what the desk does.
pub(super) fn permissions(home: &Home) -> Vec<Finding> {
    let wal = home.database().with_extension("db-wal");
    let readable = [home.database(), wal, home.log()];
    let mut findings: Vec<Finding> = readable.iter().filter_map(|path| read_by_others(path)).collect();
    let page_host = read_by_others(&home.page_host());
    findings.extend(page_host.map(|finding| finding.means(Files::open_host_means)));
    findings.extend([home.config(), home.rules()].iter().filter_map(|path| written_by_others(path)));
    findings
}

fn read_by_others(path: &Path) -> Option<Finding> {
    let mode = mode(&fs::metadata(path).ok()?);
    (!is_private(mode)).then(|| {
        Finding::warn("permissions", |said: Files| said.open(path.display(), mode_of(path)))
            .means(Files::open_file_means)
            .hint(|said: Files| said.chmod_file(path.display()))
    })
}

fn written_by_others(path: &Path) -> Option<Finding> {
    let metadata = fs::metadata(path).ok()?;
    let own = [rustix::process::geteuid().as_raw(), 0].contains(&metadata.uid());
    (!own || metadata.mode() & 0o022 != 0).then(|| {
        Finding::fail("permissions", |said: Files| said.writable(path.display(), mode_of(path)))
            .means(Files::writable_means)
            .hint(|said: Files| said.writable_hint(path.display()))
    })
}

/// Whether the configuration is sound, and where it says to listen.
pub(super) fn configuration(environment: &Environment) -> (Finding, String) {
    match config::load(environment) {
        Ok(loaded) => {
            let found = match &loaded.file {
                Some(file) => Finding::ok("config", |said: Files| said.config_valid(file.display())),
                None => Finding::ok("config", Files::config_none),
            };
            (found, loaded.config.server.listen)
        }
        Err(report) => {
            let found = Finding::fail("config", |language: Language| report.said(language))
                .means(Files::config_faulty_means)
                .hint(Files::config_faulty_hint);
            (found, LISTEN.to_owned())
        }
    }
}

pub(super) fn rules(home: &Home) -> Option<Finding> {
    let path = home.rules();
    path.exists().then(|| match rules::read(&path) {
        Ok(_) => Finding::ok("rules", |said: Files| said.rules_valid(path.display())),
        Err(why) => Finding::new("rules", Verdict::Fail, why)
            .means(Files::rules_faulty_means)
            .hint(Files::rules_faulty_hint),
    })
}

/// Room on the disk, also for a back-up of what is there.
pub(super) fn room(home: &Home) -> Option<Finding> {
    // The folder may not be there yet; what it will lie in is.
    let there = home.folder().ancestors().find(|folder| folder.exists())?;
    let disk = rustix::fs::statvfs(there).ok()?;
    let free_mb = disk.f_bavail.saturating_mul(disk.f_frsize) / (1024 * 1024);
    let used_mb = fs::metadata(home.database()).map_or(0, |file| file.len()) / (1024 * 1024);
    let found = |verdict| Finding::new("disk", verdict, both(|said: Files| said.room(free_mb, used_mb)));
    Some(match free_mb {
        n if n < ROOM_MB.1 => found(Verdict::Fail).means(Files::room_means).hint(Files::room_hint),
        n if n < ROOM_MB.0.max(used_mb / 10) => {
            found(Verdict::Warn).means(Files::room_means).hint(Files::room_soon_hint)
        }
        _ => found(Verdict::Ok),
    })
}

fn mode(metadata: &Metadata) -> u32 {
    metadata.permissions().mode() & 0o777
}

fn is_private(mode: u32) -> bool {
    mode.trailing_zeros() >= 6
}
