//! Settings: every one, its value, and where it came from. Flags go before variables, variables
//! before defaults.

use std::path::PathBuf;

use crate::environment::Environment;

/// Where the daemon listens unless told otherwise.
pub const LISTEN: &str = "127.0.0.1:8275";

/// A setting as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// Its value, as text; empty where there is none.
    pub value: String,
    /// Where that came from.
    pub from: From,
    /// What it is for.
    pub about: &'static str,
}

/// Where a value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// A flag of this call.
    Flag,
    /// A variable of the environment.
    Variable(&'static str),
    /// The way it is unless told otherwise.
    Default,
}

impl From {
    /// Returns its words.
    pub fn name(self) -> String {
        match self {
            Self::Flag => "flag".to_owned(),
            Self::Variable(name) => name.to_owned(),
            Self::Default => "default".to_owned(),
        }
    }
}

/// There is no folder to keep anything in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no data folder: neither ASKUSER_HOME nor HOME is set")]
pub struct NoHome;

/// Finds the data folder: the flag, `ASKUSER_HOME`, else the platform's own place.
pub fn data_folder(flag: Option<PathBuf>, environment: &Environment) -> Result<(PathBuf, From), NoHome> {
    if let Some(folder) = flag {
        return Ok((folder, From::Flag));
    }
    if let Some(folder) = environment.path("ASKUSER_HOME") {
        return Ok((folder, From::Variable("ASKUSER_HOME")));
    }
    platform(environment).map(|folder| (folder, From::Default)).ok_or(NoHome)
}

#[cfg(target_os = "macos")]
fn platform(environment: &Environment) -> Option<PathBuf> {
    Some(environment.path("HOME")?.join("Library/Application Support/askuser"))
}

#[cfg(not(target_os = "macos"))]
fn platform(environment: &Environment) -> Option<PathBuf> {
    // A relative one is to be ignored, says its specification.
    let data = environment.path("XDG_DATA_HOME").filter(|folder| folder.is_absolute());
    Some(data.or_else(|| Some(environment.path("HOME")?.join(".local/share")))?.join("askuser"))
}

/// Settings that are a variable and nothing else, with their defaults and what they are for.
const VARIABLES: [(&str, &str, &str, &str); 11] = [
    ("url", "ASKUSER_URL", "", "the desk to speak to, instead of the data folder's own daemon"),
    ("where", "ASKUSER_WHERE", "", "terminal, desk or both: where a question is asked"),
    ("language", "ASKUSER_LANG", "", "the language of the words around a question; else that of the locale"),
    ("timeout_policy", "ASK_USER_TIMEOUT_POLICY", "cancel", "what happens at the deadline of an ask"),
    (
        "hold",
        "ASKUSER_HOLD",
        "",
        "how long an MCP call waits before it says that it is pending; else by client",
    ),
    (
        "agent_dialog",
        "ASKUSER_AGENT_DIALOG",
        "off",
        "on: questions by MCP are asked in the agent's own dialog too",
    ),
    ("max_questions", "ASK_MAX_QUESTIONS", "4", "questions of one ask, at most"),
    ("max_options", "ASK_MAX_OPTIONS", "4", "options of one question, at most"),
    ("header_max_length", "ASK_HEADER_MAX_LENGTH", "12", "characters of a header, at most"),
    ("question_max_length", "ASK_QUESTION_MAX_LENGTH", "500", "characters of a question, at most"),
    ("no_color", "NO_COLOR", "", "set to anything: no colours in the terminal"),
];

/// Returns every setting as it stands for a call without flags.
pub fn settings(environment: &Environment) -> Vec<Setting> {
    let data = data_folder(None, environment);
    let (folder, from) = data.unwrap_or((PathBuf::new(), From::Default));
    let mut settings = vec![
        Setting {
            name: "data",
            value: folder.display().to_string(),
            from,
            about: "the folder of the database, the keys and the log",
        },
        Setting {
            name: "listen",
            value: LISTEN.to_owned(),
            from: From::Default,
            about: "where the daemon listens; `serve --listen` sets it",
        },
    ];
    for (name, variable, default, about) in VARIABLES {
        let given = environment.get(variable);
        let from = if given.is_some() { From::Variable(variable) } else { From::Default };
        settings.push(Setting { name, value: given.unwrap_or(default).to_owned(), from, about });
    }
    let database = environment.has("ASKUSER_DATABASE");
    settings.push(Setting {
        name: "database",
        // A password may stand in it.
        value: if database { "(set)".to_owned() } else { "(in the data folder)".to_owned() },
        from: if database { From::Variable("ASKUSER_DATABASE") } else { From::Default },
        about: "the PostgreSQL database that several daemons share; `serve --database` sets it",
    });
    // Keys are never shown, only that they are there.
    for (name, variable) in [("person_key", "ASKUSER_KEY"), ("agent_key", "ASKUSER_AGENT_KEY")] {
        let given = environment.has(variable);
        settings.push(Setting {
            name,
            value: if given { "(set)".to_owned() } else { "(from the data folder)".to_owned() },
            from: if given { From::Variable(variable) } else { From::Default },
            about: "the key that the commands come with",
        });
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d16_a_flag_goes_before_a_variable_and_that_before_the_default() {
        let both = Environment::of(&[("ASKUSER_HOME", "/a"), ("HOME", "/h")]);
        assert_eq!(data_folder(Some("/f".into()), &both).unwrap(), ("/f".into(), From::Flag));
        assert_eq!(data_folder(None, &both).unwrap(), ("/a".into(), From::Variable("ASKUSER_HOME")));
        assert_eq!(data_folder(None, &Environment::of(&[])), Err(NoHome));
        #[cfg(not(target_os = "macos"))]
        for (vars, expected) in [
            (&[("HOME", "/h")][..], "/h/.local/share/askuser"),
            (&[("HOME", "/h"), ("XDG_DATA_HOME", "/x")][..], "/x/askuser"),
            (&[("HOME", "/h"), ("XDG_DATA_HOME", "rel")][..], "/h/.local/share/askuser"),
        ] {
            assert_eq!(data_folder(None, &Environment::of(vars)).unwrap().0, PathBuf::from(expected));
        }
    }

    #[test]
    fn every_setting_says_where_it_came_from_and_no_key_is_shown() {
        let environment =
            Environment::of(&[("HOME", "/h"), ("ASK_MAX_OPTIONS", "6"), ("ASKUSER_KEY", "askuser_person_x")]);
        let settings = settings(&environment);
        let find = |name: &str| settings.iter().find(|setting| setting.name == name).unwrap();
        assert_eq!(
            (find("max_options").value.as_str(), find("max_options").from.name()),
            ("6", "ASK_MAX_OPTIONS".into())
        );
        assert_eq!(find("max_questions").from, From::Default);
        assert!(settings.iter().all(|setting| !setting.value.contains("askuser_person")));
    }
}
