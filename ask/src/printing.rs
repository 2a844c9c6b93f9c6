//! How an answer is printed: as JSON, as the bare answer, or as assignments for a shell; and what the exit
//! code says of it.
//!
//! Whatever is printed, other endings than an answer put nothing on standard output unless it is JSON: a
//! script that takes the output for the answer must not find something else there.

use std::io::{self, IsTerminal, Write};

use askuser_core::answer::Answer;
use askuser_core::id::ChoiceId;
use askuser_core::key::Keyed;
use askuser_core::outcome::{AnsweredBy, Ending, Outcome};
use askuser_core::question::{Kind, NO, Question, Questions, YES};
use askuser_core::text::shown;
use askuser_words::Language;
use askuser_words::commands::{Given, ToAsk};

use super::connect::say;
use super::exit::Exit;
use super::options::Output;
use super::report::{Report, print_outcome};

/// What is wanted of an answer.
#[derive(Debug, Clone, Copy)]
pub struct Printing {
    /// What goes to standard output; nothing where none is named.
    pub output: Option<Output>,
    /// Whether the exit code says yes or no.
    pub exit_code: bool,
}

impl Printing {
    /// The reply as JSON.
    pub const JSON: Self = Self { output: Some(Output::Json), exit_code: false };

    /// Says that the exit code cannot tell the answer, where it is no single yes or no.
    pub fn check(self, questions: &Questions) -> Result<(), Report> {
        let is_yes_no = |question: &Question| question.kind == Kind::YesNo;
        if !self.exit_code || matches!(questions.top(), [only] if is_yes_no(only)) {
            return Ok(());
        }
        Err(Report::input(ToAsk::exit_code).hint(ToAsk::exit_code_hint))
    }

    /// Prints how an ask ended and returns the exit code; `reply` is its JSON.
    pub fn print(
        self,
        (questions, outcome): (&Questions, &Outcome),
        reply: &str,
        language: Language,
    ) -> Result<Exit, Report> {
        self.check(questions)?;
        let is_json = self.output == Some(Output::Json);
        if !matches!(outcome.ending, Ending::Answered(_)) || outcome.is_disagreement() {
            if is_json {
                print_outcome(reply).map_err(|error| unprintable(&error))?;
            } else {
                say(&shown(&unanswered(outcome, language)));
            }
            // People who said different things have said neither yes nor no, nor anything else for all.
            let disagree = outcome.is_disagreement() && (self.exit_code || !is_json);
            return Ok(if disagree { Exit::Failed } else { Exit::from(outcome) });
        }
        match self.output {
            None => {}
            Some(Output::Json) => print_outcome(reply).map_err(|error| unprintable(&error))?,
            Some(Output::Value) => {
                print_as_is(&value(questions, outcome)).map_err(|error| unprintable(&error))?;
            }
            Some(Output::Shell) => {
                print_as_is(&assignments(questions, outcome)).map_err(|error| unprintable(&error))?;
            }
        }
        if self.exit_code { said_by_code(questions, outcome) } else { Ok(Exit::Answered) }
    }
}

fn unprintable(error: &io::Error) -> Report {
    Report::failure(|said: Given| said.not_printed(error))
}

/// Yes is 0 and no is 10; no other ending has either.
fn said_by_code(questions: &Questions, outcome: &Outcome) -> Result<Exit, Report> {
    let answer = questions.top().first().and_then(|question| outcome.answers.to(&question.id));
    match answer.and_then(|answer| answer.picked.first()).map(ChoiceId::as_str) {
        Some(YES) => Ok(Exit::Answered),
        Some(NO) => Ok(Exit::SaidNo),
        _ => Err(Report::failure(ToAsk::left_out)),
    }
}

