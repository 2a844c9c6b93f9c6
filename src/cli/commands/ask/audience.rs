//! Asking people by their names: what the command line says of them.

use askuser_words::commands::ToAsk;
use serde_json::{Map, Value, json};

use super::duration;
use crate::cli::args::{Delivery, Place};
use askuser_ask::connect;
use askuser_ask::destination::{self, Destination};
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// Puts whom an ask is for into its JSON. The flags go before what stands there.
pub(super) fn addressed(text: String, args: &Delivery) -> Result<String, Report> {
    let said = !args.people.is_empty() || !args.groups.is_empty() || args.anyone;
    if !said && args.quorum.is_none() && args.escalate.is_none() {
        return Ok(text);
    }
    let Ok(Value::Object(mut ask)) = serde_json::from_str::<Value>(&text) else {
        // What is no ask is told as such when it is read.
        return Ok(text);
    };
    let mut whom = match ask.get("for") {
        Some(Value::Object(whom)) if !said => whom.clone(),
        Some(named) if !said => Map::from_iter([("people".to_owned(), named.clone())]),
        _ => Map::new(),
    };
    if !args.people.is_empty() {
        whom.insert("people".to_owned(), json!(args.people));
    }
    if !args.groups.is_empty() {
        whom.insert("groups".to_owned(), json!(args.groups));
    }
    if args.anyone {
        whom.insert("anyone".to_owned(), true.into());
    }
    if let Some(quorum) = args.quorum {
        whom.insert("quorum".to_owned(), quorum.into());
    }
    if let Some(escalate) = &args.escalate {
        whom.insert("escalate".to_owned(), escalation(escalate)?);
    }
    if !["people", "groups", "anyone"].iter().any(|key| whom.contains_key(*key)) {
        let flag = if args.quorum.is_some() { "--quorum" } else { "--escalate" };
        return Err(Report::input(|said: ToAsk| said.no_audience(flag)).hint(ToAsk::no_audience_hint));
    }
    ask.insert("for".to_owned(), Value::Object(whom));
    Ok(Value::Object(ask).to_string())
}

/// Reads `10m:ops`.
fn escalation(text: &str) -> Result<Value, Report> {
    let nobody = || Report::input(|said: ToAsk| said.no_escalation(text));
    let (time, who) = text.split_once(':').ok_or_else(|| nobody().hint(ToAsk::no_escalation_hint))?;
    let after = duration::parse(time).map_err(|error| Report::from(error).hint(ToAsk::no_escalation_hint))?;
    let names: Vec<&str> = who.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    Ok(json!({"afterMs": u64::try_from(after.as_millis()).unwrap_or(u64::MAX), "to": names}))
}

/// Returns the desk: the one place where others can be asked.
pub(super) fn at_desk(said: Option<Place>, environment: &Environment) -> Result<Destination, Report> {
    if matches!(said, Some(Place::Terminal | Place::Stdin)) {
        return Err(Report::input(ToAsk::needs_server).hint(ToAsk::needs_server_hint));
    }
    destination::check(environment)?;
    Ok(Destination::at_desk(connect::client(environment)?, None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::{Args, Verb};
    use clap::Parser;

    fn addressed_by(ask: &str, words: &[&str]) -> Result<Value, Report> {
        let line = ["askuser", "ask", ask].into_iter().chain(words.iter().copied());
        let Some(Verb::Ask(args)) = Args::parse_from(line).verb else { panic!("not an ask") };
        addressed(ask.to_owned(), &args.delivery).map(|text| serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn flags_say_whom_an_ask_is_for() {
        let words = [
            "--for",
            "ann",
            "--for",
            "bob",
            "--for-group",
            "ops",
            "--quorum",
            "2",
            "--escalate",
            "10m:sec,cy",
        ];
        let ask = addressed_by("{}", &words).unwrap();
        let expected = json!({
            "people": ["ann", "bob"], "groups": ["ops"], "quorum": 2,
            "escalate": {"afterMs": 600_000, "to": ["sec", "cy"]},
        });
        assert_eq!(ask["for"], expected);
        assert_eq!(addressed_by("{}", &["--for-anyone"]).unwrap()["for"], json!({"anyone": true}));
        // What the JSON says stands where the flags say nothing of it.
        let ask = addressed_by(r#"{"for":{"groups":["ops"]}}"#, &["--quorum", "2"]).unwrap();
        assert_eq!(ask["for"], json!({"groups": ["ops"], "quorum": 2}));
        assert_eq!(addressed_by(r#"{"a":1}"#, &[]).unwrap(), json!({"a": 1}));
        let nobody = addressed_by("{}", &["--quorum", "3"]).unwrap_err();
        assert_eq!(nobody.to_string(), "--quorum is given, but nobody is named to ask");
        for wrong in ["ops", "10:ops", "soon:ops"] {
            assert!(addressed_by("{}", &["--for", "ann", "--escalate", wrong]).is_err(), "{wrong}");
        }
    }
}
