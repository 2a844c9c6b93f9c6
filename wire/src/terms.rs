//! What every dialect takes around its questions: session, deadline, context, who asks.
//!
//! The names are the source documents' own; two of them have two. A wrong value is told like any
//! other fault and never silently dropped: an ask without its deadline is another ask.

use std::time::Duration;

use askuser_core::asker::{Asker, Late, Terms, TimeoutPolicy, Timing};
use askuser_core::audience::Audience;
use askuser_core::draft::{Draft, Given};
use askuser_core::id::QuestionId;
use askuser_core::outcome::CancelStatus;
use askuser_core::problem::{Fault, Problem};
use askuser_words::fault::{Wrong, unfit};
use serde_json::Value;

use super::reading::{Fields, Nulls, condition, wrong_type};

/// The names of all terms.
pub(crate) const NAMES: [&str; 16] = [
    "session_id",
    "for",
    "parent_question_id",
    "total_rounds",
    "timeoutMs",
    "timeoutPolicy",
    "onTimeout",
    "cancelStatus",
    "context",
    "asker",
    "late",
    "eventId",
    "tool_use_id",
    "idempotency_key",
    "metadata",
    "depends_on",
];

/// Reads the terms of an ask; faults and the condition of the whole ask go into its draft.
pub(crate) fn read(value: &Value, draft: &mut Draft) -> Terms {
    let mut reader = Reader { fields: Fields::of(value, Nulls::AreMissing), problems: Vec::new() };
    let terms = Terms {
        asker: reader.asker(),
        session: reader.text(&["session_id"]),
        audience: reader.audience(),
        parent_question: reader.text(&["parent_question_id", "parentUuid"]).map(QuestionId::new),
        total_rounds: reader.whole("total_rounds").and_then(|rounds| reader.fits("total_rounds", rounds)),
        timeout: reader.timeout(),
        policy: reader.policy(),
        cancel_status: reader.cancel_status(),
        context: reader.text(&["context"]),
        late: reader.late(),
        purpose: askuser_core::asker::Purpose::default(),
        event: reader.text(&["eventId"]),
        tool_use: reader.text(&["tool_use_id"]),
        idempotency_key: reader.text(&["idempotency_key"]),
        metadata: reader.fields.get("metadata").map(Value::to_string),
        reply_in: None,
        template: reader.template(),
    };
    let whole = condition(reader.fields, "depends_on");
    let problems = reader.problems;
    draft.problems.extend(problems);
    wait_all(draft, whole);
    terms
}

/// Reads what is said of a session when it is opened: how many rounds are announced, and what holds for
/// those of its asks that say nothing of their deadline.
pub fn of_session(value: &Value) -> Result<(Option<u32>, Timing), Vec<Problem>> {
    let mut reader = Reader { fields: Fields::of(value, Nulls::AreMissing), problems: Vec::new() };
    let total_rounds = reader.whole("total_rounds").and_then(|rounds| reader.fits("total_rounds", rounds));
    let timing = Timing { timeout: reader.timeout(), policy: reader.policy() };
    if reader.problems.is_empty() { Ok((total_rounds, timing)) } else { Err(reader.problems) }
}

/// A condition of the whole ask holds for each question that has none of its own (P19).
fn wait_all(draft: &mut Draft, whole: Given<askuser_core::question::Condition>) {
    let Given::Value(questions) = &mut draft.questions else {
        return;
    };
    let alone = questions.len() == 1 && questions.iter().all(|question| question.at.is_empty());
    match whole {
        // A bare question is the whole ask: its reader has told the fault already.
        Given::Wrong(_) if alone => {}
        Given::Wrong(fault) => draft.problems.push(Problem::new("depends_on", fault)),
        Given::Missing => {}
        Given::Value(condition) => {
            for question in questions {
                if question.depends_on == Given::Missing {
                    question.depends_on = Given::Value(condition.clone());
                }
            }
        }
    }
}

