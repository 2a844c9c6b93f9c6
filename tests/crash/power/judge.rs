//! Holds what is found after a cut to what was promised before it.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use askuser_core::fact::Fact;
use askuser_core::hex::hex;
use askuser_core::limits::DeskLimits;
use askuser_core::time::Timestamp;
use askuser_store::sqlite::{Options, Sqlite, soundness};
use askuser_store::{AccessStore, AskStore, FactStore, KeyRole, Store, StoreError};
use sha2::{Digest, Sha256};
use tokio::runtime::Runtime;

use super::disk::Image;
use super::promises::{Given, What, versions};
use super::recorded::Recorded;

/// The data folder, in the folder that was recorded.
pub(crate) const HOME: &str = "home";

/// Stands for what is left of a sheet or of a held answer when it counts no more.
pub(crate) const ENDED: &str = "(ended)";

/// What is known of a recording.
pub(crate) struct Judge<'a> {
    pub(crate) recorded: &'a Recorded,
    pub(crate) given: &'a [Given],
    /// How somebody tried to end which ask.
    pub(crate) tried: &'a HashSet<(String, String)>,
}

/// What a database says, by kind and about whom or what.
#[derive(Default)]
struct Testimony(HashMap<(&'static str, String), Vec<String>>);

impl Testimony {
    fn add(&mut self, kind: &'static str, about: &impl ToString, text: String) {
        self.0.entry((kind, about.to_string())).or_default().push(text);
    }

    fn says(&self, kind: &'static str, about: &str, with: &[String]) -> bool {
        let texts = self.0.get(&(kind, about.to_owned()));
        texts.is_some_and(|texts| texts.iter().any(|text| with.iter().any(|with| text.contains(with))))
    }
}

impl Judge<'_> {
    /// Looks at what was laid out in a folder after a cut behind so many events. The database in it is opened, and
    /// so changed.
    pub(crate) fn look(
        &self,
        image: &Image,
        folder: &Path,
        after: usize,
        runtime: &Runtime,
    ) -> Result<(), String> {
        let given = &self.given[..self.given.partition_point(|given| given.after <= after)];
        self.look_at_files(image, given)?;
        let database = Path::new(HOME).join("askuser.db");
        let testimony = if found(image, &database).is_some() {
            runtime.block_on(self.look_at_database(&folder.join(database), image))?
        } else {
            Testimony::default()
        };
        for Given { what, after } in given {
            if let What::There { kind, about, with } = what
                && !testimony.says(kind, about, with)
            {
                return Err(format!("{kind} {about} with {with:?}, told after {after} events, is not there"));
            }
        }
        Ok(())
    }

    /// Files that are put there whole are whole, and those that were promised are there.
    fn look_at_files(&self, image: &Image, given: &[Given]) -> Result<(), String> {
        for path in self.recorded.placed.keys().filter(|path| is_put_whole(path)) {
            let promised = |given: &&Given| matches!(&given.what, What::File(file) if file == path);
            let promised = given.iter().rfind(promised).map(|given| given.after);
            let versions = versions(self.recorded, path, promised).unwrap_or_default();
            let is_gone = self.recorded.placed[path].iter().any(|placed| placed.bytes.is_none());
            match found(image, path) {
                Some(bytes) if !versions.contains(&bytes) => {
                    return Err(format!(
                        "{} is not as it was written: {} bytes",
                        path.display(),
                        bytes.len()
                    ));
                }
                None if promised.is_some() && !is_gone => return Err(format!("{} is gone", path.display())),
                _ => {}
            }
        }
        Ok(())
    }

    async fn look_at_database(&self, database: &Path, image: &Image) -> Result<Testimony, String> {
        let failed = |error: &dyn std::fmt::Display| format!("the database: {error}");
        let options = Options { n_readers: 1, ..Options::new(DeskLimits::default(), Timestamp(0)) };
        let store = Sqlite::open(database, &options).map_err(|error| failed(&error))?;
        let read = async {
            let mut testimony = Testimony::default();
            let mut number = 0;
            loop {
                let facts = store.facts_since(number, 1000).await?;
                let Some(last) = facts.last() else { break };
                number = last.number;
                for fact in facts.iter().filter_map(|numbered| numbered.fact.as_deref()) {
                    tell(fact, &mut testimony);
                    if let Fact::Asked(asked) = fact {
                        let ask = store.ask(asked.id).await?;
                        let ask =
                            ask.ok_or_else(|| StoreError::Damaged(format!("{} has no row", asked.id)))?;
                        // What is put down on a sheet is in its row alone, and only until it ends.
                        let ended = if ask.state.outcome().is_some() { ENDED } else { "" };
                        testimony.add("saved", &ask.id, format!("{:?} {ended}", ask.entries));
                        testimony.add("held", &ask.id, format!("{:?} {ended}", ask.hearing));
                    }
                }
            }
            for user in store.users().await? {
                for rule in store.ruling().rules_of(user.id.clone(), Timestamp(0)).await? {
                    testimony.add("rule", &user.id, rule);
                }
                testimony.add("user", &user.id, format!("disabled: {}", user.disabled_at.is_some()));
            }
            let keys = store.keys().await?;
            for key in &keys {
                testimony.add(
                    "key",
                    &hex(&key.hash),
                    format!("{} revoked: {}", key.name, key.revoked_at.is_some()),
                );
            }
            store.close().await?;
            Ok::<_, StoreError>((testimony, keys))
        };
        let (testimony, keys) = read.await.map_err(|error| failed(&error))?;
        let sound = soundness(database).map_err(|error| failed(&error))?;
        if !sound.is_sound() {
            return Err(failed(&sound.told()));
        }
        self.look_at_endings(&testimony)?;
        // A key that opens something and that nobody has is never made good.
        for role in KeyRole::ALL {
            let of_role: Vec<_> = keys.iter().filter(|key| key.role == role && key.name == "local").collect();
            let file = found(image, &Path::new(HOME).join("keys").join(role.name()));
            let digest: Option<[u8; 32]> = file.map(|key| Sha256::digest(key.trim_ascii()).into());
            if !of_role.is_empty() && !of_role.iter().any(|key| Some(key.hash) == digest) {
                return Err(format!("the {} key opens the desk, and is in no file", role.name()));
            }
        }
        let own = image.iter().filter(|(path, _)| path.starts_with(Path::new(HOME).join("keys/agents")));
        let own: HashSet<[u8; 32]> =
            own.filter_map(|(_, key)| Some(Sha256::digest(key.as_deref()?.trim_ascii()).into())).collect();
        let of_agents = keys.iter().filter(|key| key.user.as_str() == "local" && key.name != "local");
        if let Some(key) = of_agents.into_iter().find(|key| !own.contains(&key.hash)) {
            return Err(format!("the key of {} opens the desk, and is in no file", key.name));
        }
        Ok(testimony)
    }

    /// Nothing ended in a way that nobody tried.
    fn look_at_endings(&self, testimony: &Testimony) -> Result<(), String> {
        for ((kind, ask), texts) in &testimony.0 {
            let is_tried =
                |text: &String| self.tried.iter().any(|(tried, how)| tried == ask && text.contains(how));
            if *kind == "closed" && (texts.len() > 1 || !texts.iter().all(is_tried)) {
                return Err(format!("{ask} ended as nobody tried: {texts:?}"));
            }
        }
        Ok(())
    }
}

fn tell(fact: &Fact, testimony: &mut Testimony) {
    match fact {
        Fact::Asked(ask) => testimony.add("asked", &ask.id, ask.questions.top()[0].text.clone()),
        Fact::Saved { ask, .. } => testimony.add("fact: saved", ask, String::new()),
        Fact::Held { ask, .. } => testimony.add("fact: held", ask, String::new()),
        Fact::TakenBack { ask, .. } => {
            testimony.add("taken back", ask, String::new());
            testimony.add("held", ask, ENDED.to_owned());
        }
        Fact::Closed { ask, outcome } => {
            testimony.add("closed", ask, format!("{} {outcome:?}", outcome.status()));
        }
        Fact::Acknowledged { ask } => testimony.add("acknowledged", ask, String::new()),
        _ => {}
    }
}

/// A log is written line by line, and of its lines nothing is promised.
fn is_put_whole(path: &Path) -> bool {
    !path.to_string_lossy().contains("askuser.log")
}

fn found<'a>(image: &'a Image, path: &Path) -> Option<&'a [u8]> {
    image.iter().find(|(there, _)| there == path).and_then(|(_, bytes)| bytes.as_deref())
}