/// Prints words for a program: as they are, and on a terminal with what would act there as a symbol.
fn print_as_is(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let text = if stdout.is_terminal() { shown(text) } else { text.into() };
    match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Says beside the outcome that nobody was asked just now, where a rule or a default answered.
pub fn tell_answered_by(outcome: &Outcome, language: Language) {
    if let Some(line) = answered_by(outcome, language) {
        say(&shown(&line));
    }
}

fn answered_by(outcome: &Outcome, language: Language) -> Option<String> {
    let said = language.ended(outcome);
    match outcome.ending {
        Ending::Answered(AnsweredBy::Rule) => {
            let rule = outcome.comment.as_deref().map(|comment| comment.trim_start_matches("rule: "));
            Some(rule.map_or(said, |rule| ToAsk(language).by_rule(rule)))
        }
        Ending::Answered(AnsweredBy::Default) => Some(said),
        _ => None,
    }
}

/// Says in one line why there is no answer.
fn unanswered(outcome: &Outcome, language: Language) -> String {
    if outcome.is_disagreement() {
        return ToAsk(language).disagreed().to_owned();
    }
    let line = language.ending(outcome);
    match outcome.comment.as_deref().map(|comment| language.reason(comment).replace('\n', " ")) {
        Some(reason) if !reason.is_empty() => format!("{line}{}{reason}", language.words().colon()),
        _ => line.to_owned(),
    }
}

/// Returns the answers, a pick a line: the questions in their order, each before its follow-ups.
fn value(questions: &Questions, outcome: &Outcome) -> String {
    let keyed = questions.keyed();
    let lines: Vec<String> = said(&keyed, outcome).map(|(_, said)| said.join("\n")).collect();
    lines.join("\n")
}

/// Returns `key='answer'` for each question, the picks of one on lines of their own.
fn assignments(questions: &Questions, outcome: &Outcome) -> String {
    let keyed = questions.keyed();
    let mut names: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for (place, (key, said)) in said(&keyed, outcome).enumerate() {
        let mut name = variable(key, place);
        while names.contains(&name) {
            name.push('_');
        }
        lines.push(format!("{name}={}", quoted(&said.join("\n"))));
        names.push(name);
    }
    lines.join("\n")
}

/// Returns the key of each question that was asked, and what was answered in words; an empty text where it was
/// left out.
fn said<'a>(keyed: &'a Keyed<'a>, outcome: &'a Outcome) -> impl Iterator<Item = (&'a str, Vec<&'a str>)> {
    keyed.iter().filter_map(|(question, key)| {
        let answer = outcome.answers.to(&question.id)?;
        let words = words(question, answer);
        Some((key, if words.is_empty() { vec![""] } else { words }))
    })
}

fn words<'a>(question: &'a Question, answer: &'a Answer) -> Vec<&'a str> {
    let picked = answer.picked.iter().filter_map(|id| question.choice_name(id));
    picked.chain(answer.text.as_deref()).collect()
}

/// Makes a key a name that a shell takes. A name that means something to the shell or the system, as `PATH`
/// and `status` do, would change more than a variable of the script.
fn variable(key: &str, place: usize) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = key.chars().map(plain).collect();
    if !name.contains(|c: char| c.is_ascii_alphanumeric()) {
        return format!("q{}", place + 1);
    }
    let is_special = !name.contains(|c: char| c.is_ascii_lowercase()) || SPECIAL.contains(&name.as_str());
    if is_special || name.starts_with(|c: char| c.is_ascii_digit()) { format!("answer_{name}") } else { name }
}

/// What zsh and bash give a meaning of those names that have small letters.
const SPECIAL: [&str; 42] = [
    "aliases",
    "argv",
    "auto_resume",
    "builtins",
    "cdpath",
    "commands",
    "dirstack",
    "errnos",
    "fignore",
    "fpath",
    "funcfiletrace",
    "funcsourcetrace",
    "funcstack",
    "functions",
    "functrace",
    "galiases",
    "histchars",
    "history",
    "historywords",
    "jobdirs",
    "jobstates",
    "jobtexts",
    "keymaps",
    "mailpath",
    "manpath",
    "module_path",
    "modules",
    "nameddirs",
    "options",
    "parameters",
    "patchars",
    "path",
    "pipestatus",
    "prompt",
    "psvar",
    "reswords",
    "saliases",
    "signals",
    "status",
    "termcap",
    "userdirs",
    "watch",
];

