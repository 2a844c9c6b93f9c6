//! Any value that can be stored.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::answer::{Answer, Answers, Parent};
use askuser_core::ask::{Ask, State};
use askuser_core::asker::{Asker, Late, Purpose, Terms, TimeoutPolicy, Timing};
use askuser_core::entry::Entry;
use askuser_core::fact::Fact;
use askuser_core::format::Format;
use askuser_core::hearing::Hearing;
use askuser_core::hearing::Held;
use askuser_core::id::{AskId, KeyId, SessionId};
use askuser_core::outcome::{AnsweredBy, By, CancelStatus, Channel, Ending, Outcome, Proof};
use askuser_core::question::{
    Choice, Collected, Condition, FreeText, Kind, NamedBy, Preview, PreviewFormat, Question, Questions,
};
use askuser_core::session::{LastRound, Origin, Session, SessionStatus};
use askuser_core::time::Timestamp;
use proptest::prelude::*;

use super::people::{any_audience, any_held, any_voice};

pub(super) fn maybe() -> impl Strategy<Value = Option<String>> {
    prop::option::of(any::<String>())
}

fn any_bound() -> impl Strategy<Value = Option<f64>> {
    prop::option::of(any::<f64>().prop_filter("equal to itself", |number| !number.is_nan()))
}

fn any_format() -> impl Strategy<Value = Format> {
    prop_oneof![
        Just(Format::Any),
        (any_bound(), any_bound()).prop_map(|(min, max)| Format::Integer { min, max }),
        (any_bound(), any_bound()).prop_map(|(min, max)| Format::Number { min, max }),
        prop::sample::select(vec![Format::Email, Format::Uri, Format::Date, Format::DateTime]),
    ]
}

fn any_free() -> impl Strategy<Value = FreeText> {
    (any_format(), any::<usize>(), any::<usize>(), any::<bool>(), maybe(), maybe()).prop_map(
        |(format, chars_min, chars_max, any_characters, placeholder, default)| FreeText {
            format,
            chars_min,
            chars_max,
            any_characters,
            placeholder,
            default,
        },
    )
}

fn any_question() -> impl Strategy<Value = Question> {
    let kind = prop_oneof![
        Just(Kind::OneOf),
        Just(Kind::Text),
        Just(Kind::YesNo),
        (any::<usize>(), any::<usize>()).prop_map(|(min, max)| Kind::SomeOf { min, max }),
    ];
    let condition = (any::<String>(), maybe());
    let collected = (prop::collection::vec(any::<String>(), 0..3), maybe());
    let leaf = (
        (any::<String>(), any::<bool>(), maybe(), any::<String>(), maybe(), kind),
        prop::option::of(any_free()),
        (any::<bool>(), any::<bool>()),
        prop::option::of(condition),
        prop::option::of(collected),
    )
        .prop_map(|((id, ours, header, text, description, kind), free, (required, secret), on, had)| {
            Question {
                id: id.as_str().into(),
                named_by: if ours { NamedBy::Us } else { NamedBy::Asker },
                header,
                text,
                description,
                kind,
                choices: Vec::new(),
                free,
                required,
                secret,
                depends_on: on.map(|(question, choice)| Condition {
                    question: question.as_str().into(),
                    choice: choice.as_deref().map(Into::into),
                }),
                collected: had.map(|(picked, text)| Collected {
                    picked: picked.iter().map(|id| id.as_str().into()).collect(),
                    text,
                }),
            }
        });
    leaf.prop_recursive(3, 12, 2, |inner| {
        let preview = prop::option::of((any::<bool>(), any::<String>()));
        let choice = (
            (any::<String>(), any::<String>(), maybe(), maybe()),
            preview,
            (any::<bool>(), any::<bool>()),
            prop::collection::vec(inner.clone(), 0..2),
        )
            .prop_map(
                |((id, label, description, running), preview, (default, recommended), follow_ups)| Choice {
                    id: id.as_str().into(),
                    label,
                    description,
                    preview: preview.map(|(html, text)| Preview {
                        format: if html { PreviewFormat::Html } else { PreviewFormat::Markdown },
                        text,
                    }),
                    running,
                    default,
                    recommended,
                    follow_ups,
                },
            );
        (inner, prop::collection::vec(choice, 0..3))
            .prop_map(|(question, choices)| Question { choices, ..question })
    })
}

