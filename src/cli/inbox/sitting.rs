//! A person at their inbox: waits for keys and for the desk at once, and paints what came of it.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::id::AskId;
use rustix::io::Errno;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::sleep;

use super::deed::Deed;
use super::errands::{Earlier, Errands, News};
use super::items::item;
use crate::channel::terminal::bell::Bell;
use crate::channel::terminal::full::{Full, Heard};
use crate::channel::terminal::inbox::draw::draw;
use crate::channel::terminal::inbox::item::{Item, one_line};
use crate::channel::terminal::inbox::keys::press;
use crate::channel::terminal::inbox::{Inbox, Looked, Step, Tone};
use crate::channel::terminal::{Language, summary};
use crate::cli::connect::say;
use crate::cli::elsewhere;
use crate::cli::exit::Exit;
use crate::cli::person::NotAsked;
use crate::cli::report::Report;
use crate::cli::saving::Saver;
use crate::cli::table::field;
use crate::client::events::Event;
use crate::client::seen::SeenAsk;
use crate::client::{Answered, Client};
use crate::clock;

/// How often the time is told anew.
const TICK: Duration = Duration::from_secs(1);
/// The same where nothing runs out.
const SLOW_TICK: Duration = Duration::from_secs(15);
/// A search that found fewer looks further by itself.
const FOUND_MIN: usize = 20;

