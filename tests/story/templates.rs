//! Question templates from the command line: found, checked, filled, asked.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::asks::told;
use crate::home::TestHome;

const TEXT: &str = "\
description: Where to deploy
variables: {service: , env: staging}
context: 'On {{git.branch}}; notes: {{file:NOTES.md}}'
questions:
- {question_id: where, header: Deploy, question: 'Deploy {{service}} to {{env}}?', type: boolean}
";

fn lay(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn project(home: &TestHome) -> std::path::PathBuf {
    let folder = home.home.folder().parent().unwrap().to_owned();
    lay(&folder.join(".claude/skills/ship/questions/deploy.yaml"), TEXT);
    lay(&folder.join("NOTES.md"), "be careful");
    let git =
        std::process::Command::new("git").args(["init", "-q", "-b", "main"]).current_dir(&folder).output();
    assert!(git.unwrap().status.success());
    folder
}

/// P17: a template of a skill is asked by its name, with variables and what the project says.
#[test]
fn p17_a_template_of_a_skill_is_asked_by_its_name() {
    let home = TestHome::new();
    project(&home);
    assert!(home.prints(&["template", "list"]).contains("ship/deploy"));
    assert_eq!(home.prints(&["template", "show", "deploy"]), TEXT.trim_end());
    assert_eq!(home.prints(&["template", "check"]), "1 template is valid");
    let (mut ask, id) = home.asks(&["--template", "deploy", "--var", "service=shop"]);
    let shown = home.json(&["show", &id, "--json"]);
    assert_eq!(shown["questions"][0]["question"], "Deploy shop to staging?");
    assert_eq!(shown["context"], "On main; notes: be careful");
    home.prints(&["answer", &id, "--pick", "where=yes"]);
    assert_eq!(ask.ends(), 0);
    assert_eq!(ask.stdout(), format!("{}\n", json!({"answers": {"where": true}})));
    // A rule matches it by its template.
    let rules = home.home.folder().join("answers.yaml");
    fs::write(&rules, "rules: [{match: {template: ship/deploy}, answer: false}]").unwrap();
    let args =
        ["ask", "--template", "ship/deploy", "--var", "service=shop", "--answers", rules.to_str().unwrap()];
    assert_eq!(home.prints(&args), "{\"answers\":{\"where\":false}}");
}

#[test]
fn what_is_wrong_is_told_with_line_and_column() {
    let home = TestHome::new();
    let folder = project(&home);
    lay(&folder.join("bad.yaml"), &TEXT.replace("{{env}}", "{{evn}}").replace("boolean", "maybe"));
    for (args, said) in [
        (
            &["template", "check", "bad.yaml"][..],
            &["bad.yaml: line 5, column 75: nothing fills `{{evn}}`", "line 5, column 84"][..],
        ),
        (
            &["ask", "--template", "deploy"],
            &["the template needs a value for `service`", "--var service=VALUE"],
        ),
        (&["ask", "--template", "deploy", "--var", "service"], &["`service` is not a variable with a value"]),
        (&["ask", "--template", "deploy", "--var", "service=x", "--var", "e=y"], &["has no variable `e`"]),
        (&["ask", "--template", "none"], &["no template `none`: there are ship/deploy"]),
        (&["ask", "--var", "a=b", "{}"], &["--var"]),
    ] {
        let failed = home.run(args);
        assert_eq!(failed.status.code(), Some(2), "{args:?}: {}", told(&failed));
        for said in said {
            assert!(String::from_utf8_lossy(&failed.stderr).contains(said), "{said}: {}", told(&failed));
        }
    }
}
