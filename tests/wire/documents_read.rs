//! The inputs of the source documents, as they stand there, through the code that reads them.

use askuser_core::asker::TimeoutPolicy;
use askuser_core::id::SessionId;
use askuser_core::limits::Limits;
use askuser_core::outcome::CancelStatus;
use askuser_core::question::Questions;
use askuser_core::time::Timestamp;
use askuser_wire::session::SessionNames;
use askuser_wire::transcript::{self, Said, Window};
use askuser_wire::{self as wire, Dialect, answers, tool};
use serde_json::{Value, json};

use crate::literals::{declared, keys, literal};

const CALL: &str = include_str!("documents/000-example-call.sh");

fn example() -> Value {
    let json = CALL.split_once('\'').unwrap().1.rsplit_once('\'').unwrap().0;
    serde_json::from_str(json).unwrap()
}

fn strict_faults(ask: &Value) -> Vec<String> {
    let problems = wire::read_strictly(ask, Limits::COMMAND).check().err().unwrap_or_default();
    problems.iter().map(wire::zod::line).collect()
}

#[track_caller]
fn asked(dialect: Dialect, ask: &Value) -> Questions {
    assert_eq!(wire::recognise(ask), dialect, "{ask}");
    wire::read(dialect, ask).check().unwrap_or_else(|problems| panic!("{problems:?} in {ask}")).0
}

/// The first question in the push form.
fn pushed(questions: &Questions) -> Value {
    let session = SessionNames { id: SessionId(1), given: Some("s") };
    let envelope = wire::push::Envelope { session, tool_use_id: None, context: None, at: Timestamp(0) };
    wire::push::push_form(&questions.top()[0], envelope)
}

/// 000 数据结构 (T2): every declared field is there in the example, and demanded.
#[test]
fn t2_every_field_that_000_declares_is_demanded() {
    let input = include_str!("documents/000-command-input.ts");
    let question = include_str!("documents/000-question.ts");
    let option = include_str!("documents/000-question-option.ts");
    assert_eq!(strict_faults(&example()), [""; 0]);
    for (block, opens, at, path) in [
        (input, "AskUserQuestionInput", "", ""),
        (question, "interface Question", "/questions/0", "questions[0]."),
        (option, "QuestionOption", "/questions/0/options/0", "questions[0].options[0]."),
    ] {
        for field in declared(block, opens) {
            let mut ask = example();
            let removed = ask.pointer_mut(at).unwrap().as_object_mut().unwrap().remove(&field);
            assert!(removed.is_some(), "{field}");
            assert_eq!(strict_faults(&ask), [format!("- {path}{field}: Required")]);
        }
    }
}

/// 000 Zod Schema (T2): each bound of the schema is ours, tried at its edge.
#[test]
fn t2_every_bound_of_the_schema_of_000_holds_at_its_edge() {
    let schema = include_str!("documents/000-zod-schema.ts");
    let mut n_tried = 0;
    for line in schema.lines().filter(|line| line.contains(".max(")) {
        let (field, rule) = line.trim().split_once(": ").unwrap();
        let max: usize = rule.split_once(".max(").unwrap().1.split(')').next().unwrap().parse().unwrap();
        let min: usize = rule.split_once(".min(").unwrap().1.split(')').next().unwrap().parse().unwrap();
        let (at, path) = match field {
            "questions" => ("", ""),
            "label" | "description" => ("/questions/0/options/0", "questions[0].options[0]."),
            _ => ("/questions/0", "questions[0]."),
        };
        let sized = |size: usize| {
            let mut ask = example();
            let place = ask.pointer_mut(at).unwrap().get_mut(field).unwrap();
            *place = match place.take() {
                Value::String(_) => "选".repeat(size).into(),
                Value::Array(items) => (0..size).map(|idx| different(&items[0], idx)).collect(),
                other => panic!("{other}"),
            };
            strict_faults(&ask)
        };
        let what = if rule.starts_with("z.string") { ("String", "character") } else { ("Array", "element") };
        let told = |bound: &str, n: usize| {
            vec![format!("- {path}{field}: {} must contain at {bound} {n} {}(s)", what.0, what.1)]
        };
        assert_eq!((sized(min), sized(max)), (vec![], vec![]), "{line}");
        assert_eq!((sized(min - 1), sized(max + 1)), (told("least", min), told("most", max)), "{line}");
        n_tried += 1;
    }
    assert_eq!(n_tried, 6);
}

