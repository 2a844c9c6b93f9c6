//! Several picks in one text, and back: `Caching, Logging`.
//!
//! Two dialects answer a multi-select question with one joined text, and nothing keeps a label
//! from containing the separator. So the text is plain as long as reading it back gives the same
//! picks; otherwise the parts that would mislead are written as JSON texts in double quotes, as in
//! CSV. Where a dialect has no mark for free text, a text that word for word is a label counts as
//! that label: nobody could tell them apart.

use std::collections::BTreeSet;

use askuser_core::question::{Kind, Question};

const OTHER_BEGINS: &str = "Other (custom: ";
const OTHER_ENDS: &str = ")";

/// How a dialect joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    separator: &'static str,
    free: Free,
}

/// How a dialect writes a text of the person's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Free {
    /// As `Other (custom: text)` (T7).
    Marked,
    /// As it is.
    Bare,
}

/// `A, B, Other (custom: text)`: the command (T7, T8).
pub(crate) const MARKED: Style = Style { separator: ", ", free: Free::Marked };
/// `A,B,text`: the event protocol (E2).
pub(crate) const TIGHT: Style = Style { separator: ",", free: Free::Bare };
/// `A, B, text`: programs that join for a reader.
pub(crate) const SPACED: Style = Style { separator: ", ", free: Free::Bare };

/// What may be answered to one question, as far as joining is concerned.
#[derive(Debug, Clone)]
pub(crate) struct Offer<'a> {
    labels: Vec<&'a str>,
    several: bool,
}

/// What was answered: positions of labels, in the order offered, and the text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Parts {
    /// Positions of the picked labels.
    pub(crate) picked: Vec<usize>,
    /// The person's own text.
    pub(crate) text: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quoting {
    Never,
    Needed,
    Always,
}

impl<'a> Offer<'a> {
    /// Returns what this question offers.
    pub(crate) fn of(question: &'a Question) -> Self {
        Self {
            labels: question.choices.iter().map(|choice| choice.label.as_str()).collect(),
            several: matches!(question.kind, Kind::SomeOf { .. }),
        }
    }

    /// Returns what a question that is not checked yet offers.
    pub(crate) fn unchecked(labels: Vec<&'a str>, several: bool) -> Self {
        Self { labels, several }
    }

    /// Returns the labels.
    pub(crate) fn labels(&self) -> &[&'a str] {
        &self.labels
    }

    /// Writes an answer as one text that [`Self::split`] reads back.
    pub(crate) fn join(&self, style: Style, parts: &Parts) -> String {
        let wanted = self.normal(style, parts.clone());
        [Quoting::Never, Quoting::Needed]
            .into_iter()
            .map(|quoting| self.written(style, parts, quoting))
            .find(|text| self.split(style, text) == wanted)
            .unwrap_or_else(|| self.written(style, parts, Quoting::Always))
    }

    /// Writes an answer without any quotes, if it can be read back like that.
    pub(crate) fn join_plain(&self, style: Style, parts: &Parts) -> Option<String> {
        let text = self.written(style, parts, Quoting::Never);
        (self.split(style, &text) == self.normal(style, parts.clone())).then_some(text)
    }

    /// Reads a joined text: labels first, the person's own text last.
    pub(crate) fn split(&self, style: Style, text: &str) -> Parts {
        if text.is_empty() {
            return Parts::default();
        }
        if !self.several {
            return self.single(style, text);
        }
        let mut reader = Reader {
            offer: self,
            style,
            rest_is_text: false,
            depth: 0,
            dead_ends: BTreeSet::new(),
            found: Parts::default(),
        };
        if !reader.walk(text) {
            reader.rest_is_text = true;
            reader.dead_ends.clear();
            reader.walk(text);
        }
        self.normal(style, reader.found)
    }

