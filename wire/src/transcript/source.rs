//! Where the lines of a transcript come from: bytes in memory, or a file of any length.
//!
//! A file is read line by line, twice, and never held as a whole.

use std::borrow::Cow;
use std::convert::Infallible;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use super::line::LINE_BYTES_MAX;

/// Where a line stands: its first byte, and its length. One that is too long to be read is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) begin: u64,
    pub(super) n_bytes: u32,
}

/// One line on the way.
pub(super) enum SourceLine<'a> {
    /// It was read.
    Whole(Place, &'a [u8]),
    /// It is too long; with its length.
    TooLong(usize),
}

/// Lines that can be walked once from the first to the last, and then looked up.
pub(super) trait Source {
    type Error;

    /// Hands every line over, in order.
    fn walk(&mut self, each: impl FnMut(SourceLine<'_>)) -> Result<(), Self::Error>;

    /// Returns a line that was handed over.
    fn line(&mut self, place: Place) -> Result<Cow<'_, [u8]>, Self::Error>;
}

impl Source for &[u8] {
    type Error = Infallible;

    fn walk(&mut self, mut each: impl FnMut(SourceLine<'_>)) -> Result<(), Infallible> {
        let mut begin = 0;
        for line in <[u8]>::split(self, |byte| *byte == b'\n') {
            each(taken(begin, line.len(), line));
            begin += line.len() as u64 + 1;
        }
        Ok(())
    }

    fn line(&mut self, place: Place) -> Result<Cow<'_, [u8]>, Infallible> {
        let begin = usize::try_from(place.begin).unwrap_or(usize::MAX);
        let line = self.get(begin..begin.saturating_add(place.n_bytes as usize));
        Ok(Cow::Borrowed(line.unwrap_or_default()))
    }
}

pub(super) struct InFile<F> {
    file: BufReader<F>,
    /// Where the reader stands, so that what is near is not asked of the system again.
    at: u64,
}

impl<F: Read + Seek> InFile<F> {
    pub(super) fn new(file: F) -> Self {
        Self { file: BufReader::with_capacity(256 * 1024, file), at: 0 }
    }
}

impl<F: Read + Seek> Source for InFile<F> {
    type Error = io::Error;

    fn walk(&mut self, mut each: impl FnMut(SourceLine<'_>)) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        self.at = 0;
        let mut line = Vec::new();
        loop {
            line.clear();
            let most = LINE_BYTES_MAX as u64 + 2;
            let mut n_bytes = self.file.by_ref().take(most).read_until(b'\n', &mut line)?;
            let begin = self.at;
            if n_bytes == 0 {
                return Ok(());
            }
            let mut ended = line.last() == Some(&b'\n');
            if ended {
                line.pop();
            } else if n_bytes as u64 == most {
                let n_skipped;
                (n_skipped, ended) = skip_line(&mut self.file)?;
                n_bytes += n_skipped;
            }
            self.at += n_bytes as u64;
            each(taken(begin, n_bytes - usize::from(ended), &line));
            // One long line is no reason to keep its room.
            line.shrink_to(256 * 1024);
        }
    }

    fn line(&mut self, place: Place) -> io::Result<Cow<'_, [u8]>> {
        let away = i64::try_from(place.begin).unwrap_or(i64::MAX) - i64::try_from(self.at).unwrap_or(0);
        self.file.seek_relative(away)?;
        let mut line = Vec::with_capacity(place.n_bytes as usize);
        let n_read = self.file.by_ref().take(u64::from(place.n_bytes)).read_to_end(&mut line)?;
        self.at = place.begin + n_read as u64;
        Ok(Cow::Owned(line))
    }
}

/// Reads on to the end of the line; returns how much that was, the end included, and whether there
/// was one.
fn skip_line(file: &mut impl BufRead) -> io::Result<(usize, bool)> {
    let mut n_skipped = 0;
    loop {
        let buffer = file.fill_buf()?;
        if buffer.is_empty() {
            return Ok((n_skipped, false));
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let n_used = end.map_or(buffer.len(), |end| end + 1);
        file.consume(n_used);
        n_skipped += n_used;
        if end.is_some() {
            return Ok((n_skipped, true));
        }
    }
}

fn taken(begin: u64, n_bytes: usize, line: &[u8]) -> SourceLine<'_> {
    match u32::try_from(n_bytes) {
        // A mark at the beginning and spaces around are not counted: the reader looks again.
        Ok(n_short) if n_bytes == line.len() => SourceLine::Whole(Place { begin, n_bytes: n_short }, line),
        _ => SourceLine::TooLong(n_bytes),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn lines(source: &mut impl Source) -> Vec<Result<(u64, String), usize>> {
        let mut places = Vec::new();
        let walked = source.walk(|line| {
            places.push(match line {
                SourceLine::Whole(place, _) => Ok(place),
                SourceLine::TooLong(n_bytes) => Err(n_bytes),
            });
        });
        assert!(walked.is_ok());
        let mut read = |place: Place| {
            let Ok(line) = source.line(place) else { unreachable!() };
            (place.begin, String::from_utf8_lossy(&line).into_owned())
        };
        places.into_iter().map(|place| place.map(&mut read)).collect()
    }

    #[test]
    fn a_file_and_its_bytes_have_the_same_lines() {
        let long = "x".repeat(LINE_BYTES_MAX + 3);
        for text in ["a\nbb\n\nccc", "\n\n", "a\r\nb\n", &format!("a\n{long}\nb\n{long}")] {
            let mut of_file = lines(&mut InFile::new(Cursor::new(text)));
            let mut of_bytes = lines(&mut text.as_bytes());
            // What follows the last end of a line is a blank line, or none.
            of_bytes.pop_if(|last| last.as_ref().is_ok_and(|(_, line)| line.is_empty()));
            let too_long = |line: &mut Result<(u64, String), usize>| {
                if let Ok((_, text)) = line
                    && text.len() > LINE_BYTES_MAX
                {
                    *line = Err(text.len());
                }
            };
            of_file.iter_mut().for_each(too_long);
            of_bytes.iter_mut().for_each(too_long);
            assert_eq!(of_file, of_bytes);
        }
    }
}
