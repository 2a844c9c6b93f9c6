//! Has the person at the terminal pick one of several things: by typing, or by its number where the panel cannot be.

use std::io::{self, BufRead, BufReader, Write};

use askuser_core::text::shown;
use askuser_words::commands::Answering;

use askuser_ask::output::Screen;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_ask::surface::{self, NotAsked, Surface};
use askuser_client::ids::Thing;
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_terminal::paint::Look;
use askuser_terminal::picker::{self, Choice, Picker};
use askuser_terminal::plain::lines::Lines;

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Picked {
    /// The thing in this place.
    One(usize),
    /// The person left.
    Left,
    /// There is nobody at a terminal: none, or an agent runs this.
    NoTerminal,
}

/// Has one of several things picked.
pub(super) async fn pick(title: &str, things: &[Thing], environment: &Environment) -> Result<Picked, Report> {
    let (language, screen) = (language(environment), Screen::of(environment));
    let picked = match surface::terminal(environment, None)? {
        None | Some(Surface::Piped(..)) => return Ok(Picked::NoTerminal),
        Some(Surface::Panel(tty)) => {
            let get = |name: &str| environment.get(name).map(ToOwned::to_owned);
            let choices = things.iter().map(|thing| choice(thing, &screen)).collect();
            let picker = Picker::new(title.to_owned(), choices, language, clock::now());
            picker::pick(tty, Look::from(get), picker).await
        }
        Some(Surface::Lines(lines, ..)) => by_number(title, things, lines, &screen),
    };
    let picked = picked.map_err(|error| Report::from(NotAsked::from(error)))?;
    Ok(picked.map_or(Picked::Left, Picked::One))
}

fn choice(thing: &Thing, screen: &Screen) -> Choice {
    Choice { id: thing.short_id.clone(), text: thing.text.clone(), beside: beside(thing, screen) }
}

fn beside(thing: &Thing, screen: &Screen) -> String {
    let age = thing.at.map(|at| screen.times.age(at)).unwrap_or_default();
    let parts = [thing.about.as_str(), age.as_str()].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" · ")
}

/// Has the person pick by number; none where they leave.
fn by_number(title: &str, things: &[Thing], lines: Lines, screen: &Screen) -> io::Result<Option<usize>> {
    let (Lines { input, mut output }, language) = (lines, screen.language);
    let mut input = BufReader::new(input);
    let n = things.len();
    output.write_all(format!("{title}{}\n", language.words().colon().trim_end()).as_bytes())?;
    for (place, thing) in things.iter().enumerate() {
        let line = format!("{:>3}  {}\n       {}\n", place + 1, thing.text, beside(thing, screen));
        output.write_all(shown(&line).as_bytes())?;
    }
    loop {
        output.write_all(Answering(language).pick_one(n).as_bytes())?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 || line.trim().is_empty() {
            return Ok(None);
        }
        let place = line.trim().parse::<usize>().ok().and_then(|place| place.checked_sub(1));
        if let Some(place) = place.filter(|place| *place < n) {
            return Ok(Some(place));
        }
    }
}
