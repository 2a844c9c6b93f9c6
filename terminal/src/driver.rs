//! Runs the prompt: waits for keys, resizes, signals, the deadline and an answer from elsewhere,
//! all at once, and paints what came of it.
//!
//! Decides nothing. Every way out of here leaves the terminal as it was and a line that says how
//! it ended.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::time::Duration;

use askuser_core::answer::Answers;
use askuser_core::sheet::Sheet;
use crossterm::event::{Event, EventStream};
use rustix::io::Errno;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::draw::draw;
use super::keyboard::key_of;
use super::keys;
use super::line::{Line, Role};
use super::paint::{Look, Painter};
use super::panel::{Mode, Panel, PanelContext, Step};
use super::signals::{Signal, Signals, may_stop, next_event, stop_job, until};
use super::summary;
use super::tty::Tty;
use askuser_system::clock;

/// How often it is looked whether the terminal is still there, where nothing else happens.
const WATCH: Duration = Duration::from_secs(5);

/// What is asked and how it is shown.
#[derive(Debug)]
pub struct Prompt {
    /// The sheet to be filled.
    pub sheet: Sheet,
    /// What the terminal takes.
    pub look: Look,
    /// What is known around it, as that changes.
    pub news: watch::Receiver<News>,
}

/// What is known around an ask that is being shown.
#[derive(Debug, Clone)]
pub struct News {
    /// What stands around it.
    pub around: PanelContext,
    /// When the ask ends by itself.
    pub deadline: Option<Instant>,
    /// What was put down for it before, where that was not known from the beginning.
    pub sheet: Option<Sheet>,
}

/// The ask was closed by someone else, somewhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedElsewhere {
    /// By whom, where, and what they answered, in the person's language.
    pub line: String,
}

/// How the prompt ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// The person answered.
    Sent(Answers),
    /// The person said no.
    Declined { reason: Option<String> },
    /// The person answers later.
    LeftOpen,
    /// Ctrl-C, or a signal that asks us to end.
    Interrupted,
    /// The deadline passed.
    Expired,
    /// Someone else closed it.
    ClosedElsewhere,
    /// The terminal is gone.
    Gone,
}

/// Asks on the terminal. `on_change` is called after every change of the sheet, so that it can be
/// saved; `closed` ends the prompt when the ask was closed elsewhere.
pub async fn ask(
    tty: Tty,
    prompt: Prompt,
    closed: impl Future<Output = ClosedElsewhere>,
    mut on_change: impl FnMut(&Sheet),
) -> io::Result<Ended> {
    let mut closed = pin!(closed);
    let mut news = prompt.news;
    let known = news.borrow_and_update().clone();
    let panel = Panel::new(prompt.sheet, known.around);
    let mut screen = Screen {
        tty,
        signals: Signals::listen()?,
        untouched: Some((panel.sheet.clone(), panel.mode.clone())),
        panel,
        painter: Painter::new(prompt.look),
        deadline: known.deadline,
    };
    screen.tty.drop_type_ahead()?;
    screen.tty.open()?;
    screen.paint()?;
    // The person did not bring it up: a key that was on its way is not for it.
    screen.panel.guard.changed(clock::now());
    let mut events = EventStream::new();
    loop {
        let (deadline, next_look) = (screen.deadline, screen.next_look());
        let happened = tokio::select! {
            biased;
            closed = &mut closed => Happened::Closed(closed.line),
            news = next(&mut news) => Happened::News(Box::new(news)),
            signal = screen.signals.next() => Happened::Signal(signal),
            () = until(deadline) => Happened::Expired,
            event = next_event(&mut events) => Happened::Event(event),
            () = sleep(next_look) => Happened::Nothing,
        };
        let before = screen.panel.sheet.clone();
        let ended = match screen.go_on(happened) {
            // Nobody is left to be asked; that is not a failure of ours.
            Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => Some(Ended::Gone),
            ended => ended?,
        };
        if screen.panel.sheet != before {
            on_change(&screen.panel.sheet);
        }
        if let Some(ended) = ended {
            return Ok(ended);
        }
    }
}

/// Waits until more is known; for ever where nobody tells.
async fn next(news: &mut watch::Receiver<News>) -> News {
    match news.changed().await {
        Ok(()) => news.borrow_and_update().clone(),
        Err(_) => std::future::pending().await,
    }
}

/// What woke us.
enum Happened {
    Closed(String),
    News(Box<News>),
    Expired,
    Event(Option<io::Result<Event>>),
    Signal(Signal),
    Nothing,
}

/// The panel on its terminal.
struct Screen {
    tty: Tty,
    signals: Signals,
    panel: Panel,
    /// How the panel began, until that was compared.
    untouched: Option<(Sheet, Mode)>,
    painter: Painter,
    deadline: Option<Instant>,
}

