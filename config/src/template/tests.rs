//! Templates: read, filled, found, kept, and everything that is wrong with one.

use std::fs;
use std::path::Path;

use askuser_words::{Both, Language, both};
use serde_json::json;

use super::{Folder, Nowhere, Project, Shelf, TemplateError, Variables, read};
use askuser_wire as wire;

const DEPLOY: &str = "\
description: Where to deploy
variables:
  service: {description: what is deployed}
  env: staging
context: 'Branch {{git.branch}}; literal {{{{ braces'
questions:
  - question_id: where
    header: Deploy
    question: Deploy {{ service }} to {{env}}?
    type: multiple_choice
    options:
      - {id: yes, label: 'Yes, {{service}}'}
      - {id: no, label: 'No'}
";

struct Sample;

impl Project for Sample {
    fn branch(&self) -> Result<String, Both> {
        Ok("main".to_owned())
    }
    fn changed(&self) -> Result<String, Both> {
        Err(both(|_: Language| "not here"))
    }
    fn file(&self, path: &str) -> Result<String, Both> {
        Ok(format!("<{path}>"))
    }
}

fn given(pairs: &[(&str, &str)]) -> Variables {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn p17_a_template_is_filled_with_variables_and_with_what_the_project_says() {
    let template = read(DEPLOY).unwrap();
    let ask = template.fill("ship/deploy", &given(&[("service", "shop {{env}}")]), &Sample).unwrap();
    // What is filled in is not filled again.
    assert_eq!(ask["questions"][0]["question"], "Deploy shop {{env}} to staging?");
    assert_eq!(ask["questions"][0]["options"][0]["label"], "Yes, shop {{env}}");
    assert_eq!(ask["context"], "Branch main; literal {{ braces");
    assert_eq!(ask["metadata"], json!({"template": "ship/deploy"}));
    assert!(ask.get("variables").is_none() && ask.get("description").is_none());
    assert!(wire::read(wire::recognise(&ask), &ask).check().is_ok());
    let missing = template.fill("d", &Variables::new(), &Sample).unwrap_err();
    assert_eq!(
        missing.said(Language::English),
        "the template needs a value for `service` (what is deployed)"
    );
    let unknown = template.fill("d", &given(&[("service", "x"), ("evn", "y")]), &Sample).unwrap_err();
    assert_eq!(unknown.said(Language::English), "the template has no variable `evn`");
    let nowhere = template.fill("d", &given(&[("service", "x")]), &Nowhere).unwrap_err();
    assert!(matches!(nowhere, TemplateError::Project(_)), "{nowhere:?}");
}

#[track_caller]
fn faults(text: &str, expected: &[&str]) {
    let found: Vec<String> = read(text).unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found} is not {expected}");
    }
}

#[test]
fn every_fault_has_its_line_and_column() {
    faults("a: [", &["line "]);
    faults("- a\n", &["line 1, column 1: a template is a table"]);
    faults("description: nothing\n", &["line 1, column 1: "]);
    faults(
        &DEPLOY.replace("{{env}}", "{{evn}}").replace("header: Deploy", "header: 7"),
        &["line 8, column 5: questions[0].header", "line 9, column 41: nothing fills `{{evn}}`"],
    );
    faults(&DEPLOY.replace("{{ service }}", "{{service"), &["line 9, column 24: nothing fills"]);
    faults(
        &DEPLOY.replace("'Yes, {{service}}'", "'Yes {{service'"),
        &["line 12, column 31: `{{` is not closed"],
    );
    faults(
        &DEPLOY.replace("type: multiple_choice", "type: maybe"),
        &["line 10, column 5: questions[0].type"],
    );
    // Nobody knows whether it has options: they are not said to be missing.
    let untyped = "questions:\n  - question: Which?\n    type: nonsense\n";
    faults(
        untyped,
        &["line 3, column 5: questions[0].type: is `nonsense`, which is none of multiple_choice"],
    );
    faults(
        &DEPLOY.replace("env: staging", "env: {defualt: x}"),
        &["line 4, column 9: a variable knows no `defualt`"],
    );
    faults(
        &DEPLOY.replace("env: staging", "'e n v': x"),
        &["line 4, column 3: `e n v` is not a name", "line 9, column 41"],
    );
}

fn lay(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn the_nearest_skill_goes_before_the_others_and_the_data_folder_comes_last() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    let text = |description: &str| DEPLOY.replace("Where to deploy", description);
    fs::create_dir_all(at("project/.git")).unwrap();
    lay(&at("project/.claude/skills/ship/questions/deploy.yaml"), &text("project"));
    lay(&at("project/.claude/skills/ship/questions/notes.txt"), "no template");
    lay(&at("home/.claude/skills/ship/questions/deploy.yaml"), &text("home"));
    lay(&at("home/.claude/skills/ship/questions/extra.yml"), &text("extra"));
    lay(&at("desk/deploy.yaml"), &text("desk"));
    let skills = Shelf::skills_around(&at("project/src"), Some(&at("home")));
    let shelf = Shelf::new(skills, Some(at("desk")));
    let names: Vec<String> = shelf.list().into_iter().map(|listed| listed.name).collect();
    assert_eq!(names, ["ship/deploy", "ship/extra", "deploy"]);
    let description =
        |name: &str| shelf.get(&shelf.find(name).unwrap().1).unwrap().description.clone().unwrap();
    assert_eq!(description("ship/deploy"), "project");
    assert_eq!(description("extra"), "extra");
    assert_eq!(description("deploy"), "desk", "a full name goes before a short one");
    lay(&at("project/.claude/skills/other/questions/extra.yaml"), &text("other"));
    lay(&at("project/.claude/skills/third/questions/extra.yaml"), &text("third"));
    let ambiguous = shelf.find("extra").unwrap_err().said(Language::English);
    assert_eq!(ambiguous, "several templates are called `extra`: other/extra, third/extra");
    let missing = shelf.find("none").unwrap_err().said(Language::English);
    assert!(missing.starts_with("no template `none`: there are other/extra, ship/deploy"), "{missing}");
    for bad in ["../up", "a/b", "", ".hidden", "a b"] {
        assert_eq!(shelf.own_file(bad), None, "{bad}");
        assert_eq!(shelf.of("ann").own_file(bad), None, "{bad}");
    }
}

