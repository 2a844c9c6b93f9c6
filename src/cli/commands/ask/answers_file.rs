//! `askuser ask --answers FILE`: the answers stand in a file, for tests and CI. Nobody is asked.

use std::path::Path;

use askuser_core::decide::Refusal;
use askuser_words::commands::Given;

use askuser_ask::connect::{Insists, not_by_an_agent};
use askuser_ask::exit::Exit;
use askuser_ask::in_memory::InMemory;
use askuser_ask::input;
use askuser_ask::output::language;
use askuser_ask::printing::Printing;
use askuser_ask::report::Report;
use askuser_ask::shell::Call;
use askuser_ask::surface::NotAsked;
use askuser_config::Fault;
use askuser_config::rules::{self, Asked, Found};
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_words::config::Wrong;
use askuser_words::{Both, Language, both};

/// Answers from the file, or fails with what was asked.
pub(super) fn run(
    file: &Path,
    call: &Call,
    printing: Printing,
    environment: &Environment,
) -> Result<Exit, Report> {
    // An agent that brings its own answers would answer itself (invariant 6). Nobody may insist: without a
    // desk there is nothing that would note it.
    not_by_an_agent(environment, Insists::NO)?;
    let text = input::file(file)?;
    let book = rules::read(&text).map_err(|faults| {
        Report::of(
            Exit::WrongInput,
            lines(|language| {
                let line = |fault: &Fault| fault.said().in_language(language).to_owned();
                faults.iter().map(|fault| Wrong(language).in_file(file.display(), line(fault))).collect()
            }),
        )
        .hint(Given::answers_file_hint)
    })?;
    let alone = InMemory::ask(call.questions.clone(), call.terms.clone(), clock::now());
    let mut alone = alone.map_err(NotAsked::Unfit)?;
    // Asked first: a question that came without an id has one now.
    let now = clock::now();
    let terms = &call.terms;
    let found = alone.now().map(|ask| {
        let (owner, asked_by, confirmed) = (None, None, &[][..]);
        book.look_up(&Asked { questions: &ask.questions, terms, owner, asked_by, confirmed, now })
    });
    match found {
        Some(Found::Answers { entries, rule, reach }) => {
            let answered = alone.answer_by_rule(entries, rule, reach, clock::now());
            let outcome = answered.map_err(NotAsked::Refused)?;
            let reply = alone.reply(call.reply, &outcome);
            let asked = alone.now().ok_or(NotAsked::Refused(Refusal::AskNotFound))?;
            printing.print((&asked.questions, &outcome), &reply, language(environment))
        }
        Some(Found::Unanswered(why)) => Err(Report::of(
            Exit::NobodyThere,
            lines(|language| why.iter().map(|why| language.of(why).to_owned()).collect()),
        )
        .hint(|said: Given| said.not_in_file_hint(file.display()))),
        Some(Found::Unconfirmed(_)) => {
            Err(Report::of(Exit::NobodyThere, both(Given::no_permission_in_file))
                .hint(Given::no_permission_hint))
        }
        None => Err(NotAsked::Refused(Refusal::AskNotFound).into()),
    }
}

/// Several lines, in both languages.
fn lines(say: impl Fn(Language) -> Vec<String>) -> Both {
    both(|language: Language| say(language).join("\n"))
}
