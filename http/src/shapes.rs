//! The shapes of the contract, for `/openapi.json`.

use serde_json::{Value, json};

use askuser_watch::audit::ACTIONS;
use askuser_wire::failure::Code;

/// A session (002 3.1.2, 003 2.7.1).
pub(super) fn session() -> Value {
    let text = json!({"type": "string"});
    let count = json!({"type": "integer"});
    json!({
        "type": "object",
        "required": ["id", "session_id", "status", "current_round", "total_rounds", "created_at", "last_activity"],
        "properties": {
            "id": {"type": "string", "description": "Ours, always"},
            "session_id": {"type": "string", "description": "As the caller named it, else ours"},
            "status": {"enum": ["active", "completed", "timeout"]},
            "current_round": count, "total_rounds": count,
            "current_questions": {"type": "array", "items": text, "description": "The ids of what is open"},
            "answered_questions": {
                "type": "object",
                "description": "By question id, in the form in which an answer is sent; without what is secret",
            },
            "open_questions": {"type": "array", "items": {"type": "object", "properties": {
                "ask_id": text, "question_id": text, "question": text, "round": count,
            }}},
            "dialog_history": {"type": "array", "items": {"type": "object", "properties": {
                "round": count, "question": text, "answer": {"type": ["string", "null"]}, "status": text,
                "restored_from": text,
            }}},
            "created_at": text, "last_activity": text,
            "timeoutMs": count, "timeoutPolicy": {"enum": ["cancel", "default", "abort"]},
            "origin": {"enum": ["named", "derived", "restored"]},
            "restored_from": text, "restored_at": text, "restore_reason": {"type": ["string", "null"]},
        },
    })
}

/// An entry of the audit log (002 10.2).
pub(super) fn audit_entry() -> Value {
    let text = json!({"type": "string"});
    let maybe = json!({"type": ["string", "null"]});
    json!({
        "type": "object",
        "required": ["timestamp", "session_id", "user_id", "action", "details", "ip_address"],
        "properties": {
            "timestamp": text, "session_id": text,
            "user_id": {"type": ["string", "null"], "description": "Who did it; null where nobody did"},
            "action": {"enum": ACTIONS}, "details": {"type": "object"}, "ip_address": maybe,
        },
    })
}

/// A security event (002 10.2).
pub(super) fn security_event() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "object",
        "required": ["event_type", "severity", "details", "timestamp"],
        "properties": {
            "event_type": text, "severity": {"enum": ["low", "medium", "high"]},
            "details": {"type": "object"}, "timestamp": text,
        },
    })
}

/// An ask.
pub(super) fn ask() -> Value {
    let text = json!({"type": "string"});
    let maybe = json!({"type": ["string", "null"]});
    json!({
        "type": "object",
        "required": ["ask_id", "session_id", "session", "round", "status", "created_at", "questions", "outcome"],
        "properties": {
            "ask_id": text,
            "session_id": {"type": "string", "description": "As the caller named it, else ours"},
            "session": {"type": "string", "description": "Ours, always"},
            "round": {"type": "integer"},
            "status": {"enum": ["pending", "showing", "answered", "cancelled", "timeout", "processing", "completed", "error"]},
            "created_at": text, "deadline_at": maybe, "asker": {"type": "object"}, "context": maybe,
            "questions": {"type": "array", "items": {"type": "object"}},
            "for": {"type": "object", "description": "Whom it is for, where that is not the user whose agent asks"},
            "quorum": {
                "type": "object",
                "description": "How far an ask for several people has come",
                "properties": {
                    "wanted": {"type": "integer"}, "answered": {"type": "integer"},
                    "voices": {"type": "array", "items": {"type": "object"}},
                    "still_to_answer": {"type": ["array", "null"], "items": text},
                    "escalated_at": maybe,
                },
            },
            "waits_for_you": {"type": "boolean"},
            "nobody_waits": {"type": "boolean"},
            "at_deadline": {"enum": ["unanswered", "default", "stops"], "description": "To people: what happens then"},
            "default_answers": {"type": "array", "items": {"type": "object"}},
            "warnings": {"type": "array", "items": {"type": "string"}},
            "held": {
                "type": "array",
                "description": "To people: answers that can still be taken back",
                "items": {"type": "object", "properties": {
                    "user": text, "channel": text, "until": text, "mine": {"type": "boolean"},
                    "answers": {"type": "array", "items": {"type": "object"}},
                }},
            },
            "outcome": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Outcome"}]},
        },
    })
}

/// How an ask ended.
pub(super) fn outcome() -> Value {
    json!({
        "type": "object",
        "required": ["status", "reason", "by", "closed_at", "answers"],
        "properties": {
            "status": {"enum": ["answered", "cancelled", "timeout"]},
            "reason": {"enum": ["user", "system", "timeout"]},
            "answered_by": {"enum": ["person", "default", "rule", "agent_dialog", "collected", null]},
            "by": {"type": "object"}, "closed_at": {"type": "string"}, "comment": {"type": ["string", "null"]},
            "answers": {"type": "array", "items": {"type": "object"}},
            "agreed": {"type": "boolean", "description": "Where several people answered: whether they agree in everything"},
            "voices": {"type": "array", "items": {"type": "object"}, "description": "What each of them said"},
            "reply": {"description": "The same in the dialect that the ask came in"},
        },
    })
}

/// What is answered to what cannot be done.
pub(super) fn failure() -> Value {
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    json!({
        "type": "object",
        "required": ["success", "error", "message", "problems"],
        "properties": {
            "success": {"const": false},
            "error": {"enum": codes},
            "message": {"type": "string"},
            "problems": {"type": "array", "items": {
                "type": "object",
                "properties": {"path": {"type": "string"}, "message": {"type": "string"}},
            }},
        },
    })
}
