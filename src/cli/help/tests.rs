//! No command is without its group, its example and its page.

use std::collections::BTreeSet;

use askuser_agents::AGENTS;
use askuser_core::time::Timestamp;
use askuser_words::help;

use super::*;
use crate::cli::commands::GROUPS;
use askuser_terminal::width::width;

const BOTH: [Language; 2] = [Language::English, Language::Chinese];

fn screen(columns: usize, language: Language) -> Screen {
    Screen::made(columns, language, Timestamp(0))
}

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
    command(Language::English).debug_assert();
}

#[test]
fn every_command_is_in_one_group() {
    let command = command(Language::English);
    let visible = command.get_subcommands().filter(|command| !command.is_hide_set());
    for name in visible.map(Command::get_name) {
        let n_groups = GROUPS.iter().filter(|(_, names)| names.contains(&name)).count();
        assert_eq!(n_groups, 1, "{name} belongs into one group");
    }
}

#[test]
fn every_command_has_an_example_that_can_be_typed() {
    let root = command(Language::English);
    for path in all(&root, &[]) {
        let found = path.iter().try_fold(&root, |command, name| command.find_subcommand(name));
        let examples = examples(found.unwrap());
        assert!(!examples.is_empty(), "{path:?} has no example");
        for example in examples {
            let words = words(&example);
            assert!(words[1..].starts_with(&path), "{example}");
            let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
            parsed(&words, Language::English).unwrap_or_else(|error| panic!("{example}: {error}"));
        }
    }
}

/// Every text that a page of help is made of.
fn texts(command: &Command, found: &mut BTreeSet<String>) {
    let mut add = |text: Option<&StyledStr>| {
        let text = text.map(ToString::to_string).unwrap_or_default();
        found.extend(text.split("\n\n").filter(|part| !part.is_empty()).map(str::to_owned));
    };
    add(command.get_about());
    add(command.get_long_about());
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
        add(arg.get_help());
        if !arg.is_hide_possible_values_set() {
            arg.get_possible_values().iter().for_each(|value| add(value.get_help()));
        }
    }
    let args: Vec<&Arg> = command.get_arguments().filter(|arg| !arg.is_hide_set()).collect();
    let with_value = args.iter().filter(|arg| arg.get_action().takes_values());
    let names = with_value.flat_map(|arg| arg.get_value_names().unwrap_or_default());
    found.extend(names.map(ToString::to_string));
    found.extend(args.iter().filter_map(|arg| arg.get_help_heading()).map(str::to_owned));
    command.get_subcommands().for_each(|command| texts(command, found));
}

/// What is added to the command line is said in Chinese too, and what is taken out of it is nowhere any more.
#[test]
fn every_text_of_the_help_has_its_twin() {
    let mut root = command(Language::English);
    // Those that every command has are at the root only, so long as it has not been built.
    let mut found = BTreeSet::from(["Other".to_owned()]);
    texts(&root, &mut found);
    found.extend(GROUPS.iter().map(|(title, _)| (*title).to_owned()));
    found.extend(topics::abouts(Language::English).map(|(_, about)| about));
    // Agents are called the same in both.
    found.retain(|text| AGENTS.iter().all(|agent| agent.title != text));
    let known: BTreeSet<String> =
        help::ALL.into_iter().flatten().map(|phrase| phrase.english.to_owned()).collect();
    let missing: Vec<&String> = found.difference(&known).collect();
    let unused: Vec<&String> = known.difference(&found).collect();
    assert!(missing.is_empty() && unused.is_empty(), "without a twin: {missing:#?}\nunused: {unused:#?}");
    assert_eq!(known.len(), help::ALL.into_iter().flatten().count(), "each has one twin");
    root.build();
}

/// A page of the documentation that is there in Chinese is shown in Chinese.
#[test]
fn topics_are_shown_in_the_language_they_are_written_in() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for name in topics::names() {
        let topic = topics::find(name).unwrap();
        let pages = BOTH.map(|language| topic.page(&screen(0, language)));
        assert_eq!(docs.join(format!("{name}.zh-CN.md")).exists(), pages[0] != pages[1], "{name}");
    }
}

#[test]
fn help_fits_its_terminal() {
    for (columns, language) in [120, 80, 60, 40].into_iter().flat_map(|columns| BOTH.map(|of| (columns, of)))
    {
        let text = page_of(&[""; 0], &screen(columns, language)).unwrap();
        assert!(text.lines().all(|line| width(line) <= columns), "{columns}\n{text}");
        insta::assert_snapshot!(format!("help_{columns}_{}", language.tag()), text);
    }
}

#[test]
fn every_command_explains_itself_in_eighty_columns_and_in_forty() {
    for (columns, language) in [80, 40].into_iter().flat_map(|columns| BOTH.map(|of| (columns, of))) {
        let mut pages = Vec::new();
        for path in all(&command(language), &[]) {
            let text = page_of(&path, &screen(columns, language)).unwrap();
            // The names of an option and of its value are not broken, nor is an example.
            let is_whole = |line: &str| line.trim().starts_with('-') || line.starts_with("  askuser");
            let wide = text.lines().find(|line| width(line) > columns && !is_whole(line));
            assert_eq!(wide, None, "{path:?}");
            pages.push(format!("$ askuser {} --help\n{text}", path.join(" ")));
        }
        insta::assert_snapshot!(format!("every_command_{columns}_{}", language.tag()), pages.join("\n\n\n"));
    }
}

