//! Why askuser itself took a question back, or a task ended or changed. It is kept in English with what happened, for
//! programs, and said on a screen in its person's language; what a person or an agent wrote is left as it is.

use std::borrow::Cow;

use crate::{Language, Phrase};

phrases! {
    /// Why something ended, and what a task says of itself.
    Reasons {
        // A question that is taken back.
        settled: "settled in the agent's own dialog" | "已在智能体自己的对话框中处理";
        conversation_ended: "the agent's conversation has ended" | "智能体的对话已结束";
        agent_left: "the agent no longer waits for it" | "智能体已不再等待";
        agent_went_on: "the agent has gone on without it" | "智能体没有等待，已继续";
        agent_gone: "the agent is gone" | "智能体已退出";
        asker_gone: "the agent that asked is gone: resume the task" | "提问的智能体已退出：请继续任务";
        took_it_back: "the agent took it back" | "智能体已收回";
        task_stopped: "the task was stopped" | "任务已停止";
        task_ended: "the task has ended" | "任务已结束";
        server_stopped: "askuser was stopped while the agent waited" | "智能体等待期间 askuser 被停止";
        // A task that failed.
        token_limit: "the agent reached its model's output limit" | "智能体达到模型的输出上限";
        turn_limit: "the agent reached its limit of requests in one turn" | "智能体达到单轮请求数的上限";
        refused: "the agent refused to continue" | "智能体拒绝继续";
        stopped_itself: "the agent stopped and gave no reason" | "智能体停止了，没有说明原因";
        not_started(why): "the agent did not start: {why}" | "智能体没有启动：{why}";
        not_run(command, why): "`{command}` could not be started: {why}" | "无法启动 `{command}`：{why}";
        start_not_saved(why): "the start of the agent could not be saved: {why}" | "智能体启动的记录保存失败：{why}";
        ended_early(how): "the agent ended before its work was done ({how})" | "智能体未完成就退出了（{how}）";
        ended_early_saying(how, last): "the agent ended before its work was done ({how}): {last}" | "智能体未完成就退出了（{how}）：{last}";
        did_not_end: "it did not end" | "没有退出";
        server_away(name): "the server that ran it{name} has been unreachable for a while: resume it" | "运行它的服务{name}已失联一段时间：请继续任务";
        server_away_before(name): "the server where it was queued{name} has been unreachable for a while: resume it" | "它排队所在的服务{name}已失联一段时间：请继续任务";
        not_merged(branch, into): "`{branch}` could not be merged into `{into}` automatically: merge it by hand" | "`{branch}` 无法自动合并到 `{into}`：请手动合并";
        // What a task says of itself.
        merged(branch, into): "Merged `{branch}` into `{into}`." | "已把 `{branch}` 合并到 `{into}`。";
        begins_new: "This agent cannot resume a conversation, so it starts a new one." | "此智能体无法继续以前的对话，将开始新的对话。";
        cut_off: "The agent's output ended in the middle of a line." | "智能体的输出在一行中间中断。";
        summarized: "The agent summarized the conversation so far." | "智能体对目前的对话做了总结。";
        line_skipped(bytes): "The agent printed a line of {bytes} bytes; it was skipped." | "智能体打印了一行 {bytes} 字节的内容，已跳过。";
    }
}

impl Language {
    /// Says a reason in this language if it is one of ours.
    pub fn reason(self, text: &str) -> Cow<'_, str> {
        let ours = || Reasons::ALL.iter().find_map(|phrase| translated(phrase, text));
        match self {
            Self::English => Cow::Borrowed(text),
            Self::Chinese => ours().map_or(Cow::Borrowed(text), Cow::Owned),
        }
    }
}

/// Returns the Chinese of a text that was made of this phrase.
fn translated(phrase: &Phrase, text: &str) -> Option<String> {
    let mut said = phrase.chinese.to_owned();
    let (mut pattern, mut rest) = (phrase.english, text);
    while let Some((before, after)) = pattern.split_once('{') {
        let (name, after) = after.split_once('}')?;
        rest = rest.strip_prefix(before)?;
        let fixed = after.split('{').next().unwrap_or_default();
        let end = if fixed.is_empty() { rest.len() } else { rest.find(fixed)? };
        let (filled, behind) = rest.split_at_checked(end)?;
        said = said.replace(&format!("{{{name}}}"), filled);
        (pattern, rest) = (after, behind);
    }
    (pattern == rest).then_some(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_reasons_are_said_in_chinese_and_others_as_they_are() {
        let english = Reasons(Language::English);
        for (text, chinese) in [
            (english.settled().to_owned(), "已在智能体自己的对话框中处理"),
            (english.not_started("no `PATH`"), "智能体没有启动：no `PATH`"),
            (english.not_merged("try", "main"), "`try` 无法自动合并到 `main`：请手动合并"),
            (english.merged("try", "main"), "已把 `try` 合并到 `main`。"),
            ("not before Monday".to_owned(), "not before Monday"),
            (format!("{}!", english.settled()), "settled in the agent's own dialog!"),
            ("the agent did not start".to_owned(), "the agent did not start"),
            (String::new(), ""),
        ] {
            assert_eq!(Language::Chinese.reason(&text), chinese);
            assert_eq!(Language::English.reason(&text), text);
        }
    }
}
