//! A disk as POSIX has it: what was not flushed may be there after a cut or not, in any order, and in
//! part. A flush of a file says nothing of its name: that is its folder's, and flushed with it.
//!
//! Of what is not flushed, a name that changes changes whole; of bytes each sector comes by itself.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use crate::dice::Dice;

/// What a disk writes whole.
const SECTOR: usize = 512;

/// A file or folder, whatever its name is.
pub(crate) type Node = usize;
/// The folder in which everything is.
pub(crate) const ROOT: Node = 0;

/// What can be at a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    /// A socket: gone with its program.
    Other,
}

/// One change of a file or a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    Bytes {
        at: usize,
        bytes: Arc<[u8]>,
    },
    Length(usize),
    /// Names of a folder that are given or taken at once.
    Names(Vec<(String, Option<Node>)>),
}

/// What happens to the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    Made(Kind),
    Changed(Node, Change),
    /// A flush begins: what is there now will be on the disk when it is over.
    Flush {
        number: usize,
        of: Node,
    },
    Flushed {
        number: usize,
    },
}

/// What is in a file or folder.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    Bytes(Vec<u8>),
    Names(HashMap<String, Node>),
}

#[derive(Debug, Clone)]
struct Held {
    kind: Kind,
    flushed: Content,
    pending: Vec<Change>,
    /// How many changes were flushed before those.
    n_flushed: usize,
}

/// Files and folders with what is certain of them and what is not.
#[derive(Debug, Clone)]
pub(crate) struct Disk {
    nodes: Vec<Held>,
    /// Flushes under way, with how many changes each takes along.
    flushing: HashMap<usize, (Node, usize)>,
}

/// What becomes of changes that were not flushed.
#[derive(Debug, Clone)]
pub(crate) enum Fate {
    /// Nothing of them is there.
    Lost,
    /// All is there.
    Kept,
    /// Each by chance: there, not there, or in part.
    Torn(Dice),
}

/// What is found after a cut: every path, and its bytes where it is a file.
pub(crate) type Image = Vec<(PathBuf, Option<Vec<u8>>)>;

impl Content {
    fn of(kind: Kind) -> Self {
        if kind == Kind::Folder { Self::Names(HashMap::new()) } else { Self::Bytes(Vec::new()) }
    }

    fn change(&mut self, change: &Change) {
        match (self, change) {
            (Self::Bytes(all), Change::Bytes { at, bytes }) => {
                all.resize(all.len().max(at + bytes.len()), 0);
                all[*at..at + bytes.len()].copy_from_slice(bytes);
            }
            (Self::Bytes(all), Change::Length(length)) => all.resize(*length, 0),
            (Self::Names(all), Change::Names(names)) => {
                for (name, node) in names {
                    match node {
                        Some(node) => all.insert(name.clone(), *node),
                        None => all.remove(name),
                    };
                }
            }
            (content, change) => panic!("{change:?} of {content:?}"),
        }
    }

    /// The same where only some sectors of it reach the disk; its length may.
    fn tear(&mut self, at: usize, bytes: &[u8], dice: &mut Dice) {
        if let Self::Bytes(all) = self
            && dice.once_in(2)
        {
            all.resize(all.len().max(at + bytes.len()), 0);
        }
        let mut begin = at;
        while begin < at + bytes.len() {
            let end = ((begin / SECTOR + 1) * SECTOR).min(at + bytes.len());
            if dice.once_in(2) {
                let bytes = bytes[begin - at..end - at].into();
                self.change(&Change::Bytes { at: begin, bytes });
            }
            begin = end;
        }
    }
}

impl Disk {
    /// A disk with one folder.
    pub(crate) fn new() -> Self {
        let mut disk = Self { nodes: Vec::new(), flushing: HashMap::new() };
        disk.take(&Event::Made(Kind::Folder));
        disk
    }

    pub(crate) fn take(&mut self, event: &Event) {
        match event {
            Event::Made(kind) => {
                let flushed = Content::of(*kind);
                self.nodes.push(Held { kind: *kind, flushed, pending: Vec::new(), n_flushed: 0 });
            }
            Event::Changed(node, change) => self.nodes[*node].pending.push(change.clone()),
            Event::Flush { number, of } => {
                let held = &self.nodes[*of];
                self.flushing.insert(*number, (*of, held.n_flushed + held.pending.len()));
            }
            Event::Flushed { number } => {
                let Some((node, upto)) = self.flushing.remove(number) else { return };
                let Held { flushed, pending, n_flushed, .. } = &mut self.nodes[node];
                // Another flush may have been quicker.
                for change in pending.drain(..upto.saturating_sub(*n_flushed)) {
                    flushed.change(&change);
                }
                *n_flushed = upto.max(*n_flushed);
            }
        }
    }

    /// What is found when the power goes now.
    pub(crate) fn image(&self, fate: &mut Fate) -> Image {
        let mut image = Image::new();
        self.look(ROOT, Path::new(""), fate, &mut image);
        image
    }

