//! What a caller is told when something does not work, in both languages. What is wrong with one value programs are
//! told to the byte, so its English is that of `core`.

use askuser_core::decide::{Barred, Refusal};
use askuser_core::format::FormatFault;
use askuser_core::problem::{Fault, Problem};
use askuser_core::task::TaskState;

use crate::Language;
pub use crate::unfit::{Wrong, unfit};

phrases! {
    /// Why a command is not carried out.
    Refused {
        session_not_found: "there is no such conversation, or it has expired" | "对话不存在或已过期";
        ask_not_found: "there is no such question" | "问题不存在";
        question_not_found(id): "there is no question `{id}` in this conversation" | "此对话中没有问题 `{id}`";
        unfit_questions: "the questions do not fit" | "问题不符合要求";
        unfit_answer: "the answer does not fit" | "答案不符合要求";
        unfit_task: "the task does not fit" | "任务不符合要求";
        id_taken(id): "the question id `{id}` is already used in this conversation: give the question a new id" | "问题 ID `{id}` 在此对话中已经用过：请换一个新的 ID";
        id_ambiguous(id): "several waiting questions of this conversation are called `{id}`: answer by the question's own id (ask_…)" | "此对话中有多个未回答的问题都叫 `{id}`：请用问题编号（`ask_…`）回答";
        conflict(name, ask): "the {name} is that of {ask}, which asks something else: give this one a name of its own" | "{name} 已被问题 {ask} 使用，而其内容不同：请另取一个名称";
        already_answered(id): "the question `{id}` is answered already" | "问题 `{id}` 已经回答过";
        already_closed(how): "this question has ended: {how}" | "问题已经结束：{how}";
        already_heard: "you have answered this already: it is waiting for other people" | "你已经回答过：这个问题还在等待其他人的回答";
        nothing_held: "there is no answer of yours to undo" | "没有可以撤回的回答";
        not_showing: "the question is queued: its turn has not come" | "问题正在排队，还没有轮到";
        not_reopenable: "only a question that timed out or was declined can be asked again" | "只有超时或取消的问题才能重新提出";
        checkpoint_not_found: "this conversation has no such version" | "此对话没有这样的检查点";
        too_deep(max): "{max} rounds build on one another, which is the limit: finish this conversation, or ask something new" | "问题已连续嵌套 {max} 轮，达到上限：请结束本次对话，或者问新的问题";
        too_many_sessions(max): "{max} conversations have waiting questions, which is the limit: answer or withdraw one first" | "已有 {max} 个对话存在未结束的问题，达到上限：请先回答或撤回一个";
        too_many_open(max): "{max} questions are waiting in this conversation, which is the limit: answer or withdraw one first" | "此对话已有 {max} 个未结束的问题，达到上限：请先回答或撤回一个";
        still_open: "the question is still waiting" | "问题尚未结束";
        too_early: "the deadline has not passed" | "尚未到截止时间";
        session_in_use: "the conversation is still in use" | "对话仍在使用中";
        task_not_found: "there is no such task" | "任务不存在";
        task_ended(how): "the task has already ended: {how}" | "任务已经结束：{how}";
        task_is(how): "the task is {how}: this cannot be done now" | "任务{how}，现在不能这样做";
        run_over: "this run of the task is over: the task was resumed" | "任务的这次运行已结束：它已被重新开始";
    }
}

phrases! {
    /// Who may do what.
    NotAllowed {
        agent_asks: "only an agent asks" | "只有智能体可以提问";
        person_answers: "only a person answers: an agent's key may ask, wait and withdraw" | "只有用户本人可以回答：智能体的密钥只能提问、等待和撤回";
        person_reopens: "only a person has a question asked again" | "只有用户本人可以重新提出问题";
        person_restores: "only a person goes back to an earlier version" | "只有用户本人可以回到之前的检查点";
        person_tasks: "only a person gives a task to an agent" | "只有用户本人可以给智能体布置任务";
        person_resumes: "only a person resumes a task" | "只有用户本人可以继续任务";
        person_speaks: "only a person speaks to the agent of a task" | "只有用户本人可以对任务中的智能体说话";
        server_rules: "only the server answers by a rule" | "只有服务可以按规则回答";
        server_ends: "only the server ends a question at its deadline" | "只有服务可以在截止时间结束问题";
        server_escalates: "only the server shows a question to others" | "只有服务可以把问题转给其他人";
        asker_withdraws: "only whoever asked withdraws a question: a person declines it" | "只有提问者可以撤回问题：用户可以取消";
        asker_takes: "only whoever asked takes the result" | "只有提问者可以领取结果";
        runner_moves: "only the program that runs a task moves it on" | "只有运行任务的一方可以推进任务";
        runner_tells: "only the program that runs a task reports what its agent said" | "只有运行任务的一方可以转述智能体说的话";
        secret_held: "a secret is sent at once and cannot be undone: answer it directly" | "机密内容会立即发送，不能暂缓：请直接回答";
        dialog_held: "an answer in an agent's own dialog is final: answer it directly" | "在智能体对话框中的回答即为最终回答，不能暂缓：请直接回答";
        dialog_off: "answers in an agent's own dialog are off: only `mcp: {agent_dialog: true}` in config.yaml allows them" | "未开启在智能体自己的对话框中回答：只有在 config.yaml 中设置 `mcp: {agent_dialog: true}` 才允许";
        dialog_of_no_agent: "this needs an agent's key" | "需要智能体密钥";
        for_others: "this question is for other people: they answer it, and you can watch" | "这个问题是问其他人的：由他们回答，你可以查看";
        named_in_dialog: "a question to named people is not answered in an agent's dialog: nobody knows who sits there" | "指名提出的问题不能在智能体的对话框中回答：无法确认是谁在操作";
        anothers_dialog: "an agent's dialog answers only what was asked with that agent's own key" | "智能体的对话框只能回答用它自己的密钥提出的问题";
        anothers_ask: "another agent's key asked this: an agent withdraws only its own questions" | "这是用另一个智能体的密钥提出的：智能体只能撤回自己提出的问题";
        rule_for_others: "a rule answers for whoever wrote it, not for the people a question names" | "规则只代表写规则的人，不能代替问题指名的人回答";
        not_proven: "a permission is granted in the browser, or in a terminal that a person opened and no agent runs in" | "授权只能在网页上进行，或在由用户打开、没有智能体运行的终端中进行";
    }
}

