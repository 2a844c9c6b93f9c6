//! ANSI-C quotes, `$'…'`: escapes as in C, which agents like for their `\'` and `\n`.

use super::BadArgument;
use super::cursor::{Cursor, Stop};
use super::word::push;

/// Reads on from behind `$'`.
pub(super) fn read(cursor: &mut Cursor<'_>, word: &mut Vec<u8>) -> Result<(), Stop> {
    loop {
        let plain = cursor.take_until(|byte| byte == b'\'' || byte == b'\\');
        word.extend_from_slice(plain.as_bytes());
        if cursor.take("'") {
            return Ok(());
        }
        if !cursor.take("\\") {
            return Err(Stop::Bad(BadArgument::QuoteNotClosed("single")));
        }
        escape(cursor, word)?;
    }
}

/// Reads one escape on from behind its backslash.
fn escape(cursor: &mut Cursor<'_>, word: &mut Vec<u8>) -> Result<(), Stop> {
    let Some(letter) = cursor.peek() else {
        return Ok(()); // The quote is not closed, and the caller sees that next.
    };
    let byte = match letter {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'a' => 0x07,
        b'b' => 0x08,
        b'e' | b'E' => 0x1b,
        b'f' => 0x0c,
        b'v' => 0x0b,
        b'\\' | b'\'' | b'"' | b'?' => letter,
        b'0'..=b'7' => return octal(cursor, word),
        b'x' => return hex(cursor, word, 2),
        b'u' => return hex(cursor, word, 4),
        b'U' => return hex(cursor, word, 8),
        b'c' => return control(cursor, word),
        _ => {
            word.push(b'\\');
            return Ok(());
        }
    };
    cursor.skip(1);
    word.push(byte);
    Ok(())
}

/// Reads up to `n_max` digits of a base.
fn digits(cursor: &mut Cursor<'_>, base: u32, n_max: usize) -> Option<u32> {
    let mut number = None;
    for _ in 0..n_max {
        let Some(digit) = cursor.peek().and_then(|byte| char::from(byte).to_digit(base)) else {
            break;
        };
        number = Some(number.unwrap_or(0_u32).wrapping_mul(base) | digit);
        cursor.skip(1);
    }
    number
}

/// Reads `\nnn`, one byte.
fn octal(cursor: &mut Cursor<'_>, word: &mut Vec<u8>) -> Result<(), Stop> {
    let number = digits(cursor, 8, 3).unwrap_or(0);
    // Three octal digits may be more than a byte; shells drop the ninth bit.
    byte(number & 0xff, word)
}

/// Reads `\xHH`, one byte, or `\uHHHH` and `\UHHHHHHHH`, one character.
fn hex(cursor: &mut Cursor<'_>, word: &mut Vec<u8>, n_max: usize) -> Result<(), Stop> {
    let letter = cursor.peek().unwrap_or(b'x');
    cursor.skip(1);
    let Some(number) = digits(cursor, 16, n_max) else {
        word.extend_from_slice(&[b'\\', letter]);
        return Ok(());
    };
    if n_max == 2 {
        return byte(number, word);
    }
    match char::from_u32(number) {
        Some('\0') | None => Err(Stop::Bad(BadArgument::NotText)),
        Some(character) => {
            push(word, character);
            Ok(())
        }
    }
}

/// Reads `\cX`, a control character.
fn control(cursor: &mut Cursor<'_>, word: &mut Vec<u8>) -> Result<(), Stop> {
    cursor.skip(1);
    match cursor.peek() {
        Some(letter) if letter.is_ascii_alphabetic() => {
            cursor.skip(1);
            byte(u32::from(letter & 0x1f), word)
        }
        // Shells disagree on the rest, and no JSON needs it.
        _ => Err(Stop::Other),
    }
}

/// Adds a byte; a NUL would end the argument of a program.
fn byte(number: u32, word: &mut Vec<u8>) -> Result<(), Stop> {
    match u8::try_from(number) {
        Ok(0) | Err(_) => Err(Stop::Bad(BadArgument::NotText)),
        Ok(byte) => {
            word.push(byte);
            Ok(())
        }
    }
}
