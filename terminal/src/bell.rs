//! Rings: the terminal's bell, or the sequences by which terminals show a notification of their own
//! (OSC 9, 99, 777). What is said in one was made harmless, and cut.

use askuser_core::text::shown;

/// Characters that a notification of a terminal has at most.
const CHARS_MAX: usize = 80;

/// How a terminal rings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bell {
    /// Not at all.
    Off,
    /// As it always did.
    Bell,
    /// OSC 9, of `iTerm2`, `ConEmu`, Windows Terminal, `WezTerm` and others.
    Osc9,
    /// OSC 99, of kitty.
    Osc99,
    /// OSC 777, of rxvt and others.
    Osc777,
}

impl Bell {
    /// Reads `ASKUSER_BELL`; `usual` where it says nothing that is known here.
    pub fn from(get: impl Fn(&str) -> Option<String>, usual: Self) -> Self {
        match get("ASKUSER_BELL").as_deref() {
            Some("off") => Self::Off,
            Some("bell") => Self::Bell,
            Some("9") => Self::Osc9,
            Some("99") => Self::Osc99,
            Some("777") => Self::Osc777,
            _ => usual,
        }
    }

    /// Returns what is written to ring; `in_tmux`, so that it gets through to the terminal behind it.
    pub fn ring(self, text: &str, in_tmux: bool) -> String {
        // A semicolon or a line break would end the text in some of them.
        let text: String = shown(text).replace(['\n', '\t', ';'], " ").chars().take(CHARS_MAX).collect();
        let sequence = match self {
            Self::Off => return String::new(),
            // It rings through tmux by itself.
            Self::Bell => return "\u{7}".to_owned(),
            Self::Osc9 => format!("\u{1b}]9;{text}\u{1b}\\"),
            Self::Osc99 => format!("\u{1b}]99;;{text}\u{1b}\\"),
            Self::Osc777 => format!("\u{1b}]777;notify;askuser;{text}\u{1b}\\"),
        };
        if in_tmux {
            format!("\u{1b}Ptmux;{}\u{1b}\\", sequence.replace('\u{1b}', "\u{1b}\u{1b}"))
        } else {
            sequence
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_terminal_is_rung_in_its_own_way_and_hostile_text_stays_text() {
        let of = |word: &str| Bell::from(|_| Some(word.to_owned()), Bell::Off);
        assert_eq!(of("bell").ring("x", true), "\u{7}");
        assert_eq!(of("9").ring("Ship it?", false), "\u{1b}]9;Ship it?\u{1b}\\");
        assert_eq!(of("99").ring("a;b", false), "\u{1b}]99;;a b\u{1b}\\");
        assert_eq!(of("777").ring("x", false), "\u{1b}]777;notify;askuser;x\u{1b}\\");
        assert_eq!(of("9").ring("x", true), "\u{1b}Ptmux;\u{1b}\u{1b}]9;x\u{1b}\u{1b}\\\u{1b}\\");
        assert_eq!(of("off").ring("x", false), "");
        assert_eq!(Bell::from(|_| None, Bell::Bell), Bell::Bell);
        let hostile = of("9").ring("\u{1b}]0;evil\u{7}\u{9c}\n2", false);
        assert_eq!(hostile.matches('\u{1b}').count(), 2, "{hostile:?}");
        assert!(!hostile.contains(['\u{7}', '\u{9c}', '\n']));
        assert!(of("9").ring(&"é".repeat(999), false).chars().count() < 90);
    }
}
