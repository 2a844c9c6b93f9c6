//! What `askuser answer --pick`, `--text` and `--note` name: a question by its key, header, id or number, an
//! option by its label, id or number, in any case. What names nothing is told what there is.

use std::sync::Arc;

use askuser_core::question::{Choice, Kind, NO, Question, Questions, YES};
use askuser_words::Language;
use askuser_words::naming::ByFlags;
use serde_json::{Map, Value, json};

use super::Answer;
use crate::cli::labels;
use askuser_ask::report::Report;

/// Makes the sheet of the flags.
pub fn body(questions: &Arc<Questions>, args: &Answer, language: Language) -> Result<Value, Report> {
    let said = ByFlags(language);
    let mut answers: Map<String, Value> = Map::new();
    for pick in &args.pick {
        let (question, choice) = picked(questions, pick, said)?;
        let entry = answers.entry(question.id.as_str()).or_insert_with(|| json!({ "selected": [] }));
        let selected = entry.get_mut("selected").and_then(Value::as_array_mut);
        selected.map(|list| list.push(choice.id.as_str().into())).unwrap_or_default();
    }
    for text in &args.text {
        let (question, text) = named(questions, text, said)?;
        let selected = if question.kind == Kind::Text { json!({}) } else { json!({ "selected": [] }) };
        let entry = answers.entry(question.id.as_str()).or_insert(selected);
        if let Some(fields) = entry.as_object_mut() {
            fields.insert("other".to_owned(), text.into());
        }
    }
    let mut notes = Map::new();
    for note in &args.note {
        let (question, note) = named(questions, note, said)?;
        notes.insert(question.id.as_str().to_owned(), note.into());
    }
    Ok(json!({"answers": answers, "notes": notes}))
}

/// Reads `QUESTION=OPTION`; an ask of one question needs no name for it.
fn picked<'a>(
    questions: &'a Questions,
    text: &'a str,
    said: ByFlags,
) -> Result<(&'a Question, &'a Choice), Report> {
    if let [only] = questions.all().as_slice()
        && let Some(choice) = choice(only, text)
    {
        return Ok((only, choice));
    }
    let (question, name) = match text.split_once('=') {
        Some((name, option)) => {
            (question(questions, name).ok_or_else(|| no_question(questions, name, said))?, option)
        }
        None => named(questions, text, said)?,
    };
    choice(question, name)
        .map(|choice| (question, choice))
        .ok_or_else(|| no_choice(questions, question, name, said))
}

/// Reads `QUESTION=VALUE`; an ask of one question needs no name for it.
fn named<'a>(
    questions: &'a Questions,
    text: &'a str,
    said: ByFlags,
) -> Result<(&'a Question, &'a str), Report> {
    let found = text.split_once('=').and_then(|(name, value)| Some((question(questions, name)?, value)));
    match (found, questions.all().as_slice()) {
        (Some(found), _) => Ok(found),
        (None, [only]) => Ok((only, text)),
        (None, _) => Err(no_question(questions, text.split_once('=').map_or(text, |(name, _)| name), said)),
    }
}

/// Finds a question by its key, its id, its header or its number.
fn question<'a>(questions: &'a Questions, name: &str) -> Option<&'a Question> {
    let keyed = questions.keyed();
    let all: Vec<(&Question, &str)> = keyed.iter().collect();
    let keys: Vec<&str> = all.iter().map(|(_, key)| *key).collect();
    let headers: Vec<&str> =
        all.iter().map(|(question, _)| question.header.as_deref().unwrap_or_default()).collect();
    let at = |place: usize| all.get(place).map(|(question, _)| *question);
    let by_name = || {
        let places = [&keys, &headers].map(|names| labels::in_any_case(name, names));
        places.into_iter().flatten().find_map(at)
    };
    // A number counts the questions that are asked first, as every surface does.
    let by_number = || {
        let number: usize = name.trim().trim_start_matches(['q', 'Q']).parse().ok()?;
        questions.top().get(number.checked_sub(1)?)
    };
    keyed.find(name).or_else(by_name).or_else(by_number)
}

/// Finds an option by its id, its label with or without "(Recommended)", or its number.
fn choice<'a>(question: &'a Question, name: &str) -> Option<&'a Choice> {
    let of = |read: fn(&'a Choice) -> &'a str| question.choices.iter().map(read).collect::<Vec<&str>>();
    let names = [of(|choice| choice.id.as_str()), of(|choice| &choice.label), of(Choice::shown_label)];
    let exact = || names.iter().find_map(|names| names.iter().position(|known| *known == name));
    let yes_or_no = || {
        let yes = labels::yes_or_no(name).filter(|_| question.kind == Kind::YesNo)?;
        question.choices.iter().position(|choice| choice.id.as_str() == if yes { YES } else { NO })
    };
    let in_any_case = || names.iter().find_map(|names| labels::in_any_case(name, names));
    let by_number = || names.last().and_then(|labels| labels::find(name, labels));
    let place = exact().or_else(yes_or_no).or_else(in_any_case).or_else(by_number)?;
    question.choices.get(place)
}