/// A person, their inbox, and the way to the desk.
pub(super) struct Sitting {
    client: Client,
    language: Language,
    inbox: Inbox,
    errands: Errands,
    news: UnboundedReceiver<News>,
    /// Keeps the sheet that is being filled.
    saver: Option<(AskId, Saver)>,
    /// Asks whose sheets were changed elsewhere since they were last looked at.
    stale: BTreeSet<AskId>,
    /// The ask for which earlier answers are gone through, and how many were shown.
    reusing: Option<(AskId, usize)>,
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
            self.look_again();
        }
    }

    fn paint(&mut self, full: &mut Full) -> io::Result<()> {
        self.inbox.tick(clock::now());
        let (width, height) = full.size()?;
        let frame = draw(&self.inbox, width, height);
        self.inbox.settle(frame.lean);
        full.paint(frame)?;
        let (bell, in_tmux) = self.bell;
        match self.inbox.rung.take() {
            Some(text) => full.ring(&bell.ring(&text, in_tmux)),
            None => Ok(()),
        }
    }

    /// Does what a key asks for; an exit code where it asks to leave.
    fn go(&mut self, step: Step, full: &Full) -> Result<Option<Exit>, Left> {
        match step {
            Step::Stay => {}
            Step::Leave => return Ok(Some(Exit::Answered)),
            Step::Interrupted => return Ok(Some(Exit::Interrupted)),
            Step::Suspend => full.suspend()?,
            Step::Save(ask) => self.save(ask),
            Step::Send { asks, answers } => {
                self.stop_saving(asks.first().copied());
                let said = self.put_down(asks.first().copied());
                self.errands.send(Deed::Answered { asks, answers, said });
            }
            Step::Decline { ask, reason } => {
                self.stop_saving(Some(ask));
                self.errands.send(Deed::Declined { ask, reason });
            }
            Step::Tell(session) => self.errands.tell_of(session),
            Step::Search => self.errands.search(self.inbox.ended.search.text().to_owned(), None),
            Step::LookFurther(last) => {
                self.errands.search(self.inbox.ended.search.text().to_owned(), Some(last));
            }
            Step::Reuse(ask) => {
                let n_before = self.reusing.filter(|(own, _)| *own == ask).map_or(0, |(_, n)| n);
                self.reusing = Some((ask, n_before));
                if let Some(panel) = self.inbox.sheets.get(&ask) {
                    self.errands.reuse(ask, Arc::clone(panel.sheet.questions()), n_before);
                }
            }
        }
        Ok(None)
    }

    fn save(&mut self, ask: AskId) {
        if self.saver.as_ref().is_none_or(|(own, _)| *own != ask) {
            let saver = Saver::start(self.client.clone(), ask);
            if let Some((_, before)) = self.saver.replace((ask, saver)) {
                tokio::spawn(before.finish());
            }
        }
        if let (Some((_, saver)), Some(panel)) = (&self.saver, self.inbox.sheets.get(&ask)) {
            saver.note(&panel.sheet);
        }
    }

    fn stop_saving(&mut self, ask: Option<AskId>) {
        if let Some((_, saver)) = self.saver.take_if(|(own, _)| Some(*own) == ask) {
            saver.abandon();
        }
    }

    /// Returns what the person put down, in one line.
    fn put_down(&self, ask: Option<AskId>) -> String {
        let Some(panel) = ask.and_then(|ask| self.inbox.sheets.get(&ask)) else { return String::new() };
        let visible = panel.sheet.visible();
        let said =
            visible.iter().map(|it| one_line(&summary::titled(&panel.sheet, it.question, self.language)));
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

    /// Takes the news that are there already.
    fn take_all(&mut self) -> Result<(), Left> {
        while let Ok(news) = self.news.try_recv() {
            self.take(news)?;
        }
        Ok(())
    }

    fn take(&mut self, news: News) -> Result<(), Left> {
        match news {
            News::Listed(asks) => self.listed(&asks),
            News::Event(event) => self.event(&event),
            News::Away => self.inbox.away = true,
            News::Back => self.inbox.away = false,
            News::Seen(seen) => self.seen(&seen),
            News::Sent { answered, said } => self.sent(&answered, &said),
            News::Declined(ask) => self.inbox.sent(&[ask], self.language.words().declined),
            News::TooLate(seen) => self.inbox.too_late(seen.id, &elsewhere::line(&seen, self.language)),
            News::Refused { asks, why } => self.inbox.refused(&asks, one_line(&why)),
            News::Found { words, asks, next, from_the_beginning } => {
                if words == self.inbox.ended.search.text() {
                    let found = self.items(&asks);
                    self.inbox.found(found, next, from_the_beginning);
                    self.look_further();
                }
            }
            News::Talked { session, asks } => {
                let mut rounds = self.items(&asks);
                rounds.extend(self.inbox.open.of_session(&session));
                rounds.sort_by_key(|item| item.round);
                self.inbox.talked(&session, rounds);
            }
            News::Reused { ask, found } => self.reused(ask, found),
            News::Failed(why) => self.inbox.say(Tone::Bad, one_line(&why)),
            News::Ended(error) => return Err(Left::Refused(error.into())),
        }
        Ok(())
    }

    fn items(&self, asks: &[SeenAsk]) -> Vec<Item> {
        asks.iter().map(|seen| item(seen, self.language)).collect()
    }

    fn listed(&mut self, asks: &[SeenAsk]) {
        let items = self.items(asks);
        self.stale.clear();
        self.inbox.listed(items);
        // The sheet in view may be of an ask that ended while the desk was away.
        if let Some(ask) = self.inbox.in_sight().filter(|ask| self.inbox.open.get(*ask).is_none()) {
            self.errands.look(ask);
        }
    }

    fn event(&mut self, event: &Event) {
        let Ok(ask) = field(&event.carries, "ask_id").parse::<AskId>() else { return };
        if event.carries.get("for_you") == Some(&Value::Bool(false)) {
            // This person's agent asks somebody else.
            return;
        }
        match event.name.as_str() {
            "asked" if self.inbox.open.get(ask).is_none() => {
                let told = event.carries.get("ask").cloned().unwrap_or(Value::Null);
                // One that cannot be read is one for a newer program.
                if let Ok(seen) = SeenAsk::read(told) {
                    self.inbox.arrived(item(&seen, self.language));
                }
            }
            "shown" => self.inbox.shown(ask),
            "sheet_saved" | "session_changed" => {
                self.stale.insert(ask);
            }
            // Others have spoken, or it is for others too: the person sees it as it happens.
            "person_answered" | "escalated" if !self.inbox.is_sending(ask) => self.errands.look(ask),
            // What is on its way from here comes back by itself, with what became of it.
            "ask_user_response" if self.inbox.is_sending(ask) => {}
            "ask_user_response" if self.inbox.is_at(ask) => self.errands.look(ask),
            "ask_user_response" => self.inbox.closed(ask, ""),
            _ => {}
        }
    }

    fn seen(&mut self, seen: &SeenAsk) {
        if seen.waits_for_others() {
            // They have spoken, on another surface of theirs.
            if !self.inbox.is_sending(seen.id) && self.inbox.open.get(seen.id).is_some() {
                self.inbox.closed(seen.id, self.language.either("You have answered it.", "你已经回答。"));
                self.stop_saving(Some(seen.id));
            }
        } else if seen.is_open() {
            self.inbox.arrived(item(seen, self.language));
        } else if !self.inbox.is_sending(seen.id) {
            self.inbox.closed(seen.id, &elsewhere::line(seen, self.language));
            self.stop_saving(Some(seen.id));
        }
    }

    fn sent(&mut self, answered: &[Answered], said: &str) {
        let (refused, arrived): (Vec<&Answered>, Vec<&Answered>) =
            answered.iter().partition(|answered| answered.refused.is_some());
        let ids = |list: &[&Answered]| list.iter().map(|answered| answered.ask).collect::<Vec<_>>();
        let mut text = match (self.language, arrived.len()) {
            (Language::English, 0 | 1) => format!("Sent. {said}"),
            (Language::English, n) => format!("Sent to {n} asks. {said}"),
            (Language::Chinese, 0 | 1) => format!("已发送。{said}"),
            (Language::Chinese, n) => format!("已发送给 {n} 个问题。{said}"),
        };
        if !refused.is_empty() {
            let n = refused.len();
            let others = match self.language {
                Language::English => format!(" Not to {n}: closed elsewhere first, or changed."),
                Language::Chinese => format!(" 有 {n} 个未发送：已在别处结束或已改变。"),
            };
            text.push_str(&others);
        }
        self.inbox.sent(&ids(&arrived), text.as_str());
        let closed = |answered: &&&Answered| answered.refused.as_deref() == Some("already_closed");
        let gone: Vec<AskId> = refused.iter().filter(closed).map(|answered| answered.ask).collect();
        self.inbox.sent(&gone, text.as_str());
        if refused.len() > gone.len() {
            self.inbox.refused(&ids(&refused), text);
        }
    }

    fn reused(&mut self, ask: AskId, found: Option<Earlier>) {
        let language = self.language;
        let n_before = self.reusing.filter(|(own, _)| *own == ask).map_or(0, |(_, n)| n);
        if let Some((entries, from)) = found {
            self.reusing = Some((ask, n_before + 1));
            let at = from.outcome.as_ref().map_or(self.inbox.now, |outcome| outcome.at);
            self.inbox.reused(ask, entries, at);
            self.save(ask);
            return;
        }
        self.reusing = None;
        let (english, chinese) = if n_before == 0 {
            ("These questions were not answered before.", "这些问题以前没有回答过。")
        } else {
            ("There is no older answer.", "没有更早的答案。")
        };
        self.inbox.say(Tone::Note, language.either(english, chinese));
    }

    /// Goes on where a search has found little so far.
    fn look_further(&mut self) {
        if let Looked::UpTo(last) = self.inbox.looked
            && self.inbox.ended.n_shown() < FOUND_MIN
        {
            self.inbox.looked = Looked::Looking;
            self.errands.search(self.inbox.ended.search.text().to_owned(), Some(last));
        }
    }

    /// Waits until what was sent has arrived, for a person who left while the desk was away.
    async fn wait_for_answers(&mut self, full: &mut Full) {
        say(self.language.either(
            "an answer is still on its way to the desk; Ctrl-C gives it up",
            "答案仍在发送；按 Ctrl-C 放弃",
        ));
        tokio::select! {
            () = self.errands.arrive() => say(self.language.either("it has arrived", "已送达")),
            () = full.interrupted() => {}
        }
    }
}

/// Why the person cannot stay.
enum Left {
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
