//! Which thing a person means: by its id, by a part of it, or by nothing where there is only one.
//!
//! What a part stands for the desk says; here it is asked, and told to the person where it stands for nothing or for
//! several. A whole id is never looked up.

use askuser_core::id::{AskId, SessionId};
use askuser_core::short_id::{Digits, PART_CHARS_MIN, Part};
use askuser_core::time::Timestamp;
use askuser_words::Language;
use askuser_words::commands::Titles;
use askuser_words::naming::Naming;

use super::args::Insists;
use super::ask_text::{asker_or_unnamed, deadline_row, headline, unnamed};
pub use super::noun::Noun;
use super::picker::{Picked, pick};
use askuser_ask::connect;
use askuser_ask::ended;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::output::{Screen, language};
use askuser_ask::report::Report;
use askuser_client::Client;
use askuser_client::error::ClientError;
use askuser_client::ids::{IdKind, Thing, Things};
use askuser_client::seen::SeenAsk;
use askuser_core::command::KeyRole;
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_terminal::fuzzy::Fuzzy;
use askuser_wire::failure::Code;
use askuser_wire::time;

/// Returns a client for a person who names one of what was there before; where nothing was ever, no server is started
/// to say so.
pub async fn reader(
    noun: Noun,
    typed: Option<&str>,
    open: bool,
    insists: Insists,
    environment: &Environment,
) -> Result<Client, Report> {
    let reader = connect::reader(environment, insists).await?;
    reader.ok_or_else(|| not_there(noun, typed, open, environment))
}

/// The same for whoever asked.
pub async fn asker(typed: Option<&str>, environment: &Environment) -> Result<Client, Report> {
    if connect::has_nothing(&connect::client(environment)?, environment) {
        return Err(not_there(Noun::Question, typed, true, environment));
    }
    connect::desk(environment).await
}

fn not_there(noun: Noun, typed: Option<&str>, open: bool, environment: &Environment) -> Report {
    let language = language(environment);
    match typed {
        Some(typed) => nothing(noun, typed, &[], language),
        None => Report::wrong_input(noun.none(open, language), None),
    }
}

/// Returns the ask that a person or an agent named.
pub async fn ask(
    client: &Client,
    who: KeyRole,
    typed: &str,
    environment: &Environment,
) -> Result<AskId, Report> {
    let id = meant(client, who, Noun::Question, typed, environment).await?;
    id.parse().map_err(|_| {
        let language = language(environment);
        let hint = Naming(language).old_server();
        Report::wrong_input(no_match(Noun::Question, typed, language), Some(hint))
    })
}

/// Returns the id of what was typed.
pub async fn meant(
    client: &Client,
    who: KeyRole,
    noun: Noun,
    typed: &str,
    environment: &Environment,
) -> Result<String, Report> {
    if noun.is_whole(typed) {
        return Ok(typed.to_owned());
    }
    let found = match client.meant(who, noun.kind(), typed).await {
        // A server that is older looks for what it is given.
        Err(error) if error.code() == Some(Code::NotFound) => return Ok(typed.to_owned()),
        found => found?,
    };
    let there = match found.things.as_slice() {
        [] => client.things(who, noun.kind(), false).await?.things,
        _ => Vec::new(),
    };
    let id = the_one(noun, typed, &found, &there, &Screen::of_stderr(environment))?;
    // A conversation that goes by the agent's own name for it is called that.
    let is_part =
        |id: SessionId| Part::read(typed, "ses_", Digits::Base32).is_some_and(|part| part.fits(id.0));
    let by_name = noun == Noun::Conversation && !id.parse().is_ok_and(is_part);
    Ok(if by_name { typed.to_owned() } else { id })
}

/// Returns what a person calls a thing by whose whole id is known; that one where the server tells no other.
pub async fn called(client: &Client, noun: Noun, id: &str) -> String {
    let found = client.meant(KeyRole::Person, noun.kind(), id).await.unwrap_or_default();
    found.things.into_iter().next().map_or_else(|| id.to_owned(), |thing| thing.short_id)
}

/// Returns the id of what was typed, of things that are all at hand.
pub fn meant_of(noun: Noun, typed: &str, there: &[Thing], screen: &Screen) -> Result<String, Report> {
    if noun.is_whole(typed) && there.iter().any(|thing| thing.id.eq_ignore_ascii_case(typed)) {
        return Ok(typed.to_owned());
    }
    let part = Part::read(typed, "", Digits::Hex);
    let fits = |thing: &Thing| {
        let id = u128::from_str_radix(&thing.id, 16).ok();
        part.zip(id).is_some_and(|(part, id)| part.fits(id))
    };
    let things = there.iter().filter(|thing| fits(thing)).cloned().collect();
    the_one(noun, typed, &Things { things, more: false }, there, screen)
}

fn the_one(
    noun: Noun,
    typed: &str,
    found: &Things,
    there: &[Thing],
    screen: &Screen,
) -> Result<String, Report> {
    let language = screen.language;
    match found.things.as_slice() {
        [only] if !found.more => Ok(only.id.clone()),
        [] => Err(nothing(noun, typed, there, language)),
        several => {
            let (said, one) = (Naming(language), noun.one(language));
            let what = if found.more {
                said.matches_more(typed, one)
            } else {
                said.matches_many(typed, several.len(), one)
            };
            let what = format!("{what}\n{}", listed(noun, several, screen));
            Err(Report::wrong_input(what, Some(said.type_more())))
        }
    }
}