struct Reader<'a> {
    fields: Fields<'a>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn fault<T>(&mut self, at: &str, fault: Fault) -> Option<T> {
        self.problems.push(Problem::new(at, fault));
        None
    }

    /// A text under the first of these names that is there; an empty one counts as missing.
    fn text(&mut self, names: &[&str]) -> Option<String> {
        let name = names.iter().find(|name| self.fields.has(name))?;
        match self.fields.string(name) {
            Given::Value(text) => Some(text).filter(|text| !text.is_empty()),
            Given::Missing => None,
            Given::Wrong(fault) => self.fault(name, fault),
        }
    }

    fn whole(&mut self, name: &str) -> Option<u64> {
        let value = self.fields.get(name)?;
        let Value::Number(number) = value else {
            return self.fault(name, wrong_type("number", value));
        };
        match positive(number) {
            Some(whole) => Some(whole),
            None => self.fault(name, unfit(Wrong::not_positive)),
        }
    }

    fn fits(&mut self, name: &str, whole: u64) -> Option<u32> {
        match u32::try_from(whole) {
            Ok(small) => Some(small),
            Err(_) => self.fault(name, unfit(|said| said.more_than(u32::MAX))),
        }
    }

    fn one_of<T>(
        &mut self,
        names: &[&str],
        words: &[&str],
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let name = names.iter().find(|name| self.fields.has(name))?;
        let word = self.text(&[name])?;
        match parse(&word) {
            Some(value) => Some(value),
            None => self.fault(
                name,
                Fault::NotOneOf {
                    expected: words.iter().map(|word| (*word).to_owned()).collect(),
                    received: word,
                },
            ),
        }
    }

    /// What filled a template in says which one it was.
    fn template(&self) -> Option<String> {
        self.fields.get("metadata")?.get("template")?.as_str().map(str::to_owned)
    }

    fn timeout(&mut self) -> Option<Duration> {
        self.whole("timeoutMs").map(Duration::from_millis)
    }

    fn policy(&mut self) -> Option<TimeoutPolicy> {
        self.one_of(&["timeoutPolicy", "onTimeout"], &TimeoutPolicy::NAMES, TimeoutPolicy::parse)
    }

    fn cancel_status(&mut self) -> CancelStatus {
        self.one_of(&["cancelStatus"], &["timeout", "cancelled"], |word| match word {
            "timeout" => Some(CancelStatus::Timeout),
            "cancelled" => Some(CancelStatus::Cancelled),
            _ => None,
        })
        .unwrap_or_default()
    }

    fn late(&mut self) -> Late {
        self.one_of(&["late"], &["keep", "refuse"], |word| match word {
            "keep" => Some(Late::Keep),
            "refuse" => Some(Late::Refuse),
            _ => None,
        })
        .unwrap_or_default()
    }

    fn audience(&mut self) -> Option<Audience> {
        let value = self.fields.get("for")?;
        let mut problems = Vec::new();
        let audience = super::people::read(value, &mut problems);
        self.problems.extend(problems);
        audience
    }

    fn asker(&mut self) -> Asker {
        let Some(value) = self.fields.get("asker") else {
            return Asker::default();
        };
        if !value.is_object() {
            self.problems.push(Problem::new("asker", wrong_type("object", value)));
            return Asker::default();
        }
        let mut inner = Reader { fields: Fields::of(value, Nulls::AreMissing), problems: Vec::new() };
        let asker = Asker {
            agent: inner.text(&["agent"]),
            project: inner.text(&["project"]),
            folder: inner.text(&["folder"]),
        };
        let within = |problem: Problem| Problem::new(format!("asker.{}", problem.path), problem.fault);
        self.problems.extend(inner.problems.into_iter().map(within));
        asker
    }
}

/// Reads a positive whole number; `5000.0` is one too, `1e300` is not one that a clock can count.
pub(crate) fn positive(number: &serde_json::Number) -> Option<u64> {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    let whole = number.as_u64().or_else(|| {
        let float =
            number.as_f64().filter(|float| float.fract() == 0.0 && (0.0..=EXACT_MAX).contains(float))?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, not negative, and small enough to be exact"
        )]
        Some(float as u64)
    });
    whole.filter(|whole| *whole > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn problems(value: &Value) -> Vec<String> {
        let mut draft = Draft::default();
        read(value, &mut draft);
        draft.problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn o3_o6_a_deadline_and_its_policy_come_under_either_name() {
        let mut draft = Draft::default();
        let value = json!({"timeoutMs": 5000, "onTimeout": "abort_task", "cancelStatus": "cancelled"});
        let terms = read(&value, &mut draft);
        assert_eq!(terms.timeout, Some(Duration::from_secs(5)));
        assert_eq!(terms.policy, Some(TimeoutPolicy::Abort));
        assert_eq!(terms.cancel_status, CancelStatus::Cancelled);
        let value = json!({"timeoutMs": 5000.0, "timeoutPolicy": "default", "session_id": null});
        let terms = read(&value, &mut draft);
        assert_eq!(terms.timeout, Some(Duration::from_secs(5)));
        assert_eq!(terms.policy, Some(TimeoutPolicy::Default));
        assert!(draft.problems.is_empty());
    }

    #[test]
    fn e4_metadata_is_kept_as_it_came() {
        let value = json!({"metadata": {"source": "remember", "n": [1, null]}});
        let terms = read(&value, &mut Draft::default());
        let kept = terms.metadata.as_deref();
        assert_eq!(kept, Some(r#"{"source":"remember","n":[1,null]}"#));
    }

    #[test]
    fn every_wrong_term_is_told() {
        for wrong in [json!(0), json!(-1), json!(1.5), json!(1e300)] {
            let told = problems(&json!({"timeoutMs": wrong}));
            assert_eq!(told, ["timeoutMs: is not a positive whole number"]);
        }
        let value = json!({
            "session_id": 7, "timeoutMs": "5", "timeoutPolicy": "explode", "late": true,
            "total_rounds": 4_294_967_296_u64, "asker": {"agent": []}, "context": {},
        });
        assert_eq!(
            problems(&value),
            [
                "asker.agent: is an array, not a string",
                "session_id: is a number, not a string",
                "total_rounds: is more than 4294967295",
                "timeoutMs: is a string, not a number",
                "timeoutPolicy: is `explode`, which is none of cancel, default, abort, return_cancel, use_default, abort_task",
                "context: is an object, not a string",
                "late: is a boolean, not a string",
            ]
        );
    }
}
