//! The local user and its keys: made at the first start, each in a file that only its owner can
//! read.
//!
//! A desk that has no keys at all mints them. A key file that was deleted is not replaced by
//! itself, or deleting a file would be a way to get a key: an admin makes a new one with
//! `askuser key create`, and whoever may start the daemon on this folder with `serve --new-keys`.

use std::fs;
use std::path::Path;

use askuser_core::id::UserId;
use tracing::info;

use super::error::StartError;
use super::folder::not_writable;
use askuser_client::home::{Home, write_private};
use askuser_desk::{Desk, DeskError, Secret};
use askuser_store::KeyRole;
use askuser_system::disk;

/// The user that a desk has from the beginning.
const LOCAL: &str = "local";

/// Whose machine it is.
pub(super) fn local() -> UserId {
    UserId::from(LOCAL)
}

/// Makes the local user where it is missing, and the keys that it never had; with `anew`, also those whose
/// files are missing or open nothing. Returns the roles whose keys were made.
pub(super) async fn mint(desk: &Desk, home: &Home, anew: bool) -> Result<Vec<KeyRole>, StartError> {
    let local = local();
    let access = desk.access();
    if access.users().await?.iter().all(|user| user.id != local) {
        // Another replica may have been quicker: then it is there all the same.
        let _added = access.add_user(&local).await?;
    }
    let known = access.keys().await?;
    let folder = home.keys();
    disk::make_folder(&folder, 0o700).map_err(|source| not_writable(&folder, source))?;
    let mut minted = Vec::new();
    for role in KeyRole::ALL {
        let path = folder.join(role.name());
        // Also where an earlier first start did not get to the end; a key that was revoked is not one of those.
        let never_had = !known.iter().any(|key| key.user == local && key.role == role);
        let is_lost = anew && !opens(desk, &path).await?;
        if !never_had && !is_lost {
            continue;
        }
        let key = Secret::of_key(role)?;
        // The file first: a key that opens something and that nobody has would never be made good.
        write_private(&path, &format!("{}\n", key.reveal())).map_err(|source| not_writable(&path, source))?;
        if desk.access().add_key(&key, role, &local, "local").await? {
            info!(role = role.name(), "Created the key keys/{}", role.name());
            minted.push(role);
        }
    }
    Ok(minted)
}

/// Whether there is a key in this file, and it opens something.
async fn opens(desk: &Desk, path: &Path) -> Result<bool, DeskError> {
    let Ok(key) = fs::read_to_string(path) else { return Ok(false) };
    Ok(desk.access().by_key(key.trim()).await?.is_some())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use askuser_core::limits::DeskLimits;
    use askuser_core::time::Timestamp;
    use askuser_store::sqlite::{Options, Sqlite};

    use super::*;

    async fn desk() -> Desk {
        let store = Sqlite::in_memory(&Options::new(DeskLimits::default(), Timestamp(0))).unwrap();
        Desk::open(Arc::new(store), Arc::new(askuser_system::clock::now)).await.unwrap()
    }

    /// A first start that was killed after one key, with or without its file, is made good by the next one.
    #[tokio::test]
    async fn a_first_start_that_broke_off_is_taken_up_again() {
        let (desk, folder) = (desk().await, tempfile::tempdir().unwrap());
        let home = Home::new(folder.path());
        desk.access().add_user(&LOCAL.into()).await.unwrap();
        desk.access().make_key(KeyRole::Agent, &LOCAL.into(), "local").await.unwrap();
        fs::create_dir_all(home.keys()).unwrap();
        fs::write(home.keys().join("person"), "never added\n").unwrap();
        let minted = mint(&desk, &home, false).await.unwrap();
        assert_eq!(minted, [KeyRole::Person, KeyRole::Admin]);
        for role in ["person", "admin"] {
            assert!(opens(&desk, &home.keys().join(role)).await.unwrap(), "{role}");
        }
        assert!(mint(&desk, &home, false).await.unwrap().is_empty(), "each once");
        // The agent's is in the table and in no file: only whoever starts the daemon so gets another.
        assert_eq!(mint(&desk, &home, true).await.unwrap(), [KeyRole::Agent]);
        assert!(mint(&desk, &home, true).await.unwrap().is_empty());
    }

    /// Deleting a file, or revoking a key, is no way to get another.
    #[tokio::test]
    async fn what_was_had_once_is_not_made_again() {
        let (desk, folder) = (desk().await, tempfile::tempdir().unwrap());
        let home = Home::new(folder.path());
        assert_eq!(mint(&desk, &home, false).await.unwrap(), KeyRole::ALL);
        fs::remove_file(home.keys().join("admin")).unwrap();
        let keys = desk.access().keys().await.unwrap();
        let person = keys.iter().find(|key| key.role == KeyRole::Person).unwrap();
        desk.access().revoke_key(person.id).await.unwrap();
        assert!(mint(&desk, &home, false).await.unwrap().is_empty());
    }
}
