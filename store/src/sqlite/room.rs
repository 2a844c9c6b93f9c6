//! Room in the log, laid out before SQLite gets there.
//!
//! A flush of bytes that were written over others costs less than half of one where the file has
//! grown: the file system has nothing of its own to note then. A log that was written back is written
//! over by SQLite itself; this is for the way there. Zeros after its last frame are to SQLite what is
//! left of an older log: not its own.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

/// As much again as there is, but at least and at most so much at a time.
const BYTES_MIN: u64 = 256 * 1024;
const BYTES_MAX: u64 = 4 * 1024 * 1024;
/// How long the log may stay: SQLite cuts off what is beyond.
pub(super) const LOG_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// What is written at a time.
static ZEROS: [u8; 64 * 1024] = [0; 64 * 1024];

/// The end of the log, behind which nobody has written yet.
pub(super) struct Room {
    log: File,
    end: u64,
}

impl Room {
    pub(super) fn new(log: File) -> Self {
        Self { log, end: 0 }
    }

    /// Lays out more where SQLite has come to the end. For the thread that writes, between its
    /// transactions: nobody else writes into the log then.
    pub(super) fn keep(&mut self) -> io::Result<()> {
        let end = self.log.metadata()?.len();
        // Where there is no room on the disk, it is not tried again before the log has grown.
        if std::mem::replace(&mut self.end, end) >= end {
            return Ok(());
        }
        let room = end.clamp(BYTES_MIN, BYTES_MAX).min(LOG_BYTES_MAX.saturating_sub(end));
        self.log.seek(SeekFrom::Start(end))?;
        for _ in 0..room / ZEROS.len() as u64 {
            self.log.write_all(&ZEROS)?;
            self.end += ZEROS.len() as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_more_room_only_once_the_last_was_used_and_only_up_to_what_the_log_may_have() {
        let mut log = tempfile::tempfile().unwrap();
        let mut room = Room::new(log.try_clone().unwrap());
        let length = |log: &File| log.metadata().unwrap().len();
        room.keep().unwrap();
        assert_eq!(length(&log), 0, "none before the log is begun");
        log.write_all(b"frames").unwrap();
        room.keep().unwrap();
        assert_eq!(length(&log), 6 + BYTES_MIN);
        room.keep().unwrap();
        assert_eq!(length(&log), 6 + BYTES_MIN, "there is room");
        log.seek(SeekFrom::End(0)).unwrap();
        log.write_all(b"more").unwrap();
        room.keep().unwrap();
        assert!(length(&log) > 10 + 2 * BYTES_MIN - ZEROS.len() as u64, "as much again: {}", length(&log));
        log.set_len(LOG_BYTES_MAX + 1).unwrap();
        room.keep().unwrap();
        assert_eq!(length(&log), LOG_BYTES_MAX + 1, "it is long enough");
        // SQLite has cut it off, and begins at the front.
        log.set_len(LOG_BYTES_MAX).unwrap();
        room.keep().unwrap();
        assert_eq!(length(&log), LOG_BYTES_MAX);
    }
}
