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
    /// Reads an `Accept-Language` header: whichever of ours the caller would rather have.
    pub fn accepted(header: &str) -> Self {
        let mut best = (Self::English, 0);
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
                best = (language, weight);
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
        let check = |header: &str, expected| assert_eq!(Language::accepted(header), expected, "{header}");
        check("", Language::English);
        check("zh-CN,zh;q=0.9,en;q=0.8", Language::Chinese);
        check("en-GB,zh;q=0.9", Language::English);
        check("fr, zh;q=0.3, en;q=0.25", Language::Chinese);
        check("zh;q=0", Language::English);
        check("ZH-hant", Language::Chinese);
        check(";;;,,q=,zh;x", Language::Chinese);
    }
}
