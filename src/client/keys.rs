//! The keys that the commands come with: from a variable, else from the data folder.

use std::fmt;

use super::error::ClientError;
use super::home::Home;
use crate::environment::Environment;

/// What a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyFor {
    /// Asking.
    Agent,
    /// Answering.
    Person,
    /// Users, keys, stopping.
    Admin,
}

impl KeyFor {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Agent, Self::Person, Self::Admin];

    /// Returns its word, which is also the name of its file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Person => "person",
            Self::Admin => "admin",
        }
    }

    /// Returns the variable that goes before the file.
    pub fn variable(self) -> Option<&'static str> {
        match self {
            Self::Agent => Some("ASKUSER_AGENT_KEY"),
            Self::Person => Some("ASKUSER_KEY"),
            // A key that may make keys has no business in an environment.
            Self::Admin => None,
        }
    }
}

/// A key. Prints as nothing, so that it does not end up in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    pub(super) fn reveal(&self) -> &str {
        &self.0
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
}

impl Keys {
    /// Looks in the environment, then in the data folder.
    pub fn of(environment: &Environment, home: Option<Home>) -> Self {
        let given = |role: KeyFor| Some(Key(environment.get(role.variable()?)?.trim().to_owned()));
        Self { agent: given(KeyFor::Agent), person: given(KeyFor::Person), home }
    }

    /// Finds the key for something.
    pub fn find(&self, role: KeyFor) -> Result<Key, ClientError> {
        let given = match role {
            KeyFor::Agent => &self.agent,
            KeyFor::Person => &self.person,
            KeyFor::Admin => &None,
        };
        if let Some(key) = given {
            return Ok(key.clone());
        }
        let no_key = |why: String| ClientError::NoKey { role: role.name(), why };
        let Some(home) = &self.home else {
            return Err(no_key("no data folder is known".to_owned()));
        };
        let path = home.keys().join(role.name());
        let text = std::fs::read_to_string(&path)
            .map_err(|error| no_key(format!("{} cannot be read: {error}", path.display())))?;
        let key = text.lines().next().unwrap_or_default().trim();
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(no_key(format!("{} holds no key", path.display())));
        }
        Ok(Key(key.to_owned()))
    }
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
        assert_eq!(keys.find(KeyFor::Person).unwrap().reveal(), "from-file");
        assert!(keys.find(KeyFor::Agent).unwrap_err().to_string().contains("cannot be read"));
        assert!(keys.find(KeyFor::Admin).unwrap_err().to_string().contains("holds no key"));
        let keys = Keys::of(&Environment::of(&[("ASKUSER_KEY", " given ")]), Some(home));
        assert_eq!(keys.find(KeyFor::Person).unwrap().reveal(), "given");
        assert!(!format!("{keys:?}").contains("given"));
    }
}