    fn single(&self, style: Style, text: &str) -> Parts {
        let marked = style.free == Free::Marked && !self.labels.is_empty();
        let unquoted = || self.position(&unquote(text).filter(|(_, rest)| rest.is_empty())?.0);
        if let Some(own) = other(text).filter(|_| marked) {
            return Parts::text(own);
        }
        match unquoted().filter(|_| marked).or_else(|| self.position(text)) {
            Some(label_idx) => Parts::label(label_idx),
            None => Parts::text(text),
        }
    }

    fn position(&self, label: &str) -> Option<usize> {
        self.labels.iter().position(|offered| *offered == label)
    }

    /// Brings parts into the one form that reading gives.
    fn normal(&self, style: Style, mut parts: Parts) -> Parts {
        if style.free == Free::Bare {
            let alike = parts.text.as_deref().and_then(|text| self.position(text));
            if let Some(label_idx) = alike {
                parts.text = None;
                parts.picked.push(label_idx);
            }
        }
        parts.picked.sort_unstable();
        parts.picked.dedup();
        parts
    }

    fn written(&self, style: Style, parts: &Parts, quoting: Quoting) -> String {
        let labels = parts
            .picked
            .iter()
            .filter_map(|label_idx| self.labels.get(*label_idx))
            .map(|label| quoted(label, quoting, style));
        let text = parts.text.iter().map(|text| match style.free {
            Free::Marked if !self.labels.is_empty() => format!("{OTHER_BEGINS}{text}{OTHER_ENDS}"),
            Free::Bare if self.several => quoted(text, quoting, style),
            Free::Marked | Free::Bare => text.clone(),
        });
        let all: Vec<String> = labels.chain(text).collect();
        all.join(style.separator)
    }
}

impl Parts {
    fn label(label_idx: usize) -> Self {
        Self { picked: vec![label_idx], text: None }
    }

    fn text(text: &str) -> Self {
        Self { picked: Vec::new(), text: Some(text.to_owned()) }
    }
}

/// A walk through a joined text. Candidates are tried in a fixed order, quoted parts first, so
/// that a text with every part quoted has one reading only.
struct Reader<'a> {
    offer: &'a Offer<'a>,
    style: Style,
    rest_is_text: bool,
    /// How many labels the way so far has taken: more than there are would be repeats.
    depth: usize,
    /// How much of the text was left where no way led to its end.
    dead_ends: BTreeSet<usize>,
    found: Parts,
}

impl Reader<'_> {
    fn walk(&mut self, rest: &str) -> bool {
        if self.depth > self.offer.labels.len() || self.dead_ends.contains(&rest.len()) {
            return false;
        }
        let done = self.quoted_part(rest) || self.marked_text(rest) || self.plain_label(rest);
        if done {
            return true;
        }
        if self.rest_is_text && !rest.is_empty() {
            self.found.text = Some(rest.to_owned());
            return true;
        }
        self.dead_ends.insert(rest.len());
        false
    }

    fn quoted_part(&mut self, rest: &str) -> bool {
        let Some((part, after)) = unquote(rest) else {
            return false;
        };
        match self.offer.position(&part) {
            Some(label_idx) => self.label(label_idx, after),
            None if after.is_empty() && self.style.free == Free::Bare => {
                self.found.text = Some(part);
                true
            }
            None => false,
        }
    }

    fn marked_text(&mut self, rest: &str) -> bool {
        let own = other(rest).filter(|_| self.style.free == Free::Marked);
        if let Some(own) = own {
            self.found.text = Some(own.to_owned());
        }
        own.is_some()
    }

    fn plain_label(&mut self, rest: &str) -> bool {
        for (label_idx, label) in self.offer.labels().iter().enumerate() {
            if let Some(after) = rest.strip_prefix(label)
                && self.label(label_idx, after)
            {
                return true;
            }
        }
        false
    }

    /// Takes a label if the rest can be read as well.
    fn label(&mut self, label_idx: usize, after: &str) -> bool {
        self.depth += 1;
        let reads =
            after.is_empty() || after.strip_prefix(self.style.separator).is_some_and(|rest| self.walk(rest));
        self.depth -= 1;
        if reads {
            self.found.picked.push(label_idx);
        }
        reads
    }
}

