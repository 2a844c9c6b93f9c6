//! What the settings are for: of the keys of config.yaml by their names, of what only variables set by the
//! name that `askuser config` gives it.

use crate::{Language, Phrase};

impl Language {
    /// Returns what a setting or a part of the configuration is for.
    pub fn setting(self, name: &str) -> &'static str {
        let found = [SECTIONS, SETTINGS, VARIABLES].into_iter().flatten().find(|phrase| phrase.name == name);
        found.map_or("", |phrase| self.said(phrase))
    }

    /// Returns a line of a sample with the comment at its end in this language.
    pub fn sample_line(self, line: &str) -> String {
        let Some((before, comment)) = line.rsplit_once("# ") else { return line.to_owned() };
        let found = COMMENTS.iter().find(|phrase| phrase.english == comment);
        format!("{before}# {}", found.map_or(comment, |phrase| self.said(phrase)))
    }

    fn said(self, phrase: &Phrase) -> &'static str {
        self.pick(phrase.english, phrase.chinese)
    }
}

phrases! {
    /// What is said of all settings.
    Settings {
        head_file: "askuser configuration: config.yaml in the data folder, or `askuser serve --config FILE`." | "askuser 的配置：数据文件夹中的 config.yaml，或 `askuser serve --config FILE`。";
        head_order: "What counts, from first to last: options (`--set section.key=value`), environment variables, this file, defaults." | "优先级从高到低：命令行选项（`--set section.key=value`）、环境变量、本文件、默认值。";
        head_use: "The values below are the defaults. Remove the # before a key to set it, then run `askuser reload`." | "以下都是默认值。去掉键前面的 # 再修改，然后运行 `askuser reload` 使其生效。";
        head_look: "`askuser config` shows every value and where it comes from." | "`askuser config` 显示每个值及其来源。";
        variable(name): "({name})" | "（{name}）";
        after_restart(name): "({name}; after a restart)" | "（{name}，重启后生效）";
        file(path): "Settings file: {path}" | "配置文件：{path}";
        no_file: "Settings file: none yet; `askuser config --sample` prints one" | "配置文件：还没有；`askuser config --sample` 会打印一份样例";
        from_option: "option" | "命令行选项";
        from_line(line): "line {line} of the file" | "文件第 {line} 行";
        from_default: "default" | "默认值";
        entries[n]: "{n} entry" / "{n} entries" | "{n} 项";
        is_set: "(set)" | "（已设置）";
        of_data_folder: "(from the data folder)" | "（来自数据文件夹）";
        explained: "`askuser config --sample` explains every setting" | "`askuser config --sample` 说明每项设置";
    }
}

catalogue! {
    /// Parts of the configuration.
    SECTIONS {
        "ask_user_question": "Questions: limits, timeouts and rates. Times are seconds, or texts like 90s, 5m or 2h." | "问题：上限、超时和速率。时间写成秒数，或 `90s`、`5m`、`2h` 这样的文本。";
        "desk": "How questions queue, and how much is kept in memory." | "问题如何排队，内存中保留多少。";
        "answers": "How answers are given and delivered." | "答案如何给出和送达。";
        "server": "Where the server listens, and its limits." | "服务在哪里监听，以及各项上限。";
        "mcp": "Agents connected over MCP." | "通过 MCP 接入的智能体。";
        "audit": "The audit log." | "审计日志。";
        "traces": "Traces: one per question, from the agent's call until it continues." | "链路追踪：每个问题一条，从智能体提问到继续运行。";
        "runner": "Running agents with `askuser run`. Off until `agents` and `folders` are set." | "用 `askuser run` 运行智能体。设置 `agents` 和 `folders` 后才启用。";
        "log": "The server's log." | "服务的日志。";
        "alerts": "Alerts: a rule fires when its figure is above `threshold` and clears at `clear` or below. Alerts appear in the log and on the page, and are posted to the webhook, signed as in Standard Webhooks with the secret in keys/webhook. The two rules below are on unless set to null." | "警报：指标高于 `threshold` 时触发，不高于 `clear` 时解除。警报写入日志、显示在页面上，并发送到 `webhook`，按 Standard Webhooks 用 keys/webhook 中的密钥签名。以下两条规则默认启用，设为 `null` 可关闭。";
        "notify": "Notifications for each person, see `askuser help notifications`. Off until somebody is listed. A value that starts with file: is read from that file, relative to the data folder." | "每个人的通知，见 `askuser help notifications`。列出人员后才启用。以 `file:` 开头的值从该文件读取，路径相对于数据文件夹。";
        "agents": "Agents for `askuser run`, see `askuser help runner`." | "供 `askuser run` 使用的智能体，见 `askuser help runner`。";
        "groups": "Groups of users to ask, e.g. with `--for-group ops`; for new questions." | "可以提问的用户组，例如 `--for-group ops`；对新问题生效。";
    }
}

