//! Transcripts as programs write them, and as nobody should.

mod asked;
mod hostile;
mod own;

use serde_json::{Value, json};

use super::*;

const ALL: Window = Window { before: None, messages_max: 10_000, bytes_max: 64 * 1024 * 1024 };

/// Writes lines, each linked to the one before it unless it says otherwise.
fn lines(entries: &[Value]) -> String {
    let mut text = String::new();
    for (idx, entry) in entries.iter().enumerate() {
        let mut entry = entry.clone();
        let fields = entry.as_object_mut().unwrap();
        fields.entry("uuid").or_insert_with(|| format!("m{idx}").into());
        let parent = idx.checked_sub(1).map(|before| format!("m{before}"));
        fields.entry("parentUuid").or_insert_with(|| json!(parent));
        text.push_str(&line(&entry));
    }
    text
}

fn line(entry: &Value) -> String {
    format!("{entry}\n")
}

fn person(text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": text}})
}

fn agent(block: &Value) -> Value {
    json!({"type": "assistant", "message": {"role": "assistant", "content": [block]}})
}

fn says(text: &str) -> Value {
    agent(&json!({"type": "text", "text": text}))
}

fn calls(id: &str, name: &str, input: &Value) -> Value {
    agent(&json!({"type": "tool_use", "id": id, "name": name, "input": input}))
}

fn returns(id: &str, text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": id, "content": text}]}})
}

/// Tells messages in a line each: round, kind, words.
fn told(messages: &[Message]) -> Vec<String> {
    let words = |said: &Said| match said {
        Said::Text { by: Speaker::Person, text } => format!("person: {text}"),
        Said::Text { text, .. }
        | Said::Thinking(text)
        | Said::Error(text)
        | Said::Complete(text)
        | Said::Notice(text) => text.clone(),
        Said::ToolUse { name, succeeded, .. } => format!("{name} {succeeded:?}"),
        Said::ToolResult { name, text, is_error } => {
            format!("{} {}{text}", name.as_deref().unwrap_or("?"), if *is_error { "failed: " } else { "" })
        }
        Said::Ask(asked) => {
            let answers = asked.ended.iter().flat_map(|ended| &ended.outcome.answers.0);
            let answers: Vec<String> = answers
                .map(|answer| {
                    let picked = answer.picked.iter().map(|id| {
                        asked.questions.find(&answer.question).unwrap().choice(id).unwrap().label.clone()
                    });
                    picked.chain(answer.text.clone()).collect::<Vec<_>>().join("+")
                })
                .collect();
            let ending = asked.ended.as_ref().map(|ended| format!("{:?}", ended.outcome.ending));
            format!("{} -> {} {answers:?}", asked.questions.top()[0].text, ending.unwrap_or_default())
        }
    };
    messages
        .iter()
        .map(|message| format!("{} {}: {}", message.round, message.said.kind(), words(&message.said)))
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) -> Transcript {
    let read = read(text.as_bytes(), ALL);
    assert_eq!(told(&read.messages), expected);
    read
}

/// P1, P18: every kind is told apart, thinking included; results know their call.
#[test]
fn p1_every_kind_of_message_is_told_apart() {
    let text = lines(&[
        person("Fix the login"),
        agent(&json!({"type": "thinking", "thinking": "Where is it?", "signature": "x"})),
        says("I look at it."),
        calls("t1", "Read", &json!({"file_path": "src/auth.rs"})),
        returns("t1", "fn login() {}"),
        calls("t2", "Bash", &json!({"command": "false"})),
        json!({"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t2", "is_error": true,
             "content": [{"type": "text", "text": "exit 1"}, {"type": "image", "source": {"media_type": "image/png"}}]}]}}),
        json!({"type": "system", "subtype": "local_command", "content": "Compacted", "level": "info"}),
        json!({"type": "assistant", "isApiErrorMessage": true, "message": {"role": "assistant",
            "content": [{"type": "text", "text": "API Error: 529"}]}}),
        json!({"type": "result", "subtype": "success", "is_error": false, "result": "Done."}),
        json!({"type": "result", "subtype": "error_max_turns", "is_error": true}),
    ]);
    let read = check(
        &text,
        &[
            "1 text: person: Fix the login",
            "1 thinking: Where is it?",
            "1 text: I look at it.",
            "1 tool_use: Read Some(true)",
            "1 tool_result: Read fn login() {}",
            "1 tool_use: Bash Some(false)",
            "1 tool_result: Bash failed: exit 1\n[image/png]",
            "1 info: Compacted",
            "1 error: API Error: 529",
            "1 complete: Done.",
            "1 error: error_max_turns",
        ],
    );
    assert_eq!((read.n_messages, read.n_rounds, read.first), (11, 1, 0));
    assert_eq!(read.left_out, LeftOut::default());
    let Said::ToolUse { input, .. } = &read.messages[3].said else { unreachable!() };
    assert_eq!(input, "{\n  \"file_path\": \"src/auth.rs\"\n}");
    assert_eq!((read.messages[1].uuid.as_str(), read.messages[1].parent.as_deref()), ("m1", Some("m0")));
}

