//! What serde could not read, in a person's words: it says what is wrong in one text, and in English.

use askuser_words::config::Wrong;
use askuser_words::{Both, quoted};

use super::nearest::did_you_mean;
use super::said::Said;

/// Between the two languages of an error of our own: serde carries one text.
const BETWEEN: char = '\u{1f}';

/// Returns an error of our own, for serde to carry.
pub(super) fn carried<E: serde::de::Error>(what: &Both) -> E {
    E::custom(in_one(what))
}

/// Writes both languages into one text.
pub(super) fn in_one(what: &Both) -> String {
    format!("{}{BETWEEN}{}", what.english, what.chinese)
}

/// Says what could not be read.
pub(super) fn said(error: &serde_json::Error) -> Said {
    let text = error.to_string();
    if let Some((english, chinese)) = text.split_once(BETWEEN) {
        return Said::from(Both { english: english.to_owned(), chinese: chinese.to_owned() });
    }
    Said::new(|say| in_words(&text, say).unwrap_or_else(|| say.0.of(&quoted(&text)).to_owned()))
}

fn in_words(text: &str, say: Wrong) -> Option<String> {
    let mut named = text.split('`').skip(1).step_by(2);
    if text.starts_with("missing field") {
        return Some(say.of(named.next()?, say.missing()));
    }
    if text.starts_with("unknown field") {
        let name = named.next()?;
        return Some(say.no_key(name, did_you_mean(name, named, say)));
    }
    if text.starts_with("unknown variant") {
        let given = say.quoted(named.next()?);
        return Some(say.is_not(given, say.any_of(named.collect::<Vec<_>>().join(", "))));
    }
    let (given, wanted) = text.strip_prefix("invalid type: ")?.split_once(", expected ")?;
    Some(say.is_not(given_kind(given, say)?, wanted_kind(wanted, say)?))
}

fn given_kind(given: &str, say: Wrong) -> Option<&'static str> {
    Some(match given.split([' ', '`', '"']).next()? {
        "string" => say.text(),
        "integer" | "floating" => say.number(),
        "boolean" => say.true_or_false(),
        "sequence" => say.list(),
        "map" => say.table(),
        "null" | "unit" => say.nothing(),
        _ => return None,
    })
}

fn wanted_kind(wanted: &str, say: Wrong) -> Option<&'static str> {
    Some(match wanted.split(' ').collect::<Vec<_>>().as_slice() {
        ["a", "string"] | ["string", ..] => say.text(),
        ["a", "boolean"] => say.true_or_false(),
        ["a", "sequence"] => say.list(),
        ["a", "map"] | ["struct" | "internally", ..] => say.table(),
        ["u8" | "u64" | "i64" | "usize"] => say.whole_number(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use askuser_words::Language;
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Part {
        #[serde(rename = "topic")]
        _topic: String,
        #[serde(rename = "people")]
        _people: Vec<i64>,
    }

    #[track_caller]
    fn check(given: Value, english: &str, chinese: &str) {
        let said = said(&serde_json::from_value::<Part>(given).unwrap_err());
        assert_eq!([Language::English, Language::Chinese].map(|of| said.in_language(of)), [english, chinese]);
    }

    #[test]
    fn what_serde_says_is_said_in_words() {
        check(json!({"people": []}), "`topic` is missing", "`topic` 缺失");
        check(
            json!({"topik": "x"}),
            "no key `topik`: did you mean `topic`?",
            "没有键 `topik`：是否想写 `topic`？",
        );
        check(json!({"topic": 7}), "is a number, not a text", "是数字，应为文本");
        check(json!({"topic": "x", "people": "ann"}), "is a text, not a list", "是文本，应为列表");
        check(json!({"topic": "x", "people": ["1"]}), "is a text, not a whole number", "是文本，应为整数");
        check(json!(null), "is nothing, not a table", "是空值，应为表");
        // Nobody knows what a later serde says.
        check(json!({"topic": "x", "people": [1.5]}), "is a number, not a whole number", "是数字，应为整数");
    }

    #[test]
    fn what_we_say_ourselves_keeps_both_languages() {
        let both = Both { english: "is late".to_owned(), chinese: "太晚".to_owned() };
        let said = said(&carried(&both));
        assert_eq!(said.in_language(Language::Chinese), "太晚");
        assert_eq!(said.to_string(), "is late");
    }
}