catalogue! {
    /// What each setting is for.
    SETTINGS {
        "ask_user_question.max_concurrent_questions": "Questions of one conversation shown at once; the rest queue and move up." | "同一对话中同时显示的问题数，其余排队依次补上。";
        "ask_user_question.max_sessions_per_user": "Conversations of one user with a waiting question; one more gets 429 `too_many_sessions`." | "每个用户有待回答问题的对话数上限，超出返回 429 `too_many_sessions`。";
        "ask_user_question.question_timeout": "The timeout of questions that set none; null: they wait forever." | "未指定超时的问题的超时时间；`null`：一直等待。";
        "ask_user_question.session_timeout": "How long a conversation without a waiting question stays active." | "没有待回答问题的对话保持多久。";
        "ask_user_question.max_input_length": "Characters a person may type into one field; for new questions." | "每个输入框的字符数上限；对新问题生效。";
        "ask_user_question.cache_ttl": "How long a question template is used before its file is read again; 0: always read it." | "问题模板多久后重新读取文件；0：每次都读取。";
        "ask_user_question.enable_input_validation": "Refuse control characters in answers. Limits apply in any case." | "拒绝含控制字符的答案。各项上限始终有效。";
        "ask_user_question.rate_limit_requests": "Changes one key may make in one conversation per window; ten times as many reads. 0: no limit." | "每个时间窗口内同一密钥在同一对话中可作的改动次数，读取为其十倍。0：不限。";
        "ask_user_question.rate_limit_window": "The length of that window." | "该时间窗口的长度。";
        "desk.timeout_policy": "What happens at the timeout of questions that do not set it: cancel, default or abort; null: cancel." | "未指定处理方式的问题超时后如何处理：`cancel`、`default` 或 `abort`；`null`：同 `cancel`。";
        "desk.recursion_limit": "Rounds that build on one another; one more gets 429 `recursive_limit_exceeded`." | "连续追问的轮数上限，超出返回 429 `recursive_limit_exceeded`。";
        "desk.open_asks_per_session": "Open questions in one conversation, queued ones included." | "同一对话中未结束的问题数上限，含排队的。";
        "desk.memory_mb": "Megabytes of conversations kept in memory; the database keeps all." | "内存中保留的对话数据量（兆字节），数据库保留全部。";
        "desk.sessions_in_memory": "Conversations kept in memory." | "内存中保留的对话数上限。";
        "answers.hand_over_within": "How long an answer given while its agent was away is kept for it: if the agent asks the same again, it gets that answer, once. 0: off. Never for permissions." | "智能体离线期间给出的答案保留多久：它再问同样的问题时直接得到该答案，仅一次。0：关闭。权限请求除外。";
        "answers.undo_for": "How long an answer given with one press (a button or a number in a list) can be undone before the agent gets it; 0: not at all. Other answers are final at once." | "一键作答（按钮或列表中的编号）可撤销的时间，之后才交给智能体；0：不可撤销。其他答案立即生效。";
        "server.listen": "Where to listen; port 0 picks a free port. Anything but loopback can be reached from other machines." | "监听地址，端口 0 表示任选空闲端口。非回环地址可从其他机器访问。";
        "server.hosts": "Other names of the server, e.g. askuser.example.com behind a proxy." | "服务的其他名称，例如代理后面的 askuser.example.com。";
        "server.tls_listen": "Where to listen with HTTPS for other devices: lan (this machine's address on its network, port 8276), lan:PORT or HOST:PORT; null: nowhere. See `askuser help phone`." | "供其他设备访问的 HTTPS 监听地址：`lan`（本机的局域网地址，端口 8276）、`lan:PORT` 或 `HOST:PORT`；`null`：不监听。见 `askuser help phone`。";
        "server.tls_certificate": "The HTTPS certificate and its chain, as PEM, read again on SIGHUP; null: self-signed, phones warn about it." | "HTTPS 证书及其证书链，PEM 格式，收到 `SIGHUP` 时重新读取；`null`：自签名，手机会提示风险。";
        "server.tls_key": "The certificate's private key, as PEM; null: in the same file." | "证书的私钥，PEM 格式；`null`：在同一文件中。";
        "server.public_url": "The address from elsewhere, through a proxy or tunnel: `https://` and its name, without a path." | "从外部经代理或隧道访问的地址：`https://` 加名称，不含路径。";
        "server.connections": "Connections at once; more are closed." | "同时连接数上限，超出的会被关闭。";
        "server.failed_sign_ins": "Failed sign-ins per address and minute, then 429; 0: no limit. A valid key always works." | "每个地址每分钟的登录失败次数上限，超出返回 429；0：不限。有效的密钥始终可用。";
        "server.key_rate_factor": "How many times `rate_limit_requests` one key may use in all its conversations together; 0: no limit." | "同一密钥在所有对话中合计可用 `rate_limit_requests` 的倍数；0：不限。";
        "server.gone_after": "How long the other servers of a shared database wait before they treat this server as dead and interrupt its tasks. Longer than a restart takes." | "共用数据库的其他服务器等待多久后视本服务器为失效并中断其任务。应长于一次重启。";
        "mcp.hold": "How long a call waits before it returns `pending`; null: depends on the client, see `askuser help mcp`." | "一次调用等待多久后返回 `pending`；`null`：取决于客户端，见 `askuser help mcp`。";
        "mcp.agent_dialog": "Also ask in the agent's own dialog and accept its answers, which only the agent's program vouches for (`answered_by: agent_dialog`). The variable can only turn it off." | "也在智能体自己的对话框中提问并接受其答案；这些答案只有智能体程序担保（`answered_by: agent_dialog`）。环境变量只能关闭此项。";
        "mcp.session_idle": "How long an unused HTTP connection of an older client is remembered; then it starts over." | "旧版客户端闲置的 HTTP 连接保留多久，之后重新开始。";
        "audit.retention": "How long texts, answers and addresses are kept after a question was closed, e.g. 365d; null: forever. Who closed it and when is always kept, and the log stays verifiable." | "问题结束后，文字、答案和地址保留多久，例如 `365d`；`null`：永久。何人何时结束始终保留，日志仍可校验。";
        "traces.collector": "Where to send traces, as OTLP over HTTP in JSON, e.g. `http://127.0.0.1:4318`; null: nowhere." | "链路追踪的发送地址（OTLP，HTTP 上的 JSON），例如 `http://127.0.0.1:4318`；`null`：不发送。";
        "runner.folders": "Folders in which agents may work, with everything below them." | "智能体可以工作的文件夹，含其子文件夹。";
        "runner.running_max": "Tasks that run at the same time; the rest queue." | "同时运行的任务数，其余排队。";
        "runner.timeout": "How long a task's question waits before the task is stopped; null: as long as any question." | "任务的问题等待多久后停止任务；`null`：与其他问题一样。";
        "runner.git": "Ask about uncommitted changes before a task, and about merging after it." | "任务开始前询问未提交的改动，结束后询问是否合并。";
        "log.level": "How much to log: error, warn, info or debug." | "日志的详细程度：`error`、`warn`、`info` 或 `debug`。";
        "log.file": "Log to askuser.log in the data folder; a server in the background always does." | "写入数据文件夹中的 askuser.log；后台运行的服务总是写入。";
        "log.file_mb": "Megabytes of askuser.log before a new file is started." | "askuser.log 达到多少兆字节后另起新文件。";
        "log.files_kept": "Older logs to keep; askuser.log.1 is the latest of them." | "保留的旧日志个数，askuser.log.1 是其中最新的。";
    }
}

