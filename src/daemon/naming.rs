//! The name of this server: made up once, kept in its data folder, so that its tasks are its own also
//! after it was away.

use std::io;

use askuser_core::id::ServerId;

use super::error::StartError;
use super::folder::not_writable;
use crate::client::home::{Home, write_private};

/// Returns the name, and makes one where there is none. One that cannot be read is replaced: what it
/// left behind is then another server's, which does not come back.
pub(super) fn of(home: &Home) -> Result<ServerId, StartError> {
    let path = home.server();
    let kept = match std::fs::read_to_string(&path) {
        Ok(text) => text.trim().parse().ok(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(_) if path.is_file() => None,
        Err(source) => return Err(not_writable(&path, source)),
    };
    if let Some(name) = kept {
        return Ok(name);
    }
    let mut made = [0; 16];
    getrandom::fill(&mut made).map_err(|error| StartError::System(io::Error::other(error)))?;
    let name = ServerId(u128::from_be_bytes(made));
    write_private(&path, &format!("{name}\n")).map_err(|source| not_writable(&path, source))?;
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_server_keeps_its_name_and_another_has_another() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let homes = folders.each_ref().map(|folder| Home::new(folder.path()));
        let names = homes.each_ref().map(|home| of(home).unwrap());
        assert_ne!(names[0], names[1]);
        assert_eq!(homes.each_ref().map(|home| of(home).unwrap()), names);
        let mode = std::fs::metadata(homes[0].server()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::write(homes[0].server(), "srv_\u{fffd}").unwrap();
        let anew = of(&homes[0]).unwrap();
        assert_ne!(anew, names[0]);
        assert_eq!(of(&homes[0]).unwrap(), anew);
    }
}
