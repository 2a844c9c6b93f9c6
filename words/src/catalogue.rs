//! Phrases that are looked up by a text: for what another library holds, or a table of its own.

/// Makes a list of phrases. One is found by its English text, or by a name of its own.
///
/// ```text
/// catalogue! {
///     /// What options are for.
///     OPTIONS {
///         "Print JSON" | "打印 JSON";
///         "log.level": "How much is logged" | "日志的详细程度";
///     }
/// }
/// ```
macro_rules! catalogue {
    ($(#[$of:meta])* $table:ident { $($first:literal $(: $english:literal)? | $chinese:literal;)* }) => {
        $(#[$of])*
        pub const $table: &[$crate::Phrase] = &[$(catalogue!(@row $first ($($english)?) $chinese)),*];
    };
    (@row $english:literal () $chinese:literal) => {
        $crate::Phrase { name: $english, english: $english, one: None, chinese: $chinese }
    };
    (@row $name:literal ($english:literal) $chinese:literal) => {
        $crate::Phrase { name: $name, english: $english, one: None, chinese: $chinese }
    };
}
