//! Preferences: what a person likes on this browser (D19).

use std::borrow::Cow;

use axum::http::HeaderValue;
use axum::http::header::SET_COOKIE;
use axum::response::Response;
use maud::{Markup, html};

use super::failing::Shown;
use super::layout::{Frame, page};
use super::look::{COOKIE, Density, LANGUAGES, Look, NAME_CHARS_MAX, Theme};
use super::sign_in::see;
use super::visit::Visit;
use askuser_words::page::Page;

/// How long the browser remembers: a year.
const KEPT_S: u64 = 365 * 24 * 3600;

/// `POST /preferences`
pub(super) async fn keep(visit: Visit) -> Response {
    let fields = visit.form.fields().map(|(name, value)| (Cow::Borrowed(name), Cow::Borrowed(value)));
    let look = Look::read(fields);
    let mut response = see("/preferences");
    let cookie =
        format!("{COOKIE}={}; SameSite=Strict; Path=/; Max-Age={KEPT_S}{}", look.write(), visit.secure());
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}

/// `GET /preferences`
pub(super) async fn show(visit: &Visit) -> Shown {
    visit.person()?;
    let (words, look) = (visit.words(), &visit.look);
    let themes =
        [words.settings().theme_system(), words.settings().theme_light(), words.settings().theme_dark()];
    let themes: Vec<_> = Theme::ALL.into_iter().zip(themes).collect();
    let densities: Vec<_> =
        Density::ALL.into_iter().zip([words.settings().comfortable(), words.settings().compact()]).collect();
    let body = html! {
        section.plain {
            h1 { (words.preferences()) }
            p.dim { (words.settings().kept()) }
            form.settings method="post" {
                fieldset { legend { (words.settings().theme()) }
                    @for (theme, label) in themes { (radio("theme", theme.name(), label, look.theme == theme)) }
                }
                (languages(words, look))
                fieldset { legend { (words.settings().density()) }
                    @for (density, label) in densities {
                        (radio("density", density.name(), label, look.density == density))
                    }
                }
                fieldset { legend { (words.settings().notifications()) }
                    (switch("sound", words.settings().sound(), look.sound))
                    (switch("notifications", words.settings().notify(), look.notify))
                }
                fieldset { legend { (words.settings().answering()) }
                    (switch("speech", words.settings().speech(), look.speech))
                    (switch("keys", words.settings().single_keys(), look.keys))
                    (switch("forgetful", words.settings().forgetful(), look.forgetful))
                }
                fieldset { legend { label for="name" { (words.settings().your_name()) } }
                    p.dim #name-why { (words.settings().your_name_why()) }
                    input #name type="text" name="name" value=(look.name) maxlength=(NAME_CHARS_MAX)
                        aria-describedby="name-why" autocomplete="nickname";
                }
                button.go { (words.save()) }
            }
            (device(words))
            p { a href="/rules" { (words.rules().title()) } }
            p { a href="/browsers" { (words.signing_in().browsers()) } }
            form.sign-out method="post" action="/sign-out" { button { (words.settings().sign_out()) } }
        }
    };
    Ok(page(visit, &Frame::plain("preferences", words.preferences()), &body))
}

/// Whether this device is told while no page is open; the script says how it stands.
fn device(words: Page) -> Markup {
    let states = [
        ("off", words.settings().device_off()),
        ("on", words.settings().device_on()),
        ("insecure", words.settings().device_insecure()),
        ("unable", words.settings().device_unable()),
        ("denied", words.settings().device_denied()),
        ("failed", words.settings().device_failed()),
    ];
    html! {
        section #device.device aria-labelledby="device-title" hidden {
            h2 #device-title { (words.settings().device()) }
            div role="status" {
                @for (state, said) in states { p.dim data-state=(state) hidden { (said) } }
            }
            button.go #device-on type="button" data-at="off failed" hidden { (words.settings().device_notify()) }
            button #device-off type="button" data-at="on" hidden { (words.settings().device_stop()) }
        }
    }
}

fn languages(said: Page, look: &Look) -> Markup {
    html! {
        fieldset { legend { (said.settings().language()) }
            (radio("language", "auto", said.settings().language_of_browser(), look.language.is_none()))
            @for (name, language) in LANGUAGES {
                (radio("language", name, Page(language).own_name(), look.language == Some(language)))
            }
        }
    }
}

fn radio(name: &str, value: &str, label: &str, checked: bool) -> Markup {
    html! { label.line { input type="radio" name=(name) value=(value) checked[checked]; " " (label) } }
}

fn switch(name: &str, label: &str, checked: bool) -> Markup {
    html! { label.line { input type="checkbox" name=(name) value="on" checked[checked]; " " (label) } }
}
