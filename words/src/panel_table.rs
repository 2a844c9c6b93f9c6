//! Words without a number in them, side by side so that none is forgotten.

/// Words without a number in them.
#[derive(Debug)]
pub struct Words {
    /// Title of a question without a header.
    pub question: &'static str,
    /// Title of the review.
    pub review: &'static str,
    /// What to do in the review.
    pub review_intro: &'static str,
    /// The row that sends.
    pub send: &'static str,
    /// An answer that is not there.
    pub not_answered: &'static str,
    /// Title of the help.
    pub help: &'static str,
    /// Title of the way out.
    pub leave: &'static str,
    /// What leaving does not do.
    pub leave_intro: &'static str,
    /// The ways out, each with what it means.
    pub back: (&'static str, &'static str),
    /// Saying no.
    pub decline: (&'static str, &'static str),
    /// Answering later.
    pub leave_open: (&'static str, &'static str),
    /// Title of the reason.
    pub reason: &'static str,
    /// What to do about the reason.
    pub reason_intro: &'static str,
    /// The way out of the choices.
    pub other: &'static str,
    /// The same with a text behind it.
    pub other_is: &'static str,
    /// Yes.
    pub yes: &'static str,
    /// No.
    pub no: &'static str,
    /// The asker's mark on a choice.
    pub recommended: &'static str,
    /// The asker's default, not yet confirmed.
    pub suggested: &'static str,
    /// A question that may be left out.
    pub optional: &'static str,
    /// A remark.
    pub note: &'static str,
    /// A longer look at a choice.
    pub preview: &'static str,
    /// The empty field.
    pub type_here: &'static str,
    /// Nothing was typed.
    pub nothing_typed: &'static str,
    /// A paste where nothing is typed.
    pub no_field: &'static str,
    /// A part of the question was not on the screen yet.
    pub not_read: &'static str,
    /// Others come first.
    pub waits: &'static str,
    /// A permission is refused by answering No.
    pub no_is_no: &'static str,
    /// Where a command would run.
    pub folder: &'static str,
    /// There is no other question.
    pub only_one: &'static str,
    /// Nothing is left to be answered.
    pub nothing_to_answer: &'static str,
    /// How it ended.
    pub declined: &'static str,
    /// How it ended.
    pub left_open: &'static str,
    /// How it ended.
    pub interrupted: &'static str,
    /// How it ended.
    pub expired: &'static str,
    /// Between a title and an answer.
    pub colon: &'static str,
    /// Between several picks.
    pub comma: &'static str,
}

pub(crate) static ENGLISH: Words = Words {
    question: "Question",
    review: "Review",
    review_intro: "Check the answers before they are sent.",
    send: "Send",
    not_answered: "not answered",
    help: "Keys",
    leave: "Leave",
    leave_intro: "Nothing has been sent.",
    back: ("Go back", "to the question"),
    decline: ("Decline", "the asker is told that you said no"),
    leave_open: ("Leave open", "answer it later, here or elsewhere"),
    reason: "Decline",
    reason_intro: "A reason for the asker, if you like. Enter declines.",
    other: "Other…",
    other_is: "Other: ",
    yes: "Yes",
    no: "No",
    recommended: "★ recommended",
    suggested: "suggested",
    optional: "optional",
    note: "Note",
    preview: "Preview",
    type_here: "type your answer",
    nothing_typed: "Nothing is typed yet. Enter again goes back to the choices.",
    no_field: "Pasted text goes into a text field: press 0 for Other first.",
    not_read: "Not all of it has been on the screen yet: PgUp and PgDn show the rest.",
    waits: "Queued: earlier questions of this conversation come first. You can read it now and send it then.",
    no_is_no: "To refuse, answer No. Ctrl-C quits without an answer.",
    folder: "Folder",
    only_one: "There is no other question.",
    nothing_to_answer: "Nothing is left to be answered.",
    declined: "Declined",
    left_open: "Left open, to be answered later",
    interrupted: "Interrupted, not answered",
    expired: "Time ran out before an answer was sent",
    colon: ": ",
    comma: ", ",
};

pub(crate) static CHINESE: Words = Words {
    question: "问题",
    review: "检查答案",
    review_intro: "确认之前请检查答案。",
    send: "确认",
    not_answered: "未回答",
    help: "按键",
    leave: "离开",
    leave_intro: "还没有发送任何内容。",
    back: ("返回", "回到问题"),
    decline: ("取消问题", "提问者会知道你取消了"),
    leave_open: ("稍后回答", "问题保持打开，可在这里或别处回答"),
    reason: "取消问题",
    reason_intro: "可以写下原因，也可以留空。按 Enter 取消问题。",
    other: "其他…",
    other_is: "其他：",
    yes: "是",
    no: "否",
    recommended: "★ 推荐",
    suggested: "建议",
    optional: "可不答",
    note: "备注",
    preview: "预览",
    type_here: "写下你的答案",
    nothing_typed: "还没有输入内容。再按一次 Enter 返回选项。",
    no_field: "粘贴的文字只能放进输入框：先按 0 选择“其他”。",
    not_read: "还有内容没有显示过：按 PgUp、PgDn 看完再回答。",
    waits: "排队中：同一对话里更早的问题先回答。现在可以先看，轮到时再发送。",
    no_is_no: "要拒绝请选“否”。按 Ctrl-C 退出，不作回答。",
    folder: "文件夹",
    only_one: "没有其他问题了。",
    nothing_to_answer: "没有需要回答的问题。",
    declined: "已取消",
    left_open: "问题保持打开，稍后回答",
    interrupted: "已中断，未回答",
    expired: "已超时，没有发送答案",
    colon: "：",
    comma: "、",
};
