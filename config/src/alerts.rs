//! The section `alerts:`: rules by name, and where to tell of them (D17).

use std::time::Duration;

use askuser_words::config::Wrong;

use super::nearest::did_you_mean;
use super::said::{Fault, kind};
use super::value::{Given, Value};
use crate::yaml::{Kind, Node};

/// What a rule may look at.
pub const METRICS: [&str; 6] = [
    "question_response_time",
    "session_duration",
    "concurrent_questions",
    "error_rates",
    "operation_time",
    "browser_time",
];
/// Rules, at most.
const RULES_MAX: usize = 100;
/// The longest window that figures are kept for.
const WINDOW_MAX: Duration = Duration::from_hours(24);

/// The sample of the section: the two rules that are there unless they are set to null.
pub(super) const SAMPLE: &str = "\
alerts:
  webhook: http://127.0.0.1:9000/askuser
  rules:
    high_error_rate: {metric: error_rates, figure: average, threshold: 0.05, clear: 0.04, window: 300, at_least: 10, action: notify_admin}
    slow_response_time: {metric: operation_time, figure: p95, threshold: 1000, clear: 800, window: 60, at_least: 10, action: scale_up}";

/// What is watched for, and who is told.
#[derive(Debug, Clone, PartialEq)]
pub struct Alerts {
    /// Where it is told, besides the log and the page.
    pub webhook: Option<String>,
    /// The rules, by name.
    pub rules: Vec<AlertRule>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AlertRule {
    pub name: String,
    /// What it looks at.
    pub metric: String,
    /// Which figure of it.
    pub figure: Figure,
    /// It fires when the figure is above this, in the metric's unit.
    pub threshold: f64,
    /// It clears when the figure is no more than this.
    pub clear: f64,
    /// Over how long.
    pub window: Duration,
    /// Fewer values than this prove nothing.
    pub at_least: u64,
    /// What whoever is told should do, in their own words.
    pub action: Option<String>,
}

/// A figure over a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    Average,
    /// What nineteen of twenty do not exceed.
    P95,
    Min,
    Max,
    Count,
}

impl Figure {
    const ALL: [(&str, Self); 5] = [
        ("average", Self::Average),
        ("p95", Self::P95),
        ("min", Self::Min),
        ("max", Self::Max),
        ("count", Self::Count),
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, figure)| *figure == self).map_or("average", |(name, _)| name)
    }
}

impl Default for Alerts {
    /// Two rules that everybody has.
    fn default() -> Self {
        let rule = |name: &str, metric: &str, figure, threshold: f64, secs, action: &str| AlertRule {
            name: name.to_owned(),
            metric: metric.to_owned(),
            figure,
            threshold,
            clear: threshold / 1.25,
            window: Duration::from_secs(secs),
            at_least: 10,
            action: Some(action.to_owned()),
        };
        let rules = vec![
            rule("high_error_rate", "error_rates", Figure::Average, 0.05, 300, "notify_admin"),
            rule("slow_response_time", "operation_time", Figure::P95, 1000.0, 60, "scale_up"),
        ];
        Self { webhook: None, rules }
    }
}

impl Alerts {
    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }
}

/// Reads the section. A rule with the name of a default one takes its place, and null turns it off.
pub(super) fn read(node: &Node, faults: &mut Vec<Fault>) -> Alerts {
    let mut alerts = Alerts::default();
    only(node, "alerts", &["webhook", "rules"], faults);
    if let Some(webhook) = node.get("webhook") {
        match webhook.text() {
            Some(url) if is_url(url) => alerts.webhook = Some(url.to_owned()),
            _ if webhook.kind == Kind::Null => {}
            _ => faults.push(Fault::new(webhook.at, |say| {
                let wanted = say.local_only("http://", say.relay());
                let given =
                    webhook.text().map_or_else(|| kind(webhook, say).to_owned(), |url| say.quoted(url));
                say.of("alerts.webhook", say.is_not(given, wanted))
            })),
        }
    }
    let rules = node.get("rules");
    if let Some(rules) = rules.filter(|rules| !matches!(rules.kind, Kind::Table(_) | Kind::Null)) {
        faults.push(Fault::no_table(rules, "alerts.rules"));
    }
    for (name, value) in rules.map(Node::entries).unwrap_or_default() {
        let name = name.text().unwrap_or_default();
        alerts.rules.retain(|rule| rule.name != name);
        if value.kind != Kind::Null {
            alerts.rules.extend(rule(name, value, faults));
        }
    }
    if alerts.rules.len() > RULES_MAX {
        let n_rules = alerts.rules.len();
        faults.push(Fault::new(node.at, |say| say.of("alerts", say.too_many(n_rules, RULES_MAX))));
    }
    alerts
}

