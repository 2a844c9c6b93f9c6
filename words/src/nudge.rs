//! What a person is notified of outside of the page, and what they hear when they answer there.

phrases! {
    /// Notifications.
    Nudges {
        test: "askuser test" | "askuser 测试";
        works: "It works: notifications reach you here." | "测试成功：通知可以送达。";
        asks(who): "{who} asks" | "{who} 有问题";
        still_waiting(who): "{who} is still waiting" | "{who} 仍在等待";
        waiting_for(who, whom): "{who} is waiting for {whom}" | "{who} 正在等待 {whom}";
        several[n]: "{n} question waiting" / "{n} questions waiting" | "{n} 个问题待回答";
    }
}

phrases! {
    /// Why a link, or a button of a notification, answers nothing.
    Links {
        unknown: "This link is not valid, or too old." | "此链接无效，或因过旧已被清除。";
        too_old: "This link is too old." | "此链接已过期。";
        not_yours: "This is for somebody else." | "这是发给其他人的。";
        answered_before: "You have already answered this question." | "你已经回答过此问题。";
        needs_sign_in: "This question asks for permission: sign in to answer it." | "此问题请求授权：请登录后回答。";
        unfit(why): "Not answered: {why}." | "没有回答：{why}。";
        no_button: "This question is too long for a button: open it to answer." | "此问题太长，无法用按钮回答：请打开后回答。";
        no_choice: "This question does not have that option." | "此问题没有该选项。";
        button_too_old: "This button is too old." | "此按钮已过期。";
    }
}
