//! Finds all faults of a draft, or makes questions of it.

use std::collections::BTreeMap;
use std::fmt;

use super::choice::{free_text, yes_no};
use super::{Draft, DraftKind, DraftQuestion, Given, KeyedBy, Keys, NotOffered, Other};
use crate::condition;
use crate::entry::Entry;
use crate::id::{ChoiceId, QuestionId};
use crate::limits::{Demands, ID_CHARS_MAX, Limits, QUESTIONS_IN_ALL_MAX};
use crate::problem::{Fault, Problem};
use crate::question::{Collected, Condition, Kind, NamedBy, Question, Questions};

impl Draft {
    /// Checks the draft; all its faults, or its questions.
    pub fn check(self, limits: &Limits) -> Result<Questions, Vec<Problem>> {
        let at = self.at.clone();
        let (questions, _) = self.check_and_warn(limits)?;
        if questions.is_collected() {
            let fault = Fault::NothingLeft;
            return Err(vec![Problem::new(at, fault)]);
        }
        Ok(questions)
    }

    /// Checks the draft; all its faults, or its questions with what its asker should know of them. The asker may
    /// have brought every answer along.
    pub fn check_and_warn(self, limits: &Limits) -> Result<(Questions, Vec<Problem>), Vec<Problem>> {
        let mut check = Check {
            limits,
            keys: self.keys,
            problems: self.problems,
            ids: BTreeMap::new(),
            places: BTreeMap::new(),
            conditions: Vec::new(),
            not_offered: self.not_offered,
            warnings: Vec::new(),
            left_out: Vec::new(),
            n_made: 0,
            n_questions: 0,
        };
        let drafts = check.items(&*self.at, self.questions, 1, limits.questions_max).unwrap_or_default();
        let before = check.problems.len();
        check.check_distinct_keys(&drafts, self.keyed_by);
        check.note_given_ids(&drafts);
        // What is wrong between questions is said after what is wrong in each.
        let between = check.problems.split_off(before);
        let questions: Vec<Question> =
            drafts.into_iter().filter_map(|draft| check.question(draft, 0)).collect();
        check.problems.extend(between);
        check.nothing_left_out();
        if self.alone {
            check.nothing_elsewhere();
        }
        if check.problems.is_empty() {
            for (id, fault) in condition::faults(&questions) {
                let at = check.places.get(&id).cloned().unwrap_or_default();
                check.fault(format!("{at}.depends_on"), fault);
            }
        }
        if check.problems.is_empty() {
            Ok((Questions::checked(questions), check.warnings))
        } else {
            Err(check.problems)
        }
    }
}

/// Where something stands; written out only where there is a fault to tell.
pub(super) trait Place: fmt::Display + Copy {}

impl<T: fmt::Display + Copy> Place for T {}

/// A check under way: what was found and which ids are taken.
pub(super) struct Check<'a> {
    pub(super) limits: &'a Limits,
    keys: Keys,
    problems: Vec<Problem>,
    /// Ids of questions and where they stand.
    ids: BTreeMap<String, String>,
    /// Where each question stands, those that we named included.
    places: BTreeMap<QuestionId, String>,
    /// Questions that are waited for, and where that is said.
    conditions: Vec<(QuestionId, String)>,
    not_offered: NotOffered,
    warnings: Vec<Problem>,
    /// Questions that were left out with a warning.
    left_out: Vec<QuestionId>,
    n_made: usize,
    n_questions: usize,
}

