//! Names of things. Ids are handed in; nothing here makes one up.
//!
//! Asks and sessions have time-ordered 128-bit ids with a prefix on the wire (`ask_01J…`), so a
//! stray id says what it is. Questions and choices are named by their asker.

use std::fmt;
use std::str::FromStr;

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const DIGITS: usize = 26;
/// The longest prefix.
const PREFIX_MAX: usize = 5;
const NO_DIGIT: u8 = 0xff;
/// What each byte is worth as a digit, in either case.
#[expect(clippy::cast_possible_truncation, reason = "there are 32 digits")]
const VALUES: [u8; 256] = {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while value < ALPHABET.len() {
        let letter = ALPHABET[value];
        values[letter as usize] = value as u8;
        values[letter.to_ascii_lowercase() as usize] = value as u8;
        value += 1;
    }
    values
};

/// The text is not an id of the kind that was wanted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an id that begins with `{prefix}`")]
pub struct NotAnId {
    text: String,
    prefix: &'static str,
}

fn encode(prefix: &str, number: u128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // In one piece, so that a text of its own makes room once.
    let mut id = [b'0'; PREFIX_MAX + DIGITS];
    let (before, rest) = id.split_at_mut(prefix.len().min(PREFIX_MAX));
    before.copy_from_slice(&prefix.as_bytes()[..before.len()]);
    let digits = &mut rest[..DIGITS];
    for (place, digit) in digits.iter_mut().rev().enumerate() {
        *digit = ALPHABET[(number >> (place * 5)) as usize & 31];
    }
    let length = before.len() + DIGITS;
    f.write_str(str::from_utf8(&id[..length]).unwrap_or_default())
}

fn decode(prefix: &'static str, text: &str) -> Result<u128, NotAnId> {
    let wrong = || NotAnId { text: text.chars().take(64).collect(), prefix };
    let digits = text.strip_prefix(prefix).ok_or_else(wrong)?;
    if digits.len() != DIGITS {
        return Err(wrong());
    }
    let mut number: u128 = 0;
    for (place, digit) in digits.bytes().enumerate() {
        let value = VALUES[usize::from(digit)];
        // 26 digits of 5 bits are two bits more than fit: the first digit is 0 to 7.
        if value == NO_DIGIT || (place == 0 && value > 7) {
            return Err(wrong());
        }
        number = (number << 5) | u128::from(value);
    }
    Ok(number)
}

macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u128);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                encode($prefix, self.0, f)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;
            fn from_str(text: &str) -> Result<Self, NotAnId> {
                decode($prefix, text).map(Self)
            }
        }
    };
}

/// Names an API key, for listing, revoking and telling one asker from another. Not the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(pub u128);

numbered!(
    /// Names one ask: `ask_` and 26 digits, ordered by the time of asking.
    AskId, "ask_");
numbered!(
    /// Names one session: `ses_` and 26 digits.
    SessionId, "ses_");
numbered!(
    /// Names one task: `task_` and 26 digits.
    TaskId, "task_");
numbered!(
    /// Names one server, for as long as its data folder is there: `srv_` and 26 digits.
    ServerId, "srv_");

/// Names one message: a UUID, as other programs' transcripts have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(pub u128);

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:032x}", self.0);
        let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
        write!(f, "{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
    }
}

impl FromStr for MessageId {
    type Err = NotAnId;
    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let wrong = || NotAnId { text: text.chars().take(64).collect(), prefix: "" };
        let lengths: Vec<usize> = text.split('-').map(str::len).collect();
        if lengths != [8, 4, 4, 4, 12] {
            return Err(wrong());
        }
        u128::from_str_radix(&text.replace('-', ""), 16).map(Self).map_err(|_| wrong())
    }
}

macro_rules! named {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// Takes the name as it was given.
            pub fn new(name: impl Into<Box<str>>) -> Self {
                Self(name.into())
            }

            /// Returns the name as it was given.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(name: &str) -> Self {
                Self::new(name)
            }
        }
    };
}

named!(
    /// Names a question within its session.
    QuestionId);
named!(
    /// Names a choice within its question.
    ChoiceId);
named!(
    /// Names a user of the desk.
    UserId);

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let got = match text.parse::<AskId>() {
            Ok(id) => format!("ok {id}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expected);
    }

    #[test]
    fn an_id_says_what_it_names_and_reads_back() {
        check("ask_01ARZ3NDEKTSV4RRFFQ69G5FAV", "ok ask_01ARZ3NDEKTSV4RRFFQ69G5FAV");
        check("ask_01arz3ndektsv4rrffq69g5fav", "ok ask_01ARZ3NDEKTSV4RRFFQ69G5FAV");
        check("ask_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "ok ask_7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
        check(
            "ses_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "`ses_01ARZ3NDEKTSV4RRFFQ69G5FAV` is not an id that begins with `ask_`",
        );
        check(
            "ask_8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            "`ask_8ZZZZZZZZZZZZZZZZZZZZZZZZZ` is not an id that begins with `ask_`",
        );
        check(
            "ask_01ARZ3NDEKTSV4RRFFQ69G5FAU",
            "`ask_01ARZ3NDEKTSV4RRFFQ69G5FAU` is not an id that begins with `ask_`",
        );
        check("", "`` is not an id that begins with `ask_`");
    }

    #[test]
    fn a_message_is_named_by_a_uuid() {
        let text = "01890a5d-ac96-774b-bcce-b302099a8057";
        assert_eq!(text.parse::<MessageId>().unwrap().to_string(), text);
        for wrong in ["", "01890a5dac96774bbcceb302099a8057", "01890a5d-ac96-774b-bcce-b302099a805x"] {
            assert!(wrong.parse::<MessageId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn ids_order_as_their_text_orders() {
        let (early, late) = (AskId(1 << 80), AskId((1 << 80) + 1));
        assert!(early < late && early.to_string() < late.to_string());
    }
}
