//! Help on the command line: what commands and options do, by the English text that the command line holds.

use std::collections::HashMap;
use std::sync::LazyLock;

pub use crate::help_commands::{COMMANDS, PARTS, TOPICS};
pub use crate::help_options::OPTIONS;
pub use crate::help_values::{NAMES, VALUES};
use crate::{Language, Phrase};

/// Every text of the help.
pub const ALL: [&[Phrase]; 6] = [COMMANDS, PARTS, TOPICS, OPTIONS, VALUES, NAMES];

static CHINESE: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| ALL.into_iter().flatten().map(|phrase| (phrase.english, phrase.chinese)).collect());

/// Returns the Chinese of a text of the help.
pub fn chinese(english: &str) -> Option<&'static str> {
    CHINESE.get(english).copied()
}

impl Language {
    /// Returns a text of the help in this language; one that is not known as it is.
    pub fn help(self, english: &str) -> &str {
        match self {
            Self::English => english,
            Self::Chinese => chinese(english).unwrap_or(english),
        }
    }
}

phrases! {
    /// What a page of help is made of.
    Help {
        usage: "Usage: " | "用法：";
        arguments: "Arguments:" | "参数：";
        options: "Options:" | "选项：";
        commands: "Commands:" | "命令：";
        examples[n]: "Example:" / "Examples:" | "示例：";
        topics: "Topics (`askuser help TOPIC`):" | "主题（`askuser help 主题`）：";
        part(name): "{name}:" | "{name}：";
        some_options: "[OPTIONS]" | "[选项]";
        a_command: "<COMMAND>" | "<命令>";
        any_command: "[COMMAND]" | "[命令]";
        default(value): "[default: {value}]" | "[默认：{value}]";
        no_such(name): "no command or topic `{name}`" | "没有命令或主题 `{name}`";
        did_you_mean(name): "did you mean `askuser help {name}`?" | "是否想查看 `askuser help {name}`？";
        all: "`askuser help` lists every command and topic" | "`askuser help` 列出所有命令和主题";
        man_pages[n, folder]: "{n} man page written to {folder}" / "{n} man pages written to {folder}" | "{n} 个手册页已写入 {folder}";
    }
}

phrases! {
    /// What is wrong with a command line.
    CommandLine {
        error(what): "error: {what}" | "错误：{what}";
        tip(what): "tip: {what}" | "提示：{what}";
        unknown_argument(name): "unexpected argument `{name}`" | "没有参数 `{name}`";
        unknown_command(name): "unknown command `{name}`" | "没有命令 `{name}`";
        wrong_value(value, name): "invalid value `{value}` for `{name}`" | "`{name}` 的值 `{value}` 无效";
        no_value(name): "`{name}` needs a value" | "`{name}` 需要一个值";
        because(what, why): "{what}: {why}" | "{what}：{why}";
        missing(names): "missing `{names}`" | "缺少 `{names}`";
        conflict(one, other): "`{one}` cannot be used with `{other}`" | "`{one}` 不能与 `{other}` 同时使用";
        twice(name): "`{name}` is given more than once" | "`{name}` 出现了多次";
        possible(values): "possible values: `{values}`" | "可选的值：`{values}`";
        similar(name): "did you mean `{name}`?" | "是否想用 `{name}`？";
        more: "For more information, try `--help`." | "更多信息请用 `--help` 查看。";
    }
}

phrases! {
    /// What `askuser` alone says.
    Start {
        agent(mark): "An agent runs this shell ({mark} is set). Ask the person with:" | "这是智能体的终端（已设置 {mark}）。这样向用户提问：";
        none_waiting: "No questions are waiting." | "没有待回答的问题。";
        waiting[n]: "{n} question is waiting." / "{n} questions are waiting." | "有 {n} 个问题待回答。";
        not_running: "askuser is not running." | "askuser 服务没有运行。";
        nothing_asked: "No questions yet." | "还没有任何问题。";
        inbox: "answer in the terminal" | "在终端里回答";
        open: "answer in the browser" | "在浏览器里回答";
        help: "see all commands" | "查看所有命令";
        list: "start askuser and list waiting questions" | "启动 askuser 并列出待回答的问题";
        history: "see past questions and answers" | "查看以往的问答";
        demo: "try it with a sample agent" | "用示例智能体体验一下";
        connect: "connect your coding agents" | "接入你的编程智能体";
        ask: "ask the person and wait" | "向用户提问并等待回答";
        wait: "wait again for an answer" | "继续等待答案";
        wire: "the JSON of questions and answers" | "问题和答案的 JSON 格式";
    }
}
