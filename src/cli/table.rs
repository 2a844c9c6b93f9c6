//! Lists as people read them: columns that line up, one thing a line, nothing that could disturb
//! the terminal.

use askuser_core::text::shown;
use askuser_core::time::Timestamp;
use serde_json::Value;

use crate::channel::terminal::width::{cut, width};
use crate::wire::time;

/// The widest that a column gets before it is cut, except for the last one.
const COLUMN_MAX: usize = 48;

/// Writes rows under their titles; every text harmless and on one line.
pub fn table(titles: &[&str], rows: &[Vec<String>]) -> String {
    let clean = |text: &str| shown(text).replace(['\n', '\t'], " ");
    let mut lines: Vec<Vec<String>> = vec![titles.iter().map(|title| (*title).to_owned()).collect()];
    lines.extend(rows.iter().map(|row| row.iter().map(|cell| clean(cell)).collect()));
    let n_columns = titles.len();
    let widths: Vec<usize> = (0..n_columns)
        .map(|column| {
            let widest = lines.iter().filter_map(|line| line.get(column)).map(|cell| width(cell)).max();
            widest.unwrap_or(0).min(COLUMN_MAX)
        })
        .collect();
    let written = lines.iter().map(|line| {
        let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, most))| {
            if column + 1 == n_columns {
                return cell.clone();
            }
            let cell = cut(cell, *most);
            format!("{cell}{}", " ".repeat(most.saturating_sub(width(&cell))))
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    written.collect::<Vec<_>>().join("\n")
}

/// Returns a text of a JSON object; nothing where there is none.
pub fn field(value: &Value, key: &str) -> String {
    match value.get(key) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// Returns what a person calls a thing by: its short id, where the desk told one, else its whole one.
pub fn called(value: &Value, key: &str) -> String {
    let short_id = field(value, "short_id");
    if short_id.is_empty() { field(value, key) } else { short_id }
}

/// Says how long ago a moment was.
pub fn ago(written: &str, now: Timestamp) -> String {
    let Some(at) = time::read(written) else { return String::new() };
    let seconds = now.since(at).as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_nothing_disturbs_the_terminal() {
        let rows =
            [vec!["数据库".to_owned(), "x\u{1b}[31m\ny".to_owned()], vec!["a".to_owned(), "b".to_owned()]];
        assert_eq!(table(&["ONE", "TWO"], &rows), "ONE     TWO\n数据库  x␛[31m y\na       b");
        let long = [vec!["z".repeat(60), "b".to_owned()]];
        assert_eq!(table(&["ONE", "TWO"], &long).lines().last().unwrap().chars().count(), COLUMN_MAX + 3);
    }

    #[test]
    fn time_is_told_in_one_unit() {
        let now = Timestamp(100_000_000_000);
        for (ms, expected) in
            [(5_000, "5 s"), (65_000, "1 min"), (7_300_000, "2 h"), (90_000_000_000, "1041 d")]
        {
            assert_eq!(ago(&time::write(Timestamp(now.0 - ms)), now), expected);
        }
        assert_eq!(ago("yesterday", now), "");
    }
}
