//! One ask as lines: all of it before it is answered, and afterwards what was answered to it.

use std::fmt::Write;
use std::sync::Arc;

use askuser_core::entry::Entry;
use askuser_core::id::QuestionId;
use askuser_core::key::Keyed;
use askuser_core::outcome::Ending;
use askuser_core::question::{Kind, PreviewFormat, Question};
use askuser_core::sheet::Sheet;
use askuser_core::text::shown;
use askuser_core::time::Timestamp;
use askuser_words::Language;
use askuser_words::deadline::Then;
use askuser_words::prompt::Printed;
use askuser_words::time::Times;

use super::args::Form;
use askuser_ask::ended;
use askuser_ask::output::paint::Role;
use askuser_ask::output::wrapped;
use askuser_client::seen::SeenAsk;
use askuser_system::clock;
use askuser_terminal::{Look, deadline, markdown, summary};
use askuser_wire::permission;

/// Columns of Markdown where it is not printed on a terminal.
const COLUMNS: usize = 100;

/// What a page is printed on: its columns, and its colours where it has any.
pub type Paper = (Option<usize>, Option<Look>);

/// A page while it is written.
struct Page {
    text: String,
    /// The columns of the terminal; none where lines are not broken.
    room: Option<usize>,
    columns: usize,
    language: Language,
    look: Option<Look>,
}

impl Page {
    /// Adds words, harmless.
    fn line(&mut self, words: impl AsRef<str>) {
        // Writing to a string does not fail.
        let _written = writeln!(self.text, "{}", wrapped(&shown(words.as_ref()), self.room));
    }

    /// Adds Markdown, drawn, every line behind an indent.
    fn markdown(&mut self, indent: &str, text: &str) {
        let columns = self.columns.saturating_sub(indent.len());
        for row in markdown::printed(text.trim_matches('\n'), columns, self.look).lines() {
            let _written = writeln!(self.text, "{indent}{row}");
        }
    }
}

/// Returns an ask with everything that has to be read before it is answered.
pub fn in_full(seen: &SeenAsk, language: Language, (columns, look): Paper) -> String {
    let mut page =
        Page { text: String::new(), room: columns, columns: columns.unwrap_or(COLUMNS), language, look };
    let mut line = |words: String| page.line(words);
    let times = Times::local(clock::now(), language);
    line(format!("{} · {}", seen.id, status(seen, language).0));
    let folder = seen.asker.folder.as_ref().map(|folder| format!(" · {folder}")).unwrap_or_default();
    let (clock, ago) = (times.clock_of(&seen.created_at), times.relative_of(&seen.created_at));
    let asker = asker_or_unnamed(seen, language);
    let said = Printed(language);
    line(format!("{}\n{}", said.asked_by(format!("{asker}{folder}")), said.asked_at(clock, ago)));
    if let Some(deadline) = seen.deadline.filter(|_| seen.is_open()) {
        line(language.answer_by(&times.clock(deadline), &then(seen, language)));
    }
    if let Some(held) = seen.held.first() {
        line(ended::being_answered(held, language));
    }
    if let Some(progress) = seen.progress.as_ref().filter(|_| seen.is_open()) {
        line(progress.line(language));
    }
    if let Some(left) = ended::left(seen, language) {
        line(left.to_owned());
    }
    if let Some(context) = &seen.context {
        page.line("");
        page.markdown("", context);
    }
    if let Some(permission) = permission::of(&seen.content()) {
        permission_lines(seen, &permission, &mut page);
    } else {
        let keyed = seen.questions.keyed();
        seen.questions.top().iter().for_each(|question| question_lines(question, &keyed, 0, &mut page));
    }
    if !seen.is_open() {
        page.line(format!("\n{}", ended::line(seen, language)));
    }
    page.text
}

/// What would run stands by itself, as it is, with its folder.
fn permission_lines(seen: &SeenAsk, permission: &permission::Permission, page: &mut Page) {
    let below = |text: &str| text.split('\n').map(|row| format!("    {row}")).collect::<Vec<_>>().join("\n");
    let keyed = seen.questions.keyed();
    for question in seen.questions.top() {
        asked_line(question, &keyed, "", page);
        page.line(below(&permission.command));
        if let Some(folder) = &permission.folder {
            page.line(format!("  {}", Printed(page.language).folder(folder)));
        }
        permission.rest.iter().for_each(|rest| page.line(below(rest)));
        choice_lines(question, &keyed, 0, page);
    }
}

fn question_lines(question: &Question, keyed: &Keyed<'_>, depth: usize, page: &mut Page) {
    let indent = "  ".repeat(depth);
    asked_line(question, keyed, &indent, page);
    if let Some(description) = &question.description {
        page.line(format!("{indent}  {}", description.replace('\n', &format!("\n{indent}  "))));
    }
    choice_lines(question, keyed, depth, page);
}

