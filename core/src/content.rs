//! What an ask asks, in one canonical form: the only definition of "the same".
//!
//! Joining a repeated ask, alike asks that share an answer, rules made from an answer and names that are
//! taken all compare this. The names of questions and choices are not in it: an agent that asks again often
//! makes up new ones, and it is the same question to the person all the same. Whoever keeps asks stores a
//! digest of it, with [`VERSION`] beside it.

use std::hash::{DefaultHasher, Hash, Hasher};

use sha2::{Digest, Sha256};

use crate::ask::Fingerprint;
use crate::asker::{Asker, Purpose, Terms};
use crate::format::Format;
use crate::id::{ChoiceId, QuestionId};
use crate::question::{
    Choice, Collected, Condition, FreeText, Kind, Preview, PreviewFormat, Question, Questions,
};

/// Which form it is. A change of the form is a new version: digests of different ones are not compared.
pub const VERSION: u8 = 1;

/// Returns the digest of an ask's content: what is compared and stored in place of the content itself.
pub fn digest(content: Content<'_>) -> Fingerprint {
    let mut digest = [0; 16];
    for (to, from) in digest.iter_mut().zip(Sha256::digest(content.canonical())) {
        *to = from;
    }
    digest
}

/// Everything that makes two asks the same.
#[derive(Debug, Clone, Copy)]
pub struct Content<'a> {
    /// What is asked.
    pub questions: &'a Questions,
    /// Why: the same words about something else are another question.
    pub context: Option<&'a str>,
    /// What an answer grants.
    pub purpose: Purpose,
    /// Who would be granted it, and where: for a permission `rm -r .` in another folder is another thing.
    pub asker: &'a Asker,
}

impl<'a> Content<'a> {
    /// The content of an ask under these terms.
    pub fn new(questions: &'a Questions, terms: &'a Terms) -> Self {
        let context = terms.context.as_deref();
        Self { questions, context, purpose: terms.purpose, asker: &terms.asker }
    }

    /// Returns the canonical form.
    pub fn canonical(&self) -> Vec<u8> {
        let mut form = Form(vec![VERSION]);
        form.maybe(self.context);
        match self.purpose {
            Purpose::Decision => form.word("decision"),
            Purpose::Permission => {
                form.word("permission");
                form.maybe(self.asker.agent.as_deref());
                form.maybe(self.asker.folder.as_deref());
            }
        }
        form.questions(self.questions);
        form.0
    }
}

/// Whether two lists of questions ask the same, whatever they are called and whatever they are about.
pub fn same_questions(one: &Questions, other: &Questions) -> bool {
    canonical_questions(one) == canonical_questions(other)
}

/// Returns a short-lived mark of the questions alone: rounds that repeat each other are counted, whatever they
/// are about (P3). Where something hangs on it, contents are compared.
pub(crate) fn questions_hash(questions: &Questions) -> Fingerprint {
    let form = canonical_questions(questions);
    let half = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        (seed, &form).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    (half(0) << 64 | half(1)).to_be_bytes()
}

fn canonical_questions(questions: &Questions) -> Vec<u8> {
    let mut form = Form(Vec::new());
    form.questions(questions);
    form.0
}

/// Written so that no two contents run into the same bytes: every text has its length before it, every list
/// its count. What is written down by name, so that no field is forgotten when one is added.
struct Form(Vec<u8>);

impl Form {
    fn questions(&mut self, questions: &Questions) {
        let all = questions.all();
        self.list(questions.top(), |form, question| form.question(question, &all));
    }

    fn question(&mut self, question: &Question, all: &[&Question]) {
        let Question { id: _, named_by: _, header, text, description, kind, choices, free, .. } = question;
        let Question { required, secret, depends_on, collected, .. } = question;
        self.maybe(header.as_deref());
        self.word(text);
        self.maybe(description.as_deref());
        match kind {
            Kind::OneOf => self.word("one"),
            Kind::SomeOf { min, max } => {
                self.word("some");
                self.number(*min);
                self.number(*max);
            }
            Kind::Text => self.word("text"),
            Kind::YesNo => self.word("yes_no"),
        }
        self.list(choices, |form, choice| form.choice(choice, all));
        self.option(free.as_ref(), Self::free);
        self.flag(*required);
        self.flag(*secret);
        self.option(depends_on.as_ref(), |form, condition| form.condition(condition, all));
        self.option(collected.as_ref(), |form, collected| form.collected(collected, question));
    }

