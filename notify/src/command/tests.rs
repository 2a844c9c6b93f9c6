//! A program gets what it needs, nothing of a shell, and not for ever.

use super::*;
use crate::minder::Why;

fn letter(title: &str) -> Letter {
    Letter {
        id: "n1".into(),
        why: Why::New,
        title: title.into(),
        text: "Deploy?".into(),
        choices: Vec::new(),
        link: None,
        token: None,
        asks: vec!["ask_1".into()],
    }
}

fn program(script: &str, time: Duration, closed: bool) -> Program {
    let command = ["sh", "-c", script].map(str::to_owned).to_vec();
    let environment = Environment::of(&[
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("ASKUSER_KEY", "secret"),
        ("HOME", "/h"),
    ]);
    Program::new(&CommandPart { command, closed, time }, &environment)
}

const LONG: Duration = Duration::from_secs(30);

#[tokio::test]
async fn it_is_told_on_standard_input_and_in_its_environment() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let script = format!("cat > {0}; env >> {0}; echo receipt-7; echo more", out.display());
    let hostile = "$(touch /nowhere); `id` '\"";
    let receipt = program(&script, LONG, true).send(&letter(hostile)).await.unwrap();
    assert_eq!(receipt, "receipt-7");
    let told = std::fs::read_to_string(&out).unwrap();
    let json: Value = serde_json::from_str(told.lines().next().unwrap()).unwrap();
    assert_eq!((json["title"].as_str(), json["why"].as_str()), (Some(hostile), Some("new")));
    assert!(told.contains(&format!("ASKUSER_TITLE={hostile}")) && told.contains("ASKUSER_NUDGE=new"));
    assert!(told.contains("HOME=/h") && !told.contains("secret"), "{told}");
}

#[tokio::test]
async fn it_is_told_of_the_end_only_where_it_wants_to() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let script = format!("echo \"$ASKUSER_NUDGE $ASKUSER_RECEIPT $ASKUSER_TEXT\" >> {}", out.display());
    let ended =
        Ended { ask: "ask_1".into(), status: "answered", text: "Answered by ann in the browser.".into() };
    program(&script, LONG, false).take_back("r", &ended).await.unwrap();
    assert!(!out.exists());
    program(&script, LONG, true).take_back("r", &ended).await.unwrap();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "closed r Answered by ann in the browser.\n");
}

#[tokio::test]
async fn what_fails_says_how_and_what_hangs_is_ended() {
    let why = async |script: &str, time: Duration| {
        let trouble = program(script, time, true).send(&letter("t")).await.unwrap_err();
        (trouble.again == super::super::carrier::Retry::Never, trouble.why.english)
    };
    assert_eq!(why("exit 3", LONG).await, (true, "sh failed (exit status: 3)".to_owned()));
    assert_eq!(why("exit 75", LONG).await, (false, "sh failed (exit status: 75)".to_owned()));
    let begun = std::time::Instant::now();
    let (_, told) = why("sleep 600", Duration::from_millis(100)).await;
    assert!(told.contains("was stopped after") && begun.elapsed() < Duration::from_secs(20));
    let nothing = Program {
        command: vec!["/nowhere/x".into()],
        closed: false,
        time_max: LONG,
        environment: Vec::new(),
    };
    assert!(nothing.send(&letter("t")).await.unwrap_err().why.english.contains("/nowhere/x"));
}
