//! The languages in which a caller is spoken to.

/// A language that every message exists in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English, where nothing else is asked for.
    #[default]
    English,
    /// Chinese.
    Chinese,
}

impl Language {
    /// Reads the name of a language or a locale, as the environment has it: `zh`, `zh_CN.UTF-8`.
    pub fn named(name: &str) -> Self {
        if name.to_ascii_lowercase().starts_with("zh") { Self::Chinese } else { Self::English }
    }

    /// Finds the language that a person reads, from the environment's variables.
    pub fn of_person(get: impl Fn(&str) -> Option<String>) -> Self {
        Self::set_by_person(get).unwrap_or_default()
    }

    /// The same; none where no variable names a language. The locale `C` names none.
    pub fn set_by_person(get: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let mut named = ["ASKUSER_LANG", "LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(get);
        let name = named.find(|value| !value.is_empty())?;
        let is_none = ["C", "POSIX"].contains(&name.split('.').next().unwrap_or_default());
        (!is_none).then(|| Self::named(&name))
    }

    /// Returns its name on the web.
    pub fn tag(self) -> &'static str {
        self.pick("en", "zh")
    }

    /// Reads an `Accept-Language` header: whichever of ours the caller would rather have; none where it names
    /// none of them.
    pub fn accepted(header: &str) -> Option<Self> {
        let mut best = (None, 0);
        for part in header.split(',') {
            let (tag, weight) = part.split_once(';').unwrap_or((part, "q=1"));
            let primary = tag.trim().split('-').next().unwrap_or_default().to_ascii_lowercase();
            let language = match primary.as_str() {
                "en" => Self::English,
                "zh" => Self::Chinese,
                _ => continue,
            };
            let weight = thousandths(weight);
            if weight > best.1 {
                best = (Some(language), weight);
            }
        }
        best.0
    }

    /// Returns the text in this language.
    pub fn pick<T>(self, english: T, chinese: T) -> T {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }
}

/// Reads `q=0.8` as 800; what is not a weight weighs as if nothing were said.
fn thousandths(weight: &str) -> u32 {
    let Some(number) = weight.trim().strip_prefix("q=") else { return 1000 };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let part: String = part.chars().chain("000".chars()).take(3).collect();
    match (whole.trim().parse::<u32>(), part.parse::<u32>()) {
        (Ok(0), Ok(part)) => part,
        _ => 1000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_is_spoken_to_in_the_language_it_would_rather_have() {
        let none = |header: &str| assert_eq!(Language::accepted(header), None, "{header}");
        let check =
            |header: &str, expected| assert_eq!(Language::accepted(header), Some(expected), "{header}");
        for header in ["", "*", "fr, de;q=0.5", "zh;q=0"] {
            none(header);
        }
        check("zh-CN,zh;q=0.9,en;q=0.8", Language::Chinese);
        check("en-GB,zh;q=0.9", Language::English);
        check("fr, zh;q=0.3, en;q=0.25", Language::Chinese);
        check("ZH-hant", Language::Chinese);
        check(";;;,,q=,zh;x", Language::Chinese);
    }
}
