//! Every setting as it stands, for `askuser config`.

use std::path::PathBuf;

use askuser_words::Language;
use askuser_words::settings::Settings;

use super::keys::{KEYS, TABLES};
use super::load::Loaded;
use super::{Origin, data_folder};
use askuser_system::environment::Environment;

/// A setting as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    pub name: String,
    /// Its value, as text; empty where there is none.
    pub value: String,
    /// Where that came from.
    pub from: Origin,
    /// What it is for.
    pub about: String,
}

/// Settings of the commands: a variable and nothing else, with their defaults.
const VARIABLES: [(&str, &str, &str); 11] = [
    ("url", "ASKUSER_URL", ""),
    ("where", "ASKUSER_WHERE", ""),
    ("plain", "ASKUSER_PLAIN", ""),
    ("language", "ASKUSER_LANG", ""),
    ("max_questions", "ASK_MAX_QUESTIONS", "4"),
    ("max_options", "ASK_MAX_OPTIONS", "4"),
    ("header_max_length", "ASK_HEADER_MAX_LENGTH", "12"),
    ("question_max_length", "ASK_QUESTION_MAX_LENGTH", "500"),
    ("bell", "ASKUSER_BELL", ""),
    ("no_color", "NO_COLOR", ""),
    ("pager", "ASKUSER_PAGER", ""),
];

/// Returns every setting as it is. JSON has what English says.
pub fn settings(loaded: &Loaded, environment: &Environment, language: Language) -> Vec<Setting> {
    let said = Settings(language);
    let setting = |name: &str, value: String, from: Origin| Setting {
        name: name.to_owned(),
        value,
        from,
        about: language.setting(name).to_owned(),
    };
    let (folder, from) = data_folder(None, environment).unwrap_or((PathBuf::new(), Origin::Default));
    let mut settings = vec![setting("data", folder.display().to_string(), from)];
    settings.extend(VARIABLES.into_iter().map(|(name, variable, default)| {
        let given = environment.get(variable);
        let from = if given.is_some() { Origin::Variable(variable) } else { Origin::Default };
        setting(name, given.unwrap_or(default).to_owned(), from)
    }));
    // Keys are never shown, only that they are there.
    for (name, variable) in [("person_key", "ASKUSER_KEY"), ("agent_key", "ASKUSER_AGENT_KEY")] {
        let (value, from) = if environment.has(variable) {
            (said.is_set(), Origin::Variable(variable))
        } else {
            (said.of_data_folder(), Origin::Default)
        };
        settings.push(setting(name, value.to_owned(), from));
    }
    let keys = KEYS.iter().zip(&loaded.origins);
    settings.extend(keys.map(|(key, from)| setting(&key.full_name(), key.show(&loaded.config), *from)));
    let tables = TABLES.iter().zip(loaded.origins.iter().skip(KEYS.len()));
    settings.extend(
        tables.map(|(table, from)| setting(table.name, said.entries(table.count(&loaded.config)), *from)),
    );
    settings
}

#[cfg(test)]
mod tests {
    use askuser_words::settings as words;

    use super::*;
    use crate::Sources;
    use crate::keys::SECTIONS;

    #[test]
    fn every_setting_says_where_it_came_from_and_no_key_is_shown() {
        let environment =
            Environment::of(&[("HOME", "/h"), ("ASK_MAX_OPTIONS", "6"), ("ASKUSER_KEY", "askuser_person_x")]);
        let loaded = Sources { environment: environment.clone(), ..Sources::default() }.load().unwrap();
        let settings = settings(&loaded, &environment, Language::English);
        let find = |name: &str| settings.iter().find(|setting| setting.name == name).unwrap();
        assert_eq!(
            (find("max_options").value.as_str(), find("max_options").from.name()),
            ("6", "ASK_MAX_OPTIONS".into())
        );
        assert_eq!(find("max_questions").from, Origin::Default);
        assert_eq!(find("ask_user_question.session_timeout").value, "3600");
        assert!(settings.iter().all(|setting| !setting.value.contains("askuser_person")));
        assert!(settings.iter().all(|setting| !setting.about.is_empty()), "{settings:?}");
        let n_settings = [words::SETTINGS, words::VARIABLES].map(<[_]>::len).into_iter().sum::<usize>();
        assert_eq!(settings.len(), n_settings + TABLES.len(), "a text that no setting has");
        assert_eq!(words::SECTIONS.len(), SECTIONS.len() + TABLES.len());
        let comments =
            TABLES.iter().flat_map(|table| table.sample.lines()).filter(|line| line.contains("# "));
        let is_known = |line: &str| words::COMMENTS.iter().any(|known| line.ends_with(known.english));
        assert!(comments.clone().all(is_known));
        assert_eq!(comments.count(), words::COMMENTS.len());
    }

    /// D16: the alerts that are there from the start come from no file; those of a file say their line.
    #[test]
    fn d16_a_table_says_where_it_came_from() {
        let origin = |sources: Sources, name: &str| {
            let settings = settings(&sources.load().unwrap(), &Environment::default(), Language::English);
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
