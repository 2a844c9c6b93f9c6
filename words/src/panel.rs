//! What the panel says: its titles and rows, what it tells, and what stays behind when it is gone.
//!
//! Short, plain, no exclamation marks. Texts of the asker are never translated.

use askuser_core::problem::Fault;
use askuser_core::question::{Kind, Question};
use askuser_core::session::rounds_in_all;

use crate::Language;

phrases! {
    /// What the panel says.
    Panel {
        question: "Question" | "问题";
        review: "Review" | "检查答案";
        review_intro: "Check the answers before they are sent." | "确认之前请检查答案。";
        send: "Send" | "确认";
        not_answered: "not answered" | "未回答";
        help: "Keys" | "按键";
        leave: "Leave" | "离开";
        leave_intro: "Nothing has been sent." | "还没有发送任何内容。";
        back: "Go back" | "返回";
        back_means: "to the question" | "回到问题";
        decline: "Decline" | "取消问题";
        decline_means: "the agent is told that you declined" | "智能体会知道你取消了问题";
        later: "Answer later" | "稍后回答";
        later_means: "the question keeps waiting, here and elsewhere" | "问题仍待回答，可在这里或别处回答";
        reason_intro: "Say why, if you like. Enter declines." | "可以写下原因，也可以留空。按 Enter 取消问题。";
        other: "Other…" | "其他…";
        other_is: "Other: " | "其他：";
        yes: "Yes" | "是";
        no: "No" | "否";
        recommended: "★ recommended" | "★ 推荐";
        suggested: "suggested" | "建议";
        note: "Note" | "备注";
        preview: "Preview" | "预览";
        type_here: "type your answer" | "写下你的答案";
        nothing_typed: "Nothing typed yet. Press Enter again to go back to the choices." | "还没有输入内容。再按一次 Enter 返回选项。";
        no_field: "Pasted text needs a text field: press 0 for Other first." | "粘贴的文字只能放进输入框：先按 0 选择“其他”。";
        not_read: "Part of the question is still out of sight: PgUp and PgDn show the rest." | "还有内容没有显示过：按 PgUp、PgDn 看完再回答。";
        waits: "Queued: earlier questions of this conversation come first. You can fill it in now and send it when its turn comes." | "排队中：同一对话里更早的问题先回答。可以现在填写，轮到时再发送。";
        no_is_no: "To refuse, answer No. Ctrl-C quits without an answer." | "要拒绝请选“否”。按 Ctrl-C 退出，不作回答。";
        folder: "Folder" | "文件夹";
        only_one: "There is no other question." | "没有其他问题了。";
        nothing_to_answer: "There is nothing left to answer." | "没有需要回答的问题。";
        declined: "Declined" | "已取消";
        left_open: "Left for later" | "留待稍后回答";
        interrupted: "Interrupted, not answered" | "已中断，未回答";
        timed_out: "Timed out, no answer was sent" | "已超时，没有发送答案";
        in_brackets(what): "({what})" | "（{what}）";
        colon: ": " | "：";
        comma: ", " | "、";
        semicolon: "; " | "；";
        round(n): "Round {n}" | "第 {n} 轮";
        round_of(n, all): "Round {n}/{all}" | "第 {n}/{all} 轮";
        question_of(n, all): "question {n} of {all}" | "问题 {n}/{all}";
        question_of_short(n, all): "{n} of {all}" | "{n}/{all}";
        more_lines[n]: "{n} more line" / "{n} more lines" | "还有 {n} 行";
        running(what): "Running: {what}" | "正在执行：{what}";
        nothing_picked: "Nothing picked yet: Space picks." | "还没有选择：按空格键选择。";
        pick_here: "This needs an answer: Enter picks the choice at ❯." | "这个问题需要回答：按 Enter 选择 ❯ 处的选项。";
        unpick(fault): "{fault} Space unpicks." | "{fault}按空格键取消选择。";
        cut_end[n]: "Left out: the last character, too long." / "Left out: the last {n} characters, too long." | "已略去：末尾 {n} 个字符，超出上限。";
        cut_controls[n]: "Left out: {n} control character." / "Left out: {n} control characters." | "已略去：{n} 个控制字符。";
    }
}

impl Language {
    /// Returns its words.
    pub fn words(self) -> Panel {
        Panel(self)
    }

    /// Says which round it is.
    pub fn round(self, number: u32, total: Option<u32>) -> String {
        match rounds_in_all(number, total) {
            Some(all) => self.words().round_of(number, all),
            None => self.words().round(number),
        }
    }

    /// Says what is wrong with an answer and which key helps.
    pub fn fault(self, fault: &Fault, question: &Question) -> String {
        let words = self.words();
        match (fault, question.kind) {
            (Fault::Missing, Kind::SomeOf { .. }) => words.nothing_picked().to_owned(),
            (Fault::Missing, Kind::OneOf | Kind::YesNo) => words.pick_here().to_owned(),
            (Fault::TooManyItems { .. }, Kind::SomeOf { .. }) => words.unpick(self.unfit(fault)),
            _ => self.unfit(fault),
        }
    }

    /// Says that something pasted was not taken.
    pub fn left_out(self, control_chars: usize, too_many_chars: usize) -> Option<String> {
        match (control_chars, too_many_chars) {
            (0, 0) => None,
            (0, n) => Some(self.words().cut_end(n)),
            (n, _) => Some(self.words().cut_controls(n)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_names_the_language() {
        let check = |vars: &[(&str, &str)], expected| {
            let get = |name: &str| {
                let found = vars.iter().find(|(own, _)| *own == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(Language::of_person(get), expected, "{vars:?}");
        };
        check(&[], Language::English);
        check(&[("LANG", "zh_CN.UTF-8")], Language::Chinese);
        check(&[("LANG", "zh_CN"), ("LC_ALL", "C")], Language::English);
        check(&[("LANG", "zh_CN"), ("LC_ALL", "")], Language::Chinese);
        check(&[("LC_ALL", "de_DE"), ("ASKUSER_LANG", "ZH")], Language::Chinese);
    }
}