#[test]
fn what_is_wrong_with_a_command_line_is_said_in_the_persons_language() {
    let lines = [
        "askuser lst",
        "askuser list --al",
        "askuser list --as-persn",
        "askuser list --color blue",
        "askuser ask x --timeout",
        "askuser confirm",
        "askuser ask x --file y",
        "askuser stop --json --json",
        "askuser restore x --round many",
        "askuser ask x --plain=boxx",
    ];
    let said = |line: &str, language| {
        let words: Vec<OsString> = words(line).into_iter().map(Into::into).collect();
        let told = parsed(&words, language).unwrap_err();
        format!("$ {line}\n{}", fault::said(&told, language))
    };
    for language in BOTH {
        let said: Vec<String> = lines.iter().map(|line| said(line, language)).collect();
        assert!(said.iter().all(|said| !said.split_once('\n').unwrap().1.contains("as-person")));
        insta::assert_snapshot!(format!("misread_{}", language.tag()), said.join("\n"));
    }
}

#[test]
fn help_is_found_by_the_command_that_is_meant() {
    for (line, path) in [
        ("askuser --help", "askuser"),
        ("askuser task stop -h", "askuser task stop"),
        ("askuser task", "askuser task"),
        ("askuser ask list --help", "askuser ask"),
    ] {
        let words: Vec<OsString> = words(line).into_iter().map(Into::into).collect();
        assert_eq!(parsed(&words, Language::Chinese).unwrap_err().to_string().trim(), path);
    }
}

#[test]
fn every_command_has_a_man_page() {
    for language in BOTH {
        let pages = crate::cli::commands::man::pages(language).unwrap();
        let text = |name: &str| {
            let page = pages.iter().find(|(file, _)| file == name);
            String::from_utf8(page.unwrap_or_else(|| panic!("no {name}")).1.clone()).unwrap()
        };
        for path in all(&command(language), &[]).into_iter().filter(|path| path != &["man"]) {
            let page = text(&format!("askuser-{}.1", path.join("-")));
            assert!(
                page.contains(".SH NAME") && page.contains(language.pick("Example", "示例")),
                "{path:?}: {page}"
            );
        }
        assert!(text("askuser.1").contains(language.help("Ask a question and print the answer")));
        assert!(text("AskUserQuestion.1").contains("multiSelect"));
    }
}

/// The command lines on a page: in backticks, and in its blocks.
fn lines_of(page: &str) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for (at, part) in page.split("```").enumerate() {
        if at % 2 == 1 {
            lines.extend(part.lines().filter_map(|line| line.rsplit_once("askuser ").map(|(_, rest)| rest)));
        } else {
            lines.extend(part.split('`').skip(1).step_by(2).filter_map(|code| code.strip_prefix("askuser ")));
        }
    }
    let is_command = |line: &&str| line.starts_with(|c: char| c.is_ascii_lowercase());
    lines.into_iter().filter(is_command).map(words).collect()
}

/// What is wrong with a command line: a command or an option that does not exist.
fn unknown(root: &Command, words: &[String]) -> Option<String> {
    let mut command = root;
    let mut rest = words.iter();
    // A page names several at once: `task show/stop`, `list|show`.
    while let Some(word) = rest.as_slice().first() {
        let name = word.split(['/', '|', ')', ';', '`']).next().unwrap_or_default();
        let Some(found) = command.find_subcommand(name) else { break };
        command = found;
        rest.next();
    }
    if std::ptr::eq(command, root) {
        return Some(format!("no command {words:?}"));
    }
    let is_end = |word: &&String| !matches!(word.as_str(), "|" | "&&" | "||" | "&" | ";" | ">");
    let mut options =
        rest.take_while(is_end).filter_map(|word| word.trim_matches(['[', ']']).strip_prefix("--"));
    let known = |name: &str| {
        let args = command.get_arguments().chain(root.get_arguments());
        ["help", "version"].contains(&name) || args.into_iter().any(|arg| arg.get_long() == Some(name))
    };
    let name = |option: &str| option.split(['=', '[', ']', ')']).next().unwrap_or_default().to_owned();
    let missing = options.find(|option| !option.is_empty() && !known(&name(option)))?;
    Some(format!("{} has no --{missing}", command.get_name()))
}

/// What the documentation tells people to type is there.
#[test]
fn every_command_in_the_documentation_exists() {
    let root = command(Language::English);
    let page = "`askuser ask x --no --text` `askuser task show/stop ID` `askuser COMMAND` \
                `askuser nope` `askuser ask x --nope=1`\n```sh\nx && askuser open [--qr [--lna]] | y --z\n```\n";
    let wrong: Vec<String> = lines_of(page).iter().filter_map(|line| unknown(&root, line)).collect();
    assert_eq!(
        wrong,
        ["ask has no --no", "no command [\"nope\"]", "ask has no --nope=1", "open has no --lna"]
    );
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut faults = Vec::new();
    for file in
        [folder.to_owned(), folder.join("docs")].iter().flat_map(|folder| std::fs::read_dir(folder).unwrap())
    {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|end| end == "md") {
            let page = std::fs::read_to_string(&path).unwrap();
            let wrong = lines_of(&page);
            let wrong = wrong.iter().filter_map(|line| unknown(&root, line));
            faults.extend(wrong.map(|wrong| format!("{}: {wrong}", path.display())));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