fn other(text: &str) -> Option<&str> {
    text.strip_prefix(OTHER_BEGINS)?.strip_suffix(OTHER_ENDS).filter(|own| !own.is_empty())
}

fn quoted(part: &str, quoting: Quoting, style: Style) -> String {
    let misleads = part.contains(style.separator)
        || part.starts_with('"')
        || (style.free == Free::Marked && part.starts_with(OTHER_BEGINS));
    match quoting {
        Quoting::Never => part.to_owned(),
        Quoting::Needed if !misleads => part.to_owned(),
        Quoting::Needed | Quoting::Always => serde_json::Value::from(part).to_string(),
    }
}

/// Reads a JSON text off the front.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut escaped = false;
    let inner = text.strip_prefix('"')?;
    for (place, letter) in inner.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => {
                let (literal, rest) = text.split_at_checked(place + 2)?;
                return Some((serde_json::from_str(literal).ok()?, rest));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(style: Style, labels: &[&str], picked: &[usize], text: Option<&str>, expected: &str) {
        let offer = Offer::unchecked(labels.to_vec(), true);
        let parts = Parts { picked: picked.to_vec(), text: text.map(str::to_owned) };
        let joined = offer.join(style, &parts);
        assert_eq!(joined, expected);
        assert_eq!(offer.split(style, &joined), parts);
    }

    #[test]
    fn t8_labels_are_joined_in_the_order_offered_and_other_comes_last() {
        let labels = ["Caching", "Logging", "Tracing"];
        check(MARKED, &labels, &[0, 1], None, "Caching, Logging");
        check(MARKED, &labels, &[0], Some("a, b"), "Caching, Other (custom: a, b)");
        check(MARKED, &labels, &[], Some("x"), "Other (custom: x)");
    }

    #[test]
    fn e2_events_join_with_a_comma_and_no_blank() {
        check(TIGHT, &["a", "b", "c"], &[0, 1, 2], None, "a,b,c");
        check(TIGHT, &["a", "b"], &[1], Some("mine"), "b,mine");
        check(TIGHT, &["a", "b"], &[1], Some("x, y"), "b,x, y");
    }

    #[test]
    fn quotes_appear_only_where_the_plain_text_would_be_read_as_something_else() {
        check(MARKED, &["A, B", "C"], &[0, 1], None, "A, B, C");
        check(MARKED, &["A", "B", "A, B"], &[2], None, "\"A, B\"");
        check(MARKED, &["A", "B", "A, B"], &[0, 2], None, "A, \"A, B\"");
        check(TIGHT, &["A", "B"], &[0], Some("B,C"), "A,\"B,C\"");
        check(MARKED, &["\"x\"", "x"], &[0], None, r#""\"x\"""#);
        check(MARKED, &["Other (custom: x)"], &[0], None, "\"Other (custom: x)\"");
        check(MARKED, &["Other (custom: x)"], &[], Some("x"), "Other (custom: x)");
    }

    #[test]
    fn a_text_that_is_a_label_counts_as_that_label_where_it_has_no_mark() {
        let offer = Offer::unchecked(vec!["a", "b"], true);
        let text = |text: &str| Parts::text(text);
        assert_eq!(offer.split(TIGHT, &offer.join(TIGHT, &text("b"))), Parts::label(1));
        assert_eq!(offer.split(MARKED, &offer.join(MARKED, &text("b"))), text("b"));
    }

    #[test]
    fn labels_that_nest_in_one_another_are_read_in_no_time() {
        let labels: Vec<String> = (1..60).map(|n| vec!["a"; n].join(",")).collect();
        let offer = Offer::unchecked(labels.iter().map(String::as_str).collect(), true);
        let text = format!("{},b", vec!["a"; 2000].join(","));
        assert!(offer.split(TIGHT, &text).text.is_some());
        let offer = Offer::unchecked(vec!["a", "b"], true);
        let text = vec!["a"; 100_000].join(",");
        assert!(offer.split(TIGHT, &text).text.is_some());
    }
}
