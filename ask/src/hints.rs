//! What is said of a question that waits on: the person hears how to answer it, the asker how to get the answer.
//!
//! Where an agent reads along, nothing tells it how a person answers.

use askuser_core::id::AskId;
use askuser_words::prompt::Prompt;

use super::output::language;
use askuser_system::environment::Environment;

/// Says that a caller waits, and where the person answers; `beside` is what else is known.
pub fn waiting(ask: AskId, beside: &[String], environment: &Environment) -> String {
    let known: Vec<String> = std::iter::once(ask.to_string()).chain(beside.iter().cloned()).collect();
    let known = known.join(", ");
    let said = Prompt(language(environment));
    if environment.agent_mark().is_none() { said.waiting(known) } else { said.waiting_for_user(known) }
}

/// Says how to come back to a question that nobody answered yet.
pub fn come_back(ask: AskId, environment: &Environment) -> String {
    let said = Prompt(language(environment));
    if environment.agent_mark().is_none() { said.come_back(ask) } else { said.come_back_to_wait(ask) }
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
