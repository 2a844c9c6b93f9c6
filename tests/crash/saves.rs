//! Half-filled sheets that people saved: which of them may be the one that is kept.

/// The saves of one ask, in the order in which they began.
#[derive(Debug, Clone, Default)]
pub(crate) struct Saves {
    all: Vec<Save>,
    /// Counts what happens to them.
    moment: usize,
}

#[derive(Debug, Clone)]
struct Save {
    /// What it wrote: like no other.
    note: String,
    begun: usize,
    end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Nobody knows, or not yet.
    Open,
    /// It was kept, at this moment at the latest.
    Acknowledged(usize),
    /// It was not kept.
    Refused,
}

impl Saves {
    /// One begins; returns its number.
    pub(crate) fn begin(&mut self) -> usize {
        self.moment += 1;
        let number = self.all.len();
        self.all.push(Save { note: format!("save {}", self.moment), begun: self.moment, end: End::Open });
        number
    }

    pub(crate) fn note(&self, number: usize) -> &str {
        &self.all[number].note
    }

    pub(crate) fn acknowledge(&mut self, number: usize) {
        self.moment += 1;
        self.all[number].end = End::Acknowledged(self.moment);
    }

    pub(crate) fn refuse(&mut self, number: usize) {
        self.all[number].end = End::Refused;
    }

    pub(crate) fn is_any_acknowledged(&self) -> bool {
        self.all.iter().any(|save| matches!(save.end, End::Acknowledged(_)))
    }

    /// Whether this may be what is kept: the last that was acknowledged, or one that nobody was told of.
    /// Of those that were under way at the same time any may have been the last.
    pub(crate) fn may_be(&self, found: Option<&str>) -> bool {
        let Some(found) = found else { return !self.is_any_acknowledged() };
        self.all.iter().filter(|save| save.note == found).any(|save| match save.end {
            End::Open => true,
            End::Refused => false,
            End::Acknowledged(at) => {
                let overwrote = |later: &&Save| later.begun > at && matches!(later.end, End::Acknowledged(_));
                !self.all.iter().any(|later| overwrote(&later))
            }
        })
    }

    /// From now on this is what is kept: whatever was under way died with the daemon.
    pub(crate) fn settle(&mut self, found: Option<&str>) {
        self.all.retain(|save| Some(save.note.as_str()) == found);
        self.moment += 1;
        for save in &mut self.all {
            save.end = End::Acknowledged(self.moment);
        }
    }
}

/// The rule itself: what was acknowledged is lost only to what came after it.
#[test]
fn a_save_gives_way_only_to_a_later_one() {
    let mut saves = Saves::default();
    assert!(saves.may_be(None) && !saves.may_be(Some("save 1")));
    let first = saves.begin();
    assert!(saves.may_be(None) && saves.may_be(Some("save 1")), "it is under way");
    saves.acknowledge(first);
    assert!(!saves.may_be(None) && saves.may_be(Some("save 1")));
    let (second, third) = (saves.begin(), saves.begin());
    let [second_note, third_note] = [second, third].map(|number| saves.note(number).to_owned());
    saves.acknowledge(third);
    assert!(!saves.may_be(Some("save 1")), "the third began after it was kept");
    assert!(saves.may_be(Some(&second_note)) && saves.may_be(Some(&third_note)));
    saves.acknowledge(second);
    assert!(saves.may_be(Some(&second_note)) && saves.may_be(Some(&third_note)), "at the same time");
    saves.refuse(second);
    assert!(!saves.may_be(Some(&second_note)));
    saves.settle(Some(&third_note));
    assert!(saves.may_be(Some(&third_note)) && !saves.may_be(None));
}
