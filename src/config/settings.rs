//! Every setting as it stands, for `askuser config`.

use std::path::PathBuf;

use super::keys::{KEYS, TABLES};
use super::load::Loaded;
use super::{From, data_folder};
use crate::environment::Environment;

/// A setting as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Its value, as text; empty where there is none.
    pub value: String,
    /// Where that came from.
    pub from: From,
    /// What it is for.
    pub about: String,
}

/// Settings of the commands: a variable and nothing else, with their defaults and what they are for.
const VARIABLES: [(&str, &str, &str, &str); 11] = [
    ("url", "ASKUSER_URL", "", "the desk to speak to, instead of the data folder's own daemon"),
    ("where", "ASKUSER_WHERE", "", "terminal, desk, both or stdin: where a question is asked"),
    ("plain", "ASKUSER_PLAIN", "", "box or list: numbered lines instead of the panel"),
    ("language", "ASKUSER_LANG", "", "the language of the words around a question; else that of the locale"),
    ("max_questions", "ASK_MAX_QUESTIONS", "4", "questions of one ask, at most"),
    ("max_options", "ASK_MAX_OPTIONS", "4", "options of one question, at most"),
    ("header_max_length", "ASK_HEADER_MAX_LENGTH", "12", "characters of a header, at most"),
    ("question_max_length", "ASK_QUESTION_MAX_LENGTH", "500", "characters of a question, at most"),
    (
        "bell",
        "ASKUSER_BELL",
        "",
        "off, bell, 9, 99 or 777: how the terminal rings for a question; else the inbox rings its bell",
    ),
    ("no_color", "NO_COLOR", "", "set to anything: no colours in the terminal"),
    (
        "pager",
        "ASKUSER_PAGER",
        "",
        "the program that shows long output; else PAGER, else less; empty for none",
    ),
];

/// Returns every setting as it stands.
pub fn settings(loaded: &Loaded, environment: &Environment) -> Vec<Setting> {
    let (folder, from) = data_folder(None, environment).unwrap_or((PathBuf::new(), From::Default));
    let mut settings = vec![Setting {
        name: "data".to_owned(),
        value: folder.display().to_string(),
        from,
        about: "the folder of the database, the keys and the log".to_owned(),
    }];
    let own = |(name, variable, default, about): (&str, &'static str, &str, &str)| {
        let given = environment.get(variable);
        let from = if given.is_some() { From::Variable(variable) } else { From::Default };
        let value = given.unwrap_or(default).to_owned();
        Setting { name: name.to_owned(), value, from, about: about.to_owned() }
    };
    settings.extend(VARIABLES.into_iter().map(own));
    // Keys are never shown, only that they are there.
    for (name, variable) in [("person_key", "ASKUSER_KEY"), ("agent_key", "ASKUSER_AGENT_KEY")] {
        let given = environment.has(variable);
        settings.push(Setting {
            name: name.to_owned(),
            value: if given { "(set)".to_owned() } else { "(from the data folder)".to_owned() },
            from: if given { From::Variable(variable) } else { From::Default },
            about: "the key that the commands come with".to_owned(),
        });
    }
    for (key, from) in KEYS.iter().zip(&loaded.origins) {
        let about = key.about.join("").trim().to_owned();
        settings.push(Setting { name: key.full_name(), value: key.show(&loaded.config), from: *from, about });
    }
    for (table, from) in TABLES.iter().zip(loaded.origins.iter().skip(KEYS.len())) {
        let n_entries = table.count(&loaded.config);
        let about = table.about.join("").trim().to_owned();
        settings.push(Setting {
            name: table.name.to_owned(),
            value: if n_entries == 1 { "1 entry".to_owned() } else { format!("{n_entries} entries") },
            from: *from,
            about,
        });
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Sources;

    #[test]
    fn every_setting_says_where_it_came_from_and_no_key_is_shown() {
        let environment =
            Environment::of(&[("HOME", "/h"), ("ASK_MAX_OPTIONS", "6"), ("ASKUSER_KEY", "askuser_person_x")]);
        let loaded = Sources { environment: environment.clone(), ..Sources::default() }.load().unwrap();
        let settings = settings(&loaded, &environment);
        let find = |name: &str| settings.iter().find(|setting| setting.name == name).unwrap();
        assert_eq!(
            (find("max_options").value.as_str(), find("max_options").from.name()),
            ("6", "ASK_MAX_OPTIONS".into())
        );
        assert_eq!(find("max_questions").from, From::Default);
        assert_eq!(find("ask_user_question.session_timeout").value, "3600");
        assert!(settings.iter().all(|setting| !setting.value.contains("askuser_person")));
    }

    /// D16: the alerts that are there from the start come from no file; those of a file say their line.
    #[test]
    fn d16_a_table_says_where_it_came_from() {
        let origin = |sources: Sources, name: &str| {
            let settings = settings(&sources.load().unwrap(), &Environment::default());
            let found = settings.into_iter().find(|setting| setting.name == name).unwrap();
            (found.value, found.from.name())
        };
        let default = |value: &str| (value.to_owned(), "default".to_owned());
        assert_eq!(origin(Sources::default(), "alerts"), default("2 entries"));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.yaml");
        std::fs::write(&file, "log: {level: debug}\n\nalerts: {rules: {high_error_rate: null}}\n").unwrap();
        let named = || Sources { named: Some(file.clone()), ..Sources::default() };
        assert_eq!(origin(named(), "alerts"), ("1 entry".to_owned(), "line 3 of the file".to_owned()));
        assert_eq!(origin(named(), "groups"), default("0 entries"));
    }
}
