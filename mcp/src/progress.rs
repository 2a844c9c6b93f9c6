//! What the agent's own screen shows while a question waits: what is asked, and how to answer it. Commands only:
//! an address would tell whoever reads the screen, or its recording, where the page is.

use std::time::Duration;

use askuser_core::question::Kind;
use askuser_core::text::shown;

use super::snapshot::AskSnapshot;

/// How to answer.
const HOW: &str = "answer with `askuser inbox` or `askuser open`";
/// One line of a terminal holds so much of a question, and of what may be chosen.
const ASKED_CHARS_MAX: usize = 120;
const CHOICES_CHARS_MAX: usize = 80;

/// What a waiting call says every few seconds.
pub(super) fn waiting(snapshot: &AskSnapshot, waited: Duration) -> String {
    let seconds = waited.as_secs();
    let long = match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds}s"),
        (0, minutes, seconds) => format!("{minutes}m {seconds}s"),
        (hours, minutes, _) => format!("{hours}h {minutes}m"),
    };
    format!("Waiting for an answer for {long}: {} · {HOW}", asked(snapshot))
}

/// What a task says for as long as it is at work.
pub(super) fn status(snapshot: &AskSnapshot) -> String {
    let choices = choices(snapshot).map(|choices| format!(" ({choices})")).unwrap_or_default();
    format!("Waiting for an answer: {}{choices} · {HOW}", asked(snapshot))
}

/// The first question with its header, and how many there are besides.
fn asked(snapshot: &AskSnapshot) -> String {
    let questions = snapshot.questions.top();
    let header = questions.first().and_then(|first| first.header.as_deref());
    let header = header.filter(|header| !header.trim().is_empty());
    let text = snapshot.questions.headline(snapshot.context.as_deref());
    let asked = header.map_or_else(|| text.clone(), |header| format!("{header}: {text}"));
    let n_more = questions.len().saturating_sub(1);
    let more = if n_more > 0 { format!(" (+{n_more} more)") } else { String::new() };
    format!("{}{more}", short(&asked, ASKED_CHARS_MAX))
}

/// What may be chosen, where there is one question; the card shows the rest.
fn choices(snapshot: &AskSnapshot) -> Option<String> {
    let [only] = snapshot.questions.top() else { return None };
    if only.kind == Kind::Text {
        return Some("in your own words".to_owned());
    }
    let labels: Vec<&str> = only.choices.iter().map(|choice| choice.label.as_str()).collect();
    Some(short(&labels.join(" / "), CHOICES_CHARS_MAX))
}

/// The text on one line that is no longer than this.
fn short(text: &str, chars_max: usize) -> String {
    let text = shown(text).split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= chars_max {
        return text;
    }
    let cut: String = text.chars().take(chars_max.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use askuser_core::asker::Purpose;
    use askuser_core::id::AskId;
    use askuser_wire::{self as wire, Dialect};
    use serde_json::{Value, json};
    use std::sync::Arc;

    fn snapshot(questions: &Value) -> AskSnapshot {
        let ask = json!({ "questions": questions });
        AskSnapshot {
            id: AskId(1),
            session: None,
            questions: Arc::new(wire::read(Dialect::Full, &ask).check().unwrap().0),
            context: None,
            purpose: Purpose::Decision,
            for_people: false,
            created_at: String::new(),
            outcome: None,
        }
    }

    fn deploy() -> AskSnapshot {
        let options = json!([{"label": "Staging"}, {"label": "Production"}]);
        snapshot(
            &json!([{"question": "Deploy to which environment?", "header": "Deploy", "options": options}]),
        )
    }

    #[test]
    fn progress_says_what_is_asked_how_long_it_waits_and_how_to_answer() {
        let said = |seconds| waiting(&deploy(), Duration::from_secs(seconds));
        assert_eq!(
            said(10),
            "Waiting for an answer for 10s: Deploy: Deploy to which environment? · answer with `askuser inbox` or `askuser open`"
        );
        assert!(said(200).contains(" 3m 20s: "));
        assert!(said(3 * 3600 + 300).contains(" 3h 5m: "));
    }

    #[test]
    fn a_task_says_what_may_be_chosen() {
        assert_eq!(
            status(&deploy()),
            "Waiting for an answer: Deploy: Deploy to which environment? (Staging / Production) · answer with `askuser inbox` or `askuser open`"
        );
        let open =
            snapshot(&json!([{"question": "What is the project called?", "type": "text", "other": true}]));
        assert!(status(&open).contains("What is the project called? (in your own words) · "));
        let two = json!({"question": "What is the project called?", "type": "text"});
        let both = status(&snapshot(&json!([two, two])));
        assert!(both.contains("called? (+1 more) · answer") && !both.contains("own words"), "{both}");
    }

    /// It goes onto a screen that is not ours, on one line of it.
    #[test]
    fn what_is_long_is_cut_and_what_acts_is_shown() {
        let options: Vec<Value> = (0..30).map(|n| json!({"label": format!("Choice number {n}")})).collect();
        let text = format!("Really\n\u{1b}[2J{}?", "so ".repeat(200));
        let said = status(&snapshot(&json!([{"question": text, "options": options}])));
        assert!(said.chars().count() < 320 && !said.contains(['\n', '\u{1b}']), "{said}");
        assert!(said.ends_with("…) · answer with `askuser inbox` or `askuser open`"), "{said}");
    }
}
