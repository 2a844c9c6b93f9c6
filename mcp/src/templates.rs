//! Asks that name a template (P17): filled in where the project is, or where the desk is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::Value;

use super::desk::DeskHandle;
use super::identity::Identity;
use super::trouble::Trouble;
use askuser_config::template::{Folder, LOCAL, Named, Nowhere, Shelf, TemplateError};

/// The templates around an agent that started us: of its project's skills, of the person's, of the
/// data folder.
#[derive(Debug, Default)]
pub struct Templates {
    home: Option<PathBuf>,
    own: Option<PathBuf>,
    /// What was read is kept as long as it is read from the same folders.
    kept: Mutex<Option<(Vec<PathBuf>, Arc<Shelf>)>>,
}

impl Templates {
    /// Looks into the person's home folder and into the templates of the data folder, besides the project.
    pub fn new(home: Option<PathBuf>, own: Option<PathBuf>) -> Self {
        Self { home, own, kept: Mutex::default() }
    }

    /// Returns the templates that count in a project now.
    fn shelf(&self, project: &Path) -> Arc<Shelf> {
        let skills = Shelf::skills_around(project, self.home.as_deref());
        let mut kept = self.kept.lock();
        if let Some((folders, templates)) = &*kept
            && *folders == skills
        {
            return Arc::clone(templates);
        }
        let templates = Arc::new(Shelf::new(skills.clone(), self.own.clone()).of(LOCAL));
        *kept = Some((skills, Arc::clone(&templates)));
        templates
    }
}

/// What becomes of the arguments of a call.
#[derive(Debug)]
pub(super) enum Filled {
    /// An ask with its questions.
    Ask(Value),
    /// They name a template that only the desk may have.
    ForTheDesk(Value),
}

/// Fills a template in, where the arguments name one.
pub(super) async fn filled(
    arguments: &Value,
    at: &DeskHandle,
    around: &Arc<Templates>,
    who: &Identity,
) -> Result<Filled, Trouble> {
    let Some(named) = Named::read(arguments).map_err(Trouble::wrong_template)? else {
        return Ok(Filled::Ask(arguments.clone()));
    };
    let filled = match at {
        // Over HTTP nobody proves which folder is theirs: the desk looks into none.
        DeskHandle::Local(guest) => {
            let templates = guest.templates.as_deref().map(|shelf| shelf.of(guest.caller.user.as_str()));
            named.fill(&templates.unwrap_or_default(), &Nowhere)
        }
        DeskHandle::Remote(_) => {
            let (around, project) = (Arc::clone(around), who.project.clone().unwrap_or_default());
            // Git may take its time.
            let filling =
                tokio::task::spawn_blocking(move || named.fill(&around.shelf(&project), &Folder(project)));
            filling.await.map_err(|_| Trouble::broken())?
        }
    };
    match (filled, at) {
        (Ok(ask), _) => Ok(Filled::Ask(ask)),
        (Err(TemplateError::NotFound { .. }), DeskHandle::Remote(remote)) if remote.is_elsewhere() => {
            Ok(Filled::ForTheDesk(arguments.clone()))
        }
        (Err(error), _) => Err(Trouble::wrong_template(error.problems())),
    }
}
