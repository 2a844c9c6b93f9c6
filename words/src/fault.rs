//! What a caller is told when something does not work, in both languages.
//!
//! English is most often what `core` itself says; here is the rest.

use askuser_core::decide::Refusal;
use askuser_core::format::FormatFault;
use askuser_core::problem::Fault;

use crate::Language;

/// Says why a command was not carried out.
pub fn refusal(refusal: &Refusal, language: Language) -> String {
    if language == Language::English {
        return match refusal {
            // Its problems are listed beside it.
            Refusal::UnfitQuestions(_) => "the questions do not fit".to_owned(),
            Refusal::UnfitAnswer(_) => "the answer does not fit".to_owned(),
            Refusal::UnfitTask(_) => "the task does not fit".to_owned(),
            Refusal::AlreadyClosed(outcome) => {
                format!("this question has ended: {}", within(&language.ended(outcome)))
            }
            Refusal::TaskIs(state) if !state.is_alive() => {
                format!("the task has already ended: {}", state.name())
            }
            other => other.to_string(),
        };
    }
    match refusal {
        Refusal::SessionNotFound => "会话不存在或已过期".to_owned(),
        Refusal::AskNotFound => "提问不存在".to_owned(),
        Refusal::QuestionNotFound(id) => format!("此会话中没有问题 `{id}`"),
        Refusal::UnfitQuestions(_) => "问题不符合要求".to_owned(),
        Refusal::UnfitAnswer(_) => "答案不符合要求".to_owned(),
        Refusal::DuplicateQuestionId(id) => format!("问题 ID `{id}` 在此会话中已经用过：请换一个新的 ID"),
        Refusal::AmbiguousQuestionId(id) => {
            format!("此会话中有多个未回答的问题都叫 `{id}`：请用提问的 ID 回答")
        }
        Refusal::AlreadyAnswered(id) => format!("问题 `{id}` 已经回答过"),
        Refusal::Conflict { name, ask } => {
            format!("{name} 已被提问 {ask} 使用，而其内容不同：请另取一个名称")
        }
        Refusal::AlreadyHeard => "您已经回答过：此提问还在等待其他人的回答".to_owned(),
        Refusal::AlreadyClosed(outcome) => format!("问题已经结束：{}", language.ended(outcome)),
        Refusal::NothingHeld => "没有可以撤回的回答".to_owned(),
        Refusal::NotShowing => "问题尚未显示，正在排队".to_owned(),
        Refusal::NotReopenable => "只有超时或取消的提问才能重新提出".to_owned(),
        Refusal::CheckpointNotFound => "此会话没有这样的检查点".to_owned(),
        Refusal::RecursiveLimit { max } => {
            format!("提问已连续嵌套 {max} 轮，达到上限：请结束本次对话，或者问新的问题")
        }
        Refusal::TooManySessions { max } => {
            format!("已有 {max} 个会话存在未结束的提问，达到上限：请先回答或撤回一个")
        }
        Refusal::TooManyOpen { max } => {
            format!("此会话已有 {max} 个未结束的提问，达到上限：请先回答或撤回一个")
        }
        Refusal::StillOpen => "提问尚未结束".to_owned(),
        Refusal::TooEarly => "尚未到截止时间".to_owned(),
        Refusal::SessionInUse => "会话仍在使用中".to_owned(),
        Refusal::TaskNotFound => "任务不存在".to_owned(),
        Refusal::RunOver => "任务的这次运行已结束：它已被重新开始".to_owned(),
        Refusal::TaskIs(state) if !state.is_alive() => format!("任务已经结束：{}", state.name()),
        Refusal::TaskIs(state) => format!("任务状态为 {}，现在不能这样做", state.name()),
        Refusal::UnfitTask(_) => "任务不符合要求".to_owned(),
        Refusal::Forbidden(_) => "此密钥无权执行该操作".to_owned(),
    }
}

/// Returns words that begin a sentence as they stand within one.
fn within(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Says what is wrong with one value.
pub fn fault(fault: &Fault, language: Language) -> String {
    if language == Language::English {
        return fault.to_string();
    }
    match fault {
        Fault::Missing => "缺失".to_owned(),
        Fault::WrongType { expected, received } => format!("类型是 {received}，应为 {expected}"),
        Fault::NotOneOf { expected, received } => {
            format!("是 `{received}`，只能是 {} 之一", expected.join("、"))
        }
        Fault::TooFewChars { min, got } => format!("有 {got} 个字符，至少 {min} 个"),
        Fault::TooManyChars { max, got } => format!("有 {got} 个字符，最多 {max} 个"),
        Fault::TooFewItems { min, got } => format!("有 {got} 项，至少 {min} 项"),
        Fault::TooManyItems { max, got } => format!("有 {got} 项，最多 {max} 项"),
        Fault::TooManyBytes { max, got } => format!("有 {got} 字节，最多 {max} 字节"),
        Fault::Duplicate { of } => format!("与 {of} 重复"),
        Fault::LooksLike { of } => format!("与 {of} 看起来一样，用户无法区分"),
        Fault::TooDeep { max } => format!("嵌套超过 {max} 层"),
        Fault::NoSuchChoice { choice } => format!("没有选项 `{choice}`"),
        Fault::NoSuchQuestion { question } => format!("没有问题 `{question}`"),
        Fault::Cycle { through } => format!("条件互相等待：{}", through.join(" → ")),
        Fault::ControlCharacter { code } => format!("含有控制字符 U+{code:04X}"),
        Fault::WrongFormat(fault) => format_fault(fault),
        Fault::NoFreeText => "只能选择给出的选项".to_owned(),
        Fault::NoToolCall { tool } => format!("其中没有调用 {tool} 的 tool_use"),
        Fault::SeveralToolCalls { tool, got } => format!("其中有 {got} 个 {tool} 调用：请逐个发送"),
        Fault::NeverShown { choice } => {
            format!("属于选项 `{choice}`，但问题没有提供该选项：这些追问不会显示")
        }
        Fault::Other(words) => words.clone(),
    }
}

fn format_fault(fault: &FormatFault) -> String {
    match fault {
        FormatFault::NotWhole => "不是整数".to_owned(),
        FormatFault::NotNumber => "不是数字".to_owned(),
        FormatFault::Below(min) => format!("小于 {min}"),
        FormatFault::Above(max) => format!("大于 {max}"),
        FormatFault::NotEmail => "不是电子邮箱地址".to_owned(),
        FormatFault::NotUri => "不是网址，如 https://…".to_owned(),
        FormatFault::NotDate => "不是日期，如 2026-11-15".to_owned(),
        FormatFault::NotDateTime => "不是日期时间，如 2026-11-15T10:00:00Z".to_owned(),
    }
}
