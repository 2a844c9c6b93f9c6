//! Cuts the power: at places of a recording, with every fate of what was not flushed, and looks at what is found.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fmt, thread};

use tempfile::TempDir;
use tokio::runtime::Builder;

use super::disk::{Disk, Event, Fate, Image, lay_out};
use super::judge::Judge;

/// One cut: behind so many events.
#[derive(Debug, Clone)]
pub(crate) struct Cut {
    pub(crate) after: usize,
    pub(crate) fate: Fate,
}

/// What a cut brought to light.
pub(crate) struct Fault {
    cut: Cut,
    why: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cut behind event {}, {:?}: {}", self.cut.after, self.cut.fate, self.why)
    }
}

/// How many look at once, each in folders of its own.
const N_LOOKING: usize = 2;

/// Cuts at all these places, which are in order, and returns the first fault that is found. The flushes of these
/// numbers are left out.
pub(crate) fn cut(judge: &Judge<'_>, cuts: &[Cut], left_out: &[usize]) -> Option<Fault> {
    let (found, is_over) = (Mutex::new(None), AtomicBool::new(false));
    thread::scope(|scope| {
        for looker in 0..N_LOOKING {
            let (found, is_over) = (&found, &is_over);
            scope.spawn(move || {
                let runtime = Builder::new_current_thread().enable_all().build().unwrap();
                walk(judge, cuts.iter().skip(looker).step_by(N_LOOKING), left_out, |cut, image| {
                    if is_over.load(Ordering::Relaxed) {
                        return false;
                    }
                    let folder = laid_out(image);
                    let looked = judge.look(image, folder.path(), cut.after, &runtime);
                    if let Err(why) = looked {
                        is_over.store(true, Ordering::Relaxed);
                        *found.lock().unwrap() = Some(Fault { cut: cut.clone(), why });
                    }
                    true
                });
            });
        }
    });
    found.into_inner().unwrap()
}

/// Shows the image of each cut, until one is enough.
pub(crate) fn walk<'a>(
    judge: &Judge<'_>,
    cuts: impl Iterator<Item = &'a Cut>,
    left_out: &[usize],
    mut show: impl FnMut(&Cut, &Image) -> bool,
) {
    let (mut disk, mut events) = (Disk::new(), judge.recorded.events.iter().enumerate().peekable());
    for cut in cuts {
        while let Some((_, event)) = events.next_if(|(place, _)| *place < cut.after) {
            match event {
                Event::Flush { number, .. } | Event::Flushed { number } if left_out.contains(number) => {}
                event => disk.take(event),
            }
        }
        if !show(cut, &disk.image(&mut cut.fate.clone())) {
            return;
        }
    }
}

/// Lays an image out, in memory where there is such a place: thousands are looked at.
pub(crate) fn laid_out(image: &Image) -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    lay_out(image, folder.path()).unwrap();
    folder
}
