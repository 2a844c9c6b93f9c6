//! The suite of every store, run on this one: in a file, in memory, and with nothing kept in memory.

use std::path::Path;
use std::sync::Arc;

use askuser_core::limits::DeskLimits;
use proptest::prelude::*;
use rusqlite::Connection;

use super::*;
use crate::conformance::START;
use crate::conformance::model::{agree, any_steps, small_limits};
use crate::{Order, Store};

mod bad_days;
mod batching;
mod tampering;
mod crash;

pub(super) fn options() -> Options {
    Options::new(DeskLimits::default(), START)
}

pub(super) fn at(path: &Path) -> Arc<dyn Store> {
    Arc::new(Sqlite::open(path, &options()).unwrap())
}

fn in_file() -> (Arc<dyn Store>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (at(&folder.path().join("desk.db")), folder)
}

/// Every command reads everything anew.
fn cold() -> (Arc<dyn Store>, ()) {
    let options = Options { hot_sessions_max: 0, ..options() };
    (Arc::new(Sqlite::in_memory(&options).unwrap()), ())
}

mod on_disk {
    crate::conformance::conformance!(super::in_file());
}

mod in_memory {
    crate::conformance::conformance!(super::cold());
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}

proptest! {
    // Every try to make a failing case shorter costs a database of its own, so there are few.
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.div_ceil(4),
        max_shrink_iters: 100,
        ..ProptestConfig::default()
    })]

    /// The same decisions and the same states as with everything in view.
    #[test]
    fn any_commands_lead_where_the_rule_book_says(steps in any_steps(), hot_sessions_max in 0_usize..3) {
        let limits = small_limits();
        let options = Options { limits, hot_sessions_max, ..options() };
        runtime().block_on(async {
            let store: Arc<dyn Store> = Arc::new(Sqlite::in_memory(&options).unwrap());
            agree(&store, limits, &steps).await;
        });
    }
}
