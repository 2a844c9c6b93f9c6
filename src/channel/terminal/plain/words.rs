//! What line mode says. The English texts of the source document are kept to the letter (T7).

use askuser_core::entry::Entry;
use askuser_core::problem::Fault;
use askuser_core::question::{Choice, Question};
use askuser_core::text::shown;
use askuser_words::Language;

use crate::channel::terminal::summary::label;

pub(super) fn enter_number(several: bool, has_other: bool, language: Language) -> &'static str {
    match (several, has_other) {
        (false, true) => language.pick("Enter number or 0 for custom: ", "输入编号，或输入 0 自己填写："),
        (true, true) => language
            .pick("Enter numbers (e.g., 1,3) or 0 for custom: ", "输入编号（如 1,3），或输入 0 自己填写："),
        (false, false) => language.pick("Enter number: ", "输入编号："),
        (true, false) => language.pick("Enter numbers (e.g., 1,3): ", "输入编号（如 1,3）："),
    }
}

pub(super) fn enter_answer(language: Language) -> &'static str {
    language.pick("Enter your answer: ", "输入你的答案：")
}

pub(super) fn empty_text(language: Language) -> &'static str {
    language.pick(
        "Nothing typed. Type your answer, or leave it empty again to go back.\n",
        "没有输入内容。请输入答案；再次留空则返回选项。\n",
    )
}

pub(super) fn back_to_choices(language: Language) -> &'static str {
    language.pick("Nothing typed: back to the choices.\n", "没有输入内容，返回选项。\n")
}

pub(super) fn first_already(language: Language) -> &'static str {
    language.pick("This is the first question.\n", "这是第一个问题。\n")
}

pub(super) fn skipped(language: Language) -> &'static str {
    language.pick("Skipped.\n", "已跳过。\n")
}

pub(super) fn help(language: Language) -> &'static str {
    language.pick(
        "\
1, 2, …         pick a choice (1,3 picks several where that is asked)
0 or other      type an answer of your own
/back           go back to the previous question
/note TEXT      add a note to the answer
/cancel WHY     decline to answer
",
        "\
1、2、…         选择选项（可多选时 1,3 表示选两项）
0 或 other      自己填写答案
/back           返回上一个问题
/note 文字      给答案加备注
/cancel 原因    取消问题
",
    )
}

/// The time is up.
pub(super) fn too_late(language: Language) -> &'static str {
    language.pick("Too late: the question has timed out.", "问题已超时。")
}

pub(super) fn not_text(language: Language) -> &'static str {
    language.pick("That is not UTF-8 text.", "输入的不是 UTF-8 文本。")
}

pub(super) fn other(language: Language) -> &'static str {
    language.pick("Other (custom input)", "其他（自己填写）")
}

pub(super) fn text_here(language: Language) -> &'static str {
    language.pick("(text)", "（文字）")
}

pub(super) fn so_far(typed: &str, language: Language) -> String {
    format!("{}{typed}", language.pick("so far: ", "已填："))
}

pub(super) fn folder(folder: &str, language: Language) -> String {
    let words = language.words();
    format!("{}{}{folder}", words.folder, words.colon)
}

pub(super) fn several(language: Language) -> &'static str {
    language.pick("(several numbers may be given, e.g. 1,3)", "（可输入多个编号，如 1,3）")
}

/// Which question it is of how many, and how to learn more.
pub(super) fn question_of(place: usize, n_visible: usize, language: Language) -> [String; 2] {
    let more = language.pick("/help for more", "输入 /help 查看帮助");
    [language.question_of(place, n_visible).0, more.to_owned()]
}

/// What stands above the box.
pub(super) fn heading(title: Option<&str>, place: usize, n_visible: usize, language: Language) -> String {
    let place = (n_visible > 1).then(|| question_of(place, n_visible, language).join(" · "));
    let heading: Vec<String> = title.map(ToOwned::to_owned).into_iter().chain(place).collect();
    if heading.is_empty() { String::new() } else { format!("\n{}\n", heading.join(" · ")) }
}

/// A choice's label with what is to be said of it.
pub(super) fn offered(
    question: &Question,
    choice: &Choice,
    entry: Option<&Entry>,
    language: Language,
) -> String {
    let picked = entry.is_some_and(|entry| entry.picked.contains(&choice.id));
    let suggested = entry.is_some_and(|entry| entry.suggested);
    let mark = match (picked, suggested) {
        (true, true) => language.pick("  [suggested]", "  [建议]"),
        (true, false) => language.pick("  [picked]", "  [已选]"),
        (false, _) => "",
    };
    let words = language.words();
    let star = if choice.recommended { format!("  {}", words.recommended) } else { String::new() };
    format!("{}{star}{mark}", inline(&label(question, &choice.id, words)))
}

pub(super) fn took_first(typed: &str, label: &str, language: Language) -> String {
    let (typed, label) = (inline(typed), inline(label));
    match (language, typed.is_empty()) {
        (Language::English, true) => format!("Nothing typed: took 1. {label}\n"),
        (Language::English, false) => format!("{typed} is not a choice: took 1. {label}\n"),
        (Language::Chinese, true) => format!("没有输入内容，已选 1. {label}\n"),
        (Language::Chinese, false) => format!("{typed} 不是选项，已选 1. {label}\n"),
    }
}

pub(super) fn not_a_choice(typed: &str, language: Language) -> String {
    let typed = inline(typed);
    match (language, typed.is_empty()) {
        (Language::English, true) => "Nothing typed.\n".to_owned(),
        (Language::English, false) => format!("{typed} is not a choice.\n"),
        (Language::Chinese, true) => "没有输入内容。\n".to_owned(),
        (Language::Chinese, false) => format!("{typed} 不是选项。\n"),
    }
}

pub(super) fn left_out(invalid: &[String], language: Language) -> String {
    let typed = inline(&invalid.join(language.pick(", ", "、")));
    match language {
        Language::English if invalid.len() == 1 => format!("{typed} is not a choice: left out.\n"),
        Language::English => format!("{typed} are not choices: left out.\n"),
        Language::Chinese => format!("{typed} 不是选项，已略去。\n"),
    }
}

pub(super) fn note_kept(note: &str, language: Language) -> String {
    let words = language.words();
    format!("{}{}{}\n", words.note, words.colon, inline(note))
}

pub(super) fn fault(fault: &Fault, question: &Question, language: Language) -> String {
    match language {
        Language::English => format!("That {fault}.\n"),
        Language::Chinese => format!("{}\n", language.fault(fault, question)),
    }
}

/// A text on one line, harmless.
pub fn inline(text: &str) -> String {
    shown(text).replace(['\n', '\t'], " ")
}
