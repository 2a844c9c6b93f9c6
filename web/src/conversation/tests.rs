//! Conversations as they are drawn, in both languages, with the worst that can be in them.

use askuser_core::outcome::{AnsweredBy, By, Channel, Ending, Outcome, Proof};
use askuser_words::Language;
use serde_json::{Value, json};

use super::*;
use askuser_wire::transcript::{Window, read};
use askuser_words::page::Page;

const NOW: Timestamp = Timestamp(1_794_740_400_000);
const ALL: Window = Window { before: None, messages_max: 1000, bytes_max: 1 << 24 };

fn messages(lines: &[Value]) -> Vec<Message> {
    let text: String = lines.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect();
    read(text.as_bytes(), ALL).messages
}

fn drawn(language: Language, messages: &[Message]) -> String {
    let talk =
        Talk { words: Page(language), now: NOW, messages, total: Some(3), source: Source::Session("ses_1") };
    talk.draw().into_string()
}

/// Returns what stands between two marks.
fn between<'a>(html: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, rest) = html.split_once(begin).unwrap_or_else(|| panic!("no {begin} in {html}"));
    rest.split_once(end).map_or(rest, |(inner, _)| inner)
}

fn every_kind(text: &str) -> Vec<Value> {
    let question = json!({"question": format!("Which {text}?"), "header": text, "multiSelect": true, "options": [
        {"label": format!("A{text}"), "description": text}, {"label": format!("B{text}"), "description": text}]});
    let said = |kind: &str| json!({"type": kind, "content": text, "timestamp": "2026-11-15T10:00:00.000Z"});
    vec![
        json!({"type": "user", "message": {"content": text}}),
        said("text"),
        said("thinking"),
        json!({"type": "tool_use", "id": "t1", "name": text, "input": {text: text}}),
        json!({"type": "tool_result", "tool_use_id": "t1", "content": text}),
        json!({"type": "tool_use", "id": "t2", "name": "Bash", "input": {}}),
        json!({"type": "tool_result", "tool_use_id": "t2", "is_error": true, "content": text}),
        json!({"type": "error", "error": text}),
        said("complete"),
        said("info"),
        json!({"type": "tool_use", "id": "q", "name": "AskUserQuestion", "input": {"questions": [question]},
            "timestamp": "2026-11-15T10:00:00.000Z"}),
        json!({"type": "user", "timestamp": "2026-11-15T10:00:42.000Z", "message": {"content": [
            {"type": "tool_result", "tool_use_id": "q", "content": "x"}]},
            "toolUseResult": {"answers": {format!("Which {text}?"): [format!("B{text}"), format!("own {text}")]},
                "annotations": {format!("Which {text}?"): {"notes": text}}, "response": text}}),
        json!({"type": "tool_use", "id": "r", "name": "ask_user", "input": {"questions": [question]}}),
    ]
}

/// P1, P18: each kind has its look; thinking is folded, results say whether they succeeded.
#[test]
fn p1_p18_every_kind_of_message_has_its_look() {
    let html = drawn(Language::English, &messages(&every_kind("x")));
    for class in [
        "msg text",
        "msg think",
        "msg tool",
        "msg result",
        "msg error",
        "msg complete",
        "msg info",
        "msg ask",
    ] {
        assert!(html.contains(&format!("class=\"{class}")), "{class} in {html}");
    }
    let think = between(&html, "<details class=\"msg think\"", ">");
    assert!(!think.contains("open"), "thinking is folded: {think}");
    assert!(html.contains("<details class=\"msg result\" open data-state=\"ok\"><summary>Result <code>x</code> · <span class=\"state\">succeeded"));
    assert!(html.contains("<details class=\"msg result\" open data-state=\"failed\"><summary>Result <code>Bash</code> · <span class=\"state\">failed"));
    assert!(html.contains("<code>{\n  &quot;x&quot;: &quot;x&quot;\n}</code>"), "pretty arguments: {html}");
    assert!(html.contains("<time datetime=\"2026-11-15T10:00:00.000Z\" data-as=\"clock\">"));
}

