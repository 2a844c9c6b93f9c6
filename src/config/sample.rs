//! The commented sample: every key with what it is for and its default.

use super::key::When;
use super::keys::{ABOUT, Config, KEYS, TABLES};

/// Returns a file in which every key stands with its default, each in a comment of its own.
pub fn sample() -> String {
    let config = Config::default();
    let mut lines: Vec<String> = HEAD.iter().map(|line| (*line).to_owned()).collect();
    for (section, about) in ABOUT {
        lines.push(String::new());
        lines.extend(about.iter().map(|line| format!("#{line}")));
        lines.push(format!("{section}:"));
        for key in KEYS.iter().filter(|key| key.section == *section) {
            lines.extend(key.about.iter().map(|line| format!("  #{line}")));
            let when = if key.when == When::Start { "; at the next start" } else { "" };
            lines.push(format!("  # ({}{when})", key.variable));
            lines.push(format!("  #{}: {}", key.name, key.show(&config)));
        }
    }
    for table in TABLES {
        lines.push(String::new());
        lines.extend(table.about.iter().map(|line| format!("#{line}")));
        lines.push("#".to_owned());
        lines.extend(table.sample.lines().map(|line| format!("#{line}")));
    }
    lines.join("\n") + "\n"
}

const HEAD: [&str; 4] = [
    "# The configuration of askuser: config.yaml in the data folder, or `askuser serve --config FILE`.",
    "# Flags (`--set section.key=value`) go before variables, those before this file, and it before the defaults,",
    "# which stand here. Take the # away before a key to set it. `askuser reload` (or SIGHUP) applies changes.",
    "# `askuser config` prints every value and where it came from.",
];
