//! What Markdown looks like in a terminal, and that nothing of it is lost on the way.

use proptest::prelude::*;

use super::*;
use crate::width::width;

fn marked(text: &str, columns: usize) -> String {
    lines(text, columns, Ink::Styled).iter().map(Line::marked).collect::<Vec<_>>().join("\n")
}

fn plain(text: &str, columns: usize, ink: Ink) -> String {
    lines(text, columns, ink).iter().map(Line::text).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(marked(text, 40), expected, "{text}");
}

const REPORT: &str = "\
# Move the orders

The table has **40 million** rows; `ALTER TABLE` takes *some* minutes.
See [the plan](https://example.org/plan \"draft\") and <https://example.org>.

1. Copy in batches
   - at night
   - with `pg_repack`
1. Switch over

> Keep the old table
> for a week.

```sql
SELECT count(*)
FROM orders;
```

| Step | Minutes | 备注 |
|---|---:|---|
| Copy | 40 | 夜间执行 |
| Switch | 1 | *short* lock |

---
```diff
--- a/db.rs
+++ b/db.rs
@@ -1,2 +1,2 @@
-old();
+new();
 same();
```
";

#[test]
fn m20_a_report_is_drawn_at_every_width() {
    let mut parts: Vec<String> =
        [120, 80, 60, 40, 24].map(|columns| plain(REPORT, columns, Ink::Styled)).into();
    parts.push(marked(REPORT, 80));
    parts.push(plain(REPORT, 60, Ink::Plain));
    parts.push(plain(REPORT, 60, Ink::Spoken));
    insta::assert_snapshot!("report", parts.join("\n\n════════\n\n"));
}

#[test]
fn what_is_only_text_stays_as_it_was() {
    check("One.\nTwo.\n\nThree.", "One.\nTwo.\n\nThree.");
    check("src/\n  main.rs\n  lib/\n    a.rs", "src/\n  main.rs\n  lib/\n    a.rs");
    check("snake_case, 2 * 3 * 4, a < b", "snake_case, 2 * 3 * 4, a < b");
    check("5. five\n9. nine", "‹dim:5. ›five\n‹dim:9. ›nine");
    check("07) seven", "‹dim:07. ›seven");
    check("", "");
}

#[test]
fn what_markdown_would_swallow_is_shown_as_it_was_written() {
    check("a <!-- not b --> c", "a <!-- not b --> c");
    check("<script>\nrm()\n</script>", "<script>\nrm()\n</script>");
    check("[a]: https://evil.example \"t\"", "‹dim:[a]: https://evil.example \"t\"›");
    check("Read [a].\n\n[a]: /x\n[a]: /y", "Read a‹dim: (/x)›.\n‹dim:[a]: /x›\n‹dim:[a]: /y›");
    check("|a|\n|-|\n|b|c|", "‹strong:a›\n‹dim:─›\nb\n‹dim:|c|›");
    check("![alt](/pic.png)", "alt‹dim: (/pic.png)›");
    check("[](/nowhere)", "‹dim:(/nowhere)›");
    check("```sh rm -rf\nls\n```", "‹dim:▏ ›‹dim:sh rm -rf›\n‹dim:▏ ›ls");
    check("~~not~~ this", "~~not~~ this");
}

#[test]
fn d10_nothing_acts_on_the_terminal_however_it_is_written() {
    check("\u{1b}[2J **&#27;[2J** &#x202e;x", "␛[2J ‹strong:␛[2J› \u{fffd}x");
    check("```\n\u{1b}[2J\u{9b}1m\n```", "‹dim:▏ ›␛[2J\u{fffd}1m");
    check("[x](<\u{1b}]0;t\u{7}>)", "x‹dim: (␛]0;t␇)›");
}

#[test]
fn a_diff_is_coloured_with_and_without_a_fence() {
    let diff = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    let drawn = marked(diff, 40);
    assert!(drawn.contains("‹bad:-a›") && drawn.contains("‹good:+b›"), "{drawn}");
    assert!(drawn.contains("‹accent:@@ -1 +1 @@›"), "{drawn}");
    assert!(marked("- a\n+ b", 40).contains("• "), "two lists are no diff");
    assert!(marked("    --- a\n    +++ b\n    @@ -1 +1 @@\n    -x", 40).contains("‹bad:-x›"));
}

#[test]
fn deep_nesting_leaves_room_for_the_text_and_keeps_every_number() {
    let drawn = plain(&format!("{}deep", "> ".repeat(30)), 40, Ink::Styled);
    assert!(drawn.ends_with("deep") && drawn.starts_with("┃ ┃ "), "{drawn}");
    let drawn = plain("123456789. 987654321. 111222333. words", 40, Ink::Styled);
    assert_eq!(drawn, "123456789. 987654321. 111222333.\n                      words");
}

#[test]
fn without_styles_code_keeps_its_backticks_and_nothing_is_written_but_letters() {
    assert_eq!(printed("# T\n**b** `c`", 40, None), "T\nb `c`\n");
    let look = Look { colour: true, reflow: true };
    assert_eq!(printed("**b** `c`", 40, Some(look)), "\u{1b}[1mb\u{1b}[0m \u{1b}[35mc\u{1b}[0m\n");
    let look = Look { colour: false, reflow: true };
    assert_eq!(printed("**b** *e*", 40, Some(look)), "\u{1b}[1mb\u{1b}[0m \u{1b}[1me\u{1b}[0m\n");
}

#[test]
fn a_text_that_is_too_large_is_shown_as_it_is() {
    let many = format!("|{}\n|{}\n{}", "a|".repeat(300), "-|".repeat(300), "|b|\n".repeat(300));
    assert!(plain(&many, 80, Ink::Styled).contains("|a|a|"));
}

fn any_markdown() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-z]{1,8}",
        "\\PC{1,12}",
        Just("# ".to_owned()),
        Just("> ".to_owned()),
        Just("- ".to_owned()),
        Just("12. ".to_owned()),
        Just("```".to_owned()),
        Just("    ".to_owned()),
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("|".to_owned()),
        Just("|-|-|\n".to_owned()),
        Just("**".to_owned()),
        Just("_".to_owned()),
        Just("`".to_owned()),
        Just("[x](y)".to_owned()),
        Just("[x]: y".to_owned()),
        Just("[".to_owned()),
        Just("](".to_owned()),
        Just("]: ".to_owned()),
        Just("<b>".to_owned()),
        Just("<!--".to_owned()),
        Just("-->".to_owned()),
        Just("&#27;".to_owned()),
        Just("\\".to_owned()),
        Just("\t".to_owned()),
        Just("你好".to_owned()),
        Just("\u{1b}[2J".to_owned()),
    ];
    prop::collection::vec(word, 0..30).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Every line fits, nothing acts on the terminal, and every word of the text can be read.
    #[test]
    fn d10_any_markdown_fits_and_nothing_of_it_is_lost(
        text in any_markdown(),
        columns in 1..100_usize,
        ink in prop::sample::select(vec![Ink::Styled, Ink::Plain, Ink::Spoken]),
    ) {
        for line in lines(&text, columns, ink) {
            let text = line.text();
            prop_assert!(width(&text) <= columns.max(2), "{columns}: {text:?}");
            prop_assert!(!text.chars().any(char::is_control), "{text:?}");
        }
        let drawn = plain(&text, 400, ink);
        let written = shown(&text).replace("&#27;", " ");
        for word in written.split(|letter: char| !letter.is_ascii_lowercase()).filter(|word| word.len() > 1) {
            prop_assert!(drawn.contains(word), "{word:?} of {text:?} is not in\n{drawn}");
        }
        prop_assert!(!text.contains("你好") || drawn.contains("你好"), "{drawn}");
    }
}
