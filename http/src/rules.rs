//! Rules that people make from their own answers: listed, made, removed.

use askuser_words::failed::Failed;
use askuser_words::fault::{Wrong, unfit};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};

use super::failing::{not_found, wrong_field};
use super::ids::{short_ids, with_short_id};
use super::visit::{Visit, ok, told};
use askuser_desk::{ConfirmableRule, IdsOf, MadeRule, NoRule};
use askuser_wire::failure::{Code, Failure};
use askuser_wire::time;

/// `GET /api/rules`
pub(super) async fn list(visit: Visit) -> Result<Response, Failure> {
    let person = visit.person()?;
    let made = visit.desk().made_rules(&person).await.map_err(failure)?;
    let permissions = visit.desk().permission_rules(&person).await.map_err(failure)?;
    let short_ids = short_ids(&visit, IdsOf::Asks, made.iter().map(|rule| rule.from.0)).await?;
    let made = made.iter().map(written).zip(short_ids).map(with_short_id);
    ok(json!({
        "rules": made.collect::<Vec<_>>(),
        "permissions": permissions.iter().map(for_permissions).collect::<Vec<_>>(),
    }))
}

/// `POST /api/rules`: `{"ask_id": …, "until": …}`
pub(super) async fn make(visit: Visit) -> Result<Response, Failure> {
    let person = visit.person()?;
    let body = visit.fields()?;
    let ask = body.get("ask_id").and_then(Value::as_str).and_then(|id| id.parse().ok());
    let ask = ask.ok_or_else(|| wrong_field("ask_id", unfit(Wrong::no_ask_id)))?;
    let until = match body.get("until") {
        None | Some(Value::Null) => None,
        Some(said) => {
            let read = said.as_str().and_then(time::read);
            let wrong = || wrong_field("until", unfit(Wrong::no_time));
            Some(read.ok_or_else(wrong)?)
        }
    };
    let made = visit.desk().make_rule(&person, ask, until).await.map_err(failure)?;
    Ok(told(StatusCode::CREATED, written(&made)))
}

/// `DELETE /api/rules/{rule_id}`
pub(super) async fn remove(visit: Visit) -> Result<Response, Failure> {
    visit.desk().remove_rule(&visit.person()?, visit.param()).await.map_err(failure)?;
    ok(json!({"success": true}))
}

fn written(rule: &MadeRule) -> Value {
    let says: Vec<Value> =
        rule.says.iter().map(|(question, answer)| json!({"question": question, "answer": answer})).collect();
    json!({
        "rule_id": rule.id, "name": rule.name, "ask_id": rule.from.to_string(),
        "made_at": time::write(rule.made_at), "until": time::write(rule.until),
        "agent": rule.agent, "project": rule.project, "holds": rule.holds, "answers": says,
    })
}

/// A rule for permissions that was written by hand: only the page confirms one.
fn for_permissions(rule: &ConfirmableRule) -> Value {
    json!({
        "digest": rule.id, "name": rule.name, "text": rule.text, "in_file": rule.in_file,
        "confirmed_at": rule.confirmed_at.map(time::write),
    })
}

fn failure(error: NoRule) -> Failure {
    match error {
        NoRule::Desk(error) => error.into(),
        NoRule::ByAgent => Failure::new(Code::Forbidden, Failed::rule_by_agent),
        NoRule::NotOnThePage => Failure::new(Code::Forbidden, Failed::rule_not_on_page),
        NoRule::Unfit(why) => Failure::new(Code::InvalidRequest, why.said()),
        NoRule::Until => Failure::new(Code::InvalidRequest, Failed::rule_until),
        NoRule::TooMany(n) => Failure::new(Code::InvalidRequest, |said: Failed| said.too_many_rules(n)),
        NoRule::NotFound => not_found(),
    }
}
