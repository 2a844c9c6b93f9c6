//! The commented sample: every key with what it is for and its default.

use askuser_words::Language;
use askuser_words::settings::Settings;

use super::keys::{Config, KEYS, SECTIONS, TABLES, When};

/// Columns of the comments.
const COLUMNS: usize = 100;

/// Returns a file in which every key has its line with its default, each in a comment of its own; `wrap` breaks
/// texts into rows of so many columns.
pub fn sample(language: Language, wrap: impl Fn(&str, usize) -> Vec<String>) -> String {
    let (config, said) = (Config::default(), Settings(language));
    let comment = |indent: &'static str, text: &str| {
        let rows = wrap(text, COLUMNS - indent.len() - 2).into_iter();
        rows.map(|row| format!("{indent}# {row}")).collect::<Vec<_>>()
    };
    let head = [said.head_file(), said.head_order(), said.head_use(), said.head_look()];
    let mut lines: Vec<String> = head.iter().flat_map(|text| comment("", text)).collect();
    for section in SECTIONS {
        lines.push(String::new());
        lines.extend(comment("", language.setting(section)));
        lines.push(format!("{section}:"));
        for key in KEYS.iter().filter(|key| key.section == *section) {
            lines.extend(comment("  ", key.about(language)));
            lines.extend(comment(
                "  ",
                &match key.when {
                    When::Start => said.after_restart(key.variable),
                    When::Reload => said.variable(key.variable),
                },
            ));
            lines.push(format!("  #{}: {}", key.name, key.show(&config)));
        }
    }
    for table in TABLES {
        lines.push(String::new());
        lines.extend(comment("", language.setting(table.name)));
        lines.push("#".to_owned());
        lines.extend(table.sample.lines().map(|line| format!("#{}", language.sample_line(line))));
    }
    lines.join("\n") + "\n"
}
