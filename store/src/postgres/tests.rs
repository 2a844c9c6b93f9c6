//! The suite of every store, run on this one, against a real PostgreSQL.

use std::sync::{Arc, OnceLock};

use askuser_core::limits::DeskLimits;
use proptest::prelude::*;

use self::server::Server;
use super::*;
use crate::Store;
use crate::conformance::START;
use crate::conformance::model::{agree, any_steps, small_limits};

mod order;
mod tampering;
mod upgrading;
mod replicas;
mod presence;

#[path = "../../../tests/crash/postgres.rs"]
pub(crate) mod server;

/// One for all tests of this program.
pub(crate) fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::start(false))
}

pub(crate) fn options() -> Options {
    Options::new(DeskLimits::default(), START)
}

/// Opens a replica on the database at this address.
pub(crate) async fn at(address: &str) -> Arc<dyn Store> {
    Arc::new(Postgres::open(address, &options()).await.unwrap())
}

async fn fresh() -> (Arc<dyn Store>, ()) {
    (at(&server().corner()).await, ())
}

mod one_replica {
    crate::conformance::conformance!(super::fresh().await);
}

proptest! {
    // Every try to make a failing case shorter costs a database of its own, so there are few.
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.div_ceil(16),
        max_shrink_iters: 100,
        ..ProptestConfig::default()
    })]

    /// The same decisions and the same states as with everything in view.
    #[test]
    fn any_commands_lead_where_the_rule_book_says(steps in any_steps()) {
        let limits = small_limits();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let options = Options { limits, ..options() };
            let store: Arc<dyn Store> = Arc::new(Postgres::open(&server().corner(), &options).await.unwrap());
            agree(&store, limits, &steps).await;
        });
    }
}