fn any_terms() -> impl Strategy<Value = Terms> {
    let timeout = prop::option::of((any::<u32>(), 0_u32..1_000_000_000));
    (
        (maybe(), maybe(), maybe(), maybe(), maybe(), prop::option::of(any::<u32>())),
        (timeout, any_policy(), any::<bool>(), maybe(), any::<bool>(), any::<bool>()),
        prop::option::of(any_audience()),
        (maybe(), maybe(), maybe(), maybe(), maybe(), maybe()),
    )
        .prop_map(
            |((agent, project, folder, session, parent, total_rounds), second, audience, third)| {
                let (timeout, policy, cancelled, context, keep, permission) = second;
                let (event, tool_use, idempotency_key, metadata, reply_in, template) = third;
                Terms {
                    asker: Asker { agent, project, folder },
                    session,
                    audience,
                    parent_question: parent.as_deref().map(Into::into),
                    total_rounds,
                    timeout: timeout.map(|(secs, nanos)| Duration::new(u64::from(secs), nanos)),
                    policy,
                    cancel_status: if cancelled { CancelStatus::Cancelled } else { CancelStatus::Timeout },
                    context,
                    late: if keep { Late::Keep } else { Late::Refuse },
                    purpose: if permission { Purpose::Permission } else { Purpose::Decision },
                    event,
                    tool_use,
                    idempotency_key,
                    metadata,
                    reply_in,
                    template,
                }
            },
        )
}

pub(super) fn any_entry() -> impl Strategy<Value = Entry> {
    (prop::collection::vec(any::<String>(), 0..3), maybe(), maybe(), any::<bool>()).prop_map(
        |(picked, text, note, suggested)| Entry {
            picked: picked.iter().map(|id| id.as_str().into()).collect(),
            text,
            note,
            suggested,
        },
    )
}

pub(super) fn any_answers() -> impl Strategy<Value = Answers> {
    let parent = prop::option::of((any::<String>(), any::<String>()));
    let answer = (any::<String>(), parent, any_entry(), any::<bool>(), any::<bool>()).prop_map(
        |(question, parent, entry, skipped, collected)| Answer {
            question: question.as_str().into(),
            parent: parent.map(|(question, choice)| Parent {
                question: question.as_str().into(),
                choice: choice.as_str().into(),
            }),
            picked: entry.picked,
            text: entry.text,
            note: entry.note,
            skipped,
            collected,
        },
    );
    prop::collection::vec(answer, 0..3).prop_map(Answers)
}

pub(super) fn any_by() -> impl Strategy<Value = By> {
    let channel = prop_oneof![
        prop::sample::select(vec![
            Channel::Terminal,
            Channel::Web,
            Channel::Api,
            Channel::AgentDialog,
            Channel::Agent,
            Channel::Server,
        ]),
        any::<String>().prop_map(Channel::Notify),
    ];
    (maybe(), channel, prop::sample::select(Proof::ALL.to_vec()))
        .prop_map(|(user, channel, proof)| By::new(user.as_deref().map(Into::into), channel, proof))
}

pub(super) fn any_outcome() -> impl Strategy<Value = Outcome> {
    let ending = prop_oneof![
        prop::sample::select(vec![
            AnsweredBy::Person,
            AnsweredBy::Default,
            AnsweredBy::Rule,
            AnsweredBy::AgentDialog
        ])
        .prop_map(Ending::Answered),
        Just(Ending::Declined),
        Just(Ending::Withdrawn),
        (any::<bool>(), any::<bool>()).prop_map(|(cancelled, abort)| Ending::Expired {
            told_as: if cancelled { CancelStatus::Cancelled } else { CancelStatus::Timeout },
            abort,
        }),
    ];
    let voices = prop::collection::vec(any_voice(), 0..2);
    (ending, any_by(), any::<i64>(), maybe(), any_answers(), voices).prop_map(
        |(ending, by, at, comment, answers, voices)| Outcome {
            ending,
            by,
            at: Timestamp(at),
            comment,
            answers,
            voices,
        },
    )
}

fn any_state() -> impl Strategy<Value = State> {
    prop_oneof![
        Just(State::Pending),
        Just(State::Showing),
        (0_u8..4, any_outcome().prop_map(Arc::new)).prop_map(|(state, outcome)| match state {
            0 => State::Closed(outcome),
            1 => State::Processing(outcome),
            2 => State::Completed(outcome),
            _ => State::Error(outcome),
        }),
    ]
}

/// Any ask, with an empty sheet: that is a row of its own.
pub(super) fn any_ask() -> impl Strategy<Value = Ask> {
    (
        (any::<u128>(), any::<u128>(), any::<String>(), any::<u32>(), any::<u32>()),
        prop::collection::vec(any_question(), 0..3),
        any_terms(),
        (any::<[u8; 16]>(), any::<i64>(), prop::option::of(any::<i64>())),
        any_state(),
        prop::option::of((any_answers(), any_by())),
        prop::option::of(any::<u128>()),
    )
        .prop_map(
            |((id, session, owner, round, depth), questions, terms, times, state, late, reopens)| Ask {
                id: AskId(id),
                session: SessionId(session),
                session_name: times.2.map(|n| n.to_string().into()),
                owner: owner.as_str().into(),
                asked_by: reopens.map(KeyId),
                round,
                depth,
                questions: Arc::new(Questions::remembered(questions)),
                terms: Arc::new(terms),
                fingerprint: times.0,
                asked_at: Timestamp(times.1),
                deadline: times.2.map(Timestamp),
                entries: Vec::new(),
                submitted: Vec::new(),
                hearing: Hearing::default(),
                state,
                late,
                reopens: reopens.map(AskId),
                reopened_as: None,
            },
        )
}

