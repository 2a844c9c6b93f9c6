//! Ids by how they begin and end.

use std::sync::Arc;

use askuser_core::command::Role;
use askuser_core::id::{SessionId, TaskId};

use super::tasks::{carried, start};
use super::{Caller, answer, named, one};
use crate::{IdsOf, SessionRef, Store};

pub(crate) async fn ids_are_found_by_how_they_begin_and_end(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let ids = store.ids();
    // The last two bytes of the first and the third are the same, and those of the second have another order.
    let (first, second, third) =
        (0x0199_u128 << 112 | 0x1234, 0x0199_u128 << 112 | 0x3412, 0x019a_u128 << 112 | 0xff_1234);
    for id in [first, second, third] {
        caller.ask("ids", one(id)).await;
    }
    // What has ended is found as well.
    caller.person(first, answer(first, "a")).await;
    let sorted = |mut ids: Vec<u128>| {
        ids.sort_unstable();
        ids
    };
    let tails = |tails: &[u16]| ids.ids_with_tails(IdsOf::Asks, tails.to_vec());
    assert_eq!(sorted(tails(&[0x1234]).await.unwrap()), [first, third]);
    assert_eq!(sorted(tails(&[0x3412, 0x1234, 0]).await.unwrap()), [first, second, third]);
    assert_eq!(tails(&[0x0012]).await.unwrap(), []);
    assert_eq!(tails(&[]).await.unwrap(), []);
    let between = |from: u128, to: u128, limit| ids.ids_between(IdsOf::Asks, from..=to, limit);
    let beginning = 0x0199_u128 << 112;
    assert_eq!(
        between(beginning, (0x019a << 112) - 1, 9).await.unwrap(),
        [second, first],
        "the latest first"
    );
    assert_eq!(between(0, u128::MAX, 2).await.unwrap(), [third, second]);
    assert_eq!(between(first, first, 9).await.unwrap(), [first]);
    // Sessions and tasks by themselves.
    carried(&caller, Role::Person, 0x7777, start(0x7777)).await;
    let SessionRef::Named { fresh, .. } = named("ids") else { panic!("a named session") };
    let all = |of| ids.ids_between(of, 0..=u128::MAX, 9);
    assert_eq!(sorted(all(IdsOf::Sessions).await.unwrap()), sorted(vec![fresh.0, SessionId(0x7777).0]));
    assert_eq!(all(IdsOf::Tasks).await.unwrap(), [TaskId(0x7777).0]);
    assert_eq!(ids.ids_with_tails(IdsOf::Tasks, vec![0x7777]).await.unwrap(), [0x7777]);
    assert_eq!(ids.ids_with_tails(IdsOf::Tasks, vec![0x1234]).await.unwrap(), []);
}
