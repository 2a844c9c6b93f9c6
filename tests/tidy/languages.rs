//! What people read is in `words/` alone, in both languages on one line: no other code says anything in Chinese. It
//! is written with one apostrophe, and the page's script with one kind of quotes.

use super::none;
use super::sources::{Source, crate_files, script_files, texts};

/// Files that may hold Chinese, with the reason: what people type, and what models write, is no phrase of ours.
const MAY_READ_IT: [(&str, &str); 4] = [
    ("core/src/question.rs", "the mark by which a model recommends an option"),
    ("src/cli/labels.rs", "yes and no, as people type them"),
    ("src/cli/commands/purge.rs", "the same"),
    ("terminal/src/plain/typed.rs", "the same"),
];

/// Suites and samples: compiled for tests alone.
const ONLY_TESTS: [&str; 6] = [
    "src/cli/commands/tables.rs",
    "store/src/conformance/",
    "terminal/src/any_keys.rs",
    "terminal/src/inbox/samples.rs",
    "terminal/src/samples.rs",
    "web/src/any_ask.rs",
];

/// The texts of a file's own code that say something in Chinese.
fn said(source: &Source) -> Vec<String> {
    let is_chinese = |text: &&str| text.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter));
    let found = texts(&source.text).into_iter().filter(is_chinese);
    found.map(|text| format!("{}: `{text}` belongs into words/", source.path)).collect()
}

#[test]
fn both_languages_are_in_words_alone() {
    let made_up = |text: &str| Source { path: "src/a.rs".into(), text: text.into() };
    assert_eq!(said(&made_up("language.pick(\"waiting\", \"待回答\")")).len(), 1);
    none(&said(&made_up("// 待回答\nf(\"waiting\");\n#[cfg(test)]\nmod tests { f(\"待回答\") }")));
    let listed = |source: &Source, paths: &[&str]| paths.iter().any(|path| source.path.starts_with(path));
    let files = crate_files().into_iter().filter(|source| !source.path.starts_with("words/"));
    let files: Vec<Source> =
        files.filter(|source| !source.is_test() && !listed(source, &ONLY_TESTS)).collect();
    let may = MAY_READ_IT.map(|(path, _)| path);
    let (may_read, others): (Vec<&Source>, Vec<&Source>) =
        files.iter().partition(|source| listed(source, &may));
    none(&others.into_iter().flat_map(said).collect::<Vec<_>>());
    // An exception that is none any more goes.
    let idle = may_read.iter().filter(|source| said(source).is_empty()).map(|source| source.path.clone());
    none(&idle.collect::<Vec<_>>());
    assert_eq!(may_read.len(), may.len());
}

/// The lines that hold the other apostrophe: programs and terminals are told the plain one, to the byte.
fn curly(source: &Source) -> Vec<String> {
    let found = source.text.lines().filter(|line| line.contains('’'));
    found.map(|line| format!("{}: {}: write '", source.path, line.trim())).collect()
}

#[test]
fn there_is_one_apostrophe() {
    let made_up = |text: &str| Source { path: "words/src/a.rs".into(), text: text.into() };
    assert_eq!(curly(&made_up("a: \"didn’t\"\nb: \"didn't\"")).len(), 1);
    let words: Vec<Source> =
        crate_files().into_iter().filter(|source| source.path.starts_with("words/")).collect();
    assert!(words.len() > 10);
    none(&words.iter().flat_map(curly).collect::<Vec<_>>());
}

/// The lines of a script with a text in double quotes; within other quotes, and in comments, they are just letters.
fn double_quoted(source: &Source) -> Vec<String> {
    let is_double = |line: &&str| {
        let mut within = None;
        let code = line.split("//").next().unwrap_or_default();
        code.chars().any(|letter| match (within, letter) {
            (None, '"') => true,
            (None, '\'' | '`') => {
                within = Some(letter);
                false
            }
            (Some(quote), letter) if quote == letter => {
                within = None;
                false
            }
            _ => false,
        })
    };
    let lines = source.text.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
    lines.filter(is_double).map(|line| format!("{}: {}: write '", source.path, line.trim())).collect()
}

#[test]
fn the_script_has_one_kind_of_quotes() {
    let made_up = |text: &str| Source { path: "a.js".into(), text: text.into() };
    assert_eq!(double_quoted(&made_up("say(\"a\");\nsay('a \"b\"'); // \"c\"")).len(), 1);
    none(&script_files().iter().flat_map(double_quoted).collect::<Vec<_>>());
}