fn any_policy() -> impl Strategy<Value = Option<TimeoutPolicy>> {
    prop::sample::select(vec![
        None,
        Some(TimeoutPolicy::Cancel),
        Some(TimeoutPolicy::Default),
        Some(TimeoutPolicy::Abort),
    ])
}

fn any_timing() -> impl Strategy<Value = Timing> {
    let timeout = prop::option::of(any::<u32>().prop_map(|millis| Duration::from_millis(millis.into())));
    (timeout, any_policy()).prop_map(|(timeout, policy)| Timing { timeout, policy })
}

fn any_session() -> impl Strategy<Value = Session> {
    let origin = prop_oneof![
        Just(Origin::Named),
        Just(Origin::Derived),
        any::<u128>().prop_map(|id| Origin::Restored(SessionId(id))),
    ];
    let status =
        prop::sample::select(vec![SessionStatus::Active, SessionStatus::Completed, SessionStatus::Timeout]);
    let last = prop::option::of((any::<[u8; 16]>(), any::<u32>(), any::<i64>()));
    (
        (any::<u128>(), any::<String>(), maybe(), origin, status, maybe()),
        (any::<u32>(), prop::option::of(any::<u32>()), any::<i64>(), any::<i64>(), last, any_timing()),
    )
        .prop_map(
            |(
                (id, owner, external_id, origin, status, restore_reason),
                (round, total_rounds, from, to, last, timing),
            )| {
                Session {
                    id: SessionId(id),
                    owner: owner.as_str().into(),
                    external_id,
                    origin,
                    status,
                    round,
                    total_rounds,
                    timing,
                    created_at: Timestamp(from),
                    last_activity: Timestamp(to),
                    restored_to: last.map(|(_, _, at)| Timestamp(at)),
                    restore_reason,
                    last_round: last.map(|(fingerprint, depth, at)| LastRound {
                        fingerprint,
                        depth,
                        at: Timestamp(at),
                    }),
                }
            },
        )
}

pub(super) fn any_fact() -> impl Strategy<Value = Fact> {
    let ids = prop::collection::vec(any::<String>(), 0..3);
    prop_oneof![
        any_session().prop_map(|session| Fact::SessionOpened(Box::new(session))),
        any_ask().prop_map(|ask| Fact::Asked(Arc::new(ask))),
        (any::<u128>(), ids).prop_map(|(ask, dropped)| Fact::Settled {
            ask: AskId(ask),
            dropped: dropped.iter().map(|id| id.as_str().into()).collect(),
        }),
        (any::<u128>(), any_voice()).prop_map(|(ask, voice)| Fact::Heard { ask: AskId(ask), voice }),
        (any::<u128>(), any_held()).prop_map(|(ask, held)| {
            // Of what is held a fact says only that it is.
            Fact::Held { ask: AskId(ask), held: Held { entries: Vec::new(), ..held } }
        }),
        (any::<u128>(), any_held()).prop_map(|(ask, Held { user, by, .. })| Fact::TakenBack {
            ask: AskId(ask),
            user,
            by
        }),
        (any::<u128>(), 0_u8..5).prop_map(|(ask, which)| {
            let ask = AskId(ask);
            match which {
                0 => Fact::Shown { ask },
                1 => Fact::Delivered { ask },
                2 => Fact::Acknowledged { ask },
                3 => Fact::Escalated { ask },
                _ => Fact::Undeliverable { ask },
            }
        }),
        (any::<u128>(), any_by()).prop_map(|(ask, by)| Fact::Saved { ask: AskId(ask), entries: vec![], by }),
        (any::<u128>(), any::<String>(), any_entry(), any_by()).prop_map(|(ask, question, entry, by)| {
            Fact::Submitted { ask: AskId(ask), question: question.as_str().into(), entry, by }
        }),
        (any::<u128>(), any_outcome().prop_map(Arc::new))
            .prop_map(|(ask, outcome)| Fact::Closed { ask: AskId(ask), outcome }),
        (any::<u128>(), any_answers(), any_by()).prop_map(|(ask, answers, by)| Fact::AnsweredLate {
            ask: AskId(ask),
            answers,
            by
        }),
        (any::<u128>(), any::<u128>())
            .prop_map(|(ask, as_new)| Fact::Reopened { ask: AskId(ask), as_new: AskId(as_new) }),
    ]
}