impl Screen {
    fn go_on(&mut self, happened: Happened) -> io::Result<Option<Ended>> {
        let ended = match happened {
            Happened::Closed(line) => {
                self.finish("•", Role::Accent, &line)?;
                Ended::ClosedElsewhere
            }
            Happened::News(news) => {
                self.learn(*news);
                self.paint()?;
                return Ok(None);
            }
            Happened::Expired => self.end(Ended::Expired)?,
            Happened::Signal(Signal::Interrupted) => self.end(Ended::Interrupted)?,
            Happened::Signal(Signal::HungUp) | Happened::Event(None | Some(Err(_))) => Ended::Gone,
            Happened::Event(Some(Ok(event))) => return self.event(event),
            Happened::Signal(Signal::Stop) => return self.stop().map(|()| None),
            Happened::Signal(Signal::Continued) => return self.continued().map(|()| None),
            Happened::Nothing if self.tty.size().is_err() => Ended::Gone,
            Happened::Nothing => {
                if let Some(step) = keys::due(&mut self.panel, clock::now()) {
                    return self.done(step);
                }
                if self.deadline.is_some() || !Tty::is_open() {
                    self.paint()?;
                }
                return Ok(None);
            }
        };
        Ok(Some(ended))
    }

    /// Takes in what is known now. What was put down before takes the place of a sheet that nobody has touched.
    fn learn(&mut self, news: News) {
        let is_untouched =
            |(sheet, mode): (Sheet, Mode)| sheet == self.panel.sheet && mode == self.panel.mode;
        let before = news.sheet.filter(|_| self.untouched.take().is_some_and(is_untouched));
        let is_other = before.is_some() || self.panel.around != news.around;
        self.deadline = news.deadline;
        match before {
            Some(sheet) => self.panel = Panel::new(sheet, news.around),
            None => self.panel.around = news.around,
        }
        if is_other {
            self.panel.guard.changed(clock::now());
        }
    }

    fn event(&mut self, event: Event) -> io::Result<Option<Ended>> {
        let step = key_of(event).map_or(Step::Stay, |key| keys::hear(&mut self.panel, key, clock::now()));
        self.done(step)
    }

    fn done(&mut self, step: Step) -> io::Result<Option<Ended>> {
        let ended = match step {
            Step::Stay => {
                self.paint()?;
                return Ok(None);
            }
            Step::Suspend => {
                stop_job()?;
                return Ok(None);
            }
            Step::Sent(answers) => Ended::Sent(answers),
            Step::Declined { reason } => Ended::Declined { reason },
            Step::LeftOpen => Ended::LeftOpen,
            Step::Interrupted => Ended::Interrupted,
        };
        self.end(ended).map(Some)
    }

    fn paint(&mut self) -> io::Result<()> {
        // A panic elsewhere in the program gave the terminal back while we go on.
        if !Tty::is_open() {
            self.tty.open()?;
            self.painter.forget();
        }
        let now = Instant::now();
        self.panel.time_left = self.deadline.map(|deadline| deadline.saturating_duration_since(now));
        let (width, height) = self.tty.size()?;
        let frame = draw(&self.panel, width, height);
        self.panel.settle(&frame);
        let bytes = self.painter.frame(&frame, (width, height));
        self.tty.write(&bytes)
    }

    /// Takes the panel away, says how it ended, gives the terminal back.
    fn end(&mut self, ended: Ended) -> io::Result<Ended> {
        let words = self.panel.around.language.words();
        match &ended {
            Ended::Sent(_) => {
                let size = self.tty.size()?;
                let lines = summary::sent(&self.panel.sheet, self.panel.around.language, size.0);
                self.leave(&lines, size)?;
            }
            Ended::Declined { reason } => {
                let line = match reason {
                    Some(reason) => format!("{}{}{reason}", words.declined(), words.colon()),
                    None => words.declined().to_owned(),
                };
                self.finish("✗", Role::Bad, &line)?;
            }
            Ended::LeftOpen => self.finish("…", Role::Accent, words.left_open())?,
            Ended::Interrupted => self.finish("✗", Role::Bad, words.interrupted())?,
            Ended::Expired => self.finish("✗", Role::Bad, words.timed_out())?,
            Ended::ClosedElsewhere | Ended::Gone => {}
        }
        Ok(ended)
    }

    fn finish(&mut self, mark: &str, role: Role, line: &str) -> io::Result<()> {
        let size = self.tty.size()?;
        let lines = summary::ended(mark, role, line, size.0);
        self.leave(&lines, size)
    }

    fn leave(&mut self, lines: &[Line], size: (usize, usize)) -> io::Result<()> {
        let bytes = self.painter.finish(lines, size);
        self.tty.write(&bytes)?;
        self.tty.close();
        Ok(())
    }

    /// Stops this process until it is continued. The panel is taken away first: the shell goes on
    /// writing where it stood.
    fn stop(&mut self) -> io::Result<()> {
        if !may_stop() {
            return Ok(());
        }
        let size = self.tty.size()?;
        self.leave(&[], size)?;
        self.signals.stop_here()?;
        self.tty.open()?;
        self.paint()
    }

    /// Comes back after someone else stopped and continued us.
    fn continued(&mut self) -> io::Result<()> {
        self.tty.close();
        self.tty.open()?;
        self.painter.forget();
        self.paint()
    }

    /// Returns how long to sleep where nothing happens: until the time left reads differently.
    fn next_look(&self) -> Duration {
        self.panel.guard.due_in(clock::now()).unwrap_or(Duration::MAX).min(self.next_tick())
    }

    fn next_tick(&self) -> Duration {
        let Some(deadline) = self.deadline else {
            return WATCH;
        };
        let left = deadline.saturating_duration_since(Instant::now());
        Duration::from_nanos(u64::from(left.subsec_nanos())) + Duration::from_millis(1)
    }
}
