//! Lines that were made to break the reader.

use std::time::Instant;

use serde_json::json;

use super::super::*;
use super::{ALL, calls, line, lines, person, returns, says, told};

/// P5: a broken line is named by its number, and nothing else is lost.
#[test]
fn p5_broken_lines_are_counted_and_named() {
    let deep = "[".repeat(100_000);
    let wrong = [
        "{",
        "null",
        "[]",
        "\"text\"",
        "{\"type\":\"user\"",
        "{\"a\":\"\\ud800\"}",
        deep.as_str(),
        "\u{0}",
        "{\"uuid\": 1e999}",
        "nonsense",
    ];
    let good = lines(&[person("One"), says("Two")]);
    let text = format!("\u{feff}{good}\n\n{}\n", wrong.join("\n"));
    let read = read(text.as_bytes(), ALL);
    assert_eq!(told(&read.messages), ["1 text: person: One", "1 text: Two"]);
    let numbers: Vec<usize> = read.left_out.broken.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (5..15).collect::<Vec<_>>());
    assert_eq!(read.left_out.broken[1].1, Broken::NotAnObject);
    let not_utf8 = super::read(b"{\"type\":\"text\",\"text\":\"\xff\"}\n", ALL);
    assert_eq!((not_utf8.messages.len(), not_utf8.left_out.n_broken), (0, 1));
    let many = super::read("{\n".repeat(1000).as_bytes(), ALL);
    assert_eq!((many.left_out.n_broken, many.left_out.broken.len()), (1000, BROKEN_NAMED_MAX));
}

#[test]
fn values_of_the_wrong_kind_say_nothing() {
    let odd = [
        json!({}),
        json!({"type": 7}),
        json!({"type": "user"}),
        json!({"type": "user", "message": 7}),
        json!({"type": "user", "message": {"content": {"type": "text"}}}),
        json!({"type": "user", "message": {"content": [null, 7, "x", [], {"type": []}]}}),
        json!({"type": "assistant", "message": {"content": [{"type": "text", "text": 7}]}}),
        json!({"type": "assistant", "message": {"content": [{"type": "text", "text": "   "}]}}),
        json!({"type": "system", "content": ["x"]}),
        json!({"type": "summary", "summary": 7}),
        json!({"type": "never heard of", "text": "x"}),
    ];
    let text: String = odd.iter().map(line).collect();
    let read = read(text.as_bytes(), ALL);
    assert_eq!((read.messages.len(), read.left_out.n_unknown, read.n_rounds), (0, odd.len(), 0));
    let odd = [
        json!({"type": "assistant", "message": {"content": [{"type": "tool_use"}]}}),
        json!({"type": "user", "message": {"content": [{"type": "tool_result", "content": 7}]}}),
        json!({"type": "user", "round": -1, "timestamp": "yesterday", "message": {"content": "x"}}),
    ];
    let text: String = odd.iter().map(line).collect();
    let read = super::read(text.as_bytes(), ALL);
    assert_eq!(told(&read.messages), ["1 tool_use:  None", "1 tool_result: ? 7", "2 text: person: x"]);
    assert_eq!(read.messages[2].at, None);
}

#[test]
fn a_chain_that_bites_its_tail_ends() {
    let mut text = String::new();
    for (uuid, parent) in [("a", "b"), ("b", "c"), ("c", "a"), ("d", "d")] {
        let mut line = says(uuid);
        (line["uuid"], line["parentUuid"]) = (uuid.into(), parent.into());
        text.push_str(&super::line(&line));
    }
    let read = read(text.as_bytes(), ALL);
    assert_eq!((read.messages.len(), read.left_out.n_abandoned), (1, 3));
    let circle = text.lines().take(3).collect::<Vec<_>>().join("\n");
    assert_eq!(super::read(circle.as_bytes(), ALL).messages.len(), 3);
}

#[test]
fn a_line_that_comes_again_is_told_once() {
    let text = lines(&[person("One"), says("Two")]);
    let read = read(text.repeat(3).as_bytes(), ALL);
    assert_eq!((read.messages.len(), read.left_out.n_again), (2, 4));
}

#[test]
fn long_texts_are_cut_and_say_so() {
    let long = "框".repeat(TEXT_BYTES_MAX);
    let text = lines(&[says(&long), calls("t", "Read", &json!({"x": long})), returns("t", &long)]);
    let read = read(text.as_bytes(), ALL);
    for message in &read.messages {
        assert!(message.said.bytes() <= TEXT_BYTES_MAX);
        assert!(message.cut_bytes > TEXT_BYTES_MAX, "{}", message.cut_bytes);
    }
    let ask = json!({"questions": [{"question": "Q?", "header": "Q", "multiSelect": false,
        "options": [{"label": "A", "description": ""}, {"label": "B", "description": ""}]}]});
    let mut result = returns("t", "");
    result["toolUseResult"] = json!({"answers": {"Q?": long}, "annotations": {"Q?": {"notes": long}}});
    let read = super::read(lines(&[calls("t", "ask_user", &ask), result]).as_bytes(), ALL);
    let Said::Ask(asked) = &read.messages[0].said else { unreachable!() };
    let answer = &asked.ended.as_ref().unwrap().outcome.answers.0[0];
    assert!(answer.text.as_ref().unwrap().len() <= TEXT_BYTES_MAX);
    assert!(answer.note.as_ref().unwrap().len() <= TEXT_BYTES_MAX);
    let picture = json!({"type": "user", "message": {"content": "x".repeat(9 * 1024 * 1024)}});
    let read = super::read(picture.to_string().as_bytes(), ALL);
    assert!(matches!(read.left_out.broken[..], [(1, Broken::TooLong(_))]));
}

/// A long file takes time in proportion: no step looks at all the others.
#[test]
fn many_lines_are_read_in_proportion_to_their_number() {
    let time = |n_lines: usize| {
        let mut text = String::new();
        for idx in 0..n_lines {
            // Every line names a parent that is not there, and a call that nobody answers.
            let call = json!({"type": "tool_use", "id": format!("t{idx}"), "name": "x",
                "uuid": format!("u{idx}"), "parentUuid": format!("p{idx}")});
            text.push_str(&line(&call));
        }
        let begun = Instant::now();
        let read = read(text.as_bytes(), Window { before: None, messages_max: 10, bytes_max: 1000 });
        assert_eq!((read.n_messages, read.messages.len()), (n_lines, 10));
        begun.elapsed()
    };
    let (few, many) = (time(2_000), time(40_000));
    assert!(many < few * 400, "{few:?} for 2 000 lines, {many:?} for 40 000");
}
