//! The browsers in which a person is signed in, to be named and signed out. Looking at them is being told
//! of the new ones.

use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use maud::{Markup, html};

use super::failing::{Mishap, Shown};
use super::layout::{Frame, page};
use super::sign_in::see;
use super::visit::Visit;
use super::when;
use askuser_desk::{BROWSER_NAME_CHARS_MAX, BrowserId, SignedIn, proof_of};
use askuser_words::page::Page;

/// `GET /browsers`
pub(super) async fn show(visit: &mut Visit) -> Shown {
    let person = visit.person()?;
    let browsers = visit.desk().access().signed_in(&person.user).await?;
    let here = visit.caller.as_ref().and_then(|caller| caller.browser);
    if let Some(caller) = &visit.caller {
        visit.desk().access().told_of_browsers(caller).await?;
    }
    // They stand in the list itself.
    let news: Vec<BrowserId> = std::mem::take(&mut visit.news).iter().map(|browser| browser.id).collect();
    let (words, now) = (visit.words(), visit.desk().now());
    let body = html! {
        section.plain {
            h1 { (words.signing_in().browsers()) }
            p.dim { (words.signing_in().browsers_why()) }
            ul.rules.browsers {
                @for browser in &browsers {
                    (row(words, browser, here == Some(browser.id), news.contains(&browser.id), now))
                }
            }
        }
    };
    Ok(page(visit, &Frame::plain("browsers", words.signing_in().browsers()), &body))
}

fn row(words: Page, browser: &SignedIn, is_here: bool, is_new: bool, now: Timestamp) -> Markup {
    let path = format!("/browsers/{:032x}", browser.id.0);
    html! {
        li data-browser=(format!("{:032x}", browser.id.0)) {
            p {
                b { (harmless(&browser.name)) }
                @if is_here { " · " (words.signing_in().this_browser()) }
                @if is_new { " · " strong { (words.signing_in().is_new()) } }
            }
            p.dim {
                (words.signing_in().since()) " " (when::clock(words, browser.created_at, now))
                " · " (words.signing_in().last_used()) " " (when::age(words, browser.last_seen_at, now))
            }
            @if !proof_of(browser.made_with).may_grant() { p.note { (words.signing_in().cannot_grant()) } }
            details {
                summary { (words.signing_in().rename()) }
                form method="post" action=(format!("{path}/name")) {
                    label { (words.signing_in().name()) " "
                        input type="text" name="name" value=(browser.name) maxlength=(BROWSER_NAME_CHARS_MAX) required;
                    }
                    button { (words.save()) }
                }
            }
            @if !is_here {
                form method="post" action=(format!("{path}/sign-out")) { button { (words.signing_in().sign_out()) } }
            }
        }
    }
}

/// `POST /browsers/{browser}/name`
pub(super) async fn rename(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let name = visit.form.get("name").map(str::trim).filter(|name| !name.is_empty());
    let named = match name {
        Some(name) => visit.desk().access().name_browser(&person.user, id(visit)?, name).await?,
        None => true,
    };
    if named { Ok(see("/browsers")) } else { Err(Mishap::NotFound) }
}

/// `POST /browsers/{browser}/sign-out`
pub(super) async fn sign_out(visit: &Visit) -> Shown {
    let person = visit.person()?;
    // Gone is gone, whoever was first.
    visit.desk().access().revoke_browser(&person.user, id(visit)?).await?;
    Ok(see("/browsers"))
}

fn id(visit: &Visit) -> Result<BrowserId, Mishap> {
    u128::from_str_radix(visit.param(0), 16).map(BrowserId).map_err(|_| Mishap::NotFound)
}
