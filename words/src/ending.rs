//! How a question ended: one wording for every surface.

use askuser_core::id::UserId;
use askuser_core::outcome::{AnsweredBy, By, Channel, Ending, Outcome};
use askuser_core::text::shown;

use crate::Language;

phrases! {
    /// How a question ended, by whom and where.
    Ended {
        answered: "Answered" | "已回答";
        declined: "Declined" | "已取消";
        withdrawn: "Withdrawn" | "已撤回";
        timed_out: "Timed out" | "已超时";
        disagreement: "No agreement" | "意见不一致";
        by_default: "Answered by default, nobody answered in time" | "无人及时回答，按默认值回答";
        by_rule: "Answered by your rule" | "按你的规则回答";
        by_agent: "Withdrawn by the agent" | "已由智能体撤回";
        nobody_in_time: "Timed out, nobody answered in time" | "已超时，无人及时回答";
        no_agreement: "They did not agree" | "大家的回答不一致";
        answered_at(place): "Answered {place}" | "已回答（{place}）";
        answered_by(who, place): "Answered by {who} {place}" | "已回答（{who}，{place}）";
        you_answered(place): "You answered {place}" | "你已回答（{place}）";
        declined_at(place): "Declined {place}" | "已取消（{place}）";
        declined_by(who, place): "Declined by {who} {place}" | "已取消（{who}，{place}）";
        you_declined(place): "You declined {place}" | "你已取消（{place}）";
        agent_told: "The agent was told that nobody answered." | "已告知智能体无人回答。";
        task_stopped: "The task was stopped." | "任务已停止。";
        each_answer: "The agent gets each person's answer." | "每个人的回答都会交给智能体。";
        sentence(words): "{words}." | "{words}。";
        being_answered(who, place): "Being answered by {who} {place}" | "{who} 正在回答（{place}）";
    }
}

phrases! {
    /// Where something was done.
    Place {
        terminal: "in the terminal" | "终端";
        browser: "in the browser" | "浏览器";
        command: "with a command" | "命令";
        agent_dialog: "in the agent's own dialog" | "智能体自己的对话框";
        agent: "by the agent" | "智能体";
        server: "automatically" | "自动";
        service(name): "on {name}" | "{name}";
    }
}

impl Language {
    /// Says through what something was done: `in the browser`.
    pub fn place(self, channel: &Channel) -> String {
        let place = Place(self);
        let fixed = match channel {
            Channel::Terminal => place.terminal(),
            Channel::Web => place.browser(),
            Channel::Api => place.command(),
            Channel::AgentDialog => place.agent_dialog(),
            Channel::Agent => place.agent(),
            Channel::Server => place.server(),
            Channel::Notify(service) => return place.service(shown(service)),
        };
        fixed.to_owned()
    }

