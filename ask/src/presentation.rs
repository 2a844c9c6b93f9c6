//! A question before a person at a terminal, in the panel or in lines: the same whether askuser keeps it already,
//! is about to, or never will.

use std::future::Future;

use askuser_core::ask::Ask;
use askuser_core::asker::{Asker, Purpose};
use askuser_core::sheet::Sheet;
use askuser_words::Language;
use tokio::sync::watch;
use tokio::time::Instant;

use super::ended;
use super::options::Layout;
use super::surface::{NotAsked, Surface, or_gone, ring};
use askuser_client::seen::SeenAsk;
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_terminal::deadline;
use askuser_terminal::driver::News;
use askuser_terminal::paint::Look;
use askuser_terminal::plain::{Plain, lines};
use askuser_terminal::{self as terminal, ClosedElsewhere, Ended, Leaving, PanelContext, Prompt, Round};
use askuser_wire::permission;

/// What a person sees of an ask.
#[derive(Debug, Clone)]
pub struct Presentation {
    /// What they fill in.
    pub sheet: Sheet,
    /// What stands around it.
    pub around: PanelContext,
    purpose: Purpose,
    deadline: Option<Instant>,
}

impl Presentation {
    /// An ask that only this program has.
    pub fn here(ask: &Ask, asker: Asker, leaving: Leaving, round: Option<Round>, language: Language) -> Self {
        let around = PanelContext {
            asker,
            context: ask.terms.context.clone(),
            round,
            leaving,
            language,
            permission: permission::shown(ask),
            then: ask.at_deadline().map(|at| deadline::then(&at, &ask.questions, language)),
            ..PanelContext::default()
        };
        let deadline = ask.terms.timeout.map(|timeout| Instant::now() + timeout);
        Self { sheet: ask.sheet(), around, purpose: ask.terms.purpose, deadline }
    }

    /// An ask that askuser keeps.
    pub fn kept(seen: &SeenAsk, round: Option<Round>, language: Language) -> Self {
        let around = PanelContext {
            asker: seen.asker.clone(),
            context: seen.context.clone(),
            round,
            leaving: Leaving::LeavesOpen,
            language,
            permission: permission::of(&seen.content()),
            then: seen.at_deadline.as_ref().map(|at| deadline::then(at, &seen.questions, language)),
            being_answered: seen.held.first().map(|held| ended::being_answered(held, language)),
            waits: seen.status == "pending",
        };
        let deadline = seen.deadline.map(|at| Instant::now() + at.since(clock::now()));
        Self { sheet: seen.sheet(), around, purpose: seen.purpose, deadline }
    }

    /// What is known around it, for a panel that may learn more.
    pub fn news(&self) -> News {
        News { around: self.around.clone(), deadline: self.deadline, sheet: None }
    }

    /// Asks until the person is done, the deadline comes or `closed` says that it was closed elsewhere.
    pub async fn prompt(
        self,
        surface: Surface,
        news: watch::Receiver<News>,
        closed: impl Future<Output = ClosedElsewhere>,
        on_change: impl FnMut(&Sheet),
        environment: &Environment,
    ) -> Result<Ended, NotAsked> {
        let ended = match surface {
            Surface::Panel(mut tty) => {
                ring(&mut tty, &self.sheet, environment);
                let look = Look::from(|name| environment.get(name).map(ToOwned::to_owned));
                let prompt = Prompt { sheet: self.sheet, look, news };
                Box::pin(terminal::ask(tty, prompt, closed, on_change)).await
            }
            Surface::Lines(lines, layout, _) => {
                let deadline = self.deadline;
                lines::ask(lines, self.laid_out(layout), deadline, closed, on_change).await
            }
            Surface::Piped(lines, layout) => {
                let deadline = self.deadline;
                lines::ask(lines, self.laid_out(layout).strict(), deadline, closed, on_change).await
            }
        };
        Ok(or_gone(ended)?)
    }

    /// Lays it out in plain lines. Above it stand its round and what its deadline brings; a list has the round in
    /// its first line, also where nobody announced rounds: it is the first of its own session then.
    fn laid_out(self, layout: Layout) -> Plain {
        let PanelContext { language, round, context, permission, then, .. } = self.around;
        let left = self.deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let deadline = left.map(|left| language.deadline(left, then.as_ref()));
        let plain = if layout == Layout::List {
            let round = round.unwrap_or(Round { number: 1, total: None });
            Plain::new(self.sheet, self.purpose, deadline).as_list(round)
        } else {
            let round = round.map(|round| language.round(round.number, round.total));
            let above: Vec<String> = round.into_iter().chain(deadline).collect();
            Plain::new(self.sheet, self.purpose, (!above.is_empty()).then(|| above.join(" · ")))
        };
        plain.in_language(language).about(context, permission)
    }
}
