//! What each command does, and what its page says besides.

catalogue! {
    /// Commands, as help lists them, and longer texts of theirs.
    COMMANDS {
        "Answer your AI agents' questions from anywhere" | "随时随地回答 AI 智能体的提问";
        "Ask a question and print the answer" | "提问并打印答案";
        "Without options it is a yes/no question. Add options with -o, or ask for a text with --text. Add more questions with -q; flags apply to the question before them. Input that looks like JSON is read as JSON; if a question looks like that, put it after -q." | "不带选项就是是非题。用 -o 添加选项，用 --text 请求输入文本，用 -q 添加更多问题；选项标志作用于它前面的问题。看起来像 JSON 的内容按 JSON 读取；像 JSON 的普通问题请放在 -q 后面。";
        "Exit codes: 0 answered, 1 failed, 2 invalid input, 3 declined, 4 withdrawn, 5 not answered yet, 6 nobody to ask, 10 no (with --exit-code), 124 timed out, 130 interrupted." | "退出码：0 已回答，1 失败，2 输入有误，3 已取消，4 已撤回，5 尚未回答，6 无人可问，10 回答“否”（使用 --exit-code 时），124 已超时，130 被中断。";
        "Ask yes or no; exit with 0 for yes, 10 for no" | "提出是非题：退出码 0 为是，10 为否";
        "Prints nothing unless --output is given. Any other exit code means neither yes nor no; see `askuser ask --help`." | "不打印内容，除非指定 --output。其他退出码既不表示是也不表示否，见 `askuser ask --help`。";
        "Offer options and print the choice" | "给出选项并打印所选项";
        "Ask for a text and print it" | "请求输入文本并打印";
        "Wait again for an answer" | "继续等待答案";
        "Withdraw a question you asked" | "撤回你提出的问题";
        "Answer waiting questions in this terminal" | "在终端里回答待回答的问题";
        "List waiting questions, most urgent first" | "列出待回答的问题，最紧急的在前";
        "Show one question in full" | "显示一个问题的完整内容";
        "Answer one question" | "回答一个问题";
        "Manage auto-answer rules: add, list, remove" | "管理自动回答规则：添加、列出、删除";
        "Show questions per day, response times and outcomes" | "统计每天的问题数、响应时间和结果";
        "Decline a question" | "取消一个问题，不作回答";
        "List conversations, newest first" | "列出对话，最新的在前";
        "Show past questions and answers, newest first" | "查看以往的问答，最新的在前";
        "Continue an earlier conversation in a new one" | "在新的对话中接着以前的对话";
        "Give an agent a task and follow it" | "给智能体布置任务并跟踪进展";
        "List tasks, newest first" | "列出任务，最新的在前";
        "Manage one task: show, follow, stop, say, resume" | "管理一个任务：查看、跟踪、停止、补充、继续";
        "Run the askuser server in the foreground" | "在前台运行 askuser 服务";
        "Move all data from SQLite to PostgreSQL" | "把全部数据从 SQLite 迁移到 PostgreSQL";
        "Back up the database to a file" | "把数据库备份到文件";
        "Start askuser at login: install, remove, status" | "登录时启动 askuser：安装、移除、状态";
        "Show whether askuser is running, and where" | "查看 askuser 是否在运行、在哪里运行";
        "Apply changes to the configuration file" | "使配置文件的改动生效";
        "Show the version and how to update it" | "显示版本和更新方法";
        "Stop askuser; waiting questions are kept" | "停止 askuser，待回答的问题会保留";
        "Check the setup and show what to fix" | "检查整个安装并指出要修复的地方";
        "Handle a hook event (run by the agent)" | "处理钩子事件（由智能体运行）";
        "Manage question templates: list, show, check" | "管理问题模板：列出、查看、检查";
        "Connect the coding agents on this machine" | "接入本机上的编程智能体";
        "Connect a coding agent, so its questions reach you" | "接入编程智能体，让它的提问送到你面前";
        "Disconnect a coding agent and restore its settings" | "断开编程智能体并恢复它的设置";
        "List connected agents and test each connection" | "列出已接入的智能体并测试连接";
        "Open the inbox in the browser, or on your phone (--qr)" | "在浏览器中打开收件箱，或用 --qr 在手机上打开";
        "List, rename or sign out your browsers" | "列出、重命名或登出你的浏览器";
        "Manage users: add, list, disable" | "管理用户：添加、列出、停用";
        "Manage keys: create, list, renew, revoke" | "管理密钥：创建、列出、更换、吊销";
        "Search, export or verify the audit log" | "搜索、导出或校验审计日志";
        "Delete the text of questions closed long ago" | "删除很久以前结束的问题的文字内容";
        "Test your notifications" | "测试通知";
        "Show or change settings" | "查看或修改设置";
        "Exchange events as JSON Lines on stdin and stdout" | "在标准输入输出上以 JSON Lines 交换事件";
        "Run the MCP server for an agent on stdin and stdout" | "在标准输入输出上为智能体运行 MCP 服务器";
        "Check whether a shell command asks a question" | "判断一条 shell 命令是否在提问";
        "Try askuser with a sample agent" | "由示例智能体提问，体验 askuser";
        "Print the completion script for your shell" | "打印 shell 的补全脚本";
        "Show help for a command or a topic" | "查看命令或主题的帮助";
        "Write the man pages to a folder" | "把手册页写入文件夹";
        "Add a user" | "添加用户";
        "List users" | "列出用户";
        "Disable a user and all their keys and browsers" | "停用用户及其全部密钥和浏览器";
        "Create a key and print it, once" | "创建密钥并打印，只显示这一次";
        "List keys, without their secrets" | "列出密钥，不显示密钥内容";
        "Replace the key of an agent on this machine" | "更换本机上一个智能体的密钥";
        "Revoke a key" | "吊销密钥";
        "Give the same answer to the same question from the same agent and project" | "对同一智能体、同一项目的相同问题自动给出同样的答案";
        "List your rules, newest first" | "列出你的规则，最新的在前";
        "Remove a rule and be asked again" | "删除规则，之后会再次询问你";
        "Send a test notification through each channel" | "通过每个渠道发送一条测试通知";
        "Print the path of the file" | "打印文件的路径";
        "Print one setting, e.g. log.level" | "打印一项设置，例如 log.level";
        "Change one setting in the file; comments are kept" | "修改文件中的一项设置，注释会保留";
        "Start askuser at login and restart it when it exits" | "登录时启动 askuser，退出后自动重启";
        "Stop the service and remove it" | "停止服务并移除";
        "Show whether the service is installed and running" | "查看服务是否已安装、是否在运行";
        "Show one task" | "查看一个任务";
        "Follow a task until it ends" | "跟踪任务直到结束";
        "Stop a task, by force if it does not stop by itself" | "停止任务，必要时强制停止";
        "Send the agent another message" | "给智能体再发一条消息";
        "Resume an ended task" | "继续已结束的任务";
        "List templates of this project's skills, your own skills and the data folder" | "列出本项目的技能、你自己的技能和数据文件夹中的模板";
        "Print a template file" | "打印模板文件";
        "Check templates and show errors with line and column" | "检查模板，列出错误及其行列";
    }
}

