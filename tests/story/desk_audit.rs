//! `askuser audit` and `askuser purge`: searching, taking away, proving, erasing.

use crate::asks::{database, told};
use crate::home::TestHome;

fn answered() -> TestHome {
    let home = TestHome::new();
    let (mut asking, id) = home.asks(&[&database()]);
    home.prints(&["answer", &id, "--pick", "Database=SQLite"]);
    assert_eq!(asking.ends(), 0, "{}", asking.stderr());
    home
}

/// D15: the log in a terminal, as files, and its proof.
#[test]
fn d15_the_log_is_read_taken_away_and_proven() {
    let home = answered();
    let table = home.prints(&["audit"]);
    let answer = table.lines().find(|line| line.contains(" answered ")).unwrap();
    assert!(answer.contains("127.0.0.1") && answer.contains("Which database?  SQLite"), "{table}");
    let columns: Vec<&str> = answer.split("  ").filter(|column| !column.is_empty()).map(str::trim).collect();
    assert_eq!((columns.len(), columns[3]), (9, "unnamed agent"), "no column is empty: {table}");
    let found = home.json(&["audit", "--action", "answer", "--text", "sqlite", "--json"]);
    assert_eq!(found["entries"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(
        home.json(&["audit", "--text", "nothing alike", "--json"])["entries"].as_array().unwrap().len(),
        0
    );
    assert!(home.prints(&["audit", "--export", "csv"]).starts_with("timestamp,session_id,user_id,action"));
    assert!(home.prints(&["audit", "--export", "md"]).contains("## answer: Which database?"));
    assert_eq!(home.prints(&["audit", "--export", "jsonl"]).lines().count(), 3);
    assert!(home.prints(&["audit", "--verify"]).starts_with("Intact: "));
    assert_eq!(home.prints(&["audit", "--security"]), "No entries.");
    let wrong = home.run(&["audit", "--since", "soon"]);
    assert!(told(&wrong).contains("`soon` is not a time"), "{}", told(&wrong));
}

/// The short id that `sessions` shows found nothing, and so did nonsense, as if nothing had been decided.
#[test]
fn the_log_of_a_conversation_is_found_by_its_short_id() {
    let home = answered();
    let session = home.json(&["sessions", "--json"])["sessions"][0].clone();
    for typed in [&session["id"], &session["short_id"]] {
        let log = home.prints(&["audit", "--session", typed.as_str().unwrap()]);
        assert!(log.contains("Which database?  SQLite"), "{typed}: {log}");
    }
    let wrong = home.run(&["audit", "--session", "nonsense"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", told(&wrong));
    assert!(told(&wrong).contains("no conversation matches `nonsense`"), "{}", told(&wrong));
}

/// D15: a byte that was changed in the database is found, and named.
#[test]
fn d15_a_changed_byte_is_found_by_verify() {
    let home = answered();
    home.prints(&["stop"]);
    let database = rusqlite::Connection::open(home.home.database()).unwrap();
    let n_changed = database.execute("UPDATE fact SET payload = payload || ' ' WHERE kind = 'closed'", []);
    assert_eq!(n_changed.unwrap(), 1);
    let number: u64 =
        database.query_row("SELECT number FROM fact WHERE kind = 'closed'", [], |row| row.get(0)).unwrap();
    drop(database);
    let output = home.run(&["audit", "--verify"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with(&format!("BROKEN: record {number} has a payload")), "{said}");
}

/// An answer that was changed in the database was told to the agent, and verify said `whole`.
#[test]
fn an_answer_that_was_changed_behind_the_desks_back_is_found_by_verify_and_doctor() {
    for is_running in [true, false] {
        let home = answered();
        if !is_running {
            home.prints(&["stop"]);
        }
        let database = rusqlite::Connection::open(home.home.database()).unwrap();
        let sql = "UPDATE ask SET outcome = replace(outcome, '\"proof\":\"', '\"proof\":\"x')";
        let n_changed = database.execute(sql, []);
        assert_eq!(n_changed.unwrap(), 1);
        let number: u64 = database
            .query_row("SELECT number FROM fact WHERE kind = 'closed'", [], |row| row.get(0))
            .unwrap();
        drop(database);
        let doctor = home.run(&["doctor"]);
        let said = String::from_utf8(doctor.stdout).unwrap();
        assert!(said.contains(&format!(": outcome differs from fact {number}")), "{said}");
        let output = home.run(&["audit", "--verify"]);
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.starts_with("BROKEN: ask_"), "{said}");
        assert!(said.contains(&format!(": outcome differs from fact {number}")), "{said}");
    }
}

/// D15: erasing what is old by hand.
#[test]
fn d15_purge_erases_and_says_how_many() {
    let home = answered();
    assert!(home.prints(&["purge", "--older-than", "1d"]).starts_with("Nothing to delete"));
    assert_eq!(home.json(&["purge", "--older-than", "1d", "--dry-run", "--json"])["would_erase"], 0);
    assert_eq!(home.json(&["purge", "--older-than", "1d", "--json"])["erased"], 0);
    let wrong = home.run(&["purge", "--older-than", "soon"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", told(&wrong));
}
