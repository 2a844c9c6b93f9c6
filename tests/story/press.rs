//! The bytes that a terminal sends for keys.

pub(crate) const UP: &str = "\x1b[A";
pub(crate) const DOWN: &str = "\x1b[B";
pub(crate) const RIGHT: &str = "\x1b[C";
pub(crate) const LEFT: &str = "\x1b[D";
pub(crate) const PAGE_DOWN: &str = "\x1b[6~";
pub(crate) const ENTER: &str = "\r";
pub(crate) const ALT_ENTER: &str = "\x1b\r";
pub(crate) const TAB: &str = "\t";
pub(crate) const BACK_TAB: &str = "\x1b[Z";
pub(crate) const BACKSPACE: &str = "\x7f";
pub(crate) const CTRL_C: &str = "\x03";
pub(crate) const CTRL_D: &str = "\x04";
pub(crate) const CTRL_Z: &str = "\x1a";
/// Must be waited for: what follows at once would be read as Alt and a key.
pub(crate) const ESC: &str = "\x1b";

/// Text as a terminal sends it that marks what was pasted.
pub(crate) fn paste(text: &str) -> String {
    format!("\x1b[200~{text}\x1b[201~")
}
