//! What the inbox and the picker in the terminal say.

phrases! {
    /// What the inbox says.
    Inbox {
        inbox(n): "Inbox {n}" | "收件箱 {n}";
        fresh(n): " · {n} new" | " · {n} 个新问题";
        history: "History" | "历史";
        away: "reconnecting…" | "正在重连…";
        one_answer(n): "one answer for {n} questions" | "一次回答 {n} 个问题";
        marked(n): "{n} marked" | "已标记 {n} 个";
        type_to_search: "type to search" | "输入文字查找";
        loading: "Loading…" | "正在加载…";
        no_match: "Nothing matches." | "没有匹配项。";
        no_history: "No past questions yet." | "还没有历史问题。";
        nothing_waits: "No questions are waiting." | "没有待回答的问题。";
        nothing_waits_means: "New questions from your agents appear here." | "智能体的新问题会出现在这里。";
        sending: "sending…" | "发送中…";
        queued: "queued" | "排队中";
        urgent: "urgent" | "紧急";
        undo: "u undo" | "u 撤销";
        answered(answer): "Answered: {answer}" | "已回答：{answer}";
        more(n): "{n} more" | "另有 {n} 题";
        alike(n): "{n} alike" | "{n} 个相同";
        still_waiting: "Waiting for an answer." | "待回答。";
        unsent: "What you entered here was not sent." | "你在这里填写的内容没有发送。";
        ended: "Ended" | "已结束";
        being_sent: "Your answer is being sent." | "正在发送你的答案。";
        press_u: "Answered. Press u to undo." | "已回答。按 u 撤销。";
        nothing_to_undo: "There is nothing to undo." | "没有可以撤销的回答。";
        no_undo: "Too late to undo." | "来不及撤销了。";
        unlike: "This question differs from the marked ones." | "这个问题与已标记的不同。";
        not_now: "This question cannot be answered right now." | "这个问题现在还不能回答。";
        marks_max(n): "At most {n} questions can be marked." | "最多标记 {n} 个问题。";
        none_alike: "No other question is identical." | "没有其他相同的问题。";
        too_late(how): "Too late, not sent. {how}" | "晚了一步，没有发送。{how}";
        you_answered: "You have already answered." | "你已经回答过。";
        sent(answers): "Sent. {answers}" | "已发送。{answers}";
        sent_to(n, answers): "Sent to {n} questions. {answers}" | "已发送给 {n} 个问题。{answers}";
        not_sent_to(n): " Not sent to {n}: ended elsewhere first, or changed." | " 有 {n} 个未发送：已在别处结束或已改变。";
        filled: "Filled in with your last answer; nothing is sent yet." | "已按刚才的答案填写，还没有发送。";
        filled_from(when): "Filled in with your answer from {when}; nothing is sent yet." | "已按 {when}的答案填写，还没有发送。";
        never_answered: "These questions have not been answered before." | "这些问题以前没有回答过。";
        none_older: "There is no older answer." | "没有更早的答案。";
        still_sending: "Still sending your answer; Ctrl-C gives up." | "仍在发送你的答案；按 Ctrl-C 放弃。";
        arrived: "Sent." | "已发送。";
        no_terminal: "the inbox needs an interactive terminal" | "收件箱需要交互式终端";
        no_terminal_hint: "`askuser list` prints what is waiting, `askuser open` shows it in the browser" | "用 `askuser list` 列出待回答的问题，用 `askuser open` 在浏览器中查看";
    }
}