impl Check<'_> {
    pub(super) fn fault(&mut self, at: impl fmt::Display, fault: Fault) {
        self.problems.push(Problem::new(at.to_string(), fault));
    }

    pub(super) fn items<T>(
        &mut self,
        at: impl Place,
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

    pub(super) fn required<T>(&mut self, at: impl Place, given: Given<T>) -> Option<T> {
        if matches!(given, Given::Missing) {
            self.fault(at, Fault::Missing);
        }
        self.optional(at, given)
    }

    pub(super) fn optional<T>(&mut self, at: impl Place, given: Given<T>) -> Option<T> {
        match given {
            Given::Value(value) => Some(value),
            Given::Missing => None,
            Given::Wrong(fault) => {
                self.fault(at, fault);
                None
            }
        }
    }

    pub(super) fn text(&mut self, at: impl Place, given: Option<String>, max: usize) -> Option<String> {
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
    pub(super) fn loose_text(
        &mut self,
        at: impl Place,
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
    fn check_distinct_keys(&mut self, drafts: &[DraftQuestion], keyed_by: KeyedBy) {
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
    fn note_given_ids(&mut self, drafts: &[DraftQuestion]) {
        for draft in drafts {
            self.n_questions += 1;
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
                    self.note_given_ids(questions);
                }
            }
        }
    }

    pub(super) fn question(&mut self, draft: DraftQuestion, depth: usize) -> Option<Question> {
        let at = draft.at;
        if let Some(fault) = draft.wrong {
            self.fault(at, fault);
            return None;
        }
        if self.n_questions > QUESTIONS_IN_ALL_MAX {
            let fault = Fault::TooManyItems { max: QUESTIONS_IN_ALL_MAX, got: self.n_questions };
            self.n_questions = 0;
            self.fault(at.clone(), fault);
        }
        let (limits, keys) = (*self.limits, self.keys);
        let (id, named_by) = self.question_id(&at, draft.id);
        self.places.insert(id.clone(), at.clone());
        let text = self.required(format_args!("{at}.{}", keys.text), draft.text);
        let text = self.text(format_args!("{at}.{}", keys.text), text, limits.question_chars_max);
        let demanded = limits.demands != Demands::Essentials;
        let header =
            self.loose_text(format_args!("{at}.header"), draft.header, limits.header_chars_max, demanded);
        let description = self.loose_text(
            format_args!("{at}.description"),
            draft.description,
            limits.description_chars_max,
            false,
        );
        let choices_at = format!("{at}.{}", keys.choices);
        let kind = match draft.kind {
            Given::Value(kind) => Given::Value(kind),
            Given::Missing if limits.demands == Demands::Everything => Given::Missing,
            Given::Missing => Given::Value(DraftKind::OneOf),
            Given::Wrong(fault) => Given::Wrong(fault),
        };
        // A question whose kind is unclear still has its choices checked: all faults at once.
        let assumed = if let Given::Value(kind) = kind { kind } else { DraftKind::OneOf };
        // Without a type that anybody knows, nobody knows either whether it has any.
        let unknown = matches!(kind, Given::Wrong(Fault::NotOneOf { .. })) && draft.choices == Given::Missing;
        let (mut choices, n_choices) = match assumed {
            _ if unknown => (Vec::new(), 0),
            DraftKind::OneOf | DraftKind::SomeOf { .. } => self.choices(&choices_at, draft.choices),
            DraftKind::YesNo => (yes_no(draft.yes), 2),
            DraftKind::Text => (Vec::new(), 0),
        };
        let kind = self.required(format_args!("{at}.{}", keys.kind), kind);
        let required = self.optional(format_args!("{at}.required"), draft.required).unwrap_or(true);
        let secret = self.optional(format_args!("{at}.secret"), draft.secret).unwrap_or(false);
        let depends_on = self.condition(format_args!("{at}.depends_on"), draft.depends_on);
        for follow_ups in draft.follow_ups {
            self.follow_ups(&mut choices, follow_ups, depth);
        }
        let kind = self.bounds(&choices_at, kind.unwrap_or(assumed), n_choices, draft.other, required);
        let free = free_text(kind, draft.other, draft.text_rules, &limits);
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
            question.collected = Some(self.collected(&question, &at, picked, text));
        }
        Some(question)
    }

    fn condition(&mut self, at: impl Place, given: Given<Condition>) -> Option<Condition> {
        let condition = self.optional(at, given)?;
        self.conditions.push((condition.question.clone(), at.to_string()));
        Some(condition)
    }

    /// Tells follow-ups that nothing opens: as a fault, or they are left out with a warning.
    pub(super) fn never_shown(&mut self, at: String, choice: String, questions: Vec<Question>) {
        match self.not_offered {
            NotOffered::Fault => self.fault(at, Fault::NoSuchChoice { choice }),
            NotOffered::Warning => {
                self.warnings.push(Problem::new(at, Fault::NeverShown { choice }));
                let left_out = Questions::checked(questions);
                self.left_out.extend(left_out.all().into_iter().map(|question| question.id.clone()));
            }
        }
    }

    /// What was left out is never answered: whatever waited for it would wait for ever.
    fn nothing_left_out(&mut self) {
        let left_out = std::mem::take(&mut self.left_out);
        for (id, at) in self.conditions.clone().into_iter().filter(|(id, _)| left_out.contains(id)) {
            self.fault(at, Fault::NoSuchQuestion { question: id.as_str().to_owned() });
        }
    }

    /// Every question that is waited for must be here.
    fn nothing_elsewhere(&mut self) {
        for (id, at) in std::mem::take(&mut self.conditions) {
            if !self.places.contains_key(&id) && !self.ids.contains_key(id.as_str()) {
                self.fault(at, Fault::NoSuchQuestion { question: id.as_str().to_owned() });
            }
        }
    }

    fn question_id(&mut self, at: &str, given: Given<String>) -> (QuestionId, NamedBy) {
        let key = self.keys.id;
        let given = self.optional(format_args!("{at}.{key}"), given);
        if let Some(id) = self.text(format_args!("{at}.{key}"), given, ID_CHARS_MAX) {
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

    /// Settles how many may be picked. "Other" counts as one pick.
    fn bounds(&mut self, at: &str, kind: DraftKind, n_choices: usize, other: Other, required: bool) -> Kind {
        let most = n_choices + usize::from(other == Other::Offered);
        match kind {
            DraftKind::OneOf => Kind::OneOf,
            DraftKind::Text => Kind::Text,
            DraftKind::YesNo => Kind::YesNo,
            DraftKind::SomeOf { min, max } => {
                let least = min.unwrap_or(0).max(usize::from(required));
                let max = max.unwrap_or(most).min(most.max(1));
                if least > max {
                    self.fault(at, Fault::TooFewPicks { min: least, max });
                }
                Kind::SomeOf { min: least.max(1), max }
            }
        }
    }

    fn collected(
        &mut self,
        question: &Question,
        at: &str,
        picked: Vec<String>,
        text: Option<String>,
    ) -> Collected {
        let mut ids = Vec::new();
        for name in picked {
            let choice = question.labelled(&name).or_else(|| question.choice(&ChoiceId::new(name.as_str())));
            match choice {
                Some(choice) => ids.push(choice.id.clone()),
                None => self.fault(at, Fault::NoSuchChoice { choice: name }),
            }
        }
        let entry = Entry { picked: ids, text, ..Entry::default() };
        if let Some(fault) = entry.fault(question) {
            self.fault(at, fault);
        }
        Collected { picked: entry.picked, text: entry.text }
    }
}
