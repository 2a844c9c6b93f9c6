//! What the person's asks say together (D19): figures with small charts, drawn here as SVG. Each chart
//! says in words what it shows, and its figures stand in a table below it.

use std::time::Duration;

use askuser_core::insight::{BOUNDS, Insight, Tally};
use askuser_core::text::shown as harmless;
use maud::{Markup, html};

use super::failing::Shown;
use super::layout::{Frame, page};
use super::visit::Visit;
use super::when;
use askuser_wire::time;
use askuser_words::page::Page;

/// The drawing's own units: it is as wide as the page lets it.
const WIDTH: usize = 600;
const HEIGHT: usize = 120;
const GAP: usize = 2;
/// Lying bars have words beside them, which are to be read on a phone as well.
const LYING: usize = 360;
const BESIDE: usize = 130;
const LINE: usize = 22;

/// `GET /insight`
pub(super) async fn show(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let insight = visit.desk().insight(&person, 0, |_| None).await?;
    let (words, now) = (visit.words(), visit.desk().now());
    let body = html! {
        section.plain.insight {
            h1 { (words.stats().title()) }
            @if let Some(since) = insight.since {
                p.dim { (words.stats().why()) " " (when::clock(words, since, now)) }
                (totals(words, insight.all))
                (days(words, &insight))
                (times(words, &insight))
                (agents(words, &insight))
                (most(words, words.stats().most_asked(), &insight.most_asked))
                (most(words, words.stats().most_declined(), &insight.most_cancelled))
            } @else {
                p { (words.stats().none()) }
            }
        }
    };
    Ok(page(visit, &Frame::plain("insight", words.stats().title()), &body))
}

fn totals(words: Page, all: Tally) -> Markup {
    let parts = [
        (words.ended().answered(), all.answered),
        (words.stats().by_itself(), all.by_itself),
        (words.ended().declined(), all.cancelled),
        (words.ended().withdrawn(), all.withdrawn),
        (words.ended().timed_out(), all.timed_out),
    ];
    html! {
        dl.totals { @for (label, n) in parts { div { dt { (label) } dd { (n) } } } }
    }
}

/// Standing bars, one a day: all of a day, and of them what the person answered.
fn days(words: Page, insight: &Insight) -> Markup {
    let n_days = insight.days.len().max(1);
    let highest = insight.days.iter().map(|(_, tally)| tally.all()).max().unwrap_or(0).max(1);
    let wide = WIDTH / n_days;
    let day = |at| time::write(at).get(..10).unwrap_or_default().to_owned();
    let total: usize = insight.days.iter().map(|(_, tally)| tally.all()).sum();
    let said = words.stats().chart_days(total, n_days, highest);
    let rows = insight.days.iter().filter(|(_, tally)| tally.all() > 0);
    let rows = rows.map(|(at, tally)| (day(*at), tally.all())).collect::<Vec<_>>();
    let drawn = html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(said) preserveAspectRatio="none" {
            @for (place, (_, tally)) in insight.days.iter().enumerate() {
                (bar("all", place * wide, tally.all() * HEIGHT / highest, wide))
                (bar("own", place * wide, tally.answered * HEIGHT / highest, wide))
            }
        }
    };
    figure(words, words.stats().by_day(), &said, &drawn, &rows)
}

fn bar(class: &str, x: usize, height: usize, wide: usize) -> Markup {
    html! {
        @if height > 0 {
            rect class=(class) x=(x) y=(HEIGHT - height) width=(wide.saturating_sub(GAP).max(1)) height=(height) {}
        }
    }
}

fn times(words: Page, insight: &Insight) -> Markup {
    let Some((median, p90)) = insight.median.zip(insight.p90) else { return html! {} };
    let said = words.stats().chart_times(when::took(words, median), when::took(words, p90));
    let bound = |bound: &Duration| words.stats().up_to(when::took(words, *bound));
    let labels = BOUNDS.iter().map(bound).chain([words.stats().longer().to_owned()]);
    let rows: Vec<(String, usize)> = labels.zip(insight.took).collect();
    figure(words, words.stats().response_times(), &said, &lying(&said, &rows), &rows)
}

fn agents(words: Page, insight: &Insight) -> Markup {
    let name = |agent: &Option<String>| agent.clone().unwrap_or_else(|| words.0.unnamed_agent().to_owned());
    let rows: Vec<(String, usize)> =
        insight.agents.iter().map(|(agent, tally)| (name(agent), tally.all())).collect();
    let said = words.stats().chart_agents(rows.len());
    figure(words, words.stats().each_agent(), &said, &lying(&said, &rows), &rows)
}

fn most(words: Page, title: &str, list: &[(String, usize)]) -> Markup {
    html! {
        @if !list.is_empty() {
            section {
                h2 { (title) }
                ol { @for (question, n) in list { li { span { (harmless(question)) } " " span.chip { (words.stats().times(n)) } } } }
            }
        }
    }
}

/// Lying bars with their words beside them.
fn lying(said: &str, rows: &[(String, usize)]) -> Markup {
    let highest = rows.iter().map(|(_, n)| *n).max().unwrap_or(0).max(1);
    let room = LYING - BESIDE - 40;
    html! {
        svg viewBox=(format!("0 0 {LYING} {}", rows.len() * LINE)) role="img" aria-label=(said) {
            @for (place, (label, n)) in rows.iter().enumerate() {
                text x=(BESIDE - 8) y=(place * LINE + 15) text-anchor="end" { (harmless(&cut(label))) }
                @if *n > 0 {
                    rect.own x=(BESIDE) y=(place * LINE + 4) width=((n * room / highest).max(2)) height=(LINE - 8) {}
                }
                text x=(BESIDE + n * room / highest + 8) y=(place * LINE + 15) { (n) }
            }
        }
    }
}

/// Names that fit beside a bar.
fn cut(label: &str) -> String {
    const CHARS_MAX: usize = 18;
    if label.chars().count() <= CHARS_MAX {
        return label.to_owned();
    }
    label.chars().take(CHARS_MAX - 1).chain(['…']).collect()
}

fn figure(words: Page, title: &str, said: &str, drawn: &Markup, rows: &[(String, usize)]) -> Markup {
    html! {
        figure.chart {
            figcaption { h2 { (title) } p.dim { (said) } }
            (drawn)
            details {
                summary { (words.stats().as_table()) }
                table { tbody { @for (label, n) in rows { tr { th scope="row" { (harmless(label)) } td { (n) } } } } }
            }
        }
    }
}
