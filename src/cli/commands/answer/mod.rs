//! `askuser answer`: by flags for scripts, in the panel for people.

pub mod flags;

use std::time::Duration;

use askuser_core::id::AskId;
use askuser_core::outcome::Ending;
use askuser_words::commands::Answering;
use serde_json::Value;

use crate::cli::args::{Form, Insists, Layout};
use crate::cli::ask_text::{closed, headline, in_full, said};
use crate::cli::completion;
use crate::cli::lookup::{self, Noun};
use askuser_ask::connect::{block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::prompt::{DeskPrompt, Prompted};
use askuser_ask::report::{Report, complain};
use askuser_ask::surface;
use askuser_client::{Client, Via};
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;
use askuser_wire as wire;

/// Answer one question
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser answer
askuser answer --pick yes
askuser answer YNQD --pick database=sqlite --pick 2=Redis
askuser answer YNQD --text Name=shop")]
pub struct Answer {
    /// The question's id, or four characters of it [default: the only one waiting, or pick from a list]
    #[arg(value_name = "QUESTION", add = completion::waiting())]
    pub ask: Option<String>,
    /// Pick an option by label, id or number (yes, no, y or n for yes/no); name the question by header, id or
    /// number, or leave it out if there is only one
    #[arg(long, value_name = "QUESTION=OPTION")]
    pub pick: Vec<String>,
    /// Answer with a text
    #[arg(long, value_name = "QUESTION=TEXT")]
    pub text: Vec<String>,
    /// Add a note to an answer
    #[arg(long, value_name = "QUESTION=TEXT")]
    pub note: Vec<String>,
    /// Print the closed question as JSON; with a value, answer all at once: {"answers":{…},"notes":{…}}
    #[arg(long, value_name = "JSON", num_args = 0..=1)]
    pub json: Option<Option<String>>,
    /// Use numbered text prompts instead of the panel
    #[arg(long, value_name = "LAYOUT", value_enum, num_args = 0..=1, require_equals = true,
          default_missing_value = "box")]
    pub plain: Option<Layout>,
    #[command(flatten)]
    pub insists: Insists,
}

/// Answers an ask.
pub fn run(args: &Answer, environment: &Environment) -> Result<Exit, Report> {
    let (ask, sheet) = told_apart(args);
    let given = !(args.pick.is_empty() && args.text.is_empty() && args.note.is_empty());
    if given && sheet.is_some() {
        return Err(Report::input(Answering::two_ways).hint(Answering::two_ways_hint));
    }
    let (form, language) = (Form { json: args.json.is_some() }, language(environment));
    block_on(async {
        let client = lookup::reader(Noun::Question, ask, true, args.insists, environment).await?;
        let is_said = given || sheet.is_some();
        let Some(id) = lookup::waiting(&client, ask, is_said, environment).await? else {
            return Ok(Exit::StillOpen);
        };
        if !is_said {
            return in_the_panel(&client, id, args.plain, form, environment).await;
        }
        let seen = client.get(KeyRole::Person, id, None, Duration::ZERO).await?;
        let body: Value = match sheet {
            Some(sheet) => serde_json::from_str(sheet)
                .map_err(|error| Report::input(|said: Answering| said.not_json(&error)))?,
            None => flags::body(&seen.questions, args, language)?,
        };
        // Nothing is answered unseen: whoever answers by flags has all of it before them as well.
        complain(&in_full(&seen, language, (None, None)));
        let entries = wire::answers::read_answers(&seen.questions, &body).unwrap_or_default();
        let said = said(&seen, entries, language);
        done(&closed(&client.answer(id, Via::Program, body).await?, form, &said, language))
    })
}

/// Tells the ask and the sheet apart: `--json ask_01…` means the ask, printed as JSON.
fn told_apart(args: &Answer) -> (Option<&str>, Option<&str>) {
    match (args.ask.as_deref(), args.json.as_ref().and_then(|json| json.as_deref())) {
        (None, Some(value)) if !value.trim_start().starts_with('{') => (Some(value), None),
        (ask, sheet) => (ask, sheet),
    }
}

async fn in_the_panel(
    client: &Client,
    id: AskId,
    plain: Option<Layout>,
    form: Form,
    environment: &Environment,
) -> Result<Exit, Report> {
    let Some(way) = surface::terminal(environment, plain)? else {
        return Err(Report::input(Answering::no_terminal).hint(|said: Answering| said.no_terminal_hint(id)));
    };
    let language = language(environment);
    match DeskPrompt::of_person(client, environment).run(id, way).await? {
        Prompted::Closed(seen) => {
            // What was put down before it was declined was not said.
            let answered = seen.outcome.as_ref().filter(|it| matches!(it.ending, Ending::Answered(_)));
            let entries = answered.map(|outcome| outcome.answers.entries()).unwrap_or_default();
            let mut said = said(&seen, entries, language);
            if said.is_empty() {
                said.push(headline(&seen));
            }
            done(&closed(&seen, form, &said, language))
        }
        Prompted::Counted(seen) => done(&closed(&seen, form, &[headline(&seen)], language)),
        Prompted::LeftOpen | Prompted::NotTaken => Ok(Exit::StillOpen),
        Prompted::Interrupted => Ok(Exit::Interrupted),
        Prompted::Gone => Ok(Exit::NobodyThere),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn args(words: &[&str]) -> Answer {
        use clap::Parser;
        let line = ["askuser", "answer"].into_iter().chain(words.iter().copied());
        match crate::cli::args::Args::parse_from(line).verb {
            Some(crate::cli::args::Verb::Answer(answer)) => *answer,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn json_is_a_form_or_a_sheet() {
        assert_eq!(told_apart(&args(&["ask_1", "--json"])), (Some("ask_1"), None));
        assert_eq!(told_apart(&args(&["--json", "ask_1"])), (Some("ask_1"), None));
        assert_eq!(told_apart(&args(&["ask_1", "--json", "{}"])), (Some("ask_1"), Some("{}")));
    }
}
