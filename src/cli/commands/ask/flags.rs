//! A question in words, as our own dialect has it: from there it goes the way of every ask.

use askuser_words::Language;
use askuser_words::naming::{AskedByFlags, ByFlags};
use serde_json::{Map, Value, json};

use crate::cli::args::{Word, Words};
use crate::cli::labels;
use askuser_ask::report::Report;

/// Makes an ask of questions in words. `alone` is the one that stands by itself on the command line.
pub(super) fn ask(alone: Option<&str>, words: &Words, language: Language) -> Result<Value, Report> {
    let said = AskedByFlags(language);
    let mut questions: Vec<Phrase> = alone.map(Phrase::new).into_iter().collect();
    if words.behind {
        return Err(Report::wrong_input(said.comes_first(), Some(said.comes_first_how())));
    }
    if alone.is_none() && !words.first.is_empty() {
        return Err(Report::wrong_input(said.no_question(), Some(said.no_question_how())));
    }
    let mut context = None;
    for word in words.first.iter().chain(&words.more) {
        match (word, questions.last_mut()) {
            (Word::Question(text), _) => questions.push(Phrase::new(text)),
            (Word::Context(text), _) if context.is_none() => context = Some(text.as_str()),
            (Word::Context(_), _) => return Err(twice("context", said)),
            (word, Some(question)) => question.take(word, said)?,
            (_, None) => {}
        }
    }
    let mut questions: Vec<Value> =
        questions.iter().map(|question| question.json(said).map(Value::Object)).collect::<Result<_, _>>()?;
    // One question stands by itself, so that faults name its fields and no list that nobody wrote.
    let mut ask = match questions.len() {
        1 => questions.remove(0),
        _ => json!({ "questions": questions }),
    };
    if let Some(context) = context {
        ask["context"] = context.into();
    }
    Ok(ask)
}

/// One question, as far as it was said.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
struct Phrase<'a> {
    text: &'a str,
    offered: Vec<Offered<'a>>,
    multi: bool,
    no_other: bool,
    wants_text: bool,
    secret: bool,
    header: Option<&'a str>,
    description: Option<&'a str>,
    defaults: Vec<&'a str>,
    recommended: Vec<&'a str>,
}

struct Offered<'a> {
    label: &'a str,
    description: Option<&'a str>,
}

impl<'a> Offered<'a> {
    /// Reads `Label` or `Label: description`.
    fn read(text: &'a str) -> Self {
        match text.split_once(": ") {
            Some((label, description)) if !label.trim().is_empty() && !description.trim().is_empty() => {
                Self { label: label.trim(), description: Some(description.trim()) }
            }
            _ => Self { label: text.trim(), description: None },
        }
    }
}