fn rule(name: &str, node: &Node, faults: &mut Vec<Fault>) -> Option<AlertRule> {
    let keys = ["metric", "figure", "threshold", "clear", "window", "at_least", "action"];
    let n_faults = faults.len();
    only(node, &format!("alerts.rules.{name}"), &keys, faults);
    // What a rule with the name of a default one does not say is as there.
    let usual = Alerts::default().rules.into_iter().find(|rule| rule.name == name);
    let metric = match (&usual, node.get("metric")) {
        (Some(usual), None) => Some(usual.metric.clone()),
        _ => one_of(node, "metric", METRICS, faults),
    };
    let figure = match node.get("figure") {
        None => Some(usual.map_or(Figure::Average, |usual| usual.figure).name().to_owned()),
        Some(_) => one_of(node, "figure", Figure::ALL.map(|(name, _)| name), faults),
    };
    // Whoever wrote `above` has been told what to write instead.
    let is_told = node.get("above").is_some();
    let threshold = if is_told { None } else { number(node, "threshold", faults) };
    let clear = match node.get("clear") {
        None => threshold.map(|threshold| threshold / 1.25),
        Some(_) => number(node, "clear", faults),
    };
    let window = given(node, "window", Duration::from_mins(5), faults);
    let at_least = given(node, "at_least", 10, faults);
    let action = given(node, "action", None, faults);
    let mut complain = |key: &str, what: &dyn Fn(Wrong) -> String| {
        let at = node.get(key).map_or(node.at, |value| value.at);
        faults.push(Fault::new(at, |say| say.of(format!("alerts.rules.{name}.{key}"), what(say))));
    };
    if let (Some(threshold), Some(clear)) = (threshold, clear)
        && clear > threshold
    {
        complain("clear", &|say| say.clear_above(clear));
    }
    if window.is_zero() || window > WINDOW_MAX {
        complain("window", &|say| say.window(window.as_secs(), WINDOW_MAX.as_secs()));
    }
    if faults.len() > n_faults {
        return None;
    }
    let figure = Figure::ALL.into_iter().find(|(name, _)| figure.as_deref() == Some(name))?.1;
    let name = name.to_owned();
    Some(AlertRule {
        name,
        metric: metric?,
        figure,
        threshold: threshold?,
        clear: clear?,
        window,
        at_least,
        action,
    })
}

fn given<V: Value>(node: &Node, key: &str, usual: V, faults: &mut Vec<Fault>) -> V {
    let Some(value) = node.get(key) else { return usual };
    match V::read(&Given::Yaml(value)) {
        Ok(value) => value,
        Err(what) => {
            let what = what.within(|say, what| say.of(key, what));
            faults.push(Fault { at: value.at, what });
            usual
        }
    }
}

fn number(node: &Node, key: &str, faults: &mut Vec<Fault>) -> Option<f64> {
    let value = node.get(key);
    let number =
        value.and_then(|value| if let Kind::Number(number) = &value.kind { number.as_f64() } else { None });
    if number.is_none() {
        let at = value.map_or(node.at, |value| value.at);
        faults.push(Fault::new(at, |say| say.no_number(key)));
    }
    number
}

