//! A person at their inbox: waits for keys and for the desk at once, and paints what came of it.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::answer::Answers;
use askuser_core::id::AskId;
use askuser_core::sheet::Sheet;
use askuser_words::Language;
use askuser_words::inbox::Inbox as Words;
use rustix::io::Errno;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::sleep;

use super::action::Deed;
use super::background::{Errands, News};
use askuser_ask::autosave::{Autosave, QuestionIds};
use askuser_ask::connect::say;
use askuser_ask::exit::Exit;
use askuser_ask::report::Report;
use askuser_ask::surface::NotAsked;
use askuser_client::Client;
use askuser_system::clock;
use askuser_terminal::bell::Bell;
use askuser_terminal::full::{Full, Heard};
use askuser_terminal::inbox::draw::draw;
use askuser_terminal::inbox::item::one_line;
use askuser_terminal::inbox::keys::{due, press};
use askuser_terminal::inbox::{Action, Inbox};
use askuser_terminal::summary;

/// How often the time is told anew.
const TICK: Duration = Duration::from_secs(1);
/// The same where nothing runs out.
const SLOW_TICK: Duration = Duration::from_secs(15);

/// A person, their inbox, and the way to the desk.
pub(super) struct Sitting {
    pub(super) client: Client,
    pub(super) language: Language,
    pub(super) inbox: Inbox,
    pub(super) errands: Errands,
    pub(super) news: UnboundedReceiver<News>,
    /// Keeps the sheet that is being filled.
    saver: Option<(AskId, Autosave)>,
    /// Asks whose sheets were changed elsewhere since they were last looked at.
    pub(super) stale: BTreeSet<AskId>,
    /// The ask for which earlier answers are gone through, and how many were shown.
    pub(super) reusing: Option<(AskId, usize)>,
    /// How the terminal is rung when something comes, and whether it is behind tmux.
    bell: (Bell, bool),
}

impl Sitting {
    /// Listens to the desk, and knows what is open when it returns.
    pub(super) async fn new(
        client: Client,
        language: Language,
        desk: Option<String>,
        bell: (Bell, bool),
    ) -> Result<Self, Report> {
        let (errands, news) = Errands::new(client.clone());
        errands.listen().await?;
        let mut inbox = Inbox::new(language, clock::now());
        inbox.desk = desk;
        let stale = BTreeSet::new();
        Ok(Self { client, language, inbox, errands, news, saver: None, stale, reusing: None, bell })
    }

    /// Stays until the person leaves.
    pub(super) async fn sit(&mut self, mut full: Full) -> Result<Exit, Report> {
        let left = match self.until_left(&mut full).await {
            // Nobody is left to be shown anything; that is not a failure of ours.
            Err(Left::Failed(error)) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => {
                Ok(Exit::NobodyThere)
            }
            Err(Left::Failed(error)) => Err(NotAsked::from(error).into()),
            Err(Left::Refused(report)) => Err(report),
            Ok(exit) => Ok(exit),
        };
        if let Some((_, saver)) = self.saver.take() {
            saver.finish().await;
        }
        if left.is_ok() && self.errands.n_sending() > 0 {
            full.close();
            self.wait_for_answers(&mut full).await;
        }
        left
    }

    async fn until_left(&mut self, full: &mut Full) -> Result<Exit, Left> {
        self.take_all()?;
        loop {
            self.paint(full)?;
            let tick = if self.inbox.counts_down() { TICK } else { SLOW_TICK };
            let tick = self.inbox.looks_again_in().map_or(tick, |soon| soon.min(tick));
            tokio::select! {
                heard = full.next() => match heard? {
                    Heard::Key(key) => {
                        self.inbox.now = clock::now();
                        let step = press(&mut self.inbox, key);
                        if let Some(exit) = self.go(step, full)? {
                            return Ok(exit);
                        }
                    }
                    Heard::Changed => {}
                    Heard::Interrupted => return Ok(Exit::Interrupted),
                    Heard::Gone => return Ok(Exit::NobodyThere),
                },
                Some(news) = self.news.recv() => {
                    self.inbox.now = clock::now();
                    self.take(news)?;
                    // A burst is painted once.
                    self.take_all()?;
                }
                () = sleep(tick) => drop(full.size()?),
            }
            self.inbox.now = clock::now();
            if let Some(step) = due(&mut self.inbox)
                && let Some(exit) = self.go(step, full)?
            {
                return Ok(exit);
            }
            self.look_again();
        }
    }

