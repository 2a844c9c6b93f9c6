//! The fuzz targets on stable Rust: their seeds, then random changes of them for a bounded time.
//!
//! `ASKUSER_FUZZ_SECONDS` says how long each target runs (2 if not set), `ASKUSER_FUZZ_SEED` where
//! the random numbers begin, so that a failure can be run again.

mod bodies;

use std::fs;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::time::{Duration, Instant};

use askuser_system::environment::Environment;

use bodies::{Body, TARGETS};

/// How much is put together at most; a longer input finds little that a short one does not.
const BYTES_MAX: usize = 4096;

/// Pieces that readers give a meaning to.
const PIECES: [&str; 24] = [
    "\"",
    "'",
    "\\",
    "$",
    "`",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\n",
    "\0",
    "<<EOF\n",
    "\nEOF\n",
    "$(cat ",
    "$'",
    " ",
    "null",
    "-1e999",
    "\\ud800",
    "\u{202e}",
    "🦀",
    "\u{1b}[2J",
];

/// Random numbers (xorshift): the same ones for the same beginning.
struct Dice(u64);

impl Dice {
    /// Returns a number below `n`, or 0.
    fn roll(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let n = u64::try_from(n.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.0 % n).unwrap_or(0)
    }

    /// Returns a place in some bytes, their end included.
    fn place(&mut self, bytes: &[u8]) -> usize {
        self.roll(bytes.len() + 1)
    }

    /// Changes some bytes a few times.
    fn change(&mut self, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        for _ in 0..=self.roll(6) {
            let at = self.place(bytes);
            let to = (at + self.roll(32)).min(bytes.len());
            match self.roll(6) {
                0 => drop(bytes.drain(at..to)),
                1 => drop(bytes.splice(at..at, PIECES[self.roll(PIECES.len())].bytes())),
                2 => {
                    let copied = bytes[at..to].to_vec();
                    let behind = self.place(bytes);
                    bytes.splice(behind..behind, copied);
                }
                3 => bytes.splice(at..at, [self.roll(256).to_le_bytes()[0]]).for_each(drop),
                4 => {
                    let other = &seeds[self.roll(seeds.len())];
                    let from = self.place(other);
                    bytes.splice(at.., other[from..].iter().copied());
                }
                _ if at < bytes.len() => bytes[at] ^= 1 << self.roll(8),
                _ => {}
            }
        }
        bytes.truncate(BYTES_MAX);
    }
}

/// Returns the seeds of a target, in order.
fn seeds(name: &str) -> io::Result<Vec<Vec<u8>>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(name);
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.collect();
    let mut paths: Vec<_> = entries?.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    paths.iter().map(fs::read).collect()
}

/// Runs a target's body on one input and shows the input where it fails.
fn run(name: &str, body: Body, bytes: &[u8], beginning: u64) {
    let begun = Instant::now();
    let failed = panic::catch_unwind(AssertUnwindSafe(|| body(bytes))).is_err();
    let took = begun.elapsed();
    assert!(
        !failed && took < Duration::from_secs(5),
        "{name} fails after {took:?} with ASKUSER_FUZZ_SEED={beginning} on\n{}",
        bytes.escape_ascii()
    );
}

#[test]
fn no_bytes_break_a_fuzz_target() {
    let environment = Environment::of_this_process();
    let number = |name: &str, or: u64| environment.get(name).map_or(or, |value| value.parse().unwrap());
    let time = Duration::from_secs(number("ASKUSER_FUZZ_SECONDS", 2));
    let beginning = number("ASKUSER_FUZZ_SEED", 1).max(1);
    for (name, body) in TARGETS {
        let seeds = seeds(name).unwrap();
        assert!(!seeds.is_empty(), "{name} has no seeds");
        for seed in &seeds {
            run(name, *body, seed, beginning);
        }
        let mut dice = Dice(beginning);
        let begun = Instant::now();
        let mut n_runs = 0_u64;
        while begun.elapsed() < time {
            let mut bytes = seeds[dice.roll(seeds.len())].clone();
            dice.change(&mut bytes, &seeds);
            run(name, *body, &bytes, beginning);
            n_runs += 1;
        }
        println!("{name}: {n_runs} inputs in {time:?}");
    }
}
