//! Why a daemon does not start, each with what to do about it.

use std::io;
use std::path::PathBuf;

use askuser_words::commands::NoStart;
use askuser_words::{Both, Language, both};

use super::network::NetworkError;
use askuser_client::home::Running;
use askuser_desk::DeskError;
use askuser_store::StoreError;
use askuser_store::sqlite::OpenError;

/// Why a daemon does not start, or did not end well.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.said(Language::English))]
pub enum StartError {
    /// Another daemon owns the folder.
    Owned {
        /// The folder.
        folder: PathBuf,
        /// Who, where it has said so.
        owner: Option<Running>,
    },
    /// The folder cannot be used.
    NotWritable {
        /// The folder or a file in it.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The address cannot be listened on.
    NoListening {
        /// The address.
        address: String,
        /// Why.
        source: io::Error,
    },
    /// Other devices cannot come in, although that was asked for.
    Network(#[from] NetworkError),
    /// The database cannot be opened.
    Database(#[from] OpenError),
    /// The shared database cannot be opened.
    Shared(#[from] askuser_store::postgres::OpenError),
    /// The desk cannot be opened.
    Desk(#[from] DeskError),
    /// The runtime or a signal failed.
    System(#[from] io::Error),
}

impl From<StoreError> for StartError {
    fn from(error: StoreError) -> Self {
        Self::Desk(error.into())
    }
}

impl StartError {
    /// Says it in this language; what the system or the database said stays as it is.
    pub fn said(&self, language: Language) -> String {
        let said = NoStart(language);
        match self {
            Self::Owned { folder, owner: None } => said.owned(folder.display()),
            Self::Owned { folder, owner: Some(owner) } => {
                said.owned_by(folder.display(), owner.pid, &owner.url)
            }
            Self::NotWritable { path, source } => said.not_writable(path.display(), source),
            Self::NoListening { address, source } => said.no_listening(address, source),
            Self::Network(error) => said.network(error.said(language)),
            Self::Database(error) => error.said(language),
            Self::Shared(error) => error.said(language),
            Self::Desk(error) => said.desk(error),
            Self::System(error) => said.system(error),
        }
    }

    /// Returns what to do about it, where the words themselves do not say so.
    pub fn hint(&self) -> Option<Both> {
        Some(both(match self {
            Self::Owned { .. } => NoStart::owned_hint,
            Self::NotWritable { source, .. } if is_full(source) => NoStart::full_hint,
            Self::NotWritable { .. } => NoStart::not_writable_hint,
            Self::NoListening { source, .. } => match source.kind() {
                io::ErrorKind::AddrInUse => NoStart::port_taken_hint,
                io::ErrorKind::PermissionDenied => NoStart::low_port_hint,
                _ => NoStart::no_listening_hint,
            },
            Self::Network(error) => return Some(error.hint()),
            Self::Database(OpenError::Failed { what, .. }) if what.contains("full") => NoStart::full_hint,
            Self::Desk(DeskError::Store(StoreError::Full(_))) => NoStart::full_hint,
            // The store's own words say what to do.
            Self::Desk(DeskError::Store(StoreError::NotFlushed(_)))
            | Self::Database(_)
            | Self::Shared(_)
            | Self::System(_) => return None,
            Self::Desk(_) => NoStart::desk_hint,
        }))
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
