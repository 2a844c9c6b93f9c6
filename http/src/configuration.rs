//! The configuration file beside what the server runs with, and reloading it.

use askuser_words::failed::Failed;

use super::visit::Visit;
use askuser_api::operating::ConfigDifference;
use askuser_config::Difference;
use askuser_wire::failure::{Code, Failure};

/// `GET /api/config`
pub(super) async fn show(visit: Visit) -> Result<ConfigDifference, Failure> {
    difference(&visit, false).await
}

/// `POST /api/config/reload`
pub(super) async fn reload(visit: Visit) -> Result<ConfigDifference, Failure> {
    difference(&visit, true).await
}

async fn difference(visit: &Visit, reload: bool) -> Result<ConfigDifference, Failure> {
    let difference = match &visit.state.options.settings {
        Some(settings) => settings.difference(reload).await.ok_or_else(stopping)?,
        // A server without a file runs with what it was given.
        None => Difference::default(),
    };
    let Difference { file, reload, restart, faults } = difference;
    let faults = faults.iter().map(|fault| visit.language.of(fault).to_owned()).collect();
    let file = file.map(|file| file.display().to_string());
    Ok(ConfigDifference { file, reload, restart, faults })
}

fn stopping() -> Failure {
    Failure::new(Code::Unavailable, Failed::stopping)
}
