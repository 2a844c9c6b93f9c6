//! What plain lines say. The English prompts are those of the source document to the letter.

phrases! {
    /// What plain lines say.
    Plain {
        number: "Enter number: " | "输入编号：";
        number_or_own: "Enter number or 0 for custom: " | "输入编号，或输入 0 自己填写：";
        numbers: "Enter numbers (e.g., 1,3): " | "输入编号（如 1,3）：";
        numbers_or_own: "Enter numbers (e.g., 1,3) or 0 for custom: " | "输入编号（如 1,3），或输入 0 自己填写：";
        answer: "Enter your answer: " | "输入你的答案：";
        empty: "Nothing typed. Type your answer, or leave it empty again to go back." | "没有输入内容。请输入答案；再次留空则返回选项。";
        back_to_choices: "Nothing typed: back to the choices." | "没有输入内容，返回选项。";
        first_already: "This is the first question." | "这是第一个问题。";
        skipped: "Skipped." | "已跳过。";
        too_late: "Too late: the question has timed out." | "问题已超时。";
        not_text: "That is not UTF-8 text." | "输入的不是 UTF-8 文本。";
        other: "Other (custom input)" | "其他（自己填写）";
        text_here: "(text)" | "（文字）";
        so_far(typed): "so far: {typed}" | "已填：{typed}";
        several: "(several numbers may be given, e.g. 1,3)" | "（可输入多个编号，如 1,3）";
        help: "/help for more" | "输入 /help 查看帮助";
        suggested: "  [suggested]" | "  [建议]";
        picked: "  [picked]" | "  [已选]";
        nothing_took_first(label): "Nothing typed: took 1. {label}" | "没有输入内容，已选 1. {label}";
        took_first(typed, label): "{typed} is not a choice: took 1. {label}" | "{typed} 不是选项，已选 1. {label}";
        nothing_typed: "Nothing typed." | "没有输入内容。";
        not_a_choice(typed): "{typed} is not a choice." | "{typed} 不是选项。";
        left_out[n, typed]: "{typed} is not a choice: left out." / "{typed} are not choices: left out." | "{typed} 不是选项，已略去。";
    }
}

phrases! {
    /// What can be typed besides an answer.
    PlainHelp {
        pick_keys: "1, 2, …" | "1、2、…";
        pick: "pick a choice (1,3 picks several where allowed)" | "选择选项（可多选时 1,3 表示选两项）";
        other_keys: "0 or other" | "0 或 `other`";
        other: "type your own answer" | "自己填写答案";
        back: "go back to the previous question" | "返回上一个问题";
        note_keys: "/note TEXT" | "/note 文字";
        note: "add a note to the answer" | "给答案加备注";
        cancel_keys: "/cancel WHY" | "/cancel 原因";
        cancel: "decline to answer" | "取消问题";
    }
}