catalogue! {
    /// Settings of the commands, which only variables set.
    VARIABLES {
        "data": "The folder of the database, the keys and the log" | "存放数据库、密钥和日志的文件夹";
        "url": "The askuser server to use, instead of that of the data folder" | "要使用的 askuser 服务，代替数据文件夹的服务";
        "where": "Where to ask: `terminal`, `desk`, `both` or `stdin`" | "在哪里提问：`terminal`、`desk`、`both` 或 `stdin`";
        "plain": "Numbered text prompts instead of the panel: box or list" | "用编号文本代替交互面板：`box` 或 `list`";
        "language": "The language people read: en or zh [default: that of the locale]" | "人们阅读的语言：`en` 或 `zh` [默认：系统语言]";
        "max_questions": "Questions in one call" | "一次提问的问题数上限";
        "max_options": "Options of one question" | "一个问题的选项数上限";
        "header_max_length": "Characters of a header" | "标题的字符数上限";
        "question_max_length": "Characters of a question" | "问题的字符数上限";
        "bell": "How the terminal signals a question: off, bell, 9, 99 or 777 [default: the inbox rings the bell]" | "终端如何提示新问题：`off`、`bell`、9、99 或 777 [默认：收件箱响铃]";
        "no_color": "Set to anything to turn colors off" | "设为任意值即可关闭颜色";
        "pager": "The program that shows long output; empty for none [default: PAGER, else less]" | "显示长输出的程序，空值表示不用 [默认：`PAGER`，否则 `less`]";
        "person_key": "The key for what you do" | "你操作时使用的密钥";
        "agent_key": "The key for what agents ask" | "智能体提问时使用的密钥";
    }
}

