//! What is said around the giving of an answer: what there is to read first, that an answer can still be
//! taken back, what happens at the deadline, and what people who did not agree said. Both languages.

use super::table::table;

table! {
    /// The words around an answer.
    AnsweringWords {
        context,
        open_to_answer,
        declining,
        held,
        held_elsewhere,
        undo,
        undo_why,
        undo_too_late,
        being_answered,
        nobody_waits,
        then_default,
        then_unanswered,
        then_stops,
        queued_why,
        queued_for,
        disagreement,
        disagreed,
        you,
        command,
        command_rest,
    }
}

pub(super) const ENGLISH: AnsweringWords = AnsweringWords {
    context: "Context",
    open_to_answer: "Open to read and answer",
    declining: "You are declining:",
    held: "Answered: {what}",
    held_elsewhere: "You answered {place}.",
    undo: "Undo",
    undo_why: "The agent gets this answer in a few seconds.",
    undo_too_late: "Too late to undo",
    being_answered: "Being answered by {who} {place}.",
    nobody_waits: "Nobody is waiting for this right now. The agent gets your answer when it comes back.",
    then_default: "In {time} the default “{what}” is taken",
    then_unanswered: "In {time} the agent is told that nobody answered",
    then_stops: "In {time} the task stops",
    queued_why: "Queued: earlier questions of this conversation come first. You can answer it when its turn comes.",
    queued_for: "Queued: it depends on the answer to “{what}”. You can answer it when its turn comes.",
    disagreement: "No agreement",
    disagreed: "They did not agree. The agent gets what each of them said.",
    you: "You",
    command: "What would run",
    command_rest: "Other fields",
};

pub(super) const CHINESE: AnsweringWords = AnsweringWords {
    context: "背景",
    open_to_answer: "打开阅读全文并回答",
    declining: "你将取消：",
    held: "已回答：{what}",
    held_elsewhere: "你已{place}回答。",
    undo: "撤销",
    undo_why: "几秒后将把此回答交给智能体。",
    undo_too_late: "来不及撤销了",
    being_answered: "{who} 正{place}回答。",
    nobody_waits: "目前没有智能体在等待此问题，它回来后会收到你的回答。",
    then_default: "{time} 后采用默认值“{what}”",
    then_unanswered: "{time} 后告知智能体无人回答",
    then_stops: "{time} 后停止任务",
    queued_why: "排队中：同一对话中较早的问题优先，轮到后即可回答。",
    queued_for: "排队中：要等“{what}”有了回答，轮到后即可回答。",
    disagreement: "意见不一致",
    disagreed: "大家的回答不一致，每个人的回答都会交给智能体。",
    you: "你",
    command: "将要运行的内容",
    command_rest: "其他字段",
};
