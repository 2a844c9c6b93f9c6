//! Markdown that an agent wrote, as HTML that does nothing.
//!
//! HTML in it is shown as the text that it is; a link leads only to the web or to mail, away from this
//! page, and says where; one to this very machine is text, because whatever listens there may be the agent's
//! own; a picture is a link, because showing it would tell another host who reads.
//! What is too large or too deep to be drawn is shown as it was written.

use std::fmt::Write as _;

use askuser_core::text::shown as harmless;
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::html::push_html;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use askuser_wire::host::{Leads, leads};

/// The longest text that is drawn; a message is cut before.
const BYTES_MAX: usize = 128 * 1024;
/// How deep quotes and lists may be nested; a browser stops at some hundreds.
const DEPTH_MAX: usize = 32;
/// How many pieces are drawn: a short text can stand for a very large table.
const PIECES_MAX: usize = 20_000;
/// How much of an address is shown beside a link.
const TARGET_CHARS_MAX: usize = 200;

/// Draws a text, to stand in an element of the class `markdown`.
pub(super) fn draw(text: &str) -> Markup {
    let text = harmless(text);
    if text.len() > BYTES_MAX || !fits(&text) {
        return html! { pre { (text) } };
    }
    let mut drawn = String::with_capacity(text.len() * 2);
    push_html(&mut drawn, Tame::new(parser(&text)));
    PreEscaped(drawn)
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS)
}

/// Whether a text is small enough when it is drawn.
fn fits(text: &str) -> bool {
    let mut depth = 0_usize;
    for (piece_idx, event) in parser(text).enumerate() {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH_MAX || piece_idx > PIECES_MAX {
            return false;
        }
    }
    true
}

/// The pieces of a text, with everything that would act taken out.
struct Tame<'a> {
    pieces: Parser<'a>,
    /// The links and pictures that are open.
    links: Vec<Link>,
    /// A piece that comes next.
    next: Option<Event<'a>>,
}

/// A link or a picture that is open.
struct Link {
    address: String,
    goes: Goes,
    /// What it reads so far.
    text: String,
}

/// What becomes of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goes {
    /// It can be followed, and is shown.
    There,
    /// It is shown and cannot be followed.
    Nowhere,
    /// It is neither.
    Unsaid,
}

impl<'a> Tame<'a> {
    fn new(pieces: Parser<'a>) -> Self {
        Self { pieces, links: Vec::new(), next: None }
    }

    /// Opens a link. One within another, as a picture in a link, stays text: HTML knows no such thing.
    fn open(&mut self, address: &str) -> Event<'a> {
        let is_outermost = self.links.iter().all(|open| open.goes != Goes::There);
        let goes = if is_outermost { goes(address) } else { Goes::Unsaid };
        self.links.push(Link { address: address.to_owned(), goes, text: String::new() });
        let begin = if goes == Goes::There {
            let link = html! { a href=(address) rel="noopener noreferrer" target="_blank" {} };
            link.into_string().trim_end_matches("</a>").to_owned()
        } else {
            String::new()
        };
        Event::InlineHtml(begin.into())
    }

    /// Closes it, and says beside what it reads where it leads.
    fn close(&mut self) -> Event<'a> {
        let Some(link) = self.links.pop() else { return Event::InlineHtml(CowStr::Borrowed("")) };
        if let Some(outer) = self.links.last_mut() {
            outer.text.push_str(&link.text);
        }
        let end = if link.goes == Goes::There { "</a>" } else { "" };
        if link.goes == Goes::Unsaid || link.text == link.address {
            return Event::InlineHtml(CowStr::Borrowed(end));
        }
        let mut shown: String = harmless(&link.address).chars().take(TARGET_CHARS_MAX).collect();
        if shown.len() < link.address.len() {
            shown.push('…');
        }
        let target = html! { " " span.target { "(" (shown) ")" } };
        Event::InlineHtml(format!("{end}{}", target.into_string()).into())
    }

    fn read(&mut self, text: &str) {
        if let Some(link) = self.links.last_mut() {
            link.text.push_str(text);
        }
    }

    fn picture(&mut self, address: &str, title: &str) -> Event<'a> {
        let opened = self.open(address);
        let mut named = String::from("🖼 ");
        if !title.is_empty() {
            // Writing to a text cannot fail.
            let _written = write!(named, "{title} ");
        }
        self.next = Some(Event::Text(named.into()));
        opened
    }
}

impl<'a> Iterator for Tame<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        if let Some(next) = self.next.take() {
            return Some(next);
        }
        Some(match self.pieces.next()? {
            Event::Text(text) => {
                self.read(&text);
                Event::Text(text)
            }
            Event::Html(written) | Event::InlineHtml(written) => Event::Text(written),
            Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
            Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
            Event::Start(Tag::Link { dest_url, .. }) => self.open(&dest_url),
            Event::Start(Tag::Image { dest_url, title, .. }) => self.picture(&dest_url, &title),
            Event::End(TagEnd::Link | TagEnd::Image) => self.close(),
            Event::Start(Tag::CodeBlock(kind)) => code(&kind),
            Event::End(TagEnd::CodeBlock) => Event::Html(CowStr::Borrowed("</code></pre>\n")),
            // The page has headings of its own above these.
            Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
                level: below(level),
                id: None,
                classes: Vec::new(),
                attrs: Vec::new(),
            }),
            Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(below(level))),
            other => other,
        })
    }
}

/// Begins a block of code. It may be wider than the page: whoever has no mouse moves in it by keys.
fn code<'a>(kind: &CodeBlockKind<'_>) -> Event<'a> {
    let language = match kind {
        CodeBlockKind::Fenced(words) => words.split_whitespace().next(),
        CodeBlockKind::Indented => None,
    };
    let class = language.map(|language| format!("language-{language}"));
    let block = html! { pre tabindex="0" { code class=[class] {} } };
    Event::Html(block.into_string().trim_end_matches("</code></pre>").to_owned().into())
}

fn below(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H4,
        HeadingLevel::H2 => HeadingLevel::H5,
        _ => HeadingLevel::H6,
    }
}

/// What becomes of an address: a whole one of a known scheme may be followed, unless it leads to this machine,
/// or where is not clear. Anything else would lead into this site, or act.
fn goes(address: &str) -> Goes {
    let plain = !address.chars().any(|letter| letter.is_control() || letter.is_whitespace());
    let scheme = address.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("mailto") if plain => Goes::There,
        Some("http" | "https") if plain && leads(address) == Leads::Out => Goes::There,
        Some("http" | "https") => Goes::Nowhere,
        _ => Goes::Unsaid,
    }
}

#[cfg(test)]
mod tests;
