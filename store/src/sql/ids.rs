//! Ids by how they begin and end.

use std::ops::RangeInclusive;

use crate::db::{Cell, Database, cells, places};
use crate::{IdStore, IdsOf, Later};

impl<D: Database> IdStore for D {
    fn ids_between(&self, of: IdsOf, range: RangeInclusive<u128>, limit: usize) -> Later<'_, Vec<u128>> {
        self.read((of, range, limit), |db, (of, range, limit)| {
            Box::pin(async move {
                let sql = format!(
                    "SELECT id FROM {} WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT ?3",
                    of.table()
                );
                db.rows(&sql, cells![*range.start(), *range.end(), *limit], |row| row.get(0)).await
            })
        })
    }

    fn ids_with_tails(&self, of: IdsOf, tails: Vec<u16>) -> Later<'_, Vec<u128>> {
        self.read((of, tails), |db, (of, tails)| {
            Box::pin(async move {
                let mut tails: Vec<[u8; 2]> = tails.iter().map(|tail| tail.to_be_bytes()).collect();
                // There are 65,536 of them, and no statement takes as many.
                tails.sort_unstable();
                tails.dedup();
                let mut found = Vec::new();
                for tails in tails.chunks(TAILS_MAX) {
                    let mut tails: Vec<Cell<'_>> = tails.iter().map(Cell::from).collect();
                    let sql = format!(
                        "SELECT id FROM {} WHERE substr(id, 15) IN ({})",
                        of.table(),
                        places(1, &mut tails)
                    );
                    found.extend(db.rows(&sql, &tails, |row| row.get::<u128>(0)).await?);
                }
                Ok(found)
            })
        })
    }
}

/// Ends that are looked for in one statement.
const TAILS_MAX: usize = 4096;
