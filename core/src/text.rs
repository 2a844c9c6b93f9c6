//! What a text may contain, and how what it may not is shown (D10).
//!
//! Texts of an ask are kept as they came and made harmless where they are shown: a terminal
//! escape is drawn as a symbol, never sent to the terminal. In an answer it is refused.
//!
//! What has no width of its own could make two labels look alike, or hide a text from the person
//! that the agent reads. Decided character by character:
//!
//! | characters | are shown |
//! |---|---|
//! | controls, line and paragraph separators | as symbols: they act |
//! | marks and overrides of the writing direction (U+061C, U+200E-200F, U+202A-202E, U+2066-2069) | as symbols: they change the order in which a text is read |
//! | soft hyphen U+00AD, word joiner U+2060, byte order mark U+FEFF, invisible operators, fillers, tags, the rest that no script needs | as symbols: we break lines ourselves, and nothing else is lost |
//! | U+200B, where a line may break | as they are beside scripts that write no blanks (Thai, Lao, Khmer, Burmese, …), else as symbols |
//! | U+200C and U+200D, the joiners | as they are between letters of scripts that join or stack (Arabic, Persian, the Indic ones, …) and U+200D within an emoji, else as symbols |
//! | variation selectors | as they are directly behind what can vary (emoji, key caps, ideographs, symbols), else as symbols: a row of them hides a text |
//!
//! What stays can still tell two labels of those scripts apart without being seen; there the ids do.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a person's answer may not contain this character: control characters except new line
/// and tab.
pub fn is_refused_in_answers(letter: char) -> bool {
    letter.is_control() && letter != '\n' && letter != '\t'
}

/// Returns what is shown in place of a character that would act instead of being read.
///
/// Control characters have pictures in Unicode; the ones that turn the writing direction or break
/// a line have none and become the replacement character. New line and tab stay: every surface
/// lays them out itself.
pub fn symbol(letter: char) -> Option<char> {
    match letter {
        '\n' | '\t' => None,
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(letter)),
        '\u{7f}' => Some('\u{2421}'),
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => Some('\u{fffd}'),
        _ => None,
    }
}

/// Returns what is shown in place of a character that stands between these two.
fn symbol_between(before: Option<char>, letter: char, after: Option<char>) -> Option<char> {
    let works = match letter {
        '\u{200b}' => [before, after].into_iter().flatten().any(writes_no_blanks),
        '\u{200c}' => before.is_some_and(joins) && after.is_some_and(joins),
        '\u{200d}' => {
            let of_emoji = before.is_some_and(|letter| is_pictograph(letter) || letter == '\u{fe0f}')
                && after.is_some_and(is_pictograph);
            // In the Indic scripts it may also stand at the end, and keeps a letter half.
            of_emoji || before.is_some_and(joins)
        }
        '\u{180b}'..='\u{180f}' => before.is_some_and(|letter| ('\u{1820}'..='\u{18aa}').contains(&letter)),
        '\u{fe00}'..='\u{fe0f}' => before.is_some_and(varies),
        '\u{e0100}'..='\u{e01ef}' => before.is_some_and(is_ideograph),
        _ => return symbol(letter).or_else(|| is_unseen(letter).then_some('\u{fffd}')),
    };
    (!works).then_some('\u{fffd}')
}

