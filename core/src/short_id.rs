//! What a person types of an id: its beginning or its end.
//!
//! Ids are ordered by time, so those of one day begin alike and end differently: what is shown is the end.
//! A part means something only where one id has it, among all that there ever were.

use std::ops::RangeInclusive;

/// The fewest characters that stand for an id.
pub const PART_CHARS_MIN: usize = 4;

/// The digits that an id is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digits {
    /// 26 digits and capital letters, as asks, sessions and tasks have them.
    Base32,
    /// 32 hexadecimal digits, as keys and browsers have them.
    Hex,
}

impl Digits {
    const fn bits(self) -> usize {
        match self {
            Self::Base32 => 5,
            Self::Hex => 4,
        }
    }

    /// How many digits a whole id has.
    const fn count(self) -> usize {
        match self {
            Self::Base32 => 26,
            Self::Hex => 32,
        }
    }

    /// What a character is worth. Letters that are easily taken for a digit are read as that digit, where they are
    /// no digits of their own.
    fn value(self, letter: char) -> Option<u128> {
        let letter = letter.to_ascii_uppercase();
        let letter = match (self, letter) {
            (_, 'O') => '0',
            (_, 'I' | 'L') => '1',
            (_, letter) => letter,
        };
        let alphabet = &"0123456789ABCDEFGHJKMNPQRSTVWXYZ"[..1 << self.bits()];
        alphabet.find(letter).and_then(|value| u128::try_from(value).ok())
    }

    /// Writes the last digits of an id.
    fn end(self, id: u128, n_digits: usize) -> String {
        let alphabet: &[u8; 32] = match self {
            Self::Base32 => b"0123456789ABCDEFGHJKMNPQRSTVWXYZ",
            Self::Hex => b"0123456789abcdef0123456789abcdef",
        };
        let mask = (1 << self.bits()) - 1;
        let digit = |place: usize| {
            let value = usize::try_from((id >> (place * self.bits())) & mask).unwrap_or_default();
            char::from(alphabet[value & 31])
        };
        (0..n_digits).rev().map(digit).collect()
    }
}

/// The beginning or the end of an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    digits: Digits,
    n_digits: usize,
    value: u128,
}

impl Part {
    /// Reads what was typed: with or without the prefix, in either case, with or without `…` where something was
    /// left out. None where it is part of no id, or too short to stand for one.
    pub fn read(typed: &str, prefix: &str, digits: Digits) -> Option<Self> {
        let bare = |text: &'_ str| text.trim_matches('…').trim_matches('.').to_owned();
        let typed = bare(typed.trim());
        let typed = match typed.get(..prefix.len()) {
            Some(start) if start.eq_ignore_ascii_case(prefix) => bare(&typed[prefix.len()..]),
            _ => typed,
        };
        let n_digits = typed.chars().count();
        if !(PART_CHARS_MIN..=digits.count()).contains(&n_digits) {
            return None;
        }
        let mut value: u128 = 0;
        for letter in typed.chars() {
            // 26 digits of 5 bits are two bits more than an id has.
            if value >> (128 - digits.bits()) != 0 {
                return None;
            }
            value = (value << digits.bits()) | digits.value(letter)?;
        }
        Some(Self { digits, n_digits, value })
    }

    /// Returns between which ids all those are that begin so; none where none can.
    pub fn beginning(&self) -> Option<RangeInclusive<u128>> {
        let rest = (self.digits.count() - self.n_digits) * self.digits.bits();
        let from = self.value.checked_shl(u32::try_from(rest).ok()?)?;
        (from >> rest == self.value).then(|| from..=from | ((1_u128 << rest) - 1))
    }

    /// Returns the last sixteen bits of every id that ends so.
    #[expect(clippy::cast_possible_truncation, reason = "the last bits are wanted")]
    pub fn tail(&self) -> u16 {
        self.value as u16
    }

    /// Whether an id ends so.
    pub fn ends(&self, id: u128) -> bool {
        let bits = self.n_digits * self.digits.bits();
        bits >= 128 && id == self.value || bits < 128 && id & ((1 << bits) - 1) == self.value
    }

    /// Whether an id begins or ends so.
    pub fn fits(&self, id: u128) -> bool {
        self.ends(id) || self.beginning().is_some_and(|range| range.contains(&id))
    }
}

/// Returns the last sixteen bits of an id: every id that ends as it does in four characters has the same.
#[expect(clippy::cast_possible_truncation, reason = "the last bits are wanted")]
pub fn tail(id: u128) -> u16 {
    id as u16
}

