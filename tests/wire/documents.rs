//! Every code block of the five source documents: kept word for word as a golden file that a test compares, or
//! with the reason why there is nothing to compare.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use self::Kept::{Drawing, Golden, Prose, Sketch};

/// A code block of a source document, in the order in which they stand there.
struct Block {
    document: &'static str,
    /// The number of its section, or the title where sections have none.
    place: &'static str,
    /// How its first line begins.
    begins: &'static str,
    kept: Kept,
}

enum Kept {
    /// Input or output: the block as it stands, in this file.
    Golden(&'static str),
    /// A drawing of parts, of a screen, or of an order.
    Drawing(&'static str),
    /// Code of another implementation that neither takes nor tells a shape; what it does is tested elsewhere.
    Sketch(&'static str),
    /// Rules in words.
    Prose(&'static str),
}

/// How many there are in each document.
const N_BLOCKS: [(&str, usize); 5] = [("000", 16), ("001", 4), ("002", 27), ("003", 23), ("004", 2)];

#[rustfmt::skip]
const BLOCKS: [Block; 72] = [
    Block { document: "000", place: "QuestionOption", begins: "/** 单个选项 */", kept: Golden("000-question-option.ts") },
    Block { document: "000", place: "Question", begins: "/** 单个问题 */", kept: Golden("000-question.ts") },
    Block { document: "000", place: "命令输入格式", begins: "interface AskUserQuestionInput {", kept: Golden("000-command-input.ts") },
    Block { document: "000", place: "命令输出格式", begins: "interface AskUserQuestionOutput {", kept: Golden("000-command-output.ts") },
    Block { document: "000", place: "示例调用", begins: "AskUserQuestion '{\"questions\":[", kept: Golden("000-example-call.sh") },
    Block { document: "000", place: "示例返回", begins: "{\"answers\":{\"Auth method\":\"OAuth 2.0\"}}", kept: Golden("000-example-return.json") },
    Block { document: "000", place: "架构图", begins: "┌───────────────────────────────────────────────", kept: Drawing("the parts of another implementation") },
    Block { document: "000", place: "文件结构", begins: "src/tools/handlers/agent-bash/", kept: Drawing("the folders of another implementation") },
    Block { document: "000", place: "AskUserQuestionHandler", begins: "// ask/ask-user-question.ts", kept: Sketch("t1_t4_t5_t6: its texts are the blocks of 错误处理 and 示例返回") },
    Block { document: "000", place: "TerminalPrompter", begins: "// ask/terminal-prompter.ts", kept: Sketch("t7_t8_t9: its box and prompts are held by tests/story/cases.rs") },
    Block { document: "000", place: "系统提示词", begins: "AskUserQuestion - Ask user questions during exec", kept: Golden("000-system-prompt.md") },
    Block { document: "000", place: "Zod Schema", begins: "// ask/ask-schema.ts", kept: Golden("000-zod-schema.ts") },
    Block { document: "000", place: "错误处理", begins: "Error: Invalid JSON format", kept: Golden("000-errors-not-json.txt") },
    Block { document: "000", place: "错误处理", begins: "Error: Validation failed", kept: Golden("000-errors-validation.txt") },
    Block { document: "000", place: "错误处理", begins: "Error: Missing JSON parameter", kept: Golden("000-errors-no-argument.txt") },
    Block { document: "000", place: "执行流程", begins: "┌───────────────────────────────────────────────", kept: Drawing("the order of the steps") },
    Block { document: "001", place: "Question 结构", begins: "interface Question {", kept: Golden("001-question-structure.ts") },
    Block { document: "001", place: "触发流程", begins: "AI 调用 AskUserQuestion", kept: Drawing("the order of the two events") },
    Block { document: "001", place: "回应方式", begins: "sema.on('ask:question:request', (data) => {", kept: Golden("001-responding.js") },
    Block { document: "001", place: "使用示例", begins: "# 技术选型", kept: Golden("001-usage-examples.js") },
    Block { document: "002", place: "2.1", begins: "[用户界面] ↔ [消息渲染器] ↔ [任务管理器] ↔ [Claude Runner]", kept: Drawing("the parts of another implementation") },
    Block { document: "002", place: "3.1.1", begins: "@dataclass", kept: Golden("002-3.1.1-question-data.py") },
    Block { document: "002", place: "3.1.2", begins: "@dataclass", kept: Golden("002-3.1.2-session-state.py") },
    Block { document: "002", place: "3.2.1", begins: "{", kept: Golden("002-3.2.1-tool-use.json") },
    Block { document: "002", place: "3.2.2", begins: "{", kept: Golden("002-3.2.2-tool-result.json") },
    Block { document: "002", place: "4.1.1", begins: "sequenceDiagram", kept: Drawing("the order of the messages") },
    Block { document: "002", place: "4.1.2", begins: "第一轮问答 → 用户回答 → 系统确认 → 第二轮问答 → 用户回答 → 系统确认 → ... ", kept: Drawing("one round after another") },
    Block { document: "002", place: "4.2.1", begins: "pending → showing → answered → processing → comp", kept: Golden("002-4.2.1-states.txt") },
    Block { document: "002", place: "4.2.2", begins: "会话状态: active", kept: Drawing("rounds of a session; its states are those of 3.1.2 and 4.2.1") },
    Block { document: "002", place: "5.1.1", begins: "const AskUserQuestionDialog = {", kept: Sketch("d1: a component of another page; ours is tried in tests/browser") },
    Block { document: "002", place: "5.1.2", begins: "class MessageRenderer {", kept: Golden("002-5.1.2-message-renderer.js") },
    Block { document: "002", place: "5.2.1", begins: "class ClaudeRunner:", kept: Golden("002-5.2.1-tool-call.py") },
    Block { document: "002", place: "5.2.2", begins: "class SessionManager:", kept: Sketch("p9: who may answer what; tests/http/task.rs") },
    Block { document: "002", place: "6.1", begins: "class ConcurrencyManager:", kept: Sketch("d6: five at once; the number stands in 12.1") },
    Block { document: "002", place: "6.2", begins: "class MemoryManager:", kept: Sketch("d7: the memory of sessions; nothing of it is told") },
    Block { document: "002", place: "7.1", begins: "// 前端性能优化", kept: Golden("002-7.1-response-times.js") },
    Block { document: "002", place: "7.2", begins: "class CacheManager:", kept: Sketch("d9: the cache of templates; the number stands in 12.1") },
    Block { document: "002", place: "8.1", begins: "class InputValidator:", kept: Sketch("d10: what may be typed; the number stands in 12.1") },
    Block { document: "002", place: "8.2", begins: "class SessionSecurity:", kept: Sketch("d5: whose session it is; the numbers stand in 12.1") },
    Block { document: "002", place: "9.1", begins: "class ErrorHandler:", kept: Golden("002-9.1-error-handler.py") },
    Block { document: "002", place: "9.2", begins: "class SessionRecovery:", kept: Golden("002-9.2-session-recovery.py") },
    Block { document: "002", place: "10.1", begins: "class PerformanceMonitor:", kept: Golden("002-10.1-performance-monitor.py") },
    Block { document: "002", place: "10.2", begins: "import logging", kept: Golden("002-10.2-audit-logger.py") },
    Block { document: "002", place: "11.1", begins: "import unittest", kept: Golden("002-11.1-unit-tests.py") },
    Block { document: "002", place: "11.2", begins: "class IntegrationTests:", kept: Golden("002-11.2-integration-test.py") },
    Block { document: "002", place: "12.1", begins: "# config.yaml", kept: Golden("002-12.1-config.yaml") },
    Block { document: "002", place: "12.2", begins: "class AlertManager:", kept: Golden("002-12.2-alerts.py") },
    Block { document: "003", place: "2.2.1", begins: "业务规则：", kept: Prose("p2, p3: rules for several rounds") },
    Block { document: "003", place: "2.2.2", begins: "状态流转：", kept: Prose("d4, p19: rules for states") },
    Block { document: "003", place: "2.3.1", begins: "{", kept: Golden("003-2.3.1-tool-call.json") },
    Block { document: "003", place: "2.3.2", begins: "{", kept: Golden("003-2.3.2-tool-result.json") },
    Block { document: "003", place: "2.3.3", begins: "{\"type\": \"user\", \"message\": {\"role\": \"user\", \"co", kept: Golden("003-2.3.3-chain.jsonl") },
    Block { document: "003", place: "2.3.4", begins: "{", kept: Golden("003-2.3.4-push.json") },
    Block { document: "003", place: "2.5.1", begins: "特殊选项：\"再给一个多选框还是这些选项（我想了解多次对话这个过程）\"", kept: Prose("p3: asking the same again is normal") },
    Block { document: "003", place: "2.5.2", begins: "控制机制：", kept: Prose("p3: the depth is ten") },
    Block { document: "003", place: "2.6.1", begins: "显示要求：", kept: Prose("p15: what the page shows") },
    Block { document: "003", place: "2.6.2", begins: "┌───────────────────────────────────────────────", kept: Drawing("the dialog of the page; its words are tried in tests/browser") },
    Block { document: "003", place: "2.6.4", begins: "用户选择 \"OAuth 2.0\" 后：", kept: Drawing("a follow-up on the page; tried in tests/browser") },
    Block { document: "003", place: "2.7.1", begins: "{", kept: Golden("003-2.7.1-session.json") },
    Block { document: "003", place: "2.7.2", begins: "恢复机制：", kept: Prose("d13: what a restore keeps") },
    Block { document: "003", place: "2.7.2", begins: "POST /api/task/answer", kept: Golden("003-2.7.2-answer-one.http") },
    Block { document: "003", place: "2.7.2", begins: "{", kept: Golden("003-2.7.2-answer-several.json") },
    Block { document: "003", place: "2.7.2", begins: "{", kept: Golden("003-2.7.2-answer-text.json") },
    Block { document: "003", place: "2.7.3", begins: "{", kept: Golden("003-2.7.3-answered.json") },
    Block { document: "003", place: "2.10.2", begins: "多轮对话CLI显示：", kept: Golden("003-2.10.2-terminal.txt") },
    Block { document: "003", place: "2.10.3", begins: "{", kept: Golden("003-2.10.3-mcp.json") },
    Block { document: "003", place: "4.2.1", begins: "问题输入格式：", kept: Prose("p9: what a question must have") },
    Block { document: "003", place: "4.2.1", begins: "选项定义规则：", kept: Prose("p9: what an option must have") },
    Block { document: "003", place: "4.2.2", begins: "答案格式由问题类型决定：", kept: Golden("003-4.2.2-answer-formats.txt") },
    Block { document: "003", place: "4.3", begins: "\"follow_up_questions\": {", kept: Golden("003-4.3-follow-ups.json") },
    Block { document: "004", place: "CLI 内部超时处理", begins: "askUser(questions, {", kept: Golden("004-ask-user-options.js") },
    Block { document: "004", place: "MCP 工具 ask_user 处理策略", begins: "{", kept: Golden("004-mcp-timeout.js") },
];

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Names of golden files that are there.
fn files() -> Vec<String> {
    let folder = fs::read_dir(tests().join("wire/documents")).unwrap();
    folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The text of every test, this file aside.
fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && !path.ends_with("wire/documents.rs")
        {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

fn digest(text: &str) -> String {
    let hex = |mut text: String, byte: &u8| {
        // Writing to a string does not fail.
        let _written = write!(text, "{byte:02x}");
        text
    };
    Sha256::digest(text).iter().fold(String::new(), hex)
}

#[test]
fn every_code_block_of_the_documents_is_kept_or_says_why_not() {
    let mut wrong = Vec::new();
    for (document, n_blocks) in N_BLOCKS {
        let blocks: Vec<&Block> = BLOCKS.iter().filter(|block| block.document == document).collect();
        if blocks.len() != n_blocks {
            wrong.push(format!("{document}: {} of {n_blocks} blocks are listed", blocks.len()));
        }
    }
    let (there, mut text) = (files(), String::new());
    let digests = fs::read_to_string(tests().join("wire/documents.sha256")).unwrap();
    sources(&tests(), &mut text);
    for Block { document, place, begins, kept } in &BLOCKS {
        let name = format!("{document} {place} ({begins})");
        match kept {
            Golden(file) => {
                let numbered = place.starts_with(|digit: char| digit.is_ascii_digit());
                let begins_so =
                    if numbered { format!("{document}-{place}-") } else { format!("{document}-") };
                let content =
                    fs::read_to_string(tests().join("wire/documents").join(file)).unwrap_or_default();
                if !there.contains(&(*file).to_owned()) {
                    wrong.push(format!("{name}: {file} is not there"));
                } else if !file.starts_with(&begins_so) {
                    wrong.push(format!("{name}: {file} does not say where it stands"));
                } else if !content.starts_with(begins) {
                    wrong.push(format!("{name}: {file} begins otherwise"));
                } else if !digests.contains(&format!("{}  {file}\n", digest(&content))) {
                    wrong.push(format!("{name}: {file} is not the document's word for word any more"));
                } else if !text.contains(&format!("documents/{file}\"")) {
                    wrong.push(format!("{name}: no test reads {file}"));
                }
            }
            Drawing(why) | Sketch(why) | Prose(why) if why.is_empty() => {
                wrong.push(format!("{name}: neither a golden file nor a reason"));
            }
            Drawing(_) | Sketch(_) | Prose(_) => {}
        }
    }
    for file in there {
        if !BLOCKS.iter().any(|block| matches!(block.kept, Golden(known) if known == file)) {
            wrong.push(format!("{file} is of no block"));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
