//! A whole line: is it one simple command of ours, and which word or document is its JSON?

use serde_json::Value;

use super::cursor::{Cursor, Stop};
use super::here::{self, Opener};
use super::{AgentShell, BadArgument, COMMAND, word};

/// Reads a line; nothing where it is not ours or needs a shell.
pub(super) fn read(line: &str) -> Option<AgentShell> {
    let mut cursor = Cursor::new(line);
    // Whatever stops us before the name is known is none of our business.
    let env = command(&mut cursor).ok()?;
    let input = if line.contains('\0') { Err(Stop::Bad(BadArgument::NotText)) } else { input(&mut cursor) };
    let input = match input {
        Ok(value) => Ok(value),
        Err(Stop::Bad(bad)) => Err(bad),
        Err(Stop::Other) => return None,
    };
    Some(AgentShell { env, input })
}

/// Reads variables and our name, in all the ways a shell finds it.
fn command(cursor: &mut Cursor<'_>) -> Result<Vec<(String, String)>, Stop> {
    skip_empty_lines(cursor);
    let mut env = Vec::new();
    while let Some(name) = variable(cursor) {
        cursor.skip(name.len() + 1);
        let mark = cursor.mark();
        let value = word::read(cursor)?.unwrap_or_default();
        if cursor.since(mark).contains('~') {
            return Err(Stop::Other); // A home folder, which only a shell knows.
        }
        env.push((name.to_owned(), value));
        cursor.skip_blanks();
    }
    let mut name = word::read(cursor)?;
    if name.as_deref() == Some("command") {
        cursor.skip_blanks();
        name = word::read(cursor)?;
    }
    let name = name.ok_or(Stop::Other)?;
    if name.rsplit('/').next() == Some(COMMAND) { Ok(env) } else { Err(Stop::Other) }
}

/// Returns the name of the variable that is set here, if one is.
fn variable<'a>(cursor: &Cursor<'a>) -> Option<&'a str> {
    let rest = cursor.rest();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let n_bytes = rest.bytes().position(|byte| !is_name(byte))?;
    let name = rest.get(..n_bytes)?;
    let begins_well = !name.starts_with(|first: char| first.is_ascii_digit()) && n_bytes > 0;
    (begins_well && rest.as_bytes().get(n_bytes) == Some(&b'=')).then_some(name)
}

/// What was read behind the name.
#[derive(Default)]
struct Arguments {
    first: Option<String>,
    n_words: usize,
    reads_stdin: bool,
    document: Option<String>,
    opener: Option<Opener>,
}

/// Reads what stands behind our name into JSON.
fn input(cursor: &mut Cursor<'_>) -> Result<Value, Stop> {
    cursor.skip_blanks();
    if matches!(cursor.peek(), Some(b'{' | b'[')) {
        return bare(cursor);
    }
    quoted(cursor)
}

/// Reads JSON that stands there without quotes.
fn bare(cursor: &mut Cursor<'_>) -> Result<Value, Stop> {
    let mut values = serde_json::Deserializer::from_str(cursor.rest()).into_iter::<Value>();
    let fault = match values.next() {
        Some(Ok(value)) => {
            cursor.skip(values.byte_offset());
            return match end(cursor) {
                Ok(()) => Ok(value),
                // A shell is no way out: it would remove the quotes inside the JSON.
                Err(_) => Err(Stop::Bad(BadArgument::BehindBareJson)),
            };
        }
        Some(Err(fault)) => fault.to_string(),
        None => return Err(Stop::Bad(BadArgument::Missing)),
    };
    // Not JSON as it stands, but perhaps with escapes, as `{\"questions\":[…]}`.
    match quoted(cursor) {
        Ok(value) => Ok(value),
        Err(Stop::Other) => Err(Stop::Other),
        Err(Stop::Bad(_)) => Err(Stop::Bad(BadArgument::NotJson(fault))),
    }
}

/// Reads the JSON from a word or a here-document.
fn quoted(cursor: &mut Cursor<'_>) -> Result<Value, Stop> {
    let arguments = arguments(cursor)?;
    let text = match (arguments.n_words, arguments.first, arguments.document) {
        (0, _, None) | (1.., _, _) if arguments.reads_stdin => return Err(Stop::Other),
        (0, _, Some(document)) => document,
        (1, Some(word), None) => word,
        (_, _, Some(_)) => return Err(Stop::Other),
        (0, ..) => String::new(),
        (n_words, ..) => return Err(Stop::Bad(BadArgument::TooMany(n_words))),
    };
    if text.trim().is_empty() {
        return Err(Stop::Bad(BadArgument::Missing));
    }
    serde_json::from_str(&text).map_err(|fault| Stop::Bad(BadArgument::NotJson(fault.to_string())))
}

/// Reads the words and the here-document behind our name, up to the end of the line.
fn arguments(cursor: &mut Cursor<'_>) -> Result<Arguments, Stop> {
    let mut arguments = Arguments::default();
    loop {
        cursor.skip_blanks();
        match cursor.peek() {
            Some(b'<') => arguments.take_document(cursor)?,
            None | Some(b'\n' | b';') => break,
            Some(_) => {
                // Where no word begins there is an operator, and that is a shell's business.
                let word = word::read(cursor)?.ok_or(Stop::Other)?;
                arguments.take_word(word)?;
            }
        }
    }
    cursor.take(";");
    if let Some(opener) = arguments.opener.take() {
        cursor.skip_blanks();
        if cursor.peek().is_some() && !cursor.take("\n") {
            return Err(Stop::Other);
        }
        arguments.document = Some(here::document(cursor, &opener)?);
    }
    end_of_lines(cursor)?;
    Ok(arguments)
}

impl Arguments {
    /// Counts a word; only the first is ever used, and a line may hold millions.
    fn take_word(&mut self, word: String) -> Result<(), Stop> {
        if self.n_words == 0 && !self.reads_stdin {
            match word.as_str() {
                "--" => return Ok(()),
                "-" => {
                    self.reads_stdin = true;
                    return Ok(());
                }
                option if is_option(option) => return Err(Stop::Other),
                _ => {}
            }
            self.first = Some(word);
        }
        self.n_words += 1;
        Ok(())
    }

    /// Reads `<<…` or `<<<…`; other redirections need a shell, and so do two documents.
    fn take_document(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        if self.opener.is_some() || self.document.is_some() {
            return Err(Stop::Other);
        }
        if cursor.take("<<<") {
            cursor.skip_blanks();
            self.document = Some(word::read(cursor)?.ok_or(Stop::Other)?);
        } else if cursor.take("<<") {
            self.opener = Some(here::opener(cursor)?);
        } else {
            return Err(Stop::Other);
        }
        Ok(())
    }
}

/// Whether a word is an option; a negative number is JSON.
fn is_option(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|name| !name.starts_with(|first: char| first.is_ascii_digit()))
}

/// Goes past one `;` at most and makes sure that no other command follows.
fn end(cursor: &mut Cursor<'_>) -> Result<(), Stop> {
    cursor.skip_blanks();
    cursor.take(";");
    end_of_lines(cursor)
}

/// Makes sure that nothing but comments and empty lines is left.
fn end_of_lines(cursor: &mut Cursor<'_>) -> Result<(), Stop> {
    skip_empty_lines(cursor);
    match cursor.peek() {
        None => Ok(()),
        Some(_) => Err(Stop::Other),
    }
}

/// Goes past empty lines, blanks and comments.
fn skip_empty_lines(cursor: &mut Cursor<'_>) {
    loop {
        cursor.skip_blanks();
        if !cursor.take("\n") {
            return;
        }
    }
}
