//! What commands print: what came of them, tables, errors with what to do, the findings of `askuser doctor`.

mod asking;
mod doctor;
mod errors;
mod looking_back;
pub mod reach;
mod running;
pub mod service;
pub mod setup;
mod titles;

pub use asking::{Answering, Templates, ToAsk};
pub use doctor::{Around, Database, Doctor, Files, Reach, Running};
pub use errors::{BadCertificate, Given, NoDatabase, NoNetwork, NoServer, NoStart, Told, Unreachable};
pub use looking_back::{Audit, History, Stats};
pub use running::{Access, Backup, Server, Tasks};
pub use titles::Titles;
