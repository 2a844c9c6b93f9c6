//! Lists as people read them: columns that line up, one thing a line, nothing that could disturb the
//! terminal; and never wider than it.
//!
//! Crates for tables draw boxes and break long cells over several lines. A list of questions wants the
//! opposite, as `gh` has it: one line each, the longest column cut, and the least telling one left out
//! where the terminal is narrow.

use askuser_core::text::shown;
use askuser_words::commands::Titles;

use super::Screen;
use super::paint::Role;
use askuser_terminal::width::{cut, width};

/// What stands between two columns.
const GAP: usize = 2;

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    title: fn(Titles) -> &'static str,
    /// The columns that are left of it when it is cut; none where it is shown whole.
    least: Option<usize>,
    /// How early it is left out where there is no room: the highest first, 0 never.
    minor: u8,
    is_right: bool,
}

impl Column {
    /// Returns a column that is shown whole.
    pub const fn new(title: fn(Titles) -> &'static str) -> Self {
        Self { title, least: None, minor: 0, is_right: false }
    }

    /// It may be cut, but not shorter than this.
    #[must_use]
    pub const fn cut(mut self, least: usize) -> Self {
        self.least = Some(least);
        self
    }

    /// It is left out where there is no room: the highest number first.
    #[must_use]
    pub const fn minor(mut self, rank: u8) -> Self {
        self.minor = rank;
        self
    }

    /// It holds numbers.
    #[must_use]
    pub const fn right(mut self) -> Self {
        self.is_right = true;
        self
    }
}

/// What stands in one column of a row.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    text: String,
    role: Role,
}

impl Cell {
    /// Returns a text in the colour of its role.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { text: text.into(), role }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::new(Role::Plain, text)
    }
}

/// Writes rows under their titles. A column with nothing in it is left out.
pub fn table(screen: &Screen, columns: &[Column], rows: Vec<Vec<Cell>>) -> String {
    let title = |column: &Column| (column.title)(Titles(screen.language)).to_owned();
    let titles: Vec<String> = columns.iter().map(title).collect();
    let rows: Vec<Vec<Cell>> = rows.into_iter().map(|row| row.into_iter().map(harmless).collect()).collect();
    let widest = |place: usize| {
        let cells = rows.iter().filter_map(|row| row.get(place)).map(|cell| width(&cell.text));
        cells.max().filter(|widest| *widest > 0)
    };
    // Place, column, and the columns that it would like to have.
    let used: Vec<(usize, Column, usize)> = columns
        .iter()
        .enumerate()
        .filter_map(|(place, column)| {
            let title = titles.get(place).map_or(0, |title| width(title));
            Some((place, *column, widest(place)?.max(title)))
        })
        .collect();
    let Some(fitted) = fitted(used, screen.columns()) else { return stacked(screen, &titles, &rows) };
    let line = |cells: &dyn Fn(usize) -> (String, Role)| {
        let last = fitted.last().map(|(place, ..)| *place);
        let mut line = String::new();
        for (place, column, room) in &fitted {
            let (text, role) = cells(*place);
            let text = if column.least.is_some() { cut(&text, *room) } else { text };
            let space = " ".repeat(room.saturating_sub(width(&text)));
            let painted = screen.paint.text(role, &text);
            let (before, after) = if column.is_right { (space.as_str(), "") } else { ("", space.as_str()) };
            line.extend([before, &painted]);
            if Some(*place) != last {
                line.extend([after, &" ".repeat(GAP)]);
            }
        }
        line.trim_end().to_owned()
    };
    let head = line(&|place| (titles.get(place).cloned().unwrap_or_default(), Role::Title));
    let has_head = titles.iter().any(|title| !title.is_empty());
    let cell = |row: &Vec<Cell>, place: usize| {
        row.get(place).map_or_else(Default::default, |cell| (cell.text.clone(), cell.role))
    };
    let body = rows.iter().map(|row| line(&|place| cell(row, place)));
    has_head.then_some(head).into_iter().chain(body).collect::<Vec<_>>().join("\n")
}

fn harmless(mut cell: Cell) -> Cell {
    let mut text = shown(&cell.text).replace(['\n', '\t'], " ");
    text.truncate(text.trim_end().len());
    cell.text = text;
    cell
}