impl<'a> Phrase<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, ..Self::default() }
    }

    fn take(&mut self, word: &'a Word, said: AskedByFlags) -> Result<(), Report> {
        let once = |place: &mut Option<&'a str>, text: &'a str, name: &str| match place.replace(text) {
            Some(_) => Err(twice(name, said)),
            None => Ok(()),
        };
        match word {
            Word::Offer(text) => self.offered.push(Offered::read(text)),
            Word::Multi => self.multi = true,
            Word::NoOther => self.no_other = true,
            Word::Text => self.wants_text = true,
            Word::Secret => self.secret = true,
            Word::Header(text) => once(&mut self.header, text, "header")?,
            Word::Describe(text) => once(&mut self.description, text, "describe")?,
            Word::Default(text) => self.defaults.push(text),
            Word::Recommend(text) => self.recommended.push(text),
            Word::Question(_) | Word::Context(_) => {}
        }
        Ok(())
    }

    fn json(&self, said: AskedByFlags) -> Result<Map<String, Value>, Report> {
        let mut fields = Map::new();
        fields.insert("question".to_owned(), self.text.into());
        for (key, text) in [("header", self.header), ("description", self.description)] {
            text.map(|text| fields.insert(key.to_owned(), text.into()));
        }
        if self.secret {
            fields.insert("secret".to_owned(), true.into());
        }
        if self.offered.is_empty() {
            self.without_options(&mut fields, said)?;
        } else {
            self.with_options(&mut fields, said)?;
        }
        Ok(fields)
    }

    fn with_options(&self, fields: &mut Map<String, Value>, said: AskedByFlags) -> Result<(), Report> {
        if self.wants_text {
            return Err(self.wrong(said.text_or_options(), said.leave_one_out(), said));
        }
        if self.defaults.len() > 1 && !self.multi {
            return Err(self.wrong(said.one_default(), said.several_defaults(), said));
        }
        let labels: Vec<&str> = self.offered.iter().map(|offered| offered.label).collect();
        let find = |name: &&str| {
            labels::find(name, &labels).ok_or_else(|| {
                let options = ByFlags(said.0).options(labels::listed(&labels));
                self.wrong(&said.no_option(name), &options, said)
            })
        };
        let defaults: Vec<usize> = self.defaults.iter().map(find).collect::<Result<_, _>>()?;
        let recommended: Vec<usize> = self.recommended.iter().map(find).collect::<Result<_, _>>()?;
        let options: Vec<Value> = self
            .offered
            .iter()
            .enumerate()
            .map(|(place, offered)| {
                // The label is the id too: it is what an answer is told apart by in a script.
                json!({
                    "id": offered.label, "label": offered.label, "description": offered.description,
                    "default": defaults.contains(&place), "recommended": recommended.contains(&place),
                })
            })
            .collect();
        fields.insert("type".to_owned(), if self.multi { "checkbox" } else { "multiple_choice" }.into());
        fields.insert("other".to_owned(), (!self.no_other).into());
        fields.insert("options".to_owned(), options.into());
        Ok(())
    }

    fn without_options(&self, fields: &mut Map<String, Value>, said: AskedByFlags) -> Result<(), Report> {
        let for_options = [
            (self.multi, "--multi"),
            (self.no_other, "--no-other"),
            (!self.recommended.is_empty(), "--recommend"),
        ];
        if let Some((_, flag)) = for_options.into_iter().find(|(said, _)| *said) {
            return Err(self.wrong(&said.for_options(flag), said.add_options(), said));
        }
        let default = match self.defaults.as_slice() {
            [] => None,
            [default] => Some(*default),
            _ => return Err(twice("default", said)),
        };
        if self.wants_text || self.secret {
            fields.insert("type".to_owned(), "text".into());
            default.map(|text| fields.insert("default".to_owned(), text.into()));
            return Ok(());
        }
        fields.insert("type".to_owned(), "boolean".into());
        if let Some(name) = default {
            let yes = labels::yes_or_no(name)
                .ok_or_else(|| self.wrong(&said.not_yes_or_no(name), said.yes_or_no(), said))?;
            fields.insert("default".to_owned(), yes.into());
        }
        Ok(())
    }

    fn wrong(&self, what: &str, hint: &str, said: AskedByFlags) -> Report {
        Report::wrong_input(said.of_question(self.text, what), Some(hint))
    }
}

