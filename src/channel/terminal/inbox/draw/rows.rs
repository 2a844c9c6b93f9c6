//! The list: two lines for each ask, and only those that are in sight.

use unicode_segmentation::UnicodeSegmentation;

use super::Middle;
use crate::channel::terminal::inbox::item::{Item, Standing, one_line};
use crate::channel::terminal::inbox::list::List;
use crate::channel::terminal::inbox::{Inbox, Looked, View};
use crate::channel::terminal::line::{Line, Role};
use crate::channel::terminal::width::{cut, width as columns_of};
use crate::channel::terminal::wrap::wrap;

/// Less time left than this is told in red.
const SOON_SECONDS: u64 = 60;

/// The names of who asks keep this many columns.
const WHENCE_COLUMNS_MIN: usize = 8;

/// Draws the list in view, above it what is searched for.
pub(super) fn list(inbox: &Inbox, columns: usize, room: usize) -> Middle {
    let in_history = inbox.view == View::History;
    let list = if in_history { &inbox.ended } else { &inbox.open };
    let mut middle = Middle::default();
    if inbox.searching || !list.search.text().is_empty() {
        search(inbox, list, columns, &mut middle);
    }
    let n_rows = room.saturating_sub(middle.lines.len()) / 2;
    if list.n_shown() == 0 {
        middle.lines.push(Line::default());
        for (idx, text) in nothing(inbox, list, in_history).into_iter().enumerate() {
            let role = if idx == 0 { Role::Strong } else { Role::Secondary };
            let rows = wrap(text, columns.saturating_sub(4).max(8));
            middle.lines.extend(rows.into_iter().map(|row| Line::of(format!("  {row}"), role)));
        }
        return middle;
    }
    for (item, here) in list.window(n_rows.max(1)) {
        middle.lines.extend(row(inbox, list, item, here, columns));
    }
    middle
}

fn search(inbox: &Inbox, list: &List, columns: usize, middle: &mut Middle) {
    let before = one_line(list.search.text().get(..list.search.caret()).unwrap_or_default());
    let whole = one_line(list.search.text());
    let room = columns.saturating_sub(4);
    // The end of a long text is what is being typed.
    let mut text = whole.as_str();
    let mut at = columns_of(&before);
    while columns_of(text) > room {
        let first = text.graphemes(true).next().unwrap_or_default();
        at = at.saturating_sub(columns_of(first));
        text = text.get(first.len()..).unwrap_or_default();
    }
    let mut line = Line::of(" / ", Role::Accent).and(text, Role::Plain);
    if text.is_empty() {
        line.push(cut(inbox.language.either("words to look for", "输入要找的词"), room), Role::Secondary);
    }
    if inbox.searching {
        middle.caret = Some((middle.lines.len(), 3 + at.min(room)));
    }
    middle.lines.push(line);
}

fn nothing(inbox: &Inbox, list: &List, in_history: bool) -> Vec<&'static str> {
    let language = inbox.language;
    if in_history && inbox.looked == Looked::Looking {
        return vec![language.either("Looking…", "正在查找…")];
    }
    if !list.search.text().is_empty() {
        return vec![language.either("Nothing is found.", "没有找到。")];
    }
    if in_history {
        return vec![language.either("Nothing has ended yet.", "还没有结束的问题。")];
    }
    vec![
        language.either("Nothing waits for you.", "没有等待你的问题。"),
        language.either("What your agents ask appears here by itself.", "智能体提出的问题会自动出现在这里。"),
    ]
}

/// Draws an ask: what it asks and how long it has, then who asks, which round, and since when.
fn row(inbox: &Inbox, list: &List, item: &Item, here: bool, columns: usize) -> [Line; 2] {
    let (tag, tag_role) = tag(inbox, item);
    let mut first = Line::of(if here { "❯ " } else { "  " }, Role::Accent);
    if !inbox.marked.is_empty() {
        let is_marked = inbox.marked.contains(&item.id);
        first.push(if is_marked { "✓ " } else { "  " }, Role::Good);
    }
    let indent = first.width();
    let tag_columns = if tag.is_empty() { 0 } else { columns_of(&tag) + 2 };
    let room = columns.saturating_sub(indent + tag_columns + 1);
    let (header, text) = item.title();
    let strong = if here { Role::Accent } else { Role::Strong };
    let asks = if header.is_some() { Role::Plain } else { strong };
    if let Some(header) = header {
        first.push(cut(&header, room), strong);
    }
    let gap = if first.width() > indent { "  " } else { "" };
    let rest = (indent + room).saturating_sub(first.width() + gap.len());
    if rest > 0 {
        first.push(gap, Role::Plain);
        first.push(cut(&text, rest), asks);
    }
    if !tag.is_empty() {
        first.push_at(columns.saturating_sub(columns_of(&tag) + 1), tag, tag_role);
    }
    let about = about(inbox, list, item, columns.saturating_sub(indent + 1));
    let second = Line::of(" ".repeat(indent), Role::Plain).and(about, Role::Secondary);
    [first, second]
}

/// Returns what stands at the right: the time left, or where the ask stands.
fn tag(inbox: &Inbox, item: &Item) -> (String, Role) {
    let language = inbox.language;
    match &item.standing {
        Standing::Sending => (language.either("sending…", "发送中…").to_owned(), Role::Accent),
        Standing::InLine => (language.either("in line", "排队中").to_owned(), Role::Secondary),
        Standing::Ended { answered: true, .. } => ("✓".to_owned(), Role::Good),
        Standing::Ended { answered: false, .. } => ("✗".to_owned(), Role::Bad),
        Standing::Waiting => match item.deadline {
            None => (String::new(), Role::Plain),
            Some(deadline) => {
                let left = deadline.since(inbox.now);
                let role = if left.as_secs() < SOON_SECONDS { Role::Bad } else { Role::Secondary };
                (language.time_left(left), role)
            }
        },
    }
}

/// Says who asks, which round it is, since when, and how many ask the same. Where it is narrow, the
/// names are what is cut.
fn about(inbox: &Inbox, list: &List, item: &Item, room: usize) -> String {
    let language = inbox.language;
    if let Standing::Ended { at, how, answered } = &item.standing {
        let how = if *answered { item.answers(language) } else { how.clone() };
        let parts = [language.age(inbox.now.since(*at)), item.whence(language), how];
        return cut(&parts.join(" · "), room);
    }
    let mut parts = vec![language.round(item.round, None), language.age(inbox.now.since(item.asked_at))];
    let n_more = item.sheet.questions().top().len().saturating_sub(1);
    let n_alike = list.n_alike(item);
    let mut add = |n: usize, text: &str| parts.push(text.replace("{n}", &n.to_string()));
    if n_more > 0 {
        add(n_more, language.either("{n} more", "另有 {n} 题"));
    }
    if n_alike > 1 {
        add(n_alike, language.either("{n} alike", "{n} 个相同"));
    }
    let rest = format!(" · {}", parts.join(" · "));
    if let Some(people) = &item.people {
        // Whom it waits for is what the person wants to know first.
        return cut(&format!("{} · {}{rest}", one_line(people), item.whence(language)), room);
    }
    let whence = cut(&item.whence(language), room.saturating_sub(columns_of(&rest)).max(WHENCE_COLUMNS_MIN));
    cut(&format!("{whence}{rest}"), room)
}
