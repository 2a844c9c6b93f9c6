//! The keys that work now, on the last line, and all of them explained.

use askuser_core::id::AskId;

use super::{body, indented};
use crate::channel::terminal::draw::hints::{Hint, fitting, hint};
use crate::channel::terminal::inbox::item::Standing;
use crate::channel::terminal::inbox::{Inbox, View};
use crate::channel::terminal::line::{Line, Role};
use crate::channel::terminal::panel::Mode;
use crate::channel::terminal::width::width as columns_of;

/// A key and what it does, in both languages.
type Explained = (&'static str, &'static str, &'static str);

const OPEN: [Explained; 15] = [
    ("↑ ↓  j k", "move; g G to the ends", "移动；g G 到两端"),
    ("Enter", "open the question", "打开问题"),
    ("1-9", "answer at once, where all of it is shown; else open it", "全文已显示时直接回答，否则打开"),
    ("u", "undo an answer by a number, for a few seconds", "几秒内撤销用数字给出的回答"),
    ("n", "show new questions", "显示新来的问题"),
    ("Space", "mark, to answer alike ones together", "标记，一次回答相同的问题"),
    ("a", "mark all that ask the same", "标记所有相同的问题"),
    ("r", "open, filled in as answered before", "打开并填入以前的答案"),
    ("x", "decline, with a reason if you like", "取消问题，可写原因"),
    ("c", "the conversation around it", "查看前后对话"),
    ("/", "search", "查找"),
    ("h  Tab", "history", "历史"),
    ("Esc", "take search or marks back", "清除查找或标记"),
    ("q  Ctrl-C", "leave; what is open stays open", "退出，问题保持打开"),
    ("Ctrl-Z", "suspend; fg resumes", "挂起，用 fg 恢复"),
];

const HISTORY: [Explained; 6] = [
    ("↑ ↓  j k", "move; g G to the ends", "移动；g G 到两端"),
    ("Enter", "read it in full", "查看全文"),
    ("c", "the conversation around it", "查看前后对话"),
    ("/", "search in everything that ended", "在所有已结束的问题中查找"),
    ("Esc  h", "back to the inbox", "返回收件箱"),
    ("q  Ctrl-C", "leave; what is open stays open", "退出，问题保持打开"),
];

/// Returns the keys that work now, as many as fit.
pub(super) fn fitting_keys(inbox: &Inbox, whole: Option<AskId>, room: usize) -> String {
    let mut hints = keys(inbox);
    let question =
        whole.and_then(|id| inbox.open.get(id)).and_then(|item| item.sheet.questions().top().first());
    if let Some(question) = question.filter(|_| inbox.view == View::Open && !inbox.searching) {
        let n_choices = question.choices.len().min(9);
        let digits = if n_choices > 1 { format!("1-{n_choices}") } else { "1".to_owned() };
        hints.insert(1, (digits, "answer now", "直接回答", 1));
    }
    fitting(hints, inbox.language, room)
}

/// Says that something is on its way.
pub(super) fn waiting(inbox: &Inbox) -> &'static str {
    inbox.language.pick("Looking…", "正在查找…")
}

fn keys(inbox: &Inbox) -> Vec<Hint> {
    match &inbox.view {
        View::Open | View::History if inbox.searching => {
            vec![
                hint("↑↓", "move", "移动", 2),
                hint("Enter", "to the list", "到列表", 1),
                hint("Esc", "all", "全部", 0),
            ]
        }
        View::Open if inbox.open.n_shown() == 0 => {
            vec![hint("h", "history", "历史", 1), hint("?", "keys", "按键", 2), hint("q", "leave", "退出", 0)]
        }
        View::Open => {
            let answer = if inbox.marked.is_empty() {
                ("open", "打开")
            } else {
                ("answer the marked", "回答已标记的")
            };
            let undo = inbox.open.items().iter().any(|item| matches!(item.standing, Standing::Held { .. }));
            let undo = undo.then(|| hint("u", "undo", "撤销", 0));
            let new = (!inbox.fresh.is_empty()).then(|| hint("n", "show new", "显示新问题", 0));
            let more = vec![
                hint("↑↓", "move", "移动", 5),
                hint("Enter", answer.0, answer.1, 0),
                hint("Space", "mark", "标记", 6),
                hint("x", "decline", "取消", 3),
                hint("r", "earlier answer", "旧答案", 8),
                hint("c", "conversation", "对话", 7),
                hint("/", "search", "查找", 4),
                hint("h", "history", "历史", 2),
                hint("?", "keys", "按键", 1),
                hint("q", "leave", "退出", 0),
            ];
            undo.into_iter().chain(new).chain(more).collect()
        }
        View::History => vec![
            hint("↑↓", "move", "移动", 4),
            hint("Enter", "read", "查看", 1),
            hint("c", "conversation", "对话", 3),
            hint("/", "search", "查找", 2),
            hint("Esc", "inbox", "收件箱", 0),
            hint("q", "leave", "退出", 2),
        ],
        View::Sheet { id, .. } => {
            let panel = inbox.sheets.get(id);
            let no_text =
                panel.is_some_and(|panel| matches!(panel.mode, Mode::Choosing | Mode::Reviewing { .. }));
            if !no_text {
                return Vec::new();
            }
            let mut hints =
                vec![hint("r", "earlier answer", "旧答案", 2), hint("c", "conversation", "对话", 1)];
            if panel.is_some_and(|panel| !panel.has_own_no()) {
                hints.push(hint("x", "decline", "取消问题", 0));
            }
            hints
        }
        View::Lost { .. } => vec![hint("Enter", "back to the inbox", "返回收件箱", 0)],
        View::Told { .. } | View::Help { .. } => {
            vec![hint("↑↓ PgUp PgDn", "scroll", "滚动", 1), hint("Esc", "back", "返回", 0)]
        }
    }
}

/// Explains the keys of the view that it goes back to.
pub(super) fn help(inbox: &Inbox, back: &View, width: usize, room: usize) -> Vec<Line> {
    let keys: &[Explained] = if *back == View::History { &HISTORY } else { &OPEN };
    let widest = keys.iter().map(|(key, _, _)| columns_of(key)).max().unwrap_or(0);
    let mut body = body(width);
    if keys.len() < room {
        body.lines.push(Line::default());
    }
    for (key, english, chinese) in keys {
        let mut prefix = Line::of(*key, Role::Accent);
        prefix.push(" ".repeat(widest + 3 - columns_of(key)), Role::Plain);
        body.hang(&prefix, inbox.language.pick(english, chinese), Role::Plain);
    }
    indented(body.lines)
}
