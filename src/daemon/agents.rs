//! The agents that may be run: the `runner` and `agents` parts of `config.yaml`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::environment::Environment;
use crate::runner::agent::{AgentPart, Agents, RunnerPart};
use crate::yaml::{self, Node};

/// Reads the agents of a file; none where it is not there. What is wrong with it otherwise.
pub(super) fn read(path: &Path, environment: &Environment) -> Result<Agents, String> {
    let shown = path.display();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{shown}: {error}")),
    };
    let file = if text.trim().is_empty() {
        None
    } else {
        Some(yaml::parse(&text).map_err(|fault| format!("{shown}: {fault}"))?)
    };
    let part = |name: &str| file.as_ref().and_then(|file| file.get(name));
    let runner: RunnerPart = typed(part("runner")).map_err(|what| format!("{shown}: {what}"))?;
    let agents: BTreeMap<String, AgentPart> =
        typed(part("agents")).map_err(|what| format!("{shown}: {what}"))?;
    // Whoever can write this file decides what is run: that is its owner alone.
    let others =
        |file: fs::Metadata| file.uid() != rustix::process::geteuid().as_raw() || file.mode() & 0o022 != 0;
    if !agents.is_empty() && fs::metadata(path).is_ok_and(others) {
        return Err(format!("{shown} names agents and may be written by others: `chmod go-w` it"));
    }
    Ok(Agents::new(&runner, &agents, environment))
}

fn typed<T: DeserializeOwned + Default>(node: Option<&Node>) -> Result<T, String> {
    let Some(node) = node else { return Ok(T::default()) };
    let at = |what: &dyn std::fmt::Display| node.at.fault(what.to_string()).to_string();
    serde_json::from_value(node.json()).map_err(|error| at(&error))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn check(text: &str, mode: u32) -> Result<Agents, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.yaml");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        read(&path, &Environment::of(&[("HOME", "/home/ann")]))
            .map_err(|what| what.replace(&path.display().to_string(), "FILE"))
    }

    const FILE: &str = "other: 1\nrunner:\n  folders: [~/src]\n  running_max: 3\nagents:\n  claude:\n    driver: claude\n    command: claude\n";

    #[test]
    fn agents_are_read_and_what_is_wrong_is_said() {
        let agents = check(FILE, 0o600).unwrap();
        assert_eq!((agents.running_max, agents.agents.len(), agents.is_off()), (3, 1, false));
        assert!(check("", 0o644).unwrap().is_off());
        assert!(read(Path::new("/nowhere/config.yaml"), &Environment::default()).unwrap().is_off());
        let wrong = |text: &str, mode| check(text, mode).unwrap_err();
        assert_eq!(wrong(FILE, 0o620), "FILE names agents and may be written by others: `chmod go-w` it");
        let unknown = wrong("agents:\n  a:\n    driver: smoke\n    command: x\n", 0o600);
        assert!(
            unknown.starts_with("FILE: line ") && unknown.contains("unknown variant `smoke`"),
            "{unknown}"
        );
        assert!(wrong("runner:\n  folder: x\n", 0o600).contains("unknown field `folder`"));
    }
}
