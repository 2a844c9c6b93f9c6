//! Entries, answers and outcomes as they are stored.

use askuser_core::answer::{Answer, Answers, Parent};
use askuser_core::entry::Entry;
use askuser_core::id::{ChoiceId, QuestionId, UserId};
use askuser_core::outcome::{By, Channel, Ending, Outcome, Program};
use askuser_core::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::people::{VoiceRow, read_voices, voice_rows};
use super::words::{AnsweredByWord, CancelStatusWord, ProofWord};
use super::{Text, Wrong, is_false, optional, owned, text};

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct OutcomeRow<'a> {
    ending: EndingRow,
    #[serde(borrow)]
    by: ByRow<'a>,
    at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    answers: Vec<AnswerRow<'a>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    voices: Vec<VoiceRow<'a>>,
}

/// An answer that came after the deadline.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LateRow<'a> {
    #[serde(borrow)]
    answers: Vec<AnswerRow<'a>>,
    by: ByRow<'a>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EndingRow {
    Answered(AnsweredByWord),
    Declined,
    Withdrawn,
    Expired { told_as: CancelStatusWord, abort: bool },
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ByRow<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none", borrow)]
    user: Option<Text<'a>>,
    channel: ChannelRow<'a>,
    proof: ProofWord,
    /// The program and its mark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<(Text<'a>, Option<Text<'a>>)>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ChannelRow<'a> {
    Terminal,
    Web,
    Api,
    AgentDialog,
    #[serde(borrow)]
    Notify(Text<'a>),
    Agent,
    Server,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AnswerRow<'a> {
    #[serde(borrow)]
    question: Text<'a>,
    /// The question and the choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<(Text<'a>, Text<'a>)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    picked: Vec<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "is_false")]
    skipped: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    collected: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct EntryRow<'a> {
    #[serde(borrow)]
    question: Text<'a>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    picked: Vec<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "is_false")]
    suggested: bool,
}

fn picked(choices: &[ChoiceId]) -> Vec<Text<'_>> {
    choices.iter().map(|choice| text(choice.as_str())).collect()
}

fn choices(picked: Vec<Text<'_>>) -> Vec<ChoiceId> {
    picked.into_iter().map(ChoiceId::new).collect()
}

impl<'a> From<&'a Outcome> for OutcomeRow<'a> {
    fn from(outcome: &'a Outcome) -> Self {
        Self {
            ending: match outcome.ending {
                Ending::Answered(by) => EndingRow::Answered(by.into()),
                Ending::Declined => EndingRow::Declined,
                Ending::Withdrawn => EndingRow::Withdrawn,
                Ending::Expired { told_as, abort } => EndingRow::Expired { told_as: told_as.into(), abort },
            },
            by: ByRow::from(&outcome.by),
            at: outcome.at.0,
            comment: optional(outcome.comment.as_ref()),
            answers: answer_rows(&outcome.answers),
            voices: voice_rows(&outcome.voices),
        }
    }
}

impl TryFrom<OutcomeRow<'_>> for Outcome {
    type Error = Wrong;
    fn try_from(row: OutcomeRow<'_>) -> Result<Self, Wrong> {
        Ok(Self {
            ending: match row.ending {
                EndingRow::Answered(by) => Ending::Answered(by.into()),
                EndingRow::Declined => Ending::Declined,
                EndingRow::Withdrawn => Ending::Withdrawn,
                EndingRow::Expired { told_as, abort } => Ending::Expired { told_as: told_as.into(), abort },
            },
            by: row.by.into(),
            at: Timestamp(row.at),
            comment: owned(row.comment),
            answers: read_answers(row.answers),
            voices: read_voices(row.voices),
        })
    }
}

impl<'a> LateRow<'a> {
    pub(crate) fn new(answers: &'a Answers, by: &'a By) -> Self {
        Self { answers: answer_rows(answers), by: by.into() }
    }
}

impl TryFrom<LateRow<'_>> for (Answers, By) {
    type Error = Wrong;
    fn try_from(row: LateRow<'_>) -> Result<Self, Wrong> {
        Ok((read_answers(row.answers), row.by.into()))
    }
}

impl<'a> From<&'a By> for ByRow<'a> {
    fn from(by: &'a By) -> Self {
        let channel = match &by.channel {
            Channel::Terminal => ChannelRow::Terminal,
            Channel::Web => ChannelRow::Web,
            Channel::Api => ChannelRow::Api,
            Channel::AgentDialog => ChannelRow::AgentDialog,
            Channel::Notify(service) => ChannelRow::Notify(text(service)),
            Channel::Agent => ChannelRow::Agent,
            Channel::Server => ChannelRow::Server,
        };
        let user = by.user.as_ref().map(|user| text(user.as_str()));
        let program = by.program.as_ref();
        let program = program.map(|program| (text(&program.path), optional(program.mark.as_ref())));
        Self { user, channel, proof: by.proof.into(), program }
    }
}

impl From<ByRow<'_>> for By {
    fn from(row: ByRow<'_>) -> Self {
        let channel = match row.channel {
            ChannelRow::Terminal => Channel::Terminal,
            ChannelRow::Web => Channel::Web,
            ChannelRow::Api => Channel::Api,
            ChannelRow::AgentDialog => Channel::AgentDialog,
            ChannelRow::Notify(service) => Channel::Notify(service.into_owned()),
            ChannelRow::Agent => Channel::Agent,
            ChannelRow::Server => Channel::Server,
        };
        let program = row.program;
        let program = program.map(|(path, mark)| Program { path: path.into_owned(), mark: owned(mark) });
        Self { user: row.user.map(UserId::new), channel, proof: row.proof.into(), program }
    }
}

impl<'a> From<&'a Answer> for AnswerRow<'a> {
    fn from(answer: &'a Answer) -> Self {
        let parent = answer.parent.as_ref();
        Self {
            question: text(answer.question.as_str()),
            parent: parent.map(|parent| (text(parent.question.as_str()), text(parent.choice.as_str()))),
            picked: picked(&answer.picked),
            text: optional(answer.text.as_ref()),
            note: optional(answer.note.as_ref()),
            skipped: answer.skipped,
            collected: answer.collected,
        }
    }
}

pub(super) fn answer_rows(answers: &Answers) -> Vec<AnswerRow<'_>> {
    answers.0.iter().map(AnswerRow::from).collect()
}

pub(super) fn read_answers(rows: Vec<AnswerRow<'_>>) -> Answers {
    let answer = |row: AnswerRow<'_>| Answer {
        question: QuestionId::new(row.question),
        parent: row.parent.map(|(question, choice)| Parent {
            question: QuestionId::new(question),
            choice: ChoiceId::new(choice),
        }),
        picked: choices(row.picked),
        text: owned(row.text),
        note: owned(row.note),
        skipped: row.skipped,
        collected: row.collected,
    };
    Answers(rows.into_iter().map(answer).collect())
}

impl<'a> EntryRow<'a> {
    pub(super) fn new(question: &'a QuestionId, entry: &'a Entry) -> Self {
        Self {
            question: text(question.as_str()),
            picked: picked(&entry.picked),
            text: optional(entry.text.as_ref()),
            note: optional(entry.note.as_ref()),
            suggested: entry.suggested,
        }
    }

    pub(super) fn read(self) -> (QuestionId, Entry) {
        let entry = Entry {
            picked: choices(self.picked),
            text: owned(self.text),
            note: owned(self.note),
            suggested: self.suggested,
        };
        (QuestionId::new(self.question), entry)
    }
}
