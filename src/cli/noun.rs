//! What a person may mean by an id: what it is called, how it is listed, what a whole id of it looks like.

use askuser_core::id::{AskId, SessionId, TaskId};
use askuser_words::Language;
use askuser_words::commands::Titles;
use askuser_words::naming::Things;

use askuser_ask::output::table::Column;
use askuser_client::ids::IdKind;

/// What a person may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noun {
    /// An ask, as people call it.
    Question,
    /// A session, as people call it.
    Conversation,
    /// A task.
    Task,
    /// A rule.
    Rule,
    /// A key.
    Key,
    /// A signed-in browser.
    Browser,
    /// A user.
    User,
}

impl Noun {
    /// How the desk calls the kind.
    pub(super) fn kind(self) -> IdKind {
        match self {
            Self::Conversation => IdKind::Session,
            Self::Task => IdKind::Task,
            Self::Rule => IdKind::Rule,
            _ => IdKind::Ask,
        }
    }

    /// Whether something is a whole id, which stands for itself.
    pub(super) fn is_whole(self, typed: &str) -> bool {
        match self {
            Self::Question => typed.parse::<AskId>().is_ok(),
            Self::Conversation => typed.parse::<SessionId>().is_ok(),
            Self::Task => typed.parse::<TaskId>().is_ok(),
            Self::Rule => {
                typed.strip_prefix("rule_").is_some_and(|rest| format!("ask_{rest}").parse::<AskId>().is_ok())
            }
            Self::Key | Self::Browser => u128::from_str_radix(typed, 16).is_ok() && typed.len() == 32,
            Self::User => false,
        }
    }

    /// One of them, as people call it.
    pub(super) fn one(self, language: Language) -> &'static str {
        let said = Things(language);
        match self {
            Self::Question => said.question(),
            Self::Conversation => said.conversation(),
            Self::Task => said.task(),
            Self::Rule => said.rule(),
            Self::Key => said.key(),
            Self::Browser => said.browser(),
            Self::User => said.user(),
        }
    }

    /// What stands above whose they are, and above what they are about.
    pub(super) fn titles(self) -> (Column, Column) {
        let agent = Column::new(Titles::agent);
        match self {
            Self::Question => (agent, Column::new(Titles::question)),
            Self::Conversation => (agent, Column::new(Titles::last_question)),
            Self::Task => (agent, Column::new(Titles::task)),
            Self::Rule => (agent, Column::new(Titles::answer)),
            Self::Key | Self::Browser | Self::User => {
                (Column::new(Titles::role_and_user), Column::new(Titles::name))
            }
        }
    }

    /// The command that lists them.
    pub(super) fn lister(self) -> &'static str {
        match self {
            Self::Question => "askuser list --all",
            Self::Conversation => "askuser sessions",
            Self::Task => "askuser tasks",
            Self::Rule => "askuser rules list",
            Self::Key => "askuser key list",
            Self::Browser => "askuser browsers",
            Self::User => "askuser user list",
        }
    }

    /// There are none of them; or none that is open, where those were looked for.
    pub(super) fn none(self, open: bool, language: Language) -> &'static str {
        let said = Things(language);
        match self {
            Self::Question if !open => said.no_questions(),
            Self::Task if !open => said.no_tasks(),
            Self::Question => said.none_waiting(),
            Self::Conversation => said.no_conversations(),
            Self::Task => said.none_running(),
            Self::Rule => said.no_rules(),
            Self::Key => said.no_keys(),
            Self::Browser => said.no_browsers(),
            Self::User => said.no_users(),
        }
    }

    /// So many of them are there; or so many that are open.
    pub(super) fn several(self, n: usize, open: bool, language: Language) -> String {
        let said = Things(language);
        match self {
            Self::Question if open => said.waiting(n),
            Self::Task if open => said.running(n),
            _ => said.there_are(n, self.one(language)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tasks that had ended were "running".
    #[test]
    fn what_has_ended_is_not_told_as_running() {
        let english = Language::English;
        assert_eq!(Noun::Task.none(true, english), "no tasks are running");
        assert_eq!(Noun::Task.none(false, english), "no tasks yet");
        assert_eq!(Noun::Task.several(2, true, english), "2 tasks are running");
        assert_eq!(Noun::Task.several(2, false, english), "there are 2 tasks");
        assert_eq!(Noun::Question.several(2, false, Language::Chinese), "共有 2 个问题");
    }
}
