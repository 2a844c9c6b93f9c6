//! What comes back through a channel: a secret that was sent with one nudge, and what was picked.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::content::Content;
use askuser_core::entry::Entry;
use askuser_core::id::UserId;
use askuser_core::outcome::{By, Channel};
use askuser_core::whole;
use askuser_words::Language;
use askuser_words::nudge::Links;
use tracing::{info, warn};

use super::nudge::ROOM;
use askuser_desk::{Desk, DeskError, LinkError, LinkRefusal};

/// Takes the replies of one channel of one person.
#[derive(Clone)]
pub struct Replies {
    /// Where it is answered.
    pub desk: Desk,
    /// Whose channel it is.
    pub person: UserId,
    /// The channel, by its name.
    pub channel: String,
    /// The language of the person.
    pub language: Language,
}

/// What came of a reply.
#[derive(Debug, Clone)]
pub(super) enum Taken {
    /// It has answered the ask.
    Answered,
    /// It opens nothing, for this reason.
    Refused(LinkRefusal),
    /// It is no reply of ours.
    NotOurs,
    /// The desk is away: it may be tried again.
    Away(String),
}

/// What a button says: the secret, and the place of the choice.
pub(super) fn button(token: &str, place: usize) -> String {
    format!("{token} {}", place + 1)
}

/// Takes a reply apart.
fn parse(reply: &str) -> Option<(&str, usize)> {
    let (token, place) = reply.trim().split_once(' ')?;
    let place: usize = place.trim().parse().ok()?;
    (token.starts_with("a_") && token.len() < 64 && place > 0).then(|| (token, place - 1))
}

impl Replies {
    /// Answers with what a reply says.
    pub(super) async fn take(&self, reply: &str) -> Taken {
        let Some((token, place)) = parse(reply) else { return Taken::NotOurs };
        match self.answer(token, place).await {
            Ok(ask) => {
                info!(ask.id = %ask.id, channel = self.channel, "Answered {} by {}", ask.id, self.channel);
                Taken::Answered
            }
            Err(LinkError::Refused(refusal)) => {
                let is_over =
                    matches!(refusal, LinkRefusal::Closed(_) | LinkRefusal::Used(_) | LinkRefusal::Spoken);
                match if is_over { self.was_taken(token, place).await } else { Ok(false) } {
                    Ok(true) => return Taken::Answered,
                    Ok(false) => {}
                    // Nobody is refused, or noted, for what cannot be read just now.
                    Err(error) => return Taken::Away(error.to_string()),
                }
                let (channel, person) = (&self.channel, &self.person);
                warn!(channel, %person, "A reply through {channel} of {person} was refused: {refusal}");
                self.desk.links().note_refused(&refusal, Some(person), &format!("channel {channel}"));
                Taken::Refused(refusal)
            }
            Err(LinkError::Desk(error)) => Taken::Away(error.to_string()),
        }
    }

    /// Says what is said where people press buttons and do not get their way.
    pub(super) fn said(&self) -> Links {
        Links(self.language)
    }

    /// Says why a reply was refused.
    pub(super) fn why(&self, refusal: &LinkRefusal) -> String {
        refusal.said(self.language, Some(&self.person))
    }

    /// Whether this very reply has been taken: other replicas read the same topic.
    async fn was_taken(&self, token: &str, place: usize) -> Result<bool, DeskError> {
        let Some(ask) = self.desk.links().ask(token).await? else { return Ok(false) };
        let asked = Content::new(&ask.questions, &ask.terms);
        let Some(question) = whole::one_press(&asked, &ROOM) else { return Ok(false) };
        let Some(choice) = question.choices.get(place) else { return Ok(false) };
        let here = |by: &By| {
            by.user.as_ref() == Some(&self.person) && by.channel == Channel::Notify(self.channel.clone())
        };
        let voices = ask.hearing.voices.iter().filter_map(|voice| Some((&voice.by, voice.answers.as_ref()?)));
        let outcome = ask.state.outcome().map(|outcome| (&outcome.by, &outcome.answers));
        let mut said = voices.chain(outcome).filter(|(by, _)| here(by));
        Ok(said.any(|(_, answers)| {
            let picked = answers.to(&question.id).map(|answer| answer.picked.as_slice());
            picked == Some(std::slice::from_ref(&choice.id))
        }))
    }

    async fn answer(&self, token: &str, place: usize) -> Result<Arc<Ask>, LinkError> {
        let linked = self.desk.links().follow_of(token, &self.person, &self.channel).await?;
        // Only where its message had buttons: whoever makes up a reply has not seen the question.
        let question = linked.ask.one_press(&ROOM).ok_or(LinkRefusal::NoButton)?;
        let choice = question.choices.get(place).ok_or(LinkRefusal::NoChoice)?;
        let (question, choice) = (question.id.clone(), choice.id.clone());
        let entry = Entry { picked: vec![choice], ..Entry::default() };
        self.desk.links().answer(token, &linked, vec![(question, entry)]).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_reads_back_and_nothing_else_does() {
        assert_eq!(parse(&button("a_secret", 0)), Some(("a_secret", 0)));
        assert_eq!(parse(" a_secret 12\n"), Some(("a_secret", 11)));
        for other in ["", "hello", "a_secret", "a_secret 0", "a_secret one", "b_secret 1", "a_x 1 2"] {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
