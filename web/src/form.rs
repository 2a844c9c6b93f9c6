//! What a form says: the one reader for answers sent by a button, by the script, and from the queue
//! of answers given offline.
//!
//! Fields are named after their question: `pick:Q`, `other:Q`, `text:Q`, `note:Q`. The text of "Other"
//! counts where "Other" is picked: its field is seen only then.

use std::collections::BTreeMap;

use askuser_core::entry::Entry;
use askuser_core::id::{AskId, ChoiceId, QuestionId};
use askuser_core::question::{Kind, Question, Questions};

/// The fields of a form, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    pub(super) fn read(body: &[u8]) -> Self {
        let fields = form_urlencoded::parse(body);
        // Forms send line ends as two characters; a person typed one.
        Self(fields.map(|(name, value)| (name.into_owned(), value.replace("\r\n", "\n"))).collect())
    }

    /// Returns a field; an empty one is none.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let mut named = self.0.iter().filter(|(field, _)| field == name).map(|(_, value)| value.as_str());
        named.find(|value| !value.is_empty())
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// Returns the other asks that are to be answered alike.
    pub(super) fn also(&self) -> Vec<AskId> {
        self.all("also").filter_map(|id| id.parse().ok()).collect()
    }

    /// Returns what is put down for every question, hidden ones included: which of them count is the
    /// sheet's to say.
    pub(super) fn entries(&self, questions: &Questions) -> Entries {
        let asked = questions.all().into_iter().filter(|question| question.collected.is_none());
        Entries(asked.map(|question| (question.id.clone(), self.entry(question))).collect())
    }

    fn entry(&self, question: &Question) -> Entry {
        let field = |kind: &str| format!("{kind}:{}", question.id);
        let picks = field("pick");
        let text = match question.kind {
            Kind::Text => Some(field("text")),
            Kind::SomeOf { .. } => self.get(&field("own")).map(|_| field("other")),
            // The empty value is the button of "Other"; where no button is pressed, a text is meant.
            Kind::OneOf | Kind::YesNo => self.all(&picks).all(str::is_empty).then(|| field("other")),
        };
        let picked: Vec<&str> = self.all(&picks).filter(|choice| !choice.is_empty()).collect();
        let known = question.choices.iter().map(|choice| &choice.id);
        let mut chosen: Vec<ChoiceId> = known.filter(|id| picked.contains(&id.as_str())).cloned().collect();
        // A choice that is not offered is left for the rules to refuse.
        let strange = picked.iter().filter(|id| question.choice(&ChoiceId::from(**id)).is_none());
        chosen.extend(strange.map(|id| ChoiceId::from(*id)));
        Entry {
            picked: chosen,
            text: text.and_then(|text| self.get(&text)).map(str::to_owned),
            note: self.get(&field("note")).map(str::to_owned),
            suggested: false,
        }
    }
}

/// What is put down, by question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Entries(BTreeMap<QuestionId, Entry>);

impl Entries {
    pub(super) fn of(saved: &[(QuestionId, Entry)]) -> Self {
        Self(saved.iter().cloned().collect())
    }

    /// Returns what is put down for a question; where nobody has been yet, what the asker suggests.
    pub(super) fn entry(&self, question: &Question) -> Entry {
        self.0.get(&question.id).cloned().unwrap_or_else(|| Entry::suggestion(question))
    }

    pub(super) fn list(&self) -> Vec<(QuestionId, Entry)> {
        self.0.iter().map(|(id, entry)| (id.clone(), entry.clone())).collect()
    }

    /// What was typed, for a person who was too late: question and text.
    pub(super) fn typed<'a>(&'a self, questions: &'a Questions) -> Vec<(&'a Question, &'a str)> {
        let texts = |question: &'a Question| {
            let entry = self.0.get(&question.id)?;
            let text = entry.text.as_deref().or(entry.note.as_deref())?;
            (!question.secret).then_some((question, text))
        };
        questions.all().into_iter().filter_map(texts).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askuser_wire::{self as wire, Dialect};
    use serde_json::json;

    fn questions() -> Questions {
        let ask = json!({"questions": [
            {"question_id": "one", "question": "One?", "type": "multiple_choice", "options": [
                {"id": "a", "label": "A"}, {"id": "b", "label": "B"}], "follow_up_questions": {
                "a": [{"question_id": "deep", "question": "Deep?", "type": "text"}]}},
            {"question_id": "some", "question": "Some?", "type": "checkbox", "options": [
                {"id": "x", "label": "X", "default": true}, {"id": "y", "label": "Y"}]},
            {"question_id": "yes", "question": "Yes?", "type": "boolean"},
        ]});
        wire::read(Dialect::Full, &ask).check().unwrap().0
    }

    fn entry(body: &str, question: &str) -> Entry {
        let questions = questions();
        let found = questions.find(&QuestionId::from(question)).unwrap();
        Form::read(body.as_bytes()).entries(&questions).entry(found)
    }

    #[test]
    fn p8_fields_become_entries_whatever_their_order() {
        assert_eq!(entry("pick:one=b", "one").picked, [ChoiceId::from("b")]);
        assert_eq!(
            entry("pick:some=y&pick:some=x", "some").picked,
            [ChoiceId::from("x"), ChoiceId::from("y")]
        );
        assert_eq!(entry("pick:yes=no", "yes").picked, [ChoiceId::from("no")]);
        assert_eq!(entry("text:deep=two%0D%0Alines", "deep").text.as_deref(), Some("two\nlines"));
        let other = entry("pick:one=&other:one=mine&note:one=why", "one");
        assert_eq!(
            (other.picked.len(), other.text.as_deref(), other.note.as_deref()),
            (0, Some("mine"), Some("why"))
        );
    }

    #[test]
    fn p9_a_choice_that_is_not_offered_is_refused_and_not_dropped() {
        let questions = questions();
        let one = questions.find(&QuestionId::from("one")).unwrap();
        assert!(entry("pick:one=zzz", "one").fault(one).is_some());
        assert!(entry("pick:one=a&pick:one=b", "one").fault(one).is_some(), "two answers where one fits");
    }

    #[test]
    fn t7_what_is_typed_counts_where_other_is_picked() {
        assert_eq!(entry("pick:one=a&other:one=mine", "one").text, None, "they changed their mind");
        assert_eq!(entry("other:one=mine", "one").text.as_deref(), Some("mine"));
        assert_eq!(entry("pick:some=x&other:some=mine", "some").text, None);
        assert_eq!(entry("pick:some=x&own:some=on&other:some=mine", "some").text.as_deref(), Some("mine"));
    }

    #[test]
    fn d2_a_default_counts_until_somebody_was_there() {
        let questions = questions();
        let some = questions.find(&QuestionId::from("some")).unwrap();
        assert_eq!(Entries::default().entry(some).picked, [ChoiceId::from("x")]);
        assert!(entry("pick:one=a", "some").picked.is_empty(), "sent empty is empty");
    }
}
