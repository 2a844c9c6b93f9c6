//! The router beside real shells: what it takes is what they would have handed to the program.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use serde_json::Value;

use super::super::{AgentShell, COMMAND, Route, route};
use super::any::{json, written};

/// A folder with a program of our name that prints what it was given.
struct Shells {
    folder: tempfile::TempDir,
}

impl Shells {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join(COMMAND);
        let script = "#!/bin/sh\n[ \"$1\" = -- ] && shift\n[ \"$1\" = - ] && shift\nif [ $# -gt 0 ]; then printf '%s' \"$1\"; else /bin/cat; fi\n";
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Self { folder }
    }

    /// Returns what the program was given, or nothing where there is no such shell.
    fn run(&self, shell: &str, line: &str) -> Option<String> {
        if !Path::new(shell).exists() {
            return None;
        }
        let output = Command::new(shell)
            .args(["-c", line])
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", self.folder.path().display()))
            .env("LC_ALL", "C.UTF-8")
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        Some(String::from_utf8(output.stdout).unwrap())
    }

    #[track_caller]
    fn check(&self, shell: &str, line: &str) {
        let Route::AgentShell(AgentShell { input: Ok(ours), .. }) = route(line) else {
            panic!("not taken: {line}");
        };
        if let Some(given) = self.run(shell, line) {
            let theirs: Value = serde_json::from_str(&given).unwrap_or(Value::Null);
            assert_eq!(ours, theirs, "{shell} gave {given:?} for\n{line}");
        }
    }
}

/// Lines that every shell reads as we do.
const ANY_SHELL: &[&str] = &[
    r#"AskUserQuestion '{"a":"b $c `d` \\"}'"#,
    r#"AskUserQuestion '{"a":"it'\''s"}'"#,
    r#"AskUserQuestion '{"a":"it'"'"'s"}'"#,
    r#"AskUserQuestion "{\"a\":\"\$5 \`b\` \\\\ b\\nc $ $. it's !\"}""#,
    "AskUserQuestion \"{\\\"a\\\":\\\n1}\"",
    r#"AskUserQuestion '{"a":'"1"',"b":'\"c\ d\"\}"#,
    "AskUserQuestion <<'EOF'\n{\"a\":\"$b `c` it's \\\\\"}\nEOF\n",
    "AskUserQuestion <<E\"O\"F\n{\"a\":\"$b\"}\nEOF\n",
    "AskUserQuestion <<\\EOF\n{\"a\":\"$b\"}\nEOF",
    "AskUserQuestion <<-'EOF'\n\t\t{\"a\":\n\t1}\n\tEOF\n",
    "AskUserQuestion <<EOF\n{\"a\":\"\\$5 \\`b\\` \\\" \\\\n $ 5 \\\n\"}\nEOF\n",
    "AskUserQuestion - << 'END OF IT' # why\n[1,\n2]\nEND OF IT\n",
    "AskUserQuestion <<'EOF';\n1\nEOF\n# done\n",
    "AskUserQuestion \"$(cat <<'EOF'\n{\"a\":\"it's $5 `b` \\\" )\"}\n\nEOF\n)\"",
    "AskUserQuestion \"$( cat <<-\"EOF\"\n\t[1]\n\tEOF\n  )\"\n",
    "\n# ask first\n  AskUserQuestion \\\n  -- '1' ; # and wait\n\n",
    "A=1 B='x y' EMPTY= AskUserQuestion 1\"2\"'3'",
    "command AskUserQuestion '1'",
    "./AskUserQuestion '1'",
    "\\AskUserQuestion '1'",
];

/// Lines that need what `bash` has and `sh` may not have.
const BASH: &[&str] = &[
    r#"AskUserQuestion $'{"a":"it\'s \x41\102\u6846\U0001F980\xe6\xa1\x86\\n\\\\"}'"#,
    r#"AskUserQuestion $'{\n\t"a":\x31,\r"b":\62}'"#,
    r#"AskUserQuestion '{"a":'$'2'$"}""#,
    "AskUserQuestion <<< '{\"a\":1}'",
    "AskUserQuestion <<<\"[1]\" ;",
];

#[test]
fn t13_what_is_taken_is_what_a_shell_would_have_handed_over() {
    let shells = Shells::new();
    for line in ANY_SHELL {
        shells.check("/bin/sh", line);
        shells.check("/bin/bash", line);
    }
    for line in BASH {
        shells.check("/bin/bash", line);
    }
}

/// Pieces that a line is made of; none of them can start anything but our program.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "1",
        "2",
        "\"",
        "'",
        "\\",
        " ",
        "\n",
        "$'",
        "\\n",
        "\\'",
        "\\\"",
        "\\\\",
        "\\x31",
        ";",
        "#",
        "$",
        "$\"",
        "-",
        "<<E\n",
        "<<'E'\n",
        "\nE\n",
        "<<-E\n",
        "\t",
        "<<<",
        "[",
        "]",
        ",",
        "~",
        "=",
        "\"$(cat <<E\n",
        ")\"",
        "\\\n",
        "null",
        "{}",
    ]);
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

proptest! {
    // A process for each case: few by default, as many as PROPTEST_CASES says in the long run.
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.div_ceil(4), ..ProptestConfig::default() })]

    #[test]
    fn t13_any_json_comes_through_a_shell_as_through_the_router(value in json()) {
        let shells = Shells::new();
        for line in written(&value.to_string()) {
            let shell = "/bin/bash";
            if let Some(given) = shells.run(shell, &line) {
                let theirs: Value = serde_json::from_str(&given).unwrap_or(Value::Null);
                prop_assert_eq!(&theirs, &value, "{}", line);
            }
        }
    }

    #[test]
    fn t13_whatever_is_taken_a_shell_reads_alike(pieces in pieces()) {
        // Bare JSON is taken although a shell would tear it apart, so it is left out here.
        let line = format!("AskUserQuestion {pieces}");
        let is_bare = pieces.trim_start_matches([' ', '\t', '\n', '\\']).starts_with(['{', '[']);
        if let (false, Route::AgentShell(AgentShell { input: Ok(ours), .. })) = (is_bare, route(&line))
            && let Some(given) = Shells::new().run("/bin/bash", &line)
        {
            let theirs: Value = serde_json::from_str(&given).unwrap_or(Value::String(given.clone()));
            prop_assert_eq!(ours, theirs, "{}", line);
        }
    }
}
