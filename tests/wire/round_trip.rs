//! Nothing is lost: whatever was asked and answered, reading back what a dialect wrote gives the
//! same picks, texts and notes.

use std::collections::BTreeMap;
use std::sync::Arc;

use askuser_core::asker::Terms;
use askuser_core::draft::{
    Draft, DraftChoice, DraftFollowUps, DraftKind, DraftQuestion, Given, Other, TextRules,
};
use askuser_core::entry::Entry;
use askuser_core::format::Format;
use askuser_core::id::{ChoiceId, QuestionId, UserId};
use askuser_core::limits::Limits;
use askuser_core::outcome::{AnsweredBy, By, Channel, Ending, Outcome, Proof};
use askuser_core::question::{Kind, Preview, PreviewFormat, Question, Questions};
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;
use askuser_wire::{Dialect, read, read_reply, read_told, write};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Words that have done harm: separators, quotes, marks, things that look like them.
fn word() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("a"),
        Just("b"),
        Just(","),
        Just(", "),
        Just("\""),
        Just("\\"),
        Just(" "),
        Just("Other (custom: "),
        Just(")"),
        Just("question-0"),
        Just("框"),
        Just("👩‍👩‍👧"),
        Just("\\u0061"),
        Just("null"),
        Just("(skipped)"),
    ];
    prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat())
}

fn id() -> impl Strategy<Value = Given<String>> {
    prop_oneof![
        2 => Just(Given::Missing),
        1 => word().prop_map(Given::Value),
    ]
}

fn choice() -> impl Strategy<Value = DraftChoice> {
    (id(), word(), any::<bool>(), any::<bool>(), prop::option::of(word()), id()).prop_map(
        |(id, label, default, html, preview, running)| DraftChoice {
            id,
            label: Given::Value(label),
            default,
            preview: preview.map(|text| Preview {
                format: if html { PreviewFormat::Html } else { PreviewFormat::Markdown },
                text,
            }),
            running,
            ..DraftChoice::default()
        },
    )
}

fn kind() -> impl Strategy<Value = DraftKind> {
    prop_oneof![
        2 => Just(DraftKind::OneOf),
        4 => Just(DraftKind::SomeOf { min: None, max: None }),
        1 => Just(DraftKind::Text),
        1 => Just(DraftKind::YesNo),
    ]
}

fn question(deeper: bool) -> BoxedStrategy<DraftQuestion> {
    let follow_ups =
        if deeper { prop::option::of((0_usize..3, question(false))).boxed() } else { Just(None).boxed() };
    let words = (prop::option::of(word()), word(), id());
    let rules = (kind(), any::<bool>(), any::<bool>(), any::<bool>());
    let choices = prop::collection::vec(choice(), 1..4);
    (words, rules, choices, follow_ups)
        .prop_map(|((header, text, id), (kind, closed, optional, number), choices, follow)| {
            let opens = follow.and_then(|(choice_idx, question)| {
                let Given::Value(label) = &choices.get(choice_idx)?.label else {
                    return None;
                };
                let choice = if kind == DraftKind::YesNo { "yes".to_owned() } else { label.clone() };
                (kind != DraftKind::Text).then(|| DraftFollowUps {
                    choice,
                    at: String::new(),
                    questions: Given::Value(vec![question]),
                })
            });
            DraftQuestion {
                id,
                header: header.map_or(Given::Missing, Given::Value),
                text: Given::Value(text),
                kind: Given::Value(kind),
                choices: Given::Value(choices),
                other: if closed { Other::Closed } else { Other::Offered },
                required: Given::Value(!optional),
                text_rules: TextRules {
                    format: if number { Format::Integer { min: None, max: None } } else { Format::Any },
                    ..TextRules::default()
                },
                follow_ups: opens.into_iter().collect(),
                ..DraftQuestion::default()
            }
        })
        .boxed()
}

/// Any questions that may be asked at all.
fn questions() -> impl Strategy<Value = Questions> {
    prop::collection::vec(question(true), 1..4).prop_filter_map("not valid", |questions| {
        let draft = Draft { questions: Given::Value(questions), ..Draft::default() };
        draft.check(&Limits::FORM).ok()
    })
}

/// What a person may put down, as numbers that are folded onto what each question offers.
type Seeds = Vec<(u8, Option<String>, Option<String>)>;

fn seeds() -> impl Strategy<Value = Seeds> {
    let seed = (any::<u8>(), prop::option::of(word()), prop::option::of(word()));
    prop::collection::vec(seed, 8)
}

