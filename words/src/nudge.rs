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

phrases! {
    /// Why another program gives no answer.
    Unanswered {
        no_address(url): "`{url}` does not begin with http:// or https://" | "`{url}` 不是以 `http://` 或 `https://` 开头的地址";
        no_host(url): "`{url}` has no host" | "`{url}` 没有主机名";
        no_connection(seconds): "no connection within {seconds} s" | "{seconds} 秒内没有连接上";
        no_tls(seconds): "no TLS within {seconds} s" | "{seconds} 秒内没有完成 TLS 握手";
        no_answer(seconds): "no answer within {seconds} s" | "{seconds} 秒内没有回应";
        not_encrypted(why): "no encrypted connection: {why}" | "无法加密连接：{why}";
        no_tls_name(name): "no encrypted connection: a certificate cannot have the name `{name}`" | "无法加密连接：证书不能使用名称 `{name}`";
        too_long(max): "the answer is longer than {max} bytes" | "回应超过 {max} 字节";
    }
}

phrases! {
    /// Why a notification was not sent.
    Undelivered {
        answered(status): "the service answered {status}" | "对方返回 {status}";
        answered_more(what, why): "{what}: {why}" | "{what}：{why}";
        redirects(status): "the service answered {status}, and redirects are not followed" | "对方返回 {status}，不会跟随重定向";
        answered_nothing: "the service gave no usable reply" | "对方没有返回有效内容";
        no_message: "the service did not confirm the message" | "对方没有确认收到消息";
        not_ntfy: "the server did not confirm the message: is it an ntfy server?" | "服务器没有确认收到消息：它是 ntfy 服务器吗？";
        late(seconds): "not sent within {seconds} s" | "{seconds} 秒内没有发出";
        push_service: "the push service" | "推送服务";
        no_desktop: "there is no desktop here: start askuser from one, or use another channel" | "这里没有桌面环境：请在桌面环境中启动 askuser，或改用其他渠道";
        no_program: "`command` names no program" | "`command` 没有指定程序";
        program(name, why): "{name}: {why}" | "{name}：{why}";
        ended(name, status): "{name} failed ({status})" | "{name} 运行失败（{status}）";
        ran_too_long(name, seconds): "{name} was stopped after {seconds} s" | "{name} 运行超过 {seconds} 秒，已停止";
        no_token(name, begins): "`{name}` is not a token: one begins with {begins}" | "`{name}` 不是令牌：令牌以 {begins} 开头";
        no_bot_token: "`token` is not a bot token: one looks like 12345:letters" | "`token` 不是机器人令牌：形如 12345:字母";
        no_topic: "a topic has 1 to 64 letters, digits, `-` and `_`" | "主题由 1 到 64 个字母、数字、`-` 和 `_` 组成";
        no_mail_server(url): "`{url}` is not an address that begins with smtps:// or smtp://" | "`{url}` 不是以 `smtps://` 或 `smtp://` 开头的地址";
        no_mailbox(address): "`{address}` is not an e-mail address" | "`{address}` 不是邮件地址";
        no_encryption: "the server does not offer STARTTLS, and nothing is sent unencrypted: use smtps://" | "服务器不支持 STARTTLS，不会以明文发送：请使用 `smtps://`";
        too_much_said: "the server's reply is too long" | "服务器的回复过长";
        push_off: "`notify.web_push` is false" | "`notify.web_push` 为 `false`";
        only_the_server: "browsers are notified by the running server only" | "只有运行中的服务会通知浏览器";
        no_webhook_secret: "the secret of the webhook is not `whsec_` and base64" | "`webhook` 的密钥应为 `whsec_` 加 `base64` 编码";
        not_a_mail: "the text cannot be sent as an e-mail" | "正文无法作为邮件发送";
        certificates(file, why): "the certificates in {file}: {why}" | "{file} 中的证书：{why}";
        no_browser_key: "the browser's key is not valid" | "浏览器的密钥无效";
    }
}
