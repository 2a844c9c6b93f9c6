//! Questions in a transcript, and what became of them.

use askuser_core::outcome::{AnsweredBy, Channel, Ending};
use serde_json::{Value, json};

use super::super::*;
use super::{ALL, calls, check, lines, person, returns, says};

fn features() -> Value {
    json!({"questions": [{"question": "请选择一个功能", "header": "选择功能", "multiSelect": true, "options": [
        {"label": "背唐诗", "description": "背诵一首经典唐诗"},
        {"label": "讲笑话", "description": "讲一个有趣的笑话"},
        {"label": "输出笑脸图标", "description": "输出一个笑脸表情"}]}]})
}

/// Returns how the one question ended that was asked and got this result.
fn ended(input: &Value, result: Value) -> Option<Ended> {
    let read = read(lines(&[calls("t", "AskUserQuestion", input), result]).as_bytes(), ALL);
    let Said::Ask(asked) = &read.messages[0].said else { panic!("no question: {:?}", read.messages) };
    assert_eq!(read.messages.len(), if asked.ended.is_some() { 1 } else { 2 });
    asked.ended.clone()
}

fn with(mut result: Value, kept: Value) -> Value {
    result["toolUseResult"] = kept;
    result["timestamp"] = "2026-02-19T10:00:00.000Z".into();
    result
}

fn picked(ended: &Ended) -> Vec<String> {
    let words = |answer: &askuser_core::answer::Answer| {
        let picked = answer.picked.iter().map(ToString::to_string);
        picked.chain(answer.text.clone()).chain(answer.note.clone()).collect::<Vec<_>>().join("+")
    };
    ended.outcome.answers.0.iter().map(words).collect()
}

/// P1, P2, P5: the chain of the source document: two rounds, each with its own answer.
#[test]
fn p5_the_chain_of_the_source_document_is_two_rounds() {
    let again = "再给一个多选框还是这些选项（我想了解多次对话这个过程）";
    let answered = format!(
        "User has answered your questions: \"请选择一个功能\"=\"{again}\". You can now continue with the user's answers in mind."
    );
    let text = lines(&[
        person("使用ask_user_question工具，给我弹一个多选对话框..."),
        calls("call_1", "AskUserQuestion", &features()),
        returns("call_1", &answered),
        says("好的，你选择了第二个选项。让我再弹出一个同样的多选对话框。"),
        calls("call_2", "ask_user_question", &features()),
        with(returns("call_2", "…"), json!({"answers": {"请选择一个功能": "背唐诗, 讲笑话"}})),
        says("床前明月光"),
    ]);
    let read = check(
        &text,
        &[
            "1 text: person: 使用ask_user_question工具，给我弹一个多选对话框...",
            &format!("1 ask_user_question: 请选择一个功能 -> Answered(AgentDialog) [\"{again}\"]"),
            "2 text: 好的，你选择了第二个选项。让我再弹出一个同样的多选对话框。",
            "2 ask_user_question: 请选择一个功能 -> Answered(AgentDialog) [\"背唐诗+讲笑话\"]",
            "3 text: 床前明月光",
        ],
    );
    let Said::Ask(asked) = &read.messages[3].said else { unreachable!() };
    assert_eq!(asked.questions.top()[0].choices.len(), 3, "all its options");
    let ended = asked.ended.as_ref().unwrap();
    assert_eq!((&ended.outcome.by.user, &ended.outcome.by.channel), (&None, &Channel::AgentDialog));
    assert!(ended.timed);
}

/// The document's own lines: one of them has lost a brace, and the rest is told all the same.
#[test]
fn p5_a_broken_line_in_the_chain_hides_nothing_before_it() {
    let text = lines(&[person("One"), says("Two"), says("Three")]);
    let broken: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(idx, line)| if idx == 1 { line[..line.len() - 1].to_owned() } else { line.to_owned() })
        .collect();
    let read = check(&broken.join("\n"), &["1 text: person: One", "1 text: Three"]);
    assert_eq!((read.left_out.n_broken, read.left_out.broken[0].0), (1, 2));
}

