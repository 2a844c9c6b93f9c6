//! Here-documents: `<<'EOF'` and its relatives, and the idiom `"$(cat <<'EOF' … )"`.

use super::BadArgument;
use super::cursor::{Cursor, Stop};
use super::word;

/// How much of a delimiter a message repeats: it comes from the agent and may be of any length.
const DELIMITER_CHARS_SHOWN: usize = 40;

/// What stands behind `<<`: how the document ends and how it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Opener {
    delimiter: String,
    /// A quoted delimiter keeps the document as it stands.
    expands: bool,
    /// `<<-` removes tabs at the beginning of lines.
    strips_tabs: bool,
}

/// Reads an opener on from behind `<<`.
pub(super) fn opener(cursor: &mut Cursor<'_>) -> Result<Opener, Stop> {
    let strips_tabs = cursor.take("-");
    while matches!(cursor.peek(), Some(b' ' | b'\t')) {
        cursor.skip(1);
    }
    let mark = cursor.mark();
    // No delimiter at all is a mistake that a shell words better than we do.
    let delimiter = word::read(cursor)?.ok_or(Stop::Other)?;
    Ok(Opener { delimiter, expands: !cursor.since(mark).contains(['\'', '"', '\\']), strips_tabs })
}

/// Reads the document of an opener; the cursor stands at the beginning of its first line.
pub(super) fn document(cursor: &mut Cursor<'_>, opener: &Opener) -> Result<String, Stop> {
    let mut document = String::new();
    while let Some(mut line) = cursor.take_line() {
        if opener.strips_tabs {
            line = line.trim_start_matches('\t');
        }
        if line.strip_suffix('\r').unwrap_or(line) == opener.delimiter {
            return if opener.expands { unescaped(&document) } else { Ok(document) };
        }
        document.push_str(line);
        document.push('\n');
    }
    let shown = opener.delimiter.chars().take(DELIMITER_CHARS_SHOWN);
    Err(Stop::Bad(BadArgument::HereDocumentNotClosed(shown.collect())))
}

/// Removes the escapes of a document that a shell would expand; refuses what it would replace.
fn unescaped(document: &str) -> Result<String, Stop> {
    let mut cursor = Cursor::new(document);
    let mut text = Vec::new();
    loop {
        let plain = cursor.take_until(|byte| matches!(byte, b'\\' | b'$' | b'`'));
        text.extend_from_slice(plain.as_bytes());
        match cursor.peek() {
            None => break,
            Some(b'\\') => word::escaped_in(&mut cursor, &mut text, "\\$`"),
            Some(b'$') if !word::expands(cursor.rest()) => {
                cursor.skip(1);
                text.push(b'$');
            }
            Some(_) => return Err(word::expansion(&cursor, word::is_blank(&text, 0))),
        }
    }
    String::from_utf8(text).map_err(|_| Stop::Bad(BadArgument::NotText))
}

/// Reads `$(cat <<'EOF' … EOF )` inside double quotes; nothing where another substitution stands.
pub(super) fn substituted(cursor: &mut Cursor<'_>) -> Result<Option<String>, Stop> {
    let mut ahead = cursor.clone();
    if !ahead.take("$(") {
        return Ok(None);
    }
    ahead.skip_blanks();
    if !ahead.take("cat") || !matches!(ahead.peek(), Some(b' ' | b'\t' | b'<')) {
        return Ok(None);
    }
    ahead.skip_blanks();
    if ahead.rest().starts_with("<<<") || !ahead.take("<<") {
        return Ok(None);
    }
    let opener = opener(&mut ahead)?;
    ahead.skip_blanks();
    if !ahead.take("\n") {
        return Ok(None);
    }
    let document = document(&mut ahead, &opener)?;
    while ahead.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
        ahead.skip(1);
    }
    if !ahead.take(")") {
        return Ok(None);
    }
    *cursor = ahead;
    // A shell removes the newlines at the end of what it puts in, and those only.
    Ok(Some(document.trim_end_matches('\n').to_owned()))
}
