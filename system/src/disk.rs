//! Names that outlast a loss of power. A file that was flushed is on the disk; that it is called so is its folder's
//! to keep, and is there for certain only once that was flushed as well.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Makes a folder where it is not there, and those around it, and has them outlast a loss of power.
pub fn make_folder(folder: &Path, mode: u32) -> io::Result<()> {
    if fs::metadata(folder).is_ok_and(|found| found.is_dir()) {
        // Whoever made it may have been killed before it was flushed.
        return flush_name(folder);
    }
    if let Some(around) = folder.parent().filter(|around| !around.as_os_str().is_empty()) {
        make_folder(around, mode)?;
    }
    match DirBuilder::new().mode(mode).create(folder) {
        // Another was quicker.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists || !folder.is_dir() => Err(error),
        Ok(()) | Err(_) => flush_name(folder),
    }
}

/// Has the name of a file or folder outlast a loss of power: that it was given, or that it was taken away.
pub fn flush_name(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Who may not read a folder cannot flush it, and not every file system knows how: then it is as safe as it
        // gets there.
        Err(error) if is_out_of_reach(&error) => Ok(()),
        flushed => flushed,
    }
}

fn is_out_of_reach(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_folder_is_made_with_those_around_it_and_one_that_is_there_is_left_as_it_is() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("a/b");
        for _ in 0..2 {
            make_folder(&folder, 0o700).unwrap();
            assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        }
        let file = outer.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(make_folder(&file, 0o700).is_err());
        assert!(make_folder(&file.join("below"), 0o700).is_err());
    }

    #[test]
    fn a_folder_that_is_not_there_is_told_and_one_that_cannot_be_read_is_not() {
        let outer = tempfile::tempdir().unwrap();
        flush_name(&outer.path().join("gone")).unwrap();
        assert!(flush_name(&outer.path().join("none/file")).is_err());
        assert!(is_out_of_reach(&io::Error::from(io::ErrorKind::PermissionDenied)));
    }
}
