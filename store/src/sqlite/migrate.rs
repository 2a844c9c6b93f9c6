//! Brings a database to today's schema. Migrations are only ever added, never changed.

use std::path::Path;

use askuser_core::hex::hex;
use askuser_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};
use sha2::{Digest, Sha256};

use super::error::OpenError;
use super::open::explain;

struct Migration {
    version: u32,
    name: &'static str,
    sql: &'static str,
}

const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, name: "first", sql: include_str!("migrations/0001_first.sql") },
    Migration { version: 2, name: "restore", sql: include_str!("migrations/0002_restore.sql") },
    Migration { version: 3, name: "threads", sql: include_str!("migrations/0003_threads.sql") },
    Migration { version: 4, name: "tasks", sql: include_str!("migrations/0004_tasks.sql") },
    Migration { version: 5, name: "audit", sql: include_str!("migrations/0005_audit.sql") },
    Migration { version: 6, name: "servers", sql: include_str!("migrations/0006_servers.sql") },
    Migration { version: 7, name: "people", sql: include_str!("migrations/0007_people.sql") },
    Migration { version: 8, name: "nudges", sql: include_str!("migrations/0008_nudges.sql") },
    Migration { version: 9, name: "push", sql: include_str!("migrations/0009_push.sql") },
    Migration { version: 10, name: "rules", sql: include_str!("migrations/0010_rules.sql") },
    Migration { version: 11, name: "timing", sql: include_str!("migrations/0011_timing.sql") },
    Migration { version: 12, name: "standing", sql: include_str!("migrations/0012_standing.sql") },
    Migration { version: 13, name: "confirming", sql: include_str!("migrations/0013_confirming.sql") },
    Migration { version: 14, name: "browsers", sql: include_str!("migrations/0014_browsers.sql") },
    Migration { version: 15, name: "restoring", sql: include_str!("migrations/0015_restoring.sql") },
    Migration { version: 16, name: "names", sql: include_str!("migrations/0016_names.sql") },
    Migration { version: 17, name: "ids", sql: include_str!("migrations/0017_ids.sql") },
];

const RECORD: &str = "CREATE TABLE IF NOT EXISTS schema_migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    applied_at INTEGER NOT NULL,
    program TEXT NOT NULL
) STRICT";

/// Applies what is missing, each migration in a transaction of its own.
pub(super) fn run(writer: &mut Connection, path: &Path, now: Timestamp) -> Result<(), OpenError> {
    let failed = |error: rusqlite::Error| explain(path.to_owned(), &error);
    writer.execute_batch(RECORD).map_err(failed)?;
    refuse_newer(writer, path)?;
    for migration in MIGRATIONS {
        let sha256 = fingerprint(migration.sql);
        let tx = writer.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        let applied: Option<String> = tx
            .query_row("SELECT sha256 FROM schema_migration WHERE version = ?1", [migration.version], |row| {
                row.get(0)
            })
            .optional()
            .map_err(failed)?;
        match applied {
            Some(applied) if applied == sha256 => continue,
            Some(_) => {
                let what = format!("its schema {} is not the one that was released", migration.version);
                return Err(OpenError::Damaged { path: path.to_owned(), what });
            }
            None => {}
        }
        tx.execute_batch(migration.sql).map_err(failed)?;
        tx.execute(
            "INSERT INTO schema_migration (version, name, sha256, applied_at, program) VALUES (?1, ?2, ?3, ?4, ?5)",
            (migration.version, migration.name, sha256, now.0, env!("CARGO_PKG_VERSION")),
        )
        .map_err(failed)?;
        tx.commit().map_err(failed)?;
    }
    Ok(())
}

/// Whether nothing is missing.
pub(super) fn is_of_today(db: &Connection) -> rusqlite::Result<bool> {
    let known = MIGRATIONS.last().map_or(0, |migration| migration.version);
    let newest: Option<u32> =
        db.query_row("SELECT max(version) FROM schema_migration", [], |row| row.get(0))?;
    Ok(newest == Some(known))
}

fn refuse_newer(writer: &Connection, path: &Path) -> Result<(), OpenError> {
    let known = MIGRATIONS.last().map_or(0, |migration| migration.version);
    let newest: Option<(u32, String)> = writer
        .query_row("SELECT version, program FROM schema_migration ORDER BY version DESC LIMIT 1", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()
        .map_err(|error| explain(path.to_owned(), &error))?;
    match newest {
        Some((schema, wrote)) if schema > known => {
            Err(OpenError::Newer { path: path.to_owned(), schema, known, wrote })
        }
        Some(_) | None => Ok(()),
    }
}

fn fingerprint(sql: &str) -> String {
    hex(&Sha256::digest(sql))
}