/// Says why a command was not carried out. Problems are listed beside it.
pub fn refusal(refusal: &Refusal, language: Language) -> String {
    let said = Refused(language);
    match refusal {
        Refusal::SessionNotFound => said.session_not_found().to_owned(),
        Refusal::AskNotFound => said.ask_not_found().to_owned(),
        Refusal::QuestionNotFound(id) => said.question_not_found(id),
        Refusal::UnfitQuestions(_) => said.unfit_questions().to_owned(),
        Refusal::UnfitAnswer(_) => said.unfit_answer().to_owned(),
        Refusal::DuplicateQuestionId(id) => said.id_taken(id),
        Refusal::AmbiguousQuestionId(id) => said.id_ambiguous(id),
        Refusal::AlreadyAnswered(id) => said.already_answered(id),
        Refusal::Conflict { name, ask } => said.conflict(name, ask),
        Refusal::AlreadyHeard => said.already_heard().to_owned(),
        Refusal::AlreadyClosed(outcome) => {
            let how = language.ended(outcome);
            said.already_closed(language.pick(within(&how), how))
        }
        Refusal::NothingHeld => said.nothing_held().to_owned(),
        Refusal::NotShowing => said.not_showing().to_owned(),
        Refusal::NotReopenable => said.not_reopenable().to_owned(),
        Refusal::CheckpointNotFound => said.checkpoint_not_found().to_owned(),
        Refusal::RecursiveLimit { max } => said.too_deep(max),
        Refusal::TooManySessions { max } => said.too_many_sessions(max),
        Refusal::TooManyOpen { max } => said.too_many_open(max),
        Refusal::StillOpen => said.still_open().to_owned(),
        Refusal::TooEarly => said.too_early().to_owned(),
        Refusal::SessionInUse => said.session_in_use().to_owned(),
        Refusal::TaskNotFound => said.task_not_found().to_owned(),
        Refusal::RunOver => said.run_over().to_owned(),
        Refusal::TaskIs(state) if !state.is_alive() => said.task_ended(task(*state, language)),
        Refusal::TaskIs(state) => said.task_is(task(*state, language)),
        Refusal::UnfitTask(_) => said.unfit_task().to_owned(),
        Refusal::Forbidden(why) => barred(*why, NotAllowed(language)),
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

fn barred(why: Barred, said: NotAllowed) -> String {
    let words = match why {
        Barred::AgentAsks => said.agent_asks(),
        Barred::PersonAnswers => said.person_answers(),
        Barred::PersonReopens => said.person_reopens(),
        Barred::PersonRestores => said.person_restores(),
        Barred::PersonTasks => said.person_tasks(),
        Barred::PersonResumes => said.person_resumes(),
        Barred::PersonSpeaks => said.person_speaks(),
        Barred::ServerRules => said.server_rules(),
        Barred::ServerEnds => said.server_ends(),
        Barred::ServerEscalates => said.server_escalates(),
        Barred::AskerWithdraws => said.asker_withdraws(),
        Barred::AskerTakes => said.asker_takes(),
        Barred::RunnerMoves => said.runner_moves(),
        Barred::RunnerTells => said.runner_tells(),
        Barred::SecretHeld => said.secret_held(),
        Barred::DialogHeld => said.dialog_held(),
        Barred::DialogOff => said.dialog_off(),
        Barred::DialogOfNoAgent => said.dialog_of_no_agent(),
        Barred::ForOthers => said.for_others(),
        Barred::NamedInDialog => said.named_in_dialog(),
        Barred::AnothersDialog => said.anothers_dialog(),
        Barred::AnothersAsk => said.anothers_ask(),
        Barred::RuleForOthers => said.rule_for_others(),
        Barred::NotProven => said.not_proven(),
    };
    words.to_owned()
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
