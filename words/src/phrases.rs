//! One line a phrase, in both languages.

use std::fmt::Display;

/// A phrase as it is written, for tests and for the page's script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phrase {
    /// Its name in the code.
    pub name: &'static str,
    /// In English, with `{name}` where something is filled in; of many, where one is said otherwise.
    pub english: &'static str,
    /// In English, of one.
    pub one: Option<&'static str>,
    /// In Chinese.
    pub chinese: &'static str,
}

/// A number of things, of which English says one otherwise than many.
pub trait Count: Display + Copy {
    /// Whether it is one.
    fn is_one(self) -> bool;
}

macro_rules! count {
    ($($number:ty),*) => {
        $(impl Count for $number {
            fn is_one(self) -> bool {
                self == 1
            }
        })*
    };
}

count!(u8, u16, u32, u64, usize);

/// Makes a table of phrases: a type that is a language, with a method for each phrase.
///
/// ```text
/// phrases! {
///     /// What the page says.
///     Page {
///         inbox: "Inbox" | "收件箱";
///         round(n): "Round {n}" | "第 {n} 轮";
///         waiting[n]: "{n} question waiting" / "{n} questions waiting" | "{n} 个问题待回答";
///     }
/// }
/// ```
macro_rules! phrases {
    ($(#[$of:meta])* $table:ident { $(
        $name:ident $(($($arg:ident),+))? $([$n:ident $(, $more:ident)*])? :
        $english:literal $(/ $many:literal)? | $chinese:literal;
    )* }) => {
        $(#[$of])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $table(pub $crate::Language);

        impl From<$crate::Language> for $table {
            fn from(language: $crate::Language) -> Self {
                Self(language)
            }
        }

        impl $table {
            /// Every phrase, as it is written.
            pub const ALL: &'static [$crate::Phrase] = &[
                $(phrases!(@row $name $english ($($many)?) $chinese)),*
            ];

            $(phrases! { @method $name ($($($arg),+)?) [$($n $(, $more)*)?] $english ($($many)?) $chinese })*
        }
    };
    (@row $name:ident $english:literal () $chinese:literal) => {
        $crate::Phrase { name: stringify!($name), english: $english, one: None, chinese: $chinese }
    };
    (@row $name:ident $one:literal ($many:literal) $chinese:literal) => {
        $crate::Phrase { name: stringify!($name), english: $many, one: Some($one), chinese: $chinese }
    };
    (@method $name:ident () [] $english:literal () $chinese:literal) => {
        #[doc = concat!("The phrase `", stringify!($name), "`.")]
        pub const fn $name(self) -> &'static str {
            match self.0 {
                $crate::Language::English => $english,
                $crate::Language::Chinese => $chinese,
            }
        }
    };
    (@method $name:ident ($($arg:ident),+) [] $english:literal () $chinese:literal) => {
        #[doc = concat!("The phrase `", stringify!($name), "`.")]
        pub fn $name(self, $($arg: impl std::fmt::Display),+) -> String {
            match self.0 {
                $crate::Language::English => format!($english),
                $crate::Language::Chinese => format!($chinese),
            }
        }
    };
    (@method $name:ident () [$n:ident $(, $more:ident)*] $one:literal ($many:literal) $chinese:literal) => {
        #[doc = concat!("The phrase `", stringify!($name), "`, counted.")]
        pub fn $name(self, $n: impl $crate::Count $(, $more: impl std::fmt::Display)*) -> String {
            match self.0 {
                $crate::Language::English if $n.is_one() => format!($one),
                $crate::Language::English => format!($many),
                $crate::Language::Chinese => format!($chinese),
            }
        }
    };
}

#[cfg(test)]
mod tests {
    #![expect(unreachable_pub, reason = "tables are made to be public")]

    use crate::Language;

    phrases! {
        /// A table to try.
        Tried {
            plain: "Inbox" | "收件箱";
            filled(n, what): "{n} of {what}" | "{what}的 {n}";
            counted[n, who]: "{who} has one question" / "{who} has {n} questions" | "{who} 有 {n} 个问题";
        }
    }

    #[test]
    fn a_phrase_is_said_in_either_language() {
        let [english, chinese] = [Tried(Language::English), Tried(Language::Chinese)];
        assert_eq!([english.plain(), chinese.plain()], ["Inbox", "收件箱"]);
        assert_eq!(english.filled(2, "{n}"), "2 of {n}", "what is filled in is not filled in again");
        assert_eq!(chinese.filled(2, "3"), "3的 2");
        assert_eq!(
            [1, 2_usize].map(|n| english.counted(n, "ann")),
            ["ann has one question", "ann has 2 questions"]
        );
        assert_eq!(chinese.counted(1_u32, "ann"), "ann 有 1 个问题");
        assert_eq!(Tried::ALL.len(), 3);
    }
}