fn no_question(questions: &Questions, name: &str, said: ByFlags) -> Report {
    let keyed = questions.keyed();
    let keys: Vec<&str> = keyed.iter().map(|(_, key)| key).collect();
    let hint = said.questions(keys.join(said.0.words().comma()));
    Report::wrong_input(said.no_question(name), Some(&hint))
}

fn no_choice(questions: &Questions, question: &Question, name: &str, said: ByFlags) -> Report {
    let key = questions.keyed().key_of(question).unwrap_or_default().to_owned();
    if question.kind == Kind::Text {
        let hint = said.use_text(&key);
        return Report::wrong_input(said.no_options(key), Some(&hint));
    }
    let labels: Vec<&str> = question.choices.iter().map(Choice::shown_label).collect();
    let listed = labels::listed(&labels);
    let hint = if question.takes_other() { said.options_or_text(listed) } else { said.options(listed) };
    Report::wrong_input(said.no_option(name, key), Some(&hint))
}

#[cfg(test)]
mod tests {
    use super::super::tests::args;
    use super::*;
    use askuser_wire::read_told;

    fn asked(questions: &Value) -> Arc<Questions> {
        Arc::new(read_told(&json!({ "questions": questions })).unwrap())
    }

    fn two() -> Arc<Questions> {
        asked(&json!([
            {"question_id": "r4q1", "generated_id": true, "header": "Auth", "question": "Which?", "type": "checkbox",
             "options": [{"id": "a", "label": "OAuth 2.0 (Recommended)"}, {"id": "b", "label": "JWT"}]},
            {"question_id": "q2", "question": "Why?", "type": "text"},
            {"question_id": "r4q3", "generated_id": true, "question": "Sure?", "type": "boolean"},
        ]))
    }

    #[test]
    fn flags_become_a_sheet() {
        let given = args(&[
            "ask_1",
            "--pick",
            "auth=jwt",
            "--pick",
            "Auth=oauth 2.0",
            "--text",
            "r4q1=c",
            "--text",
            "q2=x=y",
            "--note",
            "2=n",
            "--pick",
            "q3=Y",
        ]);
        assert_eq!(
            body(&two(), &given, Language::English).unwrap(),
            json!({"answers": {"r4q1": {"selected": ["b", "a"], "other": "c"}, "q2": {"other": "x=y"},
                "r4q3": {"selected": ["yes"]}}, "notes": {"q2": "n"}})
        );
    }

    #[test]
    fn a_question_goes_by_key_header_id_or_number_and_an_option_too() {
        for pick in ["Auth=b", "AUTH=B", "1=JWT", "q1=2", "r4q1=jwt", " auth =JWT"] {
            let body = body(&two(), &args(&["--pick", pick]), Language::English).unwrap();
            assert_eq!(body["answers"], json!({"r4q1": {"selected": ["b"]}}), "{pick}");
        }
        for (pick, id) in
            [("y", "yes"), ("Yes", "yes"), ("1", "yes"), ("NO", "no"), ("2", "no"), ("否", "no")]
        {
            let one = asked(&json!([{"question_id": "ship", "question": "Ship it?", "type": "boolean"}]));
            for pick in [pick.to_owned(), format!("ship={pick}"), format!("1={pick}")] {
                let body = body(&one, &args(&["--pick", &pick]), Language::English).unwrap();
                assert_eq!(body["answers"], json!({"ship": {"selected": [id]}}), "{pick}");
            }
        }
    }

    #[test]
    fn an_option_with_an_equals_sign_is_an_option() {
        let one = asked(&json!([{"question_id": "q", "question": "Which?", "type": "multiple_choice",
            "options": [{"id": "1", "label": "a=b"}]}]));
        assert_eq!(
            body(&one, &args(&["--pick", "a=b"]), Language::English).unwrap()["answers"],
            json!({"q": {"selected": ["1"]}})
        );
        let text = asked(&json!([{"question_id": "q", "question": "What?", "type": "text"}]));
        assert_eq!(
            body(&text, &args(&["--text", "a=b"]), Language::English).unwrap()["answers"],
            json!({"q": {"other": "a=b"}})
        );
    }

    #[test]
    fn what_names_nothing_is_told_what_there_is() {
        let said = |pick: &str| {
            format!("{:?}", body(&two(), &args(&["--pick", pick]), Language::English).unwrap_err())
        };
        let questions = "the questions are Auth, q2, q3";
        assert!(said("q9=a").contains("no question matches `q9`") && said("q9=a").contains(questions));
        assert!(said("jwt").contains(questions), "{}", said("jwt"));
        let wrong = said("auth=sql");
        assert!(wrong.contains("`sql` is not an option of Auth"), "{wrong}");
        assert!(wrong.contains("options: 1 OAuth 2.0 · 2 JWT; --text"), "{wrong}");
        assert!(said("q2=x").contains("it asks for text"), "{}", said("q2=x"));
        let one = asked(&json!([{"question_id": "deploy", "question": "Deploy?", "type": "boolean"}]));
        let wrong =
            format!("{:?}", body(&one, &args(&["--pick", "depl=yes"]), Language::English).unwrap_err());
        assert!(wrong.contains("no question matches `depl`") && wrong.contains("deploy"), "{wrong}");
    }
}
