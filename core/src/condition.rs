//! Conditions between questions (P19): that they name something, and that none waits for itself.

use crate::id::QuestionId;
use crate::problem::Fault;
use crate::question::{Condition, Question, Questions};

/// Finds faulty conditions among the questions of one ask. A condition on a question that is not
/// in this ask may be about an earlier round: whoever knows the session judges it.
pub(crate) fn faults(questions: &[Question]) -> Vec<(QuestionId, Fault)> {
    let nodes = nodes(questions);
    let mut faults = Vec::new();
    for node in &nodes {
        let Some(condition) = &node.question.depends_on else {
            continue;
        };
        let id = node.question.id.clone();
        if let Some(target) = nodes.iter().find(|other| other.question.id == condition.question) {
            if let Some(choice) = condition.choice.as_ref().filter(|id| target.question.choice(id).is_none())
            {
                faults.push((id, Fault::NoSuchChoice { choice: choice.as_str().to_owned() }));
            } else if let Some(through) = circle(&nodes, node) {
                faults.push((id, Fault::Cycle { through }));
            }
        }
    }
    faults
}

/// Returns the conditions that are about questions of other asks, each with its question.
pub fn on_other_asks(questions: &Questions) -> Vec<(&Question, &Condition)> {
    if !questions.waits_elsewhere() {
        return Vec::new();
    }
    let conditions = questions.all().into_iter();
    conditions
        .filter_map(|question| Some((question, question.depends_on.as_ref()?)))
        .filter(|(_, condition)| !questions.has(&condition.question))
        .collect()
}

struct Node<'a> {
    question: &'a Question,
    parent: Option<&'a QuestionId>,
}

fn nodes(questions: &[Question]) -> Vec<Node<'_>> {
    fn walk<'a>(question: &'a Question, parent: Option<&'a QuestionId>, found: &mut Vec<Node<'a>>) {
        found.push(Node { question, parent });
        for follow_up in question.choices.iter().flat_map(|choice| &choice.follow_ups) {
            walk(follow_up, Some(&question.id), found);
        }
    }
    let mut found = Vec::new();
    for question in questions {
        walk(question, None, &mut found);
    }
    found
}

/// Follows what a question waits for until it comes back to it. A follow-up waits for the question
/// that opens it as well as for its own condition.
fn circle(nodes: &[Node<'_>], start: &Node<'_>) -> Option<Vec<String>> {
    let mut seen: Vec<&QuestionId> = Vec::new();
    let mut ways: Vec<Vec<&QuestionId>> = vec![vec![&start.question.id]];
    while let Some(way) = ways.pop() {
        let node = way.last().and_then(|id| nodes.iter().find(|node| node.question.id == **id));
        let Some(node) = node else { continue };
        let condition = node.question.depends_on.as_ref().map(|condition| &condition.question);
        for next in [condition, node.parent].into_iter().flatten() {
            if *next == start.question.id {
                return Some(way.iter().chain([&next]).map(|id| id.as_str().to_owned()).collect());
            }
            if !seen.contains(&next) {
                seen.push(next);
                ways.push(way.iter().copied().chain([next]).collect());
            }
        }
    }
    None
}
