//! Markdown as lines of a terminal: headings, emphasis, code, lists, quotes, tables, links with their
//! addresses, coloured diffs.
//!
//! Nothing of the text is lost by being drawn. HTML and comments are text; an address stands beside what
//! links to it; and whatever else Markdown would swallow, as a definition that nothing refers to or a cell
//! too many, is shown as it was written. Line breaks stay where they were: agents write drawings and
//! poems as well. What is too large to be drawn is shown as it is.

mod container;
mod code;
mod pieces;
mod table;

use std::ops::Range;

use askuser_core::text::shown;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::line::{Line, Role};
use super::paint::Look;
use super::wrap::wrap;
use container::Container;
use pieces::{Piece, wrapped};
use table::Table;

/// The longest text that is drawn.
const BYTES_MAX: usize = 128 * 1024;
/// How many pieces are drawn: a short text can stand for a very large table.
const PIECES_MAX: usize = 20_000;

/// What the lines may be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Roles are seen, as colours or as bold and dim, so that code needs no backticks.
    Styled,
    /// Letters and lines only.
    Plain,
    /// No lines either: a screen reader reads every one of them aloud.
    Spoken,
}

/// Returns a text as lines of at most `columns` columns.
pub fn lines(text: &str, columns: usize, ink: Ink) -> Vec<Line> {
    let columns = columns.max(1);
    let text = shown(text);
    let text = text.trim_end();
    if code::is_diff(text) {
        return code::lines("diff", text, columns, ink);
    }
    if text.len() > BYTES_MAX || parser(text).nth(PIECES_MAX).is_some() {
        return wrap(text, columns).into_iter().map(|row| Line::of(row, Role::Plain)).collect();
    }
    let mut drawing = Drawing::new(text, columns, ink);
    for (event, range) in parser(text).into_offset_iter() {
        drawing.take(event, range);
    }
    drawing.passed(text.len());
    drawing.flush();
    drawing.lines
}

/// Returns a text as it is printed: with the colours that the terminal takes, or with none at all.
pub fn printed(text: &str, columns: usize, look: Option<Look>) -> String {
    let mut out = String::new();
    let ink = if look.is_some() { Ink::Styled } else { Ink::Plain };
    for line in lines(text, columns, ink) {
        match look {
            Some(look) => look.line(&mut out, &line),
            None => out.push_str(&line.text()),
        }
        out.push('\n');
    }
    out
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// A list that is open: what its items are numbered by.
struct List {
    first: Option<String>,
    next: Option<u64>,
}

/// A link or a picture that is open.
struct Link {
    address: String,
    title: String,
    /// How many pieces stood before it.
    n_before: usize,
}

/// A text while it is being drawn.
struct Drawing<'a> {
    source: &'a str,
    columns: usize,
    ink: Ink,
    lines: Vec<Line>,
    containers: Vec<Container>,
    lists: Vec<List>,
    pieces: Vec<Piece>,
    strong: usize,
    emphasis: usize,
    links: Vec<Link>,
    code: Option<(String, String)>,
    table: Option<Table>,
    /// Up to where the source has been drawn or is known to be marks.
    at: usize,
}