#[test]
fn d3_every_name_of_the_tool_is_the_question() {
    for name in ["AskUserQuestion", "ask_user_question", "ASKUSER", "ask_user", "mcp__askuser__ask_user"] {
        let read = read(lines(&[calls("t", name, &features())]).as_bytes(), ALL);
        assert_eq!(read.messages[0].said.kind(), "ask_user_question", "{name}");
    }
    for (name, input) in [("Read", features()), ("AskUserQuestion", json!({"questions": "x"}))] {
        let read = read(lines(&[calls("t", name, &input)]).as_bytes(), ALL);
        assert_eq!(read.messages[0].said.kind(), "tool_use", "{name}");
    }
}

#[test]
fn answers_come_as_texts_lists_and_sentences() {
    let kept = |answers: Value| with(returns("t", ""), json!({"answers": {"请选择一个功能": answers}}));
    let check = |result: Value, expected: &str| {
        let ended = ended(&features(), result).unwrap();
        assert_eq!(ended.outcome.ending, Ending::Answered(AnsweredBy::AgentDialog));
        assert_eq!(picked(&ended), [expected]);
    };
    check(kept(json!("讲笑话")), "2");
    check(kept(json!(["背唐诗", "讲笑话"])), "1+2");
    check(kept(json!("背唐诗, 写代码")), "1+写代码");
    let sentence =
        |rest: &str| returns("t", &format!("Your questions have been answered: \"请选择一个功能\"={rest}"));
    check(sentence("\"讲笑话\". You can now continue with these answers in mind."), "2");
    check(sentence("\"讲笑话\" (note: 快). You can now continue"), "2");
    check(sentence("\"say \"hi\"\""), "say \"hi\"");
    check(sentence("\"say \\\"hi\\\"\n\". You can now continue"), "say \"hi\"\n");
    let noted =
        json!({"answers": {"请选择一个功能": "讲笑话"}, "annotations": {"请选择一个功能": {"notes": "快"}}});
    check(with(returns("t", ""), noted), "2+快");
}

#[test]
fn two_questions_in_one_sentence_are_told_apart() {
    let input = json!({"questions": [
        {"question": "Which?", "header": "W", "multiSelect": false, "options": [{"label": "A", "description": ""}, {"label": "B", "description": ""}]},
        {"question": "Why?", "header": "Y", "multiSelect": false, "options": [{"label": "C", "description": ""}, {"label": "D", "description": ""}]}]});
    let text = "User has answered your questions: \"Which?\"=\"A\", \"Why?\"=\"because, \"so\"\". You can now continue";
    assert_eq!(picked(&ended(&input, returns("t", text)).unwrap()), ["1", "because, \"so\""]);
    let one = "User has answered your questions: \"Why?\"=\"D\". You can now continue";
    let ended = ended(&input, returns("t", one)).unwrap();
    assert_eq!(picked(&ended), ["", "2"]);
    assert!(ended.outcome.answers.0[0].skipped && !ended.outcome.answers.0[1].skipped);
}

/// Invariant 5: a person is never spoken for. What the result does not tell stays unknown.
#[test]
fn other_endings_are_told_as_they_were_and_no_answer_is_made_up() {
    let failed = |text: &str, kept: Value| {
        let mut result = with(returns("t", text), kept);
        result["message"]["content"][0]["is_error"] = true.into();
        ended(&features(), result)
    };
    let no = failed(
        "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nask me later",
        json!("User rejected tool use"),
    )
    .unwrap();
    assert_eq!((no.outcome.ending, no.outcome.comment.as_deref()), (Ending::Declined, Some("ask me later")));
    assert!(no.outcome.answers.0.iter().all(|answer| answer.skipped));
    let expired =
        ended(&features(), with(returns("t", "…"), json!({"answers": {}, "afkTimeoutMs": 60000}))).unwrap();
    assert!(matches!(expired.outcome.ending, Ending::Expired { .. }));
    let chat =
        ended(&features(), with(returns("t", "…"), json!({"answers": {}, "response": "why?"}))).unwrap();
    assert_eq!(chat.outcome.comment.as_deref(), Some("why?"));
    assert_eq!(failed("InputValidationError: …", json!("Error: …")), None);
    assert_eq!(ended(&features(), returns("t", "")), None);
    assert_eq!(ended(&features(), returns("t", "something else")), None);
    assert_eq!(ended(&features(), returns("other", "…")), None);
}