    fn paint(&mut self, full: &mut Full) -> io::Result<()> {
        self.inbox.tick(clock::now());
        let (width, height) = full.size()?;
        let frame = draw(&self.inbox, width, height);
        self.inbox.settle(&frame);
        full.paint(frame)?;
        let (bell, in_tmux) = self.bell;
        match self.inbox.rung.take() {
            Some(text) => full.ring(&bell.ring(&text, in_tmux)),
            None => Ok(()),
        }
    }

    /// Does what a key asks for; an exit code where it asks to leave.
    fn go(&mut self, step: Action, full: &Full) -> Result<Option<Exit>, Left> {
        match step {
            Action::Stay => {}
            Action::Leave => return Ok(Some(Exit::Answered)),
            Action::Interrupted => return Ok(Some(Exit::Interrupted)),
            Action::Suspend => full.suspend()?,
            Action::Save(ask) => self.save(ask),
            Action::Send { asks, answers } => {
                self.stop_saving(asks.first().copied());
                let said = self.put_down(asks.first().copied());
                self.errands.send(Deed::Answered { asks, answers, said });
            }
            Action::Hold { ask, answers } => {
                self.stop_saving(Some(ask));
                let said = self.answered(ask, &answers);
                self.errands.send(Deed::Held { ask, answers, said });
            }
            Action::TakeBack(ask) => self.errands.send(Deed::TakenBack(ask)),
            Action::Decline { ask, reason } => {
                self.stop_saving(Some(ask));
                self.errands.send(Deed::Declined { ask, reason });
            }
            Action::Tell(session) => self.errands.tell_of(session),
            Action::Search => self.errands.search(self.inbox.ended.search.text().to_owned(), None),
            Action::LookFurther(last) => {
                self.errands.search(self.inbox.ended.search.text().to_owned(), Some(last));
            }
            Action::Reuse(ask) => {
                let n_before = self.reusing.filter(|(own, _)| *own == ask).map_or(0, |(_, n)| n);
                self.reusing = Some((ask, n_before));
                if let Some(panel) = self.inbox.sheets.get(&ask) {
                    self.errands.reuse(ask, Arc::clone(panel.sheet.questions()), n_before);
                }
            }
        }
        Ok(None)
    }

    pub(super) fn save(&mut self, ask: AskId) {
        if self.saver.as_ref().is_none_or(|(own, _)| *own != ask) {
            let saver = Autosave::start(self.client.clone(), ask, QuestionIds::default());
            if let Some((_, before)) = self.saver.replace((ask, saver)) {
                tokio::spawn(before.finish());
            }
        }
        if let (Some((_, saver)), Some(panel)) = (&self.saver, self.inbox.sheets.get(&ask)) {
            saver.note(&panel.sheet);
        }
    }

    pub(super) fn stop_saving(&mut self, ask: Option<AskId>) {
        if let Some((_, saver)) = self.saver.take_if(|(own, _)| Some(*own) == ask) {
            saver.abandon();
        }
    }

    /// Returns what the person put down, in one line.
    fn put_down(&self, ask: Option<AskId>) -> String {
        let Some(panel) = ask.and_then(|ask| self.inbox.sheets.get(&ask)) else { return String::new() };
        self.summary(&panel.sheet)
    }

    /// Returns answers by one press, in one line.
    fn answered(&self, ask: AskId, answers: &Answers) -> String {
        let questions = self.inbox.open.get(ask).map(|item| Arc::clone(item.sheet.questions()));
        let sheet = questions.and_then(|questions| Sheet::filled(questions, answers.entries()).ok());
        sheet.map_or_else(String::new, |sheet| self.summary(&sheet))
    }

    fn summary(&self, sheet: &Sheet) -> String {
        let visible = sheet.visible();
        let said = visible.iter().map(|it| one_line(&summary::titled(sheet, it.question, self.language)));
        said.collect::<Vec<_>>().join("; ")
    }

    /// Looks at what changed elsewhere, once the person comes to it, and not before.
    fn look_again(&mut self) {
        if let Some(ask) = self.inbox.in_sight()
            && !self.inbox.is_at(ask)
            && self.stale.remove(&ask)
        {
            self.errands.look(ask);
        }
    }

    /// Waits until what was sent has arrived, for a person who left while the desk was away.
    async fn wait_for_answers(&mut self, full: &mut Full) {
        let said = Words(self.language);
        say(said.still_sending());
        tokio::select! {
            () = self.errands.arrive() => say(said.arrived()),
            () = full.interrupted() => {}
        }
    }
}

/// Why the person cannot stay.
pub(super) enum Left {
    /// The terminal failed.
    Failed(io::Error),
    /// The desk does not let them.
    Refused(Report),
}

impl From<io::Error> for Left {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}
