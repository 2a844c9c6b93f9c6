//! The key of a question in a map of answers: one rule, for whoever writes such a map and whoever reads it.
//!
//! Ids that we make are unique in a session, so they differ from one ask to the next (`r1q1`, `r7q1`) and
//! no script can know them. A key is known before anything is asked.

use crate::id::ChoiceId;
use crate::question::{NamedBy, Question, Questions};

/// Questions with their keys, follow-ups after the question that opens them.
#[derive(Debug, Clone)]
pub struct Keyed<'a>(Vec<(&'a Question, String)>);

impl<'a> Keyed<'a> {
    /// Returns each question with its key.
    pub fn iter(&self) -> impl Iterator<Item = (&'a Question, &str)> {
        self.0.iter().map(|(question, key)| (*question, key.as_str()))
    }

    /// Finds a question by its key, else by the id that we made for it.
    pub fn find(&self, name: &str) -> Option<&'a Question> {
        let by_key = self.iter().find(|(_, key)| *key == name);
        let by_id = || self.iter().find(|(question, _)| question.id.as_str() == name);
        by_key.or_else(by_id).map(|(question, _)| question)
    }

    /// Returns the key of a question.
    pub fn key_of(&self, question: &Question) -> Option<&str> {
        self.iter().find(|(keyed, _)| keyed.id == question.id).map(|(_, key)| key)
    }
}

impl Questions {
    /// Returns every question with its key: the id that the asker gave; else the header, if no other question has it; else the place: `q1`, `q2`,
    /// and for a follow-up the key of its question, a dot, and its number there (`q1.1`).
    pub fn keyed(&self) -> Keyed<'_> {
        let all = self.all();
        let own: Vec<Option<&str>> = all.iter().map(|question| own_key(question, &all)).collect();
        let mut keyed = Vec::with_capacity(all.len());
        for (place, question) in self.top().iter().enumerate() {
            put(question, format!("q{}", place + 1), &own, &mut keyed);
        }
        Keyed(keyed)
    }
}

impl Question {
    /// Returns what a choice is called where one word has to do: the id that the asker gave, else its label.
    /// Ids that we make are its number, which says nothing.
    pub fn choice_name(&self, id: &ChoiceId) -> Option<&str> {
        let place = self.choices.iter().position(|choice| choice.id == *id)?;
        let choice = self.choices.get(place)?;
        let is_made = choice.id.as_str().trim_start_matches('c') == (place + 1).to_string();
        Some(if is_made { &choice.label } else { choice.id.as_str() })
    }
}

/// What the asker called a question and no other.
fn own_key<'a>(question: &'a Question, all: &[&Question]) -> Option<&'a str> {
    if question.named_by != NamedBy::Us {
        return Some(question.id.as_str());
    }
    let header = question.header.as_deref()?;
    let n_alike = all.iter().filter(|other| other.header.as_deref() == Some(header)).count();
    let is_id = |other: &&Question| other.named_by != NamedBy::Us && other.id.as_str() == header;
    (n_alike == 1 && !all.iter().any(is_id)).then_some(header)
}

/// Adds a question and what it opens, in the order of `own`.
fn put<'a>(
    question: &'a Question,
    place: String,
    own: &[Option<&str>],
    keyed: &mut Vec<(&'a Question, String)>,
) {
    let called = own.get(keyed.len()).copied().flatten();
    let mut key = called.map_or(place, ToOwned::to_owned);
    // Somebody's header may be `q2`, which another question is called by its place.
    while called.is_none() && own.contains(&Some(&key)) {
        key.push('\'');
    }
    keyed.push((question, key.clone()));
    let follow_ups = question.choices.iter().flat_map(|choice| &choice.follow_ups);
    for (place, follow_up) in follow_ups.enumerate() {
        put(follow_up, format!("{key}.{}", place + 1), own, keyed);
    }
}

#[cfg(test)]
mod tests {
    use crate::draft::{Draft, DraftChoice, DraftFollowUps, DraftQuestion, Given};
    use crate::limits::Limits;

    fn asked(id: &str, header: &str) -> DraftQuestion {
        let given = |text: &str| {
            if text.is_empty() { Given::Missing } else { Given::Value(text.to_owned()) }
        };
        let choice = DraftChoice { label: given("A"), ..DraftChoice::default() };
        DraftQuestion {
            id: given(id),
            header: given(header),
            text: given("Which?"),
            choices: Given::Value(vec![choice]),
            ..DraftQuestion::default()
        }
    }

    #[track_caller]
    fn check(questions: Vec<DraftQuestion>, keys: &[&str]) {
        let draft = Draft { questions: Given::Value(questions), ..Draft::default() };
        let limits = Limits { questions_max: 9, ..Limits::FOREIGN };
        for round in [1, 7] {
            let questions = draft.clone().check(&limits).unwrap().in_round(round);
            let keyed = questions.keyed();
            let found: Vec<&str> = keyed.iter().map(|(_, key)| key).collect();
            assert_eq!(found, keys);
            for (question, key) in keyed.iter() {
                assert_eq!(keyed.find(key).unwrap().id, question.id, "{key}");
                assert_eq!(keyed.find(question.id.as_str()).unwrap().id, question.id);
                assert_eq!(keyed.key_of(question), Some(key));
            }
        }
    }

    #[test]
    fn a_key_is_the_given_id_else_the_header_else_the_place() {
        check(vec![asked("", "")], &["q1"]);
        check(vec![asked("db", "Database"), asked("", "Cache"), asked("", "")], &["db", "Cache", "q3"]);
        check(vec![asked("", "Same"), asked("", "Same")], &["q1", "q2"]);
    }

    #[test]
    fn no_two_questions_share_a_key() {
        check(vec![asked("db", ""), asked("", "db")], &["db", "q2"]);
        check(vec![asked("", "q2"), asked("", "")], &["q2", "q2'"]);
        check(vec![asked("", ""), asked("q1", "")], &["q1'", "q1"]);
    }

    #[test]
    fn a_follow_up_is_called_after_its_question() {
        let under = |parent: DraftQuestion, questions| {
            let choice = "A".to_owned();
            let at = "follow_up_questions.A".to_owned();
            let follow_ups = vec![DraftFollowUps { choice, at, questions: Given::Value(questions) }];
            DraftQuestion { follow_ups, ..parent }
        };
        let deep = under(asked("", ""), vec![asked("", "")]);
        let first = under(asked("", "Auth"), vec![asked("", "Scope"), deep, asked("own", "")]);
        check(vec![first, asked("", "")], &["Auth", "Scope", "Auth.2", "Auth.2.1", "own", "q2"]);
    }
}
