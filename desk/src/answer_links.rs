//! Answers from outside: links and buttons that were sent to one person, for one ask, good once and
//! until it closes. What is refused is told to whoever looks on.
//!
//! What is in a link is no key: 24 random bytes, of which only the SHA-256 is kept. What comes with it
//! says who, through what, and that a link was the proof; it grants no permission (invariant 6).

use std::sync::Arc;
use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::command::{Actor, Role};
use askuser_core::decide::Refusal;
use askuser_core::entry::Entry;
use askuser_core::id::{QuestionId, UserId};
use askuser_core::outcome::{By, Channel, Outcome, Proof};
use askuser_words::Language;
use askuser_words::nudge::Links;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::access::{Secret, hash};
use super::observer::Observed;
use super::{Desk, DeskError, StoreError, people};
use askuser_store::nudges::AnswerLink;

/// How long a link is good where its ask stays open: nobody answers from so old a message.
pub const ANSWER_LINK_FOR: Duration = Duration::from_hours(24 * 30);
/// What stands before the random part: a stray one says what it is.
const PREFIX: &str = "a_";
/// Short enough for the buttons of every service.
const RANDOM_BYTES: usize = 24;

/// A link that is good, and what it opens.
#[derive(Debug, Clone)]
pub struct Linked {
    /// The person, as what they do by it will say.
    pub actor: Actor,
    pub ask: Arc<Ask>,
    /// The channel that it was sent through.
    pub channel: String,
}

/// How a link was misused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Misuse {
    /// It was never given out.
    Forged,
    /// Its time is over.
    Expired,
    /// It was used before.
    Replayed,
    /// It was sent to somebody else, or another way.
    Foreign,
}

/// Why a link opens nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkRefusal {
    /// It was never given out, or is so old that it is forgotten.
    #[error("this link was never given out, or is too old: open the desk itself")]
    Unknown,
    /// Its time is over.
    #[error("this link is too old: open the desk itself")]
    Expired,
    /// It was sent to another person, or through another channel.
    #[error("this link is for somebody else")]
    NotYours,
    /// The ask has ended otherwise.
    #[error("this ask has ended: {}", described(.0))]
    Closed(Box<Outcome>),
    /// It has answered; and how the ask ended, if it did.
    #[error("this link has been used{}", also(.0.as_deref()))]
    Used(Option<Box<Outcome>>),
    /// The person has spoken elsewhere, while others are still to.
    #[error("you have answered this question elsewhere")]
    Spoken,
    /// Only somebody who is signed in may do this.
    #[error("this question grants a permission: sign in at the desk to answer it")]
    NeedsSignIn,
    /// What was picked or written does not fit.
    #[error("this does not answer the question: {0}")]
    Unfit(String),
    /// It came by a button, which this question has none of.
    #[error("this question has no button")]
    NoButton,
    /// It came by a button of an option that the question does not have.
    #[error("there is no such option")]
    NoChoice,
}

impl LinkRefusal {
    /// Says it to a person.
    pub fn said(&self, language: Language, reader: Option<&UserId>) -> String {
        let said = Links(language);
        let fixed = match self {
            Self::Unknown => said.unknown(),
            Self::Expired => said.too_old(),
            Self::NotYours => said.not_yours(),
            Self::Closed(outcome) | Self::Used(Some(outcome)) => {
                return language.how_it_ended(outcome, reader);
            }
            Self::Used(None) | Self::Spoken => said.answered_before(),
            Self::NeedsSignIn => said.needs_sign_in(),
            Self::Unfit(why) => return said.unfit(why),
            Self::NoButton => said.no_button(),
            Self::NoChoice => said.no_choice(),
        };
        fixed.to_owned()
    }
}

fn also(outcome: Option<&Outcome>) -> String {
    outcome.map(|outcome| format!("; this ask has ended: {}", described(outcome))).unwrap_or_default()
}

fn described(outcome: &Outcome) -> String {
    format!("{} by {}", outcome.status(), outcome.by)
}

/// Why nothing came of a link.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LinkError {
    /// It opens nothing, or not this.
    #[error(transparent)]
    Refused(#[from] LinkRefusal),
    /// The desk could not.
    #[error(transparent)]
    Desk(#[from] DeskError),
}

impl From<StoreError> for LinkError {
    fn from(error: StoreError) -> Self {
        Self::Desk(error.into())
    }
}

/// The links that answer one ask of one person.
#[derive(Clone, Copy)]
pub struct AnswerLinks<'a>(&'a Desk);

impl Desk {
    /// Returns the links that answer one ask of one person.
    pub fn links(&self) -> AnswerLinks<'_> {
        AnswerLinks(self)
    }
}

