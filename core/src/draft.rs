//! An ask as it came in, in any dialect, unchecked.
//!
//! Only a draft may be wrong. A dialect puts what it read into it, a value of the wrong kind
//! included, and `check` finds *all* faults in the order in which they stand in the input.

use std::collections::{BTreeMap, BTreeSet};

use crate::condition;
use crate::format::Format;
use crate::id::{ChoiceId, QuestionId};
use crate::limits::{Demands, FOLLOW_UP_DEPTH_MAX, ID_CHARS_MAX, Limits, QUESTIONS_IN_ALL_MAX};
use crate::problem::{Fault, Problem};
use crate::question::{
    Choice, Collected, Condition, FreeText, Kind, NO, NamedBy, Preview, Question, Questions, YES,
    unmarked,
};

/// A value that may be there, missing, or of the wrong kind.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Given<T> {
    /// It is there.
    Value(T),
    /// It is not there.
    #[default]
    Missing,
    /// Something else is there.
    Wrong(Fault),
}

/// The names of the fields in a dialect, for the paths of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keys {
    /// The question's text.
    pub text: &'static str,
    /// What says how it is answered.
    pub kind: &'static str,
    /// The choices.
    pub choices: &'static str,
    /// The question's id.
    pub id: &'static str,
}

/// An unchecked ask: its questions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Draft {
    /// Where the list of questions stands, as `questions`.
    pub at: String,
    /// The names of the fields.
    pub keys: Keys,
    /// The questions.
    pub questions: Given<Vec<DraftQuestion>>,
    /// Faults of the ask around the questions, found while reading.
    pub problems: Vec<Problem>,
    /// What must differ between questions, because the dialect's answers are keyed by it.
    pub keyed_by: KeyedBy,
}

/// What a dialect's answers are keyed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeyedBy {
    /// Ids or positions, which differ anyway.
    #[default]
    Place,
    /// Headers: two alike would overwrite one another.
    Header,
    /// Texts: two alike would overwrite one another.
    Text,
}

/// An unchecked question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DraftQuestion {
    /// Where it stands, as `questions[0]`.
    pub at: String,
    /// It is not even an object.
    pub wrong: Option<Fault>,
    /// Its id.
    pub id: Given<String>,
    /// Its short label.
    pub header: Given<String>,
    /// What is asked.
    pub text: Given<String>,
    /// A longer explanation.
    pub description: Given<String>,
    /// How it is answered.
    pub kind: Given<DraftKind>,
    /// What may be picked.
    pub choices: Given<Vec<DraftChoice>>,
    /// What may be typed beside the choices.
    pub other: Other,
    /// What the typed text of a text question must look like.
    pub text_rules: TextRules,
    /// Whether it must be answered; it must where nothing is said.
    pub required: Given<bool>,
    /// Whether the answer is a secret.
    pub secret: Given<bool>,
    /// Follow-ups by the id or label of the choice that opens them, with where they stand.
    pub follow_ups: Vec<DraftFollowUps>,
    /// The answer it waits for.
    pub depends_on: Given<Condition>,
    /// The suggested answer of a yes-no question.
    pub yes: Option<bool>,
    /// An answer that the asker already had: labels or ids, and text.
    pub collected: Option<(Vec<String>, Option<String>)>,
}

/// How an unchecked question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftKind {
    /// One choice.
    OneOf,
    /// Several choices, within bounds where they are given.
    SomeOf {
        /// The least.
        min: Option<usize>,
        /// The most.
        max: Option<usize>,
    },
    /// Typed text.
    Text,
    /// Yes or no.
    YesNo,
}

/// Whether a person may type something that is none of the choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Other {
    /// Yes, as always unless the dialect can say otherwise.
    #[default]
    Offered,
    /// No.
    Closed,
}

/// What a typed text must look like.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextRules {
    /// The kind of value.
    pub format: Format,
    /// The fewest characters.
    pub chars_min: Option<usize>,
    /// The most characters.
    pub chars_max: Option<usize>,
    /// A hint for the empty field.
    pub placeholder: Option<String>,
    /// The suggested answer.
    pub default: Option<String>,
}