/// Puts a text into single quotes, in which a shell takes nothing but a single quote for anything.
fn quoted(text: &str) -> String {
    // A shell's variable cannot hold this one.
    format!("'{}'", text.replace('\0', "").replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::sync::Arc;

    use askuser_core::outcome::{By, Channel, Proof};
    use askuser_core::sheet::Sheet;
    use askuser_core::time::Timestamp;
    use serde_json::{Value, json};

    use super::*;
    use askuser_wire::{self as wire, Dialect, answers};

    fn answered(ask: &Value, answers: &Value) -> (Questions, Outcome) {
        let (questions, _) = wire::read(Dialect::Full, ask).check().unwrap();
        let questions = questions.in_round(7);
        let entries = answers::read_answers(&questions, &json!({ "answers": answers })).unwrap();
        let sheet = Sheet::filled(Arc::new(questions.clone()), entries).unwrap();
        let outcome = Outcome {
            ending: Ending::Answered(AnsweredBy::Person),
            by: By::new(None, Channel::Terminal, Proof::Terminal),
            at: Timestamp(0),
            comment: None,
            answers: sheet.answers().unwrap(),
            voices: Vec::new(),
        };
        (questions, outcome)
    }

    fn sample() -> (Questions, Outcome) {
        let ask = json!({"questions": [
            {"header": "Auth method", "question": "Which?", "type": "checkbox",
             "options": [{"label": "OAuth 2.0"}, {"id": "jwt", "label": "JWT"}, {"label": "None"}],
             "follow_up_questions": {"jwt": [{"question": "How long?", "type": "text"}]}},
            {"question": "Sure?", "type": "boolean"},
            {"question": "Why?", "type": "text", "required": false},
        ]});
        let own = json!({"selected": ["OAuth 2.0", "jwt"], "other": "keys"});
        answered(&ask, &json!({"Auth method": own, "Auth method.1": "a\nday", "q2": true}))
    }

    #[test]
    fn a_value_is_the_answer_and_nothing_else() {
        let (questions, outcome) = sample();
        assert_eq!(value(&questions, &outcome), "OAuth 2.0\njwt\nkeys\na\nday\nyes\n");
    }

    #[test]
    fn a_shell_gets_one_variable_for_each_question() {
        let (questions, outcome) = sample();
        assert_eq!(
            assignments(&questions, &outcome),
            "Auth_method='OAuth 2.0\njwt\nkeys'\nAuth_method_1='a\nday'\nq2='yes'\nq3=''"
        );
    }

    #[test]
    fn a_key_becomes_a_name_that_changes_nothing_else() {
        let names = ["env", "a b-c", "1st", "PATH", "IFS", "path", "status", "功能", "", "x;rm", "Q1", "_"];
        let variables = names.map(|key| variable(key, 2));
        let expected = [
            "env",
            "a_b_c",
            "answer_1st",
            "answer_PATH",
            "answer_IFS",
            "answer_path",
            "answer_status",
            "q3",
            "q3",
            "x_rm",
            "answer_Q1",
            "q3",
        ];
        assert_eq!(variables, expected);
    }

    #[test]
    fn no_answer_gets_out_of_its_quotes_in_a_real_shell() {
        let hostile = [
            "it's",
            "'",
            "''",
            "\\'",
            "$(touch gone)",
            "`touch gone`",
            "${HOME}",
            "a\nb\n",
            "\\",
            "!!",
            "-n",
            "*",
            "'; touch gone; '",
            "\u{1b}[31m",
            "\"",
            "框 👩‍👩‍👧",
            "\r\n",
            "~",
            "#x",
            "=ls",
        ];
        for shell in ["sh", "bash", "dash", "zsh"] {
            let there = Command::new(shell).args(["-c", ":"]).status().is_ok_and(|status| status.success());
            assert!(there || shell != "sh", "every system has one");
            if !there {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            for text in hostile {
                let ask = json!({"questions": [
                    {"question": "What?", "options": [text]}, {"question": "Which?", "header": text, "type": "boolean"},
                ]});
                let (questions, outcome) = answered(&ask, &json!({"q1": text, (text): true}));
                let script = format!("{}\nprintf '%s.' \"$q1\"", assignments(&questions, &outcome));
                let ran = Command::new(shell).current_dir(&folder).arg("-c").arg(&script).output().unwrap();
                assert_eq!(String::from_utf8_lossy(&ran.stdout), format!("{text}."), "{shell}: {script}");
                assert_eq!(ran.stderr, b"", "{shell}: {script}");
            }
            assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "{shell} ran something");
        }
    }

    #[test]
    fn the_exit_code_says_yes_or_no_and_nothing_else_does() {
        let ask = json!({"question": "Ship it?", "type": "boolean", "required": false});
        let quiet = Printing { output: None, exit_code: true };
        let code = |answers: Value, ending: Ending| {
            let (questions, mut outcome) = answered(&ask, &answers);
            outcome.ending = ending;
            quiet.print((&questions, &outcome), "{}", Language::English).unwrap_or_else(|report| report.exit)
        };
        let given = Ending::Answered(AnsweredBy::Person);
        assert_eq!(code(json!({"q1": true}), given), Exit::Answered);
        assert_eq!(code(json!({"q1": false}), given), Exit::SaidNo);
        assert_eq!(code(json!({"q1": null}), given), Exit::Failed);
        for ending in [Ending::Declined, Ending::Withdrawn] {
            for yes in [true, false] {
                let code = code(json!({ "q1": yes }), ending).code();
                assert!(code != 0 && code != 10, "{ending:?}");
            }
        }
        for unfit in [
            json!({"question": "Which?", "options": ["yes", "no"]}),
            json!({"questions": [{"question": "A?", "type": "boolean"}, {"question": "B?", "type": "boolean"}]}),
        ] {
            let (questions, _) = wire::read(Dialect::Full, &unfit).check().unwrap();
            assert_eq!(quiet.check(&questions).unwrap_err().exit, Exit::WrongInput);
        }
    }
}
