//! The power goes: what was acknowledged is there when it is back.
//!
//! A real server is recorded at the boundary of the system, with everything that it and the commands beside it write,
//! flush and tell (`life`, `trace`, `kernel`). From that every state is made in which a disk may be found (`disk`,
//! `cuts`), and held to what was promised by then (`promises`, `judge`). Then flushes are left out, one kind after
//! the other and one after the other, and each has to be missed.
//!
//! `ASKUSER_POWER_ASKS` says how many questions a life has (130), `ASKUSER_POWER_CUTS` how many cuts by chance there
//! are besides one at every flush (200), `ASKUSER_POWER_SINGLE` how many flushes of the log are left out one by one
//! (20), `ASKUSER_CRASH_SEED` repeats the chances of an earlier run. The last recording is kept, `power.strace` in
//! `target/tmp/`. It takes strace, which `scripts/test.sh` installs.

mod trace;
mod recorded;
mod kernel;
mod disk;
mod promises;
mod judge;
mod life;
mod cuts;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

use askuser_system::environment::Environment;

use self::cuts::{Cut, cut, laid_out, walk};
use self::disk::{Change, Event, Fate};
use self::judge::{HOME, Judge};
use self::life::Life;
use self::promises::{Given, What, given};
use self::recorded::Recorded;
use self::trace::Trace;
use crate::daemon::Daemon;
use crate::dice::Dice;

/// Flushes that no promise rests on, with why they are there all the same.
const NOT_MISSED: &[(&str, &str)] = &[
    (
        "/ by SQLite",
        "it is the name of a copy's journal: a copy is nothing before it has its name, which we flush",
    ),
    ("early.db-journal by SQLite", "as above"),
    ("stopped.db-journal by SQLite", "as above"),
    (
        "home/ by SQLite",
        "it is the name of the log: the folder is flushed by us, too, before anybody is let in",
    ),
    ("home/askuser.db-journal by SQLite", "it goes before the log, when nothing is in the database"),
    (
        "home/askuser.db-wal by SQLite",
        "it does not know that we flush the log: a checkpoint finds it flushed",
    ),
];
/// Names in a folder that nothing rests on: a server makes them anew.
const NOT_PROMISED: &[&str] =
    &["daemon.", "askuser.new", "askuser.sock", "askuser.db-shm", "askuser.log", "askuser.lock"];
/// The flushes that acknowledgements wait for.
const LOG: &str = "home/askuser.db-wal";

/// States that a real server is started on, besides those that are opened here.
const N_STARTED: usize = 10;
/// Cuts soon after the first flush of a kind that is left out, and as many until the end.
const N_SOON: usize = 15;
/// Acknowledgements of which each has the flush before it left out, where not all are tried.
const N_SINGLE: usize = 20;

/// What was recorded, once for all tests here.
struct Recording {
    life: Life,
    recorded: Recorded,
    given: Vec<Given>,
}

fn number(name: &str, usual: usize) -> usize {
    Environment::of_this_process().get(name).map_or(usual, |number| number.parse().unwrap())
}

impl Recording {
    fn of_the_day() -> &'static Self {
        static RECORDING: OnceLock<Recording> = OnceLock::new();
        RECORDING.get_or_init(|| {
            let begun = Instant::now();
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().canonicalize().unwrap();
            let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("power.strace");
            let life = Life::live(&root, &kept, number("ASKUSER_POWER_ASKS", 130));
            let text = fs::read_to_string(&kept).unwrap();
            let recorded = kernel::follow(&Trace::read(&text).unwrap(), &root).unwrap();
            // What was followed is what is there: no write was missed.
            for (path, bytes) in &recorded.left {
                assert!(fs::read(root.join(path)).unwrap() == *bytes, "{} was not followed", path.display());
            }
            let given = given(&life.promises, &recorded).unwrap();
            println!(
                "recorded in {} s: {} events, {} flushes, {} promises; in {}",
                begun.elapsed().as_secs(),
                recorded.events.len(),
                recorded.flushes.len(),
                given.len(),
                kept.display()
            );
            Self { life, recorded, given }
        })
    }

    fn judge(&self) -> Judge<'_> {
        Judge { recorded: &self.recorded, given: &self.given, tried: &self.life.tried }
    }

    /// The places right before each flush is over: nothing of it is certain yet.
    fn flushes(&self) -> impl Iterator<Item = usize> {
        let events = self.recorded.events.iter().enumerate();
        events.filter(|(_, event)| matches!(event, Event::Flushed { .. })).map(|(place, _)| place)
    }
}