/// An unchecked choice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DraftChoice {
    /// Where it stands, as `questions[0].options[1]`.
    pub at: String,
    /// It is not even an object.
    pub wrong: Option<Fault>,
    /// Its id.
    pub id: Given<String>,
    /// What it says.
    pub label: Given<String>,
    /// What it means.
    pub description: Given<String>,
    /// A longer look at it.
    pub preview: Option<Preview>,
    /// Picked beforehand.
    pub default: bool,
    /// Marked as the one to take.
    pub recommended: bool,
}

/// Follow-ups under one choice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DraftFollowUps {
    /// The id or the label of the choice.
    pub choice: String,
    /// Where they stand.
    pub at: String,
    /// The questions.
    pub questions: Given<Vec<DraftQuestion>>,
}

impl Default for Keys {
    fn default() -> Self {
        Self {
            text: "question",
            kind: "type",
            choices: "options",
            id: "question_id",
        }
    }
}

impl Draft {
    /// Checks the draft; all its faults, or its questions.
    pub fn check(self, limits: &Limits) -> Result<Questions, Vec<Problem>> {
        let mut check = Check {
            limits,
            keys: self.keys,
            problems: self.problems,
            ids: BTreeMap::new(),
            places: BTreeMap::new(),
            n_made: 0,
            n_all: 0,
        };
        let mut drafts = check
            .items(&self.at, self.questions, 1, limits.questions_max)
            .unwrap_or_default();
        check.differ(&drafts, self.keyed_by);
        check.reserve(&drafts);
        let questions: Vec<Question> = drafts
            .drain(..)
            .filter_map(|draft| check.question(draft, 0))
            .collect();
        if check.problems.is_empty() {
            for (id, fault) in condition::faults(&questions) {
                let at = check.places.get(&id).cloned().unwrap_or_default();
                check.fault(format!("{at}.depends_on"), fault);
            }
            if !questions.is_empty()
                && questions
                    .iter()
                    .all(|question| question.collected.is_some())
            {
                let fault = Fault::Other("is answered already: nothing is left to ask".to_owned());
                check.problems.push(Problem::new(self.at, fault));
            }
        }
        if check.problems.is_empty() {
            Ok(Questions::checked(questions))
        } else {
            Err(check.problems)
        }
    }
}

/// A check under way: what was found and which ids are taken.
struct Check<'a> {
    limits: &'a Limits,
    keys: Keys,
    problems: Vec<Problem>,
    /// Ids of questions and where they stand.
    ids: BTreeMap<String, String>,
    /// Where each question stands, those that we named included.
    places: BTreeMap<QuestionId, String>,
    n_made: usize,
    n_all: usize,
}

