//! Brings a database to today's schema. Migrations are only ever added, never changed.
//!
//! Under a lock that ends with its transaction: of several replicas that start at once, one
//! migrates and the others wait for it.

use askuser_core::hex::hex;
use askuser_core::time::Timestamp;
use sha2::{Digest, Sha256};
use tokio_postgres::Client;
use tokio_postgres::error::Error as SqlError;

use super::error::{OpenError, words};

struct Migration {
    version: i64,
    name: &'static str,
    sql: &'static str,
}

const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, name: "first", sql: include_str!("migrations/0001_first.sql") },
    Migration { version: 2, name: "audit", sql: include_str!("migrations/0002_audit.sql") },
    Migration { version: 3, name: "servers", sql: include_str!("migrations/0003_servers.sql") },
    Migration { version: 4, name: "people", sql: include_str!("migrations/0004_people.sql") },
    Migration { version: 5, name: "nudges", sql: include_str!("migrations/0005_nudges.sql") },
    Migration { version: 6, name: "push", sql: include_str!("migrations/0006_push.sql") },
    Migration { version: 7, name: "rules", sql: include_str!("migrations/0007_rules.sql") },
    Migration { version: 8, name: "timing", sql: include_str!("migrations/0008_timing.sql") },
    Migration { version: 9, name: "confirming", sql: include_str!("migrations/0009_confirming.sql") },
    Migration { version: 10, name: "browsers", sql: include_str!("migrations/0010_browsers.sql") },
    Migration { version: 11, name: "restoring", sql: include_str!("migrations/0011_restoring.sql") },
];

/// What our advisory locks begin with: other programs may use the same database.
const LOCK: i64 = 0x61_73_6b_75_73_65_72;

const RECORD: &str = "CREATE TABLE IF NOT EXISTS schema_migration (
    version BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    applied_at BIGINT NOT NULL,
    program TEXT NOT NULL
)";

/// Applies what is missing, all of it in one transaction.
pub(super) async fn run(db: &mut Client, place: &str, now: Timestamp) -> Result<(), OpenError> {
    let failed = |error: SqlError| OpenError::Away { place: place.to_owned(), what: words(&error) };
    let tx = db.transaction().await.map_err(failed)?;
    tx.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await.map_err(failed)?;
    tx.batch_execute(RECORD).await.map_err(failed)?;
    let applied = tx.query("SELECT version, sha256, program FROM schema_migration ORDER BY version", &[]);
    let applied = applied.await.map_err(failed)?;
    let known = MIGRATIONS.last().map_or(0, |migration| migration.version);
    if let Some(newest) = applied.last().filter(|row| row.get::<_, i64>(0) > known) {
        let (place, wrote) = (place.to_owned(), newest.get(2));
        return Err(OpenError::Newer { place, schema: newest.get(0), known, wrote });
    }
    for migration in MIGRATIONS {
        let sha256 = fingerprint(migration.sql);
        match applied.iter().find(|row| row.get::<_, i64>(0) == migration.version) {
            Some(row) if row.get::<_, String>(1) == sha256 => continue,
            Some(_) => {
                return Err(OpenError::Altered { place: place.to_owned(), schema: migration.version });
            }
            None => {}
        }
        tx.batch_execute(migration.sql).await.map_err(failed)?;
        tx.execute(
            "INSERT INTO schema_migration (version, name, sha256, applied_at, program)
             VALUES ($1, $2, $3, $4, $5)",
            &[&migration.version, &migration.name, &sha256, &now.0, &env!("CARGO_PKG_VERSION")],
        )
        .await
        .map_err(failed)?;
    }
    tx.commit().await.map_err(failed)
}

fn fingerprint(sql: &str) -> String {
    hex(&Sha256::digest(sql))
}
