//! The local user and its keys: made at the first start, each in a file that only its owner can
//! read.
//!
//! A desk that has no keys at all mints them. A key file that was deleted is not replaced by
//! itself, or deleting a file would be a way to get a key: an admin makes a new one with
//! `askuser key create`, and whoever may start the daemon on this folder with `serve --new-keys`.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;

use askuser_core::id::UserId;

use super::error::StartError;
use super::folder::not_writable;
use crate::client::home::{Home, write_private};
use crate::desk::Desk;
use crate::store::{KeyRole, User};

/// The user that a desk has from the beginning.
const LOCAL: &str = "local";

/// Makes the local user where it is missing, and its keys where there are none; with `anew`, also
/// those whose files are missing. Returns the roles whose keys were made.
pub(super) async fn mint(desk: &Desk, home: &Home, anew: bool) -> Result<Vec<KeyRole>, StartError> {
    let local = UserId::from(LOCAL);
    let store = desk.store();
    if store.users().await?.iter().all(|user| user.id != local) {
        let user = User { id: local.clone(), created_at: desk.now(), disabled_at: None };
        // Another replica may have been quicker: then it is there all the same.
        let _added = store.add_user(user).await?;
    }
    let none_yet = store.keys().await?.is_empty();
    let folder = home.keys();
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    made.map_err(|source| not_writable(&folder, source))?;
    let mut minted = Vec::new();
    for role in KeyRole::ALL {
        let path = folder.join(role.name());
        let lost = anew && !path.exists();
        if !none_yet && !lost {
            continue;
        }
        let Some(key) = desk.make_key(role, &local, "local").await? else { continue };
        write_private(&path, &format!("{}\n", key.reveal())).map_err(|source| not_writable(&path, source))?;
        minted.push(role);
    }
    Ok(minted)
}