impl Check<'_> {
    fn fault(&mut self, at: impl Into<String>, fault: Fault) {
        self.problems.push(Problem::new(at, fault));
    }

    fn items<T>(
        &mut self,
        at: &str,
        given: Given<Vec<T>>,
        min: usize,
        max: usize,
    ) -> Option<Vec<T>> {
        let items = self.required(at, given)?;
        let got = items.len();
        if got < min {
            self.fault(at, Fault::TooFewItems { min, got });
        } else if got > max {
            self.fault(at, Fault::TooManyItems { max, got });
        }
        Some(items)
    }

    fn required<T>(&mut self, at: &str, given: Given<T>) -> Option<T> {
        if matches!(given, Given::Missing) {
            self.fault(at, Fault::Missing);
        }
        self.optional(at, given)
    }

    fn optional<T>(&mut self, at: &str, given: Given<T>) -> Option<T> {
        match given {
            Given::Value(value) => Some(value),
            Given::Missing => None,
            Given::Wrong(fault) => {
                self.fault(at, fault);
                None
            }
        }
    }

    fn text(&mut self, at: &str, given: Option<String>, max: usize) -> Option<String> {
        let text = given?;
        let got = text.chars().count();
        if got < 1 {
            self.fault(at, Fault::TooFewChars { min: 1, got });
        } else if got > max {
            self.fault(at, Fault::TooManyChars { max, got });
        }
        Some(text)
    }

    /// An optional text; where it may be left out, an empty one counts as left out.
    fn loose_text(
        &mut self,
        at: &str,
        given: Given<String>,
        max: usize,
        demanded: bool,
    ) -> Option<String> {
        if demanded {
            let given = self.required(at, given);
            return self.text(at, given, max);
        }
        let given = self.optional(at, given).filter(|text| !text.is_empty());
        self.text(at, given, max)
    }

    /// Keys of the dialect's answers must differ, or one answer would overwrite another.
    fn differ(&mut self, drafts: &[DraftQuestion], keyed_by: KeyedBy) {
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for draft in drafts {
            let (given, key) = match keyed_by {
                KeyedBy::Place => return,
                KeyedBy::Header => (&draft.header, "header"),
                KeyedBy::Text => (&draft.text, self.keys.text),
            };
            let Given::Value(text) = given else { continue };
            let at = format!("{}.{key}", draft.at);
            if let Some(first) = seen.get(text) {
                let of = first.clone();
                self.fault(at, Fault::Duplicate { of });
            } else {
                seen.insert(text.clone(), at);
            }
        }
    }

    /// Notes the ids that the asker gave, so that one we make never takes the place of one of them.
    fn reserve(&mut self, drafts: &[DraftQuestion]) {
        for draft in drafts {
            self.n_all += 1;
            if let Given::Value(id) = &draft.id {
                let at = format!("{}.{}", draft.at, self.keys.id);
                let at = at.trim_start_matches('.').to_owned();
                if let Some(first) = self.ids.get(id) {
                    let of = first.clone();
                    self.fault(at, Fault::Duplicate { of });
                } else {
                    self.ids.insert(id.clone(), at);
                }
            }
            for follow_ups in &draft.follow_ups {
                if let Given::Value(questions) = &follow_ups.questions {
                    self.reserve(questions);
                }
            }
        }
    }

    fn question(&mut self, draft: DraftQuestion, depth: usize) -> Option<Question> {
        let at = draft.at;
        if let Some(fault) = draft.wrong {
            self.fault(at, fault);
            return None;
        }
        if self.n_all > QUESTIONS_IN_ALL_MAX {
            let fault = Fault::TooManyItems {
                max: QUESTIONS_IN_ALL_MAX,
                got: self.n_all,
            };
            self.n_all = 0; // Said once.
            self.fault(at.clone(), fault);
        }
        let (limits, keys) = (*self.limits, self.keys);
        let (id, named_by) = self.question_id(&at, draft.id);
        self.places.insert(id.clone(), at.clone());
        let text = self.required(&format!("{at}.{}", keys.text), draft.text);
        let text = self.text(
            &format!("{at}.{}", keys.text),
            text,
            limits.question_chars_max,
        );
        let demanded = limits.demands != Demands::Essentials;
        let header = self.loose_text(
            &format!("{at}.header"),
            draft.header,
            limits.header_chars_max,
            demanded,
        );
        let description = self.loose_text(
            &format!("{at}.description"),
            draft.description,
            limits.description_chars_max,
            false,
        );
        let choices_at = format!("{at}.{}", keys.choices);
        let kind_at = format!("{at}.{}", keys.kind);
        let kind = match draft.kind {
            Given::Value(kind) => Given::Value(kind),
            Given::Missing if limits.demands == Demands::Everything => Given::Missing,
            Given::Missing => Given::Value(DraftKind::OneOf),
            Given::Wrong(fault) => Given::Wrong(fault),
        };
        // A question whose kind is unclear still has its choices checked: all faults at once.
        let assumed = if let Given::Value(kind) = kind {
            kind
        } else {
            DraftKind::OneOf
        };
        let (mut choices, n_choices) = match assumed {
            DraftKind::OneOf | DraftKind::SomeOf { .. } => self.choices(&choices_at, draft.choices),
            DraftKind::YesNo => (yes_no(draft.yes), 2),
            DraftKind::Text => (Vec::new(), 0),
        };
        let kind = self.required(&kind_at, kind);
        let required = self
            .optional(&format!("{at}.required"), draft.required)
            .unwrap_or(true);
        let secret = self
            .optional(&format!("{at}.secret"), draft.secret)
            .unwrap_or(false);
        let depends_on = self.optional(&format!("{at}.depends_on"), draft.depends_on);
        for follow_ups in draft.follow_ups {
            self.follow_ups(&mut choices, follow_ups, depth);
        }
        let kind = self.bounds(
            &choices_at,
            kind.unwrap_or(assumed),
            n_choices,
            draft.other,
            required,
        );
        let free = free_text(kind, draft.other, draft.text_rules, limits.text_chars_max);
        let mut question = Question {
            id,
            named_by,
            header,
            text: text?,
            description,
            kind,
            choices,
            free,
            required,
            secret,
            depends_on,
            collected: None,
        };
        if let Some((picked, text)) = draft.collected {
            question.collected = self.collected(&question, &at, picked, text);
        }
        Some(question)
    }

    fn question_id(&mut self, at: &str, given: Given<String>) -> (QuestionId, NamedBy) {
        let at = format!("{at}.{}", self.keys.id);
        let given = self.optional(&at, given);
        if let Some(id) = self.text(&at, given, ID_CHARS_MAX) {
            return (QuestionId::new(id), NamedBy::Asker);
        }
        loop {
            self.n_made += 1;
            let id = format!("q{}", self.n_made);
            if !self.ids.contains_key(&id) {
                return (QuestionId::new(id), NamedBy::Us);
            }
        }
    }

    fn choices(&mut self, at: &str, given: Given<Vec<DraftChoice>>) -> (Vec<Choice>, usize) {
        let (min, max) = (self.limits.choices_min, self.limits.choices_max);
        let Some(drafts) = self.items(at, given, min, max) else {
            return (Vec::new(), 0);
        };
        let n_choices = drafts.len();
        let given_ids: BTreeSet<String> = drafts
            .iter()
            .filter_map(|draft| {
                if let Given::Value(id) = &draft.id {
                    Some(id.clone())
                } else {
                    None
                }
            })
            .collect();
        let mut taken: BTreeMap<String, String> = BTreeMap::new();
        let mut labels: BTreeMap<String, String> = BTreeMap::new();
        let mut choices = Vec::new();
        for (choice_idx, draft) in drafts.into_iter().enumerate() {
            let Some((choice, at)) = self.choice(draft, choice_idx, &given_ids) else {
                continue;
            };
            if let Some(of) = taken.insert(choice.id.as_str().to_owned(), format!("{at}.id")) {
                self.fault(format!("{at}.id"), Fault::Duplicate { of });
            } else if let Some(of) = labels.insert(choice.label.clone(), format!("{at}.label")) {
                // A person could not tell them apart, and neither could a dialect of labels.
                self.fault(format!("{at}.label"), Fault::Duplicate { of });
            }
            choices.push(choice);
        }
        (choices, n_choices)
    }

    fn choice(
        &mut self,
        draft: DraftChoice,
        choice_idx: usize,
        given_ids: &BTreeSet<String>,
    ) -> Option<(Choice, String)> {
        let at = draft.at;
        if let Some(fault) = draft.wrong {
            self.fault(at, fault);
            return None;
        }
        let limits = *self.limits;
        let id_at = format!("{at}.id");
        let id = self.optional(&id_at, draft.id);
        let id = self.text(&id_at, id, ID_CHARS_MAX);
        let label = self.required(&format!("{at}.label"), draft.label);
        let label = self.text(&format!("{at}.label"), label, limits.label_chars_max);
        let demanded = limits.demands != Demands::Essentials;
        let description = self.loose_text(
            &format!("{at}.description"),
            draft.description,
            limits.description_chars_max,
            demanded,
        );
        let id = id.unwrap_or_else(|| made_choice_id(choice_idx, given_ids));
        let label = label?;
        let recommended = draft.recommended || unmarked(&label).is_some();
        let choice = Choice {
            id: ChoiceId::new(id),
            label,
            description,
            preview: draft.preview,
            default: draft.default,
            recommended,
            follow_ups: Vec::new(),
        };
        Some((choice, at))
    }

    fn follow_ups(&mut self, choices: &mut [Choice], draft: DraftFollowUps, depth: usize) {
        let Some(drafts) = self.items(&draft.at, draft.questions, 0, QUESTIONS_IN_ALL_MAX) else {
            return;
        };
        if depth >= FOLLOW_UP_DEPTH_MAX {
            self.fault(
                draft.at,
                Fault::TooDeep {
                    max: FOLLOW_UP_DEPTH_MAX,
                },
            );
            return;
        }
        let questions: Vec<Question> = drafts
            .into_iter()
            .filter_map(|question| self.question(question, depth + 1))
            .collect();
        let by_id = choices
            .iter()
            .position(|choice| choice.id.as_str() == draft.choice);
        let by_label = || {
            choices
                .iter()
                .position(|choice| choice.label == draft.choice)
        };
        match by_id
            .or_else(by_label)
            .and_then(|choice_idx| choices.get_mut(choice_idx))
        {
            Some(choice) => choice.follow_ups.extend(questions),
            None => self.fault(
                draft.at,
                Fault::NoSuchChoice {
                    choice: draft.choice,
                },
            ),
        }
    }

    /// Settles how many may be picked. "Other" counts as one pick.
    fn bounds(
        &mut self,
        at: &str,
        kind: DraftKind,
        n_choices: usize,
        other: Other,
        required: bool,
    ) -> Kind {
        let most = n_choices + usize::from(other == Other::Offered);
        match kind {
            DraftKind::OneOf => Kind::OneOf,
            DraftKind::Text => Kind::Text,
            DraftKind::YesNo => Kind::YesNo,
            DraftKind::SomeOf { min, max } => {
                let least = min.unwrap_or(0).max(usize::from(required));
                let max = max.unwrap_or(most).min(most.max(1));
                if least > max {
                    let words =
                        format!("asks for {least} picks at least, {max} at most can be made");
                    self.fault(at, Fault::Other(words));
                }
                Kind::SomeOf {
                    min: least.max(1),
                    max,
                }
            }
        }
    }

    fn collected(
        &mut self,
        question: &Question,
        at: &str,
        picked: Vec<String>,
        text: Option<String>,
    ) -> Option<Collected> {
        let mut ids = Vec::new();
        for name in picked {
            let choice = question
                .labelled(&name)
                .or_else(|| question.choice(&ChoiceId::new(name.as_str())));
            match choice {
                Some(choice) => ids.push(choice.id.clone()),
                None => self.fault(at, Fault::NoSuchChoice { choice: name }),
            }
        }
        Some(Collected { picked: ids, text })
    }
}

