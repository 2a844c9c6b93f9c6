//! No command is without its group, its example and its page.

use std::collections::BTreeSet;

use super::*;
use crate::cli::help::groups::GROUPS;

/// Every command with its words, the hidden ones too.
fn all(command: &Command, path: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for command in command.get_subcommands().filter(|command| command.get_name() != "help" || path.is_empty())
    {
        let path: Vec<String> = path.iter().cloned().chain([command.get_name().to_owned()]).collect();
        found.extend(all(command, &path));
        found.push(path);
    }
    found
}

/// Takes a line apart as a shell does, as far as examples need it.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (None, ' ') => words.push(String::new()),
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (_, c) => words.last_mut().unwrap().push(c),
        }
    }
    words
}

#[test]
fn the_command_line_is_sound() {
    command(None).debug_assert();
}

#[test]
fn every_command_is_in_one_group() {
    let command = command(None);
    let visible = command.get_subcommands().filter(|command| !command.is_hide_set());
    for name in visible.map(Command::get_name) {
        let n_groups = GROUPS.iter().filter(|(_, names)| names.contains(&name)).count();
        assert_eq!(n_groups, 1, "{name} belongs into one group of groups.rs");
    }
}

#[test]
fn every_command_has_an_example_that_can_be_typed() {
    let known: BTreeSet<Vec<String>> =
        ENTRIES.iter().map(|entry| entry.path.iter().map(ToString::to_string).collect()).collect();
    assert_eq!(known.len(), ENTRIES.len(), "each has one entry");
    let all: BTreeSet<Vec<String>> = all(&command(None), &[]).into_iter().collect();
    assert_eq!(all.difference(&known).collect::<Vec<_>>(), Vec::<&Vec<String>>::new(), "have no example");
    assert_eq!(known.difference(&all).collect::<Vec<_>>(), Vec::<&Vec<String>>::new(), "are no commands");
    for entry in ENTRIES {
        for example in entry.examples {
            let words: Vec<OsString> = words(example).into_iter().map(Into::into).collect();
            assert!(
                words[1..].starts_with(&entry.path.iter().map(Into::into).collect::<Vec<OsString>>()),
                "{example}"
            );
            parsed(&words).unwrap_or_else(|error| panic!("{example}: {error}"));
        }
    }
}

#[test]
fn help_fits_its_terminal() {
    for columns in [120, 80, 60, 40] {
        let text = command(Some(columns)).term_width(columns).render_help().to_string();
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns, "{columns}: {widest}\n{text}");
        insta::assert_snapshot!(format!("help_{columns}"), text);
    }
}

#[test]
fn every_command_explains_itself_in_eighty_columns_and_in_forty() {
    for columns in [80, 40] {
        let mut root = command(Some(columns));
        root.build();
        let mut pages = Vec::new();
        for path in all(&root, &[]) {
            let found = path.iter().try_fold(&root, |command, name| command.find_subcommand(name)).unwrap();
            let text = found.clone().term_width(columns).render_long_help().to_string();
            // The names of a flag and of its value are not broken, nor the usage, nor a word.
            let is_whole = |line: &str| {
                line.trim().starts_with('-') || line.starts_with("Usage:") || !line.trim().contains(' ')
            };
            let wide = text.lines().find(|line| line.chars().count() > columns && !is_whole(line));
            assert_eq!(wide, None, "{path:?}");
            pages.push(format!("$ askuser {} --help\n{}", path.join(" "), text.trim_end()));
        }
        insta::assert_snapshot!(format!("every_command_{columns}"), pages.join("\n\n\n"));
    }
}

#[test]
fn every_command_has_a_man_page() {
    let pages = man::pages().unwrap();
    let text = |name: &str| {
        let page = pages.iter().find(|(file, _)| file == name);
        String::from_utf8(page.unwrap_or_else(|| panic!("no {name}")).1.clone()).unwrap()
    };
    let command = command(None);
    for path in all(&command, &[]).into_iter().filter(|path| path != &["man"]) {
        let page = text(&format!("askuser-{}.1", path.join("-")));
        assert!(page.contains(".SH NAME") && page.contains("Example"), "{path:?}: {page}");
    }
    assert!(text("askuser.1").contains("AskUserQuestion") || text("askuser.1").contains("ask"));
    assert!(text("AskUserQuestion.1").contains("multiSelect"));
}
