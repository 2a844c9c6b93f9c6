//! What commands print: what came of them, tables, errors with what to do, the findings of `askuser doctor`.

mod doctor;
mod errors;

pub use doctor::{Around, Database, Doctor, Files, Reach, Running};
pub use errors::{BadCertificate, Given, NoNetwork, NoServer, NoStart, Told};
