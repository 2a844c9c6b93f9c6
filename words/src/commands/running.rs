//! What the commands say that run something or look after the server: tasks, the server itself, its
//! configuration, rules, keys, users, browsers, backups.

phrases! {
    /// `askuser run`, `tasks` and `task`.
    Tasks {
        no_agents: "No agent may run here yet: `askuser help runner` says how to set one up." | "这里还没有可以运行的智能体：`askuser help runner` 有设置方法。";
        none: "No tasks yet: `askuser run \"…\"` starts one." | "还没有任务：用 `askuser run \"…\"` 开始一个。";
        waiting: "waiting for you" | "等待你回答";
        queued: "queued" | "排队中";
        running: "running" | "运行中";
        done: "done" | "已完成";
        failed: "failed" | "失败";
        stopped: "stopped" | "已停止";
        interrupted: "interrupted" | "已中断";
        try_hint(command): "try `{command}`" | "可以用 `{command}`";
        stopping(task): "Stopping {task}" | "正在停止 {task}";
        told(task, text): "Told {task}: {text}" | "已告知 {task}：{text}";
        resumed(task): "Resumed {task}; `askuser task follow {task}`" | "已继续 {task}；`askuser task follow {task}`";
        task: "task" | "任务";
        status: "status" | "状态";
        reason: "reason" | "原因";
        started: "started" | "开始";
        agent: "agent" | "智能体";
        folder: "folder" | "文件夹";
        conversation: "conversation" | "对话";
        no_folder: "cannot find this folder" | "找不到当前文件夹";
        no_folder_hint: "name it with --folder" | "请用 --folder 指明";
        follow(task): "{task}: leave with Ctrl-C and it goes on; `askuser task stop {task}` stops it" | "{task}：按 Ctrl-C 离开，任务会继续；用 `askuser task stop {task}` 停止";
        agent_failed(why): "the agent failed: {why}" | "智能体失败：{why}";
        server_left: "askuser stopped while the task was running" | "任务运行时 askuser 停止了";
        stopped_unanswered: "Stopped: nobody answered in time." | "已停止：无人及时回答。";
        was_stopped: "Stopped." | "已停止。";
        tool_failed(what): "  failed: {what}" | "  失败：{what}";
        error(what): "error: {what}" | "错误：{what}";
        elsewhere(question, id, page): "? {question}\n  answer with `askuser answer {id}`, or at {page}" | "? {question}\n  用 `askuser answer {id}` 回答，或在 {page} 回答";
        off: "the runner is off" | "任务运行未启用";
        off_unread(why): "the runner is off, and the configuration cannot be read: {why}" | "任务运行未启用，且配置无法读取：{why}";
        off_unread_hint: "correct the file, then `askuser stop`; the next command starts it again" | "请改正文件，然后运行 `askuser stop`，下一条命令会重新启动它";
        off_unset(file): "the runner is off: {file} names no `agents` or no `runner.folders`" | "任务运行未启用：{file} 中没有 `agents` 或 `runner.folders`";
        off_unset_hint: "add both, then `askuser stop`; the next command starts it again (`askuser config --sample` shows how)" | "请添加这两项，然后运行 `askuser stop`，下一条命令会重新启动它（写法见 `askuser config --sample`）";
    }
}

phrases! {
    /// `askuser status`, `stop`, `reload` and `config`.
    Server {
        running(url, version, pid, clock, ago): "running at {url}: askuser {version}, process {pid}, since {clock} ({ago})" | "正在运行：{url}，askuser {version}，进程 {pid}，自 {clock} 起（{ago}）";
        waiting[n, conversations, facts]: "1 question is waiting; conversations: {conversations}, records: {facts}" / "{n} questions are waiting; conversations: {conversations}, records: {facts}" | "待回答的问题：{n}；对话：{conversations}；记录：{facts}";
        stopped: "Stopped askuser." | "已停止 askuser。";
        stopped_open[n]: "Stopped askuser. 1 question is still waiting; it is back at the next start." / "Stopped askuser. {n} questions are still waiting; they are back at the next start." | "已停止 askuser。还有 {n} 个问题待回答，下次启动后会恢复。";
        not_stopped: "askuser has not stopped yet" | "askuser 还没有停止";
        not_stopped_hint(log): "it was asked to stop and is still working; see {log}" | "已要求停止，但它仍在工作；请查看 {log}";
        not_running_reload: "askuser is not running: it reads its configuration when it starts." | "askuser 没有在运行，启动时会读取配置。";
        unchanged_hint: "nothing has changed; correct the file and run `askuser reload` again" | "没有任何改动；请改正文件，再运行 `askuser reload`";
        nothing_changed: "Nothing has changed." | "没有变化。";
        applied(names): "Applied: {names}" | "已生效：{names}";
        needs_restart(names): "Needs a restart: {names} (`askuser stop`; the next command starts it again)" | "重启后生效：{names}（先 `askuser stop`，下一条命令会重新启动它）";
        not_read(why): "The configuration cannot be read, so nothing new in it takes effect: {why}" | "配置无法读取，其中的改动不会生效：{why}";
        not_applied(names): "Changed in the file, not applied yet: {names} (`askuser reload`)" | "文件中已更改、尚未生效：{names}（`askuser reload`）";
        no_file: "there is no data folder" | "没有数据文件夹";
        no_file_hint: "set ASKUSER_HOME to a folder, or give --config FILE" | "请把 ASKUSER_HOME 设为一个文件夹，或给出 `--config FILE`";
        no_value(given): "--set {given} has no value" | "`--set` {given} 没有值";
        no_value_hint: "e.g. `--set ask_user_question.session_timeout=2h`" | "例如 `--set ask_user_question.session_timeout=2h`";
        config_hint: "`askuser config --sample` explains every key, with its default" | "`askuser config --sample` 有每一项的说明和默认值";
        away: "askuser is away; reconnecting" | "askuser 暂时离开，正在重新连接";
        ending_unknown(question, why): "cannot find out how {question} ended: {why}" | "无法得知 {question} 的结果：{why}";
        mcp_broken(why): "the MCP connection failed: {why}" | "MCP 连接失败：{why}";
    }
}

