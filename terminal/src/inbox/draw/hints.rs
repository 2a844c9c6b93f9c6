//! The keys that work now, on the last line, and all of them explained.

use askuser_core::id::AskId;
use askuser_words::inbox::Inbox as Words;
use askuser_words::keys::{InboxKeys, KeyWords};

use super::{body, indented};
use crate::draw::hints::{Hint, fitting, hint};
use crate::inbox::item::ItemState;
use crate::inbox::{Inbox, View};
use crate::line::{Line, Role};
use crate::panel::Mode;
use crate::width::width as columns_of;

/// A key and what it does.
type Explained = (&'static str, &'static str);

fn open_keys(said: InboxKeys) -> Vec<Explained> {
    vec![
        ("↑ ↓  j k", said.moves()),
        ("Enter", said.opens()),
        ("1-9", said.by_number()),
        ("u", said.undo()),
        ("n", said.show_new()),
        ("Space", said.marks()),
        ("a", said.mark_all()),
        ("r", said.reuse()),
        ("x", said.declines()),
        ("c", said.conversation()),
        ("/", said.search()),
        ("h  Tab", said.history()),
        ("Esc", said.clears()),
        ("q  Ctrl-C", said.leaves()),
        ("Ctrl-Z", said.suspends()),
    ]
}

fn history_keys(said: InboxKeys) -> Vec<Explained> {
    vec![
        ("↑ ↓  j k", said.moves()),
        ("Enter", said.reads()),
        ("c", said.conversation()),
        ("/", said.search_past()),
        ("Esc  h", said.back()),
        ("q  Ctrl-C", said.leaves()),
    ]
}

/// Returns the keys that work now, as many as fit.
pub(super) fn fitting_keys(inbox: &Inbox, whole: Option<AskId>, room: usize) -> String {
    let mut hints = keys(inbox);
    let question =
        whole.and_then(|id| inbox.open.get(id)).and_then(|item| item.sheet.questions().top().first());
    if let Some(question) = question.filter(|_| inbox.view == View::Open && !inbox.searching) {
        let n_choices = question.choices.len().min(9);
        let digits = if n_choices > 1 { format!("1-{n_choices}") } else { "1".to_owned() };
        hints.insert(1, (digits, KeyWords(inbox.language).answer_now(), 1));
    }
    fitting(hints, room)
}

/// Says that something is on its way.
pub(super) fn waiting(inbox: &Inbox) -> &'static str {
    Words(inbox.language).loading()
}

fn keys(inbox: &Inbox) -> Vec<Hint> {
    let said = KeyWords(inbox.language);
    match &inbox.view {
        View::Open | View::History if inbox.searching => {
            vec![hint("↑↓", said.moves(), 2), hint("Enter", said.to_list(), 1), hint("Esc", said.all(), 0)]
        }
        View::Open if inbox.open.n_shown() == 0 => {
            vec![hint("h", said.history(), 1), hint("?", said.keys(), 2), hint("q", said.quits(), 0)]
        }
        View::Open => {
            let answer = if inbox.marked.is_empty() { said.opens() } else { said.answer_marked() };
            let undo = inbox.open.items().iter().any(|item| matches!(item.standing, ItemState::Held { .. }));
            let undo = undo.then(|| hint("u", said.undo(), 0));
            let new = (!inbox.fresh.is_empty()).then(|| hint("n", said.show_new(), 0));
            let more = vec![
                hint("↑↓", said.moves(), 5),
                hint("Enter", answer, 0),
                hint("Space", said.marks(), 6),
                hint("x", said.declines_row(), 3),
                hint("r", said.earlier_answer(), 8),
                hint("c", said.conversation(), 7),
                hint("/", said.search(), 4),
                hint("h", said.history(), 2),
                hint("?", said.keys(), 1),
                hint("q", said.quits(), 0),
            ];
            undo.into_iter().chain(new).chain(more).collect()
        }
        View::History => vec![
            hint("↑↓", said.moves(), 4),
            hint("Enter", said.reads(), 1),
            hint("c", said.conversation(), 3),
            hint("/", said.search(), 2),
            hint("Esc", said.inbox(), 0),
            hint("q", said.quits(), 2),
        ],
        View::Sheet { id, .. } => {
            let panel = inbox.sheets.get(id);
            let no_text =
                panel.is_some_and(|panel| matches!(panel.mode, Mode::Choosing | Mode::Reviewing { .. }));
            if !no_text {
                return Vec::new();
            }
            let mut hints = vec![hint("r", said.earlier_answer(), 2), hint("c", said.conversation(), 1)];
            if panel.is_some_and(|panel| !panel.has_own_no()) {
                hints.push(hint("x", said.declines(), 0));
            }
            hints
        }
        View::Lost { .. } => vec![hint("Enter", said.back_to_inbox(), 0)],
        View::Told { .. } | View::Help { .. } => {
            vec![hint("↑↓ PgUp PgDn", said.scrolls(), 1), hint("Esc", said.back(), 0)]
        }
    }
}

/// Explains the keys of the view that it goes back to.
pub(super) fn help(inbox: &Inbox, back: &View, width: usize, room: usize) -> Vec<Line> {
    let said = InboxKeys(inbox.language);
    let keys = if *back == View::History { history_keys(said) } else { open_keys(said) };
    let widest = keys.iter().map(|(key, _)| columns_of(key)).max().unwrap_or(0);
    let mut body = body(width);
    if keys.len() < room {
        body.lines.push(Line::default());
    }
    for (key, what) in keys {
        let mut prefix = Line::of(key, Role::Accent);
        prefix.push(" ".repeat(widest + 3 - columns_of(key)), Role::Plain);
        body.hang(&prefix, what, Role::Plain);
    }
    indented(body.lines)
}
