//! What options may be set to.

catalogue! {
    /// Values that can be chosen from.
    VALUES {
        "Ask, wait, withdraw" | "提问、等待、撤回";
        "Answer, decline" | "回答、取消";
        "Manage users and keys, read the audit log" | "管理用户和密钥，查看审计日志";
        "The whole reply as JSON" | "完整的 JSON 回复";
        "Just the answer: the text, yes or no, one line per choice" | "只有答案：文本、`yes` 或 `no`、每个选项一行";
        "Assignments for `eval` in a shell: header='answer'" | "可供 shell `eval` 的赋值：`header='answer'`";
        "Close it unanswered" | "不回答而结束";
        "Take the default answers, marked as such" | "采用默认答案并注明";
        "Close it; the agent should stop its task" | "结束问题，智能体应停止任务";
        "Each question in a box" | "每个问题一个框";
        "Plain text without boxes, for screen readers" | "无边框的纯文本，适合屏幕阅读器";
        "In this terminal; without one, on standard input" | "在此终端；没有终端时用标准输入";
        "In the browser, the inbox and your other channels; starts askuser if needed" | "在浏览器、收件箱和其他渠道；必要时启动 askuser";
        "Both; the first answer counts" | "两者都用，以先到的答案为准";
        "On standard input only, for scripts; refused in an agent's shell" | "只从标准输入，供脚本使用；在智能体的 shell 中拒绝执行";
        "One JSON entry per line" | "每行一条 JSON";
        "A table" | "表格";
        "Decision records to read" | "便于阅读的决策记录";
        "systemd, on Linux" | "systemd（Linux）";
        "launchd, on macOS" | "launchd（macOS）";
        "Send questions and receive their answers" | "发送问题，接收答案";
        "Receive questions and send answers" | "接收问题，发送答案";
        "One JSON message per line" | "每行一条 JSON 消息";
        "A page to read" | "便于阅读的页面";
        "One JSON list" | "一个 JSON 列表";
        "Your own settings, for every project" | "你自己的设置，用于所有项目";
        "This project's files, which others may share" | "本项目的文件，可能与他人共享";
    }
}

catalogue! {
    /// What a value is called in a line of usage.
    NAMES {
        "ANSWER" | "答案";
        "TEXT" | "文本";
        "OPTION" | "选项";
        "LABEL[: DESCRIPTION]" | "标签[: 说明]";
        "QUESTION" | "问题";
        "FILE" | "文件";
        "NAME" | "名称";
        "NAME=VALUE" | "名称=值";
        "FORMAT" | "格式";
        "ID" | "ID";
        "USER" | "用户";
        "GROUP" | "用户组";
        "N" | "数字";
        "TIME:WHO" | "时长:人员";
        "KEY" | "键";
        "KEY_ID" | "密钥 ID";
        "TIME" | "时长";
        "ACTION" | "操作";
        "PLACE" | "位置";
        "ADDRESS" | "地址";
        "LAYOUT" | "样式";
        "JSON" | "JSON";
        "QUESTION=OPTION" | "问题=选项";
        "QUESTION=TEXT" | "问题=文本";
        "WHEN" | "时间";
        "MODE" | "模式";
        "CONVERSATION" | "对话";
        "RULE" | "规则";
        "TASK" | "任务";
        "FOLDER" | "文件夹";
        "HOST:PORT" | "主机:端口";
        "URL" | "URL";
        "SECTION.KEY=VALUE" | "分组.键=值";
        "VALUE" | "值";
        "BROWSER" | "浏览器";
        "ROLE" | "权限";
        "AGENT" | "智能体";
        "SCOPE" | "范围";
        "SIDE" | "一方";
        "MANAGER" | "管理器";
        "VERSION" | "版本";
        "WORDS" | "词语";
        "LINE" | "命令";
        "SHELL" | "shell";
        "COMMAND OR TOPIC" | "命令或主题";
    }
}
