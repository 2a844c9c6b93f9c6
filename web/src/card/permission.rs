//! What a permission would let run: the command as it is, what else the agent says of it, and the folder.

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::text::shown as harmless;
use maud::{Markup, html};

use askuser_wire::permission;
use askuser_words::page::Page;

/// Draws what would run, all of it; nothing where the ask grants nothing.
pub(crate) fn command(words: Page, ask: &Ask) -> Option<Markup> {
    let permission = permission::shown(ask)?;
    Some(html! {
        div.command {
            pre tabindex="0" aria-label=(words.card().command()) { code { (harmless(&permission.command)) } }
            @if let Some(folder) = &permission.folder {
                p.dim.where { (words.card().folder()) ": " code { (harmless(folder)) } }
            }
            @if let Some(rest) = &permission.rest {
                p.dim { (words.card().command_rest()) }
                pre.rest tabindex="0" { code { (harmless(rest)) } }
            }
        }
    })
}

/// Whether a permission can be refused by one of its own choices: then it is not declined as well.
pub(super) fn has_own_no(ask: &Ask) -> bool {
    ask.terms.purpose == Purpose::Permission && permission::has_own_no(&ask.questions)
}
