//! Every table: what a column is there, and what it was here. What comes later is added to both.

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    Int,
    Small,
    YesNo,
    Text,
    Bytes,
}

/// A column: its name there, what it holds, and how it is read here.
pub(crate) type Column = (&'static str, Holds, &'static str);

/// A table.
#[derive(Debug)]
pub(crate) struct Table {
    /// Its name there.
    pub(crate) name: &'static str,
    /// What it is read from here, and the number that orders it.
    pub(crate) from: &'static str,
    pub(crate) number: &'static str,
    /// The column there that has that number, where one has.
    pub(crate) copied: Option<&'static str>,
    pub(crate) columns: &'static [Column],
}

use Holds::{Bytes, Int, Small, Text, YesNo};

/// In the order in which they are copied.
pub(super) static TABLES: &[Table] = &[
    Table {
        name: "person",
        from: "person u",
        number: "u.rowid",
        copied: None,
        columns: &[
            ("name", Text, "u.name"),
            ("created_at", Int, "u.created_at"),
            ("disabled_at", Int, "u.disabled_at"),
        ],
    },
    Table {
        name: "access_key",
        from: "access_key k",
        number: "k.n",
        copied: Some("n"),
        columns: &[
            ("n", Int, "k.n"),
            ("id", Bytes, "k.id"),
            ("hash", Bytes, "k.hash"),
            ("role", Text, "k.role"),
            ("person", Text, "k.person"),
            ("name", Text, "k.name"),
            ("created_at", Int, "k.created_at"),
            ("revoked_at", Int, "k.revoked_at"),
        ],
    },
    Table { name: "cookie", from: "cookie c", number: "c.rowid", copied: None, columns: COOKIE },
    Table { name: "login_link", from: "login_link c", number: "c.rowid", copied: None, columns: LOGIN_LINK },
    Table {
        name: "answer_link",
        from: "answer_link l",
        number: "l.rowid",
        copied: None,
        columns: &[
            ("hash", Bytes, "l.hash"),
            ("ask", Bytes, "l.ask"),
            ("person", Text, "l.person"),
            ("channel", Text, "l.channel"),
            ("expires_at", Int, "l.expires_at"),
            ("used_at", Int, "l.used_at"),
        ],
    },
    Table {
        name: "nudge",
        from: "nudge g",
        number: "g.rowid",
        copied: None,
        columns: &[
            ("ask", Bytes, "g.ask"),
            ("person", Text, "g.person"),
            ("step", Int, "g.step"),
            ("channel", Text, "g.channel"),
            ("at", Int, "g.at"),
            ("state", Text, "g.state"),
            ("receipt", Text, "g.receipt"),
        ],
    },
    Table {
        name: "browser",
        from: "browser b",
        number: "b.rowid",
        copied: None,
        columns: &[
            ("hash", Bytes, "b.hash"),
            ("person", Text, "b.person"),
            ("endpoint", Text, "b.endpoint"),
            ("key", Bytes, "b.key"),
            ("auth", Bytes, "b.auth"),
            ("language", Text, "b.language"),
            ("at", Int, "b.at"),
        ],
    },
    Table {
        name: "push_key",
        from: "push_key p",
        number: "p.n",
        copied: None,
        columns: &[("n", Int, "p.n"), ("pkcs8", Bytes, "p.pkcs8"), ("created_at", Int, "p.created_at")],
    },
    Table {
        name: "made_rule",
        from: "made_rule r",
        number: "r.rowid",
        copied: None,
        columns: &[
            ("person", Text, "r.person"),
            ("ask", Bytes, "r.ask"),
            ("place", Int, "r.place"),
            ("mark", Bytes, "r.mark"),
            ("made_at", Int, "r.made_at"),
            ("until", Int, "r.until"),
            ("entry", Text, "r.entry"),
        ],
    },
    Table {
        name: "confirmed_rule",
        from: "confirmed_rule r",
        number: "r.rowid",
        copied: None,
        columns: &[
            ("person", Text, "r.person"),
            ("digest", Bytes, "r.digest"),
            ("at", Int, "r.at"),
            ("entry", Text, "r.entry"),
        ],
    },
    Table {
        name: "watched_file",
        from: "watched_file w",
        number: "w.rowid",
        copied: None,
        columns: &[
            ("server", Text, "w.server"),
            ("name", Text, "w.name"),
            ("digest", Bytes, "w.digest"),
            ("at", Int, "w.at"),
        ],
    },
    Table { name: "session", from: "session s", number: "s.n", copied: Some("n"), columns: SESSION },
    Table {
        name: "ask",
        from: "ask a JOIN session s ON s.n = a.session",
        number: "a.n",
        copied: Some("n"),
        columns: ASK,
    },
    Table {
        name: "ask_body",
        from: "ask_body b JOIN ask a ON a.n = b.n",
        number: "b.n",
        copied: None,
        columns: &[("ask", Bytes, "a.id"), ("body", Text, "b.body")],
    },
    Table {
        name: "ask_question",
        // It has no number of its own: counted in its own order, which does not change meanwhile.
        from: "(SELECT row_number() OVER (ORDER BY session, question, ask) AS number, session, question, ask
            FROM ask_question) q JOIN session s ON s.n = q.session JOIN ask a ON a.n = q.ask",
        number: "q.number",
        copied: None,
        columns: &[("session", Bytes, "s.id"), ("question", Text, "q.question"), ("ask", Bytes, "a.id")],
    },
    Table {
        name: "task",
        from: "task t JOIN session s ON s.n = t.session",
        number: "t.session",
        copied: Some("n"),
        columns: &[
            ("session", Bytes, "s.id"),
            ("n", Int, "t.session"),
            ("id", Bytes, "t.id"),
            ("owner", Text, "t.owner"),
            ("state", Text, "t.state"),
            ("body", Text, "t.body"),
            ("last_message", Bytes, "t.last_message"),
            ("server", Bytes, "t.server"),
        ],
    },
    Table {
        name: "fact",
        from: "fact f JOIN session s ON s.n = f.session LEFT JOIN ask a ON a.n = f.ask",
        number: "f.number",
        copied: Some("number"),
        columns: &[
            ("number", Int, "f.number"),
            ("at", Int, "f.at"),
            ("kind", Text, "f.kind"),
            ("session", Bytes, "s.id"),
            ("ask", Bytes, "a.id"),
            ("salt", Bytes, "f.salt"),
            ("digest", Bytes, "f.digest"),
            ("hash", Bytes, "f.hash"),
            ("payload", Text, "f.payload"),
        ],
    },
    Table {
        name: "security_event",
        from: "security_event e",
        number: "e.number",
        copied: Some("number"),
        columns: &[
            ("number", Int, "e.number"),
            ("at", Int, "e.at"),
            ("kind", Text, "e.kind"),
            ("severity", Text, "e.severity"),
            ("details", Text, "e.details"),
            ("hash", Bytes, "e.hash"),
        ],
    },
];