/// Returns the shortest end of an id that no other has, given all those of the same [`tail`]. It never begins with
/// a zero, as every id does: so it is never the beginning of another.
pub fn shortest_end(id: u128, others: impl IntoIterator<Item = u128>, digits: Digits) -> String {
    let alike = |other: u128| (id ^ other).trailing_zeros() as usize / digits.bits();
    let others = others.into_iter().filter(|other| *other != id);
    let n_alike = others.map(alike).max().unwrap_or(0);
    let shortest = (n_alike + 1).max(PART_CHARS_MIN);
    let is_zero =
        |n_digits: &usize| (id >> ((n_digits - 1) * digits.bits())) & ((1 << digits.bits()) - 1) == 0;
    let n_digits = (shortest..digits.count()).find(|n_digits| !is_zero(n_digits)).unwrap_or(digits.count());
    digits.end(id, n_digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::AskId;

    const ID: &str = "ask_01M7MR5HTHE008AZZ93X8DYNQD";

    fn part(typed: &str) -> Option<Part> {
        Part::read(typed, "ask_", Digits::Base32)
    }

    fn id() -> u128 {
        ID.parse::<AskId>().unwrap().0
    }

    #[test]
    fn a_beginning_or_an_end_is_typed_in_any_way_that_is_read_as_one() {
        let typed = [
            "DYNQD",
            "dynqd",
            "NQD4",
            "8DYNQD",
            "01M7",
            "ask_01M7",
            "ASK_01m7mr",
            "ask_01M7…",
            "01M7...",
            "…DYNQD",
            "ask_…DYNQD",
            "01M7MR5HTHE008AZZ93X8DYNQD",
            ID,
            "O1M7MR5HTHEoo8",
            " DYNQD ",
        ];
        let fits: Vec<bool> = typed.iter().map(|typed| part(typed).unwrap().fits(id())).collect();
        assert_eq!(fits, typed.map(|typed| typed != "NQD4"));
        for typed in
            ["", "NQD", "ask_01M", "should", "ses_01M7", "DYNQDU", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "…", "é1M7"]
        {
            assert_eq!(part(typed), None, "{typed}");
        }
        assert_eq!(part(&format!("0{}", &ID[4..])), None, "a digit too many");
        assert_eq!(part("ZZZZ").unwrap().beginning(), None, "no id begins so");
        assert_eq!(part(ID).unwrap().beginning(), Some(id()..=id()));
    }

    #[test]
    fn a_key_is_typed_by_its_hexadecimal_digits() {
        let key = 0x0199_7c2b_0000_7abc_8def_0123_4567_89ab_u128;
        let part = |typed: &str| Part::read(typed, "", Digits::Hex);
        for typed in ["0199", "89AB", "6789ab", "01997c2b00007abc8def0123456789ab"] {
            assert!(part(typed).unwrap().fits(key), "{typed}");
        }
        assert!(!part("89ac").unwrap().fits(key));
        assert_eq!(part("01997c2b00007abc8def0123456789ab0"), None);
        assert_eq!(shortest_end(key, [], Digits::Hex), "89ab");
    }

    #[test]
    fn the_shortest_end_is_one_that_no_other_id_has() {
        let end = |others: &[u128]| shortest_end(id(), others.iter().copied(), Digits::Base32);
        assert_eq!(end(&[]), "YNQD");
        assert_eq!(end(&[id()]), "YNQD", "an id is not another than itself");
        assert_eq!(end(&[id() ^ (1 << 19)]), "YNQD", "they differ in the fourth digit");
        assert_eq!(end(&[id() ^ (1 << 20)]), "DYNQD");
        assert_eq!(end(&[id() ^ (1 << 20), id() ^ (1 << 30)]), "X8DYNQD");
        // What begins with a zero could be a beginning: it is shown with one more.
        let zero = "ask_01M7MR5HTHE008AZZ93X8D01M7".parse::<AskId>().unwrap().0;
        assert_eq!(shortest_end(zero, [], Digits::Base32), "D01M7");
        assert_eq!(shortest_end(7, [], Digits::Base32), "00000000000000000000000007");
        for shown in [end(&[]), end(&[id() ^ (1 << 20)])] {
            assert!(part(&shown).unwrap().ends(id()) && part(&shown).unwrap().tail() == tail(id()));
        }
    }
}
