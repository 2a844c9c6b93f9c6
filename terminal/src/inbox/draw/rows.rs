//! The list: two lines for each ask, and only those that are in sight.

use askuser_words::inbox::Inbox as Words;
use unicode_segmentation::UnicodeSegmentation;

use super::Middle;
use crate::draw::body::Body;
use crate::inbox::item::{Item, ItemState, one_line};
use crate::inbox::list::List;
use crate::inbox::{Inbox, Looked, View};
use crate::line::{Line, Role};
use crate::summary::label;
use crate::width::{cut, width as columns_of};
use crate::wrap::wrap;

/// The names of who asks keep this many columns.
const ASKER_COLUMNS_MIN: usize = 8;

/// What stands below the row of the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Below {
    /// Nothing: the question stands elsewhere, or cannot be answered here.
    Nothing,
    /// All of the question, where one press answers it.
    Question,
}

/// Draws the list in view, above it what is searched for.
pub(super) fn list(inbox: &Inbox, columns: usize, room: usize, below: Below) -> Middle {
    let in_history = inbox.view == View::History;
    let list = if in_history { &inbox.ended } else { &inbox.open };
    let mut middle = Middle::default();
    if inbox.searching || !list.search.text().is_empty() {
        search(inbox, list, columns, &mut middle);
    }
    let room = room.saturating_sub(middle.lines.len());
    let n_rows = room / 2;
    if list.n_shown() == 0 {
        middle.lines.push(Line::default());
        for (idx, text) in nothing(inbox, list, in_history).into_iter().enumerate() {
            let role = if idx == 0 { Role::Strong } else { Role::Secondary };
            let rows = wrap(text, columns.saturating_sub(4).max(8));
            middle.lines.extend(rows.into_iter().map(|row| Line::of(format!("  {row}"), role)));
        }
        return middle;
    }
    let question = list.selected().filter(|_| below == Below::Question);
    // A question of which a part would be out of sight is not answered here.
    let question = question.and_then(|item| Some((item.id, whole(inbox, item, columns)?)));
    let question = question.filter(|(_, lines)| lines.len() + 2 <= room);
    let n_rows = n_rows.saturating_sub(question.as_ref().map_or(0, |(_, lines)| lines.len().div_ceil(2)));
    middle.scroll = isize::try_from(list.first_of(n_rows.max(1))).unwrap_or(0);
    for (item, here) in list.window(n_rows.max(1)) {
        middle.lines.extend(row(inbox, list, item, here, columns));
        if let Some((id, lines)) = question.as_ref().filter(|_| here) {
            middle.whole = Some(*id);
            middle.lines.extend(lines.iter().cloned());
        }
    }
    middle
}

/// Whether the row of an ask has room for all of its title.
fn title_fits(inbox: &Inbox, item: &Item, columns: usize) -> bool {
    let (header, text) = item.title();
    let (tag, _) = tag(inbox, item);
    let marks = if inbox.marked.is_empty() { 0 } else { 2 };
    let taken = marks + if tag.is_empty() { 0 } else { columns_of(&tag) + 2 };
    let title = header.map_or(0, |header| columns_of(&header) + 2) + columns_of(&text);
    title + taken + 3 <= columns
}

/// Draws all of a question that one press answers; nothing where there is none.
fn whole(inbox: &Inbox, item: &Item, columns: usize) -> Option<Vec<Line>> {
    let id = item.one_press.as_ref().filter(|_| item.standing == ItemState::Waiting)?;
    let question = item.sheet.questions().find(id)?;
    let words = inbox.language.words();
    let mut body = Body::new(columns.saturating_sub(5).max(8));
    body.text(0, item.context.as_deref().unwrap_or("").trim(), Role::Plain);
    if !title_fits(inbox, item, columns) {
        body.text(0, question.header.as_deref().unwrap_or(""), Role::Accent);
        body.text(0, &question.text, Role::Strong);
    }
    body.text(0, question.description.as_deref().unwrap_or(""), Role::Secondary);
    for (choice_idx, choice) in question.choices.iter().enumerate() {
        let prefix = Line::of(format!("{} ", choice_idx + 1), Role::Accent);
        body.hang(&prefix, &label(question, &choice.id, words), Role::Plain);
        if choice.recommended {
            body.tag(2, words.recommended(), Role::Good);
        }
        body.text(2, choice.description.as_deref().unwrap_or(""), Role::Secondary);
    }
    let framed = |line: Line| {
        let mut framed = Line::of("  │", Role::Secondary);
        framed.append_at(4, line);
        framed
    };
    Some(body.lines.into_iter().map(framed).collect())
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
        line.push(cut(Words(inbox.language).type_to_search(), room), Role::Secondary);
    }
    if inbox.searching {
        middle.caret = Some((middle.lines.len(), 3 + at.min(room)));
    }
    middle.lines.push(line);
}