/// The same question or option again, under words of its own.
fn different(item: &Value, idx: usize) -> Value {
    let mut item = item.clone();
    for key in ["label", "header", "question"] {
        if let Some(text) = item.get_mut(key) {
            *text = format!("{key} {idx}").into();
        }
    }
    item
}

/// 001 Question 结构 (E3, E4): what has no question mark is demanded, what has one is not.
#[test]
fn e3_e4_the_structure_of_001_is_what_the_event_protocol_reads() {
    let block = include_str!("documents/001-question-structure.ts");
    let option = |label: &str| json!({"label": label, "description": "d"});
    let question =
        json!({"question": "Q?", "header": "H", "options": [option("A"), option("B")], "multiSelect": false});
    let ask = json!({"agentId": "a", "questions": [question], "metadata": {"source": "remember"}});
    for (opens, at) in
        [("interface Question", "/questions/0"), ("interface Option", "/questions/0/options/1")]
    {
        for field in declared(block, opens) {
            let mut ask = ask.clone();
            assert!(
                ask.pointer_mut(at).unwrap().as_object_mut().unwrap().remove(&field).is_some(),
                "{field}"
            );
            let optional = block.contains(&format!("{field}?:"));
            assert_eq!(wire::read(Dialect::Events, &ask).check().is_ok(), optional, "{field}");
        }
    }
    assert_eq!(declared(block, "interface Metadata"), keys(&ask["metadata"]));
    let (_, terms) = wire::read(Dialect::Events, &ask).check().unwrap();
    assert_eq!(terms.metadata.as_deref(), Some(r#"{"source":"remember"}"#));
}

/// 001 使用示例 (E3): both examples are asked.
#[test]
fn e3_the_examples_of_001_are_asked() {
    let block = include_str!("documents/001-usage-examples.js");
    for (title, n_options, several) in [("# 技术选型", 3, false), ("# 多选配置", 4, true)] {
        let ask = json!({"agentId": "a", "questions": literal(block, title)});
        let questions = asked(Dialect::Events, &ask);
        assert_eq!(questions.top()[0].choices.len(), n_options);
        let written = wire::question::write(&questions.top()[0]);
        assert_eq!(written["type"] == "checkbox", several);
    }
}

/// 002 3.1.1 (D2, P6): the push form tells every field of the three classes, and takes it.
#[test]
fn d2_p6_the_push_form_has_the_fields_of_002() {
    let block = include_str!("documents/002-3.1.1-question-data.py");
    let follow_up = json!({"question_id": "f", "question_text": "F?", "type": "checkbox", "options": [{"id": "x", "label": "X"}]});
    let question = json!({
        "question_id": "q", "question_text": "Q?", "type": "multiple_choice",
        "options": [{"id": "a", "label": "A"}], "follow_up_questions": {"a": [follow_up]},
    });
    let questions = asked(Dialect::Push, &question);
    let pushed = pushed(&questions);
    let told = &pushed["question"];
    let check = |opens: &str, told: &Value| {
        let mut expected = declared(block, opens);
        expected.retain(|name| !keys(told).contains(name));
        assert_eq!(expected, [""; 0], "{opens} {told}");
    };
    check("class AskUserQuestion:", told);
    check("class QuestionOption:", &told["options"][0]);
    check("class FollowUpQuestion:", &told["follow_up_questions"]["a"][0]);
    // Its defaults are ours.
    assert_eq!((&told["required"], &told["header"]), (&json!(true), &Value::Null));
    assert_eq!(
        (&told["options"][0]["default"], &told["options"][0]["description"]),
        (&json!(false), &Value::Null)
    );
}

/// 002 5.1.2 (P6): the fields that its renderer looks at are read, with its defaults.
#[test]
fn p6_the_fields_of_the_renderer_of_002_are_read() {
    let block = include_str!("documents/002-5.1.2-message-renderer.js");
    let fields = declared(block, "const input = message.input;\n        return {");
    assert_eq!(
        fields,
        ["question_id", "header", "question_text", "type", "options", "multiSelect", "required"]
    );
    let mut input = json!({
        "question_id": "q", "header": "H", "question_text": "Q?", "type": "checkbox",
        "options": [{"id": "a", "label": "A"}], "multiSelect": true, "required": false,
    });
    let question = asked(Dialect::Push, &input).top()[0].clone();
    let written = wire::question::write(&question);
    for (field, told) in [("question_id", "question_id"), ("header", "header"), ("question_text", "question")]
    {
        assert_eq!(input[field], written[told]);
    }
    assert_eq!((&written["type"], &written["required"]), (&json!("checkbox"), &json!(false)));
    for field in ["type", "multiSelect", "required", "header"] {
        input.as_object_mut().unwrap().remove(field);
    }
    let written = wire::question::write(&asked(Dialect::Push, &input).top()[0]);
    assert_eq!((&written["type"], &written["required"]), (&json!("multiple_choice"), &json!(true)));
}

/// 002 5.2.1 (D3, P6): its names of the tool are ours, and its message has nothing that the push form lacks.
#[test]
fn d3_p6_the_tool_call_of_002_is_known() {
    let block = include_str!("documents/002-5.2.1-tool-call.py");
    let names = block.split_once("tool_name_lower in (").unwrap().1.split(')').next().unwrap();
    for name in names.split(", ").map(|name| name.trim_matches('"')) {
        assert!(tool::is_ours(name), "{name}");
    }
    let sent = block.split_once("_send_sse_message({").unwrap().1;
    let sent =
        sent.lines().filter_map(|line| Some(line.trim().split_once("':")?.0.trim_matches('\'').to_owned()));
    let questions = asked(Dialect::Push, &json!({"question_text": "Q?", "type": "text"}));
    let pushed = pushed(&questions);
    let sent: Vec<String> = sent.collect();
    assert_eq!(sent, ["type", "question", "question_id", "session_id"]);
    assert!(sent.iter().all(|key| keys(&pushed).contains(key)), "{pushed}");
    assert_eq!(pushed["type"], "ask_user_question");
}

/// 002 11.1 and 11.2 (D2, P8): the questions of its test cases are asked, and its answers fit, by id or label.
#[test]
fn d2_p8_the_test_cases_of_002_hold() {
    let unit = include_str!("documents/002-11.1-unit-tests.py");
    let (first, second) = unit.split_once("def test_multi_choice_question").unwrap();
    for (block, said, ids) in
        [(first, json!("选项1"), json!(["opt1"])), (second, json!(["A", "C"]), json!(["A", "C"]))]
    {
        assert!(block.contains(&format!(
            "return_value={}",
            said.to_string().replace('"', "'").replace("','", "', '")
        )));
        let questions = asked(Dialect::Push, &literal(block, "question_data ="));
        let entry = answers::read_answer_to_the_letter(&questions.top()[0], &said).unwrap();
        let picked: Vec<&str> = entry.picked.iter().map(askuser_core::id::ChoiceId::as_str).collect();
        assert_eq!(json!(picked), ids);
    }
    let steps = literal(include_str!("documents/002-11.2-integration-test.py"), "conversation_steps =");
    assert_eq!(steps.as_array().unwrap().len(), 2);
    for step in steps.as_array().unwrap() {
        let questions = asked(Dialect::Push, &step["input"]);
        let entry =
            answers::read_answer_to_the_letter(&questions.top()[0], &step["expected_output"]).unwrap();
        assert_eq!(entry.picked[0].as_str(), step["expected_output"]);
    }
}

/// 003 2.3.3 (P5): the chain reads as a transcript, and each of its calls as an ask. The document leaves out the
/// inputs, and a brace of its first line.
#[test]
fn p5_the_chain_of_003_is_a_transcript_and_its_calls_are_asks() {
    let call: Value = serde_json::from_str(include_str!("documents/003-2.3.1-tool-call.json")).unwrap();
    let block = include_str!("documents/003-2.3.3-chain.jsonl");
    let input = call["content"][0]["input"].to_string();
    let filled = block.replacen('\n', "}\n", 1).replace("\"input\": {...}", &format!("\"input\": {input}"));
    let filled = filled.replace(
        "\"toolUseResult\": {...}",
        "\"toolUseResult\": {\"answers\": {\"请选择一个功能\": \"再给一个多选框\"}}",
    );
    let read =
        transcript::read(filled.as_bytes(), Window { before: None, messages_max: 100, bytes_max: 1 << 20 });
    assert_eq!(read.left_out, transcript::LeftOut::default());
    let told: Vec<(&str, &str)> =
        read.messages.iter().map(|message| (message.uuid.as_str(), message.said.kind())).collect();
    assert_eq!(
        told,
        [
            ("msg_001", "text"),
            ("msg_002", "ask_user_question"),
            ("msg_004", "text"),
            ("msg_005", "ask_user_question")
        ]
    );
    let Said::Ask(first) = &read.messages[1].said else { panic!("{:?}", read.messages[1]) };
    assert_eq!(first.ended.as_ref().unwrap().outcome.answers.0[0].text.as_deref(), Some("再给一个多选框"));
    for (line, id) in [(1, "call_function_8kherxj202p7_1"), (4, "call_function_nkxnxhd9vtmk_1")] {
        let line: Value = serde_json::from_str(filled.lines().nth(line).unwrap()).unwrap();
        assert_eq!(wire::recognise(&line), Dialect::TranscriptLine);
        let (_, terms) = wire::read(Dialect::TranscriptLine, &line).check().unwrap();
        assert_eq!(terms.tool_use.as_deref(), Some(id));
    }
}

/// 003 4.3 (P7): its follow-ups, in a question that offers their option. The document has a remark in its JSON
/// and leaves out the options.
#[test]
fn p7_the_follow_ups_of_003_are_asked_under_their_option() {
    let block = include_str!("documents/003-4.3-follow-ups.json");
    let lines: Vec<&str> = block.lines().map(|line| line.split("//").next().unwrap()).collect();
    let body = lines.join("\n").replace("[...]", r#"[{"id": "google", "label": "Google"}]"#);
    let question = format!(
        r#"{{"question_text": "Q?", "type": "multiple_choice", "options": [{{"id": "oauth2", "label": "OAuth 2.0"}}], {body}}}"#
    );
    let questions = asked(Dialect::Push, &serde_json::from_str(&question).unwrap());
    let opened = &questions.top()[0].choices[0].follow_ups;
    assert_eq!((opened.len(), opened[0].id.as_str()), (1, "oauth_providers"));
}

/// 003 4.2.2 (P8): the form of an answer for each type is the one that we say is expected.
#[test]
fn p8_the_answer_formats_of_003_are_those_that_are_expected() {
    let block = include_str!("documents/003-4.2.2-answer-formats.txt");
    let mut n_types = 0;
    for line in block.lines().skip(1) {
        let (kind, form) = line.trim_start_matches("- ").split_once(": ").unwrap();
        let form = form.rsplit_once('(').unwrap().1.trim_end_matches(')');
        let json_type = [("字符串", "string"), ("字符串数组", "array"), ("布尔值", "boolean")];
        let json_type = json_type.iter().find(|(word, _)| *word == form).unwrap().1;
        let question = json!({"question_text": "Q?", "type": kind, "options": [{"id": "a", "label": "A"}]});
        let expected = answers::expected(&asked(Dialect::Push, &question).top()[0]);
        assert_eq!((&expected["type"], &expected["answer"]), (&json!(kind), &json!(json_type)));
        n_types += 1;
    }
    assert_eq!(n_types, 4);
}

/// 004 (O3): each option of `askUser`, with each of its words.
#[test]
fn o3_the_options_of_ask_user_are_read_with_each_word() {
    let block = include_str!("documents/004-ask-user-options.js");
    let words = |name: &str| -> Vec<String> {
        let line = block.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line.split('"').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let (policies, statuses) = (words("onTimeout"), words("cancelStatus"));
    assert_eq!((policies.len(), statuses.len(), block.contains("  timeoutMs,")), (2, 2, true));
    for policy in &policies {
        for status in &statuses {
            let ask = json!({"type": "ask_user", "questions": [{"question": "Q?", "type": "text"}], "timeoutMs": 5000, "onTimeout": policy, "cancelStatus": status});
            let (_, terms) = wire::read(Dialect::AskUser, &ask).check().unwrap();
            assert_eq!(terms.policy, TimeoutPolicy::parse(policy));
            assert_eq!(terms.timeout.unwrap().as_millis(), 5000);
            assert_eq!(terms.cancel_status == CancelStatus::Timeout, status == "timeout");
        }
    }
}
