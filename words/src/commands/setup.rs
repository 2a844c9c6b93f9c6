//! Connecting coding agents: `setup`, `install`, `uninstall`, `agents`.

phrases! {
    /// What `install`, `uninstall` and `agents` say.
    Connecting {
        connected(agent): "{agent} is connected." | "{agent} 已接入。";
        already_connected(agent): "{agent} is already connected; nothing changed." | "{agent} 已经接入，没有改动。";
        disconnected(agent): "{agent} is disconnected." | "{agent} 已断开。";
        was_not_connected(agent): "{agent} was not connected; nothing changed." | "{agent} 未接入，没有改动。";
        nothing_to_change: "Nothing would change." | "不会有任何改动。";
        created(file): "created {file}" | "新建 {file}";
        changed(file): "changed {file}" | "修改 {file}";
        removed(file): "removed {file}" | "删除 {file}";
        removed_folder(folder): "removed {folder} (empty)" | "删除空文件夹 {folder}";
        undo(command): "To undo: {command}" | "撤销：{command}";
        next_claude_project: "Next: start `claude` in this project and approve the server and the hooks when it asks." | "接下来：在本项目中启动 `claude`，按提示批准服务器和钩子。";
        next_claude: "Next: restart Claude Code where it is running." | "接下来：重启正在运行的 Claude Code。";
        next_codex: "Next: start `codex` once and choose `Trust all and continue`. Its hooks run only after that, and `codex exec` does not ask." | "接下来：启动一次 `codex`，选择 `Trust all and continue`，之后钩子才会运行；`codex exec` 不会询问。";
        next_vscode: "Next: in VS Code, start the server once with `MCP: List Servers`." | "接下来：在 VS Code 中用 `MCP: List Servers` 启动一次服务器。";
        next_restart(agent): "Next: restart {agent}." | "接下来：重启 {agent}。";
        none_connected: "No agent is connected. `askuser setup` connects those on this machine." | "还没有接入智能体。运行 `askuser setup` 接入本机上的智能体。";
        questions: "questions" | "问题";
        questions_and_permissions: "questions and permissions" | "问题和权限";
        works(asks, ms): "works ({asks}; replies in {ms} ms)" | "正常（{asks}；{ms} 毫秒内响应）";
        outdated(asks, ms, agent): "works ({asks}; replies in {ms} ms), but is outdated: run `askuser install {agent}`" | "正常（{asks}；{ms} 毫秒内响应），但配置已过时：请运行 `askuser install {agent}`";
        broken(why): "does not work: {why}" | "无法使用：{why}";
        unreadable(why): "cannot be read: {why}" | "无法读取：{why}";
        no_server: "the hooks are set up, the server is not" | "已设置钩子，但没有设置服务器";
        no_command: "no command is set" | "没有设置命令";
        not_started(program, why): "`{program}` cannot be started: {why}" | "无法启动 `{program}`：{why}";
        silent(program, max): "`{program}` did not reply within {max} s" | "`{program}` 在 {max} 秒内没有响应";
        no_mcp(program, arguments): "`{program} {arguments}` does not speak MCP" | "`{program} {arguments}` 不支持 MCP";
        not_trusted: "its hooks do not run yet: start `codex` once and choose `Trust all and continue` (`codex exec` does not ask)" | "钩子还不会运行：启动一次 `codex`，选择 `Trust all and continue`（`codex exec` 不会询问）";
    }
}

phrases! {
    /// What an agent shows while one of its hooks waits. In 80 columns Gemini CLI draws its own hints over what is
    /// before the name of a hook.
    Hooks {
        waits(inbox, open): "Waiting for your answer: {inbox}, or {open}" | "等待你回答：{inbox}，或 {open}";
        waits_or_here(inbox, open): "Waiting for your answer: {inbox}, or {open}. Esc to answer here" | "等待你回答：{inbox}，或 {open}。按 Esc 在这里回答";
        here(why): "askuser: {why}; answer here instead" | "askuser：{why}；请在这里回答";
        nobody: "nobody answered in time" | "没有人及时回答";
        unfit: "the question does not fit" | "问题不符合要求";
        unread_event(why): "the hook's event cannot be read: {why}" | "无法读取钩子的事件：{why}";
        no_json_event(why): "the hook's event is not JSON: {why}" | "钩子的事件不是 JSON：{why}";
        name(inbox, open): "run {inbox} or {open}" | "请运行 {inbox} 或 {open}";
    }
}

phrases! {
    /// Why a file of another program is not changed.
    Editing {
        not_a_file(file): "{file} is not a regular file, so it was not changed" | "{file} 不是普通文件，因此没有改动";
        not_text(file): "{file} is not UTF-8 text, so it was not changed" | "{file} 不是 UTF-8 文本，因此没有改动";
        too_large(file): "{file} is larger than 16 MiB, so it was not changed" | "{file} 大于 16 MiB，因此没有改动";
        changed_meanwhile(file): "{file} was changed by another program just now, so it was not changed: run this again" | "{file} 刚被另一个程序修改过，因此没有改动：请再运行一次";
        cannot_change(file, why): "cannot change {file}: {why}" | "无法修改 {file}：{why}";
        no_backup(file, why): "cannot keep a copy of {file}, so it was not changed: {why}" | "无法保留 {file} 的副本，因此没有改动：{why}";
        stays_changed(said, file, why): "{said}; and {file} stays changed: {why}" | "{said}；{file} 未能恢复原样：{why}";
        unchanged: "nothing was changed" | "没有任何改动";
        correct_it: "nothing was changed; correct the file, then try again" | "没有任何改动；请改正文件后重试";
        no_project(agent): "{agent} has no project settings" | "{agent} 没有项目级设置";
        no_project_hint: "use --scope user" | "请使用 `--scope user`";
        no_home: "HOME is not set" | "没有设置 `HOME`";
        no_home_hint: "set HOME" | "请设置 `HOME`";
        no_program(why): "cannot find the path of this program: {why}" | "找不到本程序的路径：{why}";
        path_not_text: "its path is not UTF-8" | "路径不是 UTF-8 文本";
    }
}

