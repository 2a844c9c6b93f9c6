//! A line of the panel: pieces of text, each with the part it plays. Knows no colours.

use super::width::width;

/// The part a piece of text plays; `paint` gives each its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// Text like any other.
    #[default]
    Plain,
    /// What matters most: the question.
    Strong,
    /// Where the person is.
    Accent,
    /// What is picked or done.
    Good,
    /// What is wrong.
    Bad,
    /// What may be read last.
    Secondary,
    /// What is stressed within a text.
    Emphasis,
    /// What is typed or run, within a text.
    Code,
}

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    /// Its part.
    pub role: Role,
    /// The column at which it begins whatever stands before it; a terminal that takes a character
    /// for wider than we do then still has its border in place.
    pub at: Option<usize>,
}

/// A line: pieces from left to right.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line(pub Vec<Span>);

impl Line {
    /// Returns a line of one piece.
    pub fn of(text: impl Into<String>, role: Role) -> Self {
        Self::default().and(text, role)
    }

    /// Adds a piece.
    #[must_use]
    pub fn and(mut self, text: impl Into<String>, role: Role) -> Self {
        self.push(text, role);
        self
    }

    /// Adds a piece.
    pub fn push(&mut self, text: impl Into<String>, role: Role) {
        let text = text.into();
        if !text.is_empty() {
            self.0.push(Span { text, role, at: None });
        }
    }

    /// Adds a piece that begins in this column.
    pub fn push_at(&mut self, at: usize, text: impl Into<String>, role: Role) {
        let text = text.into();
        if !text.is_empty() {
            let at = Some(at);
            self.0.push(Span { text, role, at });
        }
    }

    /// Adds the pieces of another line, moved to the right by `columns`.
    pub fn append_at(&mut self, columns: usize, other: Self) {
        for (idx, span) in other.0.into_iter().enumerate() {
            let at = match span.at {
                Some(at) => Some(at + columns),
                None if idx == 0 => Some(columns),
                None => None,
            };
            self.0.push(Span { at, ..span });
        }
    }

    /// Returns its columns.
    pub fn width(&self) -> usize {
        self.0.iter().fold(0, |end, span| end.max(span.at.unwrap_or(0)) + width(&span.text))
    }

    /// Returns what is read.
    pub fn text(&self) -> String {
        self.write(|span| span.text.clone())
    }

    /// Returns what is read with the roles marked, for snapshots: `‹bad:✗ …›`.
    pub fn marked(&self) -> String {
        self.write(|span| match span.role {
            Role::Plain => span.text.clone(),
            Role::Strong => format!("‹strong:{}›", span.text),
            Role::Accent => format!("‹accent:{}›", span.text),
            Role::Good => format!("‹good:{}›", span.text),
            Role::Bad => format!("‹bad:{}›", span.text),
            Role::Secondary => format!("‹dim:{}›", span.text),
            Role::Emphasis => format!("‹em:{}›", span.text),
            Role::Code => format!("‹code:{}›", span.text),
        })
    }

    fn write(&self, word: impl Fn(&Span) -> String) -> String {
        let mut text = String::new();
        let mut end = 0;
        for span in &self.0 {
            let start = end.max(span.at.unwrap_or(0));
            text.extend(std::iter::repeat_n(' ', start - end));
            text.push_str(&word(span));
            end = start + width(&span.text);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_with_a_place_stands_there() {
        let mut line = Line::of("你好", Role::Strong);
        line.push_at(7, "│", Role::Secondary);
        assert_eq!(line.text(), "你好   │");
        assert_eq!(line.width(), 8);
        assert_eq!(line.marked(), "‹strong:你好›   ‹dim:│›");
        let mut whole = Line::of("│", Role::Plain);
        whole.append_at(2, line);
        assert_eq!(whole.text(), "│ 你好   │");
    }
}
