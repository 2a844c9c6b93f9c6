//! What a person likes: theme, language, density, sound, notifications, speech, the name that others
//! see. Kept in a cookie of this browser; nothing in it is secret.

use std::borrow::Cow;

use askuser_words::Language;
use axum::http::HeaderMap;

use askuser_api::cookie::cookie;

/// The cookie's name.
pub(super) const COOKIE: &str = "askuser_look";
/// The longest name that others see, in characters.
pub(super) const NAME_CHARS_MAX: usize = 40;

/// How this browser's person wants the page.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are the switches of a page of switches")]
pub(super) struct Look {
    pub(super) theme: Theme,
    /// The language chosen; none follows the browser's.
    pub(super) language: Option<Language>,
    pub(super) density: Density,
    pub(super) sound: bool,
    pub(super) notify: bool,
    pub(super) speech: bool,
    /// Whether single keys do something.
    pub(super) keys: bool,
    /// Whether earlier answers stay out of sight where the same is asked again.
    pub(super) forgetful: bool,
    /// What others on the same ask see; the user's name where it is empty.
    pub(super) name: String,
}

/// Light, dark, or as the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// How much room things take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Density {
    #[default]
    Cosy,
    Compact,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            theme: Theme::default(),
            language: None,
            density: Density::default(),
            sound: false,
            notify: false,
            speech: false,
            keys: true,
            forgetful: false,
            name: String::new(),
        }
    }
}

impl Theme {
    pub(super) const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

impl Density {
    pub(super) const ALL: [Self; 2] = [Self::Cosy, Self::Compact];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Cosy => "cosy",
            Self::Compact => "compact",
        }
    }
}

/// The languages, as a form names them.
pub(super) const LANGUAGES: [(&str, Language); 2] = [("en", Language::English), ("zh", Language::Chinese)];

impl Look {
    /// Reads the cookie; what it does not say, or says wrong, is as usual.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        cookie(headers, COOKIE)
            .map(|value| Self::read(form_urlencoded::parse(value.as_bytes())))
            .unwrap_or_default()
    }

    /// Reads the fields of the form on the page of preferences.
    pub(super) fn read<'a>(fields: impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> Self {
        // A switch that is off is not sent at all.
        let mut look = Self { keys: false, ..Self::default() };
        for (name, value) in fields {
            let on = value == "on";
            match name.as_ref() {
                "theme" => {
                    look.theme =
                        Theme::ALL.into_iter().find(|theme| theme.name() == value).unwrap_or_default();
                }
                "language" => {
                    let named = LANGUAGES.into_iter().find(|(name, _)| *name == value);
                    look.language = named.map(|(_, language)| language);
                }
                "density" => {
                    let named = Density::ALL.into_iter().find(|density| density.name() == value);
                    look.density = named.unwrap_or_default();
                }
                "sound" => look.sound = on,
                "notifications" => look.notify = on,
                "speech" => look.speech = on,
                "keys" => look.keys = on,
                "forgetful" => look.forgetful = on,
                "name" => look.name = value.trim().chars().take(NAME_CHARS_MAX).collect(),
                _ => {}
            }
        }
        look
    }

    /// Writes it as the cookie's value.
    pub(super) fn write(&self) -> String {
        let mut fields = form_urlencoded::Serializer::new(String::new());
        fields.append_pair("theme", self.theme.name()).append_pair("density", self.density.name());
        if let Some(language) = self.language {
            fields.append_pair("language", tag(language));
        }
        for (name, on) in [
            ("sound", self.sound),
            ("notifications", self.notify),
            ("speech", self.speech),
            ("keys", self.keys),
            ("forgetful", self.forgetful),
        ] {
            if on {
                fields.append_pair(name, "on");
            }
        }
        fields.append_pair("name", &self.name);
        fields.finish()
    }
}

/// The language as a form and `lang` name it.
pub(super) fn tag(language: Language) -> &'static str {
    language.pick("en", "zh")
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    #[test]
    fn d19_what_a_person_likes_is_read_back_as_it_was_kept() {
        let look = Look {
            theme: Theme::Dark,
            language: Some(Language::Chinese),
            density: Density::Compact,
            sound: true,
            notify: false,
            speech: true,
            keys: false,
            forgetful: true,
            name: "李 & Ann; <b>".to_owned(),
        };
        let mut headers = HeaderMap::new();
        let line = format!("other=1; {COOKIE}={}", look.write());
        headers.insert(header::COOKIE, line.parse().unwrap());
        assert_eq!(Look::of(&headers), look);
    }

    #[test]
    fn what_makes_no_sense_is_as_usual() {
        let mut headers = HeaderMap::new();
        assert_eq!(Look::of(&headers), Look::default());
        let line = format!("{COOKIE}=theme=purple&language=xx&density=&sound=yes&keys=on&%FF=%FF");
        headers.insert(header::COOKIE, line.parse().unwrap());
        assert_eq!(Look::of(&headers), Look::default());
        assert_eq!(Look::read(form_urlencoded::parse("x".repeat(99).as_bytes())).name, "");
    }
}