#[test]
fn nothing_acknowledged_is_lost_when_the_power_goes() {
    let (mut dice, recording) = (Dice::of_the_day("power"), Recording::of_the_day());
    let begun = Instant::now();
    let n_events = recording.recorded.events.len();
    let mut cuts: Vec<Cut> = Vec::new();
    for after in recording.flushes() {
        cuts.push(Cut { after, fate: Fate::Lost });
    }
    for _ in 0..number("ASKUSER_POWER_CUTS", 200) {
        let after = dice.below(n_events + 1);
        let fate = if dice.once_in(8) { Fate::Kept } else { Fate::Torn(dice.split()) };
        cuts.push(Cut { after, fate });
    }
    cuts.push(Cut { after: n_events, fate: Fate::Lost });
    cuts.sort_by_key(|cut| cut.after);
    let fault = cut(&recording.judge(), &cuts, &[]);
    println!("{} states were opened in {} s", cuts.len(), begun.elapsed().as_secs());
    assert!(fault.is_none(), "{}", fault.unwrap());
}

/// What a store finds, the program finds as well: it starts, and tells what was acknowledged.
#[test]
fn a_server_starts_on_what_is_left_when_the_power_goes() {
    let (mut dice, recording) = (Dice::of_the_day("power"), Recording::of_the_day());
    let flushes: Vec<usize> = recording.flushes().collect();
    let mut cuts: Vec<Cut> = (0..N_STARTED)
        .map(|_| Cut { after: flushes[dice.below(flushes.len())], fate: Fate::Torn(dice.split()) })
        .collect();
    cuts.sort_by_key(|cut| cut.after);
    walk(&recording.judge(), cuts.iter(), &[], |cut, image| {
        let folder = laid_out(image);
        let home = folder.path().join(HOME);
        fs::create_dir_all(&home).unwrap();
        let daemon = Daemon::start(&home);
        let mut person = daemon.person();
        for Given { what, .. } in recording.given.iter().filter(|given| given.after <= cut.after) {
            let What::There { kind: kind @ ("asked" | "closed"), about, .. } = what else { continue };
            let told = person.get(&format!("/api/asks/{about}")).unwrap();
            assert!(told.is_ok(), "{cut:?}: {about} was acknowledged, and now: {told:?}");
            assert!(*kind == "asked" || !told.body["outcome"].is_null(), "{cut:?}: {about} is open again");
        }
        true
    });
}

/// Every kind of flush is needed: where all of it are left out, something that was acknowledged is lost, or what is
/// found is not whole.
#[test]
fn a_kind_of_flush_that_is_left_out_is_missed() {
    let (mut dice, recording) = (Dice::of_the_day("power"), Recording::of_the_day());
    let mut kinds: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, flush) in recording.recorded.flushes.iter().enumerate() {
        kinds.entry(&flush.kind).or_default().push(number);
    }
    let mut not_missed = BTreeSet::new();
    for (kind, numbers) in &kinds {
        let from = numbers.iter().map(|number| recording.recorded.flushes[*number].end).min().unwrap();
        let later: Vec<usize> = recording.flushes().filter(|place| *place >= from).collect();
        // Soon after the first of them, and here and there until the end.
        let places =
            later.iter().take(N_SOON).chain(later.iter().skip(N_SOON).step_by(later.len() / N_SOON + 1));
        let cuts = |fate: &mut dyn FnMut() -> Fate| -> Vec<Cut> {
            places.clone().map(|after| Cut { after: *after, fate: fate() }).collect()
        };
        let (lost, torn) = (cuts(&mut || Fate::Lost), cuts(&mut || Fate::Torn(dice.split())));
        let judge = recording.judge();
        let fault = cut(&judge, &lost, numbers).or_else(|| cut(&judge, &torn, numbers));
        let said = fault.as_ref().map_or("nothing is missed".to_owned(), ToString::to_string);
        println!("without the {} of {kind}: {said}", numbers.len());
        if fault.is_none() {
            not_missed.insert(*kind);
        }
    }
    not_missed.retain(|kind| NOT_MISSED.iter().all(|(known, _)| known != kind));
    assert!(not_missed.is_empty(), "flushed for nothing: {not_missed:#?}");
    for (kind, why) in NOT_MISSED {
        assert!(
            kinds.contains_key(kind),
            "there is no flush of {kind} any more, which was there because {why}"
        );
    }
}

