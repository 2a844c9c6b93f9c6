//! The terminal of the source document 003, section 2.10.2, to the letter: `--plain=list` (P14).

use serde_json::{Value, json};

use crate::asks::{ASKUSER, COMMAND, database, run, told};
use crate::home::TestHome;
use crate::stage::Setup;

/// The four functions of the document. The first says what the asker does once it is picked.
fn round(text: &str, running: Option<&str>) -> String {
    let option = |label: &str, about: &str| json!({"label": label, "description": about});
    let mut poem = option("背唐诗", "背诵一首经典唐诗");
    if let Some(running) = running {
        poem["running"] = running.into();
    }
    let options: Vec<Value> = vec![
        poem,
        option("讲笑话", "讲一个有趣的笑话"),
        option("输出笑脸图标", "输出一个笑脸表情"),
        option("再给一个多选框", "继续体验多轮对话"),
    ];
    json!({"session_id": "tang", "total_rounds": 3, "question_text": text, "type": "multiple_choice",
           "other": false, "options": options})
    .to_string()
}

/// Two rounds of one conversation, one call each, on one terminal.
fn two_rounds(first: &str, second: &str) -> Setup {
    let calls = r#""$0" ask --plain=list "$1" && "$0" ask --plain=list "$2""#;
    Setup::new("/bin/sh").arg("-c").arg(calls).arg(ASKUSER).arg(first).arg(second)
}

#[test]
fn p14_two_rounds_read_as_the_source_document_shows_them() {
    let home = TestHome::new();
    home.wakes();
    let (first, second) = (round("请选择一个功能", None), round("请再次选择一个功能", Some("背诵唐诗...")));
    let mut stage =
        two_rounds(&first, &second).var("ASKUSER_HOME", &home.data()).var("ASKUSER_LANG", "zh").start();
    stage.sees("Round 1/3: 请选择一个功能");
    stage.wait("the prompt", |screen| screen.ends_with("> "));
    stage.types("4\r");
    stage.sees("Round 2/3: 请再次选择一个功能");
    stage.wait("the prompt", |screen| screen.ends_with("> "));
    stage.types("1\r");
    let ended = stage.ends();
    assert_eq!(ended.code, 0, "{}", ended.screen);
    let expected = "
Round 1/3: 请选择一个功能
1) 背唐诗 - 背诵一首经典唐诗
2) 讲笑话 - 讲一个有趣的笑话
3) 输出笑脸图标 - 输出一个笑脸表情
4) 再给一个多选框 - 继续体验多轮对话

> 4

Round 2/3: 请再次选择一个功能
1) 背唐诗 - 背诵一首经典唐诗
   → 背诵唐诗...
2) 讲笑话 - 讲一个有趣的笑话
3) 输出笑脸图标 - 输出一个笑脸表情
4) 再给一个多选框 - 继续体验多轮对话

> 1

正在执行：背诵唐诗...";
    assert_eq!(ended.screen.trim_end(), expected);
    // The block of the document itself, line by line; it leaves out the options of its second round.
    let block = include_str!("../wire/documents/003-2.10.2-terminal.txt");
    let is_shown = |line: &&str| !line.is_empty() && !line.starts_with('[');
    let mut shown = expected.lines();
    for line in block.lines().skip(1).map(str::trim_end).filter(is_shown) {
        assert!(shown.any(|shown| shown == line), "{line}");
    }
    assert_eq!(ended.stdout.lines().count(), 2, "the answers and nothing else: {}", ended.stdout);
}

/// The same without a daemon, in the panel and in the box; and never more rounds than there are.
#[test]
fn p11_p14_what_the_asker_runs_is_told_when_the_answer_counts_and_no_round_is_4_of_3() {
    let second = round("请选择一个功能", Some("背诵唐诗..."));
    for (args, keys) in [(&["--plain=list"][..], "1\r"), (&["--plain"], "1\r"), (&[], "\r")] {
        let setup = args.iter().fold(Setup::new(ASKUSER).arg("ask"), |setup, arg| setup.arg(*arg));
        let mut stage = setup.arg(second.clone()).start();
        stage.sees("→ 背诵唐诗...");
        stage.looks().types(keys);
        let ended = stage.ends();
        assert_eq!(ended.code, 0, "{}", ended.screen);
        assert!(ended.screen.contains("Running: 背诵唐诗..."), "{args:?}: {}", ended.screen);
    }
    let home = TestHome::new();
    home.wakes();
    for number in 1..=3 {
        let asked = home.run(&["ask", "--patience", "1ms", &round(&format!("第{number}个？"), None)]);
        let open: Value = serde_json::from_slice(&asked.stdout).unwrap();
        home.prints(&["answer", open["ask_id"].as_str().unwrap(), "--pick", "讲笑话"]);
    }
    let mut stage = Setup::new(ASKUSER).arg("ask").arg("--plain=list").arg(round("还要？", None));
    stage = stage.var("ASKUSER_HOME", &home.data());
    let mut stage = stage.start();
    let screen = stage.sees("Round 4: 还要？");
    assert!(!screen.contains("4/3"), "{screen}");
    stage.types("1\r");
    assert_eq!(stage.ends().code, 0);
}

#[test]
fn p14_the_layout_is_chosen_by_an_option_or_by_the_environment() {
    let json = database();
    let by_variable = Setup::new(COMMAND).arg(json.clone()).var("ASKUSER_PLAIN", "list");
    for setup in [Setup::new(COMMAND).arg("--plain=list").arg(json.clone()), by_variable] {
        let mut stage = setup.start();
        let screen = stage.sees("0) Other (custom input)");
        assert!(screen.contains("Round 1: Which database?"), "{screen}");
        assert!(screen.contains("[Database]"), "{screen}");
        stage.types("0\r");
        stage.sees("Enter your answer: ");
        stage.types("mine\r");
        assert_eq!(stage.ends().stdout, "{\"answers\":{\"Database\":\"Other (custom: mine)\"}}\n");
    }
    let box_wins = Setup::new(COMMAND).arg("--plain=box").arg(json.clone()).var("ASKUSER_PLAIN", "list");
    let mut stage = box_wins.start();
    stage.sees("Enter number or 0 for custom:");
    stage.types("2\r");
    assert_eq!(stage.ends().code, 0);
    for (args, vars) in [(&["--plain=moon"][..], &[][..]), (&[], &[("ASKUSER_PLAIN", "moon")])] {
        let wrong = run(COMMAND, &[args, &[json.as_str()]].concat(), vars, "1\n");
        assert_eq!(wrong.status.code(), Some(1), "{}", told(&wrong));
        assert!(told(&wrong).contains("box or list"), "{}", told(&wrong));
    }
}
