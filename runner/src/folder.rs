//! Where an agent may work: only in folders that were written down, and in what lies below them.

use askuser_core::problem::Fault;
use askuser_words::fault::{Wrong, unfit};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder as the system names it, without links; what is wrong with it otherwise.
///
/// Links are followed before it is compared, so that none leads out of an allowed folder.
pub(super) fn allowed(wanted: &Path, folders: &[PathBuf]) -> Result<PathBuf, Fault> {
    if !wanted.is_absolute() {
        return Err(unfit(Wrong::no_full_path));
    }
    let real = fs::canonicalize(wanted).map_err(|error| unfit(|said| said.not_opened(&error)))?;
    if !real.is_dir() {
        return Err(unfit(Wrong::no_folder));
    }
    // One that is not there allows nothing.
    let inside = folders.iter().filter_map(|folder| fs::canonicalize(folder).ok());
    if inside.into_iter().any(|folder| real.starts_with(&folder)) {
        return Ok(real);
    }
    Err(unfit(Wrong::not_allowed))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn no_link_and_no_dots_lead_out_of_what_is_allowed() {
        let outer = tempfile::tempdir().unwrap();
        let path = |name: &str| outer.path().join(name);
        fs::create_dir_all(path("in/deep")).unwrap();
        fs::create_dir_all(path("inside")).unwrap();
        fs::write(path("in/file"), "").unwrap();
        symlink(path("inside"), path("in/out")).unwrap();
        symlink(path("in"), path("link")).unwrap();
        let allows = |name: &str, folder: &str| allowed(&path(name), &[path("gone"), path(folder)]).is_ok();
        assert!(allows("in", "in") && allows("in/deep", "in") && allows("link/deep", "in"));
        assert!(allows("in", "link"));
        assert!(!allows("in/out", "in") && !allows("inside", "in") && !allows("in/../inside", "in"));
        assert!(!allows("in/file", "in") && !allows("gone", "in") && !allows("in", "in/deep"));
        assert!(allowed(Path::new("in"), &[path("in")]).is_err());
        assert!(allowed(&path("in"), &[]).is_err());
    }
}
