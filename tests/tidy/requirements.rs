//! Every requirement has a test that says so, in its name (`t6_…`) or in its doc comment (`T6`); the
//! stories in a browser say it in their names (`story("T6 …")`).

use std::collections::BTreeSet;

use super::sources::{browser_files, rust_files};

/// What the product must do by now. D16 comes with the configuration file.
#[rustfmt::skip]
const REQUIREMENTS: &[&str] = &[
    "T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10", "T11", "T12", "T13", "T14",
    "E1", "E2", "E3", "E4", "E5", "E6", "E7",
    "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "D14", "D16", "D17", "D18", "D19",
    "O1", "O2", "O3", "O4", "O5", "O6", "O7", "O8", "O9",
    "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11", "P12", "P13", "P14", "P15", "P16", "P17", "P18", "P19", "P20",
];

/// Returns the words in the names and doc comments of the tests in a text, names in capitals.
fn words_of_tests(text: &str) -> BTreeSet<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut words = BTreeSet::new();
    for (idx, line) in lines.iter().enumerate() {
        if *line != "#[test]" && !line.starts_with("#[tokio::test") {
            continue;
        }
        let above = lines[..idx].iter().rev();
        let above = above.take_while(|line| line.starts_with("///") || line.starts_with("#["));
        let below = lines[idx..].iter().take_while(|line| line.starts_with("///") || line.starts_with('#'));
        for doc in above.chain(below).filter_map(|line| line.strip_prefix("///")) {
            words.extend(doc.split(|c: char| !c.is_alphanumeric()).map(str::to_owned));
        }
        let name = lines[idx..].iter().find_map(|line| line.split_once("fn "));
        if let Some((_, name)) = name {
            let name = name.split(|c: char| !c.is_alphanumeric() && c != '_').next();
            words.extend(name.unwrap_or_default().split('_').map(str::to_uppercase));
        }
    }
    words
}

/// Returns the words in the names of the stories in a text. A name is the first argument, in quotes of
/// any kind, perhaps on a line of its own.
fn words_of_stories(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for call in ["story(", "desk_and_phone(", "test("] {
        for (idx, _) in text.match_indices(call) {
            let joined = text[..idx].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'));
            let name = text[idx + call.len()..].trim_start();
            let Some(quote) = name.chars().next().filter(|c| matches!(c, '"' | '`' | '\'')) else { continue };
            if joined {
                continue;
            }
            let name = name[1..].split(quote).next().unwrap_or_default();
            words.extend(name.split(|c: char| !c.is_alphanumeric()).map(str::to_owned));
        }
    }
    words
}

#[test]
fn a_requirement_is_found_in_the_name_of_a_story_and_nowhere_else() {
    let text = "story(\"P7 a follow-up opens\", run);\n// story of T1\nconst t = \"T2\";\n\
                desk_and_phone(\n  `D1 D2 ${how}`,\n  run);\nhere.story = (name) => test(name);\n\
                history(\"T3\"); pattern.test(\"T4\"); test('O7 ends', run)";
    let words = words_of_stories(text);
    let ids = ["P7", "T1", "T2", "D1", "D2", "T3", "T4", "O7"];
    let found: Vec<_> = ids.into_iter().filter(|id| words.contains(*id)).collect();
    assert_eq!(found, ["P7", "D1", "D2", "O7"]);
}

#[test]
fn a_requirement_is_found_in_the_name_or_the_doc_of_a_test_and_nowhere_else() {
    let text = "/// Proves T1 and P10.\n#[test]\nfn t14_is_so() { t6(); }\n\
                /// T7.\nfn not_a_test() {}\n// T8\n#[test]\n#[ignore]\n/// D2-D4\nfn e2() {}";
    let words = words_of_tests(text);
    let found: Vec<_> = REQUIREMENTS.iter().filter(|id| words.contains(**id)).collect();
    assert_eq!(found, [&"T1", &"T14", &"E2", &"D2", &"D4", &"P10"]);
}

#[test]
fn every_requirement_has_a_test() {
    let mut words = BTreeSet::new();
    for source in rust_files(&["core/src", "src", "tests"]) {
        // The made-up tests above must not count.
        if !source.path.ends_with("tidy/requirements.rs") {
            words.extend(words_of_tests(&source.text));
        }
    }
    for source in browser_files() {
        words.extend(words_of_stories(&source.text));
    }
    let missing: Vec<_> = REQUIREMENTS.iter().filter(|id| !words.contains(**id)).collect();
    assert!(missing.is_empty(), "no test names these requirements: {missing:?}");
}
