//! Rules that people make from their own answers: listed, made, removed.

use askuser_words::failed::Failed;
use askuser_words::fault::{Wrong, unfit};
use serde_json::Value;

use super::failing::{not_found, wrong_field};
use super::ids::short_ids;
use super::visit::Visit;
use askuser_api::Done;
use askuser_api::rules::{ListRules, PermissionRule, Rule, Rules, Says};
use askuser_desk::{ConfirmableRule, IdsOf, MadeRule, NoRule};
use askuser_wire::failure::{Code, Failure};
use askuser_wire::time;

/// `GET /api/rules`
pub(super) async fn list(visit: Visit) -> Result<Rules, Failure> {
    let person = visit.person()?;
    let made = visit.desk().made_rules(&person).await.map_err(failure)?;
    let permissions = visit.desk().permission_rules(&person).await.map_err(failure)?;
    let short_ids = short_ids(
        visit.desk(),
        visit.query::<ListRules>()?.short_ids,
        IdsOf::Asks,
        made.iter().map(|rule| rule.from.0),
    )
    .await?;
    let rules = made.into_iter().map(written).zip(short_ids);
    Ok(Rules {
        rules: rules.map(|(rule, short_id)| Rule { short_id, ..rule }).collect(),
        permissions: permissions.into_iter().map(for_permissions).collect(),
    })
}

/// `POST /api/rules`: `{"ask_id": …, "until": …}`
pub(super) async fn make(visit: Visit) -> Result<Rule, Failure> {
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
    Ok(written(made))
}

/// `DELETE /api/rules/{rule_id}`
pub(super) async fn remove(visit: Visit) -> Result<Done, Failure> {
    visit.desk().remove_rule(&visit.person()?, visit.param()).await.map_err(failure)?;
    Ok(Done::YES)
}

fn written(rule: MadeRule) -> Rule {
    Rule {
        rule_id: rule.id,
        name: rule.name,
        ask_id: rule.from.to_string(),
        made_at: time::write(rule.made_at),
        until: time::write(rule.until),
        agent: rule.agent,
        project: rule.project,
        holds: rule.holds,
        answers: rule.says.into_iter().map(|(question, answer)| Says { question, answer }).collect(),
        short_id: None,
    }
}

/// A rule for permissions that was written by hand: only the page confirms one.
fn for_permissions(rule: ConfirmableRule) -> PermissionRule {
    PermissionRule {
        digest: rule.id,
        name: rule.name,
        text: rule.text,
        in_file: rule.in_file,
        confirmed_at: rule.confirmed_at.map(time::write),
    }
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
