//! What a reader pastes from a page works in every shell, every link leads somewhere, and what people read has
//! no words that only we use.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::none;
use crate::sources::{all_rust_files, kept_databases, root};

/// A comment behind a command: zsh takes it for arguments unless told otherwise.
fn commented(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut block: Option<&str> = None;
    for (number, line) in text.lines().enumerate() {
        if let Some(kind) = line.trim_start().strip_prefix("```") {
            block = if block.is_some() { None } else { Some(kind.trim()) };
        } else if matches!(block, Some("" | "sh" | "bash" | "console")) && !line.starts_with('#') {
            let behind = line.find(" # ");
            if behind
                .is_some_and(|at| !line[..at].trim().is_empty() && line[..at].matches('\'').count() % 2 == 0)
            {
                faults.push(format!("{name}:{}: a comment stands behind a command: {line}", number + 1));
            }
        }
    }
    faults
}

/// The pictures that a page shows, from the root of the repository.
fn shown(page: &Path, text: &str, root: &Path) -> Vec<PathBuf> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let is_picture =
        |link: &&str| Path::new(link).extension().is_some_and(|end| end == "png" || end == "svg");
    let pictures = links.filter(is_picture);
    let folder = page.parent().unwrap();
    pictures.map(|link| folder.join(link).strip_prefix(root).unwrap().to_owned()).collect()
}

#[test]
fn every_picture_is_shown_and_every_shown_one_is_there() {
    let root = root();
    let pages = [root.to_owned(), root.join("docs")].into_iter().flat_map(|folder| pages(&folder));
    let shown: BTreeSet<PathBuf> =
        pages.flat_map(|page| shown(&page, &fs::read_to_string(&page).unwrap(), root)).collect();
    let folder = fs::read_dir(root.join("docs/pictures")).unwrap();
    let there: BTreeSet<PathBuf> =
        folder.map(|entry| entry.unwrap().path().strip_prefix(root).unwrap().to_owned()).collect();
    none(&there.symmetric_difference(&shown).map(|path| path.display().to_string()).collect::<Vec<_>>());
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect()
}

#[test]
fn no_comment_stands_behind_a_command_that_a_reader_pastes() {
    assert_eq!(commented("x", "```sh\naskuser open   # opens it\n```\n").len(), 1);
    assert!(
        commented("x", "```sh\n# opens it\naskuser ask '# a # b'\n```\n```yaml\na: 1 # b\n```\n# c # d\n")
            .is_empty()
    );
    let root = root();
    let pages = [root.to_owned(), root.join("docs")].into_iter().flat_map(|folder| pages(&folder));
    let faults =
        pages.flat_map(|page| commented(&page.display().to_string(), &fs::read_to_string(&page).unwrap()));
    none(&faults.collect::<Vec<_>>());
}

/// Every page: of the root, the documentation, the decisions and the plugin.
fn all_pages() -> Vec<(PathBuf, String)> {
    let folders = ["", "docs", "docs/decisions", "plugin", "plugin/skills/ask-user"];
    let paths = folders.into_iter().flat_map(|folder| pages(&root().join(folder)));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    };
    paths.map(read).collect()
}

/// The text of a page without its blocks of code.
fn prose(page: &str) -> String {
    page.split("\n```").step_by(2).collect::<Vec<_>>().join("\n")
}

