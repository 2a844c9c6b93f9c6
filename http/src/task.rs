//! One question at a time, by session and question id: P8 and P12, to the letter.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::Actor;
use askuser_core::decide::Refusal;
use askuser_core::id::{QuestionId, UserId};
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::Question;
use askuser_core::session::{Session, SessionStatus};
use askuser_words::failed::Failed;
use serde_json::Value;

use super::person::reason;
use super::visit::Visit;
use askuser_api::asks::DoneInWords;
use askuser_wire::answers::{expected, read_answer_to_the_letter};
use askuser_wire::failure::{Code, Failure};

/// `POST /api/task/answer {session_id, question_id, answer}`
pub(super) async fn answer(visit: Visit) -> Result<DoneInWords, Failure> {
    let named = named(&visit).await?;
    let Some(ask) = open_with(&visit, &named).await? else { return Err(not_open(&visit, named).await) };
    if ask.submitted.contains(&named.question) {
        return Err(Failure::from(&Refusal::AlreadyAnswered(named.question)));
    }
    let Some(question) = ask.questions.find(&named.question) else {
        return Err(not_open(&visit, named).await);
    };
    let value = named.body.get("answer").ok_or(Fault::Missing);
    let entry = value.and_then(|value| read_answer_to_the_letter(question, value));
    let entry = entry
        .map_err(|fault| unfit(question, Failure::invalid_answer(vec![Problem::new("answer", fault)])))?;
    let asked = question;
    let Named { actor, session, question, .. } = named;
    let answered = visit.desk().answer_one(&actor, session.id, Some(ask.id), question, entry).await;
    let answered = answered.map_err(|error| unfit(asked, error.into()))?;
    let ended = Failed::sent;
    Ok(DoneInWords { success: true, message: message(&visit, &answered, &actor.user, ended) })
}

/// What is said of an ask that ended; else what it still waits for.
fn message(visit: &Visit, ask: &Ask, user: &UserId, ended: fn(Failed) -> &'static str) -> String {
    let said = Failed(visit.language);
    if !ask.is_open() {
        return ended(said).to_owned();
    }
    if ask.hearing.has_heard(user) {
        // Their own part is done, and it is for others as well.
        return said.recorded().to_owned();
    }
    let sheet = ask.sheet_for_good();
    let left = sheet.visible().into_iter().filter(|shown| !ask.submitted.contains(&shown.question.id));
    said.left(left.count())
}

/// `POST /api/task/cancel {session_id, question_id, reason?}`
pub(super) async fn cancel(visit: Visit) -> Result<DoneInWords, Failure> {
    let named = named(&visit).await?;
    let reason = reason(&named.body)?;
    let Some(ask) = open_with(&visit, &named).await? else { return Err(not_open(&visit, named).await) };
    let declined = visit.desk().decline(&named.actor, ask.id, reason).await?;
    let ended = Failed::declined;
    Ok(DoneInWords { success: true, message: message(&visit, &declined, &named.actor.user, ended) })
}

/// Says why a question cannot be answered: it has its answer, or there is none of that name.
async fn not_open(visit: &Visit, named: Named) -> Failure {
    match visit.desk().rounds(&named.actor, named.session.id).await {
        Err(error) => error.into(),
        Ok(rounds) => {
            let ended = rounds.iter().rfind(|ask| ask.has(&named.question));
            let unanswered = ended.and_then(|ask| ask.ended_without(&named.question));
            Failure::from(&match (ended, unanswered) {
                (_, Some(outcome)) => Refusal::AlreadyClosed(Box::new(outcome.clone())),
                (Some(_), None) => Refusal::AlreadyAnswered(named.question),
                (None, None) => Refusal::QuestionNotFound(named.question),
            })
        }
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
        return Err(super::failing::invalid_request(Failed::unfit_request).with(problems));
    }
    let found = visit.desk().current_session(&actor, &session).await;
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
    let mut having = open.into_iter().filter(|ask| ask.has(&named.question));
    let found = having.next();
    match having.next() {
        Some(_) => Err(Failure::from(&Refusal::AmbiguousQuestionId(named.question.clone()))),
        None => Ok(found),
    }
}

/// P9: an answer that does not fit is refused with what was expected.
fn unfit(question: &Question, mut failure: Failure) -> Failure {
    if failure.code == Code::InvalidAnswer {
        failure.expected = Some(Box::new(expected(question)));
        // The rule book names the question; here it is the one field that the answer came in.
        for problem in &mut failure.problems {
            if problem.path == question.id.as_str() {
                "answer".clone_into(&mut problem.path);
            }
        }
    }
    failure
}
