//! `service`: the system runs askuser.

phrases! {
    /// What `service` says.
    Service {
        would_write(file, text, steps): "Would write {file}:\n\n{text}\nand then run:\n  {steps}" | "将写入 {file}：\n\n{text}\n然后运行：\n  {steps}";
        installed(name, now): "{name} starts askuser when you log in; {now}" | "{name} 会在你登录时启动 askuser；{now}";
        running(url, pid): "running at {url} (process {pid})" | "正在 {url} 运行（进程 {pid}）";
        not_ready: "it is starting: `askuser service status` shows whether it is ready" | "正在启动：用 `askuser service status` 查看是否就绪";
        wrote(file): "wrote {file}" | "写入 {file}";
        kept: "the file that was there is kept; `askuser service remove` restores it" | "原有文件已保留，`askuser service remove` 会恢复它";
        not_installed_unchanged(name): "{name} does not run askuser; nothing changed." | "{name} 没有运行 askuser，没有改动。";
        would(steps): "Would\n  {steps}" | "将会\n  {steps}";
        run(command): "run {command}" | "运行 {command}";
        restore(file): "restore {file}" | "恢复 {file}";
        remove(file): "remove {file}" | "删除 {file}";
        no_longer(name): "{name} no longer starts askuser; the next question does." | "{name} 不再启动 askuser；下一个问题会启动它。";
        edited(file): "it was edited by hand, so a copy is kept as {file}" | "它被手动修改过，副本保留为 {file}";
        restored(file): "restored {file}; whether it runs is up to you" | "已恢复 {file}；是否运行由你决定";
        removed(file): "removed {file}" | "删除 {file}";
        not_installed(name): "{name} does not run askuser; `askuser service install` sets it up" | "{name} 没有运行 askuser；用 `askuser service install` 设置";
        no_data_folder(why): "cannot find the data folder: {why}" | "找不到数据文件夹：{why}";
        not_plain(file): "{file} is not plain text" | "{file} 含有特殊字符";
        other_folder: "use another folder" | "请换一个文件夹";
        refused_hint: "nothing was changed; if neither systemd nor launchd runs here, start `askuser serve` instead" | "没有任何改动；如果这里没有运行 systemd 或 launchd，请改用 `askuser serve`";
        edited_by_hand(file): "{file} was edited by hand, so it was not changed" | "{file} 被手动修改过，因此没有改动";
        edited_by_hand_hint: "run `askuser service remove` first; put your own settings into a drop-in (`systemctl --user edit askuser`)" | "请先运行 `askuser service remove`；自己的设置请写在附加文件中（`systemctl --user edit askuser`）";
        systemd: "It starts when you log in; `loginctl enable-linger` starts it with the machine. Log: `journalctl --user -u askuser`" | "登录时启动；`loginctl enable-linger` 让它随机器启动。日志：`journalctl --user -u askuser`";
        launchd: "It starts when you log in. Log: askuser.log in the data folder" | "登录时启动。日志：数据目录中的 askuser.log";
    }
}