fn one_of<const N: usize>(
    node: &Node,
    key: &str,
    known: [&str; N],
    faults: &mut Vec<Fault>,
) -> Option<String> {
    let value = node.get(key);
    let text = value.and_then(Node::text).unwrap_or_default();
    if known.contains(&text) {
        return Some(text.to_owned());
    }
    let at = value.map_or(node.at, |value| value.at);
    faults.push(Fault::new(at, |say| say.unknown(key, did_you_mean(text, known, say))));
    None
}

fn only(node: &Node, of: &str, known: &[&str], faults: &mut Vec<Fault>) {
    if !matches!(node.kind, Kind::Table(_) | Kind::Null) {
        faults.push(Fault::no_table(node, of));
    }
    for (name, _) in node.entries() {
        let given = name.text().unwrap_or_default();
        if !known.contains(&given) {
            let meant = |say: Wrong| match given {
                "above" if known.contains(&"threshold") => say.write("threshold"),
                _ => did_you_mean(given, known.iter().copied(), say),
            };
            faults.push(Fault::new(name.at, |say| say.no_key_in(of, given, meant(say))));
        }
    }
}

fn is_url(url: &str) -> bool {
    let host = url.strip_prefix("http://").and_then(|rest| rest.split(['/', '?']).next());
    host.is_some_and(|host| !host.is_empty() && !host.contains(['@', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    fn read_text(text: &str) -> (Alerts, Vec<String>) {
        let node = yaml::parse(text).unwrap();
        let mut faults = Vec::new();
        let alerts = read(node.get("alerts").unwrap(), &mut faults);
        (alerts, faults.iter().map(|fault| fault.said().to_string()).collect())
    }

    /// D17: the sample says the defaults, and a rule of one's own stands beside them.
    #[test]
    fn d17_the_two_rules_of_the_source_are_there_and_more_can_be() {
        let (alerts, faults) = read_text(SAMPLE);
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(alerts.rules, Alerts::default().rules);
        let (alerts, faults) = read_text(
            "alerts:\n  rules:\n    high_error_rate: null\n    queue: {metric: concurrent_questions, figure: max, threshold: 50}\n",
        );
        assert!(faults.is_empty(), "{faults:?}");
        let names: Vec<&str> = alerts.rules.iter().map(|rule| rule.name.as_str()).collect();
        assert_eq!(names, ["slow_response_time", "queue"]);
        assert!((alerts.rules[1].clear - 40.0).abs() < 1e-9);
    }

    /// D17: the default rules may be written in brief, the rest is as their names say; the word that
    /// once stood in place of `threshold` is refused with the right one.
    #[test]
    fn d17_the_rules_of_the_source_can_be_pasted() {
        let pasted = "alerts: {rules: {'high_error_rate': {'threshold': 0.05, 'window': 300, 'action': 'notify_admin'}, \
            'slow_response_time': {'threshold': 1000, 'window': 60, 'action': 'scale_up'}}}";
        let (alerts, faults) = read_text(pasted);
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(alerts.rules, Alerts::default().rules);
        let (_, faults) = read_text("alerts: {rules: {slow_response_time: {above: 1}}}");
        assert_eq!(
            faults.join("\n"),
            "line 1, column 39: `alerts.rules.slow_response_time` has no key `above`: write `threshold`"
        );
    }

    #[test]
    fn what_is_wrong_with_a_rule_is_told_with_its_place() {
        let (_, faults) = read_text(
            "alerts:\n  webhook: https://x\n  rules:\n    a: {metric: error_rate, threshold: many, windw: 3}\n    b: {metric: error_rates, threshold: 1, clear: 2, window: 0}\n",
        );
        assert_eq!(
            faults,
            [
                "line 2, column 12: `alerts.webhook` is `https://x`, not an address that begins with http://; for https://, put a relay on this machine",
                "line 4, column 46: `alerts.rules.a` has no key `windw`: did you mean `window`?",
                "line 4, column 17: unknown `metric`: did you mean `error_rates`?",
                "line 4, column 40: `threshold` must be a number",
                "line 5, column 51: `alerts.rules.b.clear` is 2, above `threshold`: the alert would clear while it fires",
                "line 5, column 62: `alerts.rules.b.window` is 0 seconds, not 1 to 86400",
            ]
        );
    }
}