    fn look(&self, node: Node, path: &Path, fate: &mut Fate, image: &mut Image) {
        match (self.nodes[node].kind, self.nodes[node].after(fate)) {
            (Kind::Folder, Content::Names(names)) => {
                image.push((path.to_owned(), None));
                let mut names: Vec<_> = names.into_iter().collect();
                // So that chance repeats itself.
                names.sort();
                for (name, node) in names {
                    self.look(node, &path.join(name), fate, image);
                }
            }
            (Kind::File, Content::Bytes(bytes)) => image.push((path.to_owned(), Some(bytes))),
            _ => {}
        }
    }
}

impl Held {
    fn after(&self, fate: &mut Fate) -> Content {
        let mut content = self.flushed.clone();
        match fate {
            Fate::Lost => {}
            Fate::Kept => self.pending.iter().for_each(|change| content.change(change)),
            Fate::Torn(dice) => {
                // Mostly there, mostly not there, or anything.
                let of_ten = [2, 5, 9][dice.below(3)];
                for change in &self.pending {
                    match change {
                        _ if dice.below(10) < of_ten => content.change(change),
                        Change::Bytes { at, bytes } if dice.once_in(2) => content.tear(*at, bytes, dice),
                        _ => {}
                    }
                }
            }
        }
        content
    }
}

/// Lays an image out in a folder.
pub(crate) fn lay_out(image: &Image, folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
    for (path, bytes) in image {
        let path = folder.join(path);
        match bytes {
            None => fs::DirBuilder::new().recursive(true).mode(0o700).create(path)?,
            Some(bytes) => {
                let mut file =
                    fs::File::options().write(true).create(true).truncate(true).mode(0o600).open(path)?;
                io::Write::write_all(&mut file, bytes)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(at: usize, bytes: &[u8]) -> Change {
        Change::Bytes { at, bytes: bytes.into() }
    }

    fn named(name: &str, node: Option<Node>) -> Change {
        Change::Names(vec![(name.to_owned(), node)])
    }

    fn disk(events: &[Event]) -> Disk {
        let mut disk = Disk::new();
        for event in events {
            disk.take(event);
        }
        disk
    }

    fn file(image: &Image, name: &str) -> Option<Vec<u8>> {
        image.iter().find(|(path, _)| path == Path::new(name)).and_then(|(_, bytes)| bytes.clone())
    }

    #[test]
    fn a_file_that_was_flushed_is_there_only_once_its_folder_was_flushed_too() {
        use Event::{Changed, Flush, Flushed, Made};
        let mut disk = disk(&[
            Made(Kind::File),
            Changed(ROOT, named("a", Some(1))),
            Changed(1, bytes(0, b"one")),
            Flush { number: 0, of: 1 },
            Flushed { number: 0 },
        ]);
        assert_eq!(file(&disk.image(&mut Fate::Lost), "a"), None);
        assert_eq!(file(&disk.image(&mut Fate::Kept), "a").unwrap(), b"one");
        disk.take(&Flush { number: 1, of: ROOT });
        disk.take(&Changed(1, bytes(1, b"N")));
        disk.take(&Changed(ROOT, Change::Names(vec![("a".into(), None), ("b".into(), Some(1))])));
        assert_eq!(file(&disk.image(&mut Fate::Lost), "a"), None, "it is under way");
        disk.take(&Flushed { number: 1 });
        assert_eq!(file(&disk.image(&mut Fate::Lost), "a").unwrap(), b"one", "what came after is not in it");
        assert_eq!(file(&disk.image(&mut Fate::Kept), "b").unwrap(), b"oNe");
        assert_eq!(file(&disk.image(&mut Fate::Kept), "a"), None);
    }

    #[test]
    fn sectors_come_by_themselves_and_what_was_flushed_stays() {
        use Event::{Changed, Flush, Flushed, Made};
        let disk = disk(&[
            Made(Kind::File),
            Changed(ROOT, named("a", Some(1))),
            Changed(1, bytes(0, &[1; 2 * SECTOR])),
            Flush { number: 0, of: 1 },
            Flush { number: 1, of: ROOT },
            Flushed { number: 1 },
            Flushed { number: 0 },
            Changed(1, bytes(SECTOR, &[2; 2 * SECTOR])),
        ]);
        let mut found = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let now = file(&disk.image(&mut Fate::Torn(Dice::seeded(seed))), "a").unwrap();
            assert!(now[..SECTOR].iter().all(|byte| *byte == 1));
            found.insert(now.chunks(SECTOR).skip(1).map(|sector| sector[0]).collect::<Vec<_>>());
        }
        // Nothing, all, one of the two, and the length alone.
        let all = [vec![1], vec![1, 0], vec![1, 2], vec![2], vec![2, 0], vec![2, 2]];
        assert_eq!(found.into_iter().collect::<Vec<_>>(), all);
    }
}
