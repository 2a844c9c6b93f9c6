//! The prompt in the terminal: a panel drawn in place, below what the agent wrote.
//!
//! In reading order: what is said (`words`), how wide it is (`width`, `wrap`, `line`, `markdown`), what is
//! typed (`editor`), where the person is (`page`, `panel`), what a key does (`keys`) and whether it was meant (`guard`), what is seen
//! (`draw`, `preview`, `summary`) and was (`reading`), the same for everything that is open (`inbox`), and last the parts
//! that touch the terminal (`paint` and `canvas` make the bytes, `bell` those that ring, `tty` opens the device, `keyboard`
//! names its keys, `signals` hears the rest, `driver` waits for keys, signals and answers from
//! elsewhere, `full` takes the whole terminal over).
//! Everything above `tty` is pure.

#![forbid(unsafe_code)]

pub mod deadline;
pub mod fuzzy;
pub mod width;
pub mod wrap;
pub mod line;
pub mod markdown;
pub mod editor;
pub mod page;
pub mod panel;
pub mod keys;
pub mod guard;
pub mod preview;
pub mod draw;
mod reading;
pub mod summary;
pub mod inbox;
pub mod picker;
pub mod paint;
pub mod canvas;
pub mod bell;
pub mod tty;
mod keyboard;
mod signals;
pub mod driver;
pub mod full;
pub mod plain;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod any_keys;

pub use driver::{ClosedElsewhere, Ended, Prompt, ask};
pub use paint::Look;
pub use panel::{Leaving, PanelContext, Round};
pub use tty::{Tty, there_is_a_terminal};
