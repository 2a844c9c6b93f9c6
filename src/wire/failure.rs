//! A failure, always in the same shape: a code for programs, words for a person, every fault.

use askuser_core::limits::PROBLEMS_TOLD_MAX;
use askuser_core::problem::Problem;
use serde_json::{Value, json};

/// Writes a failure. Where there are more faults than are told at once, the last line counts the
/// rest.
pub fn write(code: &str, message: &str, problems: &[Problem]) -> Value {
    json!({
        "success": false,
        "error": code,
        "message": message,
        "problems": listed(problems),
    })
}

/// Writes faults as a list of `{path, message}`.
pub fn listed(problems: &[Problem]) -> Vec<Value> {
    let mut told: Vec<Value> = problems
        .iter()
        .take(PROBLEMS_TOLD_MAX)
        .map(|problem| json!({"path": problem.path, "message": problem.fault.to_string()}))
        .collect();
    let n_more = problems.len().saturating_sub(PROBLEMS_TOLD_MAX);
    if n_more > 0 {
        told.push(json!({"path": "", "message": format!("and {n_more} more")}));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use askuser_core::problem::Fault;

    #[test]
    fn p9_a_failure_has_one_shape_and_names_every_fault() {
        let problems = [Problem::new("questions[0].options", Fault::Missing)];
        assert_eq!(
            write("invalid_question", "This cannot be asked", &problems),
            json!({
                "success": false, "error": "invalid_question", "message": "This cannot be asked",
                "problems": [{"path": "questions[0].options", "message": "is missing"}],
            })
        );
    }

    #[test]
    fn faults_beyond_the_limit_are_counted() {
        let problems = vec![Problem::new("x", Fault::Missing); PROBLEMS_TOLD_MAX + 7];
        let told = listed(&problems);
        assert_eq!(told.len(), PROBLEMS_TOLD_MAX + 1);
        assert_eq!(told.last(), Some(&json!({"path": "", "message": "and 7 more"})));
    }
}
