//! Clients that ask, answer, wait and hang up, until the daemon dies under them.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use serde_json::json;

use crate::dice::Dice;
use crate::http::Line;
use crate::record::Known;

/// Writes that one session may see in a minute (D11); a session here stays below.
const WRITES_MAX: usize = 90;

/// Every ask of the whole test; each under a lock of its own, never held during a call.
pub(crate) type Asks = Arc<Mutex<Vec<Arc<Mutex<Known>>>>>;

/// Counts calls as they begin, and wakes whoever waits for a certain number.
#[derive(Default)]
pub(crate) struct Progress {
    n_begun: Mutex<usize>,
    grown: Condvar,
}

impl Progress {
    fn begin(&self) {
        *self.n_begun.lock().unwrap() += 1;
        self.grown.notify_all();
    }

    /// Waits until so many calls have begun.
    pub(crate) fn wait_for(&self, n: usize) {
        let begun = self.n_begun.lock().unwrap();
        drop(self.grown.wait_while(begun, |begun| *begun < n).unwrap());
    }
}

/// One client: an agent and a person in one.
pub(crate) struct Client {
    pub(crate) name: String,
    pub(crate) address: SocketAddr,
    pub(crate) agent_key: String,
    pub(crate) person_key: String,
    pub(crate) asks: Asks,
    /// Asks before this place are of earlier lives of the daemon.
    pub(crate) since: usize,
    pub(crate) dice: Dice,
    pub(crate) progress: Arc<Progress>,
    pub(crate) n_answered: Arc<AtomicUsize>,
}

impl Client {
    /// Works until the daemon is gone. Whatever was under way then has an unknown result.
    pub(crate) fn run(mut self) {
        let _gone: io::Result<()> = self.work();
        // Whoever waits for progress must not wait for a client that is gone.
        for _ in 0..100_000 {
            self.progress.begin();
        }
    }

    fn work(&mut self) -> io::Result<()> {
        let mut agent = Line::open(self.address, &self.agent_key)?;
        let mut person = Line::open(self.address, &self.person_key)?;
        for n in 0.. {
            self.progress.begin();
            let what = self.dice.below(12);
            let known = (what > 4).then(|| self.pick()).flatten();
            match known {
                None => self.ask(&mut agent, n)?,
                Some(known) if what < 9 => self.answer(&mut person, &known)?,
                Some(known) if what == 9 => self.end_otherwise(&mut agent, &mut person, &known)?,
                Some(known) if what == 10 => self.look(&mut agent, &known)?,
                Some(known) => self.hang_up(&known)?,
            }
        }
        Ok(())
    }

    /// One of the asks of this life that the daemon has acknowledged.
    fn pick(&mut self) -> Option<Arc<Mutex<Known>>> {
        let asks = self.asks.lock().unwrap();
        let fresh = asks.len().checked_sub(self.since).filter(|n| *n > 0)?;
        let known = Arc::clone(&asks[self.since + self.dice.below(fresh)]);
        drop(asks);
        let acknowledged = known.lock().unwrap().id.is_some();
        acknowledged.then_some(known)
    }

    fn ask(&mut self, agent: &mut Line, n: usize) -> io::Result<()> {
        let key = format!("{}-{n}", self.name);
        let timeout_ms = [None, None, Some(20), Some(200), Some(600_000)][self.dice.below(5)];
        let folder = format!("~/{}/{}", self.name, n / WRITES_MAX);
        let known = Arc::new(Mutex::new(Known::new(&key, &folder, timeout_ms)));
        let body = known.lock().unwrap().body().clone();
        self.asks.lock().unwrap().push(Arc::clone(&known));
        let reply = agent.ask(&key, &body)?;
        known.lock().unwrap().learn(&reply);
        // A repeated call is the same ask, whatever has become of it.
        if self.dice.once_in(8) {
            let had_ended = known.lock().unwrap().ended.is_some();
            let again = agent.ask(&key, &body)?;
            known.lock().unwrap().learn_since(&again, had_ended);
        }
        Ok(())
    }

    fn answer(&mut self, person: &mut Line, known: &Mutex<Known>) -> io::Result<()> {
        let label = ["left", "right"][self.dice.below(2)];
        // Many begin, and most of those leave it at that.
        if self.dice.once_in(2) {
            self.save(person, known, label)?;
            if !self.dice.once_in(4) {
                return Ok(());
            }
        }
        let (path, body) = {
            let mut known = known.lock().unwrap();
            (known.path("/answer"), known.try_answer(label))
        };
        let reply = person.post(&path, &body)?;
        known.lock().unwrap().learn_attempt(&reply);
        if reply.is_ok() {
            self.n_answered.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    fn save(&mut self, person: &mut Line, known: &Mutex<Known>, label: &str) -> io::Result<()> {
        for _ in 0..=self.dice.below(3) {
            let (path, (number, body)) = {
                let mut known = known.lock().unwrap();
                (known.path("/sheet"), known.try_save(label))
            };
            let reply = person.put(&path, &body)?;
            known.lock().unwrap().learn_save(number, &reply);
        }
        Ok(())
    }

    fn end_otherwise(&mut self, agent: &mut Line, person: &mut Line, known: &Mutex<Known>) -> io::Result<()> {
        let (line, ending, behind) = if self.dice.once_in(2) {
            (agent, "cancelled by system", "/withdraw")
        } else {
            (person, "cancelled by user", "/cancel")
        };
        let path = {
            let mut known = known.lock().unwrap();
            known.try_ending(ending);
            known.path(behind)
        };
        let reply = line.post(&path, &json!({}))?;
        known.lock().unwrap().learn_attempt(&reply);
        Ok(())
    }

    /// Looks, or waits a little. What is told here counts as much as an answer to a write.
    fn look(&mut self, agent: &mut Line, known: &Mutex<Known>) -> io::Result<()> {
        let had_ended = known.lock().unwrap().ended.is_some();
        let path = known.lock().unwrap().path(["", "?wait=0.02"][self.dice.below(2)]);
        let reply = agent.get(&path)?;
        known.lock().unwrap().learn_since(&reply, had_ended);
        Ok(())
    }

    /// Goes away in the middle: while it speaks, or before it has heard the answer.
    fn hang_up(&mut self, known: &Mutex<Known>) -> io::Result<()> {
        let label = ["left", "right"][self.dice.below(2)];
        let (path, waits, body) = {
            let mut known = known.lock().unwrap();
            (known.path("/answer"), known.path("?wait=30"), known.try_answer(label))
        };
        match self.dice.below(3) {
            0 => Line::open(self.address, &self.person_key)?.send("POST", &path, "", Some(&body)),
            1 => Line::open(self.address, &self.agent_key)?.send("GET", &waits, "", None),
            _ => Line::open(self.address, &self.person_key)?.stammer(&path, &body, self.dice.below(300)),
        }
    }
}
