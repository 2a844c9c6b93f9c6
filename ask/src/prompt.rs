//! A person at a terminal, before an ask that the desk keeps.
//!
//! The panel shows it, the desk decides: the first answer wins, wherever it is given. What the
//! person types is kept at the desk as they go, and an answer that was sent is never lost: while
//! the desk is away it is sent again until it arrives.

use std::cell::{OnceCell, RefCell};
use std::convert::Infallible;
use std::fs::File;
use std::future::{pending, ready};
use std::time::Duration;

use askuser_core::answer::Answers;
use askuser_core::id::AskId;
use askuser_core::sheet::Sheet;
use askuser_words::Language;
use askuser_words::prompt::Prompt;
use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, Shared};
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::autosave::{Autosave, QuestionIds};
use super::connect::say;
use super::desk::{BreakOff, Rounds};
use super::ended;
use super::output::language;
use super::presentation::Presentation;
use super::report::Report;
use super::surface::{NotAsked, Surface, tell_running};
use askuser_client::error::ClientError;
use askuser_client::seen::{SeenAsk, write_entries};
use askuser_client::waiting::Waited;
use askuser_client::{Client, Via};
use askuser_core::command::KeyRole;
use askuser_system::backoff::{BackOff, Pauses};
use askuser_system::environment::Environment;
use askuser_terminal::driver::News;
use askuser_terminal::{ClosedElsewhere, Ended, Leaving, Round};

/// How often a pending ask is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// After this, whoever answered is told what is still waited for.
const SOON: Duration = Duration::from_secs(1);
/// How long whoever breaks off waits for the desk to have the ask.
const BROKEN_OFF: Duration = Duration::from_secs(2);

/// The ask as the desk has it, or is about to. Whoever waits for that may leave and come back.
pub type Kept<'a> = Shared<LocalBoxFuture<'a, Result<SeenAsk, ClientError>>>;

/// Where a person sits.
pub struct DeskPrompt<'a> {
    /// The desk.
    pub client: &'a Client,
    /// Whose key waits for the outcome: the asker's, or the person's own.
    pub waits_as: KeyRole,
    /// The dialect of the reply.
    pub reply: Option<String>,
    /// Until when.
    pub until: Option<Instant>,
    /// Which round it is, where the caller knows.
    pub round: Option<Round>,
    /// Whether the number that the desk gives it says something.
    pub rounds: Rounds,
    /// Whether the person goes on where the desk cannot have the ask.
    pub or_alone: bool,
    /// What is around.
    pub environment: &'a Environment,
}

/// How it ended for whoever sat there.
pub enum Prompted {
    /// The ask ended, here or elsewhere.
    Closed(Box<SeenAsk>),
    /// What this person said counts; it stays open until others have spoken too.
    Counted(Box<SeenAsk>),
    /// It stays open: a question was answered otherwise meanwhile, elsewhere and for good.
    NotTaken,
    /// It stays open: the person left, or the caller's patience ended.
    LeftOpen,
    /// It stays open: broken off.
    Interrupted,
    /// It stays open: the terminal is gone, or not one to answer in.
    Gone,
}

/// An ask that the desk never had, although a person sat before it.
pub struct NotKept {
    /// Why.
    pub why: ClientError,
    /// What the person did.
    pub ended: Ended,
    /// What they put down.
    pub so_far: Answers,
}

/// What was heard of an ask while it was shown.
enum Heard {
    /// It ended, or the caller's patience did.
    Waited(Waited),
    /// The desk said no.
    Failed(ClientError),
    /// The desk takes no person's answer from here.
    NotFromHere(ClientError),
}

impl Heard {
    fn line(&self, language: Language) -> String {
        match self {
            Self::Waited(Waited::Closed(seen)) => ended::line(seen, language),
            Self::Waited(Waited::StillOpen) => language.words().left_open().to_owned(),
            Self::Failed(error) => error.said(language).lines().next().unwrap_or_default().to_owned(),
            Self::NotFromHere(error) => not_from_here(error, language),
        }
    }

    fn prompted(self) -> Result<Prompted, Report> {
        match self {
            Self::Waited(Waited::Closed(seen)) => Ok(Prompted::Closed(seen)),
            Self::Waited(Waited::StillOpen) => Ok(Prompted::LeftOpen),
            Self::Failed(error) => Err(error.into()),
            Self::NotFromHere(_) => Ok(Prompted::Gone),
        }
    }
}

impl<'a> DeskPrompt<'a> {
    /// A person who came to an ask that the desk has.
    pub fn of_person(client: &'a Client, environment: &'a Environment) -> Self {
        let (waits_as, rounds) = (KeyRole::Person, Rounds::Untold);
        Self { client, waits_as, reply: None, until: None, round: None, rounds, or_alone: false, environment }
    }