/// P18: an earlier question with all its options, what was chosen, where, and how long it took.
#[test]
fn p18_an_earlier_question_shows_all_its_options_and_what_was_chosen() {
    let html = drawn(Language::English, &messages(&every_kind("x")));
    let asked = between(&html, "<div class=\"msg ask closed\"", "<h2>");
    assert!(asked.contains("Answered in the agent's own dialog"), "{asked}");
    assert!(asked.contains("Answered in 42 s"), "{asked}");
    let options: Vec<&str> = asked.split("<li class=\"opt").skip(1).collect();
    assert_eq!(options.len(), 3, "two options and an own answer: {asked}");
    assert!(options[0].starts_with('"') && options[1].starts_with(" chosen") && options[2].contains("own x"));
    assert!(asked.contains("Note: x"));
    let messages = messages(&every_kind("x"));
    let file = Talk {
        words: Page(Language::English),
        now: NOW,
        messages: &messages,
        total: None,
        source: Source::File,
    };
    let html = file.draw().into_string();
    let last = html.rsplit("<div class=\"msg ask closed\"").next().unwrap();
    assert!(last.contains("Outcome unknown.") && !last.contains("selected"), "{last}");
}

/// P2: rounds have a heading and an address, in both languages, and each can be taken up again.
#[test]
fn p2_rounds_are_headed_numbered_and_can_be_gone_on_from() {
    let messages = messages(&every_kind("x"));
    let html = drawn(Language::Chinese, &messages);
    assert!(html.contains("<section class=\"round\" id=\"round-1\"><h2>第 1/3 轮</h2>"), "{html}");
    assert!(html.contains("<section class=\"round\" id=\"round-2\">"));
    assert!(html.contains("思考过程") && html.contains("成功") && html.contains("失败"));
    let form = between(&html, "<form class=\"go-on\"", "</form>");
    assert!(
        form.contains("action=\"/sessions/ses_1/restore\"") && form.contains("name=\"round\" value=\"1\"")
    );
    let talk = Talk {
        words: Page(Language::English),
        now: NOW,
        messages: &messages,
        total: None,
        source: Source::File,
    };
    let nav = talk.rounds().into_string();
    assert!(
        nav.contains("<a href=\"#round-1\"><b>Round 1</b><span class=\"dim\">x → Bx, own x</span></a>"),
        "{nav}"
    );
    assert!(!talk.draw().into_string().contains("<form"), "a transcript is not ours to go on with");
}

/// An address is there once, whatever a file says.
#[test]
fn rounds_that_come_back_have_one_address() {
    let line = |round: u32| json!({"type": "text", "content": "x", "round": round});
    let messages = messages(&[line(1), line(2), line(1)]);
    let html = drawn(Language::English, &messages);
    assert_eq!((html.matches("<section").count(), html.matches("id=\"round-1\"").count()), (3, 1));
}

const PAYLOADS: [&str; 12] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</pre></details><svg onload=alert(1)>",
    "javascript:alert(1)",
    "[x](javascript:alert(1))",
    "![x](https://evil.example/a.png)",
    "</section></main><form action=/sign-out>",
    "{{7*7}}${7*7}<%= 7*7 %>",
    "\u{202e}gnp.exe",
    "<!--",
    "]]><iframe src=//evil.example>",
];

/// Every field of a transcript is shown as it was written, and nothing in it acts.
#[test]
fn p18_hostile_text_in_every_field_is_only_text() {
    for payload in PAYLOADS {
        for language in [Language::English, Language::Chinese] {
            let messages = messages(&every_kind(payload));
            assert_eq!(messages.len(), 12, "{payload}");
            let html = drawn(language, &messages);
            for tag in [
                "<script",
                "<img",
                "<svg",
                "<iframe",
                "<form action",
                "<!--",
                "onerror=alert(1)>",
                "src=\"http",
            ] {
                assert!(!html.contains(tag), "{tag} of {payload} in {html}");
            }
            assert!(!html.contains("href=\"javascript:"), "{html}");
            assert!(!html.contains('\u{202e}'));
            let nav = Talk {
                words: Page(language),
                now: NOW,
                messages: &messages,
                total: None,
                source: Source::File,
            };
            assert!(!nav.rounds().into_string().contains(payload) || !payload.contains(['<', '"']));
        }
    }
}

