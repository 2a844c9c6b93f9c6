//! Reaching a person: `open`, `open --qr`, `notify test`.

phrases! {
    /// What `open` and `open --qr` say.
    Opening {
        good_once(left, until): "This link signs you in once, within {left} (until {until}). Do not share it." | "此链接可登录一次，{left}内有效（至 {until}）。请勿分享。";
        opening: "Opening it in the browser…" | "正在浏览器中打开…";
        not_opened(why): "The browser could not be opened: {why}" | "无法打开浏览器：{why}";
        server_goes_on: "The inbox could not be opened; askuser keeps running." | "无法打开收件箱；askuser 会继续运行。";
        needs_trust: "Web push, installing the inbox as an app and using it offline need a certificate your phone trusts; a tunnel or proxy has one: `askuser help phone`." | "网页推送、安装为应用和离线使用都需要手机信任的证书；隧道或代理自带这样的证书：`askuser help phone`。";
        reachable(url): "DEVICES IN THIS NETWORK CAN REACH ASKUSER at {url}." | "此网络中的设备可以访问 askuser：{url}";
        warns(fingerprint): "Your phone will warn about the self-signed certificate. Continue if it shows this SHA-256:\n  {fingerprint}" | "手机会提示证书是自签名的。如果显示的 SHA-256 与此一致，请继续：\n  {fingerprint}";
        not_encrypted(url): "{url} IS NOT ENCRYPTED: anyone on the network can read along and sign in as you." | "{url} 未加密：网络中的任何人都能看到内容，并以你的身份登录。";
        this_machine_only: "askuser listens on this machine only, so no phone can reach it" | "askuser 只监听本机，手机无法访问";
        no_network: "this machine is not connected to a network" | "本机没有连接网络";
        restarting: "Restarting askuser, so that devices in this network can reach it…" | "正在重启 askuser，以便此网络中的设备访问…";
        not_here: "askuser at `ASKUSER_URL` cannot be restarted from here" | "无法从这里重启 `ASKUSER_URL` 所指的 askuser";
        not_here_hint: "run `askuser serve --lan` on that machine" | "请在那台机器上运行 `askuser serve --lan`";
        waiting_first[n]: "askuser has to restart to let other devices in, and a question is waiting" / "askuser has to restart to let other devices in, and {n} questions are waiting" | "需要重启 askuser 才能让其他设备访问，但有 {n} 个问题待回答";
        waiting_hint: "answer first; or run `askuser stop`, which keeps them waiting, and then this command again" | "请先回答；或运行 `askuser stop`（问题会保留），然后再次运行此命令";
        not_stopped: "askuser has not stopped yet" | "askuser 尚未停止";
        try_again: "try again in a moment" | "请稍后再试";
        no_way(file): "`askuser open --qr --lan` lets devices in your network in over HTTPS until askuser stops; `server: {{tls_listen: lan}}` in {file} does so at every start. For a tunnel or proxy, set `server.public_url`: `askuser help phone`" | "`askuser open --qr --lan` 允许同一网络中的设备通过 HTTPS 访问，直到 askuser 停止；在 {file} 中写入 `server: {{tls_listen: lan}}` 则每次启动都允许。使用隧道或代理时请设置 `server.public_url`：`askuser help phone`";
    }
}

phrases! {
    /// What `notify test` says.
    Notifying {
        sent: "sent" | "已发送";
        not_sent(why): "not sent: {why}" | "未发送：{why}";
        none_set_up: "no notification channel is set up" | "没有设置通知渠道";
        none_set_up_hint: "add one under `notify:` in config.yaml: `askuser help notifications`" | "在 config.yaml 的 `notify:` 下添加：`askuser help notifications`";
        person(name): "person `{name}`" | "用户 `{name}`";
        channel(name): "channel `{name}`" | "渠道 `{name}`";
        nothing_for(wanted): "no channel for {wanted}" | "{wanted} 没有通知渠道";
        there_are(names): "the channels are {names}" | "现有渠道：{names}";
    }
}
