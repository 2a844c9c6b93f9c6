//! A desk for the demo: a daemon in a folder of its own, both gone afterwards.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use hyper::Method;

use super::connect::block_on;
use crate::client::Client;
use crate::client::find_or_start::{find_or_start, wait_until_gone};
use crate::client::home::Home;
use crate::client::keys::KeyFor;
use crate::environment::Environment;

/// The demo's own desk.
pub struct Stage {
    home: Home,
    client: Client,
}

impl Stage {
    /// Starts a daemon in a new folder; nothing where that does not work.
    pub fn open(environment: &Environment) -> Option<Self> {
        let folder = environment.temporary().join(format!("askuser-demo-{}", std::process::id()));
        // It must be new: whatever lies there already is somebody else's.
        DirBuilder::new().mode(0o700).create(&folder).ok()?;
        let home = Home::new(folder);
        // Only the folder counts here: a desk or a key that is set up for real work stays out.
        let client = Client::new(&Environment::default(), home.clone());
        let started = block_on(async { Ok(find_or_start(&home, |_| {}).await?) });
        let stage = Self { home, client };
        if started.is_err() {
            stage.close();
            return None;
        }
        Some(stage)
    }

    /// Returns the way to it.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Returns its folder.
    pub fn folder(&self) -> &Path {
        self.home.folder()
    }

    /// Stops the daemon and takes the folder away.
    pub fn close(self) {
        // Where it is gone already, so much the better.
        let _stopped = block_on(async {
            let stopped = self.client.plain(Method::POST, "/api/stop", KeyFor::Admin, None).await;
            wait_until_gone(&self.home).await?;
            Ok(stopped.map(drop)?)
        });
        let _removed = std::fs::remove_dir_all(self.home.folder());
    }
}