    /// Asks in the terminal until the ask ends or the person leaves.
    pub async fn run(&self, ask: AskId, surface: Surface) -> Result<Prompted, Report> {
        let Some(seen) = self.showing(ask).await? else { return Ok(Prompted::LeftOpen) };
        if !seen.is_open() {
            return Ok(Prompted::Closed(Box::new(seen)));
        }
        if seen.waits_for_others() {
            return Err(not_theirs(&seen, self.environment));
        }
        let shown = self.shown(&seen);
        let prompted = self.show(surface, shown, ready(Ok(seen)).boxed_local().shared(), false).await?;
        prompted.map_err(|not_kept| not_kept.why.into())
    }

    /// The same with an ask that is on its way to the desk: it is shown at once, and nothing that the person does
    /// counts before the desk has it.
    pub async fn run_early(
        &self,
        surface: Surface,
        shown: Presentation,
        kept: Kept<'_>,
    ) -> Result<Result<Prompted, NotKept>, Report> {
        self.show(surface, shown, kept, true).await
    }

    async fn show(
        &self,
        surface: Surface,
        shown: Presentation,
        kept: Kept<'_>,
        early: bool,
    ) -> Result<Result<Prompted, NotKept>, Report> {
        let language = shown.around.language;
        let painted = shown.sheet.clone();
        let (via, output) = (surface.via(), surface.output().map_err(NotAsked::from)?);
        let (tell, told) = watch::channel(shown.news());
        let (heard, so_far, saver) = (RefCell::new(None), RefCell::new(painted.clone()), OnceCell::new());
        let closed = Box::pin(async {
            let now = match kept.clone().await {
                Ok(seen) => {
                    saver.get_or_init(|| self.saver(&painted, &so_far.borrow(), &seen));
                    self.followed(seen, early, &tell).await
                }
                Err(error) if self.or_alone && error.is_no_desk() => {
                    // Nobody keeps it now, so there is nothing to leave open.
                    tell.send_modify(|news| news.around.leaving = Leaving::Declines);
                    pending().await
                }
                Err(error) => Heard::Failed(error),
            };
            let line = now.line(language);
            heard.replace(Some(now));
            ClosedElsewhere { line }
        });
        let on_change = |sheet: &Sheet| {
            if let Some(saver) = saver.get() {
                saver.note(sheet);
            }
            so_far.replace(sheet.clone());
        };
        let ended = shown.prompt(surface, told, closed, on_change, self.environment).await;
        let (heard, saver) = (heard.into_inner(), saver.into_inner());
        let ended = match (ended, heard) {
            (Ok(Ended::ClosedElsewhere), Some(heard)) => {
                finish(saver).await;
                return heard.prompted().map(Ok);
            }
            (Err(error), _) => {
                finish(saver).await;
                return Err(error.into());
            }
            (Ok(ended), _) => ended,
        };
        match self.arrived(&kept, ended == Ended::Interrupted).await? {
            None => Ok(Ok(Prompted::Interrupted)),
            Some(Err(why)) => Ok(Err(NotKept { why, ended, so_far: so_far.into_inner().answers_so_far() })),
            Some(Ok(seen)) => {
                let saver = saver.unwrap_or_else(|| self.saver(&painted, &so_far.into_inner(), &seen));
                let names = QuestionIds::between(painted.questions(), &seen.questions);
                self.did(ended, seen.id, &names, saver, (via, output)).await.map(Ok)
            }
        }
    }

    /// Begins to save what is put down, as of now.
    fn saver(&self, painted: &Sheet, so_far: &Sheet, seen: &SeenAsk) -> Autosave {
        let names = QuestionIds::between(painted.questions(), &seen.questions);
        let saver = Autosave::start(self.client.clone(), seen.id, names);
        if so_far != painted {
            saver.note(so_far);
        }
        saver
    }

    /// Carries out what the person did with an ask that the desk has.
    async fn did(
        &self,
        ended: Ended,
        ask: AskId,
        names: &QuestionIds,
        saver: Autosave,
        (via, output): (Via, File),
    ) -> Result<Prompted, Report> {
        let prompted = match ended {
            Ended::Sent(answers) => {
                saver.abandon();
                let entries = names.of(answers.entries());
                let body = write_entries(entries.iter().map(|(id, entry)| (id, entry)));
                let sent = async || self.client.answer(ask, via, body.clone()).await;
                let prompted = self.closed_by(ask, sent).await?;
                if let Prompted::Closed(seen) = &prompted
                    && let Some(outcome) = &seen.outcome
                {
                    tell_running(output, outcome, &seen.questions, self.environment);
                }
                if matches!(prompted, Prompted::NotTaken) {
                    // What they put down is there when they look at it again; what was answered for good stays.
                    let _saved = self.client.save(ask, &entries).await;
                }
                return Ok(prompted);
            }
            Ended::Declined { reason } => {
                saver.abandon();
                let reason = reason.as_deref();
                return self.closed_by(ask, async || self.client.cancel(ask, via, reason).await).await;
            }
            Ended::Expired => self.expired(ask).await,
            Ended::LeftOpen | Ended::ClosedElsewhere => Ok(Prompted::LeftOpen),
            Ended::Interrupted => Ok(Prompted::Interrupted),
            Ended::Gone => Ok(Prompted::Gone),
        };
        saver.finish().await;
        prompted
    }

