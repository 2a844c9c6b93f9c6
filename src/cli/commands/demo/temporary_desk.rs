//! A desk for the demo: a daemon in a folder of its own, both gone afterwards, however it ends.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use askuser_ask::connect::{self, block_on};
use askuser_client::Client;
use askuser_client::find_or_start::{ChildServer, start_child};
use askuser_client::home::Home;
use askuser_system::environment::Environment;

/// The demo's own desk.
pub struct Stage {
    home: Home,
    client: Client,
    daemon: ChildServer,
}

impl Stage {
    /// Starts a daemon in a new folder beside the real one; nothing where that does not work, as
    /// when another demo is going on.
    pub fn open(environment: &Environment) -> Option<Self> {
        let real = connect::home(None, environment).ok()?;
        let mut name = real.folder().file_name()?.to_owned();
        name.push("-demo");
        let home = Home::new(real.folder().with_file_name(name));
        // A demo that was cut off with its daemon left this; anything else there is not ours.
        if home.lock().exists() && !home.is_held() {
            let _removed = std::fs::remove_dir_all(home.folder());
        }
        DirBuilder::new().recursive(true).mode(0o700).create(home.folder().parent()?).ok()?;
        DirBuilder::new().mode(0o700).create(home.folder()).ok()?;
        // Only the folder counts here: a desk or a key that is set up for real work stays out.
        let client = Client::new(&Environment::default(), home.clone());
        let Ok(daemon) = block_on(async { Ok(start_child(&home).await?) }) else {
            let _removed = std::fs::remove_dir_all(home.folder());
            return None;
        };
        Some(Self { home, client, daemon })
    }

    /// Returns the way to it.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Returns its folder.
    pub fn folder(&self) -> &Path {
        self.home.folder()
    }

    /// Stops the daemon, which takes the folder away.
    pub fn close(self) {
        self.daemon.end();
    }
}
