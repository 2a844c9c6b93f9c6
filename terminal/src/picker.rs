//! Picks one of several things: type to find it, arrows, Enter.
//!
//! Pure but for [`pick`], which takes the whole terminal over for a while.

use std::io;

use askuser_core::time::Timestamp;
use askuser_words::Language;
use askuser_words::inbox::Inbox as Words;
use askuser_words::keys::KeyWords;

use super::draw::Frame;
use super::draw::hints::{fitting, hint};
use super::editor::Editor;
use super::full::{Full, Heard};
use super::fuzzy::Fuzzy;
use super::guard::{Guard, Verdict};
use super::inbox::item::one_line;
use super::keys::Key;
use super::keys::typing::edit_text;
use super::line::{Line, Role};
use super::paint::Look;
use super::tty::Tty;
use super::width::{cut, width};
use askuser_system::clock;

/// Rows that a page key moves by.
const PAGE: isize = 8;
/// What a thing is about keeps so many columns.
const TEXT_COLUMNS_MIN: usize = 24;

/// Whose it is needs so many to be worth showing.
const BESIDE_COLUMNS_MIN: usize = 8;

/// A thing that can be picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What stands for it.
    pub id: String,
    /// What it is about.
    pub text: String,
    /// Whose it is, and since when.
    pub beside: String,
}

/// What came of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picked {
    /// Nothing yet.
    Stay,
    /// The thing in this place was picked.
    At(usize),
    /// The person leaves.
    Leave,
    /// The program is to be stopped for a while.
    Suspend,
}

/// Several things, and where the person is among them.
#[derive(Debug, Clone)]
pub struct Picker {
    language: Language,
    title: String,
    choices: Vec<Choice>,
    /// Places in `choices` of those that were found, the best first.
    found: Vec<usize>,
    /// A place in `found`.
    cursor: usize,
    search: Editor,
    guard: Guard,
}

impl Picker {
    /// Returns a picker with everything found. A key that was on its way picks nothing.
    pub fn new(title: String, choices: Vec<Choice>, language: Language, now: Timestamp) -> Self {
        let found = (0..choices.len()).collect();
        let mut guard = Guard::default();
        guard.changed(now);
        Self { language, title, choices, found, cursor: 0, search: Editor::default(), guard }
    }

    /// Takes a key.
    pub fn press(&mut self, key: Key, now: Timestamp) -> Picked {
        if self.guard.hear(&key, key == Key::Enter, now) != Verdict::Meant {
            return Picked::Stay;
        }
        match key {
            Key::Enter => {
                return self.found.get(self.cursor).map_or(Picked::Stay, |place| Picked::At(*place));
            }
            Key::Esc if self.search.text().is_empty() => return Picked::Leave,
            Key::Esc => {
                self.search = Editor::default();
                self.look();
            }
            Key::Interrupt | Key::EndOfInput => return Picked::Leave,
            Key::Suspend => return Picked::Suspend,
            Key::Up | Key::BackTab => self.move_by(-1),
            Key::Down | Key::Tab => self.move_by(1),
            Key::PageUp => self.move_by(-PAGE),
            Key::PageDown => self.move_by(PAGE),
            key => {
                let before = self.search.text().to_owned();
                match key {
                    Key::Char(letter) => drop(self.search.insert(letter.encode_utf8(&mut [0; 4]))),
                    Key::Paste(text) => drop(self.search.insert(&text.replace(['\r', '\n', '\t'], " "))),
                    key => edit_text(&mut self.search, &key),
                }
                if self.search.text() != before {
                    self.look();
                }
            }
        }
        Picked::Stay
    }

