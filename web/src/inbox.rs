//! The inbox: everything that waits for the person, what is urgent first, then the oldest. A row has answer
//! buttons only where all of what is asked stands in it.

use std::collections::HashMap;
use std::sync::Arc;

use askuser_core::ask::{Ask, Fingerprint, State};
use askuser_core::condition::on_other_asks;
use askuser_core::id::UserId;
use askuser_core::question::Question;
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use askuser_core::whole::Room;
use maud::{Markup, html};

use super::AgentHere;
use super::card::{deadline, held, lines, people};
use super::conversation::short;
use super::failing::Shown;
use super::layout::{Frame, page, part};
use super::visit::Visit;
use super::{markdown, when};
use askuser_wire::permission;
use askuser_words::page::Page;

/// What a row has room for. What does not fit is answered on its own page, where all of it is seen.
pub(super) const ROW: Room = Room { choices: 4, label_chars: 28, chars: 480, lines: 8 };

/// How much of a context stands in a row that leads to the question.
const GIST_CHARS_MAX: usize = 240;

/// `GET /`
pub(super) async fn show(visit: &Visit) -> Shown {
    let person = visit.person()?;
    // The number before the list: what comes in between is told twice rather than never.
    let head = visit.desk().head();
    let asks = visit.desk().inbox(&person).await?;
    let words = visit.words();
    let beside = visit.query("current").and_then(|id| id.parse().ok());
    let rows = beside.map_or(Rows::WithButtons, |current| Rows::Links { current });
    let list = List { words, asks: &asks, reader: &person.user, now: visit.desk().now(), rows }.draw();
    if visit.wants_part("inbox") || visit.wants_part("nav") {
        return Ok(part(visit, list));
    }
    let agents = if asks.is_empty() { visit.agents_here(&person.user).await } else { Vec::new() };
    let frame = Frame { name: "inbox", title: words.inbox(), waiting: Some(asks.len()), head: Some(head) };
    let body = html! {
        h1.visually-hidden { (words.inbox()) }
        section.inbox aria-label=(words.inbox()) {
            (list)
            div.empty {
                p.big { (words.nothing_waits()) }
                p.dim { (words.nothing_waits_why()) }
                (to_connect(&agents, words))
            }
        }
    };
    Ok(page(visit, &frame, &body))
}

/// The agents of this machine, and what connects them.
fn to_connect(agents: &[AgentHere], words: Page) -> Markup {
    html! {
        @if !agents.is_empty() {
            h2 { (words.agents_here()) }
            ul.agents {
                @for agent in agents {
                    li {
                        strong { (agent.name) } " " span.dim { (agent.standing) }
                        @if let Some(command) = &agent.command { code { (command) } }
                    }
                }
            }
        }
    }
}

/// What a row of the list offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// What is seen whole in its row can be answered there by one press.
    WithButtons,
    /// Each leads to its page: the list beside an ask.
    Links {
        /// The ask on the page.
        current: askuser_core::id::AskId,
    },
}

/// The list, and for whom it is drawn.
#[derive(Clone, Copy)]
pub(super) struct List<'a> {
    pub(super) words: Page,
    pub(super) asks: &'a [Arc<Ask>],
    /// Who looks at it.
    pub(super) reader: &'a UserId,
    pub(super) now: Timestamp,
    pub(super) rows: Rows,
}

impl List<'_> {
    /// Draws the list.
    pub(super) fn draw(self) -> Markup {
        let mut alike: HashMap<Fingerprint, usize> = HashMap::new();
        for ask in self.asks {
            *alike.entry(ask.fingerprint).or_default() += 1;
        }
        let address = match self.rows {
            Rows::WithButtons => "/?part=inbox".to_owned(),
            Rows::Links { current } => format!("/?part=nav&current={current}"),
        };
        html! {
            ol #asks data-count=(self.asks.len()) data-part=(address) {
                @for ask in self.asks {
                    @let n_alike = alike.get(&ask.fingerprint).copied().unwrap_or(1);
                    (self.row(ask, n_alike))
                }
            }
        }
    }

    fn row(self, ask: &Ask, n_alike: usize) -> Markup {
        let words = self.words;
        let own = ask.held_by(self.reader);
        let is_pending = ask.state == State::Pending;
        html! {
            li.ask-row.held[own.is_some()] id=(format!("row-{}", ask.id)) data-ask=(ask.id.to_string())
                data-held=[own.map(|held| held.until.0)] data-pending=[is_pending.then_some("true")] {
                @match (self.rows, ask.one_press(&ROW)) {
                    (Rows::Links { current }, _) => {
                        (self.link(ask, (&line(ask), &html! {}), n_alike))
                        // Its card says so itself.
                        @if current != ask.id { (self.held(ask, held::Place::Beside)) }
                    }
                    (Rows::WithButtons, Some(question)) => {
                        (self.link(ask, (&asked(question), &html! {}), n_alike))
                        (rest(ask, question))
                        (self.held(ask, held::Place::Row))
                        @if own.is_none() { (buttons(words, ask, question)) }
                    }
                    (Rows::WithButtons, None) => {
                        (self.link(ask, (&self.gist(ask), &self.more(ask)), n_alike))
                        (self.held(ask, held::Place::Row))
                    }
                }
            }
        }
    }

    /// The answer that can still be taken back, the person's own or that of somebody else.
    fn held(self, ask: &Ask, place: held::Place) -> Markup {
        match ask.held_by(self.reader) {
            Some(own) => held::own(self.words, ask, own, place),
            None => held::by_others(self.words, ask, Some(self.reader)),
        }
    }

    /// The way to the question, with what is told of it.
    fn link(self, ask: &Ask, (asked, more): (&Markup, &Markup), n_alike: usize) -> Markup {
        let current = (self.rows == Rows::Links { current: ask.id }).then_some("true");
        let (words, now) = (self.words, self.now);
        let title = ask.questions.top().first().map_or(words.question(), |question| question.title());
        let n_more = ask.questions.top().len().saturating_sub(1);
        html! {
            a href=(format!("/asks/{}", ask.id)) aria-current=[current] {
                b { (harmless(title)) }
                (asked)
                span.dim { (asker_line(words, ask)) " · " (words.0.round(ask.round, ask.terms.total_rounds))
                    " · " (when::age(words, ask.asked_at, now))
                    @if n_more > 0 { " · " (words.more_questions(n_more)) }
                    @if n_alike > 1 { " · " span.chip { (words.alike(n_alike)) } }
                    @if let Some(people) = people::line(words, ask, Some(self.reader)) { " · " span.people { (harmless(&people)) } }
                    @if ask.state == State::Pending { " · " span.queued-mark { (words.queued()) } }
                }
                (deadline::draw(words, ask, now))
                (more)
            }
        }
    }

    /// What is asked where it is not all said in the row: its beginning.
    fn gist(self, ask: &Ask) -> Markup {
        let words = self.words;
        let first = ask.questions.top().first();
        let text = first.filter(|question| question.header.is_some()).map(|question| question.text.as_str());
        let context = ask.terms.context.as_deref().map(prose).unwrap_or_default();
        let begin = [text.unwrap_or_default(), &context].join(" ");
        let begin = begin.split_whitespace().collect::<Vec<_>>().join(" ");
        let begin: String = harmless(&begin).chars().take(GIST_CHARS_MAX).collect();
        html! {
            @if !begin.trim().is_empty() { span.text.clamp { (begin) } }
            @if let Some(permission) = permission::shown(ask) {
                span.command.clamp { code { (harmless(&permission.command)) } }
                @if let Some(folder) = &permission.folder {
                    span.dim { (words.card().folder()) ": " code { (harmless(folder)) } }
                }
            }
        }
    }

    /// That there is more to read, or why it cannot be answered yet.
    fn more(self, ask: &Ask) -> Markup {
        html! {
            @if ask.state == State::Pending {
                span.waits-turn { (queued_why(self.words, ask, self.asks)) }
            } @else if ask.held_by(self.reader).is_none() {
                span.more-to-read { (self.words.open_to_answer()) }
            }
        }
    }
}

