//! What is printed around the prompt: that a question waits, how to come back to it, what became of an answer.

use crate::Language;

phrases! {
    /// What is printed around the prompt.
    Prompt {
        waiting(known): "Waiting for an answer: `askuser answer` or `askuser open` ({known})" | "等待回答：`askuser answer` 或 `askuser open`（{known}）";
        waiting_for_user(known): "Waiting for an answer from the user ({known})" | "等待用户回答（{known}）";
        come_back(id): "Not answered yet: `askuser answer` or `askuser open` shows it again.\nTo wait for the answer: `askuser wait {id}`" | "尚未回答：用 `askuser answer` 或 `askuser open` 可再次打开。\n等待答案：`askuser wait {id}`";
        come_back_to_wait(id): "Not answered yet: `askuser wait {id}` waits for the answer" | "尚未回答：`askuser wait {id}` 可等待答案";
        no_agent_waits: "Nobody is waiting for this right now. The agent gets your answer when it comes back." | "目前没有智能体在等待此问题，它回来后会收到你的回答。";
        others_first: "Other questions come first; your answer is sent when this one's turn comes." | "还有其他问题排在前面，轮到此问题时会发送你的回答。";
        queued(id): "{id} is queued: other questions come first" | "{id} 排队中：还有其他问题排在前面";
        away: "Cannot reach askuser; your answer is sent when it is back." | "暂时连不上 askuser，恢复后会发送你的回答。";
        reconnecting(id): "Cannot reach askuser, reconnecting; {id} keeps waiting" | "连不上 askuser，正在重连；{id} 仍待回答";
        reconnected: "Reconnected" | "已重新连接";
        too_late(how): "Too late, not sent. {how}" | "晚了一步，没有发送。{how}";
        answered_before: "Not sent: you have already answered elsewhere" | "没有发送：你已在别处回答过";
        refused(why, id): "Not sent: {why}. What you entered is kept: `askuser answer {id}` shows it" | "没有发送：{why}。你填写的内容已保留：`askuser answer {id}` 可再次打开";
        starting: "askuser is starting; your answer is saved as soon as it runs" | "askuser 正在启动，启动后即保存你的回答";
        not_here(why): "It cannot be answered in this terminal: {why}" | "无法在此终端中回答：{why}";
        for_others: "you have already answered, or it is for others" | "你已经回答过，或者不是向你提的问题";
        lines_ended: "The piped lines ended before every question was answered." | "管道输入已结束，但问题尚未全部回答。";
        not_ended: "askuser did not end the question" | "askuser 未能结束此问题";
        no_signals(why): "cannot listen for signals: {why}" | "无法监听信号：{why}";
    }
}

phrases! {
    /// A question as it is printed.
    Printed {
        asked_by(who): "asked by {who}" | "提问者：{who}";
        asked_at(clock, ago): "asked at {clock} ({ago})" | "提问时间：{clock}（{ago}）";
        folder(folder): "in {folder}" | "文件夹：{folder}";
        question(text, how): "{text} ({how})" | "{text}（{how}）";
        more(n): " (+{n} more)" | "（另有 {n} 个）";
        being_answered: "being answered" | "正在回答";
        queued: "queued" | "排队中";
        waiting: "waiting" | "待回答";
    }
}

phrases! {
    /// Several people's answers.
    People {
        you: "you" | "你";
        anyone: "anyone" | "任何人";
        only_for(whom): "for {whom}" | "提问对象：{whom}";
        wanted[n, so_far]: "{n} answer wanted, {so_far} so far" / "{n} answers wanted, {so_far} so far" | "需要 {n} 个回答，{so_far}";
        so_far_none: "none" | "还没有";
        so_far(n): "{n}" | "已有 {n} 个";
        declined(whom): "; declined by {whom}" | "；已取消：{whom}";
        can_answer(whom): "; {whom} can answer" | "；可回答：{whom}";
        waiting_for(whom): "; waiting for {whom}" | "；等待：{whom}";
        and(before, last): "{before} and {last}" | "{before}、{last}";
        or(before, last): "{before} or {last}" | "{before}、{last}";
    }
}

impl Language {
    /// What an agent is called that did not say its name.
    pub fn unnamed_agent(self) -> &'static str {
        Unnamed(self).agent()
    }
}

phrases! {
    /// Whoever did not say a name.
    Unnamed {
        agent: "unnamed agent" | "未命名的智能体";
    }
}