fn entry(question: &Question, seed: &(u8, Option<String>, Option<String>)) -> Entry {
    let (bits, text, note) = seed;
    let several = matches!(question.kind, Kind::SomeOf { .. });
    let mut picked: Vec<ChoiceId> = question
        .choices
        .iter()
        .enumerate()
        .filter(|(choice_idx, _)| bits & (1 << choice_idx) != 0)
        .map(|(_, choice)| choice.id.clone())
        .collect();
    let mut text = text.clone().filter(|_| question.free.is_some());
    if !several {
        picked.truncate(usize::from(text.is_none() || !question.takes_other()));
    }
    let numeric = question.free.as_ref().is_some_and(|free| free.format != Format::Any);
    if numeric {
        text = text.map(|_| bits.to_string());
    }
    Entry { picked, text, note: note.clone(), suggested: false }
}

fn answered(questions: &Questions, seeds: &Seeds) -> Outcome {
    let entries: Vec<(QuestionId, Entry)> = questions
        .all()
        .into_iter()
        .zip(seeds.iter().cycle())
        .map(|(question, seed)| (question.id.clone(), entry(question, seed)))
        .collect();
    let sheet = Sheet::filled(Arc::new(questions.clone()), entries).unwrap();
    Outcome {
        ending: Ending::Answered(AnsweredBy::Person),
        by: By::new(Some(UserId::from("local")), Channel::Terminal, Proof::Terminal),
        at: Timestamp(0),
        comment: None,
        answers: sheet.answers_so_far(),
        voices: Vec::new(),
    }
}

type Found = BTreeMap<String, (Vec<String>, Option<String>, Option<String>)>;

/// What a reader of this dialect must find. Where free text has no mark of its own, a text that is
/// a label (in a form: a value) word for word counts as that label; a form has no room for notes.
fn expected(dialect: Dialect, questions: &Questions, outcome: &Outcome) -> Found {
    let marked = matches!(
        dialect,
        Dialect::Command | Dialect::Push | Dialect::AskUser | Dialect::Vscode | Dialect::Full
    );
    let form = dialect == Dialect::Elicitation;
    let mut found = Found::new();
    for answer in &outcome.answers.0 {
        let question = questions.find(&answer.question).unwrap();
        let mut picked = answer.picked.clone();
        let mut text = answer.text.clone();
        let alike = question.choices.iter().find(|choice| {
            let name = if form { choice.id.as_str() } else { &choice.label };
            text.as_deref() == Some(name)
        });
        if let Some(choice) = alike.filter(|_| !marked) {
            text = None;
            picked.push(choice.id.clone());
        }
        let mut picked: Vec<String> = picked.iter().map(ToString::to_string).collect();
        picked.sort();
        picked.dedup();
        let note = answer.note.clone().filter(|_| !form);
        if !picked.is_empty() || text.is_some() || note.is_some() {
            found.insert(answer.question.to_string(), (picked, text, note));
        }
    }
    found
}

fn read_back(dialect: Dialect, questions: &Questions, reply: &Value) -> Found {
    let entries = read_reply(dialect, questions, reply).unwrap();
    entries
        .into_iter()
        .filter(|(_, entry)| *entry != Entry::default())
        .map(|(id, entry)| {
            let mut picked: Vec<String> = entry.picked.iter().map(ToString::to_string).collect();
            picked.sort();
            picked.dedup();
            (id.to_string(), (picked, entry.text, entry.note))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 2))]

    /// T7, T8, E2, P8, O1, O9: in every dialect, whatever the labels contain.
    #[test]
    fn t8_e2_reading_back_what_a_dialect_wrote_gives_the_same_picks_and_texts(
        questions in questions(),
        seeds in seeds(),
    ) {
        let outcome = answered(&questions, &seeds);
        for dialect in Dialect::ALL {
            let written = write(dialect, &questions, &Terms::default(), &outcome).to_string();
            let reply: Value = serde_json::from_str(&written).unwrap();
            let found = read_back(dialect, &questions, &reply);
            let wanted = expected(dialect, &questions, &outcome);
            prop_assert_eq!(found, wanted, "{}: {}", dialect.name(), written);
        }
    }

    #[test]
    fn our_own_json_of_questions_reads_back_without_loss(questions in questions()) {
        let written: Vec<Value> = questions.top().iter().map(askuser_wire::question::write).collect();
        let ask = json!({"dialect": "full", "questions": written});
        let again = read_told(&ask).unwrap();
        let told: Vec<Value> = again.top().iter().map(askuser_wire::question::write).collect();
        prop_assert_eq!(&told, &written);
        // Sent as an ask, its ids are the asker's.
        let asked = read(Dialect::Full, &ask).draft.check(&Limits::FORM).unwrap();
        let named = format!("{questions:?}").replace("named_by: Us", "named_by: Asker");
        prop_assert_eq!(format!("{asked:?}"), named);
    }
}
