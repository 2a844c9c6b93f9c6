//! What is said of a question that waits on: the person hears how to answer it, the asker how to get the answer.
//!
//! Where an agent reads along, nothing tells it how a person answers.

use askuser_core::id::AskId;
use askuser_words::Language;

use super::output::language;
use crate::environment::Environment;

/// Says that a caller waits, and where the person answers; `beside` is what else is known.
pub fn waiting(ask: AskId, beside: &[String], environment: &Environment) -> String {
    let known: Vec<String> = std::iter::once(ask.to_string()).chain(beside.iter().cloned()).collect();
    let known = known.join(", ");
    match (language(environment), environment.agent_mark()) {
        (Language::English, None) => {
            format!("Waiting for an answer: `askuser answer` or `askuser open` ({known})")
        }
        (Language::English, Some(_)) => format!("Waiting for an answer from the user ({known})"),
        (Language::Chinese, None) => format!("等待回答：`askuser answer` 或 `askuser open`（{known}）"),
        (Language::Chinese, Some(_)) => format!("等待用户回答（{known}）"),
    }
}

/// Says how to come back to a question that nobody answered yet.
pub fn come_back(ask: AskId, environment: &Environment) -> String {
    match (language(environment), environment.agent_mark()) {
        (Language::English, None) => format!(
            "Not answered yet: `askuser answer` or `askuser open` shows it again.\n\
             To wait for the answer: `askuser wait {ask}`"
        ),
        (Language::English, Some(_)) => {
            format!("Not answered yet: `askuser wait {ask}` waits for the answer")
        }
        (Language::Chinese, None) => format!(
            "尚未回答：用 `askuser answer` 或 `askuser open` 可再次打开。\n等待答案：`askuser wait {ask}`"
        ),
        (Language::Chinese, Some(_)) => format!("尚未回答：`askuser wait {ask}` 可等待答案"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_person_is_told_how_to_answer_and_an_agent_only_how_to_wait() {
        let person = Environment::of(&[]);
        let agent = Environment::of(&[("CLAUDECODE", "1")]);
        for said in [come_back(AskId(1), &person), waiting(AskId(1), &[], &person)] {
            assert!(said.contains("`askuser answer`") && said.contains("`askuser open`"), "{said}");
        }
        for said in [come_back(AskId(1), &agent), waiting(AskId(1), &[], &agent)] {
            assert!(!said.contains("askuser answer") && !said.contains("askuser open"), "{said}");
            assert!(said.contains(&AskId(1).to_string()), "{said}");
        }
        let chinese = Environment::of(&[("ASKUSER_LANG", "zh")]);
        assert!(come_back(AskId(1), &chinese).contains("`askuser answer`"));
        let beside = ["5:00 left".to_owned()];
        assert!(waiting(AskId(1), &beside, &person).ends_with(&format!("({}, 5:00 left)", AskId(1))));
    }
}
