//! Questions as they are stored.

use askuser_core::format::Format;
use askuser_core::id::{ChoiceId, QuestionId};
use askuser_core::question::{
    Choice, Collected, Condition, FreeText, Kind, NamedBy, Preview, Question, Questions,
};
use serde::{Deserialize, Serialize};

use super::words::{NamedByWord, PreviewFormatWord};
use super::{Text, Wrong, is_false, optional, owned, text};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct QuestionRow<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    named_by: NamedByWord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    header: Option<Text<'a>>,
    text: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<Text<'a>>,
    kind: KindRow,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    choices: Vec<ChoiceRow<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    free: Option<FreeRow<'a>>,
    #[serde(default, skip_serializing_if = "is_false")]
    required: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    secret: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depends_on: Option<ConditionRow<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    collected: Option<CollectedRow<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindRow {
    OneOf,
    SomeOf { min: usize, max: usize },
    Text,
    YesNo,
}

#[derive(Debug, Serialize, Deserialize)]
struct ChoiceRow<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    label: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    preview: Option<(PreviewFormatWord, Text<'a>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    running: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "is_false")]
    default: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    recommended: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    follow_ups: Vec<QuestionRow<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct FreeRow<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    format: Option<FormatRow>,
    chars_min: usize,
    chars_max: usize,
    #[serde(default, skip_serializing_if = "is_false")]
    any_characters: bool,
    #[serde(default, skip_serializing_if = "Option::is_none", borrow)]
    placeholder: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default: Option<Text<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FormatRow {
    Integer(BoundsRow),
    Number(BoundsRow),
    Email,
    Uri,
    Date,
    DateTime,
}

/// Bounds as text: exactly the same double comes back, also one that JSON cannot write.
#[derive(Debug, Serialize, Deserialize)]
struct BoundsRow {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct ConditionRow<'a> {
    #[serde(borrow)]
    question: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    choice: Option<Text<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct CollectedRow<'a> {
    #[serde(default, skip_serializing_if = "Vec::is_empty", borrow)]
    picked: Vec<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Text<'a>>,
}

pub(super) fn rows(questions: &Questions) -> Vec<QuestionRow<'_>> {
    questions.top().iter().map(QuestionRow::from).collect()
}

pub(super) fn read(rows: Vec<QuestionRow<'_>>) -> Result<Questions, Wrong> {
    Ok(Questions::remembered(list(rows)?))
}

fn list(rows: Vec<QuestionRow<'_>>) -> Result<Vec<Question>, Wrong> {
    rows.into_iter().map(Question::try_from).collect()
}

impl<'a> From<&'a Question> for QuestionRow<'a> {
    fn from(question: &'a Question) -> Self {
        Self {
            id: text(question.id.as_str()),
            named_by: question.named_by.into(),
            header: optional(question.header.as_ref()),
            text: text(&question.text),
            description: optional(question.description.as_ref()),
            kind: match question.kind {
                Kind::OneOf => KindRow::OneOf,
                Kind::SomeOf { min, max } => KindRow::SomeOf { min, max },
                Kind::Text => KindRow::Text,
                Kind::YesNo => KindRow::YesNo,
            },
            choices: question.choices.iter().map(ChoiceRow::from).collect(),
            free: question.free.as_ref().map(FreeRow::from),
            required: question.required,
            secret: question.secret,
            depends_on: question.depends_on.as_ref().map(|condition| ConditionRow {
                question: text(condition.question.as_str()),
                choice: condition.choice.as_ref().map(|choice| text(choice.as_str())),
            }),
            collected: question.collected.as_ref().map(|collected| CollectedRow {
                picked: collected.picked.iter().map(|choice| text(choice.as_str())).collect(),
                text: optional(collected.text.as_ref()),
            }),
        }
    }
}

