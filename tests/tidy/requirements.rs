//! Every requirement has a test that says so, in its name (`t6_…`) or in its doc comment (`T6`); the
//! stories in a browser say it in their names (`story("T6 …")`). What code and tests cite is on the page.

use std::collections::BTreeSet;

use super::none;
use super::sources::{all_rust_files, browser_files, root};

/// What the product must do.
#[rustfmt::skip]
const REQUIREMENTS: &[&str] = &[
    "T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10", "T11", "T12", "T13", "T14",
    "E1", "E2", "E3", "E4", "E5", "E6", "E7",
    "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "D14", "D15", "D16", "D17", "D18", "D19",
    "O1", "O2", "O3", "O4", "O5", "O6", "O7", "O8", "O9",
    "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11", "P12", "P13", "P14", "P15", "P16", "P17", "P18", "P19", "P20",
    "B1", "B2", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "M3", "M16", "M20", "M25", "M26",
];

/// What looks like a requirement and is none: a key of the keyboard.
const NO_REQUIREMENT: &str = "F1";

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

/// Whether a text has a test of this name, a function or a story, that names this requirement.
fn has_test(text: &str, name: &str, id: &str) -> bool {
    if text.contains(&format!("fn {name}(")) {
        // The test alone: its doc comment and its name.
        let end = text.find(&format!("fn {name}(")).unwrap_or_default() + name.len() + 4;
        let begin = text[..end].rfind("\n\n").unwrap_or_default();
        return words_of_tests(&text[begin..end]).contains(id);
    }
    name.split(' ').any(|word| word == id) && text.contains(name)
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

/// Whether a word looks like a requirement: a letter and a number of one or two digits.
fn is_code(word: &str) -> bool {
    let mut characters = word.chars();
    let begins = characters.next().is_some_and(|letter| letter.is_ascii_uppercase());
    begins && matches!(word.len(), 2..=3) && characters.all(|c| c.is_ascii_digit())
}

/// Returns the requirements that a Rust file cites: at the beginning of a test's name, and in comments
/// outside of backticks.
fn cited(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for line in text.lines() {
        if let Some((_, name)) = line.split_once("fn ") {
            let codes = name.split('_').map(str::to_uppercase).take_while(|word| is_code(word));
            words.extend(codes);
        }
        let mut slashes = line.match_indices("//").map(|(at, _)| line.split_at(at));
        let Some((_, comment)) = slashes.find(|(before, _)| !before.ends_with(':')) else { continue };
        let prose = comment.split('`').step_by(2);
        words.extend(prose.flat_map(|part| part.split(|c: char| !c.is_alphanumeric())).map(str::to_owned));
    }
    words.retain(|word| is_code(word) && word != NO_REQUIREMENT);
    words
}

#[test]
fn a_cited_requirement_is_found_in_names_of_tests_and_in_comments() {
    let text = "fn q1_p2_so() {}\nlet url = \"http://Q2\"; // as Q3 says, not `Q4`\n/// (Q5, Q66, Q777, UQ8)\nQ9;\nfn h264() {}";
    assert_eq!(cited(text).into_iter().collect::<Vec<_>>(), ["P2", "Q1", "Q3", "Q5", "Q66"]);
}

#[test]
fn every_cited_requirement_is_defined() {
    let mut undefined = Vec::new();
    for source in all_rust_files().iter().filter(|source| !source.path.ends_with("tidy/requirements.rs")) {
        let codes = cited(&source.text);
        let codes = codes.iter().filter(|code| !REQUIREMENTS.contains(&code.as_str()));
        undefined.extend(codes.map(|code| format!("{}: {code} is not in docs/requirements.md", source.path)));
    }
    for source in browser_files() {
        let codes = words_of_stories(&source.text).into_iter().filter(|word| is_code(word));
        let codes = codes.filter(|code| !REQUIREMENTS.contains(&code.as_str()));
        undefined.extend(codes.map(|code| format!("{}: {code} is not in docs/requirements.md", source.path)));
    }
    none(&undefined);
}

#[test]
fn every_requirement_has_a_test() {
    let mut words = BTreeSet::new();
    for source in all_rust_files() {
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

/// `docs/requirements.md` names every requirement once, in order, each with tests that are there and name it.
#[test]
fn the_page_of_requirements_names_tests_that_are_there() {
    let root = root();
    let page = std::fs::read_to_string(root.join("docs/requirements.md")).unwrap();
    let mut wrong = Vec::new();
    let mut listed = Vec::new();
    let (lines, otherwise) = page.split_once("## Where askuser differs from the designs, and why").unwrap();
    assert!(otherwise.lines().filter(|line| line.starts_with("| ")).count() > 5, "it says what is otherwise");
    for line in lines.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| id")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [id, _, section, proof] = cells[..] else { panic!("four cells: {line}") };
        listed.push(id);
        assert!(!section.is_empty(), "{line}");
        let tests: Vec<&str> = proof.split('`').filter(|part| part.contains("::")).collect();
        if tests.is_empty() {
            wrong.push(format!("{id} names no test"));
        }
        for (file, name) in tests.iter().filter_map(|test| test.split_once("::")) {
            let text = std::fs::read_to_string(root.join(file)).unwrap_or_default();
            if !has_test(&text, name, id) {
                wrong.push(format!("{id}: {file} has no test {name} that names it"));
            }
        }
    }
    let sorted = |ids: &[&str]| -> BTreeSet<String> { ids.iter().map(ToString::to_string).collect() };
    assert_eq!(listed.len(), REQUIREMENTS.len(), "each once");
    assert_eq!(sorted(&listed), sorted(REQUIREMENTS));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