/// P1: the kinds as lines of their own, without a message around them.
#[test]
fn p1_kinds_may_stand_alone() {
    let kinds = [
        json!({"type": "text", "content": "a"}),
        json!({"type": "thinking", "content": "b"}),
        json!({"type": "tool_use", "id": "t", "name": "Read", "input": {}}),
        json!({"type": "tool_result", "tool_use_id": "t", "content": "c"}),
        json!({"type": "error", "error": "d"}),
        json!({"type": "complete", "content": "e"}),
        json!({"type": "info", "message": "f"}),
        json!({"type": "ask_user_question", "tool_use_id": "u", "question": {
            "question_id": "q", "question_text": "Sure?", "type": "multiple_choice",
            "options": [{"id": "a", "label": "Yes"}, {"id": "b", "label": "No"}]}}),
    ];
    let text = kinds.iter().map(line).collect::<String>().replace('\n', "\r\n");
    check(
        &text,
        &[
            "1 text: a",
            "1 thinking: b",
            "1 tool_use: Read Some(true)",
            "1 tool_result: Read c",
            "1 error: d",
            "1 complete: e",
            "1 info: f",
            "1 ask_user_question: Sure? ->  []",
        ],
    );
}

/// P5: what was left behind and what helpers said is told, and not mixed in.
#[test]
fn p5_the_chain_leads_through_the_conversation_that_was_gone_on_with() {
    let text = lines(&[
        person("One"),
        says("Old answer"),
        json!({"type": "user", "parentUuid": "m1", "message": {"role": "user", "content": "Old way"}}),
        json!({"type": "assistant", "isSidechain": true, "parentUuid": null,
            "message": {"role": "assistant", "content": [{"type": "text", "text": "A helper"}]}}),
        json!({"type": "user", "parentUuid": "m0", "message": {"role": "user", "content": "New way"}}),
        json!({"type": "file-history-snapshot", "uuid": null, "snapshot": {}}),
        json!({"type": "attachment", "uuid": "x", "parentUuid": "m4"}),
        json!({"type": "assistant", "parentUuid": "x",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "New answer"}]}}),
        json!({"type": "summary", "uuid": null, "summary": "Two ways", "leafUuid": "m7"}),
    ]);
    let read = check(&text, &["1 text: person: One", "2 text: person: New way", "2 text: New answer"]);
    let LeftOut { n_abandoned, n_aside, n_unknown, .. } = read.left_out;
    assert_eq!((n_abandoned, n_aside, n_unknown), (2, 1, 3));
    assert_eq!(read.title.as_deref(), Some("Two ways"));
}

