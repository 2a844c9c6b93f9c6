//! Finds the faults of what may be picked, typed and opened under one question.

use std::collections::{BTreeMap, BTreeSet};

use super::check::Check;
use super::{DraftChoice, DraftFollowUps, Given, Other, TextRules};
use crate::format::Format;
use crate::id::ChoiceId;
use crate::limits::{Demands, FOLLOW_UP_DEPTH_MAX, ID_CHARS_MAX, Limits, QUESTIONS_IN_ALL_MAX};
use crate::look::look;
use crate::problem::Fault;
use crate::question::{Choice, FreeText, Kind, NO, Question, YES, unmarked};

impl Check<'_> {
    pub(super) fn choices(&mut self, at: &str, given: Given<Vec<DraftChoice>>) -> (Vec<Choice>, usize) {
        let (min, max) = (self.limits.choices_min, self.limits.choices_max);
        let Some(drafts) = self.items(at, given, min, max) else {
            return (Vec::new(), 0);
        };
        let n_choices = drafts.len();
        let given_ids: BTreeSet<String> = drafts
            .iter()
            .filter_map(|draft| if let Given::Value(id) = &draft.id { Some(id.clone()) } else { None })
            .collect();
        let mut taken: BTreeMap<String, String> = BTreeMap::new();
        let mut labels: BTreeMap<String, (String, String)> = BTreeMap::new();
        let mut choices = Vec::new();
        for (choice_idx, draft) in drafts.into_iter().enumerate() {
            let Some((choice, at)) = self.choice(draft, choice_idx, &given_ids) else {
                continue;
            };
            let is_label = choice.id.as_str() == choice.label;
            let same_id = taken.insert(choice.id.as_str().to_owned(), format!("{at}.id"));
            if let Some(of) = same_id.filter(|_| !is_label) {
                self.fault(format!("{at}.id"), Fault::Duplicate { of });
            } else if let Some((of, label)) =
                labels.insert(look(&choice.label), (format!("{at}.label"), choice.label.clone()))
            {
                // A person could not tell them apart, and where they are equal neither could a dialect of labels.
                let is_same = label == choice.label;
                let fault = if is_same { Fault::Duplicate { of } } else { Fault::LooksLike { of } };
                self.fault(format!("{at}.label"), fault);
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
        let id = self.optional(format_args!("{at}.id"), draft.id);
        let id = self.text(format_args!("{at}.id"), id, ID_CHARS_MAX);
        let label = self.required(format_args!("{at}.label"), draft.label);
        let label = self.text(format_args!("{at}.label"), label, limits.label_chars_max);
        let demanded = limits.demands != Demands::Essentials;
        let description = self.loose_text(
            format_args!("{at}.description"),
            draft.description,
            limits.description_chars_max,
            demanded,
        );
        let running =
            self.loose_text(format_args!("{at}.running"), draft.running, limits.description_chars_max, false);
        let id = id.unwrap_or_else(|| made_choice_id(choice_idx, given_ids));
        let label = label?;
        let recommended = draft.recommended || unmarked(&label).is_some();
        let choice = Choice {
            id: ChoiceId::new(id),
            label,
            description,
            preview: draft.preview,
            running,
            default: draft.default,
            recommended,
            follow_ups: Vec::new(),
        };
        Some((choice, at))
    }

    pub(super) fn follow_ups(&mut self, choices: &mut [Choice], draft: DraftFollowUps, depth: usize) {
        let Some(drafts) = self.items(&*draft.at, draft.questions, 0, QUESTIONS_IN_ALL_MAX) else {
            return;
        };
        if depth >= FOLLOW_UP_DEPTH_MAX {
            self.fault(draft.at, Fault::TooDeep { max: FOLLOW_UP_DEPTH_MAX });
            return;
        }
        let questions: Vec<Question> =
            drafts.into_iter().filter_map(|question| self.question(question, depth + 1)).collect();
        let by_id = choices.iter().position(|choice| choice.id.as_str() == draft.choice);
        let by_label = || choices.iter().position(|choice| choice.label == draft.choice);
        match by_id.or_else(by_label).and_then(|choice_idx| choices.get_mut(choice_idx)) {
            Some(choice) => choice.follow_ups.extend(questions),
            None => self.never_shown(draft.at, draft.choice, questions),
        }
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

pub(super) fn yes_no(suggested: Option<bool>) -> Vec<Choice> {
    let choice = |id: &str, label: &str, default| Choice {
        id: ChoiceId::from(id),
        label: label.to_owned(),
        description: None,
        preview: None,
        running: None,
        default,
        recommended: false,
        follow_ups: Vec::new(),
    };
    vec![choice(YES, "Yes", suggested == Some(true)), choice(NO, "No", suggested == Some(false))]
}

pub(super) fn free_text(kind: Kind, other: Other, rules: TextRules, limits: &Limits) -> Option<FreeText> {
    let (chars_max, any_characters) = (limits.text_chars_max, limits.any_characters);
    let plain = FreeText {
        format: Format::Any,
        chars_min: 1,
        chars_max,
        any_characters,
        placeholder: None,
        default: None,
    };
    match (kind, other) {
        (Kind::Text, _) => Some(FreeText {
            format: rules.format,
            chars_min: rules.chars_min.unwrap_or(1).max(1),
            chars_max: rules.chars_max.unwrap_or(chars_max).min(chars_max),
            any_characters,
            placeholder: rules.placeholder,
            default: rules.default.filter(|text| !text.is_empty()),
        }),
        (Kind::OneOf | Kind::SomeOf { .. }, Other::Offered) => {
            Some(FreeText { placeholder: rules.placeholder, ..plain })
        }
        (Kind::OneOf | Kind::SomeOf { .. }, Other::Closed) | (Kind::YesNo, _) => None,
    }
}