/// Gives each column its room; leaves out what does not fit. None where not even that helps.
fn fitted(mut used: Vec<(usize, Column, usize)>, room: Option<usize>) -> Option<Vec<(usize, Column, usize)>> {
    let Some(room) = room else { return Some(used) };
    loop {
        let gaps = GAP * used.len().saturating_sub(1);
        let total =
            |used: &[(usize, Column, usize)]| used.iter().map(|(_, _, wide)| wide).sum::<usize>() + gaps;
        let least =
            |(_, column, wide): &(usize, Column, usize)| column.least.map_or(*wide, |least| least.min(*wide));
        if used.iter().map(least).sum::<usize>() + gaps <= room {
            let main = used.last().map(|(place, ..)| *place);
            // The last column is what the list is about: it is worth two of the others.
            let weight = |(place, _, wide): &(usize, Column, usize)| {
                if Some(*place) == main { wide / 2 } else { *wide }
            };
            while total(&used) > room {
                let widest = used.iter_mut().filter(|it| it.2 > least(it)).max_by_key(|it| weight(it))?;
                widest.2 -= 1;
            }
            return Some(used);
        }
        let minor = used.iter().map(|(_, column, _)| column.minor).max().filter(|rank| *rank > 0)?;
        used.retain(|(_, column, _)| column.minor != minor);
    }
}

/// Each row as a few lines, a title and a value each: for terminals on which no table fits.
fn stacked(screen: &Screen, titles: &[String], rows: &[Vec<Cell>]) -> String {
    let room = screen.columns().unwrap_or(usize::MAX);
    let widest = titles.iter().map(|title| width(title)).max().unwrap_or(0);
    let row = |row: &Vec<Cell>| {
        let lines = titles.iter().zip(row).filter(|(_, cell)| !cell.text.is_empty()).map(|(title, cell)| {
            let space = " ".repeat(widest.saturating_sub(width(title)) + GAP);
            let beside = room.saturating_sub(widest + GAP);
            // An id that is cut is none: it stands below its title then.
            let space =
                if cell.role == Role::Id && width(&cell.text) > beside { "\n  ".to_owned() } else { space };
            let text = if cell.role == Role::Id { cell.text.clone() } else { cut(&cell.text, beside) };
            format!("{}{space}{}", screen.paint.text(Role::Title, title), screen.paint.text(cell.role, &text))
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use askuser_core::time::Timestamp;

    use super::*;
    use askuser_words::Language;

    const COLUMNS: [Column; 5] = [
        Column::new(Titles::id),
        Column::new(Titles::age).minor(2),
        Column::new(Titles::status),
        Column::new(Titles::agent).cut(8).minor(1),
        Column::new(Titles::question).cut(16),
    ];

    fn rows() -> Vec<Vec<Cell>> {
        let row = |id: &str, agent: &str, question: &str| {
            vec![Cell::new(Role::Id, id), "4 min".into(), "waiting".into(), agent.into(), question.into()]
        };
        vec![
            row("RQ44R", "claude-code · shop", "Which database should the shop use? (and 1 more)"),
            row("3T15", "gemini · infra", "May I run the 30-minute tests against the staging cluster?"),
            row("9E7X", "", "需要哪些功能模块？需要哪些功能模块？需要哪些功能模块？"),
            row("9E7Y", "x\u{1b}[31m", "two\nlines"),
        ]
    }

    fn drawn(columns: usize, language: Language) -> String {
        table(&Screen::made(columns, language, Timestamp(0)), &COLUMNS, rows())
    }

    #[test]
    fn a_table_fits_its_terminal() {
        for language in [Language::English, Language::Chinese] {
            for columns in 20..130 {
                let text = drawn(columns, language);
                let widest = text.lines().map(width).max().unwrap();
                assert!(widest <= columns, "{columns}: {widest}\n{text}");
                assert!(text.contains("RQ44R") && !text.contains('\u{1b}'), "{text}");
            }
        }
        let all: Vec<String> = [120, 80, 60, 40, 24]
            .into_iter()
            .flat_map(|columns| {
                [Language::English, Language::Chinese]
                    .map(|language| format!("{columns}\n{}", drawn(columns, language)))
            })
            .collect();
        insta::assert_snapshot!(all.join("\n\n"));
    }

    #[test]
    fn a_pipe_gets_everything() {
        let text = drawn(0, Language::English);
        assert!(text.contains("against the staging cluster?") && text.contains("x␛[31m"), "{text}");
        assert!(
            text.lines().all(|line| line.starts_with("ID     AGE") || line.contains("  4 min  waiting  ")),
            "{text}"
        );
    }

    #[test]
    fn a_column_with_nothing_in_it_is_left_out() {
        let rows = vec![vec!["a".into(), "".into(), "1".into()], vec!["b".into(), "".into(), "20".into()]];
        let columns = [Column::new(|_| "ONE"), Column::new(|_| "TWO"), Column::new(|_| "N").right()];
        let screen = Screen::made(80, Language::English, Timestamp(0));
        assert_eq!(table(&screen, &columns, rows), "ONE   N\na     1\nb    20");
    }
}
