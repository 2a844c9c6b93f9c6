//! What the page says: what is on every page and in the inbox; a file for each of the rest.

pub mod card;
pub mod history;
pub mod rules;
pub mod script;
pub mod settings;
pub mod signing_in;
pub mod stats;
pub mod tasks;

use std::borrow::Cow;

use askuser_core::question::{Choice, Kind, NO, Question, YES};
use askuser_core::text::shown;

use crate::ending::Ended;
use crate::time::Time;
use card::Card;
use history::History;
use rules::Rules;
use script::Script;
use settings::Settings;
use signing_in::SigningIn;
use stats::Stats;
use tasks::Tasks;

phrases! {
    /// What is on every page, and in the inbox.
    Page {
        own_name: "English" | "简体中文";
        skip: "Skip to content" | "跳到正文";
        needs_attention(alert): "askuser needs attention: {alert}, since" | "askuser 需要处理：{alert}，始于";
        pages: "Pages" | "页面";
        inbox: "Inbox" | "收件箱";
        history: "History" | "历史";
        preferences: "Preferences" | "偏好设置";
        keys: "Keyboard shortcuts" | "快捷键";
        close: "Close" | "关闭";
        save: "Save" | "保存";
        question: "Question" | "问题";
        conversation: "Conversation" | "对话";
        waiting_for_you: "Waiting for you" | "等待你回答";
        nothing_waits: "You're all caught up." | "没有待回答的问题。";
        nothing_waits_why: "Questions from your agents show up here instantly." | "智能体提问后，问题会立即出现在这里。";
        agents_here: "Coding agents where askuser runs" | "运行 askuser 的机器上的编程智能体";
        more_questions[n]: "{n} more question" / "{n} more questions" | "还有 {n} 个问题";
        alike(n): "{n} identical" | "{n} 个相同";
        queued: "queued" | "排队中";
        queued_why: "Queued: answer the earlier questions of this conversation first." | "排队中：请先回答本对话中较早的问题。";
        queued_for(question): "Queued: answer “{question}” first." | "排队中：请先回答“{question}”。";
        open_to_answer: "Open to read and answer" | "打开阅读全文并回答";
        n_waiting(n): "{n} waiting" | "{n} 个待回答";
        back_to_inbox: "Back to inbox" | "返回收件箱";
        open_inbox: "Open your inbox" | "打开收件箱";
        earlier: "Earlier" | "较早";
        later: "Later" | "较新";
        not_here: "There is nothing here" | "此处没有内容";
        not_here_why: "The address is wrong, or this page is not for you." | "地址有误，或你无权查看。";
        not_done: "That didn't work" | "操作未成功";
        away: "Temporarily unavailable" | "暂时不可用";
        away_why: "askuser is restarting, or its database is unavailable. Nothing was changed: try again in a moment." | "askuser 正在重启，或数据库暂时不可用。没有任何改动，请稍后重试。";
        full_why: "The disk is full. Nothing was changed: free some space, then try again." | "磁盘已满。没有任何改动：请先腾出磁盘空间，然后重试。";
        not_flushed_why: "The disk could not save the data: check the disk, then restart askuser." | "磁盘未能写入数据：请先检查磁盘，然后重启 askuser。";
        our_fault: "Something went wrong" | "出错了";
        our_fault_why: "The error is in the log. No conversation is lost." | "错误已记录到日志，对话没有丢失。";
        too_large: "This is too large to send." | "提交的内容过大。";
        key_pick: "Pick an option; 0 is Other" | "选择选项；0 为“其他”";
        key_yes_no: "Pick Yes or No" | "选“是”或“否”";
        key_move: "Move between options" | "在选项之间移动";
        key_confirm: "Confirm" | "确认";
        key_send: "Send from any field" | "在任意输入框中提交";
        key_note: "Add a note; Alt M in a text field" | "添加备注；在输入框中按 Alt M";
        key_again: "Use the last answer again" | "再次填入上次的回答";
        key_list: "Next and previous question in the list" | "列表中的下一个、上一个问题";
        key_undo: "Undo the last answer from the list" | "撤销刚才在列表中给出的回答";
        key_leave: "Leave the field, then the question; it stays waiting" | "离开输入框，再离开问题；问题仍待回答";
        key_help: "Show keyboard shortcuts" | "显示快捷键";
    }
}

impl Page {
    /// Names a choice: by its label, and a plain yes or no in this language.
    pub fn choice<'a>(self, question: &Question, choice: &'a Choice) -> Cow<'a, str> {
        match (question.kind, choice.id.as_str()) {
            (Kind::YesNo, YES) if choice.label.eq_ignore_ascii_case(YES) => self.card().yes().into(),
            (Kind::YesNo, NO) if choice.label.eq_ignore_ascii_case(NO) => self.card().no().into(),
            _ => shown(choice.shown_label()),
        }
    }

    /// Every key, with what it does.
    pub fn keys_do(self) -> [(&'static str, &'static str); 11] {
        [
            ("1 – 9, 0", self.key_pick()),
            ("y, n", self.key_yes_no()),
            ("↑ ↓", self.key_move()),
            ("Enter", self.key_confirm()),
            ("Ctrl Enter", self.key_send()),
            ("m", self.key_note()),
            ("r", self.key_again()),
            ("j, k", self.key_list()),
            ("u", self.key_undo()),
            ("Esc", self.key_leave()),
            ("?", self.key_help()),
        ]
    }

    /// The words of one question.
    pub fn card(self) -> Card {
        Card(self.0)
    }

    /// How a question ended.
    pub fn ended(self) -> Ended {
        Ended(self.0)
    }

    /// The words of the history.
    pub fn talk(self) -> History {
        History(self.0)
    }

    /// The words of the rules.
    pub fn rules(self) -> Rules {
        Rules(self.0)
    }

    /// The words that the script says too.
    pub fn script(self) -> Script {
        Script(self.0)
    }

    /// The words of the preferences.
    pub fn settings(self) -> Settings {
        Settings(self.0)
    }

    /// The words of signing in.
    pub fn signing_in(self) -> SigningIn {
        SigningIn(self.0)
    }

    /// The words of the figures.
    pub fn stats(self) -> Stats {
        Stats(self.0)
    }

    /// The words of the tasks.
    pub fn tasks(self) -> Tasks {
        Tasks(self.0)
    }

    /// Lengths of time.
    pub fn time(self) -> Time {
        Time(self.0)
    }
}
