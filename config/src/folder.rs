//! Where everything is kept: the data folder.

use std::path::PathBuf;

use super::Origin;
use askuser_system::environment::Environment;

/// There is no folder to keep anything in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no data folder: neither ASKUSER_HOME nor HOME is set")]
pub struct NoHome;

/// Finds the data folder: the flag, `ASKUSER_HOME`, else the platform's own place.
pub fn data_folder(flag: Option<PathBuf>, environment: &Environment) -> Result<(PathBuf, Origin), NoHome> {
    if let Some(folder) = flag {
        return Ok((folder, Origin::Flag));
    }
    if let Some(folder) = environment.path("ASKUSER_HOME") {
        return Ok((folder, Origin::Variable("ASKUSER_HOME")));
    }
    platform(environment).map(|folder| (folder, Origin::Default)).ok_or(NoHome)
}

#[cfg(target_os = "macos")]
fn platform(environment: &Environment) -> Option<PathBuf> {
    Some(environment.path("HOME")?.join("Library/Application Support/askuser"))
}

#[cfg(not(target_os = "macos"))]
fn platform(environment: &Environment) -> Option<PathBuf> {
    // A relative one is to be ignored, says its specification.
    let data = environment.path("XDG_DATA_HOME").filter(|folder| folder.is_absolute());
    Some(data.or_else(|| Some(environment.path("HOME")?.join(".local/share")))?.join("askuser"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d16_a_flag_goes_before_a_variable_and_that_before_the_default() {
        let both = Environment::of(&[("ASKUSER_HOME", "/a"), ("HOME", "/h")]);
        assert_eq!(data_folder(Some("/f".into()), &both).unwrap(), ("/f".into(), Origin::Flag));
        assert_eq!(data_folder(None, &both).unwrap(), ("/a".into(), Origin::Variable("ASKUSER_HOME")));
        assert_eq!(data_folder(None, &Environment::of(&[])), Err(NoHome));
        #[cfg(not(target_os = "macos"))]
        for (vars, expected) in [
            (&[("HOME", "/h")][..], "/h/.local/share/askuser"),
            (&[("HOME", "/h"), ("XDG_DATA_HOME", "/x")][..], "/x/askuser"),
            (&[("HOME", "/h"), ("XDG_DATA_HOME", "rel")][..], "/h/.local/share/askuser"),
        ] {
            assert_eq!(data_folder(None, &Environment::of(vars)).unwrap().0, PathBuf::from(expected));
        }
    }
}
