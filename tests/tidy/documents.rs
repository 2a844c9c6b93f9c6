//! What a reader pastes from a page works in every shell.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::none;

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
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = [root.to_owned(), root.join("docs")].into_iter().flat_map(|folder| pages(&folder));
    let faults =
        pages.flat_map(|page| commented(&page.display().to_string(), &fs::read_to_string(&page).unwrap()));
    none(&faults.collect::<Vec<_>>());
}
