//! What a program or a page is told when a request cannot be carried out, beside its code.

phrases! {
    /// Why a request failed.
    Failed {
        // Who may do what.
        needs_valid_key: "a key is needed, and this is none" | "需要有效的密钥";
        needs_agents_key: "an agent's key is needed: send `Authorization: Bearer KEY` with the key in `keys/agents/NAME` of askuser's data folder, or in `keys/agent` there if the agent has none of its own" | "需要智能体密钥：请发送 `Authorization: Bearer 密钥`，密钥在 askuser 数据文件夹的 `keys/agents/名称` 中；智能体没有自己的密钥时，在 `keys/agent` 中";
        not_with_this_key: "this key may not do this" | "此密钥无权执行该操作";
        any_key: "this needs a key" | "需要密钥";
        agent_only: "this needs an agent's key" | "需要智能体密钥";
        person_only: "this needs a person's key" | "需要用户密钥";
        person_or_page: "this needs a person's key, or the web page: an agent cannot answer itself" | "需要用户密钥或网页登录：智能体不能替用户回答";
        agent_or_person: "this needs an agent's or a person's key" | "需要智能体密钥或用户密钥";
        person_or_admin: "this needs a person's or an admin's key" | "需要用户密钥或管理员密钥";
        admin_only: "this needs an admin's key" | "需要管理员密钥";
        browser_only: "this is for a browser that is signed in: open the page" | "仅限已登录的浏览器：请打开网页";
        own_page_only: "only our own page may do this: the Origin is missing or another" | "仅限本站页面：`Origin` 缺失或不符";
        signed_in_elsewhere: "nobody is signed in under this name: run `askuser open`" | "此地址没有登录：请运行 `askuser open`";
        wrong_host: "this host is not served here: people open the page with `askuser open`, programs call http://127.0.0.1; or add the name to the configured hosts" | "此主机名不受支持：打开网页请运行 `askuser open`，程序请使用 http://127.0.0.1；或把它加入配置的主机名";
        not_on_this_machine: "only an agent on the machine of the askuser server gets a key of its own this way" | "只有与 askuser 服务在同一台机器上的智能体，才能这样获得自己的密钥";
        had_own_key(agent): "{agent} had a key of its own before: `askuser key renew {agent}` makes a new one" | "{agent} 已有过自己的密钥：请运行 `askuser key renew {agent}` 重新生成";
        anothers_key: "this key is one agent's own: it makes no key for another" | "此密钥是一个智能体专用的，不能为其他智能体生成密钥";
        agents_do_not_answer: "an agent cannot answer: only a person's line may respond" | "智能体不能作答：只有用户连接可以回复";
        people_do_not_ask: "a person does not ask here: only an agent's line may request" | "用户连接不能提问：只有智能体连接可以提问";
        server_only: "only the server sends a response of the system or of a timeout" | "只有服务可以发送系统或超时的回复";
        templates_of_all: "this template is everybody's, and only an admin's key removes it; one of your own under this name would be used instead" | "此模板供所有人使用，只有管理员密钥可以删除；你可以建一个同名的个人模板来代替它";
        not_yourself: "nobody disables themselves: use another admin's key" | "不能停用自己：请使用其他管理员密钥";
        push_off: "browsers are not told here: `notify.web_push` is false" | "此服务没有开启浏览器通知：`notify.web_push` 为 `false`";
        runner_off: "the runner is off: add `agents` and `runner.folders` to config.yaml, then restart askuser" | "任务运行未启用：请在 config.yaml 中添加 `agents` 和 `runner.folders`，然后重启 askuser";
        // What came in.
        unfit_request: "the request does not fit" | "请求不符合要求";
        unfit_message: "the message does not fit" | "消息不符合要求";
        unfit_arguments(tool): "the arguments do not fit {tool}" | "参数不符合 {tool} 的要求";
        user_exists(name): "there is a user `{name}` already" | "用户 `{name}` 已存在";
        no_websocket: "this is no WebSocket" | "不是 WebSocket 请求";
        query_unreadable: "the query cannot be read" | "查询参数无法读取";
        body_too_large(max): "the body is larger than {max} bytes" | "请求体超过 {max} 字节";
        body_cut_off: "the body ended too early" | "请求体不完整";
        body_too_slow: "the body took too long" | "请求体传输超时";
        line_too_long(max): "the line is longer than {max} bytes, which is the most a message may have" | "该行超过 {max} 字节，即一条消息的上限";
        line_not_text: "the line is not UTF-8 text" | "该行不是 UTF-8 文本";
        not_sent_again: "the server went away: it is not known whether this response arrived. It is not sent again, because it names no question by its id and might answer another one" | "服务中断，不知道这个回复是否已送达。它没有写明问题编号，重发可能会答到另一个问题上，因此不再重发";
        nothing_here: "there is nothing here" | "此处没有内容";
        no_such_method: "this route has no such method" | "此路由不支持该方法";
        no_checkpoints: "the conversation has no versions" | "此对话没有检查点";
        no_mcp_connection: "there is no such MCP connection: begin one with initialize" | "没有这个 MCP 连接：请用 `initialize` 开始新的连接";
        // Limits.
        too_many_requests: "too many requests: wait a moment" | "请求过于频繁，请稍后再试";
        too_many_waiting(max): "{max} requests wait on this line, which is the limit" | "此连接已有 {max} 个请求在等待，达到上限";
        mcp_full_key(max): "this key has {max} MCP connections and uses all of them, which is the limit: end one with DELETE" | "此密钥已有 {max} 个 MCP 连接且都在使用中，达到上限：请用 `DELETE` 结束一个";
        mcp_full(max): "there are {max} MCP connections, which is the limit: come back in a while" | "MCP 连接已达上限 {max} 个，请稍后再试";
        // Rules from answers.
        rule_by_agent: "rules are made by people, and this came with an agent's mark" | "规则只能由用户本人创建，而此请求带有智能体的标记";
        rule_not_on_page: "a rule for permissions is confirmed on the page, signed in" | "授权规则须登录网页后由本人确认";
        rule_until: "a rule ends within a year, and not before now" | "规则的期限须在一年之内，且不早于现在";
        too_many_rules(n): "{n} rules of yours are there already: remove some first" | "你已有 {n} 条规则，请先删除一些";
        rule_without_answer: "a rule is made from an answer that you gave, and this question has none" | "规则只能由你给出的答案创建，而这个问题没有答案";
        rule_anothers_answer: "somebody else answered this question: a rule is made from your own answer" | "这个问题是别人回答的：规则只能由你自己的答案创建";
        rule_for_permission: "a permission is never granted by a rule made so: you are asked each time" | "这样创建的规则不能用于授权：每次都会问你";
        rule_for_secret: "a secret is never written into a rule" | "机密内容不会写入规则";
        // The server's own troubles.
        change_not_noted(why): "its change cannot be noted in the audit log: {why}" | "无法把改动记入审计日志：{why}";
        stopping: "the server is stopping" | "服务正在停止";
        closing: "the server is stopping: come back in a moment" | "服务正在停止，请稍后再来";
        store_away: "the store is not available: nothing was changed, try again in a moment" | "存储暂不可用：没有任何改动，请稍后再试";
        disk_full: "the disk takes no more, and nothing was changed: make room on the disk, then try again" | "磁盘已写不下，没有任何改动：请先腾出磁盘空间，然后重试";
        not_flushed: "the disk did not take what was written: check the disk, then restart askuser" | "磁盘未能写入数据：请先检查磁盘，然后重启 askuser";
        unsure: "the store went away before it could say whether this was kept: try again in a moment, and what was kept is found" | "存储在确认之前断开：请稍后重试，已保存的内容会被找到";
        internal: "something went wrong on our side; it is in the log, and no conversation is lost" | "内部错误，已记录到日志，对话没有丢失";
        more(n): "and {n} more" | "还有 {n} 处";
        // What a person's client is told of an answer that was taken.
        sent: "The answer was submitted, the task goes on" | "答案已提交，任务继续执行";
        recorded: "Recorded; waiting for other people" | "已记录，还在等其他人回答";
        left[n]: "Recorded; 1 question is left" / "Recorded; {n} questions are left" | "已记录，还有 {n} 个问题";
        declined: "Declined; the agent will be told" | "已取消，智能体会收到通知";
    }
}