    /// Says in a word or two how an ask ended.
    pub fn ending(self, outcome: &Outcome) -> &'static str {
        let said = Ended(self);
        match outcome.ending {
            Ending::Answered(_) if outcome.is_disagreement() => said.disagreement(),
            Ending::Answered(_) => said.answered(),
            Ending::Declined => said.declined(),
            Ending::Withdrawn => said.withdrawn(),
            Ending::Expired { .. } => said.timed_out(),
        }
    }

    /// Says how an ask ended, by whom and where: `Answered by ann in the browser`. No full stop, so that
    /// more can follow.
    pub fn ended(self, outcome: &Outcome) -> String {
        let said = Ended(self);
        match outcome.ending {
            Ending::Answered(_) if outcome.is_disagreement() => said.no_agreement().to_owned(),
            Ending::Answered(AnsweredBy::Default) => said.by_default().to_owned(),
            Ending::Answered(AnsweredBy::Rule) => said.by_rule().to_owned(),
            Ending::Answered(_) => self.answered_by(&outcome.by),
            Ending::Declined => self.declined_by(&outcome.by),
            Ending::Withdrawn if outcome.by.channel == Channel::Agent => said.by_agent().to_owned(),
            Ending::Withdrawn => said.withdrawn().to_owned(),
            Ending::Expired { .. } => said.nobody_in_time().to_owned(),
        }
    }

    /// The same to a person, who is not called by name: `You answered in the browser`.
    pub fn ended_to(self, outcome: &Outcome, reader: Option<&UserId>) -> String {
        let is_own = reader.is_some() && outcome.by.user.as_ref() == reader;
        match outcome.ending {
            Ending::Answered(AnsweredBy::Person | AnsweredBy::AgentDialog)
                if is_own && !outcome.is_disagreement() =>
            {
                Ended(self).you_answered(self.place(&outcome.by.channel))
            }
            Ending::Declined if is_own => Ended(self).you_declined(self.place(&outcome.by.channel)),
            _ => self.ended(outcome),
        }
    }

    /// Says what came of it, where how it ended does not say that.
    pub fn what_came_of_it(self, outcome: &Outcome) -> Option<&'static str> {
        let said = Ended(self);
        match outcome.ending {
            Ending::Answered(_) if outcome.is_disagreement() => Some(said.each_answer()),
            Ending::Expired { abort: true, .. } => Some(said.task_stopped()),
            Ending::Expired { .. } => Some(said.agent_told()),
            _ => None,
        }
    }

    /// Says how an ask ended and what came of it, in whole sentences.
    pub fn how_it_ended(self, outcome: &Outcome, reader: Option<&UserId>) -> String {
        let ended = Ended(self).sentence(self.ended_to(outcome, reader));
        match self.what_came_of_it(outcome) {
            Some(more) => format!("{ended}{}{more}", self.pick(" ", "")),
            None => ended,
        }
    }

    /// Says that somebody answered, and where.
    pub fn answered_by(self, by: &By) -> String {
        let (said, place) = (Ended(self), self.place(&by.channel));
        match &by.user {
            Some(user) => said.answered_by(shown(user.as_str()), place),
            None => said.answered_at(place),
        }
    }

    /// Says who is about to answer, and where.
    pub fn being_answered(self, user: &str, channel: &Channel) -> String {
        Ended(self).being_answered(shown(user), self.place(channel))
    }

    /// Says that somebody declined, and where.
    pub fn declined_by(self, by: &By) -> String {
        let (said, place) = (Ended(self), self.place(&by.channel));
        match &by.user {
            Some(user) => said.declined_by(shown(user.as_str()), place),
            None => said.declined_at(place),
        }
    }
}

#[cfg(test)]
mod tests {
    use askuser_core::answer::Answers;
    use askuser_core::outcome::{CancelStatus, Proof};
    use askuser_core::time::Timestamp;

    use super::*;

    fn said(ending: Ending, user: Option<&str>, channel: Channel) -> [String; 2] {
        let by = By::new(user.map(Into::into), channel, Proof::Cookie);
        let outcome = Outcome {
            ending,
            by,
            at: Timestamp(0),
            comment: None,
            answers: Answers::default(),
            voices: Vec::new(),
        };
        [Language::English, Language::Chinese].map(|language| language.ended(&outcome))
    }

    #[test]
    fn it_says_how_by_whom_and_where() {
        let ann = Some("ann");
        let person = Ending::Answered(AnsweredBy::Person);
        assert_eq!(
            said(person, ann, Channel::Web),
            ["Answered by ann in the browser", "已回答（ann，浏览器）"]
        );
        assert_eq!(said(person, None, Channel::Terminal), ["Answered in the terminal", "已回答（终端）"]);
        assert_eq!(
            said(Ending::Declined, ann, Channel::Notify("Sl\u{1b}ack".into())),
            ["Declined by ann on Sl␛ack", "已取消（ann，Sl␛ack）"]
        );
        assert_eq!(
            said(Ending::Withdrawn, None, Channel::Agent),
            ["Withdrawn by the agent", "已由智能体撤回"]
        );
        let rule = Ending::Answered(AnsweredBy::Rule);
        assert_eq!(said(rule, None, Channel::Server), ["Answered by your rule", "按你的规则回答"]);
        let expired = Ending::Expired { told_as: CancelStatus::Timeout, abort: false };
        assert_eq!(
            said(expired, None, Channel::Server),
            ["Timed out, nobody answered in time", "已超时，无人及时回答"]
        );
    }
}