impl TryFrom<QuestionRow<'_>> for Question {
    type Error = Wrong;
    fn try_from(row: QuestionRow<'_>) -> Result<Self, Wrong> {
        Ok(Self {
            id: QuestionId::new(row.id),
            named_by: NamedBy::from(row.named_by),
            header: owned(row.header),
            text: row.text.into_owned(),
            description: owned(row.description),
            kind: match row.kind {
                KindRow::OneOf => Kind::OneOf,
                KindRow::SomeOf { min, max } => Kind::SomeOf { min, max },
                KindRow::Text => Kind::Text,
                KindRow::YesNo => Kind::YesNo,
            },
            choices: row.choices.into_iter().map(Choice::try_from).collect::<Result<_, _>>()?,
            free: row.free.map(FreeText::try_from).transpose()?,
            required: row.required,
            secret: row.secret,
            depends_on: row.depends_on.map(|condition| Condition {
                question: QuestionId::new(condition.question),
                choice: condition.choice.map(ChoiceId::new),
            }),
            collected: row.collected.map(|collected| Collected {
                picked: collected.picked.into_iter().map(ChoiceId::new).collect(),
                text: owned(collected.text),
            }),
        })
    }
}

impl<'a> From<&'a Choice> for ChoiceRow<'a> {
    fn from(choice: &'a Choice) -> Self {
        Self {
            id: text(choice.id.as_str()),
            label: text(&choice.label),
            description: optional(choice.description.as_ref()),
            preview: choice.preview.as_ref().map(|preview| (preview.format.into(), text(&preview.text))),
            running: optional(choice.running.as_ref()),
            default: choice.default,
            recommended: choice.recommended,
            follow_ups: choice.follow_ups.iter().map(QuestionRow::from).collect(),
        }
    }
}

impl TryFrom<ChoiceRow<'_>> for Choice {
    type Error = Wrong;
    fn try_from(row: ChoiceRow<'_>) -> Result<Self, Wrong> {
        Ok(Self {
            id: ChoiceId::new(row.id),
            label: row.label.into_owned(),
            description: owned(row.description),
            preview: row
                .preview
                .map(|(format, text)| Preview { format: format.into(), text: text.into_owned() }),
            running: owned(row.running),
            default: row.default,
            recommended: row.recommended,
            follow_ups: list(row.follow_ups)?,
        })
    }
}

impl<'a> From<&'a FreeText> for FreeRow<'a> {
    fn from(free: &'a FreeText) -> Self {
        let bounds = |min: Option<f64>, max: Option<f64>| BoundsRow {
            min: min.map(|number| format!("{number:?}")),
            max: max.map(|number| format!("{number:?}")),
        };
        let format = match free.format {
            Format::Any => None,
            Format::Integer { min, max } => Some(FormatRow::Integer(bounds(min, max))),
            Format::Number { min, max } => Some(FormatRow::Number(bounds(min, max))),
            Format::Email => Some(FormatRow::Email),
            Format::Uri => Some(FormatRow::Uri),
            Format::Date => Some(FormatRow::Date),
            Format::DateTime => Some(FormatRow::DateTime),
        };
        Self {
            format,
            chars_min: free.chars_min,
            chars_max: free.chars_max,
            any_characters: free.any_characters,
            placeholder: optional(free.placeholder.as_ref()),
            default: optional(free.default.as_ref()),
        }
    }
}

impl TryFrom<FreeRow<'_>> for FreeText {
    type Error = Wrong;
    fn try_from(row: FreeRow<'_>) -> Result<Self, Wrong> {
        let format = match row.format {
            None => Format::Any,
            Some(FormatRow::Integer(bounds)) => {
                Format::Integer { min: bound(bounds.min)?, max: bound(bounds.max)? }
            }
            Some(FormatRow::Number(bounds)) => {
                Format::Number { min: bound(bounds.min)?, max: bound(bounds.max)? }
            }
            Some(FormatRow::Email) => Format::Email,
            Some(FormatRow::Uri) => Format::Uri,
            Some(FormatRow::Date) => Format::Date,
            Some(FormatRow::DateTime) => Format::DateTime,
        };
        Ok(Self {
            format,
            chars_min: row.chars_min,
            chars_max: row.chars_max,
            any_characters: row.any_characters,
            placeholder: owned(row.placeholder),
            default: owned(row.default),
        })
    }
}

fn bound(text: Option<String>) -> Result<Option<f64>, Wrong> {
    let parse = |text: String| text.parse().map_err(|_| Wrong::new(format!("`{text}` is not a number")));
    text.map(parse).transpose()
}
