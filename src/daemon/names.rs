//! Names that are made up once and kept in the data folder: that of this server, so that its tasks are its
//! own also after it was away, and the host name of its page.

use std::fmt::Display;
use std::io;
use std::path::Path;

use askuser_core::id::ServerId;

use super::error::StartError;
use super::folder::not_writable;
use askuser_client::home::{Home, write_private};

/// Returns the name of this server, and makes one where there is none.
pub(super) fn of(home: &Home) -> Result<ServerId, StartError> {
    kept(&home.server(), |text| text.parse().ok(), ServerId)
}

/// Returns the host name of the page on this machine, and makes one where there is none.
///
/// A browser sends a cookie to every port of a name, so the name is one that no other server of this
/// machine is ever opened under: 128 bits that nobody is told but people. Browsers take whatever is below
/// `localhost` for this machine, and each name directly below it for a site of its own.
pub(super) fn page_host(home: &Home) -> Result<String, StartError> {
    let read = |text: &str| is_page_host(text).then(|| text.to_owned());
    kept(&home.page_host(), read, |made| format!("{PAGE_PREFIX}{made:032x}{PAGE_SUFFIX}"))
}

/// Returns the name in a file, or one made of random bits, which is kept there from then on. One that cannot be
/// read is replaced: what it left behind is then another server's, which does not come back.
fn kept<T: Display>(
    path: &Path,
    read: impl Fn(&str) -> Option<T>,
    make: impl Fn(u128) -> T,
) -> Result<T, StartError> {
    let there = match std::fs::read_to_string(path) {
        Ok(text) => read(text.trim()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(_) if path.is_file() => None,
        Err(source) => return Err(not_writable(path, source)),
    };
    if let Some(name) = there {
        return Ok(name);
    }
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|error| StartError::System(io::Error::other(error)))?;
    let name = make(u128::from_be_bytes(bits));
    write_private(path, &format!("{name}\n")).map_err(|source| not_writable(path, source))?;
    Ok(name)
}

const PAGE_PREFIX: &str = "askuser-";
const PAGE_SUFFIX: &str = ".localhost";

fn is_page_host(name: &str) -> bool {
    let middle = name.strip_prefix(PAGE_PREFIX).and_then(|name| name.strip_suffix(PAGE_SUFFIX));
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    middle.is_some_and(|middle| middle.len() == 32 && middle.bytes().all(is_hex))
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

    #[test]
    fn a_page_keeps_its_host_name_and_another_folder_has_another() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let homes = folders.each_ref().map(|folder| Home::new(folder.path()));
        let names = homes.each_ref().map(|home| page_host(home).unwrap());
        assert_ne!(names[0], names[1]);
        assert!(names.iter().all(|name| is_page_host(name)), "{names:?}");
        assert_eq!(homes.each_ref().map(|home| page_host(home).unwrap()), names);
        let mode = std::fs::metadata(homes[0].page_host()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        // Neither a name that others know nor one that is no host.
        for wrong in ["localhost", "askuser.localhost", "askuser-00.localhost", "evil.example\nx", ""] {
            std::fs::write(homes[0].page_host(), wrong).unwrap();
            assert!(is_page_host(&page_host(&homes[0]).unwrap()), "{wrong}");
        }
    }
}