/// What it is about, on the one line that there is room for.
fn line(ask: &Ask) -> Markup {
    let title = ask.questions.top().first().map_or("", |question| question.title());
    let line = ask.headline();
    html! {
        @if line != title { span.text.clamp.one-line { (short(&line)) } }
        @if let Some(permission) = permission::shown(ask) {
            span.command.clamp.one-line { code { (short(&permission.command)) } }
        }
    }
}

/// The lines of a Markdown text that read as a text, without the marks before them.
fn prose(text: &str) -> String {
    let reads = |line: &&str| !line.starts_with(['|', '`']) && line.chars().any(char::is_alphanumeric);
    // Every second piece between fences is code.
    let texts = text.split("```").step_by(2);
    let lines = texts.flat_map(str::lines).map(str::trim_start).filter(reads);
    lines.map(|line| line.trim_start_matches(['#', '>', '*', '-', ' '])).collect::<Vec<_>>().join(" ")
}

/// The question itself, where it is not the title.
fn asked(question: &Question) -> Markup {
    html! { @if question.header.is_some() { span.text { (lines(&question.text)) } } }
}

/// What is to be read before one of its buttons is pressed: all of it.
fn rest(ask: &Ask, question: &Question) -> Markup {
    let context = ask.terms.context.as_deref().filter(|context| !context.trim().is_empty());
    html! {
        @if context.is_some() || question.description.is_some() {
            div.whole {
                @if let Some(context) = context { div.markdown { (markdown::draw(context)) } }
                @if let Some(description) = &question.description { p.about { (lines(description)) } }
            }
        }
    }
}

fn buttons(words: Page, ask: &Ask, question: &Question) -> Markup {
    let field = format!("pick:{}", question.id);
    html! {
        form.quick method="post" action=(format!("/asks/{}/answer", ask.id)) {
            input type="hidden" name="from" value="inbox";
            @for choice in &question.choices {
                button name=(field) value=(choice.id.as_str()) {
                    (words.choice(question, choice))
                    @if choice.recommended { span.rec { " ★" span.visually-hidden { " " (words.card().recommended()) } } }
                    @if let Some(description) = &choice.description { small { (lines(description)) } }
                }
            }
        }
    }
}

/// Says what an ask waits for that waits its turn: the answer that it depends on, or those before it.
pub(super) fn queued_why(words: Page, ask: &Ask, waiting: &[Arc<Ask>]) -> String {
    let wanted = on_other_asks(&ask.questions).into_iter().find_map(|(_, on)| {
        let others = waiting.iter().filter(|other| other.session == ask.session && other.id != ask.id);
        others.into_iter().find_map(|other| other.questions.find(&on.question))
    });
    match wanted {
        Some(question) => words.queued_for(short(question.title())),
        None => words.queued_why().to_owned(),
    }
}

/// Says who asks and where: `claude-code · shop`.
pub(super) fn asker_line(words: Page, ask: &Ask) -> Markup {
    let asker = &ask.terms.asker;
    let agent = asker.agent.as_deref().unwrap_or(words.0.unnamed_agent());
    let place = asker.project.as_deref().or(asker.folder.as_deref());
    html! {
        span.agent { (harmless(agent)) }
        @if let Some(place) = place {
            " · " span.project title=[asker.folder.as_deref().map(harmless)] { (harmless(place)) }
        }
    }
}