    fn move_by(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by).min(self.found.len().saturating_sub(1));
    }

    /// Looks for what was typed: the best first, of equals the one that stood above.
    fn look(&mut self) {
        let mut fuzzy = Fuzzy::new(self.search.text());
        let mut found: Vec<(u32, usize)> = Vec::new();
        for (place, choice) in self.choices.iter().enumerate() {
            let whole = format!("{} {} {}", choice.text, choice.beside, choice.id);
            found.extend(fuzzy.score(&whole).map(|score| (score, place)));
        }
        found.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        self.found = found.into_iter().map(|(_, place)| place).collect();
        self.cursor = 0;
    }

    /// Draws it for a terminal of this size.
    pub fn draw(&self, columns: usize, rows: usize) -> Frame {
        let mut frame = Frame::default();
        let count = format!("{}/{}", self.found.len(), self.choices.len());
        let title = cut(&self.title, columns.saturating_sub(width(&count) + 3));
        let mut head = Line::of(format!(" {title}"), Role::Strong);
        head.push_at(columns.saturating_sub(width(&count) + 1), &count, Role::Secondary);
        frame.lines.push(head);
        let typed = cut(&one_line(self.search.text()), columns.saturating_sub(5));
        let mut search = Line::of(" > ", Role::Accent).and(&typed, Role::Plain);
        if typed.is_empty() {
            let hint = Words(self.language).type_to_search();
            search.push(cut(hint, columns.saturating_sub(4)), Role::Secondary);
        }
        frame.caret = Some((1, 3 + width(&typed)));
        frame.lines.push(search);
        let id_columns = self.choices.iter().map(|choice| width(&choice.id) + 2).max().unwrap_or(0);
        let room = rows.saturating_sub(3).max(1);
        let first = (self.cursor + 1).saturating_sub(room);
        for (place, choice) in self.found.iter().enumerate().skip(first).take(room) {
            let choice = self.choices.get(*choice);
            frame.lines.extend(choice.map(|choice| row(choice, place == self.cursor, columns, id_columns)));
        }
        if self.found.is_empty() {
            let nothing = Words(self.language).no_match();
            frame.lines.push(Line::of(format!("  {nothing}"), Role::Secondary));
        }
        while frame.lines.len() + 1 < rows {
            frame.lines.push(Line::default());
        }
        let keys = KeyWords(self.language);
        let hints =
            vec![hint("↑↓", keys.moves(), 2), hint("Enter", keys.picks(), 0), hint("Esc", keys.leaves(), 1)];
        let hints = fitting(hints, columns.saturating_sub(2));
        frame.lines.push(Line::of(format!(" {hints}"), Role::Secondary));
        frame
    }
}

/// One thing on one line: what stands for it, what it is about, whose it is.
fn row(choice: &Choice, here: bool, columns: usize, id_columns: usize) -> Line {
    let mut line = Line::of(if here { "❯ " } else { "  " }, Role::Accent);
    if columns >= TEXT_COLUMNS_MIN + id_columns + 2 {
        line.push(format!("{:<id_columns$}", choice.id), Role::Secondary);
    }
    let room = columns.saturating_sub(line.width() + 1);
    let beside_room = room.saturating_sub(TEXT_COLUMNS_MIN + 2).min(room / 2);
    let beside_room = if beside_room < BESIDE_COLUMNS_MIN { 0 } else { beside_room };
    let beside = cut(&one_line(&choice.beside), beside_room);
    let beside_columns = if beside.is_empty() { 0 } else { width(&beside) + 2 };
    let role = if here { Role::Strong } else { Role::Plain };
    line.push(cut(&one_line(&choice.text), room.saturating_sub(beside_columns)), role);
    if !beside.is_empty() {
        line.push_at(columns.saturating_sub(width(&beside) + 1), beside, Role::Secondary);
    }
    line
}

