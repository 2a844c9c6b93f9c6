//! The agent's own dialog as one more surface of a question (MCP elicitation).
//!
//! Only an answer counts. A dialog that is declined or cancelled steps aside, and the question goes
//! on elsewhere: agents without a person before them decline by themselves, and that is not the
//! person's word (invariant 5).

use std::collections::BTreeMap;

use askuser_core::asker::Purpose;
use rmcp::model::{
    ClientCapabilities, ElicitRequest, ElicitRequestParams, InputRequest, InputRequests, InputResponses,
};
use serde_json::{Value, json};

use super::desk::DeskHandle;
use super::snapshot::AskSnapshot;
use super::trouble::Trouble;
use askuser_wire::failure::{Code, Failure};
use askuser_wire::form;

/// The name of our one request among a client's inputs.
const NAME: &str = "answer";
/// How often a form is shown whose answers do not fit; then the question waits for the person.
pub(super) const TRIES_MAX: u32 = 3;

/// Whether a client can show forms. Nothing said of modes means forms.
pub(super) fn shows_forms(capabilities: Option<&ClientCapabilities>) -> bool {
    let elicitation = capabilities.and_then(|capabilities| capabilities.elicitation.as_ref());
    elicitation.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

/// Returns the form of an ask, with what was wrong with the last answers above it; none where it is
/// not to be answered in a dialog: a permission is not (invariant 6), nor what is for people by their
/// names, and some do not fit in a form.
pub(super) fn form_of(snapshot: &AskSnapshot, wrong: Option<&str>) -> Option<ElicitRequestParams> {
    if snapshot.purpose == Purpose::Permission || snapshot.for_people || snapshot.outcome.is_some() {
        return None;
    }
    let form = form::write(&snapshot.questions, snapshot.context.as_deref())?;
    let message = wrong.map_or(form.message.clone(), |wrong| format!("{wrong}\n\n{}", form.message));
    let params = json!({"mode": "form", "message": message, "requestedSchema": form.schema});
    serde_json::from_value(params).ok()
}

/// Returns the same as the one input that a call requires.
pub(super) fn inputs(params: ElicitRequestParams) -> InputRequests {
    BTreeMap::from([(NAME.to_owned(), InputRequest::Elicitation(ElicitRequest::new(params)))])
}

/// What came of a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Came {
    /// The ask has its answer, from here or from elsewhere.
    Answered,
    /// It says nothing; the question goes on elsewhere.
    Aside,
    /// The answers do not fit: why.
    Unfit(String),
}

/// Takes what the client sent back for our input.
pub(super) async fn take_inputs(
    at: &DeskHandle,
    program: Option<&str>,
    snapshot: &AskSnapshot,
    responses: &InputResponses,
) -> Came {
    match responses.get(NAME) {
        Some(response) => take(at, program, snapshot, response).await,
        None => Came::Aside,
    }
}

/// Takes the `{action, content}` of a dialog that this program has shown.
pub(super) async fn take(
    at: &DeskHandle,
    program: Option<&str>,
    snapshot: &AskSnapshot,
    response: &Value,
) -> Came {
    if response.get("action").and_then(Value::as_str) != Some("accept") {
        return Came::Aside;
    }
    let content = response.get("content").unwrap_or(&Value::Null);
    let entries = match form::read(&snapshot.questions, content) {
        Ok(entries) => entries,
        Err(problems) => {
            return Came::Unfit(in_words(snapshot, &Trouble::from(Failure::invalid_answer(problems)).text));
        }
    };
    match at.answer_in_dialog(snapshot.id, program, entries).await {
        Ok(()) => Came::Answered,
        Err(trouble) => match trouble.code.as_deref() {
            Some(code) if code == Code::InvalidAnswer.name() => {
                Came::Unfit(in_words(snapshot, &trouble.text))
            }
            Some(code) if code == Code::AlreadyClosed.name() => Came::Answered,
            _ => {
                tracing::warn!("What an agent's dialog was told was not taken: {}", trouble.text);
                Came::Aside
            }
        },
    }
}

/// Says what does not fit with the text of each question in place of its id, which nobody sees in a dialog.
fn in_words(snapshot: &AskSnapshot, faults: &str) -> String {
    let mut said = faults.to_owned();
    for question in snapshot.questions.all() {
        said = said.replace(&format!("\n- {}: ", question.id), &format!("\n- {}: ", question.text));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use askuser_core::id::AskId;
    use askuser_wire::{self as wire, Dialect};
    use std::sync::Arc;

    fn snapshot(purpose: Purpose) -> AskSnapshot {
        let ask = json!({"questions": [{"question_id": "q", "question": "Run it?", "type": "boolean"}]});
        AskSnapshot {
            id: AskId(1),
            session: None,
            questions: Arc::new(wire::read(Dialect::Full, &ask).check().unwrap().0),
            context: Some("rm -rf node_modules".to_owned()),
            purpose,
            for_people: false,
            created_at: String::new(),
            outcome: None,
        }
    }

    /// Invariant 6: what grants a permission is never asked in a dialog that the agent's program draws.
    #[test]
    fn a_permission_is_never_asked_in_the_agents_dialog() {
        assert!(form_of(&snapshot(Purpose::Decision), None).is_some());
        assert_eq!(form_of(&snapshot(Purpose::Permission), None), None);
        let for_people = AskSnapshot { for_people: true, ..snapshot(Purpose::Decision) };
        assert_eq!(form_of(&for_people, None), None);
    }

    #[test]
    fn a_client_shows_forms_unless_it_says_otherwise() {
        let can = |value: Value| {
            let capabilities: ClientCapabilities = serde_json::from_value(value).unwrap();
            shows_forms(Some(&capabilities))
        };
        assert!(can(json!({"elicitation": {}})) && can(json!({"elicitation": {"form": {}, "url": {}}})));
        assert!(!can(json!({"elicitation": {"url": {}}})) && !can(json!({})) && !shows_forms(None));
    }
}
