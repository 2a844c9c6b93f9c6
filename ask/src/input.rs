//! What a caller hands in: an argument, a file, or standard input; bounded, and text.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use askuser_core::limits::ASK_BYTES_MAX;
use askuser_words::commands::Given;
use askuser_words::{Both, Language, both};

/// Why it could not be read.
#[derive(Debug)]
pub enum InputError {
    /// The file cannot be read.
    Unreadable {
        /// The file.
        name: Both,
        /// Why.
        source: io::Error,
    },
    /// More than an ask may be.
    TooLarge {
        /// What.
        name: Both,
    },
    /// Not text.
    NotText {
        /// What.
        name: Both,
    },
    /// `-` was given, but standard input is a terminal: waiting for JSON typed by hand would hang.
    Terminal,
}

impl InputError {
    /// Says it in this language.
    pub fn said(&self, language: Language) -> String {
        let said = Given(language);
        match self {
            Self::Unreadable { name, source } => said.unreadable(language.of(name), source),
            Self::TooLarge { name } => said.too_large(language.of(name), ASK_BYTES_MAX),
            Self::NotText { name } => said.not_text(language.of(name)),
            Self::Terminal => said.terminal().to_owned(),
        }
    }
}

/// Takes an argument; `-` means standard input.
pub fn argument(argument: &OsStr) -> Result<String, InputError> {
    if argument == "-" {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            return Err(InputError::Terminal);
        }
        return all_of(stdin.lock(), &both(Given::stdin));
    }
    let name = || both(Given::argument);
    let text = argument.to_str().ok_or_else(|| InputError::NotText { name: name() })?;
    if text.len() > ASK_BYTES_MAX {
        return Err(InputError::TooLarge { name: name() });
    }
    Ok(text.to_owned())
}

/// Reads a file.
pub fn file(path: &Path) -> Result<String, InputError> {
    let name = both(|_: Language| path.display().to_string());
    match File::open(path) {
        Ok(file) => all_of(file, &name),
        Err(source) => Err(InputError::Unreadable { name, source }),
    }
}

fn all_of(source: impl Read, name: &Both) -> Result<String, InputError> {
    let mut bytes = Vec::new();
    let bound = u64::try_from(ASK_BYTES_MAX).unwrap_or(u64::MAX) + 1;
    let read = source.take(bound).read_to_end(&mut bytes);
    read.map_err(|source| InputError::Unreadable { name: name.clone(), source })?;
    if bytes.len() > ASK_BYTES_MAX {
        return Err(InputError::TooLarge { name: name.clone() });
    }
    String::from_utf8(bytes).map_err(|_| InputError::NotText { name: name.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_or_no_text_is_refused_before_it_is_parsed() {
        let said = |bytes: &[u8]| {
            all_of(bytes, &both(|_: Language| "x")).map_err(|error| error.said(Language::English))
        };
        assert_eq!(said(b"{}").unwrap(), "{}");
        assert_eq!(said(&[0xff, 0xfe]).unwrap_err(), "x is not UTF-8 text");
        let large = vec![b' '; 10 * 1024 * 1024];
        assert_eq!(
            said(&large).unwrap_err(),
            "x has more than 65536 bytes, which is the most a question may have"
        );
        assert!(said(&large[..ASK_BYTES_MAX]).is_ok());
    }
}