/// The question behind its key, which is what an answer by flags calls it; an only one needs none.
fn asked_line(question: &Question, keyed: &Keyed<'_>, indent: &str, page: &mut Page) {
    let language = page.language;
    page.line("");
    let header = question.header.as_deref();
    let key = keyed.key_of(question).filter(|key| keyed.iter().count() > 1 || header == Some(key));
    if let Some(header) = header.filter(|header| key != Some(header)) {
        page.line(format!("{indent}{header}"));
    }
    let key = key.map_or_else(String::new, |key| format!("{key}{}", language.words().colon()));
    let asked = Printed(language).question(&question.text, language.manner(question));
    page.line(format!("{indent}{key}{asked}"));
}

fn choice_lines(question: &Question, keyed: &Keyed<'_>, depth: usize, page: &mut Page) {
    let indent = "  ".repeat(depth);
    for (place, choice) in question.choices.iter().enumerate() {
        let about = choice.description.as_ref().map_or(String::new(), |about| format!(": {about}"));
        // Yes and No are our words, unless the asker wrote others.
        let label = match (question.kind, choice.label.as_str()) {
            (Kind::YesNo, "Yes") => page.language.words().yes(),
            (Kind::YesNo, "No") => page.language.words().no(),
            (_, label) => label,
        };
        // The asker's own name for it is another way to pick it.
        let name = question.choice_name(&choice.id).filter(|name| !name.eq_ignore_ascii_case(&choice.label));
        let name = name.map_or_else(String::new, |name| format!(" [{name}]"));
        page.line(format!("{indent}  {} {label}{name}{about}", place + 1));
        if let Some(preview) = &choice.preview {
            let indent = format!("{indent}      ");
            match preview.format {
                PreviewFormat::Markdown => page.markdown(&indent, &preview.text),
                PreviewFormat::Html => {
                    page.line(format!("{indent}{}", preview.text.replace('\n', &format!("\n{indent}"))));
                }
            }
        }
        if let Some(running) = &choice.running {
            page.line(format!("{indent}      → {running}"));
        }
        for follow_up in &choice.follow_ups {
            question_lines(follow_up, keyed, depth + 2, page);
        }
    }
}

/// Says how long there is left and what happens then, in few words; none where there is no deadline.
pub fn deadline_row(seen: &SeenAsk, now: Timestamp, language: Language) -> Option<String> {
    let left = seen.deadline.filter(|_| seen.is_open())?.since(now);
    Some(language.deadline_row(left, &then(seen, language)))
}

fn then(seen: &SeenAsk, language: Language) -> Then {
    let then = seen.at_deadline.as_ref().map(|at| deadline::then(at, &seen.questions, language));
    then.unwrap_or(Then::Unanswered)
}

