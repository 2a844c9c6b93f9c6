//! What keys do: in a word on the lower border, and explained in the help.

phrases! {
    /// What a key does, in a word or two.
    KeyWords {
        moves: "move" | "移动";
        picks: "pick" | "选择";
        sends: "send" | "确认";
        next: "next" | "继续";
        changes: "change" | "修改";
        chooses: "choose" | "确认";
        note: "note" | "备注";
        save_note: "save note" | "保存备注";
        new_line: "new line" | "换行";
        back: "back" | "返回";
        keys: "keys" | "按键";
        switches: "switch" | "切换";
        leaves: "leave" | "离开";
        quits: "leave" | "退出";
        inbox: "inbox" | "收件箱";
        read_all: "read all" | "看完";
        declines: "decline" | "取消问题";
        declines_row: "decline" | "取消";
        opens: "open" | "打开";
        answer_now: "answer now" | "直接回答";
        answer_marked: "answer the marked" | "回答已标记的";
        marks: "mark" | "标记";
        undo: "undo" | "撤销";
        show_new: "show new" | "显示新问题";
        earlier_answer: "earlier answer" | "旧答案";
        conversation: "conversation" | "对话";
        search: "search" | "查找";
        history: "history" | "历史";
        to_list: "to the list" | "到列表";
        all: "all" | "全部";
        reads: "read" | "查看";
        scrolls: "scroll" | "滚动";
        back_to_inbox: "back to the inbox" | "返回收件箱";
    }
}

phrases! {
    /// What keys do in the panel, explained.
    PanelKeys {
        moves: "move" | "移动";
        by_number: "pick a choice by its number" | "按编号选择";
        yes_no: "pick Yes or No" | "选“是”或“否”";
        other: "Other: write your own answer" | "其他：自己写答案";
        space: "pick or unpick" | "选择或取消选择";
        enter: "pick the choice at ❯ and continue; with several picks, just continue" | "选中 ❯ 处并继续；多选时直接继续";
        tab: "next question, picks nothing" | "下一个问题，不做选择";
        shift_tab: "previous question" | "上一个问题";
        note: "add a note to the answer" | "给答案加备注";
        scrolls: "scroll" | "滚动";
        leaves: "leave (asks first)" | "离开（会先询问）";
        quits: "quit without answering" | "退出，不回答";
        suspends: "suspend; fg resumes" | "挂起，用 fg 恢复";
        confirms: "confirm" | "确认";
        new_line: "new line" | "换行";
        line_ends: "start or end of the line" | "行首、行尾";
        word: "delete the word before the cursor" | "删除光标前的一个词";
        to_line_ends: "delete to the start or end of the line" | "删除到行首、行尾";
        both_tabs: "next question, previous question" | "下一个、上一个问题";
        back_or_leave: "back, or leave (asks first)" | "返回或离开（会先询问）";
        back_or_inbox: "back, or to the inbox; the question keeps waiting" | "返回，或回到收件箱，问题仍待回答";
    }
}

phrases! {
    /// What keys do in the inbox, explained.
    InboxKeys {
        moves: "move; g G: first, last" | "移动；g G 到首尾";
        opens: "open the question" | "打开问题";
        by_number: "answer at once if all of it is shown, otherwise open it" | "全文已显示时直接回答，否则打开";
        undo: "undo an answer given by number, for a few seconds" | "几秒内撤销用数字给出的回答";
        show_new: "show new questions" | "显示新来的问题";
        marks: "mark, to answer identical questions together" | "标记，一次回答相同的问题";
        mark_all: "mark all identical questions" | "标记所有相同的问题";
        reuse: "open, filled in with your earlier answer" | "打开并填入以前的答案";
        declines: "decline; a reason is optional" | "取消问题，可写原因";
        conversation: "show the conversation" | "查看前后对话";
        search: "search" | "查找";
        history: "history" | "历史";
        clears: "clear the search or the marks" | "清除查找或标记";
        leaves: "leave; questions keep waiting" | "退出，问题仍待回答";
        suspends: "suspend; fg resumes" | "挂起，用 fg 恢复";
        reads: "read it in full" | "查看全文";
        search_past: "search all past questions" | "查找所有历史问题";
        back: "back to the inbox" | "返回收件箱";
    }
}