    fn shown(&self, seen: &SeenAsk) -> Presentation {
        let round = self.round.or_else(|| self.rounds.round(seen.round));
        Presentation::kept(seen, round, language(self.environment))
    }

    /// Waits until the ask has its turn; nothing where the caller's patience ends first.
    async fn showing(&self, ask: AskId) -> Result<Option<SeenAsk>, Report> {
        let mut said = false;
        loop {
            let seen = match self.client.get(KeyRole::Person, ask, None, Duration::ZERO).await {
                Ok(seen) if seen.status != "pending" => return Ok(Some(seen)),
                Ok(seen) => Some(seen),
                Err(error) if error.may_pass() => None,
                Err(error) => return Err(error.into()),
            };
            if self.until.is_some_and(|until| until <= Instant::now()) {
                return Ok(None);
            }
            if !said && seen.is_some() {
                say(&Prompt(language(self.environment)).queued(ask));
                said = true;
            }
            sleep(LOOK_EVERY).await;
        }
    }

    /// Follows an open ask until it is closed, and tells the panel what is known of it.
    async fn followed(&self, seen: SeenAsk, early: bool, tell: &watch::Sender<News>) -> Heard {
        let ask = seen.id;
        if !seen.is_open() {
            return Heard::Waited(Waited::Closed(Box::new(seen)));
        }
        if early {
            match self.client.get(KeyRole::Person, ask, None, Duration::ZERO).await {
                Ok(seen) => {
                    tell.send_replace(News { sheet: seen.saved_sheet(), ..self.shown(&seen).news() });
                }
                // Whoever waits below finds out whether it comes back.
                Err(error) if error.may_pass() => {}
                Err(error) => return Heard::NotFromHere(error),
            }
        }
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        let waiting = self.client.wait(self.waits_as, ask, self.reply.as_deref(), left, |_| {});
        let waited = tokio::select! {
            waited = Box::pin(waiting) => waited,
            never = Box::pin(self.follow(ask, tell)) => match never {},
        };
        waited.map_or_else(Heard::Failed, Heard::Waited)
    }

    /// Tells when an ask has its turn, and who is about to answer it elsewhere, for as long as it is open.
    async fn follow(&self, ask: AskId, tell: &watch::Sender<News>) -> Infallible {
        let look = async || {
            if let Ok(seen) = self.client.get(KeyRole::Person, ask, None, Duration::ZERO).await {
                let around = self.shown(&seen).around;
                tell.send_modify(|news| news.around = around);
            }
        };
        while tell.borrow().around.waits {
            sleep(LOOK_EVERY).await;
            look().await;
        }
        let mut events = self.client.events(KeyRole::Person, None);
        let mut back_off = BackOff::new(Pauses::OF_THE_SERVER);
        loop {
            let Ok(event) = events.next().await else {
                sleep(back_off.pause()).await;
                continue;
            };
            back_off.reset();
            let is_about_it = matches!(event.name.as_str(), "held" | "taken_back")
                && event.carries["ask_id"] == ask.to_string();
            if is_about_it {
                look().await;
            }
        }
    }

    /// Waits until the desk has the ask, or says why not; nothing where the person breaks that off.
    async fn arrived(
        &self,
        kept: &Kept<'_>,
        broken_off: bool,
    ) -> Result<Option<Result<SeenAsk, ClientError>>, Report> {
        if let Some(kept) = kept.peek() {
            return Ok(Some(kept.clone()));
        }
        let told = async {
            sleep(SOON).await;
            say(Prompt(language(self.environment)).starting());
            pending::<Infallible>().await
        };
        let mut break_off = BreakOff::listen()?;
        Ok(tokio::select! {
            kept = kept.clone() => Some(kept),
            () = break_off.wanted() => None,
            () = sleep(BROKEN_OFF), if broken_off => None,
            never = told, if !broken_off => match never {},
        })
    }
}

/// Saves what is left to be saved, where the desk had the ask by then.
async fn finish(saver: Option<Autosave>) {
    if let Some(saver) = saver {
        saver.finish().await;
    }
}

/// Says that the desk takes no person's answer from this terminal.
pub(super) fn not_from_here(error: &ClientError, language: Language) -> String {
    Prompt(language).not_here(error)
}

/// Says whom an ask waits for that does not wait for this person.
fn not_theirs(seen: &SeenAsk, environment: &Environment) -> Report {
    let language = language(environment);
    let what = Prompt(language).for_others();
    let line = seen.progress.as_ref().map(|progress| progress.line(language));
    let line = line.map_or_else(String::new, |line| format!("{}{line}", language.words().colon()));
    Report::wrong_input(format!("{what}{line}"), None)
}