/// Each flush of ours besides those of the log is needed by itself, unless another comes before anything rests on it.
#[test]
fn a_single_flush_of_a_file_or_a_folder_that_is_left_out_is_missed() {
    let recording = Recording::of_the_day();
    let Recorded { flushes, events, .. } = &recording.recorded;
    let (mut n_missed, mut n_covered) = (0, 0);
    for (number, flush) in flushes.iter().enumerate() {
        if flush.kind == LOG || flush.kind.ends_with(" by SQLite") {
            continue;
        }
        let next = flushes[number + 1..]
            .iter()
            .find(|next| next.of == flush.of)
            .map_or(events.len(), |next| next.end);
        let ends = recording.flushes().filter(|place| (flush.end..next).contains(place));
        let told =
            recording.given.iter().map(|given| given.after).filter(|after| (flush.end..next).contains(after));
        let mut places: Vec<usize> = ends.chain(told).collect();
        places.sort_unstable();
        // The first and the last say as much as all of them.
        let n = places.len();
        let places = places.into_iter().enumerate().filter(|(place, _)| *place < 3 || place + 3 >= n);
        let cuts: Vec<Cut> = places.flat_map(|(_, after)| [Cut { after, fate: Fate::Lost }]).collect();
        if cut(&recording.judge(), &cuts, &[number]).is_some() {
            n_missed += 1;
            continue;
        }
        // What was given or taken in it since it was flushed last.
        let before =
            flushes[..number].iter().filter(|before| before.of == flush.of).map(|before| before.end).max();
        let changes = events[before.unwrap_or(0)..flush.end].iter().filter_map(|event| match event {
            Event::Changed(of, change) if *of == flush.of => Some(change),
            _ => None,
        });
        let rests_on = |change: &Change| match change {
            Change::Names(names) => {
                names.iter().any(|(name, _)| NOT_PROMISED.iter().all(|free| !name.starts_with(free)))
            }
            Change::Bytes { .. } | Change::Length(_) => true,
        };
        let is_told = recording.given.iter().any(|given| (flush.end..next).contains(&given.after));
        assert!(
            !changes.clone().any(rests_on) || !is_told,
            "nobody misses flush {number}, of {}",
            flush.kind
        );
        n_covered += 1;
    }
    println!(
        "{n_missed} flushes of files and folders were left out one by one and missed; {n_covered} are not needed alone"
    );
    assert!(n_missed > n_covered);
}

/// Each single flush of the log is needed by what is acknowledged behind it, and would be missed; and what is
/// acknowledged before its flush is over is lost with it.
#[test]
fn a_single_flush_of_the_log_that_is_left_out_is_missed() {
    let (mut dice, recording) = (Dice::of_the_day("power"), Recording::of_the_day());
    let of_log = recording.recorded.flushes.iter().enumerate().filter(|(_, flush)| flush.kind == LOG);
    let of_log: Vec<(usize, usize)> = of_log.map(|(number, flush)| (number, flush.end)).collect();
    // Asked one after the other: others come in between only where the desk notes something by itself.
    let in_turn = |given: &&Given| matches!(&given.what, What::There { kind: "asked", with, .. } if !with[0].contains("crowd"));
    let asked: Vec<&Given> = recording.given.iter().filter(in_turn).collect();
    let n_tried = number("ASKUSER_POWER_SINGLE", N_SINGLE).min(asked.len());
    let mut n_with_more = 0;
    for _ in 0..n_tried {
        let promise = asked[dice.below(asked.len())];
        let judge = Judge { given: std::slice::from_ref(promise), ..recording.judge() };
        let before = of_log.partition_point(|(_, end)| *end <= promise.after);
        let cuts = [Cut { after: promise.after, fate: Fate::Lost }];
        let is_missed = |n: usize| {
            let left_out: Vec<usize> = of_log[before - n..before].iter().map(|(number, _)| *number).collect();
            cut(&judge, &cuts, &left_out).is_some()
        };
        if !is_missed(1) {
            n_with_more += 1;
            assert!(is_missed(3), "nobody misses the flush before {promise:?}");
        }
        // Told while the flush of something earlier was still under way.
        let after = of_log[before - 3].1 - 1;
        let early = Given { after, what: promise.what.clone() };
        let judge = Judge { given: std::slice::from_ref(&early), ..recording.judge() };
        let too_early = cut(&judge, &[Cut { after, fate: Fate::Lost }], &[]);
        assert!(too_early.is_some(), "{early:?} is there before it was flushed");
    }
    println!(
        "{n_tried} flushes of the log were left out one by one and missed, {n_with_more} of them with two before"
    );
}