fn twice(flag: &str, said: AskedByFlags) -> Report {
    Report::wrong_input(said.twice(flag), Some(said.once()))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::args::{Args, Verb};

    fn phrased(line: &[&str]) -> Result<Value, String> {
        let line = ["askuser", "ask"].into_iter().chain(line.iter().copied());
        let args = Args::try_parse_from(line).map_err(|error| error.to_string())?;
        let Some(Verb::Ask(args)) = args.verb else { panic!("not an ask") };
        let alone = args.question.as_ref().map(|question| question.to_str().unwrap());
        ask(alone, &args.words, Language::English).map_err(|report| format!("{report:?}"))
    }

    #[track_caller]
    fn refused(line: &[&str], said: &str) {
        let told = phrased(line).unwrap_err();
        assert!(told.contains(said), "{told}");
    }

    #[test]
    fn words_alone_are_a_yes_no_question() {
        assert_eq!(phrased(&["Deploy?"]), Ok(json!({"question": "Deploy?", "type": "boolean"})));
        for (default, yes) in [("yes", true), ("Y", true), ("n", false), ("False", false)] {
            let expected = json!({"question": "Deploy?", "type": "boolean", "default": yes});
            assert_eq!(phrased(&["Deploy?", "--default", default]), Ok(expected));
        }
        refused(&["Deploy?", "--default", "maybe"], "neither yes nor no");
        refused(&["Deploy?", "--recommend", "yes"], "`--recommend` needs options");
        refused(&["Deploy?", "--multi"], "`--multi` needs options");
    }

    #[test]
    fn options_are_labels_with_descriptions() {
        let asked = phrased(&[
            "-o",
            "OAuth 2.0: industry standard: yes",
            "-o",
            "JWT",
            "Which?",
            "--recommend",
            "oauth 2.0",
            "--default",
            "2",
            "--header",
            "Auth",
            "--describe",
            "For the shop",
            "--context",
            "why",
        ]);
        let options = json!([
            {"id": "OAuth 2.0", "label": "OAuth 2.0", "description": "industry standard: yes", "default": false,
             "recommended": true},
            {"id": "JWT", "label": "JWT", "description": null, "default": true, "recommended": false},
        ]);
        assert_eq!(
            asked,
            Ok(json!({"question": "Which?", "header": "Auth", "description": "For the shop",
                "type": "multiple_choice", "other": true, "options": options, "context": "why"}))
        );
        let several = phrased(&[
            "Which?",
            "-o",
            "A",
            "-o",
            "B",
            "--multi",
            "--no-other",
            "--default",
            "A",
            "--default",
            "b",
        ]);
        let several = several.unwrap();
        assert_eq!((&several["type"], &several["other"]), (&json!("checkbox"), &json!(false)));
        assert_eq!([&several["options"][0]["default"], &several["options"][1]["default"]], [true, true]);
        refused(&["Which?", "-o", "A", "-o", "B", "--default", "A", "--default", "B"], "only one option");
        refused(&["Which?", "-o", "A", "-o", "B", "--default", "C"], "options: 1 A · 2 B");
        refused(&["Which?", "-o", "A", "--text"], "cannot be combined");
    }

    #[test]
    fn a_text_may_be_secret_and_filled_in_beforehand() {
        let text = json!({"question": "Name?", "type": "text", "default": "-5"});
        assert_eq!(phrased(&["Name?", "--text", "--default", "-5"]), Ok(text));
        let secret = json!({"question": "Key?", "type": "text", "secret": true});
        assert_eq!(phrased(&["Key?", "--secret"]), Ok(secret));
    }

    #[test]
    fn flags_belong_to_the_question_before_them() {
        let asked = phrased(&[
            "Which?", "-o", "A", "--multi", "-q", "Why?", "--text", "--header", "Why", "-q", "Some?",
            "--multi", "-o", "B", "-q", "[sure]?",
        ]);
        let asked = asked.unwrap();
        let told: Vec<(&str, &str)> = asked["questions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|question| (question["question"].as_str().unwrap(), question["type"].as_str().unwrap()))
            .collect();
        let expected =
            [("Which?", "checkbox"), ("Why?", "text"), ("Some?", "checkbox"), ("[sure]?", "boolean")];
        assert_eq!(told, expected);
        assert_eq!(asked["questions"][1]["header"], "Why");
        assert_eq!(phrased(&["-q", "Only?"]), Ok(json!({"question": "Only?", "type": "boolean"})));
        refused(&["-o", "A", "-q", "Which?"], "before any question");
        refused(&["-q", "One?", "Two?"], "without `-q` comes first");
        refused(&["One?", "--header", "a", "--header", "b"], "`--header` is given twice");
        refused(&["One?", "--context", "a", "-q", "Two?", "--context", "b"], "`--context` is given twice");
    }
}
