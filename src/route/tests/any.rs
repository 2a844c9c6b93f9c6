//! Any JSON, any text, any length.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::Value;

use super::super::{AgentShell, Route, route};

/// What a reader might go through again and again.
const NOISE: [&str; 18] = [
    "[",
    "{\"a\":",
    "'",
    "\"",
    "\\",
    "$'\\x41",
    "x ",
    "\r",
    "\n",
    "#",
    "\0",
    "\"$(cat <<A\n",
    "<<A\n",
    "'a'\"b\"",
    "1\\\n",
    ";",
    "A=1 ",
    "é",
];

#[test]
fn t13_ten_megabytes_are_taken_and_more_noise_only_takes_longer() {
    let begun = Instant::now();
    let good = format!("AskUserQuestion '\"{}\"'", "框".repeat(3_333_333));
    assert!(matches!(route(&good), Route::AgentShell(AgentShell { input: Ok(_), .. })));
    let deep = format!("AskUserQuestion {}", "[".repeat(10_000_000));
    assert!(matches!(route(&deep), Route::AgentShell(AgentShell { input: Err(_), .. })));
    for part in NOISE {
        let noise = part.repeat(500_000 / part.len());
        for line in [
            format!("AskUserQuestion {noise}"),
            format!("AskUserQuestion '{noise}"),
            format!("AskUserQuestion \"{noise}"),
            format!("AskUserQuestion <<EOF\n{noise}"),
            noise,
        ] {
            route(&line);
        }
    }
    // About two seconds in a debug build; anything worse than linear would take hours.
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
}

/// Any JSON.
pub(super) fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        r#"[ '"\\$`\n\t!{}\[\]|&;<>#*?~=EOF\r]{0,12}"#.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..5)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

/// Writes a text in each of the ways that an agent may.
pub(super) fn written(text: &str) -> Vec<String> {
    let mut double = String::new();
    for character in text.chars() {
        if "\"\\$`".contains(character) {
            double.push('\\');
        }
        double.push(character);
    }
    let escaped_in = |specials: &str| -> String {
        text.chars()
            .flat_map(|character| specials.contains(character).then_some('\\').into_iter().chain([character]))
            .collect()
    };
    vec![
        format!("AskUserQuestion '{}'", text.replace('\'', r"'\''")),
        format!("AskUserQuestion '{}'", text.replace('\'', r#"'"'"'"#)),
        format!("AskUserQuestion \"{double}\""),
        format!("AskUserQuestion $'{}'", escaped_in("'\\")),
        format!("AskUserQuestion <<'E O F'\n{text}\nE O F\n"),
        format!("AskUserQuestion <<EOF_\n{}\nEOF_\n", escaped_in("\\$`")),
        format!("AskUserQuestion \"$(cat <<'E O F'\n{text}\nE O F\n)\""),
    ]
}

proptest! {
    #[test]
    fn t13_any_json_comes_back_from_each_way_to_write_it(value in json()) {
        let text = value.to_string();
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        let mut lines = written(&text);
        lines.extend(written(&pretty));
        if text.starts_with(['{', '[']) {
            lines.push(format!("AskUserQuestion {text}"));
            lines.push(format!("AskUserQuestion {pretty} ;\n"));
        }
        for line in lines {
            prop_assert_eq!(
                route(&line),
                Route::AgentShell(AgentShell { env: Vec::new(), input: Ok(value.clone()) }),
                "{}", line
            );
        }
    }

    #[test]
    fn t13_no_text_makes_it_panic(noise in any::<String>(), marks in r#"[ '"\\$`\n(<EOFcat{}\[\]0-9x;#\r-]{0,40}"#) {
        for line in [
            noise.clone(),
            format!("AskUserQuestion {noise}"),
            format!("AskUserQuestion {marks}"),
            format!("AskUserQuestion <<EOF\n{marks}\nEOF"),
            format!("AskUserQuestion \"$(cat <<{marks}"),
            format!("A={marks} AskUserQuestion '{noise}'{marks}"),
        ] {
            route(&line).to_json();
        }
    }
}
