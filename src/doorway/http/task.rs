//! One question at a time, by session and question id: P8 and P12, to the letter.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::Actor;
use askuser_core::decide::Refusal;
use askuser_core::id::QuestionId;
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::Question;
use askuser_core::session::{Session, SessionStatus};
use axum::response::Response;
use serde_json::{Value, json};

use super::person::reason;
use super::visit::{Visit, ok};
use crate::wire::answers::read_answer;
use crate::wire::failure::Failure;

/// `POST /api/task/answer {session_id, question_id, answer}`
pub(super) async fn answer(visit: Visit) -> Result<Response, Failure> {
    let named = named(&visit).await?;
    let value = named.body.get("answer");
    let value = value.ok_or_else(|| Failure::invalid_answer(vec![Problem::new("answer", Fault::Missing)]))?;
    let Some(ask) = open_with(&visit, &named).await? else { return Err(not_open(&visit, named).await) };
    if ask.submitted.contains(&named.question) {
        return Err(Failure::from(&Refusal::AlreadyAnswered(named.question)));
    }
    let Some(question) = ask.questions.find(&named.question) else {
        return Err(not_open(&visit, named).await);
    };
    let entry = read_answer(question, value).map_err(|fault| unfit(question, fault))?;
    let Named { actor, session, question, .. } = named;
    visit.desk().answer_one(&actor, session.id, Some(ask.id), question, entry).await?;
    let message =
        visit.language.pick("The answer was submitted, the task goes on", "答案已提交，任务继续执行");
    ok(json!({"success": true, "message": message}))
}

/// `POST /api/task/cancel {session_id, question_id, reason?}`
pub(super) async fn cancel(visit: Visit) -> Result<Response, Failure> {
    let named = named(&visit).await?;
    let reason = reason(&named.body)?;
    let Some(ask) = open_with(&visit, &named).await? else { return Err(not_open(&visit, named).await) };
    visit.desk().decline(&named.actor, ask.id, reason).await?;
    let message = visit.language.pick("The question was cancelled", "问题已取消");
    ok(json!({"success": true, "message": message}))
}

/// Says why a question cannot be answered: it has its answer, or there is none of that name.
async fn not_open(visit: &Visit, named: Named) -> Failure {
    match visit.desk().rounds(&named.actor, named.session.id).await {
        Err(error) => error.into(),
        Ok(rounds) if rounds.iter().any(|ask| ask.has(&named.question)) => {
            Failure::from(&Refusal::AlreadyAnswered(named.question))
        }
        Ok(_) => Failure::from(&Refusal::QuestionNotFound(named.question)),
    }
}

/// A question by its name, in a session by its name.
struct Named {
    actor: Actor,
    body: Value,
    session: Session,
    question: QuestionId,
}

async fn named(visit: &Visit) -> Result<Named, Failure> {
    let actor = visit.person()?;
    let body = visit.fields()?;
    let mut problems = Vec::new();
    let mut text = |key: &str| {
        let value = body.get(key);
        let text = value.and_then(Value::as_str).filter(|text| !text.is_empty());
        if text.is_none() {
            problems.push(Problem::new(key, Fault::Missing));
        }
        text.unwrap_or_default().to_owned()
    };
    let (session, question) = (text("session_id"), text("question_id"));
    if !problems.is_empty() {
        return Err(
            super::failing::invalid_request("the request does not fit", "请求不符合要求").with(problems)
        );
    }
    let found = visit.desk().session(&actor, &session).await;
    // By whichever name it came; what is no session counts under the name that was tried.
    visit.count(&found.as_ref().map_or(session, |found| found.id.to_string()))?;
    let session = found?;
    // P9: one that has ended is not there.
    if session.status != SessionStatus::Active {
        return Err(Failure::from(&Refusal::SessionNotFound));
    }
    Ok(Named { actor, body, session, question: QuestionId::new(question) })
}

/// The open ask of the session that has the question.
async fn open_with(visit: &Visit, named: &Named) -> Result<Option<Arc<Ask>>, Failure> {
    let open = visit.desk().open_in(&named.actor, named.session.id).await?;
    Ok(open.into_iter().find(|ask| ask.has(&named.question)))
}

/// P9: an answer that does not fit is refused with what was expected.
fn unfit(question: &Question, fault: Fault) -> Failure {
    let mut failure = Failure::invalid_answer(vec![Problem::new("answer", fault)]);
    let options: Vec<&str> = question.choices.iter().map(|choice| choice.id.as_str()).collect();
    let written = crate::wire::question::write(question);
    failure.expected = Some(Box::new(json!({
        "type": written["type"], "options": options, "required": question.required, "other": written["other"],
    })));
    failure
}