phrases! {
    /// What `setup` says.
    Setup {
        found: "Coding agents on this machine" | "本机上的编程智能体";
        none_found: "No coding agent was found on this machine." | "本机上没有找到编程智能体。";
        known(agents): "askuser connects {agents}. Install one, then run `askuser setup` again." | "askuser 可以接入 {agents}。安装后请再次运行 `askuser setup`。";
        not_connected: "not connected" | "未接入";
        connected: "connected" | "已接入";
        connected_here: "connected in this project" | "已在本项目中接入";
        outdated: "outdated" | "配置已过时";
        not_trusted: "connected, hooks not trusted yet" | "已接入，钩子尚未信任";
        broken(why): "does not work: {why}" | "无法使用：{why}";
        unreadable(why): "cannot be changed: {why}" | "无法修改：{why}";
        no_program: "program not found" | "未找到程序";
        all_connected: "Every agent found is already connected; nothing changed." | "找到的智能体均已接入，没有改动。";
        would_connect(agents): "Would connect {agents}:" | "将接入 {agents}：";
        nobody_there: "there is no terminal to ask in, so nothing was changed" | "没有终端可供提问，因此没有任何改动";
        run_instead: "`askuser setup --yes` connects everything found; `askuser setup --dry-run` shows the changes" | "`askuser setup --yes` 接入找到的全部智能体；`askuser setup --dry-run` 查看改动";
        agents: "Agents" | "智能体";
        which: "Which agents do you want to connect?" | "要接入哪些智能体？";
        which_about: "Their questions then reach your inbox. You see every change before it is made." | "接入后，它们的问题会进入你的收件箱。所有改动都会先给你看。";
        confirm: "Connect" | "接入";
        connect_these[n]: "Make these changes and connect this agent?" / "Make these changes and connect these {n} agents?" | "进行以上改动，接入这 {n} 个智能体？";
        nothing_changed: "Nothing was changed." | "没有任何改动。";
        reach: "Your devices" | "你的设备";
        where_to: "Where do you want questions to reach you?" | "你想在哪里收到问题？";
        where_about: "askuser sends a test question to each one you pick. Send without a pick to skip." | "askuser 会向所选的每一处发送一个测试问题。不选直接发送即可跳过。";
        browser: "Browser" | "浏览器";
        browser_about: "open your inbox and sign in" | "打开收件箱并登录";
        phone: "Phone" | "手机";
        phone_about: "lets devices in your network reach askuser over HTTPS, until it is stopped" | "允许同一网络中的设备通过 HTTPS 访问 askuser，直到它停止";
        notifications: "Notifications" | "通知";
        notifications_about(channels): "send a test through {channels}" | "通过 {channels} 发送测试";
        desktop: "Desktop notifications" | "桌面通知";
        desktop_about: "pop up when an agent asks" | "智能体提问时弹出提醒";
        test: "Test" | "测试";
        test_question: "Test question of `askuser setup`: did this reach you?" | "`askuser setup` 的测试问题：你收到了吗？";
        did_it_arrive: "Did the notification reach you?" | "你收到通知了吗？";
        answer_on_phone: "Scan the code and answer the test question on your phone. Ctrl-C skips this step." | "扫描二维码，在手机上回答测试问题。按 Ctrl-C 跳过这一步。";
        reached(way, place): "{way}: works, answered {place}" | "{way}：正常，已在{place}回答";
        arrived(way): "{way}: works" | "{way}：正常";
        not_reached(way, remedy): "{way}: did not reach you; {remedy}" | "{way}：没有收到；{remedy}";
        skipped(way): "{way}: skipped" | "{way}：已跳过";
        failed(way): "{way}: not set up, see above" | "{way}：未设置，原因见上";
        try_open: "`askuser open --print` shows the link" | "`askuser open --print` 可显示链接";
        try_doctor: "`askuser doctor` says why" | "`askuser doctor` 可查明原因";
        try_notify: "`askuser notify test` tries again" | "`askuser notify test` 可再试一次";
        kept(way, file): "{way}: on; to turn them off, remove them from {file}" | "{way}：已开启；要关闭，请从 {file} 中删除";
        summary: "Done" | "完成";
        undo(command): "undo: {command}" | "撤销：{command}";
        next: "Next" | "接下来";
        next_demo: "See it work: `askuser demo`" | "看看演示：`askuser demo`";
        next_inbox: "Answer in the terminal: `askuser inbox`" | "在终端中回答：`askuser inbox`";
        next_open: "Answer in the browser: `askuser open`" | "在浏览器中回答：`askuser open`";
        next_notifications: "Get notified elsewhere (ntfy, Slack, Telegram, email): `askuser help notifications`" | "通过其他渠道接收通知（ntfy、Slack、Telegram、邮件）：`askuser help notifications`";
        and: ", " | "、";
    }
}
