//! One word of a shell line: quotes, escapes, and the places where only a shell can go on.

use super::BadArgument;
use super::ansi;
use super::cursor::{Cursor, Stop};
use super::here;

/// Reads the word that begins here; nothing where none does.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Option<String>, Stop> {
    let start = cursor.mark();
    let mut word = Vec::new();
    loop {
        let plain = cursor.take_until(|byte| is_end(byte) || is_special(byte));
        word.extend_from_slice(plain.as_bytes());
        match cursor.peek() {
            Some(b'\'') => single(cursor, &mut word)?,
            Some(b'"') => double(cursor, &mut word)?,
            Some(b'\\') => escaped(cursor, &mut word)?,
            Some(b'$') => dollar(cursor, &mut word)?,
            Some(b'`') => return Err(Stop::Other),
            Some(b'\r') if !cursor.at_line_end() => {
                word.push(b'\r');
                cursor.skip(1);
            }
            _ => break,
        }
    }
    if cursor.mark() == start {
        return Ok(None);
    }
    text(word).map(Some)
}

/// Returns the text that bytes are.
fn text(bytes: Vec<u8>) -> Result<String, Stop> {
    // Only `$'…'` can make bytes that are not text. A NUL would end the argument of a program.
    let text = String::from_utf8(bytes).map_err(|_| Stop::Bad(BadArgument::NotText))?;
    if text.contains('\0') {
        return Err(Stop::Bad(BadArgument::NotText));
    }
    Ok(text)
}

/// Whether an unquoted byte ends a word.
fn is_end(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'|' | b'&' | b';' | b'<' | b'>' | b'(' | b')')
}

/// Whether an unquoted byte stands for something else than itself.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'\'' | b'"' | b'\\' | b'$' | b'`' | b'\r')
}

/// Reads `'…'`, in which everything stands for itself.
fn single(cursor: &mut Cursor<'_>, word: &mut Vec<u8>) -> Result<(), Stop> {
    cursor.skip(1);
    word.extend_from_slice(cursor.take_until(|byte| byte == b'\'').as_bytes());
    if cursor.take("'") { Ok(()) } else { Err(Stop::Bad(BadArgument::QuoteNotClosed("single"))) }
}

/// Reads a backslash outside quotes and what it protects.
fn escaped(cursor: &mut Cursor<'_>, word: &mut Vec<u8>) -> Result<(), Stop> {
    if cursor.take_continuation() {
        return Ok(());
    }
    cursor.skip(1);
    let Some(protected) = cursor.rest().chars().next() else {
        // Shells disagree on a backslash at the very end.
        return Err(Stop::Other);
    };
    push(word, protected);
    cursor.skip(protected.len_utf8());
    Ok(())
}

/// Reads `$` outside quotes: ANSI-C quotes, a translated text, or an expansion.
fn dollar(cursor: &mut Cursor<'_>, word: &mut Vec<u8>) -> Result<(), Stop> {
    if cursor.take("$'") {
        return ansi::read(cursor, word);
    }
    if cursor.rest().starts_with("$\"") {
        cursor.skip(1);
        return double(cursor, word);
    }
    if expands(cursor.rest()) {
        return Err(Stop::Other);
    }
    cursor.skip(1);
    word.push(b'$');
    Ok(())
}

/// Reads `"…"`, in which `$`, backticks and some escapes keep their meaning.
fn double(cursor: &mut Cursor<'_>, word: &mut Vec<u8>) -> Result<(), Stop> {
    cursor.skip(1);
    let start = word.len();
    loop {
        let plain = cursor.take_until(|byte| matches!(byte, b'"' | b'\\' | b'$' | b'`'));
        word.extend_from_slice(plain.as_bytes());
        match cursor.peek() {
            Some(b'"') => {
                cursor.skip(1);
                return Ok(());
            }
            Some(b'\\') => escaped_in(cursor, word, "\"\\$`"),
            Some(b'$') if !expands(cursor.rest()) => {
                cursor.skip(1);
                word.push(b'$');
            }
            Some(b'$') if is_blank(word, start) => match here::substituted(cursor)? {
                Some(document) => word.extend_from_slice(document.as_bytes()),
                None => return Err(Stop::Other),
            },
            Some(_) => return Err(expansion(cursor, is_blank(word, start))),
            None => return Err(Stop::Bad(BadArgument::QuoteNotClosed("double"))),
        }
    }
}

/// Reads a backslash where it protects only some characters and else stands for itself.
pub(super) fn escaped_in(cursor: &mut Cursor<'_>, word: &mut Vec<u8>, protected: &str) {
    if cursor.take_continuation() {
        return;
    }
    cursor.skip(1);
    match cursor.peek() {
        Some(byte) if protected.as_bytes().contains(&byte) => {
            word.push(byte);
            cursor.skip(1);
        }
        _ => word.push(b'\\'),
    }
}

/// Whether a `$` that begins `rest` would be replaced by a shell.
pub(super) fn expands(rest: &str) -> bool {
    rest.as_bytes().get(1).is_some_and(|byte| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'{' | b'(' | b'@' | b'*' | b'#' | b'?' | b'$' | b'!' | b'-' | b'[')
    })
}

/// Returns what an expansion here means for the line.
///
/// With JSON before it in the same quotes it is almost always a price or a piece of Markdown that
/// the shell would silently swallow; where it comes first, someone wants the shell to fill it in.
pub(super) fn expansion(cursor: &Cursor<'_>, is_first: bool) -> Stop {
    match cursor.peek() {
        _ if is_first => Stop::Other,
        Some(b'`') => Stop::Bad(BadArgument::Expansion("backtick")),
        _ => Stop::Bad(BadArgument::Expansion("`$`")),
    }
}

/// Whether only blanks were read since `start`.
pub(super) fn is_blank(word: &[u8], start: usize) -> bool {
    word.get(start..).is_none_or(|bytes| bytes.iter().all(u8::is_ascii_whitespace))
}

/// Adds a character.
pub(super) fn push(word: &mut Vec<u8>, character: char) {
    word.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}