fn nothing(inbox: &Inbox, list: &List, in_history: bool) -> Vec<&'static str> {
    let said = Words(inbox.language);
    if in_history && inbox.looked == Looked::Looking {
        return vec![said.loading()];
    }
    if !list.search.text().is_empty() {
        return vec![said.no_match()];
    }
    if in_history {
        return vec![said.no_history()];
    }
    vec![said.nothing_waits(), said.nothing_waits_means()]
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
    let is_over = inbox.view == View::Open && !item.is_open();
    let strong = if here { Role::Accent } else { Role::Strong };
    let strong = if is_over { Role::Secondary } else { strong };
    let asks = if header.is_some() && !is_over { Role::Plain } else { strong };
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
    let room = columns.saturating_sub(indent + 1);
    let mut second = Line::of(" ".repeat(indent), Role::Plain);
    if let Some((now, role)) = now(inbox, item, room) {
        second.push(cut(&now, room), role);
        let rest = room.saturating_sub(columns_of(&now) + 3);
        if rest >= ASKER_COLUMNS_MIN {
            second.push(" · ", Role::Secondary);
            second.push(cut(&item.asker_line(inbox.language), rest), Role::Secondary);
        }
    } else {
        second.push(about(inbox, list, item, room), Role::Secondary);
    }
    [first, second]
}

/// Returns what stands at the right: the time left, or where the ask stands.
fn tag(inbox: &Inbox, item: &Item) -> (String, Role) {
    let said = Words(inbox.language);
    match &item.standing {
        ItemState::Sending => (said.sending().to_owned(), Role::Accent),
        ItemState::InLine => (said.queued().to_owned(), Role::Secondary),
        ItemState::Held { .. } => ("✓".to_owned(), Role::Good),
        ItemState::Ended { answered, .. } => {
            let role = |role| if inbox.view == View::Open { Role::Secondary } else { role };
            match (*answered, item.disagreed) {
                (true, _) => ("✓".to_owned(), role(Role::Good)),
                (false, true) => ("≠".to_owned(), role(Role::Accent)),
                (false, false) => ("✗".to_owned(), role(Role::Bad)),
            }
        }
        ItemState::Waiting if item.is_urgent(inbox.now) => (said.urgent().to_owned(), Role::Bad),
        ItemState::Waiting => (String::new(), Role::Plain),
    }
}

/// Returns what is happening to an ask just now, which stands before everything else that is said of it.
fn now(inbox: &Inbox, item: &Item, room: usize) -> Option<(String, Role)> {
    let language = inbox.language;
    match &item.standing {
        ItemState::Ended { how, .. } if inbox.view == View::Open => Some((one_line(how), Role::Secondary)),
        ItemState::Held { until, answer } => {
            let left = until.since(inbox.now).as_millis().div_ceil(1000);
            let said = Words(language);
            Some((format!("{} · {} ({left})", said.answered(one_line(answer)), said.undo()), Role::Good))
        }
        ItemState::Waiting | ItemState::InLine => {
            let others = item.others.as_ref().map(|others| (one_line(others), Role::Accent));
            others.or_else(|| {
                let left = item.deadline?.since(inbox.now);
                let role = if item.is_urgent(inbox.now) { Role::Bad } else { Role::Secondary };
                let full = one_line(&language.deadline(left, item.then.as_ref()));
                let fits = columns_of(&full) <= room;
                let text =
                    if fits { full } else { one_line(&language.deadline_short(left, item.then.as_ref())) };
                Some((text, role))
            })
        }
        ItemState::Sending | ItemState::Ended { .. } => None,
    }
}

/// Says who asks, which round it is, since when, and how many ask the same. Where it is narrow, the
/// names are what is cut.
fn about(inbox: &Inbox, list: &List, item: &Item, room: usize) -> String {
    let language = inbox.language;
    if let ItemState::Ended { at, how, answered } = &item.standing {
        let how = if *answered { item.answers(language) } else { how.clone() };
        let parts = [language.age(inbox.now.since(*at)), item.asker_line(language), how];
        return cut(&parts.join(" · "), room);
    }
    let mut parts = vec![language.round(item.round, None), language.age(inbox.now.since(item.asked_at))];
    let n_more = item.sheet.questions().top().len().saturating_sub(1);
    let n_alike = list.n_alike(item);
    if n_more > 0 {
        parts.push(Words(language).more(n_more));
    }
    if n_alike > 1 {
        parts.push(Words(language).alike(n_alike));
    }
    let rest = format!(" · {}", parts.join(" · "));
    if let Some(people) = &item.people {
        // Whom it waits for is what the person wants to know first.
        return cut(&format!("{} · {}{rest}", one_line(people), item.asker_line(language)), room);
    }
    let asker_line =
        cut(&item.asker_line(language), room.saturating_sub(columns_of(&rest)).max(ASKER_COLUMNS_MIN));
    cut(&format!("{asker_line}{rest}"), room)
}
