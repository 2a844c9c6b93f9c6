//! What commands print for people: tables that fit, colours by role, local times, a pager.
//!
//! A [`Screen`] is what is known of the place that it goes to. Into a pipe goes the same text: never
//! cut, never coloured, never paged.

pub mod paint;
mod pager;
pub mod table;

use std::io::{self, IsTerminal};
use std::os::fd::AsFd;

use askuser_core::text::shown;
use askuser_words::Language;
use askuser_words::time::Times;
use rustix::termios::tcgetwinsize;

use self::pager::Pager;
use self::paint::{Paint, Role};
use super::exit::Exit;
use super::report;
use super::report::Report;
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_terminal::Look;
use askuser_terminal::width::width;
use askuser_terminal::wrap::wrap;

/// The columns of a terminal that does not say how many it has.
const COLUMNS: usize = 80;
/// Narrower than this nothing is made to fit: lines break wherever they do.
const COLUMNS_MIN: usize = 20;

/// Where a command prints to.
#[derive(Debug, Clone)]
pub struct Screen {
    /// The columns and rows of the terminal; none where standard output is no terminal.
    size: Option<(usize, usize)>,
    /// The colours.
    pub paint: Paint,
    /// The language that the person reads.
    pub language: Language,
    /// How moments are told.
    pub times: Times,
    /// The program that long output is shown by.
    pager: Option<Pager>,
}

impl Screen {
    /// Looks at standard output.
    pub fn of(environment: &Environment) -> Self {
        let size = size_of(&io::stdout());
        let (paint, pager) = (Paint::of(size.is_some(), environment), pager::wanted(environment));
        Self { paint, pager: pager.filter(|_| size.is_some()), ..Self::plain(size, environment) }
    }

    /// Looks at standard error. What is complained of is coloured by its lines, and never paged.
    pub fn of_stderr(environment: &Environment) -> Self {
        Self::plain(size_of(&io::stderr()), environment)
    }

    fn plain(size: Option<(usize, usize)>, environment: &Environment) -> Self {
        let language = language(environment);
        let times = Times::local(clock::now(), language);
        Self { size, paint: Paint::NONE, language, times, pager: None }
    }

    /// Returns a made-up terminal of so many columns, without colours, where it is this moment in UTC.
    pub fn made(columns: usize, language: Language, now: askuser_core::time::Timestamp) -> Self {
        let size = (columns > 0).then_some((columns, 24));
        Self { size, paint: Paint::NONE, language, times: Times::at(now, 0, language), pager: None }
    }

    /// Returns the columns that a line may take; none where it is not cut.
    pub fn columns(&self) -> Option<usize> {
        self.size.map(|(columns, _)| columns.max(COLUMNS_MIN))
    }

    /// Returns the columns and colours of a page of Markdown. A terminal without colours still has bold and dim.
    pub fn paper(&self) -> (Option<usize>, Option<Look>) {
        let look = Look { colour: self.paint.is_on(), reflow: true };
        (self.columns(), (self.size.is_some() || look.colour).then_some(look))
    }

    /// Returns text that has no colours yet with its lines broken between words; what is indented stays so.
    pub fn wrapped(&self, text: &str) -> String {
        wrapped(text, self.columns())
    }

    /// Returns the parts of a line, harmless and each in its colour; one that does not fit is broken between
    /// words, and plain.
    pub fn line(&self, parts: &[(Role, &str)]) -> String {
        let plain: String = parts.iter().map(|(_, text)| shown(text)).collect();
        if self.columns().is_some_and(|columns| plain.contains('\n') || width(&plain) > columns) {
            return self.wrapped(&plain);
        }
        parts.iter().map(|(role, text)| self.paint.text(*role, &shown(text))).collect()
    }

    /// Prints what a command is for, and ends well. What is longer than the terminal goes through the pager.
    pub fn print(&self, text: &str) -> Result<Exit, Report> {
        let text = text.trim_end();
        if let (Some(pager), Some((columns, rows))) = (&self.pager, self.size)
            && pager::rows(text, columns) >= rows
            && pager.show(text)
        {
            return Ok(Exit::Answered);
        }
        report::finish(text, Exit::Answered)
    }
}

/// Returns the columns and rows of a terminal; none where it is none.
fn size_of(stream: &(impl IsTerminal + AsFd)) -> Option<(usize, usize)> {
    stream.is_terminal().then(|| match tcgetwinsize(stream) {
        Ok(size) if size.ws_col > 0 => (usize::from(size.ws_col), usize::from(size.ws_row)),
        _ => (COLUMNS, usize::MAX),
    })
}

/// Returns text with its lines broken between words where they have to fit; what is indented stays so.
pub fn wrapped(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns else { return text.to_owned() };
    let line = |line: &str| {
        let indent = &line[..line.len() - line.trim_start_matches(' ').len()];
        let rows = wrap(line.trim_start_matches(' '), columns.saturating_sub(indent.len()).max(1));
        rows.iter().map(|row| format!("{indent}{row}")).collect::<Vec<_>>().join("\n")
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// The language that the person reads.
pub fn language(environment: &Environment) -> Language {
    Language::of_person(|name| environment.get(name).map(ToOwned::to_owned))
}