/// Whether a character takes no room and no script needs it.
fn is_unseen(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether it belongs to a script that is written without blanks between words.
fn writes_no_blanks(letter: char) -> bool {
    matches!(letter,
        // Thai, Lao, Tibetan, Burmese
        '\u{e00}'..='\u{109f}'
        // Khmer; the Tai scripts and Khmer symbols; Tai Tham; Balinese
        | '\u{1780}'..='\u{17ff}' | '\u{1950}'..='\u{19ff}' | '\u{1a20}'..='\u{1aaf}' | '\u{1b00}'..='\u{1b7f}'
        // Javanese, more Burmese, Tai Viet
        | '\u{a980}'..='\u{aadf}')
}

/// Whether it belongs to a script whose letters join or stack.
fn joins(letter: char) -> bool {
    matches!(letter,
        // Arabic, Syriac, Thaana, N'Ko, Mandaic and what lies between; the Indic scripts
        '\u{620}'..='\u{8ff}' | '\u{900}'..='\u{dff}'
        // Tibetan, Burmese, Khmer, Mongolian
        | '\u{f00}'..='\u{109f}' | '\u{1780}'..='\u{18af}'
        // Balinese to Lepcha; Vedic signs; Devanagari signs to Meetei Mayek
        | '\u{1b00}'..='\u{1c4f}' | '\u{1cd0}'..='\u{1cff}' | '\u{a8e0}'..='\u{abff}'
        // Arabic in its written-out forms; the newer Indic scripts
        | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{11000}'..='\u{11fff}')
}

/// Whether it is a picture or a symbol, as emoji are made of.
fn is_pictograph(letter: char) -> bool {
    matches!(letter,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21ff}'
        | '\u{2300}'..='\u{23ff}' | '\u{2460}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}'
        | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// Whether a variation selector behind it does something.
fn varies(letter: char) -> bool {
    // Key caps are digits; mathematical operators have variants too.
    is_pictograph(letter)
        || is_ideograph(letter)
        || matches!(letter, '0'..='9' | '#' | '*' | '\u{2200}'..='\u{22ff}' | '\u{2a00}'..='\u{2aff}')
        || matches!(letter, '\u{1000}'..='\u{109f}' | '\u{a840}'..='\u{a87f}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}')
}

fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns a JSON text that says the same, in which everything is escaped that would act where it is printed:
/// what acts can stand nowhere in JSON but in a string.
pub fn escaped_in_json(json: &str) -> Cow<'_, str> {
    let acts = |letter: char| symbol(letter).is_some() || is_unseen(letter);
    if !json.contains(acts) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 64);
    for letter in json.chars() {
        if acts(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // Writing to a string does not fail.
                let _written = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(letter);
        }
    }
    Cow::Owned(out)
}

/// Returns the text as it may be shown. A carriage return before a new line is dropped.
pub fn shown(text: &str) -> Cow<'_, str> {
    // Nearly every text is plain: neighbours are looked at only where one of these stands.
    let plain = |letter: char| symbol_between(None, letter, None).is_none();
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    let mut before = None;
    let mut letters = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        out.push(symbol_between(before, letter, letters.peek().copied()).unwrap_or(letter));
        before = Some(letter);
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d10_what_would_act_is_shown_as_a_symbol() {
        assert_eq!(shown("plain 框架 👩‍👩‍👧\n\tok"), "plain 框架 👩‍👩‍👧\n\tok");
        assert_eq!(shown("\u{1b}[31mred\u{7}"), "␛[31mred␇");
        assert_eq!(shown("a\r\nb\rc"), "a\nb␍c");
        assert_eq!(shown("\u{9b}31m"), "\u{fffd}31m");
        assert_eq!(shown("abc\u{202e}def"), "abc\u{fffd}def");
    }

    /// D10: two labels that differ only in what has no width do not look alike.
    #[test]
    fn d10_what_hides_between_letters_is_seen() {
        for unseen in [
            '\u{ad}',
            '\u{200b}',
            '\u{200c}',
            '\u{200d}',
            '\u{200e}',
            '\u{2060}',
            '\u{2063}',
            '\u{feff}',
            '\u{34f}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{e0061}',
            '\u{e0100}',
            '\u{180e}',
            '\u{61c}',
            '\u{202e}',
        ] {
            let label = format!("Pro{unseen}duction");
            assert_eq!(shown(&label), "Pro\u{fffd}duction", "U+{:04X}", u32::from(unseen));
            assert_eq!(shown(&unseen.to_string()), "\u{fffd}", "U+{:04X}", u32::from(unseen));
        }
    }

    /// D10: what a script or an emoji needs stays as it is.
    #[test]
    fn d10_what_a_script_needs_stays() {
        for text in [
            "ภาษา\u{200b}ไทย",                         // Thai, where a line may break
            "ភាសា\u{200b}ខ្មែរ",                         // Khmer
            "می\u{200c}خواهم",                         // Persian
            "क्\u{200d}ष র\u{200d}্য",                   // Hindi, Bengali
            "👩\u{200d}👩\u{200d}👧 👩🏽\u{200d}🚀",     // a family, an astronaut
            "❤\u{fe0f}\u{200d}🔥 1\u{fe0f}⃣ ⚠\u{fe0f}", // a heart on fire, a key cap, a warning
            "葛\u{e0100}城市",                         // a variant of an ideograph
        ] {
            assert_eq!(shown(text), text);
        }
        // A row of selectors behind an emoji is a hidden text, and a joiner that joins nothing is seen.
        assert_eq!(shown("😀\u{fe0f}\u{fe01}\u{fe02}"), "😀\u{fe0f}\u{fffd}\u{fffd}");
        assert_eq!(shown("😀\u{200d}x"), "😀\u{fffd}x");
        assert_eq!(shown("ไทย\u{200b}\u{200b}\u{200b}"), "ไทย\u{200b}\u{fffd}\u{fffd}");
    }

    #[test]
    fn d10_json_says_the_same_and_nothing_in_it_acts() {
        let json = "{\"a\":\"x\u{9b}31m \u{202e}y \u{7f}\u{feff}\u{e0041} ภาษา\u{200b}ไทย\"}\n";
        let told = "{\"a\":\"x\\u009b31m \\u202ey \\u007f\\ufeff\\udb40\\udc41 ภาษา\u{200b}ไทย\"}\n";
        assert_eq!(escaped_in_json(json), told);
        assert!(matches!(escaped_in_json("{\"a\": [1]}"), Cow::Borrowed(_)));
    }

    #[test]
    fn d10_answers_take_no_control_characters_but_new_line_and_tab() {
        assert!("O'Brien & <T>\n\t".chars().all(|letter| !is_refused_in_answers(letter)));
        assert!(is_refused_in_answers('\u{1b}') && is_refused_in_answers('\0'));
        assert!(is_refused_in_answers('\r') && is_refused_in_answers('\u{85}'));
    }
}
