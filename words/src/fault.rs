//! What a caller is told when something does not work, in both languages.
//!
//! English is most often what `core` itself says; here is the rest.

use askuser_core::decide::{Barred, Refusal};
use askuser_core::format::FormatFault;
use askuser_core::problem::{Fault, Problem};
use askuser_core::task::TaskState;

use crate::Language;
pub use crate::unfit::{Wrong, unfit};

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
        Refusal::SessionNotFound => "对话不存在或已过期".to_owned(),
        Refusal::AskNotFound => "问题不存在".to_owned(),
        Refusal::QuestionNotFound(id) => format!("此对话中没有问题 `{id}`"),
        Refusal::UnfitQuestions(_) => "问题不符合要求".to_owned(),
        Refusal::UnfitAnswer(_) => "答案不符合要求".to_owned(),
        Refusal::DuplicateQuestionId(id) => format!("问题 ID `{id}` 在此对话中已经用过：请换一个新的 ID"),
        Refusal::AmbiguousQuestionId(id) => {
            format!("此对话中有多个未回答的问题都叫 `{id}`：请用问题编号回答")
        }
        Refusal::AlreadyAnswered(id) => format!("问题 `{id}` 已经回答过"),
        Refusal::Conflict { name, ask } => {
            format!("{name} 已被问题 {ask} 使用，而其内容不同：请另取一个名称")
        }
        Refusal::AlreadyHeard => "你已经回答过：这个问题还在等待其他人的回答".to_owned(),
        Refusal::AlreadyClosed(outcome) => format!("问题已经结束：{}", language.ended(outcome)),
        Refusal::NothingHeld => "没有可以撤回的回答".to_owned(),
        Refusal::NotShowing => "问题尚未显示，正在排队".to_owned(),
        Refusal::NotReopenable => "只有超时或取消的问题才能重新提出".to_owned(),
        Refusal::CheckpointNotFound => "此对话没有这样的检查点".to_owned(),
        Refusal::RecursiveLimit { max } => {
            format!("问题已连续嵌套 {max} 轮，达到上限：请结束本次对话，或者问新的问题")
        }
        Refusal::TooManySessions { max } => {
            format!("已有 {max} 个对话存在未结束的问题，达到上限：请先回答或撤回一个")
        }
        Refusal::TooManyOpen { max } => {
            format!("此对话已有 {max} 个未结束的问题，达到上限：请先回答或撤回一个")
        }
        Refusal::StillOpen => "问题尚未结束".to_owned(),
        Refusal::TooEarly => "尚未到截止时间".to_owned(),
        Refusal::SessionInUse => "对话仍在使用中".to_owned(),
        Refusal::TaskNotFound => "任务不存在".to_owned(),
        Refusal::RunOver => "任务的这次运行已结束：它已被重新开始".to_owned(),
        Refusal::TaskIs(state) if !state.is_alive() => format!("任务已经结束：{}", task(*state, language)),
        Refusal::TaskIs(state) => format!("任务{}，现在不能这样做", task(*state, language)),
        Refusal::UnfitTask(_) => "任务不符合要求".to_owned(),
        Refusal::Forbidden(why) => barred(*why).to_owned(),
    }
}

/// Says what is wrong and where, as a line of a list.
pub fn line(problem: &Problem, language: Language) -> String {
    let what = fault(&problem.fault, language);
    match problem.path.as_str() {
        "" => format!("- {what}"),
        path => format!("- {path}{}{what}", language.pick(": ", "：")),
    }
}

/// How a task is doing, in a word.
pub fn task(state: TaskState, language: Language) -> &'static str {
    match (language, state) {
        (Language::English, state) => state.name(),
        (_, TaskState::Queued) => "排队中",
        (_, TaskState::Running) => "运行中",
        (_, TaskState::Done) => "已完成",
        (_, TaskState::Failed) => "失败",
        (_, TaskState::Stopped) => "已停止",
        (_, TaskState::Interrupted) => "已中断",
    }
}

fn barred(why: Barred) -> &'static str {
    match why {
        Barred::AgentAsks => "只有智能体可以提问",
        Barred::PersonAnswers => "只有用户本人可以回答：智能体的密钥只能提问、等待和撤回",
        Barred::PersonReopens => "只有用户本人可以重新提出问题",
        Barred::PersonRestores => "只有用户本人可以回到之前的检查点",
        Barred::PersonTasks => "只有用户本人可以给智能体布置任务",
        Barred::PersonResumes => "只有用户本人可以继续任务",
        Barred::PersonSpeaks => "只有用户本人可以对任务中的智能体说话",
        Barred::ServerRules => "只有服务可以按规则回答",
        Barred::ServerEnds => "只有服务可以在截止时间结束问题",
        Barred::ServerEscalates => "只有服务可以把问题转给其他人",
        Barred::AskerWithdraws => "只有提问者可以撤回问题：用户可以取消",
        Barred::AskerTakes => "只有提问者可以领取结果",
        Barred::RunnerMoves => "只有运行任务的一方可以推进任务",
        Barred::RunnerTells => "只有运行任务的一方可以转述智能体说的话",
        Barred::SecretHeld => "机密内容会立即发送，不能暂缓：请直接回答",
        Barred::DialogHeld => "在智能体对话框中的回答即为最终回答，不能暂缓：请直接回答",
        Barred::DialogOff => {
            "未开启在智能体自己的对话框中回答：只有在 config.yaml 中设置 `mcp: {agent_dialog: true}` 才允许"
        }
        Barred::DialogOfNoAgent => "需要智能体密钥",
        Barred::ForOthers => "这个问题是问其他人的：由他们回答，你可以查看",
        Barred::NamedInDialog => "指名提出的问题不能在智能体的对话框中回答：无法确认是谁在操作",
        Barred::AnothersDialog => "智能体的对话框只能回答用它自己的密钥提出的问题",
        Barred::AnothersAsk => "这是用另一个智能体的密钥提出的：智能体只能撤回自己提出的问题",
        Barred::RuleForOthers => "规则只代表写规则的人，不能代替问题指名的人回答",
        Barred::NotProven => "授权只能在网页上进行，或在由用户打开、没有智能体运行的终端中进行",
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
        Fault::NothingLeft => "已经回答：没有要问的内容".to_owned(),
        Fault::NameOfAnAsk => "是一个问题的名称：请给事件另取一个".to_owned(),
        Fault::Nobody => "没有人可以回答".to_owned(),
        Fault::TooFewPeople { wanted, got } => format!("是 {wanted}，但能回答的只有 {got} 人"),
        Fault::TooFewPicks { min, max } => format!("要求至少选 {min} 项，但最多只能选 {max} 项"),
        Fault::Other(words) => words.chinese.clone(),
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