phrases! {
    /// `askuser rules`, `key`, `user` and `browsers`.
    Access {
        rule(name, until, id): "{name}, until {until}; `askuser rules remove {id}` takes it back" | "{name}，有效期至 {until}；用 `askuser rules remove {id}` 撤销";
        rule_removed(id): "Removed {id}: you are asked again." | "已删除 {id}：以后会再次询问你。";
        unconfirmed: "not confirmed: `askuser open`, then Rules" | "待确认：`askuser open`，再到“规则”";
        confirmed(when): "confirmed {when}" | "已确认 {when}";
        confirmed_gone(when): "confirmed {when}, no longer in rules.yaml" | "已确认 {when}，已不在 rules.yaml 中";
        no_rules: "No rules yet: `askuser rules add ID` makes one from an answer you gave." | "还没有规则：`askuser rules add ID` 可以把你的一次回答变成规则。";
        rule_dead: "answers nothing: make it again" | "已失效：请重新创建";
        user_added(name): "Added {name}; `askuser key create --role person --user {name}` lets them in" | "已添加 {name}；用 `askuser key create --role person --user {name}` 让其登录";
        no_users: "No users yet." | "还没有用户。";
        user_disabled(name): "Disabled {name}" | "已停用 {name}";
        shown_once: "This key is shown only once:" | "此密钥只显示这一次：";
        no_keys: "No keys yet." | "还没有密钥。";
        no_own_key(agent): "no agent `{agent}` has a key of its own" | "没有智能体 `{agent}` 拥有自己的密钥";
        no_own_key_hint: "`askuser key list` lists those that do" | "用 `askuser key list` 查看";
        own_key_elsewhere: "an agent's own key exists only on the machine of the askuser server" | "智能体自己的密钥只在 askuser 服务所在的机器上";
        own_key_elsewhere_hint: "run this there, without ASKUSER_URL" | "请在那台机器上运行，不要设置 ASKUSER_URL";
        key_renewed(agent, file): "{agent} has a new key: {file}" | "{agent} 已换新密钥：{file}";
        key_revoked(key): "Revoked {key}" | "已吊销 {key}";
        no_browsers: "No browser is signed in: `askuser open` signs one in." | "没有已登录的浏览器：用 `askuser open` 登录。";
        signed_out(browser): "Signed out {browser}" | "已登出 {browser}";
        renamed(browser, name): "{browser} is now called {name}" | "{browser} 现在叫 {name}";
        yes: "yes" | "可以";
        no: "no" | "不可以";
    }
}

phrases! {
    /// `askuser backup` and `askuser migrate`.
    Backup {
        elsewhere(url): "the askuser server is at {url}, and its database is there too" | "askuser 服务在 {url}，数据库也在那里";
        elsewhere_hint: "run `askuser backup` on its machine, as its user" | "请在那台机器上，以运行服务的用户执行 `askuser backup`";
        no_database(folder): "no askuser database in {folder}" | "{folder} 中没有 askuser 的数据库";
        no_database_hint: "name its data folder with --data or ASKUSER_HOME" | "请用 --data 或 ASKUSER_HOME 指明数据文件夹";
        done(file, facts): "Copied to {file} and checked: the copy is intact, {facts} records in an unbroken chain." | "已备份到 {file} 并检查：副本完好，{facts} 条记录首尾相连。";
        beside(names, folder): "Also back up {names} in {folder}: they are not in the database." | "请同时备份 {folder} 中的 {names}：它们不在数据库里。";
        postgres: "everything is in PostgreSQL, which has a backup program of its own" | "所有内容都在 PostgreSQL 中，它有自己的备份程序";
        postgres_hint(command): "run {command}, with ASKUSER_DATABASE set as for the servers; `askuser help operating` says how to restore it" | "请运行 {command}，并像服务一样设置 ASKUSER_DATABASE；恢复方法见 `askuser help operating`";
        taken(file): "{file} exists already: name a new file" | "{file} 已存在：请换一个文件名";
        not_written(file, why): "cannot write to {file}: {why}" | "无法写入 {file}：{why}";
        no_folder_hint(folder): "create the folder {folder} first" | "请先创建文件夹 {folder}";
        not_written_hint: "no partial copy is left; name another place" | "没有留下不完整的副本；请换一个位置";
        not_sound(why): "the copy is not intact: {why}" | "副本不完整：{why}";
        unread(why): "cannot read the copy back: {why}" | "无法读回副本：{why}";
        doctor_hint: "`askuser doctor` checks the database" | "`askuser doctor` 可检查数据库";
        copying(table): "Copying {table}" | "正在复制 {table}";
        moved(rows): "Moved and compared, row by row: {rows}" | "已逐行迁移并比对：{rows}";
        moved_chains(facts, hash, events): "The chains are intact, up to record {facts} ({hash}…) and security event {events}." | "审计链完好，直到记录 {facts}（{hash}…）和安全事件 {events}。";
        moved_next(file): "Start servers with ASKUSER_DATABASE set to it; {file} is unchanged, keep it or delete it." | "启动服务时把 ASKUSER_DATABASE 设为它；{file} 没有改动，可保留或删除。";
        stop_hint: "stop its server first, with `askuser stop`" | "请先用 `askuser stop` 停止它的服务";
    }
}
