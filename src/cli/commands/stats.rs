//! `askuser stats`: what your asks say together, as small pictures of text.

use std::time::Duration;

use askuser_words::commands::{Stats, Titles};
use serde_json::{Value, json};

use crate::cli::args::{Form, Insists};
use crate::cli::ask_text::unnamed;
use crate::cli::fields::field;
use askuser_api::rules::{MinutesEast, ShowInsight, Zone};
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::report::Report;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;
use askuser_terminal::wrap::wrap;
use askuser_wire::time;

/// Show questions per day, response times and outcomes
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser stats")]
pub struct StatsArgs {
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// Columns of the longest bar; a third of a narrow terminal at most.
const BAR: usize = 30;

/// `askuser stats`
pub fn run(args: &StatsArgs, environment: &Environment) -> Result<Exit, Report> {
    let StatsArgs { form, insists } = *args;
    let screen = Screen::of(environment);
    block_on(async {
        let told = match connect::reader(environment, insists).await? {
            Some(client) => {
                let zone = Zone { minutes_east: MinutesEast::new(screen.times.minutes_east()) };
                client.call::<ShowInsight>(KeyRole::Person).query(&zone).told().await?
            }
            None => json!({}),
        };
        if form.json { done(&told.to_string()) } else { screen.print(&words(&told, &screen)) }
    })
}

fn words(told: &Value, screen: &Screen) -> String {
    let outcomes = told.get("outcomes").cloned().unwrap_or_default();
    if count(&outcomes, "all") == 0 {
        return Stats(screen.language).nothing().to_owned();
    }
    let said = Stats(screen.language);
    let mut parts = vec![summary(told, &outcomes, screen)];
    let busy = list(told, "days").iter().filter(|day| count(day, "all") > 0).cloned().collect::<Vec<_>>();
    let title = said.per_day();
    parts.push(section(title, &busy, screen, |day| (field(day, "day"), count(day, "all"))));
    let length = |ms: u64| screen.language.length(Duration::from_millis(ms));
    let time = |name: &str| told.get(name).and_then(Value::as_u64).map(length).unwrap_or_default();
    let (half, most) = (time("median_ms"), time("p90_ms"));
    let title = said.times(half, most);
    parts.push(section(&title, &list(told, "response_times"), screen, |part| {
        let upto = part.get("upto_ms").and_then(Value::as_u64).map(length);
        let name = upto.map_or_else(|| said.longer().to_owned(), |upto| said.up_to(upto));
        (name, count(part, "count"))
    }));
    parts.push(by(told, "agents", "agent", Column::new(Titles::agent), screen));
    if !list(told, "sources").is_empty() {
        parts.push(by(told, "sources", "source", Column::new(Titles::source), screen));
    }
    for (name, title) in [("most_asked", said.most_asked()), ("most_cancelled", said.most_declined())] {
        parts.push(section(title, &list(told, name), screen, |it| {
            (field(it, "question"), count(it, "count"))
        }));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

fn summary(told: &Value, outcomes: &Value, screen: &Screen) -> String {
    let since = time::read(&field(told, "since")).map(|at| screen.times.day(at)).unwrap_or_default();
    let [all, you, rule, declined, withdrawn, late] =
        ["all", "answered", "by_itself", "cancelled", "withdrawn", "timed_out"]
            .map(|name| count(outcomes, name));
    let said = Stats(screen.language);
    let text = said.asked(all, since) + &said.counted(you, rule, declined, withdrawn, late);
    wrap(&text, screen.columns().unwrap_or(usize::MAX)).join("\n")
}

/// A table of how asks ended, by this.
fn by(told: &Value, those: &str, name: &str, title: Column, screen: &Screen) -> String {
    let names = ["all", "answered", "by_itself", "cancelled", "withdrawn", "timed_out"];
    let columns = [
        title.cut(8),
        Column::new(Titles::questions).right(),
        Column::new(Titles::you).right(),
        Column::new(Titles::rule).right().minor(1),
        Column::new(Titles::declined).right().minor(2),
        Column::new(Titles::withdrawn).right().minor(4),
        Column::new(Titles::timed_out).right().minor(3),
    ];
    let row = |one: &Value| {
        let name = one.get(name).and_then(Value::as_str).unwrap_or_else(|| unnamed(screen.language));
        let counts = names.map(|column| Cell::from(count(one, column).to_string()));
        std::iter::once(Cell::from(name)).chain(counts).collect()
    };
    table(screen, &columns, list(told, those).iter().map(row).collect())
}

/// A heading and a bar a line; nothing where there is nothing.
fn section(title: &str, items: &[Value], screen: &Screen, read: impl Fn(&Value) -> (String, u64)) -> String {
    let items: Vec<(String, u64)> = items.iter().map(read).collect();
    let Some(most) = items.iter().map(|(_, n)| *n).max().filter(|most| *most > 0) else {
        return String::new();
    };
    let bar = screen.columns().map_or(BAR, |columns| BAR.min(columns / 3)) as u64;
    let row = |(name, n): &(String, u64)| {
        let columns = usize::try_from((n * bar).div_ceil(most)).unwrap_or(0);
        vec![name.clone().into(), n.to_string().into(), Cell::new(Role::Id, "█".repeat(columns))]
    };
    let columns = [Column::new(|_| "").cut(8), Column::new(|_| "").right(), Column::new(|_| "")];
    let rows = table(screen, &columns, items.iter().map(row).collect());
    let title = wrap(title, screen.columns().unwrap_or(usize::MAX)).join("\n");
    format!("{}\n{rows}", screen.paint.text(Role::Strong, &title))
}

fn list(told: &Value, name: &str) -> Vec<Value> {
    told.get(name).and_then(Value::as_array).cloned().unwrap_or_default()
}

fn count(told: &Value, name: &str) -> u64 {
    told.get(name).and_then(Value::as_u64).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use askuser_core::time::Timestamp;
    use askuser_words::Language;

    use super::*;

    #[test]
    fn d19_figures_are_bars_and_words() {
        let told = json!({
            "since": "2026-01-01T00:00:00.000Z",
            "outcomes": {"all": 4, "answered": 3, "cancelled": 1},
            "days": [{"day": "2026-01-01", "all": 0}, {"day": "2026-01-02", "all": 4}],
            "response_times": [{"upto_ms": 5000, "count": 1}, {"upto_ms": null, "count": 3}],
            "median_ms": 90_000, "p90_ms": 7_200_000,
            "agents": [{"agent": null, "all": 4}],
            "most_asked": [{"question": "Ship it?", "count": 3}],
        });
        let words = |columns, language| words(&told, &Screen::made(columns, language, Timestamp(0)));
        let text = words(0, Language::English);
        for part in [
            "4 questions since",
            "half within 1 min, nine in ten within 2 h",
            "2026-01-02",
            "unnamed agent",
            "Ship it?",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("2026-01-01  ") && !text.contains("Declined most often"), "{text}");
        assert_eq!(text.lines().filter(|line| line.contains(&"█".repeat(30))).count(), 3, "{text}");
        let drawn = [120, 80, 60, 40].into_iter().flat_map(|columns| {
            [Language::English, Language::Chinese].map(|language| words(columns, language))
        });
        insta::assert_snapshot!(drawn.collect::<Vec<_>>().join("\n\n----\n\n"));
    }

    #[test]
    fn nothing_and_one_are_told_in_words() {
        let screen = Screen::made(0, Language::English, Timestamp(0));
        let one = words(&json!({"since": "2026-01-01T00:00:00.000Z", "outcomes": {"all": 1}}), &screen);
        assert!(one.starts_with("1 question since Jan 1, 2026"), "{one}");
        assert_eq!(words(&json!({}), &screen), "No question has ended yet.");
    }
}