    fn choice(&mut self, choice: &Choice, all: &[&Question]) {
        // Whether it is recommended stands in its label.
        let Choice { id: _, label, description, preview, running, default, recommended: _, follow_ups } =
            choice;
        self.word(label);
        self.maybe(description.as_deref());
        self.option(preview.as_ref(), |form, Preview { format, text }| {
            form.word(match format {
                PreviewFormat::Markdown => "markdown",
                PreviewFormat::Html => "html",
            });
            form.word(text);
        });
        // In one byte with the default, so that the form of a choice without it is what it always was.
        self.0.push(u8::from(*default) | u8::from(running.is_some()) << 1);
        if let Some(running) = running {
            self.word(running);
        }
        self.list(follow_ups, |form, follow_up| form.question(follow_up, all));
    }

    fn free(&mut self, free: &FreeText) {
        // How much may be typed is the desk's to say as well, and may change while an ask is open.
        let FreeText { format, chars_min, chars_max: _, any_characters: _, placeholder, default } = free;
        match format {
            Format::Any => self.word("any"),
            Format::Integer { min, max } => self.bounds("integer", *min, *max),
            Format::Number { min, max } => self.bounds("number", *min, *max),
            Format::Email => self.word("email"),
            Format::Uri => self.word("uri"),
            Format::Date => self.word("date"),
            Format::DateTime => self.word("date_time"),
        }
        self.number(*chars_min);
        self.maybe(placeholder.as_deref());
        self.maybe(default.as_deref());
    }

    fn bounds(&mut self, word: &str, min: Option<f64>, max: Option<f64>) {
        self.word(word);
        for bound in [min, max] {
            self.option(bound.as_ref(), |form, bound| form.0.extend(bound.to_bits().to_be_bytes()));
        }
    }

    /// A question of the same ask stands for its place in it; one of another ask for its name.
    fn condition(&mut self, condition: &Condition, all: &[&Question]) {
        let Condition { question, choice } = condition;
        if let Some(place) = all.iter().position(|other| other.id == *question) {
            self.number(place);
            let target = all.get(place);
            self.option(choice.as_ref(), |form, choice| form.choice_of(choice, target.copied()));
        } else {
            self.word(QuestionId::as_str(question));
            self.maybe(choice.as_ref().map(ChoiceId::as_str));
        }
    }

    fn collected(&mut self, collected: &Collected, question: &Question) {
        let Collected { picked, text } = collected;
        self.list(picked, |form, choice| form.choice_of(choice, Some(question)));
        self.maybe(text.as_deref());
    }

    fn choice_of(&mut self, choice: &ChoiceId, question: Option<&Question>) {
        let place = question.and_then(|it| it.choices.iter().position(|offered| offered.id == *choice));
        self.number(place.unwrap_or(usize::MAX));
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(items.len());
        for item in items {
            write(self, item);
        }
    }

