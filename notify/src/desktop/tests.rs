//! A desktop with a `notify-send` of its own.

use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::minder::Why;

#[tokio::test]
async fn a_desktop_is_told_and_told_again_when_it_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let (program, out) = (folder.path().join("notify-send"), folder.path().join("out"));
    std::fs::write(&program, format!("#!/bin/sh\nprintf '%s|' \"$@\" >> {}\necho 42\n", out.display()))
        .unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = folder.path().display().to_string();
    assert!(Desktop::new(&Environment::of(&[("PATH", &path)])).is_err(), "no screen, no desktop");
    let mut desktop = Desktop::new(&Environment::of(&[("PATH", &path), ("DISPLAY", ":0")])).unwrap();
    // Found by its whole name: a test must not change where this process looks for programs.
    let command = vec![program.display().to_string(), "--print-id".to_owned()];
    let part = CommandPart { command, closed: true, time: TIME_MAX };
    desktop.program = Program::new(&part, &Environment::of(&[("PATH", &path)]));
    let letter = Letter {
        id: "n1".into(),
        why: Why::New,
        title: "--help".into(),
        text: "Deploy?".into(),
        choices: Vec::new(),
        link: None,
        token: None,
        asks: Vec::new(),
    };
    let receipt = desktop.send(&letter).await.unwrap();
    let ended = Ended { ask: "ask_1".into(), status: "answered", text: "Answered.".into() };
    desktop.take_back(&receipt, &ended).await.unwrap();
    desktop.take_back("not a number", &ended).await.unwrap();
    let told = std::fs::read_to_string(&out).unwrap();
    assert_eq!(
        told,
        "--print-id|--|--help|Deploy?|--print-id|--replace-id=42|--expire-time=3000|--|askuser|Answered.|"
    );
}
