//! What the source documents promise, with the real programs.

use serde_json::{Value, json};

use crate::asks::{database, told};
use crate::home::TestHome;

/// P8: a server that was started with `ASKUSER_LANG=zh` answers in Chinese whoever names no language.
#[test]
fn p8_the_servers_language_is_that_of_its_environment() {
    let home = TestHome::new();
    let asking = ["ask", "--where", "desk", "--patience", "1s", &database()];
    let asked = home.run_with(&[("ASKUSER_LANG", "zh")], &asking);
    assert_eq!(asked.status.code(), Some(5), "{}", told(&asked));
    let missing = home.run(&["show", "ask_00000000000000000000000001"]);
    assert!(told(&missing).contains("问题不存在"), "{}", told(&missing));
    // Whoever names one reads that.
    let missing = home.run_with(&[("ASKUSER_LANG", "en")], &["show", "ask_00000000000000000000000001"]);
    assert!(!told(&missing).contains("问题不存在"), "{}", told(&missing));
}

/// E4: `metadata.source` is in the audit, its exports and the statistics, and not in the list or the question.
#[test]
fn e4_the_source_of_an_ask_is_counted() {
    let home = TestHome::new();
    let mut asking: Value = serde_json::from_str(&database()).unwrap();
    asking["metadata"] = json!({"source": "remember-this"});
    let (mut ask, id) = home.asks(&[&asking.to_string()]);
    for args in [&["list"][..], &["show", &id]] {
        assert!(!home.prints(args).contains("remember-this"), "{args:?}");
    }
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    assert_eq!(ask.ends(), 0);
    for args in [&["audit", "--export", "csv"][..], &["audit", "--export", "jsonl"], &["stats"]] {
        assert!(home.prints(args).contains("remember-this"), "{args:?}");
    }
}