/// Tools that run at once are written beside the chain: the results hang on their own calls.
#[test]
fn p5_calls_that_run_at_once_all_belong_to_the_conversation() {
    let part = |uuid: &str, parent: &str, id: &str| {
        json!({"type": "assistant", "uuid": uuid, "parentUuid": parent, "message": {"id": "msg_1",
            "role": "assistant", "content": [{"type": "tool_use", "id": id, "name": id, "input": {}}]}})
    };
    let result = |uuid: &str, parent: &str, id: &str| {
        let mut line = returns(id, "ok");
        line["uuid"] = uuid.into();
        line["parentUuid"] = parent.into();
        line
    };
    let text = lines(&[
        person("Go"),
        part("a1", "m0", "t1"),
        part("a2", "a1", "t2"),
        part("a3", "a1", "t3"),
        result("u1", "a1", "t1"),
        result("u3", "a3", "t3"),
        result("u2", "a2", "t2"),
        json!({"type": "assistant", "parentUuid": "u2", "message": {"id": "msg_2", "role": "assistant",
            "content": "Done"}}),
    ]);
    let read = check(
        &text,
        &[
            "1 text: person: Go",
            "1 tool_use: t1 Some(true)",
            "1 tool_use: t2 Some(true)",
            "1 tool_use: t3 Some(true)",
            "1 tool_result: t1 ok",
            "1 tool_result: t3 ok",
            "1 tool_result: t2 ok",
            "1 text: Done",
        ],
    );
    assert_eq!(read.left_out, LeftOut::default());
}

/// P2: the chain keeps the order, whatever order the lines are in.
#[test]
fn p2_the_chain_keeps_the_order() {
    let text = lines(&[person("One"), says("Two"), says("Three"), says("Four")]);
    let mut shuffled: Vec<&str> = text.lines().collect();
    shuffled.swap(1, 2);
    check(&shuffled.join("\n"), &["1 text: person: One", "1 text: Two", "1 text: Three", "1 text: Four"]);
}

#[test]
fn a_conversation_that_was_made_shorter_keeps_its_past() {
    let text = lines(&[
        person("One"),
        says("Two"),
        json!({"type": "system", "parentUuid": null, "logicalParentUuid": "m1",
            "subtype": "compact_boundary", "content": "Conversation compacted"}),
        json!({"type": "user", "isCompactSummary": true, "message": {"role": "user", "content": "So far: …"}}),
        says("Three"),
    ]);
    check(
        &text,
        &[
            "1 text: person: One",
            "1 text: Two",
            "1 info: Conversation compacted",
            "1 info: So far: …",
            "1 text: Three",
        ],
    );
}

#[test]
fn a_helpers_own_file_is_a_conversation() {
    let mut entries = [person("Search"), says("Found")];
    for entry in &mut entries {
        entry["isSidechain"] = true.into();
    }
    let read = check(&lines(&entries), &["1 text: person: Search", "1 text: Found"]);
    assert_eq!(read.left_out.n_aside, 0);
}

#[test]
fn what_the_program_says_in_the_persons_place_is_not_theirs() {
    let text = lines(&[
        json!({"type": "user", "isMeta": true, "message": {"role": "user", "content": "Caveat: …"}}),
        person("<command-name>/clear</command-name>"),
        person("[Request interrupted by user]"),
    ]);
    check(
        &text,
        &[
            "1 info: Caveat: …",
            "1 info: <command-name>/clear</command-name>",
            "1 info: [Request interrupted by user]",
        ],
    );
}

/// The last messages are kept, and those before a position where one is named.
#[test]
fn a_window_shows_a_part_and_counts_the_rest() {
    let entries: Vec<Value> = (0..100).map(|idx| says(&format!("{idx:010}"))).collect();
    let text = lines(&entries);
    let seen = |before, messages_max, bytes_max| {
        let read = read(text.as_bytes(), Window { before, messages_max, bytes_max });
        assert_eq!(read.n_messages, 100);
        (read.first, read.messages.len())
    };
    assert_eq!(seen(None, 10, 10_000), (90, 10));
    assert_eq!(seen(Some(90), 10, 10_000), (80, 10));
    assert_eq!(seen(Some(5), 10, 10_000), (0, 5));
    assert_eq!(seen(None, 1000, 55), (95, 5));
    assert_eq!(seen(None, 1000, 0), (99, 1));
    assert_eq!(seen(None, 0, 0), (99, 1));
    assert_eq!(seen(Some(0), 10, 10_000), (0, 0));
}