#[test]
fn long_arguments_and_results_are_folded_and_cuts_are_told() {
    let long = "line\n".repeat(100);
    let huge = "x".repeat(200_000);
    let html = drawn(
        Language::English,
        &messages(&[
            json!({"type": "tool_use", "id": "t", "name": "Read", "input": {"limit": 5, "path": "src/a.rs", "text": long}}),
            json!({"type": "tool_result", "tool_use_id": "t", "content": huge}),
        ]),
    );
    assert!(html.contains("<details class=\"msg tool\" data-state=\"ok\">"), "folded");
    assert!(
        html.contains("<code>Read</code> <span class=\"dim\">src/a.rs</span> · <span"),
        "and what it is about"
    );
    assert!(html.contains("<details class=\"msg result\" data-state=\"ok\">"), "folded");
    assert!(html.contains("134464 more bytes not shown."));
}

/// P18: our own rounds say who, where, when and how long; an open one leads to its page.
#[test]
fn p18_our_own_rounds_say_who_answered_where_and_how_long_it_took() {
    let ask = json!({"questions": [{"question_id": "q", "question": "Which?", "type": "multiple_choice", "other": true,
        "options": [{"id": "a", "label": "Alpha"}, {"id": "b", "label": "Beta"}]}]});
    let questions = std::sync::Arc::new(askuser_wire::read_told(&ask).unwrap());
    let by = By::new(Some("ann".into()), Channel::Terminal, Proof::Terminal);
    let answer = askuser_core::answer::Answer {
        question: "q".into(),
        parent: None,
        picked: vec!["b".into()],
        text: None,
        note: None,
        skipped: false,
        collected: false,
    };
    let outcome = Outcome {
        ending: Ending::Answered(AnsweredBy::Person),
        by,
        at: Timestamp(NOW.0 - 60_000),
        comment: None,
        answers: Answers(vec![answer]),
        voices: Vec::new(),
    };
    let asked = |ended: Option<Outcome>| Message {
        uuid: String::new(),
        parent: None,
        at: Some(Timestamp(NOW.0 - 240_000)),
        round: 1,
        said: Said::Ask(Box::new(Asked {
            ask: Some(askuser_core::id::AskId(1)),
            questions: questions.clone(),
            ended: ended.map(Ended::from),
        })),
        cut_bytes: 0,
    };
    let html = drawn(Language::English, &[asked(Some(outcome))]);
    for said in [
        "Answered by ann in the terminal",
        "Answered in 3 min",
        "data-as=\"clock\">1 min ago</time>",
        "Alpha",
        "Beta",
    ] {
        assert!(html.contains(said), "{said} in {html}");
    }
    // What askuser itself says is in the reader's language; what others wrote is as they wrote it.
    let reasons = askuser_words::reasons::Reasons(Language::English);
    for (why, said) in
        [(reasons.agent_left(), "智能体已不再等待"), ("not before Monday", "not before Monday")]
    {
        let withdrawn = Outcome {
            ending: Ending::Withdrawn,
            by: By::new(None, Channel::Agent, Proof::Server),
            at: NOW,
            comment: Some(why.to_owned()),
            answers: Answers(Vec::new()),
            voices: Vec::new(),
        };
        let html = drawn(Language::Chinese, &[asked(Some(withdrawn))]);
        assert!(html.contains(&format!("<blockquote>{said}</blockquote>")), "{said} in {html}");
    }
    let notice = Message { said: Said::Notice(reasons.merged("try", "main")), ..asked(None) };
    assert!(drawn(Language::Chinese, &[notice]).contains("已把 `try` 合并到 `main`。"));
    let open = drawn(Language::English, &[asked(None)]);
    assert!(open.contains("Still waiting.") && open.contains("<a href=\"/asks/ask_"), "{open}");
}