    fn option<T>(&mut self, value: Option<&T>, write: impl FnOnce(&mut Self, &T)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            write(self, value);
        }
    }

    fn maybe(&mut self, word: Option<&str>) {
        self.flag(word.is_some());
        if let Some(word) = word {
            self.word(word);
        }
    }

    fn word(&mut self, word: &str) {
        self.number(word.len());
        self.0.extend(word.as_bytes());
    }

    fn number(&mut self, number: usize) {
        self.0.extend(u64::try_from(number).unwrap_or(u64::MAX).to_be_bytes());
    }

    fn flag(&mut self, flag: bool) {
        self.0.push(u8::from(flag));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::{Draft, DraftChoice, DraftKind, DraftQuestion, Given};
    use crate::hex::hex;
    use crate::limits::Limits;

    fn questions(prefix: &str, change: impl FnOnce(&mut DraftQuestion)) -> Questions {
        let choice = |id: &str| DraftChoice {
            id: Given::Value(format!("{prefix}{id}")),
            label: Given::Value(id.to_owned()),
            ..DraftChoice::default()
        };
        let mut question = DraftQuestion {
            at: "questions[0]".to_owned(),
            id: Given::Value(format!("{prefix}q")),
            text: Given::Value("Deploy?".to_owned()),
            kind: Given::Value(DraftKind::OneOf),
            choices: Given::Value(vec![choice("Now"), choice("Later")]),
            ..DraftQuestion::default()
        };
        change(&mut question);
        let list = Given::Value(vec![question]);
        let draft = Draft { at: "questions".to_owned(), questions: list, ..Draft::default() };
        draft.check(&Limits::FORM).unwrap()
    }

    fn of(questions: &Questions, terms: &Terms) -> Vec<u8> {
        Content::new(questions, terms).canonical()
    }

    #[test]
    fn names_are_no_content_and_everything_else_is() {
        let (terms, plain) = (Terms::default(), questions("a-", |_| ()));
        assert_eq!(of(&plain, &terms), of(&questions("b-", |_| ()), &terms));
        assert!(same_questions(&plain, &questions("b-", |_| ())));
        let changes: [fn(&mut DraftQuestion); 5] = [
            |question| question.text = Given::Value("Deploy? ".to_owned()),
            |question| question.header = Given::Value("Deploy?".to_owned()),
            |question| question.secret = Given::Value(true),
            |question| question.required = Given::Value(false),
            |question| question.kind = Given::Value(DraftKind::SomeOf { min: None, max: None }),
        ];
        let mut seen = vec![of(&plain, &terms)];
        for change in changes {
            let other = questions("a-", change);
            assert!(!same_questions(&plain, &other));
            seen.push(of(&other, &terms));
        }
        seen.push(of(&plain, &Terms { context: Some("diff A".to_owned()), ..Terms::default() }));
        seen.push(of(&plain, &Terms { context: Some("diff B".to_owned()), ..Terms::default() }));
        seen.push(of(&plain, &Terms { purpose: Purpose::Permission, ..Terms::default() }));
        let elsewhere = Asker { folder: Some("/elsewhere".to_owned()), ..Asker::default() };
        seen.push(of(&plain, &Terms { purpose: Purpose::Permission, asker: elsewhere, ..Terms::default() }));
        let n_seen = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), n_seen);
    }

    /// What is stored stays what it is, whatever the code calls things: rules that people made and open asks are
    /// found by it. Whoever changes the form counts [`VERSION`] up and writes these anew.
    #[test]
    fn a_digest_is_the_same_for_good() {
        let digest_of = |questions: &Questions, terms: &Terms| hex(&digest(Content::new(questions, terms)));
        let of_kind = |kind: DraftKind, has_choices: bool| {
            let plain = questions("a-", |question| {
                question.kind = Given::Value(kind);
                if !has_choices {
                    question.choices = Given::Missing;
                }
            });
            digest_of(&plain, &Terms::default())
        };
        assert_eq!(of_kind(DraftKind::OneOf, true), "5f458714fe05ef4c7e63eaf6eb4f6f7b");
        assert_eq!(
            of_kind(DraftKind::SomeOf { min: Some(1), max: Some(2) }, true),
            "3fe66484dbe538176d1234393808b7bc"
        );
        assert_eq!(of_kind(DraftKind::Text, false), "916e3c9b391959b50adad9fba57ccd0c");
        assert_eq!(of_kind(DraftKind::YesNo, false), "ad230641c24580e66484972f9cab5990");
        let asker =
            Asker { agent: Some("codex".to_owned()), folder: Some("/shop".to_owned()), ..Asker::default() };
        let context = Some("diff A".to_owned());
        let permission = Terms { purpose: Purpose::Permission, asker, context, ..Terms::default() };
        let secret = questions("a-", |question| {
            question.header = Given::Value("Deploy".to_owned());
            question.secret = Given::Value(true);
            question.required = Given::Value(false);
        });
        assert_eq!(digest_of(&secret, &permission), "f08208001a0e46238c4eb071c24d7052");
        assert_eq!(VERSION, 1);
    }
}