/// Has the person at a terminal pick one; none where they leave.
pub async fn pick(tty: Tty, look: Look, mut picker: Picker) -> io::Result<Option<usize>> {
    let mut full = Full::open(tty, look)?;
    loop {
        let (columns, rows) = full.size()?;
        full.paint(picker.draw(columns, rows))?;
        let step = match full.next().await? {
            Heard::Key(key) => picker.press(key, clock::now()),
            Heard::Changed => Picked::Stay,
            Heard::Interrupted | Heard::Gone => Picked::Leave,
        };
        match step {
            Picked::Stay => {}
            Picked::Suspend => full.suspend()?,
            Picked::At(place) => {
                full.close();
                return Ok(Some(place));
            }
            Picked::Leave => {
                full.close();
                return Ok(None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const NOW: Timestamp = Timestamp(1_800_000_000_000);

    fn picker(language: Language) -> Picker {
        let choice = |id: &str, text: &str, beside: &str| Choice {
            id: id.to_owned(),
            text: text.to_owned(),
            beside: beside.to_owned(),
        };
        let choices = vec![
            choice("YNQD", "Which database should the shop use?", "claude-code · shop · 3 min"),
            choice("X7Q2", "Rename the crate?", "codex · blog · 4 min"),
            choice("0M3T15", "需要哪些功能模块？\u{1b}[31m", "gemini · 网站 · 5 s"),
        ];
        Picker::new("3 questions are waiting".to_owned(), choices, language, NOW)
    }

    fn types(picker: &mut Picker, text: &str) {
        for letter in text.chars() {
            assert_eq!(picker.press(Key::Char(letter), NOW.after(Duration::from_secs(1))), Picked::Stay);
        }
    }

    #[test]
    fn letters_find_arrows_move_and_enter_picks_what_was_in_sight() {
        let later = NOW.after(Duration::from_secs(1));
        let mut picker = picker(Language::English);
        assert_eq!(picker.press(Key::Enter, NOW), Picked::Stay, "it was on its way when this came up");
        assert_eq!(picker.clone().press(Key::Enter, later), Picked::At(0));
        picker.press(Key::Down, later);
        assert_eq!(picker.clone().press(Key::Enter, later), Picked::At(1));
        types(&mut picker, "dbshop");
        assert_eq!(picker.clone().press(Key::Enter, later), Picked::At(0), "the first that is found");
        types(&mut picker, "zzz");
        assert_eq!(picker.clone().press(Key::Enter, later), Picked::Stay, "nothing is found");
        assert_eq!(picker.press(Key::Esc, later), Picked::Stay, "what was typed is taken back first");
        types(&mut picker, "rncrt");
        assert_eq!(picker.clone().press(Key::Enter, later), Picked::At(1));
        picker.press(Key::DeleteToStart, later);
        types(&mut picker, "模块");
        assert_eq!(picker.clone().press(Key::Enter, later), Picked::At(2));
        picker.press(Key::Esc, later);
        assert_eq!(picker.press(Key::Esc, later), Picked::Leave);
    }

    #[test]
    fn no_row_is_wider_than_the_terminal() {
        for (columns, rows, language) in [
            (100, 8, Language::English),
            (60, 8, Language::Chinese),
            (40, 5, Language::English),
            (12, 4, Language::Chinese),
        ] {
            let mut picker = picker(language);
            picker.press(Key::Down, NOW);
            picker.press(Key::Down, NOW);
            let frame = picker.draw(columns, rows);
            assert_eq!(frame.lines.len(), rows);
            for line in &frame.lines {
                assert!(line.width() <= columns, "{columns}: {}", line.text());
                assert!(!line.text().contains('\u{1b}'), "{}", line.text());
            }
            assert!(frame.lines.iter().any(|line| line.text().starts_with('❯')), "the cursor is in sight");
        }
        let sizes = [
            (100, Language::English),
            (60, Language::English),
            (40, Language::English),
            (60, Language::Chinese),
        ];
        let drawn = sizes.map(|(columns, language)| {
            let lines = picker(language).draw(columns, 6).lines;
            lines.iter().map(Line::text).collect::<Vec<_>>().join("\n")
        });
        insta::assert_snapshot!(drawn.join("\n\n"));
    }
}