catalogue! {
    /// Parts of the help.
    PARTS {
        "Ask" | "提问";
        "Answer" | "回答";
        "Look back" | "回顾";
        "Agents" | "智能体";
        "Run" | "任务";
        "Server" | "服务";
        "Administration" | "管理";
        "Other" | "其他";
        "Delivery" | "送达与回复";
    }
}

catalogue! {
    /// What the pages of the documentation are about.
    TOPICS {
        "Asking from scripts: questions, output, exit codes" | "在脚本中提问：问题、输出、退出码";
        "Every command, exit code and environment variable" | "所有命令、退出码和环境变量";
        "The JSON of questions and answers" | "问题和答案的 JSON 格式";
        "The HTTP API, with curl examples" | "HTTP 接口，附 curl 示例";
        "Asking over MCP" | "通过 MCP 提问";
        "Connecting coding agents, hooks, answers for tests" | "接入编程智能体、钩子、测试用的答案";
        "Answering in the terminal and the browser" | "在终端和浏览器中回答";
        "Notifications on the desktop, the phone or in a chat" | "桌面、手机和聊天软件的通知";
        "Answering on your phone" | "在手机上回答";
        "Running agents with `askuser run`" | "用 `askuser run` 运行智能体";
        "Who can do what, and what is not protected" | "谁能做什么，哪些不受保护";
        "Settings, several servers, backups, metrics" | "设置、多台服务器、备份、指标";
        "Getting started" | "快速入门";
        "Frequently asked questions" | "常见问题";
        "Recipes for shell scripts" | "shell 脚本示例";
    }
}