catalogue! {
    /// Comments beside the lines of a sample.
    COMMENTS {
        "the page's address for links in notifications; null: no links" | "通知中链接所用的页面地址；`null`：没有链接";
        "more certificates to trust, a PEM file" | "额外信任的证书，PEM 文件";
        "notify browsers that turned it on, also of people not listed here" | "通知已启用通知的浏览器，包括未在此列出的人";
        "push services on your own network, e.g. https://host:port" | "自己网络中的推送服务，例如 https://host:port";
        "contact for push services: mailto:… or https://…; null: url, if that is https" | "供推送服务联系：`mailto:…` 或 https://…；`null`：`url` 为 https 时用它";
        "the user's name" | "用户名";
        "what leaves this machine: title, question, or choices (with answer buttons)" | "发送的内容：`title`、`question` 或 `choices`（带回答按钮）";
        "en or zh" | "`en` 或 `zh`";
        "e.g. 22:00-07:00: notify afterwards" | "例如 22:00-07:00：之后再通知";
        "the person's time zone, for quiet" | "个人时区，用于 `quiet`";
        "how long a question waits before the first notification" | "问题等待多久后发第一条通知";
        "more than this many within `every` are sent as one" | "`every` 内超过此数时合并为一条";
        "e.g. [10m, 1h] after the question; nothing is repeated by default" | "例如提问后 [`10m`, `1h`]；默认不重复";
        "e.g. {after: 30m, channels: [ops]} or {after: 30m, to: bob}" | "例如 `{after: 30m, channels: [ops]}` 或 `{after: 30m, to: bob}`";
        "Claude Code" | "Claude Code";
        "any agent that speaks the Agent Client Protocol" | "任何支持 Agent Client Protocol 的智能体";
    }
}