impl AnswerLinks<'_> {
    /// Makes a link for an ask and a person that it is for; none where no link of theirs may answer it.
    pub async fn make(self, ask: &Ask, person: &UserId, channel: &str) -> Result<Option<Secret>, DeskError> {
        if ask.terms.purpose == Purpose::Permission || !ask.waits_for(person) {
            return Ok(None);
        }
        let mut bytes = [0; RANDOM_BYTES];
        getrandom::fill(&mut bytes).map_err(|_| DeskError::no_randomness())?;
        let secret = Secret::of(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes)));
        let now = self.0.now();
        let longest = now.after(ANSWER_LINK_FOR);
        let link = AnswerLink {
            ask: ask.id,
            person: person.clone(),
            channel: channel.to_owned(),
            expires_at: ask.deadline.map_or(longest, |deadline| deadline.min(longest)),
            used_at: None,
        };
        let added = self.0.0.store.nudging().add_answer_link(hash(secret.reveal()), link, now).await?;
        Ok(added.then_some(secret))
    }

    /// Returns the ask that a link was made for, whatever became of it.
    pub async fn ask(self, secret: &str) -> Result<Option<Arc<Ask>>, DeskError> {
        match self.0.0.store.nudging().answer_link(hash(secret)).await? {
            Some(link) => Ok(self.0.0.store.ask(link.ask).await?),
            None => Ok(None),
        }
    }

    /// Looks at what a link opens, and changes nothing: whatever fetches links ahead does no harm.
    pub async fn follow(self, secret: &str) -> Result<Linked, LinkError> {
        self.follow_if(secret, |_| true).await
    }

    /// The same for somebody who is signed in, perhaps as another than the one that it was sent to.
    pub async fn follow_as(self, secret: &str, user: Option<&UserId>) -> Result<Linked, LinkError> {
        self.follow_if(secret, |link| user.is_none_or(|user| link.person == *user)).await
    }

    /// The same for a message that came in through a channel of a person: a link that was sent to
    /// another, or another way, is not for it.
    pub async fn follow_of(self, secret: &str, person: &UserId, channel: &str) -> Result<Linked, LinkError> {
        self.follow_if(secret, |link| link.person == *person && link.channel == channel).await
    }

    /// Whose it is comes first: nobody else learns what became of it.
    async fn follow_if(
        self,
        secret: &str,
        is_theirs: impl Fn(&AnswerLink) -> bool,
    ) -> Result<Linked, LinkError> {
        let Some(link) = self.0.0.store.nudging().answer_link(hash(secret)).await? else {
            return Err(LinkRefusal::Unknown.into());
        };
        if !is_theirs(&link) {
            return Err(LinkRefusal::NotYours.into());
        }
        let Some(ask) = self.0.0.store.ask(link.ask).await? else { return Err(LinkRefusal::Unknown.into()) };
        if !ask.is_for(&link.person) {
            return Err(LinkRefusal::NotYours.into());
        }
        let outcome = ask.state.outcome().map(|outcome| Box::new(outcome.clone()));
        if link.used_at.is_some() {
            return Err(LinkRefusal::Used(outcome).into());
        }
        if let Some(outcome) = outcome {
            return Err(LinkRefusal::Closed(outcome).into());
        }
        if ask.hearing.has_heard(&link.person) {
            return Err(LinkRefusal::Spoken.into());
        }
        if link.expires_at <= self.0.now() {
            return Err(LinkRefusal::Expired.into());
        }
        if ask.terms.purpose == Purpose::Permission {
            return Err(LinkRefusal::NeedsSignIn.into());
        }
        let by = By::new(Some(link.person.clone()), Channel::Notify(link.channel.clone()), Proof::Link);
        let actor = Actor { role: Role::Person, user: link.person, by, key: None };
        let ask = people::seen_by(&actor, ask);
        Ok(Linked { actor, ask, channel: link.channel })
    }

    /// Tells whoever looks on that a link was refused that should not have been tried; `way` says where it
    /// came in, and `person` through whose channel. That an ask ended
    /// meanwhile, or was answered elsewhere, is nobody's fault.
    pub fn note_refused(self, refusal: &LinkRefusal, person: Option<&UserId>, way: &str) {
        let misuse = match refusal {
            LinkRefusal::Unknown => Misuse::Forged,
            LinkRefusal::Expired => Misuse::Expired,
            LinkRefusal::Used(_) => Misuse::Replayed,
            LinkRefusal::NotYours => Misuse::Foreign,
            LinkRefusal::Closed(_)
            | LinkRefusal::Spoken
            | LinkRefusal::NeedsSignIn
            | LinkRefusal::Unfit(_)
            | LinkRefusal::NoButton
            | LinkRefusal::NoChoice => return,
        };
        self.0.observe(|| Observed::Misused { misuse, person: person.cloned(), way: way.to_owned() });
    }

    /// Answers by a link. The first to commit wins; the link is used up with it.
    pub async fn answer(
        self,
        secret: &str,
        linked: &Linked,
        entries: Vec<(QuestionId, Entry)>,
    ) -> Result<Arc<Ask>, LinkError> {
        let done = self.0.answer(&linked.actor, linked.ask.id, entries).await;
        self.use_up(secret, done).await
    }

    /// Uses a link up with what was done by it, or says why nothing was.
    pub async fn use_up(
        self,
        secret: &str,
        done: Result<Arc<Ask>, DeskError>,
    ) -> Result<Arc<Ask>, LinkError> {
        match done {
            Ok(ask) => {
                // The person has spoken, so the link opens nothing any more in any case.
                let _used = self.0.0.store.nudging().use_answer_link(hash(secret), self.0.now()).await;
                Ok(ask)
            }
            Err(DeskError::Refused(Refusal::AlreadyClosed(outcome))) => {
                Err(LinkRefusal::Closed(outcome).into())
            }
            Err(DeskError::Refused(Refusal::AlreadyHeard)) => Err(LinkRefusal::Spoken.into()),
            Err(DeskError::Refused(Refusal::UnfitAnswer(problems))) => {
                let told: Vec<String> =
                    problems.iter().map(|one| format!("{}: {}", one.path, one.fault)).collect();
                Err(LinkRefusal::Unfit(told.join("; ")).into())
            }
            Err(other) => Err(other.into()),
        }
    }
}
