//! What lies in the data folder: whether it can be written, who else may read it, what is wrong in it.

use std::fs::{self, File, Metadata};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::{Finding, Verdict};
use crate::cli::settings;
use crate::client::home::Home;
use crate::client::keys::KeyFor;
use crate::config::LISTEN;
use crate::daemon::{rules, rules_left};
use crate::environment::Environment;

/// How much room there should be, and must be.
const ROOM_MB: (u64, u64) = (200, 20);

pub(super) fn folder(home: &Home) -> Vec<Finding> {
    let path = home.folder();
    let shown = path.display();
    let Ok(metadata) = fs::metadata(path) else {
        let said = format!("{shown} is not there yet");
        return vec![
            Finding::warn("data folder", said)
                .means("nothing was ever asked here")
                .hint("the first ask or `askuser serve` makes it"),
        ];
    };
    let mut findings = Vec::new();
    let mode = mode(&metadata);
    findings.push(if is_private(mode) {
        Finding::ok("data folder", format!("{shown} (mode {mode:o})"))
    } else {
        Finding::warn("data folder", format!("{shown} is open to others (mode {mode:o})"))
            .means("others on this machine can see what lies in it")
            .hint(format!("chmod 700 {shown}"))
    });
    let probe = path.join(format!("askuser.probe-{}", std::process::id()));
    match File::create(&probe) {
        // What was written can be removed.
        Ok(_) => drop(fs::remove_file(&probe)),
        Err(error) => findings.push(
            Finding::fail("data folder", format!("{shown} cannot be written: {error}"))
                .means("no question can be kept, so none is taken")
                .hint("make it writable, or set ASKUSER_HOME to another folder"),
        ),
    }
    findings
}

pub(super) fn keys(home: &Home) -> Vec<Finding> {
    // Before the first start there are none, and that is well.
    if !home.database().exists() {
        return Vec::new();
    }
    let mut findings: Vec<Finding> = KeyFor::ALL.into_iter().map(|role| key_file(home, role)).collect();
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

fn key_file(home: &Home, role: KeyFor) -> Finding {
    let path = home.keys().join(role.name());
    let what = match role {
        KeyFor::Agent => "agent key",
        KeyFor::Person => "person key",
        KeyFor::Admin => "admin key",
    };
    if !path.exists() {
        return Finding::fail(what, format!("{} is missing", path.display()))
            .means(format!("commands that come as {} are not let in", role.name()))
            .hint("stop the daemon and start it once with `askuser serve --new-keys`");
    }
    let mut found = private_key(what, &path);
    if role == KeyFor::Agent && found.verdict == Verdict::Ok {
        found.said.push_str(", shared by agents that have no key of their own");
    }
    found
}

fn private_key(what: &'static str, path: &Path) -> Finding {
    let (shown, mode) = (path.display(), fs::metadata(path).map_or(0, |metadata| mode(&metadata)));
    if is_private(mode) {
        return Finding::ok(what, format!("{shown} (mode {mode:o})"));
    }
    Finding::fail(what, format!("{shown} is open to others (mode {mode:o})"))
        .means("whoever read it may come in as you")
        .hint(format!("chmod 600 {shown}, and better make a new key"))
}

/// The files with answers in them, and those that say what the desk does.
pub(super) fn permissions(home: &Home) -> Vec<Finding> {
    let wal = home.database().with_extension("db-wal");
    let readable = [home.database(), wal, home.log()];
    let mut findings: Vec<Finding> = readable.iter().filter_map(|path| read_by_others(path)).collect();
    let page_host = read_by_others(&home.page_host());
    let learnt = "others on this machine may learn the page's own name, where the folder lets them";
    findings.extend(page_host.map(|finding| finding.means(learnt)));
    findings.extend([home.config(), home.rules()].iter().filter_map(|path| written_by_others(path)));
    findings
}

fn read_by_others(path: &Path) -> Option<Finding> {
    let mode = mode(&fs::metadata(path).ok()?);
    let said = format!("{} is open to others (mode {mode:o})", path.display());
    (!is_private(mode)).then(|| {
        Finding::warn("permissions", said)
            .means("others on this machine may read what was asked and answered, where the folder lets them")
            .hint(format!("chmod 600 {}", path.display()))
    })
}

fn written_by_others(path: &Path) -> Option<Finding> {
    let metadata = fs::metadata(path).ok()?;
    let own = [rustix::process::geteuid().as_raw(), 0].contains(&metadata.uid());
    let said = format!("{} may be written by others (mode {:o})", path.display(), mode(&metadata));
    (!own || metadata.mode() & 0o022 != 0).then(|| {
        Finding::fail("permissions", said)
            .means("somebody else could say what the desk does, so the file is not believed")
            .hint(format!("look at what stands in it, then `chmod go-w {}`", path.display()))
    })
}

/// Whether the configuration is sound, and where it says to listen.
pub(super) fn configuration(environment: &Environment) -> (Finding, String) {
    match settings::load(environment) {
        Ok(loaded) => {
            let said = match &loaded.file {
                Some(file) => format!("{} is sound", file.display()),
                None => "no file, so the defaults".to_owned(),
            };
            (Finding::ok("config", said), loaded.config.server.listen)
        }
        Err(report) => {
            let found = Finding::fail("config", report.to_string())
                .means("no daemon starts with it; one that runs goes on with what it read before")
                .hint("mend the lines; `askuser config --sample` prints every key with what it is for");
            (found, LISTEN.to_owned())
        }
    }
}

pub(super) fn rules(home: &Home) -> Vec<Finding> {
    let (path, left) = (home.rules(), home.rules_made());
    let by_hand = path.exists().then(|| match rules::read(&path) {
        Ok(_) => Finding::ok("rules", format!("{} answers some questions by itself", path.display())),
        Err(why) => Finding::fail("rules", why)
            .means("no rule is applied, and every ask waits for a person")
            .hint("mend the file: it is seen at once"),
    });
    let left = left.exists().then(|| rules_left::read(&left).err()).flatten().map(|why| {
        Finding::warn("rules", why)
            .means("rules of an older version that were made from answers are not taken in, and do not hold")
            .hint("mend the file and start the daemon anew, or remove it and make the rules again")
    });
    by_hand.into_iter().chain(left).collect()
}

/// Room on the disk, also for a back-up of what is there.
pub(super) fn room(home: &Home) -> Option<Finding> {
    // The folder may not be there yet; what it will lie in is.
    let there = home.folder().ancestors().find(|folder| folder.exists())?;
    let disk = rustix::fs::statvfs(there).ok()?;
    let free_mb = disk.f_bavail.saturating_mul(disk.f_frsize) / (1024 * 1024);
    let used_mb = fs::metadata(home.database()).map_or(0, |file| file.len()) / (1024 * 1024);
    let said = format!("{free_mb} MB free, the database has {used_mb} MB");
    let means = "a full disk takes no question and no answer: callers get 503 until there is room";
    Some(match free_mb {
        n if n < ROOM_MB.1 => Finding::fail("disk", said).means(means).hint("make room"),
        n if n < ROOM_MB.0.max(used_mb / 10) => {
            Finding::warn("disk", said).means(means).hint("make room soon")
        }
        _ => Finding::ok("disk", said),
    })
}

fn mode(metadata: &Metadata) -> u32 {
    metadata.permissions().mode() & 0o777
}

fn is_private(mode: u32) -> bool {
    mode.trailing_zeros() >= 6
}