/// A person's name leads to a folder of theirs, below that of the desk, and to nobody else's.
#[test]
fn each_person_has_a_folder_of_their_own_whatever_they_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = Shelf::new(Vec::new(), Some(folder.path().to_owned()));
    let long = "x".repeat(300);
    let people =
        ["ann", "Ann", "..", ".", "", "a/b", "a%2fb", "../ann", "/etc", "安", "x.yaml", long.as_str()];
    let mut folders = std::collections::BTreeSet::new();
    for person in people {
        let file = shelf.of(person).own_file("deploy").unwrap();
        let own = file.parent().unwrap();
        assert_eq!(own.parent(), Some(folder.path()), "{person}");
        let name = own.file_name().unwrap().to_str().unwrap().to_lowercase();
        assert!(name.len() < 256 && folders.insert(name), "{person}");
        lay(&file, &DEPLOY.replace("Where to deploy", &format!("of {}", person.len())));
    }
    for person in people {
        let listed = shelf.of(person).list();
        let [own] = listed.as_slice() else { panic!("{person}: {listed:?}") };
        assert_eq!(own.owner.as_deref(), Some(person));
        assert_eq!(own.template.as_ref().unwrap().description, Some(format!("of {}", person.len())));
    }
    assert!(shelf.list().is_empty(), "nobody's is the desk's");
    lay(&folder.path().join("deploy.yaml"), DEPLOY);
    lay(&folder.path().join("other.yaml"), DEPLOY);
    let listed = shelf.of("ann").list();
    let owners: Vec<(&str, Option<&str>)> =
        listed.iter().map(|listed| (listed.name.as_str(), listed.owner.as_deref())).collect();
    assert_eq!(owners, [("deploy", Some("ann")), ("other", None)], "her own goes first");
}

#[test]
fn d9_a_template_is_kept_and_counted_and_a_change_is_seen_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deploy.yaml");
    lay(&path, DEPLOY);
    let shelf = Shelf::new(Vec::new(), Some(folder.path().to_owned()));
    let hits = || shelf.list()[0].hits;
    for n_hits in 0..3 {
        assert_eq!(hits(), n_hits);
        shelf.get(&path).unwrap();
    }
    assert_eq!(hits(), 3, "a list is no use");
    let first = shelf.get(&path).unwrap();
    assert!(std::sync::Arc::ptr_eq(&first, &shelf.get(&path).unwrap()), "from memory");
    lay(&path, &DEPLOY.replace("Where to", "When to"));
    assert_eq!(shelf.get(&path).unwrap().description.as_deref(), Some("When to deploy"));
    lay(&path, "questions: 7");
    assert!(matches!(shelf.get(&path), Err(TemplateError::Faulty { .. })));
    fs::remove_file(&path).unwrap();
    assert!(matches!(shelf.get(&path), Err(TemplateError::Unreadable { .. })));
    assert!(shelf.list().is_empty());
}

#[test]
fn p17_a_project_tells_its_branch_its_changes_and_its_files_and_nothing_outside() {
    let folder = tempfile::tempdir().unwrap();
    let project = Folder(folder.path().join("project"));
    fs::create_dir(&project.0).unwrap();
    assert!(project.branch().is_err());
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(args).current_dir(&project.0).env("HOME", folder.path()).env("GIT_CONFIG_NOSYSTEM", "1");
        assert!(git.output().unwrap().status.success(), "{args:?}");
    };
    git(&["init", "-q", "-b", "topic/login"]);
    assert_eq!(project.branch().unwrap(), "topic/login");
    assert_eq!(project.changed().unwrap(), "nothing");
    fs::write(project.0.join("größe.txt"), "text").unwrap();
    assert_eq!(project.changed().unwrap(), "größe.txt");
    assert_eq!(project.file("größe.txt").unwrap(), "text");
    fs::write(folder.path().join("secret"), "x").unwrap();
    std::os::unix::fs::symlink(folder.path().join("secret"), project.0.join("link")).unwrap();
    fs::write(project.0.join("large"), "x".repeat(20_000)).unwrap();
    for (path, said) in [
        ("../secret", "outside"),
        ("link", "outside"),
        ("/etc/hostname", "outside"),
        ("none", "No such file"),
        ("large", "larger than 16 KiB"),
    ] {
        let told = project.file(path).unwrap_err();
        assert!(told.english.contains(said), "{told:?}");
    }
}
