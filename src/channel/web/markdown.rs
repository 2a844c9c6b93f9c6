//! Texts of the asker.

use maud::{Markup, html};

pub(super) fn draw(text: &str) -> Markup {
    html! { pre { (text) } }
}
