//! What the page's script says, and what both it and the server say.

use crate::Phrase;
use crate::time::Time;

phrases! {
    /// The words of the script, which fills in their places itself.
    Script {
        agent: "Agent" | "智能体";
        thinking: "Thinking" | "思考过程";
        line_lost: "Connection lost. Reconnecting… What you write is kept." | "连接中断，正在重连… 你写的内容会保留。";
        line_offline: "You are offline. What you write is kept, and answers are sent when you're back online." | "你已离线。你写的内容会保留，回答将在恢复连接后提交。";
        line_back: "Back online." | "已恢复连接。";
        line_waiting[n]: "{n} answer will be sent when you're back online." / "{n} answers will be sent when you're back online." | "{n} 个回答将在恢复连接后提交。";
        arrived(agent, title): "New question from {agent}: {title}" | "{agent} 的新问题：{title}";
        arrived_plain: "New question waiting." | "有新问题待回答。";
        ended_elsewhere: "This question has ended." | "此问题已结束。";
        draft_saving: "Saving…" | "正在保存…";
        draft_saved: "Saved" | "已保存";
        draft_local: "Saved on this device only" | "仅保存在本设备";
        draft_restored: "Your draft is back." | "你的草稿已恢复。";
        sheet_elsewhere: "Changed on another device or by another person. What you wrote here is kept." | "内容在其他设备上或被他人修改。你在这里写的内容已保留。";
        sheet_show: "Show the other version" | "显示另一版本";
        sheet_loaded: "Updated with changes made elsewhere." | "已更新为别处填写的内容。";
        sending: "Sending…" | "正在提交…";
        sent: "Answer sent." | "回答已提交。";
        not_sent: "Your answer was not sent." | "你的回答没有提交。";
        faults[n]: "Not sent: {n} question still needs a valid answer." / "Not sent: {n} questions still need a valid answer." | "尚未提交：请检查标出的 {n} 个问题。";
        try_again: "That didn't work. Nothing is lost: try again." | "未成功。内容没有丢失，请重试。";
        busy: "askuser is busy. Nothing is lost: try again in a moment." | "askuser 繁忙。内容没有丢失，请稍后重试。";
        no_line: "No connection. Nothing was sent; what you wrote is kept." | "没有连接。什么都没有提交，你写的内容已保留。";
        to_be_sent: "Will be sent when you're back online." | "将在恢复连接后提交。";
        queued_drop: "Do not send" | "不提交";
        queued_dropped: "It will not be sent. What you wrote is still in the form." | "不会提交。你写的内容仍在表单中。";
        queued_sent: "Your saved answer was sent." | "已保存的回答已提交。";
        queued_ended: "The question ended before your answer could be sent." | "你的回答提交之前，问题已结束。";
        queued_faults: "Your saved answer is not valid. Check it again." | "已保存的回答不符合要求，请重新检查。";
        secret_offline: "No connection. Secrets are never saved on this device: send it again when you're back online." | "没有连接。机密内容不会保存在本设备，请在恢复连接后重新提交。";
        kept_title: "Your unsent answer" | "你未提交的回答";
        kept_copy: "Copy" | "复制";
        kept_copied: "Copied." | "已复制。";
        kept_drop: "Discard" | "丢弃";
        kept_dropped: "Discarded." | "已丢弃。";
        back: "Back" | "上一个";
        next: "Next question" | "下一个问题";
        progress(n, all): "{n} of {all}" | "第 {n} 个，共 {all} 个";
        here(name): "{name} is looking at this too." | "{name} 也在查看。";
        typing(name): "{name} is writing an answer." | "{name} 正在填写回答。";
        somebody: "Somebody else" | "另一个人";
        time_is_up: "time is up" | "时间已到";
        read_aloud: "Read aloud" | "朗读";
        read_stop: "Stop reading" | "停止朗读";
        dictate: "Answer by voice" | "语音回答";
        dictate_stop: "Stop listening" | "停止聆听";
        dictate_heard(text): "Heard: {text}" | "听到：{text}";
        dictate_picked(text): "Picked: {text}" | "已选：{text}";
        dictate_failed: "Could not understand that." | "没有听懂。";
        notify_denied: "This browser blocks notifications from this page." | "浏览器不允许此页面发送通知。";
        notify_allowed: "Notifications are on." | "已开启通知。";
        sign_out_offline: "No connection. The data on this device is deleted; sign out again when you're back online." | "没有连接。本设备上的数据已删除；恢复连接后请再次退出登录。";
        new_asks[n]: "{n} new question" / "{n} new questions" | "{n} 个新问题";
        just_changed: "The page just changed. Check what is there, then press again." | "页面刚刚有变化，请看清后再按一次。";
        held: "Answered. Press u to undo." | "已回答。按 u 可撤销。";
        undo: "Undo" | "撤销";
        undo_left(n): "Undo ({n})" | "撤销（{n}）";
        undone: "Answer undone. The question is waiting again." | "已撤销回答，问题重新待回答。";
    }
}

impl Script {
    /// Returns every word that the script says by its name there, `lineLost`, with its places still to be
    /// filled in; what is said of one otherwise than of many has a second word, `lineWaitingOne`.
    pub fn all(self) -> impl Iterator<Item = (String, &'static str)> {
        Self::ALL.iter().chain(Time::ALL).flat_map(move |phrase| self.named(phrase))
    }

    fn named(self, phrase: &Phrase) -> impl Iterator<Item = (String, &'static str)> + use<> {
        let name = camel(phrase.name);
        let one = phrase.one.map(|one| (format!("{name}One"), self.0.pick(one, phrase.chinese)));
        [(name, self.0.pick(phrase.english, phrase.chinese))].into_iter().chain(one)
    }
}

fn camel(name: &str) -> String {
    let mut written = String::new();
    for (place, part) in name.split('_').enumerate() {
        let (first, rest) = part.split_at(part.len().min(1));
        written.push_str(&if place == 0 { first.to_owned() } else { first.to_ascii_uppercase() });
        written.push_str(rest);
    }
    written
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::Language;

    #[test]
    fn the_script_fills_in_the_places_itself() {
        let said: BTreeMap<_, _> = Script(Language::English).all().collect();
        assert_eq!(said["newAsks"], "{n} new questions");
        assert_eq!(said["newAsksOne"], "{n} new question");
        assert_eq!(said["minutes"], "{n} min");
        assert_eq!(said.len(), Script(Language::Chinese).all().count(), "two tables have one name");
    }
}
