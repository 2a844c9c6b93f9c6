//! Moments as a person reads them. Without the script an age says it best, because only the browser
//! knows the person's zone; with it, clock times are in that zone and ages go on.

use std::time::Duration;

use askuser_core::time::Timestamp;
use askuser_words::page::Page;
use askuser_words::time::Times;
use maud::{Markup, html};

use askuser_wire::time;

/// How long ago something was.
pub(super) fn age(words: Page, at: Timestamp, now: Timestamp) -> Markup {
    html! { time datetime=(time::write(at)) data-as="age" { (words.0.ago(now.since(at))) } }
}

/// When something was or will be: the clock where the script runs, else how far away it is.
pub(super) fn clock(words: Page, at: Timestamp, now: Timestamp) -> Markup {
    html! { time datetime=(time::write(at)) data-as="clock" { (Times::local(now, words.0).relative(at)) } }
}

/// How long something took: a second at least.
pub(super) fn took(words: Page, time: Duration) -> String {
    words.0.length(time.max(Duration::from_secs(1)))
}