/// What a forge calls a heading in an address.
fn slug(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The links of a page that lead to no file, or to no heading of one.
fn dead_links(page: &Path, text: &str) -> Vec<String> {
    let text = prose(text);
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let is_dead = |link: &&str| {
        let (file, heading) = link.split_once('#').unwrap_or((link, ""));
        let path = if file.is_empty() { page.to_owned() } else { page.parent().unwrap().join(file) };
        let Ok(found) = fs::read_to_string(&path) else { return !path.is_file() };
        let mut headings = prose(&found).lines().map(str::to_owned).collect::<Vec<_>>().into_iter();
        !heading.is_empty()
            && !headings.any(|line| line.starts_with('#') && slug(line.trim_start_matches('#')) == heading)
    };
    let local = links.filter(|link| !link.contains("://"));
    local.filter(is_dead).map(|link| format!("{}: {link} leads nowhere", page.display())).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let page = root().join("docs/security.md");
    let text =
        "[a](faq.md) [b](faq.md#nope) [c](nope.md) [d](#the-pages-own-name) [e](#nope) [f](https://x.y)";
    assert_eq!(dead_links(&page, text).len(), 3);
    assert_eq!(slug(" What `--verify` proves"), "what---verify-proves");
    none(&all_pages().iter().flat_map(|(page, text)| dead_links(page, text)).collect::<Vec<_>>());
}

/// The documents of ours that a text names, as `docs/x.md` or `X.md`.
fn named(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.')));
    let is_ours = |word: &&str| {
        let stem = word.strip_suffix(".md").unwrap_or_default();
        stem.starts_with("docs/")
            || stem.len() > 2 && stem.chars().all(|c| c.is_ascii_uppercase() || c == '_')
    };
    words.map(|word| word.trim_end_matches('.')).filter(is_ours).collect()
}

#[test]
fn every_document_that_is_named_is_there() {
    assert_eq!(named("see docs/a.md, B.md and THE_PLAN.md. Not x.md, a/B.md."), ["docs/a.md", "THE_PLAN.md"]);
    let mut missing = Vec::new();
    for source in all_rust_files() {
        let comments =
            source.text.lines().filter_map(|line| line.split_once("//")).map(|(_, comment)| comment);
        let comments: String = comments.collect::<Vec<_>>().join("\n");
        let gone = named(&comments).into_iter().filter(|name| !root().join(name).exists());
        missing.extend(gone.map(|name| format!("{}: {name} is not there", source.path)));
    }
    for (page, text) in all_pages() {
        let gone = named(&text).into_iter().filter(|name| !root().join(name).exists());
        missing.extend(gone.map(|name| format!("{}: {name} is not there", page.display())));
    }
    none(&missing.into_iter().filter(|line| !line.contains("tidy/documents.rs")).collect::<Vec<_>>());
}

/// The Rust files that a page names by their place, and that are not there.
fn moved(name: &str, page: &str) -> Vec<String> {
    let quoted = prose(page).split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let files = quoted.iter().map(|word| word.split("::").next().unwrap_or_default());
    let is_gone = |file: &&str| {
        let is_plain = file.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.'));
        is_plain
            && file.contains('/')
            && Path::new(file).extension().is_some_and(|end| end == "rs")
            && !root().join(file).exists()
    };
    files.filter(is_gone).map(|file| format!("{name}: {file} is not there")).collect()
}

#[test]
fn every_file_that_a_page_names_is_there() {
    let page = "`core/ask.rs::x` `core/src/ask.rs` `ask.rs` `askuser ask a/b.rs`\n```\n`a/b.rs`\n```\n";
    assert_eq!(moved("x", page), ["x: core/ask.rs is not there"]);
    let faults = all_pages().into_iter().flat_map(|(page, text)| moved(&page.display().to_string(), &text));
    none(&faults.collect::<Vec<_>>());
}

/// Words that people do not read, in English and in Chinese.
#[rustfmt::skip]
const NOBODYS_WORDS: [&str; 28] = [
    "daemon", "desk", "desks", "house", "anew", "mend", "mends", "mended", "bear", "bears", "whence", "doorway",
    "put aside", "break off", "broken off", "take up again", "taken up again", "of its own making", "cannot be had",
    "hold for gone", "held for gone", "for ever", "您", "已拒绝", "守护进程", "会话", "问询台", "数据目录",
];

/// The words on a page that people do not read; what is in backticks is a name, and so is where a link leads.
fn nobodys_words(name: &str, page: &str) -> Vec<String> {
    let text = prose(page).split('`').step_by(2).collect::<String>().to_lowercase();
    let links = text.split("](").enumerate();
    let text: String = links
        .map(|(n, part)| if n == 0 { part } else { part.split_once(')').map_or("", |(_, rest)| rest) })
        .collect();
    let words: Vec<&str> =
        text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).collect();
    let text = format!(" {} ", words.join(" "));
    let is_said = |word: &&&str| {
        if word.is_ascii() { text.contains(&format!(" {word} ")) } else { page.contains(**word) }
    };
    NOBODYS_WORDS.iter().filter(is_said).map(|word| format!("{name} says \"{word}\"")).collect()
}

#[test]
fn the_documentation_is_in_everybodys_words() {
    let page = "# A desk [x](mend.md)\n`daemon` is a name,\nput\naside.\n```sh\nmend\n```\n您好";
    assert_eq!(nobodys_words("x", page), ["x says \"desk\"", "x says \"put aside\"", "x says \"您\""]);
    // What the code is called is on these.
    let of_the_code = ["docs/decisions", "ARCHITECTURE.md", "CONTRIBUTING.md", "AGENTS.md", "glossary.md"];
    let pages = all_pages();
    let of_people = pages.iter().filter(|(page, _)| {
        let page = page.to_string_lossy();
        !of_the_code.iter().any(|name| page.contains(name))
    });
    let faults = of_people.flat_map(|(page, text)| nobodys_words(&page.display().to_string(), text));
    none(&faults.collect::<Vec<_>>());
}

