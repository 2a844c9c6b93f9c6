//! What is known of a coding agent is known in `agents/` alone: no other code names one.

use std::collections::BTreeSet;

use askuser_agents::AGENTS;

use super::none;
use super::sources::{Source, crate_files, texts};

/// Files that may hold such a word, with the reason.
const MAY_NAME_ONE: [(&str, &str); 2] = [
    ("wire/src/dialect.rs", "the names of dialects, which `--dialect` takes"),
    ("config/src/agents.rs", "the name of a driver, as the configuration writes it"),
];

/// Suites and samples: compiled for tests alone.
const ONLY_TESTS: [&str; 5] = [
    "src/cli/commands/tables.rs",
    "store/src/conformance/",
    "terminal/src/inbox/samples.rs",
    "terminal/src/samples.rs",
    "words/src/tables.rs",
];

/// Every word by which an agent is told from others. Not the programs that people start: `code` is a word like any.
fn known() -> BTreeSet<&'static str> {
    let words = AGENTS.iter().flat_map(|agent| {
        let named = [agent.name, agent.command_name()].into_iter();
        let lists =
            [agent.clients, agent.marks, agent.doubts, agent.processes].into_iter().flatten().copied();
        let meta = [agent.meta.conversation, agent.meta.tool_call, agent.meta.folder];
        named.chain(lists).chain(meta.into_iter().chain([agent.conversation]).flatten())
    });
    words.collect()
}

/// The texts of a file's own code that are such a word.
fn named(source: &Source) -> Vec<String> {
    let known = known();
    let found = texts(&source.text).into_iter().filter(|text| known.contains(text));
    found.map(|text| format!("{}: `{text}` belongs into a file of agents/src/", source.path)).collect()
}

#[test]
fn no_agent_is_named_outside_its_file() {
    let made_up = |text: &str| Source { path: "src/a.rs".into(), text: text.into() };
    for text in ["if a == \"codex\" {}", "match a { \"gemini-cli\" | \"x\" => 1 }", "f(\"CLAUDECODE\")"] {
        assert_eq!(named(&made_up(text)).len(), 1, "{text}");
    }
    none(&named(&made_up(
        "// \"codex\"\nf(\"askuser install codex\");\n#[cfg(test)]\nmod tests { f(\"codex\") }",
    )));
    // A file that is only compiled for tests may ask as anybody.
    let is_test =
        |source: &Source| source.is_test() || ONLY_TESTS.iter().any(|path| source.path.starts_with(path));
    let files = crate_files().into_iter().filter(|source| !source.path.starts_with("agents/"));
    let files: Vec<Source> = files.filter(|source| !is_test(source)).collect();
    let (may, others): (Vec<&Source>, Vec<&Source>) =
        files.iter().partition(|source| MAY_NAME_ONE.iter().any(|(path, _)| *path == source.path));
    none(&others.into_iter().flat_map(named).collect::<Vec<_>>());
    assert_eq!(may.iter().filter(|source| !named(source).is_empty()).count(), MAY_NAME_ONE.len());
}
