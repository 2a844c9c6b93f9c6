//! What programs said that they had done, and when: they are held to it after every cut from then on.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::recorded::Recorded;

/// When something was acknowledged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum When {
    /// With the byte of this number that was told to this port.
    Told(u16, usize),
    /// With these words, which nothing else says.
    Said(String),
}

/// What must be found from then on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    /// Something of this kind about somebody or something, with one of these in it.
    There { kind: &'static str, about: String, with: Vec<String> },
    /// The file of this name as it was then, or as it was later.
    File(PathBuf),
}

/// A promise that was given after so many events.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub(crate) after: usize,
    pub(crate) what: What,
}

/// Puts promises in order of when they were given.
pub(crate) fn given(promises: &[(When, What)], recorded: &Recorded) -> Result<Vec<Given>, String> {
    let mut told: HashMap<u16, Vec<(usize, usize)>> = HashMap::new();
    for said in &recorded.said {
        if let Some((port, before)) = said.to {
            told.entry(port).or_default().push((before + said.bytes.len(), said.after));
        }
    }
    let when = |when: &When| match when {
        When::Told(port, from) => {
            let told = told.get(port)?;
            told.iter().find(|(end, _)| end > from).map(|(_, after)| *after)
        }
        When::Said(words) => {
            let says = |bytes: &[u8]| bytes.windows(words.len()).any(|window| window == words.as_bytes());
            recorded.said.iter().find(|said| said.to.is_none() && says(&said.bytes)).map(|said| said.after)
        }
    };
    let mut given = Vec::new();
    for (moment, what) in promises {
        let after = when(moment).ok_or_else(|| format!("{what:?} was never told: {moment:?}"))?;
        given.push(Given { after, what: what.clone() });
    }
    given.sort_by_key(|given| given.after);
    Ok(given)
}

/// Which contents a file may have after a cut: those that it had when it was promised, or later. None where it
/// was never put there whole.
pub(crate) fn versions<'a>(
    recorded: &'a Recorded,
    path: &Path,
    promised: Option<usize>,
) -> Option<Vec<&'a [u8]>> {
    let placed = recorded.placed.get(path)?;
    let first =
        promised.map_or(0, |after| placed.partition_point(|placed| placed.after <= after).saturating_sub(1));
    Some(placed[first..].iter().filter_map(|placed| placed.bytes.as_deref()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::power::recorded::{Placed, Said};

    #[test]
    fn a_promise_is_given_with_the_first_byte_of_the_words() {
        let said = |after, to, bytes: &[u8]| Said { after, to, bytes: bytes.to_vec() };
        let recorded = Recorded {
            said: vec![
                said(3, Some((9, 0)), b"one"),
                said(5, None, b"it is two."),
                said(8, Some((9, 3)), b"three"),
            ],
            placed: HashMap::from([(
                PathBuf::from("f"),
                [(1, Some("a")), (4, Some("b")), (6, None)]
                    .map(|(after, text)| Placed { after, bytes: text.map(|text| text.as_bytes().to_vec()) })
                    .into(),
            )]),
            ..Recorded::default()
        };
        let file = || What::File("f".into());
        let promises =
            [(When::Told(9, 3), file()), (When::Said("two".into()), file()), (When::Told(9, 2), file())];
        let after: Vec<_> = given(&promises, &recorded).unwrap().iter().map(|given| given.after).collect();
        assert_eq!(after, [3, 5, 8]);
        assert!(given(&[(When::Told(9, 8), file())], &recorded).is_err());
        let versions = |promised| versions(&recorded, Path::new("f"), promised).unwrap();
        assert_eq!(versions(None), [b"a", b"b"]);
        assert_eq!((versions(Some(3)), versions(Some(5))), (vec![&b"a"[..], b"b"], vec![&b"b"[..]]));
    }
}