/// The types and files that the glossary names and that are not there.
fn gone(page: &str) -> Vec<String> {
    let rows = page.lines().filter_map(|line| line.split('|').nth(2)).map(str::trim);
    let named = rows.filter_map(|cell| cell.strip_prefix('`')?.strip_suffix('`'));
    let is_there = |named: &&str| {
        let (file, name) = named.split_once("::").unwrap_or((named, ""));
        let Ok(text) = fs::read_to_string(root().join(file)) else { return false };
        let kinds = ["struct", "enum", "trait"];
        name.is_empty()
            || kinds.iter().any(|kind| {
                text.match_indices(&format!("{kind} {name}"))
                    .any(|(at, found)| !text[at + found.len()..].starts_with(|c: char| c.is_alphanumeric()))
            })
    };
    named
        .filter(|named| !is_there(named))
        .map(|named| format!("docs/glossary.md: {named} is not there"))
        .collect()
}

#[test]
fn the_glossary_names_types_that_are_there() {
    let rows = "| a | `core/src/ask.rs::Ask` |\n| b | `core/src/ask.rs::As` |\n| c | `core/src/nope.rs` |";
    assert_eq!(gone(rows).len(), 2);
    let page = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    assert!(page.matches("/src/").count() > 40, "it has its rows");
    none(&gone(&page));
}

/// The shape of a page: its headings, the cells of its tables, its lists, blocks and pictures, in order.
fn shape(page: &str) -> Vec<String> {
    let mut in_code = false;
    let mut shape = Vec::new();
    for line in page.lines().filter(|line| !line.trim().is_empty()) {
        let is_fence = line.starts_with("```");
        in_code ^= is_fence;
        shape.push(match line.split_whitespace().next().unwrap_or_default() {
            _ if is_fence => "block".to_owned(),
            _ if in_code => continue,
            "|" => format!("row of {}", line.matches('|').count()),
            heading if heading.starts_with('#') => heading.to_owned(),
            "-" => "item".to_owned(),
            _ if line.starts_with("![") => format!("{} pictures", line.matches("![").count()),
            _ => "lines".to_owned(),
        });
    }
    shape
}

/// A page and its Chinese twin say the same: heading by heading, row by row.
#[test]
fn a_page_in_chinese_has_all_that_the_english_one_has() {
    assert_eq!(
        shape("# A\n\n| a | b |\n- c\n```sh\nd\n```\nE.\n![f](g)\n").join(", "),
        "#, row of 3, item, block, block, lines, 1 pictures"
    );
    let mut faults = Vec::new();
    for (path, chinese) in all_pages() {
        let Some(stem) = path.to_str().unwrap().strip_suffix(".zh-CN.md") else { continue };
        let english = fs::read_to_string(format!("{stem}.md")).unwrap();
        let (ours, theirs) = (shape(&english), shape(&chinese));
        if let Some(at) = (0..ours.len().max(theirs.len())).find(|at| ours.get(*at) != theirs.get(*at)) {
            faults.push(format!(
                "{}: at part {at} {:?}, where the English page has {:?}",
                path.display(),
                theirs.get(at),
                ours.get(at)
            ));
        }
    }
    none(&faults);
}

/// Returns the programs that a kept database names and that are not where everybody has them.
fn own_programs(name: &str, dump: &str) -> Vec<String> {
    let named = dump.split("\"program\":[\"").skip(1).filter_map(|rest| rest.split('"').next());
    let own = named.filter(|program| !program.starts_with("/usr/"));
    own.map(|program| format!("{name} names {program}: make it anew by scripts/keep-schema.sh")).collect()
}

#[test]
fn a_kept_database_names_no_path_of_the_machine_that_made_it() {
    let bad = r#"VALUES('{"program":["/home/ann/askuser",null]}'), ('{"program":["/usr/local/bin/askuser",null]}')"#;
    assert_eq!(own_programs("0001.sql", bad).len(), 1);
    let mut found: Vec<String> =
        kept_databases().iter().flat_map(|kept| own_programs(&kept.path, &kept.text)).collect();
    found.dedup();
    none(&found);
}
