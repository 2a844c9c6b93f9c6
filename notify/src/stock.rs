//! What the nudger begins with: what is open, what was told of it before, and what waits since an earlier
//! start.

use std::collections::HashMap;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::id::AskId;

use super::courier::Errand;
use super::minder::Why;
use super::nudger::{Nudger, PAGE, Place, nudge};
use askuser_desk::{DeskError, Listener, NudgeKey, NudgeRow, NudgeState};
use askuser_system::backoff::Pauses;

impl Nudger {
    /// Takes stock, and listens from there on.
    pub(super) async fn begin(&mut self) -> Listener {
        let mut listener = self.desk.listen_to_all();
        while self.take_stock(&mut listener).await.is_err() {
            tokio::time::sleep(Pauses::OF_THE_STORE.after(1)).await;
        }
        listener
    }

    /// Learns what is open, what was told of it before, and what closed while nobody was there to say so.
    async fn take_stock(&mut self, listener: &mut Listener) -> Result<(), DeskError> {
        listener.begins_at().await?;
        let mut rows: HashMap<AskId, Vec<NudgeRow>> = HashMap::new();
        for row in self.desk.nudges().all().await? {
            rows.entry(row.key.ask).or_default().push(row);
        }
        let mut open: HashMap<AskId, Arc<Ask>> = HashMap::new();
        let mut after = None;
        loop {
            let asks = self.desk.across_users().open_asks(after, PAGE).await?;
            after = asks.last().map(|ask| ask.id);
            let is_last = asks.len() < PAGE;
            for ask in asks {
                self.mind(&ask, ask.asked_at, rows.get(&ask.id).map_or(&[], Vec::as_slice));
                open.insert(ask.id, ask);
            }
            if is_last {
                break;
            }
        }
        for ask in rows.keys().filter(|ask| !open.contains_key(ask)) {
            self.end(*ask, None).await;
        }
        let mut rows: Vec<NudgeRow> = rows.into_values().flatten().collect();
        let spoke =
            |row: &NudgeRow| open.get(&row.key.ask).is_some_and(|ask| ask.hearing.has_heard(&row.key.person));
        for row in rows.extract_if(.., |row| spoke(row)) {
            self.end(row.key.ask, Some(&row.key.person)).await;
        }
        self.resume(rows, &open);
        Ok(())
    }

    /// Goes on with what waits since an earlier start; what is much in one.
    fn resume(&self, rows: Vec<NudgeRow>, open: &HashMap<AskId, Arc<Ask>>) {
        let mut waiting: HashMap<Place, Vec<(NudgeKey, Arc<Ask>)>> = HashMap::new();
        let (rows, told): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| row.state == NudgeState::Waiting);
        for row in rows {
            if let Some(ask) = open.get(&row.key.ask) {
                let place = (row.key.person.clone(), row.key.channel.clone());
                waiting.entry(place).or_default().push((row.key, Arc::clone(ask)));
            }
        }
        for ((person, channel), found) in waiting {
            let few = self.rules.get(&person).is_some_and(|rule| found.len() <= rule.single_max);
            let portions: Vec<Vec<_>> =
                if few { found.into_iter().map(|one| vec![one]).collect() } else { vec![found] };
            for portion in portions {
                let (keys, asks): (Vec<_>, Vec<_>) = portion.into_iter().unzip();
                // Whoever was told nothing yet is told that it is new, however late.
                let is_known = |key: &NudgeKey| told.iter().any(|row| row.key.ask == key.ask);
                let why = if keys.iter().any(is_known) { Why::Reminder } else { Why::New };
                let nudge = nudge(why, &person, asks, &keys);
                self.hand(&person, &channel, Errand::Resume { nudge, keys });
            }
        }
    }
}