impl<'a> Drawing<'a> {
    fn new(source: &'a str, columns: usize, ink: Ink) -> Self {
        Self {
            source,
            columns,
            ink,
            lines: Vec::new(),
            containers: Vec::new(),
            lists: Vec::new(),
            pieces: Vec::new(),
            strong: 0,
            emphasis: 0,
            links: Vec::new(),
            code: None,
            table: None,
            at: 0,
        }
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.open(tag, range),
            Event::End(tag) => self.close(tag, range),
            Event::Code(text) => {
                self.passed(range.start);
                let text = if self.ink == Ink::Styled { text.into_string() } else { format!("`{text}`") };
                self.add(&text, Role::Code);
                self.at = range.end;
            }
            Event::SoftBreak | Event::HardBreak => {
                self.passed(range.start);
                self.add("\n", Role::Plain);
                self.at = range.end;
            }
            Event::Rule => {
                self.passed(range.start);
                self.begin(range.start);
                let rule = if self.ink == Ink::Spoken { "---".to_owned() } else { "─".repeat(self.room()) };
                self.put(vec![Line::of(rule, Role::Secondary)]);
                self.at = range.end;
            }
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text, range),
            // Extensions that are not asked for.
            _ => {
                let written = self.source.get(range.clone()).unwrap_or_default();
                self.text(written, range);
            }
        }
    }

    fn open(&mut self, tag: Tag<'_>, range: Range<usize>) {
        self.passed(range.start);
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.begin(range.start),
            Tag::Heading { .. } => {
                self.begin(range.start);
                self.strong += 1;
            }
            Tag::BlockQuote(_) => {
                self.begin(range.start);
                self.containers.push(Container::Quote);
            }
            Tag::CodeBlock(kind) => {
                self.begin(range.start);
                let label = match kind {
                    CodeBlockKind::Fenced(label) => label.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((label, String::new()));
            }
            Tag::List(next) => {
                self.begin(range.start);
                self.lists.push(List { first: None, next });
            }
            Tag::Item => self.item(&range),
            Tag::Table(alignments) => {
                self.begin(range.start);
                self.table = Some(Table::new(alignments));
            }
            Tag::Emphasis => self.emphasis += 1,
            Tag::Strong => self.strong += 1,
            Tag::Link { dest_url, title, .. } | Tag::Image { dest_url, title, .. } => {
                let (address, title) = (dest_url.into_string(), title.into_string());
                self.links.push(Link { address, title, n_before: self.pieces.len() });
            }
            _ => {}
        }
    }

    fn close(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.flush(),
            TagEnd::Heading(_) => {
                self.flush();
                self.strong = self.strong.saturating_sub(1);
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.containers.pop();
            }
            TagEnd::CodeBlock => {
                if let Some((label, text)) = self.code.take() {
                    let lines = code::lines(&label, &text, self.room(), self.ink);
                    self.put(lines);
                }
                self.at = range.end;
            }
            TagEnd::List(_) => drop(self.lists.pop()),
            TagEnd::Item => {
                self.flush();
                if matches!(self.containers.last(), Some(Container::Item { mark: Some(_), .. })) {
                    self.put(vec![Line::default()]);
                }
                self.containers.pop();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.pieces);
                self.table.iter_mut().for_each(|table| table.cell(cell.clone()));
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                self.passed(range.end);
                self.table.iter_mut().for_each(Table::end_row);
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    let lines = table.lines(self.room(), self.ink);
                    self.put(lines);
                }
            }
            TagEnd::Emphasis => self.emphasis = self.emphasis.saturating_sub(1),
            TagEnd::Strong => self.strong = self.strong.saturating_sub(1),
            TagEnd::Link | TagEnd::Image => {
                self.close_link();
                self.at = range.end;
            }
            _ => {}
        }
    }

    /// Says beside what a link reads where it leads.
    fn close_link(&mut self) {
        let Some(link) = self.links.pop() else { return };
        let read: String = self.pieces.iter().skip(link.n_before).map(|piece| piece.text.as_str()).collect();
        let title = if link.title.is_empty() { String::new() } else { format!(" \"{}\"", link.title) };
        let leads = format!("{}{title}", link.address);
        if !leads.is_empty() && leads != read {
            let gap = if read.is_empty() { "" } else { " " };
            self.add(&format!("{gap}({leads})"), Role::Secondary);
        }
    }

    /// Begins an item with its number as it was written, unless all have the same, or a bullet.
    fn item(&mut self, range: &Range<usize>) {
        self.flush();
        self.begin(range.start);
        let written = self.source.get(range.clone()).unwrap_or_default();
        let indent = written.len() - written.trim_start().len();
        let digits: String = written.trim_start().chars().take_while(char::is_ascii_digit).collect();
        self.at = range.start + indent + digits.len() + usize::from(!digits.is_empty());
        let bullet = if self.ink == Ink::Spoken { "- " } else { "• " };
        let mark = match self.lists.last_mut() {
            Some(List { first, next: Some(next) }) if !digits.is_empty() => {
                let is_same = first.as_ref().is_some_and(|first| *first == digits);
                let number = if is_same { next.to_string() } else { digits.clone() };
                *next = next.saturating_add(1);
                first.get_or_insert(digits);
                format!("{number}. ")
            }
            _ => bullet.to_owned(),
        };
        let columns = super::width::width(&mark);
        self.containers.push(Container::Item { mark: Some(mark), columns });
    }

    fn text(&mut self, text: &str, range: Range<usize>) {
        if let Some((_, code)) = &mut self.code {
            code.push_str(text);
            return;
        }
        self.passed(range.start);
        let starts_line = self.pieces.last().is_none_or(|piece| piece.text.ends_with('\n'));
        if starts_line && self.containers.is_empty() && self.table.is_none() {
            // A drawing stays one: its lines begin where they began.
            let before = self.source.get(..range.start).unwrap_or_default();
            let line = before.rsplit('\n').next().filter(|line| line.trim().is_empty());
            self.add(line.unwrap_or_default(), Role::Plain);
        }
        self.add(text, Role::Plain);
        self.at = range.end;
    }

    /// Adds a piece, in the role of what it stands in.
    fn add(&mut self, text: &str, role: Role) {
        let role = match role {
            Role::Plain if self.strong > 0 => Role::Strong,
            Role::Plain if self.emphasis > 0 => Role::Emphasis,
            role => role,
        };
        let text = shown(text).replace('\t', "    ");
        if !text.is_empty() {
            self.pieces.push(Piece { text, role });
        }
    }

    /// Goes on in the source. What was passed and is more than marks has not been drawn: it is shown as written.
    fn passed(&mut self, end: usize) {
        let at = self.at;
        self.at = at.max(end);
        let passed = self.source.get(at..end).unwrap_or_default().trim();
        let is_marks = |letter: char| letter.is_whitespace() || r"\>#*_|:-=+`".contains(letter);
        if self.code.is_some() || !self.links.is_empty() || passed.chars().all(is_marks) {
            return;
        }
        if let Some(table) = &mut self.table {
            table.left_over(passed);
            return;
        }
        self.flush();
        self.add(passed, Role::Secondary);
        self.flush();
    }

    /// Begins a block: what stands before it is drawn, with an empty line between where there was one.
    fn begin(&mut self, start: usize) {
        self.flush();
        let before = self.source.get(..start).unwrap_or_default().chars().rev();
        let blanks = before.take_while(|letter| letter.is_whitespace() || *letter == '>');
        let is_apart = blanks.filter(|letter| *letter == '\n').count() > 1;
        let is_text = |letter: char| !letter.is_whitespace() && !"┃>".contains(letter);
        if is_apart && self.lines.last().is_some_and(|line| line.text().contains(is_text)) {
            let bars =
                self.containers.iter().filter(|container| matches!(container, Container::Quote)).count();
            let bars = self.bar().repeat(bars.min(self.columns / 4));
            self.lines.push(Line::of(bars.trim_end(), Role::Secondary));
        }
    }

    /// Draws the paragraph so far.
    fn flush(&mut self) {
        let mut pieces = std::mem::take(&mut self.pieces);
        while let Some(piece) = pieces.last_mut() {
            piece.text.truncate(piece.text.trim_end().len());
            if !piece.text.is_empty() {
                break;
            }
            pieces.pop();
        }
        if !pieces.is_empty() {
            let lines = wrapped(&pieces, self.room());
            self.put(lines);
        }
    }
}

#[cfg(test)]
mod tests;