/// Ids of choices that have none: `1`, `2`, … as they are counted on every surface.
fn made_choice_id(choice_idx: usize, given_ids: &BTreeSet<String>) -> String {
    let mut id = (choice_idx + 1).to_string();
    while given_ids.contains(&id) {
        id.insert(0, 'c');
    }
    id
}

fn yes_no(suggested: Option<bool>) -> Vec<Choice> {
    let choice = |id: &str, label: &str, default| Choice {
        id: ChoiceId::from(id),
        label: label.to_owned(),
        description: None,
        preview: None,
        default,
        recommended: false,
        follow_ups: Vec::new(),
    };
    vec![
        choice(YES, "Yes", suggested == Some(true)),
        choice(NO, "No", suggested == Some(false)),
    ]
}

fn free_text(kind: Kind, other: Other, rules: TextRules, chars_max: usize) -> Option<FreeText> {
    let plain = FreeText {
        format: Format::Any,
        chars_min: 1,
        chars_max,
        placeholder: None,
        default: None,
    };
    match (kind, other) {
        (Kind::Text, _) => Some(FreeText {
            format: rules.format,
            chars_min: rules.chars_min.unwrap_or(1).max(1),
            chars_max: rules.chars_max.unwrap_or(chars_max).min(chars_max),
            placeholder: rules.placeholder,
            default: rules.default.filter(|text| !text.is_empty()),
        }),
        (Kind::OneOf | Kind::SomeOf { .. }, Other::Offered) => Some(FreeText {
            placeholder: rules.placeholder,
            ..plain
        }),
        (Kind::OneOf | Kind::SomeOf { .. }, Other::Closed) | (Kind::YesNo, _) => None,
    }
}

#[cfg(test)]
mod tests;