fn no_match(noun: Noun, typed: &str, language: Language) -> String {
    Naming(language).no_match(noun.one(language), typed)
}

/// Says that nothing is called so, and what may have been meant.
pub fn nothing(noun: Noun, typed: &str, there: &[Thing], language: Language) -> Report {
    let lister = noun.lister();
    let is_short = noun != Noun::User && typed.chars().count() < PART_CHARS_MIN;
    let near = nearest(typed, there).filter(|_| !is_short).map(named);
    let said = Naming(language);
    let hint = match near {
        Some(near) => said.did_you_mean(near, lister),
        None if is_short => said.too_short(PART_CHARS_MIN, lister),
        None => said.lister(lister),
    };
    Report::wrong_input(no_match(noun, typed, language), Some(&hint))
}

fn named(thing: &Thing) -> String {
    let text: String = thing.text.chars().take(60).collect();
    if text.is_empty() || text == thing.short_id {
        thing.short_id.clone()
    } else {
        format!("{} ({text})", thing.short_id)
    }
}

/// Returns the thing whose id is nearest to what was typed, else the one whose words are.
fn nearest<'a>(typed: &str, there: &'a [Thing]) -> Option<&'a Thing> {
    let typed = typed.trim_matches('…').trim_matches('.');
    let digits = |id: &str| id.rsplit('_').next().unwrap_or_default().to_ascii_uppercase();
    let wanted = digits(typed);
    let n = wanted.chars().count();
    if n < 3 {
        return None;
    }
    let distance = |thing: &Thing| {
        let id = digits(&thing.id);
        let ends =
            [id.chars().take(n).collect::<String>(), id.chars().skip(id.len().saturating_sub(n)).collect()];
        ends.iter().map(|end| strsim::damerau_levenshtein(end, &wanted)).min()
    };
    let near = there.iter().filter_map(|thing| Some((distance(thing)?, thing)));
    let near = near.filter(|(distance, _)| *distance <= (n / 4).max(1)).min_by_key(|(distance, _)| *distance);
    let mut fuzzy = Fuzzy::new(typed);
    let worded = || {
        let scored = there
            .iter()
            .filter_map(|thing| Some((fuzzy.score(&format!("{} {}", thing.text, thing.about))?, thing)));
        scored.max_by_key(|(score, _)| *score).map(|(_, thing)| thing)
    };
    near.map(|(_, thing)| thing).or_else(worded)
}

/// What may be meant, a line each.
pub(super) fn listed(noun: Noun, things: &[Thing], screen: &Screen) -> String {
    let row = |thing: &Thing| {
        // A question whose agent says nothing of itself is told as in `list`.
        let about = match thing.about.as_str() {
            "" if noun == Noun::Question => unnamed(screen.language),
            about => about,
        };
        vec![Cell::new(Role::Id, thing.short_id.clone()), about.into(), thing.text.clone().into()]
    };
    let (about, text) = noun.titles();
    let columns = [Column::new(Titles::id), about.cut(12).minor(1), text.cut(14)];
    table(screen, &columns, things.iter().map(row).collect())
}

/// Returns the open ask that a person named; where none was, the only one that waits, or the one that they pick in the
/// terminal. None where they leave. What was `said` beforehand was said to none of several.
pub async fn waiting(
    client: &Client,
    typed: Option<&str>,
    said: bool,
    environment: &Environment,
) -> Result<Option<AskId>, Report> {
    if let Some(typed) = typed {
        return ask(client, KeyRole::Person, typed, environment).await.map(Some);
    }
    let mut waiting = client.inbox_listed().await?;
    waiting.retain(|seen| seen.status != "pending" && !seen.waits_for_others());
    let (now, language) = (clock::now(), language(environment));
    let things = waiting.iter().map(|seen| of_ask(seen, now, language)).collect();
    let id = one_of(Noun::Question, things, Looked::Open { said }, environment).await?;
    Ok(id.and_then(|id| id.parse().ok()))
}

/// Returns the open ask that a person named, or none where they leave, and a client for them.
pub async fn open(
    typed: Option<&str>,
    insists: Insists,
    environment: &Environment,
) -> Result<Option<(Client, AskId)>, Report> {
    let client = reader(Noun::Question, typed, true, insists, environment).await?;
    let id = waiting(&client, typed, false, environment).await?;
    Ok(id.map(|id| (client, id)))
}

/// Returns the open ask that an agent or a script named; where none was, the only one that it asked.
pub async fn asked(
    client: &Client,
    typed: Option<&str>,
    environment: &Environment,
) -> Result<Option<AskId>, Report> {
    if let Some(typed) = typed {
        return ask(client, KeyRole::Agent, typed, environment).await.map(Some);
    }
    let found = client.things(KeyRole::Agent, IdKind::Ask, true).await?;
    Ok(one_of(Noun::Question, found.things, Looked::Open { said: false }, environment)
        .await?
        .and_then(|id| id.parse().ok()))
}

