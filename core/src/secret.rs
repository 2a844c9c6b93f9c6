//! Answers to secret questions: who is told them, and what stands in their place for everybody else.

use std::borrow::Cow;
use std::sync::Arc;

use crate::answer::{Answer, Answers};
use crate::ask::{Ask, State};
use crate::command::{Actor, Role};
use crate::hearing::Voice;
use crate::id::QuestionId;
use crate::outcome::Outcome;
use crate::question::Questions;

/// What stands where a secret was answered.
const HIDDEN: &str = "••••";

/// Returns the outcome for everybody but the asker: that a secret was answered is no secret, what
/// was answered is.
pub fn hidden<'a>(questions: &Questions, outcome: &'a Outcome) -> Cow<'a, Outcome> {
    let answers = hidden_answers(questions, &outcome.answers);
    let of_voice = |voice: &'a Voice| voice.answers.as_ref().map(|it| hidden_answers(questions, it));
    let voices: Vec<Option<Cow<'a, Answers>>> = outcome.voices.iter().map(of_voice).collect();
    let is_hidden = |answers: &Cow<'_, Answers>| matches!(answers, Cow::Owned(_));
    if !is_hidden(&answers) && !voices.iter().flatten().any(is_hidden) {
        return Cow::Borrowed(outcome);
    }
    let voices = outcome.voices.iter().zip(voices);
    let voices =
        voices.map(|(voice, answers)| Voice { answers: answers.map(Cow::into_owned), ..voice.clone() });
    let (answers, voices) = (answers.into_owned(), voices.collect());
    Cow::Owned(Outcome { answers, voices, ..outcome.clone() })
}

/// The same of answers alone, as of those that came too late.
pub fn hidden_answers<'a>(questions: &Questions, answers: &'a Answers) -> Cow<'a, Answers> {
    let is_secret = |answer: &Answer| {
        !answer.skipped && questions.find(&answer.question).is_some_and(|question| question.secret)
    };
    if !answers.0.iter().any(is_secret) {
        return Cow::Borrowed(answers);
    }
    let mut answers = answers.clone();
    for answer in answers.0.iter_mut().filter(|answer| is_secret(answer)) {
        answer.picked.clear();
        answer.text = Some(HIDDEN.to_owned());
        answer.note = None;
    }
    Cow::Owned(answers)
}

impl Ask {
    /// Whether the answer to a secret question is told to this actor: of agents only to the key that asked.
    /// What a person reads leaves it out wherever it is drawn.
    pub fn tells_secrets_to(&self, actor: &Actor) -> bool {
        actor.role != Role::Agent || actor.key == self.asked_by
    }

    /// Returns the ask without what was answered to secret questions; that they were answered stays.
    #[must_use]
    pub fn without_secrets(&self) -> Self {
        let mut seen = self.clone();
        let questions = Arc::clone(&seen.questions);
        let is_secret = |id: &QuestionId| questions.find(id).is_some_and(|question| question.secret);
        if let State::Closed(outcome)
        | State::Processing(outcome)
        | State::Completed(outcome)
        | State::Error(outcome) = &mut seen.state
        {
            *outcome = Arc::new(hidden(&questions, outcome).into_owned());
        }
        if let Some((answers, _)) = &mut seen.late {
            *answers = hidden_answers(&questions, answers).into_owned();
        }
        for answers in seen.hearing.voices.iter_mut().filter_map(|voice| voice.answers.as_mut()) {
            *answers = hidden_answers(&questions, answers).into_owned();
        }
        for sheet in &mut seen.hearing.sheets {
            sheet.entries.retain(|(id, _)| !is_secret(id));
        }
        seen.entries.retain(|(id, _)| !is_secret(id));
        seen
    }
}
