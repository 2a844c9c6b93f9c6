//! Any value comes back as it was, and what cannot be read says where.

use askuser_core::answer::Answers;
use askuser_core::ask::Ask;
use askuser_core::entry::Entry;
use askuser_core::fact::Fact;
use askuser_core::id::SessionId;
use askuser_core::outcome::{By, Outcome};
use proptest::prelude::*;

use super::*;

mod any;
mod people;

use any::{any_answers, any_ask, any_by, any_entry, any_fact, any_outcome};
use people::any_hearing;

proptest! {
    #[test]
    fn any_fact_comes_back_as_it_was(session in any::<u128>(), fact in any_fact()) {
        let session = match &fact {
            Fact::SessionOpened(opened) => opened.id,
            Fact::Asked(ask) => ask.session,
            _ => SessionId(session),
        };
        let payload = payload(session, &fact).unwrap();
        let (told, read) = read_fact(kind(&fact), &payload).map_err(|wrong| wrong.at("here")).unwrap();
        prop_assert_eq!(told, session);
        prop_assert_eq!(read, fact);
    }

    #[test]
    fn any_sheet_and_any_outcome_come_back_as_they_were(
        ask in any_ask(),
        entries in prop::collection::vec((any::<String>(), any_entry()), 0..4),
        outcome in any_outcome(),
        late in (any_answers(), any_by()),
        hearing in any_hearing(),
    ) {
        let entries: Vec<_> = entries.into_iter().map(|(id, entry)| (id.as_str().into(), entry)).collect();
        let submitted: Vec<_> = entries.iter().map(|(id, _): &(QuestionId, Entry)| id.clone()).collect();
        let (reopened_as, bare) = (ask.reopens, ask.clone());
        let ask = Ask { entries, submitted: submitted.clone(), hearing, reopened_as, ..ask };
        let filled = read::<Sheet<'_>, Filled>(&write(&Sheet::of(&ask)).unwrap());
        let mut again = bare;
        filled.unwrap().fill(&mut again);
        prop_assert_eq!(&again, &ask);
        let written = write(&OutcomeRow::from(&outcome)).unwrap();
        prop_assert_eq!(read::<OutcomeRow<'_>, Outcome>(&written).unwrap(), outcome);
        let written = write(&LateRow::new(&late.0, &late.1)).unwrap();
        prop_assert_eq!(read::<LateRow<'_>, (Answers, By)>(&written).unwrap(), late);
        prop_assert_eq!(read_ids(&write_ids(submitted.iter()).unwrap()).unwrap(), submitted);
    }

    #[test]
    fn anything_else_is_an_error_and_no_panic(kind in "[a-z_]{0,12}", text in any::<String>()) {
        let _ = read_fact(&kind, &text);
        let _ = read_fact("closed", &text);
        let _ = read::<Body<'_>, Ask>(&text);
    }
}

#[track_caller]
fn check(kind: &str, payload: &str, expected: &str) {
    let got = match read_fact(kind, payload) {
        Ok((session, fact)) => format!("{session} {fact:?}"),
        Err(wrong) => wrong.at("fact 7").to_string(),
    };
    assert_eq!(got, expected);
}

#[test]
fn what_a_newer_version_adds_is_passed_over_and_what_is_wrong_says_where() {
    let ids = r#""session":"ses_00000000000000000000000001","ask":"ask_00000000000000000000000002""#;
    check(
        "shown",
        &format!(r#"{{{ids},"mood":{{"deep":[1]}}}}"#),
        "ses_00000000000000000000000001 Shown { ask: AskId(2) }",
    );
    check("closed", &format!("{{{ids}}}"), "the store cannot be read: fact 7: `outcome` is missing");
    check(
        "shown",
        r#"{"session":"ses_00000000000000000000000001"}"#,
        "the store cannot be read: fact 7: `ask` is missing",
    );
    check(
        "shown",
        r#"{"session":"1"}"#,
        "the store cannot be read: fact 7: `1` is not an id that begins with `ses_`",
    );
    check(
        "sung",
        &format!("{{{ids}}}"),
        "the store cannot be read: fact 7: `sung` is not a kind of fact that this version knows",
    );
    let by = r#""by":{"channel":"pigeon","proof":"cookie"}"#;
    check(
        "saved",
        &format!("{{{ids},{by}}}"),
        "the store cannot be read: fact 7: unknown variant `pigeon`, expected one of `terminal`, `web`, `api`, \
         `agent_dialog`, `notify`, `agent`, `server` at line 1 column 107",
    );
}

/// What was written before tasks had a server reads as it was.
#[test]
fn a_task_of_an_earlier_version_has_no_server() {
    let task = r#"{"task":"task_00000000000000000000000003","session":"ses_00000000000000000000000001","owner":"ann",
        "agent":"claude","folder":"/srv","text":"mend it","state":"running","n_runs":1,"pid":5,"pid_started":6,
        "created_at":1,"changed_at":2}"#;
    let by = r#"{"channel":"server","proof":"server"}"#;
    let payload = format!(r#"{{"session":"ses_00000000000000000000000001","by":{by},"task":{task}}}"#);
    let (_, fact) = read_fact("task_changed", &payload).map_err(|wrong| wrong.at("here")).unwrap();
    let Fact::TaskChanged { task, .. } = fact else { panic!("{fact:?}") };
    assert_eq!((task.server, task.stop_wanted, task.n_runs), (None, false, 1));
}
