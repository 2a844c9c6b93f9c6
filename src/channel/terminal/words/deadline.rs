//! What a deadline brings, and when.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::deadline::AtDeadline;
use askuser_core::question::Questions;
use askuser_core::sheet::Sheet;

use super::Language;
use crate::channel::terminal::summary::{answer, is_answered};

/// What happens to an ask at its deadline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Then {
    /// The agent is told that nobody answered.
    Unanswered,
    /// The asker's default is taken: this answer.
    Default(String),
    /// The task stops.
    Stops,
}

impl Then {
    /// What a deadline brings, in a person's language.
    pub fn of(at_deadline: &AtDeadline, questions: &Arc<Questions>, language: Language) -> Self {
        match at_deadline {
            AtDeadline::Unanswered => Self::Unanswered,
            AtDeadline::Stops => Self::Stops,
            AtDeadline::Default(answers) => {
                let sheet = Sheet::filled(Arc::clone(questions), answers.entries());
                let Ok(sheet) = sheet else { return Self::Default(String::new()) };
                let visible = sheet.visible();
                let marked = visible.iter().filter(|visible| is_answered(&sheet, visible.question));
                let said = marked.map(|visible| answer(&sheet, visible.question, language.words()));
                Self::Default(said.collect::<Vec<_>>().join(language.words().comma).replace('\n', " "))
            }
        }
    }
}

impl Language {
    /// Says when a deadline comes and what it brings, in full.
    pub fn deadline(self, left: Duration, then: Option<&Then>) -> String {
        let Some(then) = then else { return self.time_left(left) };
        let clock = clock(left);
        match (self, then) {
            (Self::English, Then::Unanswered) => {
                format!("in {clock} the agent is told that nobody answered")
            }
            (Self::English, Then::Default(answer)) => format!("in {clock} the default {answer} is taken"),
            (Self::English, Then::Stops) => format!("in {clock} the task stops"),
            (Self::Chinese, Then::Unanswered) => format!("{clock} 后告知智能体无人回答"),
            (Self::Chinese, Then::Default(answer)) => format!("{clock} 后采用默认值 {answer}"),
            (Self::Chinese, Then::Stops) => format!("{clock} 后任务停止"),
        }
    }

    /// The same in few words, for a row of a list.
    pub fn deadline_short(self, left: Duration, then: Option<&Then>) -> String {
        let Some(then) = then else { return self.time_left(left) };
        let clock = clock(left);
        match (self, then) {
            (Self::English, Then::Unanswered) => format!("in {clock}: unanswered"),
            (Self::English, Then::Default(answer)) => format!("in {clock}: {answer}"),
            (Self::English, Then::Stops) => format!("in {clock}: task stops"),
            (Self::Chinese, Then::Unanswered) => format!("{clock} 后：无人回答"),
            (Self::Chinese, Then::Default(answer)) => format!("{clock} 后：{answer}"),
            (Self::Chinese, Then::Stops) => format!("{clock} 后：任务停止"),
        }
    }
}

/// Returns a time as a clock shows it; never nought early.
pub(super) fn clock(left: Duration) -> String {
    let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{:02}", seconds % 60)
    } else {
        format!("{minutes}:{:02}", seconds % 60)
    }
}
