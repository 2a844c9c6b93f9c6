//! How the facts and asks of a session are found. PostgreSQL has an index for it. In SQLite each fact names the
//! one before it in its session, and the session its last: a busy session touches no pages of its own.

use crate::db::Db;

impl Db<'_> {
    /// What stands before a statement about the facts of the session `?1` after a number.
    pub(crate) fn thread(self, after: &str) -> String {
        match self {
            Self::Postgres(_) => String::new(),
            Self::Sqlite(_) => format!(
                "WITH RECURSIVE thread (number, before, kind, ask) AS (
                    SELECT f.number, f.before, f.kind, f.ask
                    FROM session s CROSS JOIN fact f ON f.number = s.last_fact WHERE s.id = ?1 AND f.number > {after}
                    UNION ALL
                    SELECT f.number, f.before, f.kind, f.ask
                    FROM thread t CROSS JOIN fact f ON f.number = t.before WHERE f.number > {after})"
            ),
        }
    }

    /// Whether a fact `f` is one of those.
    pub(crate) fn facts_in_session(self, after: &str) -> String {
        match self {
            Self::Postgres(_) => format!("f.session = ?1 AND f.number > {after}"),
            Self::Sqlite(_) => "f.number IN (SELECT number FROM thread)".to_owned(),
        }
    }

    /// The numbers of the last `?3` of them before the number `?2`.
    pub(crate) fn last_in_session(self) -> &'static str {
        match self {
            Self::Postgres(_) => {
                "SELECT number FROM fact WHERE session = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3"
            }
            // The thread begins at its end.
            Self::Sqlite(_) => "SELECT number FROM thread WHERE number < ?2 LIMIT ?3",
        }
    }

    /// Whether an ask `a` is in that session.
    pub(crate) fn asks_in_session(self) -> &'static str {
        match self {
            Self::Postgres(_) => "a.session = ?1",
            Self::Sqlite(_) => {
                "a.session = ?1 AND a.id IN (SELECT ask FROM thread WHERE kind IN ('asked', 'moved'))"
            }
        }
    }

    /// What stands before a statement about all facts of these sessions.
    pub(crate) fn threads(self, sessions: &str) -> String {
        match self {
            Self::Postgres(_) => String::new(),
            Self::Sqlite(_) => format!(
                "WITH RECURSIVE thread (session, number, before) AS (
                    SELECT s.id, f.number, f.before
                    FROM session s CROSS JOIN fact f ON f.number = s.last_fact WHERE s.id IN ({sessions})
                    UNION ALL
                    SELECT t.session, f.number, f.before
                    FROM thread t CROSS JOIN fact f ON f.number = t.before)"
            ),
        }
    }

    /// Where those are found as `f`, with their session as `s`.
    pub(crate) fn facts_of_sessions(self) -> &'static str {
        match self {
            Self::Postgres(_) => "fact f JOIN session s ON s.id = f.session",
            Self::Sqlite(_) => {
                "thread t CROSS JOIN session s ON s.id = t.session CROSS JOIN fact f ON f.number = t.number"
            }
        }
    }
}
