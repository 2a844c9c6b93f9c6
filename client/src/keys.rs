//! The keys that the commands come with: from a variable, else from the data folder.

use std::fmt;
use std::path::{Path, PathBuf};

use super::error::ClientError;
use super::home::Home;
use askuser_agents::by_client;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;
use askuser_words::commands::Unreachable;
use askuser_words::{Both, both};

/// Returns the variable that goes before the file of a key.
pub fn variable(role: KeyRole) -> Option<&'static str> {
    match role {
        KeyRole::Agent => Some("ASKUSER_AGENT_KEY"),
        KeyRole::Person => Some("ASKUSER_KEY"),
        // A key that may make keys has no business in an environment.
        KeyRole::Admin => None,
    }
}

/// A key. Prints as nothing, so that it does not end up in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    secret: String,
    /// The file in which it was found, where it is one agent's own.
    own: Option<PathBuf>,
}

impl Key {
    pub(super) fn reveal(&self) -> &str {
        &self.secret
    }

    /// Returns the file of a key that is one agent's own.
    pub(super) fn own_file(&self) -> Option<&Path> {
        self.own.as_deref()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Where keys are looked for.
#[derive(Debug, Clone)]
pub struct Keys {
    agent: Option<Key>,
    person: Option<Key>,
    home: Option<Home>,
    /// The agent that comes, where it is known.
    by: Option<&'static str>,
}

impl Keys {
    /// Looks in the environment, then in the data folder.
    pub fn of(environment: &Environment, home: Option<Home>) -> Self {
        let given = |role: KeyRole| {
            Some(Key { secret: environment.get(variable(role)?)?.trim().to_owned(), own: None })
        };
        Self { agent: given(KeyRole::Agent), person: given(KeyRole::Person), home, by: None }
    }

    /// Says which agent comes: where it has a key of its own, it comes with that.
    pub(super) fn by_agent(&mut self, name: Option<&str>) {
        self.by = name.and_then(by_client).map(|agent| agent.name);
    }

    /// Returns the agent that comes and the data folder, where it has or may be given a key of its own there: not
    /// where it was given one by a variable.
    pub(super) fn own(&self) -> Option<(&'static str, &Home)> {
        self.by.filter(|_| self.agent.is_none()).zip(self.home.as_ref())
    }

    /// Finds the key for something.
    pub fn find(&self, role: KeyRole) -> Result<Key, ClientError> {
        let given = match role {
            KeyRole::Agent => &self.agent,
            KeyRole::Person => &self.person,
            KeyRole::Admin => &None,
        };
        if let Some(key) = given {
            return Ok(key.clone());
        }
        let no_key = |why: Both| ClientError::NoKey { role: role.name(), why };
        let Some(home) = &self.home else {
            return Err(no_key(both(Unreachable::no_folder)));
        };
        let own =
            self.own().filter(|_| role == KeyRole::Agent).map(|(agent, home)| home.agent_keys().join(agent));
        let own = own.filter(|path| path.exists());
        let path = own.clone().unwrap_or_else(|| home.keys().join(role.name()));
        Ok(Key { secret: read(&path).map_err(no_key)?, own })
    }
}

/// Reads the key in a file.
pub(super) fn read(path: &Path) -> Result<String, Both> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| both(|said: Unreachable| said.not_read(path.display(), &error)))?;
    let key = text.lines().next().unwrap_or_default().trim();
    if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(both(|said: Unreachable| said.holds_no_key(path.display())));
    }
    Ok(key.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_goes_before_the_file_and_a_key_is_never_printed() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::new(folder.path());
        std::fs::create_dir(home.keys()).unwrap();
        std::fs::write(home.keys().join("person"), "from-file\n").unwrap();
        std::fs::write(home.keys().join("admin"), "\n").unwrap();
        let keys = Keys::of(&Environment::of(&[]), Some(home.clone()));
        assert_eq!(keys.find(KeyRole::Person).unwrap().reveal(), "from-file");
        assert!(keys.find(KeyRole::Agent).unwrap_err().to_string().contains("cannot be read"));
        assert!(keys.find(KeyRole::Admin).unwrap_err().to_string().contains("holds no key"));
        let keys = Keys::of(&Environment::of(&[("ASKUSER_KEY", " given ")]), Some(home));
        assert_eq!(keys.find(KeyRole::Person).unwrap().reveal(), "given");
        assert!(!format!("{keys:?}").contains("given"));
    }

    #[test]
    fn an_agent_comes_with_its_own_key_and_without_one_with_the_shared_one() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::new(folder.path());
        std::fs::create_dir_all(home.agent_keys()).unwrap();
        std::fs::write(home.keys().join("agent"), "shared\n").unwrap();
        std::fs::write(home.agent_keys().join("claude-code"), "own\n").unwrap();
        let found = |vars: &[(&str, &str)], agent: Option<&str>, role| {
            let mut keys = Keys::of(&Environment::of(vars), Some(home.clone()));
            keys.by_agent(agent);
            keys.find(role).map(|key| key.reveal().to_owned())
        };
        assert_eq!(found(&[], Some("claude-code"), KeyRole::Agent).unwrap(), "own");
        for other in [None, Some("gemini"), Some("../agent"), Some("somebody")] {
            assert_eq!(found(&[], other, KeyRole::Agent).unwrap(), "shared", "{other:?}");
        }
        let given = [("ASKUSER_AGENT_KEY", "given")];
        assert_eq!(found(&given, Some("claude-code"), KeyRole::Agent).unwrap(), "given");
        assert!(found(&[], Some("claude-code"), KeyRole::Person).is_err());
    }
}
