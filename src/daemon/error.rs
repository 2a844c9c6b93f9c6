//! Why a daemon does not start, each with what to do about it.

use std::io;
use std::path::PathBuf;

use super::network::NetworkError;
use crate::client::home::Running;
use crate::desk::DeskError;
use crate::store::StoreError;
use crate::store::sqlite::OpenError;

/// Why a daemon does not start, or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another daemon owns the folder.
    #[error("{} is owned by another askuser{}", .folder.display(), owned_by(.owner.as_ref()))]
    Owned {
        /// The folder.
        folder: PathBuf,
        /// Who, where it has said so.
        owner: Option<Running>,
    },
    /// The folder cannot be used.
    #[error("{} cannot be written: {source}", .path.display())]
    NotWritable {
        /// The folder or a file in it.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The address cannot be listened on.
    #[error("{address} cannot be listened on: {source}")]
    NoListening {
        /// The address.
        address: String,
        /// Why.
        source: io::Error,
    },
    /// Other devices cannot come in, although that was asked for.
    #[error("no other device could come in: {0}")]
    Network(#[from] NetworkError),
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// The shared database cannot be opened.
    #[error(transparent)]
    Shared(#[from] crate::store::postgres::OpenError),
    /// The desk cannot be opened.
    #[error("the desk cannot be opened: {0}")]
    Desk(#[from] DeskError),
    /// The runtime or a signal failed.
    #[error("the system said no: {0}")]
    System(#[from] io::Error),
}

fn owned_by(owner: Option<&Running>) -> String {
    owner.map_or_else(String::new, |owner| format!(": process {} at {}", owner.pid, owner.url))
}

impl From<StoreError> for StartError {
    fn from(error: StoreError) -> Self {
        Self::Desk(error.into())
    }
}

impl StartError {
    /// Returns what to do about it, where the words themselves do not say so.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Owned { .. } => {
                "use that one, end it with `askuser stop`, or choose another folder with --data".to_owned()
            }
            Self::NotWritable { source, .. } if is_full(source) => "make room on the disk".to_owned(),
            Self::NotWritable { .. } => {
                "make it writable, or choose another folder with --data or ASKUSER_HOME".to_owned()
            }
            Self::NoListening { source, .. } => match source.kind() {
                io::ErrorKind::AddrInUse => {
                    "another program has that port; --listen 127.0.0.1:0 takes a free one".to_owned()
                }
                io::ErrorKind::PermissionDenied => {
                    "ports below 1024 are the system's: take another".to_owned()
                }
                _ => "give an address of this machine, as --listen 127.0.0.1:8275".to_owned(),
            },
            Self::Network(error) => error.hint().to_owned(),
            Self::Database(OpenError::Failed { what, .. }) if what.contains("full") => {
                "make room on the disk".to_owned()
            }
            Self::Desk(DeskError::Store(StoreError::Full(_))) => "make room on the disk".to_owned(),
            // The store's own words say what to do.
            Self::Desk(DeskError::Store(StoreError::NotFlushed(_)))
            | Self::Database(_)
            | Self::Shared(_)
            | Self::System(_) => return None,
            Self::Desk(_) => "the database could not be used; `askuser doctor` looks closer".to_owned(),
        })
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