/// Returns what an ask is about, on one line of a terminal.
pub fn headline(seen: &SeenAsk) -> String {
    let mut line = seen.questions.headline(seen.context.as_deref());
    if let Some(permission) = permission::of(&seen.content()) {
        line = format!("{line} {}", permission.command);
    }
    shown(&line).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns which question was answered with what, a line each; a secret is not told.
pub fn said(seen: &SeenAsk, entries: Vec<(QuestionId, Entry)>, language: Language) -> Vec<String> {
    let Ok(sheet) = Sheet::filled(Arc::clone(&seen.questions), entries) else {
        return vec![headline(seen)];
    };
    let visible = sheet.visible();
    let answered = visible.iter().filter(|visible| summary::is_answered(&sheet, visible.question));
    let line = |question: &Question| {
        let is_first = seen.questions.top().first().is_some_and(|first| first.id == question.id);
        let asked = if is_first { headline(seen) } else { shown(&question.text).replace('\n', " ") };
        format!("{asked} → {}", summary::answer(&sheet, question, language.words()).replace('\n', " "))
    };
    answered.map(|visible| line(visible.question)).collect()
}

/// Says how an ask stands after a command, and which one it was.
pub fn closed(seen: &SeenAsk, form: Form, said: &[String], language: Language) -> String {
    if form.json {
        return seen.told.to_string();
    }
    let how = match seen.progress.as_ref().filter(|_| seen.is_open()) {
        // What this person said is counted; the ask goes on.
        Some(progress) => progress.line(language),
        None => capitalized(&status(seen, language).0),
    };
    let colon = language.words().colon();
    match said {
        [] => how,
        [only] => format!("{how}{colon}{only}"),
        several => format!("{how}{}\n  {}", colon.trim_end(), several.join("\n  ")),
    }
}

fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Who asks; an agent that did not say is told as such.
pub fn asker_or_unnamed(seen: &SeenAsk, language: Language) -> String {
    let agent = seen.asker.agent.as_deref().unwrap_or_else(|| unnamed(language));
    [Some(agent), seen.asker.project.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// What an agent is called that did not say its name.
pub fn unnamed(language: Language) -> &'static str {
    language.unnamed_agent()
}

/// Where an ask stands, in a word, and in which colour.
pub fn status(seen: &SeenAsk, language: Language) -> (String, Role) {
    let said = Printed(language);
    let (now, role) = match &seen.outcome {
        None if !seen.held.is_empty() => (said.being_answered(), Role::Id),
        None if seen.status == "pending" => (said.queued(), Role::Dim),
        None => (said.waiting(), Role::Warn),
        Some(outcome) => {
            let role = match outcome.ending {
                Ending::Answered(_) if outcome.is_disagreement() => Role::Warn,
                Ending::Answered(_) => Role::Good,
                Ending::Declined | Ending::Withdrawn => Role::Dim,
                Ending::Expired { .. } => Role::Bad,
            };
            return (language.ending(outcome).to_lowercase(), role);
        }
    };
    (now.to_owned(), role)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn seen(more: &Value) -> SeenAsk {
        let mut told = json!({
            "ask_id": "ask_01ARZ3NDEKTSV4RRFFQ69G5FAV", "status": "showing", "created_at": "2026-11-15T10:00:00.000Z",
            "asker": {"agent": "codex", "project": "shop", "folder": "/home/ann/shop"},
            "context": "Delete all 14 backups?", "questions": [
                {"question_id": "confirm", "header": "Database", "question": "Confirm", "description": "It cannot\nbe undone.",
                 "type": "multiple_choice", "options": [
                    {"id": "y", "label": "Yes", "description": "deletes them", "preview": "rm a\nrm b"},
                    {"id": "n", "label": "No"}]},
                {"question_id": "key", "question": "Key?", "type": "text", "secret": true, "options": []}],
        });
        for (key, value) in more.as_object().unwrap() {
            told[key] = value.clone();
        }
        SeenAsk::read(told).unwrap()
    }

    #[test]
    fn everything_is_there_before_it_is_answered() {
        let seen = seen(&json!({}));
        let text = in_full(&seen, Language::English, (None, None));
        for part in askuser_core::whole::parts(&seen.content()) {
            let lines = part.split('\n');
            assert!(lines.clone().all(|line| text.contains(line)), "{part:?} is not in {text}");
        }
    }

    #[test]
    fn what_was_answered_stands_beside_what_was_asked_and_no_secret() {
        let seen = seen(&json!({}));
        let entries = vec![
            ("confirm".into(), Entry { picked: vec!["y".into()], ..Entry::default() }),
            ("key".into(), Entry { text: Some("sk-1".into()), ..Entry::default() }),
        ];
        let said = said(&seen, entries, Language::English);
        assert_eq!(said, ["Delete all 14 backups? · Confirm → Yes", "Key? → ••••••"]);
        let closed = |said: &[String], language| closed(&seen, Form { json: false }, said, language);
        assert_eq!(closed(&said[..1], Language::English), "Waiting: Delete all 14 backups? · Confirm → Yes");
        assert_eq!(closed(&said[..1], Language::Chinese), "待回答：Delete all 14 backups? · Confirm → Yes");
        assert_eq!(
            closed(&said, Language::English),
            "Waiting:\n  Delete all 14 backups? · Confirm → Yes\n  Key? → ••••••"
        );
    }

    #[test]
    fn a_permission_shows_what_would_run_and_where() {
        let input = format!("{:#}", json!({"command": "rm -rf dist\u{1b}", "timeout": 5}));
        let seen = seen(&json!({"purpose": "permission", "context": null, "questions": [
            {"question_id": "p", "header": "Permission", "question": "Allow codex to use `Bash`?",
             "type": "boolean", "other": false, "description": input, "options": []}]}));
        let text = in_full(&seen, Language::English, (None, None));
        assert!(text.contains("\n    rm -rf dist␛\n  in /home/ann/shop\n"), "{text}");
        assert!(text.contains("\"timeout\": 5"), "{text}");
        assert_eq!(headline(&seen), "Allow codex to use `Bash`? rm -rf dist␛");
    }

    #[test]
    fn a_deadline_says_what_happens_then() {
        let ends = |more: Value| {
            let mut told = json!({"deadline_at": "2026-11-15T10:05:00.000Z"});
            told.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let now = askuser_wire::time::read("2026-11-15T10:00:30.000Z").unwrap();
            let seen = seen(&told);
            [Language::English, Language::Chinese].map(|language| deadline_row(&seen, now, language).unwrap())
        };
        assert_eq!(ends(json!({"at_deadline": "unanswered"})), ["4 min left", "还剩 4 分钟"]);
        assert_eq!(ends(json!({"at_deadline": "stops"})), ["in 4 min: task stops", "4 分钟后：任务停止"]);
        let yes =
            json!([{"question_id": "confirm", "selected": [{"id": "y", "label": "Yes"}], "text": null}]);
        assert_eq!(
            ends(json!({"at_deadline": "default", "default_answers": yes})),
            ["in 4 min: Yes", "4 分钟后：Yes"]
        );
        assert_eq!(deadline_row(&seen(&json!({})), Timestamp(0), Language::English), None);
    }
}
