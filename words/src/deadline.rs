//! What happens to a question at its deadline: one wording for every surface.

use std::fmt::Display;
use std::time::Duration;

use crate::Language;
use crate::time::{Time, clock};

/// What happens at a deadline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Then {
    /// The agent is told that nobody answered.
    Unanswered,
    /// The asker's default is taken: this answer, where it is named.
    Default(Option<String>),
    /// The task stops.
    Stops,
}

phrases! {
    /// What happens at a deadline, and when.
    Deadline {
        unanswered: "the agent is told that nobody answered" | "告知智能体无人回答";
        default: "the default is taken" | "采用默认值";
        default_is(answer): "the default “{answer}” is taken" | "采用默认值“{answer}”";
        stops: "the task stops" | "任务停止";
        at(clock, then): "in {clock} {then}" | "{clock} 后{then}";
        unanswered_short: "unanswered" | "无人回答";
        default_short: "default" | "默认值";
        stops_short: "task stops" | "任务停止";
        at_short(clock, then): "in {clock}: {then}" | "{clock} 后：{then}";
        at_row(left, then): "in {left}: {then}" | "{left}后：{then}";
        answer_by(moment, then): "Answer by {moment}, or {then}." | "请在 {moment} 前回答，否则{then}。";
    }
}

impl Then {
    /// Says it as part of a sentence: `the task stops`.
    pub fn said(&self, language: Language) -> String {
        let said = Deadline(language);
        match self {
            Self::Unanswered => said.unanswered().to_owned(),
            Self::Stops => said.stops().to_owned(),
            Self::Default(None) => said.default().to_owned(),
            Self::Default(Some(answer)) => said.default_is(answer),
        }
    }

    /// Says it in a word or two.
    fn short(&self, language: Language) -> String {
        let said = Deadline(language);
        match self {
            Self::Unanswered => said.unanswered_short().to_owned(),
            Self::Stops => said.stops_short().to_owned(),
            Self::Default(None) => said.default_short().to_owned(),
            Self::Default(Some(answer)) => answer.clone(),
        }
    }
}

impl Language {
    /// Says when a deadline comes and what happens then.
    pub fn deadline(self, left: Duration, then: Option<&Then>) -> String {
        match then {
            Some(then) => self.deadline_in(self.countdown(left), then),
            None => self.time_left(left),
        }
    }

    /// The same, of a time that is already written, or that a script fills in.
    pub fn deadline_in(self, time: impl Display, then: &Then) -> String {
        Deadline(self).at(time, then.said(self))
    }

    /// The same in few words, for a row of a list.
    pub fn deadline_short(self, left: Duration, then: Option<&Then>) -> String {
        match then {
            Some(then) => Deadline(self).at_short(clock(left), then.short(self)),
            None => self.time_left(left),
        }
    }

    /// The same for a row that is printed once and does not count down.
    pub fn deadline_row(self, left: Duration, then: &Then) -> String {
        match then {
            Then::Unanswered => Time(self).left(self.left(left)),
            then => Deadline(self).at_row(self.left(left), then.short(self)),
        }
    }

    /// Says until when there is time to answer, and what happens otherwise.
    pub fn answer_by(self, moment: &str, then: &Then) -> String {
        Deadline(self).answer_by(moment, then.said(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_says_when_and_what_happens() {
        let left = Duration::from_secs(160);
        let default = Then::Default(Some("Yes".to_owned()));
        let both = [Language::English, Language::Chinese];
        assert_eq!(
            both.map(|language| language.deadline(left, Some(&default))),
            ["in 2:40 the default “Yes” is taken", "2:40 后采用默认值“Yes”"]
        );
        assert_eq!(
            both.map(|language| language.deadline_short(left, Some(&Then::Stops))),
            ["in 2:40: task stops", "2:40 后：任务停止"]
        );
        assert_eq!(
            both.map(|language| language.answer_by("12:47", &Then::Unanswered)),
            [
                "Answer by 12:47, or the agent is told that nobody answered.",
                "请在 12:47 前回答，否则告知智能体无人回答。"
            ]
        );
        assert_eq!(Language::English.deadline(left, None), "2:40 left");
    }
}
