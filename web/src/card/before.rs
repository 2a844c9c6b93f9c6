//! What the person answered to the same questions before: told, explained on a click, and put on the
//! sheet only when they say so (D19).

use askuser_core::ask::Ask;
use askuser_core::question::Question;
use askuser_core::recall::Recall;
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use maud::{Markup, html};

use super::lines;
use crate::when;
use askuser_words::page::Page;

/// Under a question: what was usually picked, and how that is known.
pub(super) fn usual(words: Page, recall: Option<&Recall>, question: &Question, now: Timestamp) -> Markup {
    let usual = recall.and_then(|recall| recall.usual.iter().find(|usual| usual.question == question.id));
    let Some(usual) = usual else { return html! {} };
    let (said, n_answers) = (words.card(), usual.n_answers);
    html! {
        details.usual {
            summary { (said.usual(harmless(&usual.label), usual.n_picked, n_answers)) }
            p.dim { (said.usual_why(usual.n_same, n_answers)) " " (when::clock(words, usual.since, now)) ". "
                a href="/preferences" { (words.preferences()) } }
        }
    }
}

/// Above the form: the last answer, and the button that puts it on the sheet.
pub(super) fn asked_before(words: Page, recall: Option<&Recall>, ask: &Ask, now: Timestamp) -> Markup {
    let Some(last) = recall.and_then(|recall| recall.last.as_ref()) else { return html! {} };
    let told = last.entries.iter().filter_map(|(id, entry)| {
        let question = ask.questions.find(id).filter(|question| !question.secret)?;
        let picked = question.choices.iter().filter(|choice| entry.picked.contains(&choice.id));
        let picked = picked.map(|choice| words.choice(question, choice).to_string());
        Some(picked.chain(entry.text.clone()).collect::<Vec<_>>().join(", "))
    });
    let told: Vec<String> = told.filter(|told| !told.is_empty()).collect();
    html! {
        form.before method="post" action=(format!("/asks/{}/again", ask.id)) {
            p { (words.card().asked_before()) " · " a href=(format!("/asks/{}", last.ask)) { (when::clock(words, last.at, now)) }
                ": " b { (lines(&told.join(" · "))) } }
            button #again.plain { (words.card().use_again()) " " kbd aria-hidden="true" { "r" } }
        }
    }
}