const COOKIE: &[Column] = &[
    ("hash", Bytes, "c.hash"),
    ("id", Bytes, "c.id"),
    ("person", Text, "c.person"),
    ("made_with", Text, "c.made_with"),
    ("name", Text, "c.name"),
    ("user_agent", Text, "c.user_agent"),
    ("created_at", Int, "c.created_at"),
    ("last_seen_at", Int, "c.last_seen_at"),
    ("told_at", Int, "c.told_at"),
    ("expires_at", Int, "c.expires_at"),
];

const LOGIN_LINK: &[Column] = &[
    ("hash", Bytes, "c.hash"),
    ("person", Text, "c.person"),
    ("expires_at", Int, "c.expires_at"),
    ("made_with", Text, "c.made_with"),
];

const SESSION: &[Column] = &[
    ("n", Int, "s.n"),
    ("id", Bytes, "s.id"),
    ("owner", Text, "s.owner"),
    ("external_id", Text, "s.external_id"),
    ("superseded", YesNo, "s.superseded <> 0"),
    ("origin", Text, "s.origin"),
    ("restored_from", Bytes, "s.restored_from"),
    ("restored_to", Int, "s.restored_to"),
    ("restore_reason", Text, "s.restore_reason"),
    ("status", Text, "s.status"),
    ("round", Int, "s.round"),
    ("total_rounds", Int, "s.total_rounds"),
    ("created_at", Int, "s.created_at"),
    ("last_activity", Int, "s.last_activity"),
    ("last_fingerprint", Bytes, "s.last_fingerprint"),
    ("last_depth", Int, "s.last_depth"),
    ("last_at", Int, "s.last_at"),
    ("n_open", Int, "s.n_open"),
    ("timeout_ms", Int, "s.timeout_ms"),
    ("timeout_policy", Text, "s.timeout_policy"),
    // There the asks that end are counted; here each has the number of the fact that ended it, and what
    // ends later must have a larger one.
    ("n_closed", Int, "coalesce(s.last_fact, 0)"),
];

const ASK: &[Column] = &[
    ("n", Int, "a.n"),
    ("id", Bytes, "a.id"),
    ("session", Bytes, "s.id"),
    ("owner", Text, "a.owner"),
    ("round", Int, "a.round"),
    ("depth", Int, "a.depth"),
    ("standing", Small, "a.standing"),
    ("state", Text, "a.state"),
    ("deadline", Int, "a.deadline"),
    ("idempotency_key", Text, "a.idempotency_key"),
    ("closed", Int, "a.closed"),
    ("ended_at", Int, "(SELECT ended.at FROM fact ended WHERE ended.number = a.closed)"),
    ("erased_at", Int, "a.erased_at"),
    ("outcome", Text, "a.outcome"),
    ("sheet", Text, "a.sheet"),
    ("late", Text, "a.late"),
    ("dropped", Text, "a.dropped"),
    ("people", Text, "a.people"),
];
