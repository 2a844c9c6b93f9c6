//! Every row of the table in `mod.rs`, each as a sentence.

use serde_json::json;

use super::*;

mod any;
mod shell;

/// Says a route in few words: the JSON, `error: …` or `other`.
fn said(line: &str) -> String {
    match route(line) {
        Route::Other => "other".to_owned(),
        Route::AgentShell(taken) => match taken.input {
            Ok(input) => input.to_string(),
            Err(bad) => format!("error: {bad}"),
        },
    }
}

#[track_caller]
fn check(line: &str, expected: &str) {
    assert_eq!(said(line), expected, "for the line\n{line}");
}

/// Checks that an error begins so: the rest of a message may get better without a test to change.
#[track_caller]
fn check_error(line: &str, begins: &str) {
    let said = said(line);
    assert!(said.starts_with(&format!("error: {begins}")), "for the line\n{line}\n{said}");
}

#[test]
fn t13_single_quotes_keep_everything_and_an_apostrophe_is_spelled_out() {
    check(r#"AskUserQuestion '{"a":"b $c `d` \\"}'"#, r#"{"a":"b $c `d` \\"}"#);
    check(r#"AskUserQuestion '{"a":"it'\''s"}'"#, r#"{"a":"it's"}"#);
    check(r#"AskUserQuestion '{"a":"it'"'"'s"}'"#, r#"{"a":"it's"}"#);
    check("AskUserQuestion '{\n  \"a\":\n    1\n}'", r#"{"a":1}"#);
    check(r#"AskUserQuestion '{"a":"b\nc"}'"#, r#"{"a":"b\nc"}"#);
    check("AskUserQuestion '{\"a\":\"框架 🦀\"}'", "{\"a\":\"框架 🦀\"}");
}

#[test]
fn t13_double_quotes_have_the_escapes_of_the_shell() {
    check(r#"AskUserQuestion "{\"a\":\"b\"}""#, r#"{"a":"b"}"#);
    check(r#"AskUserQuestion "{\"a\":\"\$5 \`b\`\"}""#, r#"{"a":"$5 `b`"}"#);
    check(r#"AskUserQuestion "{\"a\":\"\\\\\"}""#, r#"{"a":"\\"}"#);
    check(r#"AskUserQuestion "{\"a\":\"b\\nc\"}""#, r#"{"a":"b\nc"}"#);
    // A backslash that protects nothing stands for itself.
    check(r#"AskUserQuestion "{\"a\":\"b\nc\"}""#, r#"{"a":"b\nc"}"#);
    check("AskUserQuestion \"{\\\"a\\\":\\\n1}\"", r#"{"a":1}"#);
    // A dollar sign in front of nothing that has a name is only a dollar sign.
    check(r#"AskUserQuestion "{\"a\":\"5 $ or $.\"}""#, r#"{"a":"5 $ or $."}"#);
}

#[test]
fn t13_ansi_c_quotes_have_the_escapes_of_c() {
    check(r#"AskUserQuestion $'{"a":"it\'s"}'"#, r#"{"a":"it's"}"#);
    check(r#"AskUserQuestion $'{\n\t"a":\x31,"b":\62}'"#, r#"{"a":1,"b":2}"#);
    check(r#"AskUserQuestion $'{"a":"\u6846\U0001F980\xe6\xa1\x86"}'"#, "{\"a\":\"框🦀框\"}");
    check(
        r#"AskUserQuestion $'{"a":"b\\nc\q"}'"#,
        "error: Invalid JSON format: invalid escape at line 1 column 12",
    );
    for not_text in [r"$'\0'", r"$'\x00'", r"$'\xff'", r"$'\ud800'", r"$'\U7fffffff'"] {
        check_error(&format!("AskUserQuestion {not_text}"), "the argument is not text");
    }
}

#[test]
fn t13_parts_in_a_row_are_one_argument() {
    check(r#"AskUserQuestion '{"a":'"1"',"b":'$'2'\}"#, r#"{"a":1,"b":2}"#);
    check(r#"AskUserQuestion \{\"a\":1\}"#, r#"{"a":1}"#);
    check("AskUserQuestion 12\"3\"", "123");
}

#[test]
fn t13_bare_json_is_taken_as_it_stands() {
    check(r#"AskUserQuestion {"a":["b c", "it's | $d; `e` # f"]}"#, r#"{"a":["b c","it's | $d; `e` # f"]}"#);
    check("AskUserQuestion [1,\n2]", "[1,2]");
    check(r#"AskUserQuestion {"a":1} ; # done"#, r#"{"a":1}"#);
    check(r#"AskUserQuestion {\"a\":1}"#, r#"{"a":1}"#);
    check_error(r#"AskUserQuestion {"a":1} | jq ."#, "something stands behind the JSON");
    check_error(r#"AskUserQuestion {"a":1} && ls"#, "something stands behind the JSON");
    check_error(r#"AskUserQuestion {"a":1}}"#, "something stands behind the JSON");
    check_error(r#"AskUserQuestion {"a":1"#, "Invalid JSON format: EOF while parsing an object");
    check_error("AskUserQuestion {questions:[]}", "Invalid JSON format: key must be a string");
}

#[test]
fn t13_a_here_document_with_a_quoted_end_is_taken_as_it_stands() {
    for end in ["'EOF'", "\"EOF\"", "\\EOF", "E'O'F"] {
        check(
            &format!("AskUserQuestion <<{end}\n{{\"a\":\"$b `c` it's \\\\\"}}\nEOF\n"),
            r#"{"a":"$b `c` it's \\"}"#,
        );
    }
    check("AskUserQuestion << 'END OF IT'\n[1,\n2]\nEND OF IT", "[1,2]");
    check("AskUserQuestion - <<'EOF'\n1\nEOF\n", "1");
    check("AskUserQuestion <<'EOF';\n1\nEOF\n# done\n", "1");
    check("AskUserQuestion <<'EOF' # why\n1\nEOF\n", "1");
    check("AskUserQuestion <<''\n1\n\n", "1");
    // A line that only begins or ends like the last one does not end it.
    check_error("AskUserQuestion <<'EOF'\n1\nEOF \n", "the here-document is not closed: no line is `EOF`");
}

#[test]
fn t13_a_here_document_with_a_dash_loses_its_tabs() {
    check("AskUserQuestion <<-'EOF'\n\t\t{\"a\":\n\t1}\n\tEOF\n", r#"{"a":1}"#);
    check_error("AskUserQuestion <<'EOF'\n1\n\tEOF\n", "the here-document is not closed");
}

#[test]
fn t13_a_here_document_that_expands_is_taken_when_nothing_in_it_does() {
    check(
        "AskUserQuestion <<EOF\n{\"a\":\"\\$5 \\`b\\` \\\" \\\\n $ 5\"}\nEOF\n",
        r#"{"a":"$5 `b` \" \n $ 5"}"#,
    );
    check_error("AskUserQuestion <<EOF\n{\"a\":\"$5\"}\nEOF\n", "a shell would replace the `$`");
    check_error("AskUserQuestion <<EOF\n{\"a\":\"`b`\"}\nEOF\n", "a shell would replace the backtick");
    check("AskUserQuestion <<EOF\n$JSON\nEOF\n", "other");
}

#[test]
fn t13_a_here_document_through_cat_is_taken() {
    check("AskUserQuestion \"$(cat <<'EOF'\n{\"a\":\"it's $5\"}\nEOF\n)\"", r#"{"a":"it's $5"}"#);
    check("AskUserQuestion \"$( cat <<-\"EOF\"\n\t[1]\n\n\tEOF\n  )\"\n", "[1]");
    check_error("AskUserQuestion \"$(cat <<EOF\n{\"a\":\"$5\"}\nEOF\n)\"", "a shell would replace the `$`");
    check_error("AskUserQuestion \"$(cat <<'EOF'\n{}\n)\"", "the here-document is not closed");
    // Without the quotes around it a shell would split the JSON at its blanks.
    check("AskUserQuestion $(cat <<'EOF'\n{}\nEOF\n)", "other");
    check("AskUserQuestion \"$(cat <<'EOF' | tr a b\n{}\nEOF\n)\"", "other");
    check("AskUserQuestion \"$(cat q.json)\"", "other");
    check("AskUserQuestion \"$(caterpillar <<'EOF'\n{}\nEOF\n)\"", "other");
}

#[test]
fn t13_a_here_string_is_taken() {
    check("AskUserQuestion <<< '{\"a\":1}'", r#"{"a":1}"#);
    check("AskUserQuestion <<<\"[1]\" ;", "[1]");
    check("AskUserQuestion <<< \"$JSON\"", "other");
    check("AskUserQuestion <<<", "other");
}

#[test]
fn t13_blanks_comments_and_line_ends_around_it_do_not_matter() {
    check("  \t AskUserQuestion   '1'  ", "1");
    check("\n\n# ask first\nAskUserQuestion '1' # and wait\n\n", "1");
    check("AskUserQuestion '1';", "1");
    check("AskUserQuestion '1' ; # done\n", "1");
    check("AskUserQuestion \\\n  '1'", "1");
    check("AskUserQuestion '1'\r\n", "1");
    check("AskUserQuestion \\\r\n '{\r\n\"a\":1}'\r", r#"{"a":1}"#);
    check("AskUserQuestion <<'EOF'\r\n{\"a\":\r\n1}\r\nEOF\r\n", r#"{"a":1}"#);
    check("AskUserQuestion\t'1'", "1");
    check("AskUserQuestion -- '1'", "1");
}

#[test]
fn t13_variables_before_it_are_handed_on() {
    let line = r#"ASK_MAX_OPTIONS=6 EMPTY= B='x y'"z" AskUserQuestion '{"a":1}'"#;
    assert_eq!(
        route(line).to_json(),
        json!({
            "type": "agent_shell",
            "command": "AskUserQuestion",
            "env": {"ASK_MAX_OPTIONS": "6", "EMPTY": "", "B": "x yz"},
            "input": {"a": 1},
        })
    );
    check("A=$HOME AskUserQuestion '1'", "other");
    check("A=~/x AskUserQuestion '1'", "other");
    check("A=$(AskUserQuestion '1')", "other");
    check("1A=2 AskUserQuestion '1'", "other");
    check("A+=2 AskUserQuestion '1'", "other");
    check("'A=2' AskUserQuestion '1'", "other");
    check("AskUserQuestion=1", "other");
}

#[test]
fn t13_the_name_may_be_a_path_or_quoted_or_behind_the_word_command() {
    for name in [
        "/usr/local/bin/AskUserQuestion",
        "./AskUserQuestion",
        "'AskUserQuestion'",
        "\\AskUserQuestion",
        "\"/opt/my tools/AskUserQuestion\"",
        "command AskUserQuestion",
        "A=1 command /bin/AskUserQuestion",
    ] {
        check(&format!("{name} '1'"), "1");
    }
}

#[test]
fn t13_other_words_are_other() {
    for line in [
        "",
        " \n",
        "# AskUserQuestion '1'",
        "ls",
        "AskUserQuestionnaire '1'",
        "askuserquestion '1'",
        "ASKUSERQUESTION '1'",
        "ask_user_question '1'",
        "askuser ask '1'",
        "AskUserQuestion/x '1'",
        "AskUserQuestion{\"a\":1}",
        "echo AskUserQuestion '1'",
        "echo 'AskUserQuestion 1'",
        "which AskUserQuestion",
        "command -v AskUserQuestion",
        "env AskUserQuestion '1'",
        "sudo AskUserQuestion '1'",
        "time AskUserQuestion '1'",
        "exec AskUserQuestion '1'",
        "alias AskUserQuestion='x'",
        "AskUserQuestion() { true; }",
        "$AskUserQuestion '1'",
        "'AskUserQuestion",
    ] {
        check(line, "other");
    }
}

#[test]
fn t13_a_line_that_needs_a_shell_is_left_to_one() {
    for line in [
        "AskUserQuestion '1' | jq .",
        "AskUserQuestion '1'|jq .",
        "AskUserQuestion '1' |& cat",
        "AskUserQuestion '1' && ls",
        "AskUserQuestion '1' || true",
        "AskUserQuestion '1' &",
        "AskUserQuestion '1'; ls",
        "AskUserQuestion '1' ;; ls",
        "AskUserQuestion '1'\nls",
        "AskUserQuestion '1' > answer.json",
        "AskUserQuestion '1' 2>&1",
        "AskUserQuestion '1' 2>/dev/null",
        "AskUserQuestion '1' &> x",
        "AskUserQuestion < q.json",
        "AskUserQuestion <(echo 1)",
        "AskUserQuestion <<'EOF' | jq .\n1\nEOF\n",
        "AskUserQuestion <<'EOF' > x\n1\nEOF\n",
        "AskUserQuestion <<'EOF'\n1\nEOF\nls",
        "AskUserQuestion <<'A' <<'B'\n1\nA\n2\nB\n",
        "(AskUserQuestion '1')",
        "{ AskUserQuestion '1'; }",
        "! AskUserQuestion '1'",
        "if AskUserQuestion '1'; then ls; fi",
        "cd x && AskUserQuestion '1'",
        "cd x; AskUserQuestion '1'",
        "echo 1 | AskUserQuestion '1'",
        "cat q.json | AskUserQuestion",
        "ANSWER=$(AskUserQuestion '1')",
        "echo \"$(AskUserQuestion '1')\"",
        "<<'EOF' AskUserQuestion\n1\nEOF\n",
    ] {
        check(line, "other");
    }
}

#[test]
fn t13_a_fault_before_a_pipe_is_the_shells_to_tell() {
    check("AskUserQuestion | jq .", "other");
    check("AskUserQuestion 'no json' | jq .", "other");
}

#[test]
fn t13_an_argument_that_is_an_expansion_is_left_to_a_shell() {
    for line in [
        "AskUserQuestion \"$JSON\"",
        "AskUserQuestion \"${JSON}\"",
        "AskUserQuestion $JSON",
        "AskUserQuestion \"`cat q.json`\"",
        "AskUserQuestion `cat q.json`",
        "AskUserQuestion \"$(jq -n '{a: 1}')\"",
        r#"AskUserQuestion '{"a":"'"$A"'"}'"#,
        r#"AskUserQuestion '{"a":"'$A'"}'"#,
    ] {
        check(line, "other");
    }
}

#[test]
fn t13_an_expansion_inside_the_json_is_refused_because_the_question_would_change() {
    check_error(r#"AskUserQuestion "{\"a\":\"Pay $5?\"}""#, "a shell would replace the `$` inside the JSON");
    check_error(r#"AskUserQuestion "{\"a\":\"$(ls)\"}""#, "a shell would replace the `$`");
    check_error(r#"AskUserQuestion "{\"a\":\"${B}\"}""#, "a shell would replace the `$`");
    check_error(r#"AskUserQuestion "{\"a\":\"use `b`\"}""#, "a shell would replace the backtick");
}

#[test]
fn t13_options_are_the_programs_own() {
    for line in [
        "AskUserQuestion --help",
        "AskUserQuestion -h",
        "AskUserQuestion --plain '1'",
        "AskUserQuestion -",
        "AskUserQuestion - '1'",
    ] {
        check(line, "other");
    }
}

#[test]
fn t13_an_argument_and_a_document_are_left_to_a_shell_because_the_person_types_on_standard_input() {
    check("AskUserQuestion '1' <<'EOF'\n2\nEOF\n", "other");
    check("AskUserQuestion '1' <<< 2", "other");
}

#[test]
fn t13_a_missing_argument_is_told() {
    for line in [
        "AskUserQuestion",
        " AskUserQuestion ;\n",
        "AskUserQuestion ''",
        "AskUserQuestion '  \n'",
        "AskUserQuestion # '1'",
        "AskUserQuestion <<'EOF'\nEOF\n",
    ] {
        check(line, "error: Missing JSON parameter");
    }
}

#[test]
fn t13_a_quote_that_is_not_closed_is_told_with_the_way_to_write_an_apostrophe() {
    check_error(
        r#"AskUserQuestion '{"a":"Don't"}'"#,
        "a double quote is not closed; put the JSON in single quotes and write an apostrophe in it as '\\''",
    );
    check_error("AskUserQuestion '{\"a\":1}", "a single quote is not closed");
    check_error("AskUserQuestion \"{\\\"a\\\":1}", "a double quote is not closed");
    check_error("AskUserQuestion \"\\", "a double quote is not closed");
    check_error("AskUserQuestion $'1\\'", "a single quote is not closed");
    check_error("AskUserQuestion $'1\\", "a single quote is not closed");
    check("AskUserQuestion \\", "other");
}

#[test]
fn t13_several_arguments_are_told() {
    check_error("AskUserQuestion '{\"a\":\"Don't or won't\"}'", "one argument is expected and 3 stand there");
    check_error("AskUserQuestion '1' '2'", "one argument is expected and 2 stand there");
}

#[test]
fn t13_what_is_not_json_is_told() {
    check_error("AskUserQuestion 'What now?'", "Invalid JSON format: expected value at line 1 column 1");
    check_error("AskUserQuestion '{\"a\":1,}'", "Invalid JSON format: trailing comma");
    check_error("AskUserQuestion '{\"a\":1} {}'", "Invalid JSON format: trailing characters");
    check_error(r#"AskUserQuestion '{"a":"\ud800"}'"#, "Invalid JSON format: ");
    check_error("AskUserQuestion '{\"a\":\"b\nc\"}'", "Invalid JSON format: control character");
    check_error("AskUserQuestion *", "Invalid JSON format");
    check_error("AskUserQuestion '1\0'", "the argument is not text");
    check_error("AskUserQuestion {\"a\":\"\0\"}", "the argument is not text");
}

#[test]
fn t13_the_route_is_printed_as_the_contract_says() {
    assert_eq!(
        route("AskUserQuestion '{\"b\":1,\"a\":2}'").to_json().to_string(),
        r#"{"type":"agent_shell","command":"AskUserQuestion","input":{"b":1,"a":2}}"#
    );
    assert_eq!(
        route("AskUserQuestion").to_json().to_string(),
        r#"{"type":"agent_shell","command":"AskUserQuestion","error":"Missing JSON parameter"}"#
    );
    assert_eq!(route("ls").to_json().to_string(), r#"{"type":"other"}"#);
}

#[test]
fn t13_json_nested_too_deeply_is_told() {
    let deep = |n: usize| format!("AskUserQuestion '{}{}'", "[".repeat(n), "]".repeat(n));
    assert_eq!(said(&deep(127)), "[".repeat(127) + &"]".repeat(127));
    check_error(&deep(128), "Invalid JSON format: recursion limit exceeded");
}