/// Returns the ask that a person named; where none was, the only one that has ended, or the one that they pick. None
/// where they leave.
pub async fn ended(
    client: &Client,
    typed: Option<&str>,
    environment: &Environment,
) -> Result<Option<AskId>, Report> {
    if let Some(typed) = typed {
        return ask(client, KeyRole::Person, typed, environment).await.map(Some);
    }
    let mut found = client.things(KeyRole::Person, IdKind::Ask, false).await?.things;
    found.retain(|thing| !thing.open);
    Ok(one_of(Noun::Question, found, Looked::All, environment).await?.and_then(|id| id.parse().ok()))
}

/// Returns the id of what a person named; where nothing was, of the only one that is there, or of the one that they
/// pick. None where they leave.
pub async fn one(
    client: &Client,
    noun: Noun,
    typed: Option<&str>,
    open: bool,
    environment: &Environment,
) -> Result<Option<String>, Report> {
    if let Some(typed) = typed {
        return meant(client, KeyRole::Person, noun, typed, environment).await.map(Some);
    }
    let found = client.things(KeyRole::Person, noun.kind(), open).await?;
    let looked = if open { Looked::Open { said: false } } else { Looked::All };
    one_of(noun, found.things, looked, environment).await
}

/// What was looked for where nothing was named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looked {
    /// What waits or runs. What was `said` beforehand was said to none of several.
    Open {
        /// Whether something was.
        said: bool,
    },
    /// What has ended as well.
    All,
}

/// Returns the only one of these things, or the one that the person picks.
pub async fn one_of(
    noun: Noun,
    things: Vec<Thing>,
    looked: Looked,
    environment: &Environment,
) -> Result<Option<String>, Report> {
    let (language, open) = (language(environment), looked != Looked::All);
    match things.as_slice() {
        [] => return Err(Report::wrong_input(noun.none(open, language), None)),
        [only] => return Ok(Some(only.id.clone())),
        _ => {}
    }
    let title = noun.several(things.len(), open, language);
    let picked = match looked {
        Looked::Open { said: true } => Picked::NoTerminal,
        _ => pick(&title, &things, environment).await?,
    };
    match picked {
        Picked::One(place) => Ok(things.get(place).map(|thing| thing.id.clone())),
        Picked::Left => Ok(None),
        Picked::NoTerminal => {
            let said = Naming(language);
            let listed = listed(noun, &things, &Screen::of_stderr(environment));
            let what = format!("{}\n{listed}", said.name_one(title));
            let hint = match noun {
                Noun::Question if open => said.how_to_answer(),
                _ => said.add_id(),
            };
            Err(Report::wrong_input(what, Some(hint)))
        }
    }
}

/// An open ask as what may be meant.
pub(super) fn of_ask(seen: &SeenAsk, now: Timestamp, language: Language) -> Thing {
    let held = seen.held.first().map(|held| ended::being_answered(held, language));
    let about = [Some(asker_or_unnamed(seen, language)), deadline_row(seen, now, language), held];
    let about = about.into_iter().flatten();
    let about: Vec<String> = about.filter(|text| !text.is_empty()).collect();
    Thing {
        id: seen.id.to_string(),
        short_id: seen.called(),
        text: headline(seen),
        about: about.join(" · "),
        at: time::read(&seen.created_at),
        open: true,
    }
}

/// Says what was not there, where the server only says that something was not.
pub fn no_such(error: ClientError, noun: Noun, typed: &str, language: Language) -> Report {
    match error.code() {
        Some(Code::NotFound) => nothing(noun, typed, &[], language),
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn things() -> Vec<Thing> {
        [("01997c2b00007abc8def0123456789ab", "laptop"), ("01997c2b00007abc8def0123456abcde", "phone")]
            .map(|(id, name)| Thing {
                id: id.to_owned(),
                short_id: id[28..].to_owned(),
                text: name.to_owned(),
                ..Thing::default()
            })
            .to_vec()
    }

    fn said(typed: &str) -> String {
        let screen = Screen::made(0, Language::English, clock::now());
        match meant_of(Noun::Key, typed, &things(), &screen) {
            Ok(id) => id,
            Err(report) => report.to_string(),
        }
    }

    #[test]
    fn a_part_stands_for_one_thing_or_it_is_said_why_not() {
        assert_eq!(said("89AB"), things()[0].id);
        assert_eq!(said(&things()[1].id), things()[1].id);
        assert_eq!(said("nope"), "no key matches `nope`");
        assert_eq!(said("0199"), "`0199` matches 2 keys\nID    NAME\n89ab  laptop\nbcde  phone");
    }

    #[test]
    fn the_nearest_is_named() {
        let near = |typed: &str| nearest(typed, &things()).map(|thing| thing.text.clone());
        assert_eq!(near("89ac").as_deref(), Some("laptop"), "one letter is wrong");
        assert_eq!(near("phn").as_deref(), Some("phone"), "its name");
        assert_eq!((near("zzzz"), near("8")), (None, None));
    }
}
