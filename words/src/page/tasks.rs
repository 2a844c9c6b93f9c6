//! Tasks for agents.

use crate::fault::fault as say_fault;
use askuser_core::problem::Fault;
use askuser_core::task::TaskState;

phrases! {
    /// The pages of the tasks.
    Tasks {
        title: "Tasks" | "任务";
        text: "Task" | "任务内容";
        text_how: "Describe the task. The agent asks you when it needs you." | "描述任务，智能体需要时会向你提问。";
        agent: "Agent" | "智能体";
        folder: "Folder" | "文件夹";
        text_is(why): "The task {why}." | "任务内容{why}。";
        agent_is(why): "The agent {why}." | "智能体{why}。";
        folder_is(why): "The folder {why}." | "文件夹{why}。";
        start: "Start" | "开始";
        stop: "Stop" | "停止";
        off: "Running agents is not set up yet." | "尚未设置可运行的智能体。";
        off_how: "Add agents and the folders they may work in to config.yaml in the data folder (`askuser config` shows where), then restart askuser:" | "在数据目录的 config.yaml 中写下智能体及其可用文件夹（`askuser config` 会显示位置），然后重启 askuser：";
        queued: "queued" | "排队中";
        running: "running" | "运行中";
        done: "done" | "已完成";
        failed: "failed" | "失败";
        stopped: "stopped" | "已停止";
        interrupted: "interrupted" | "已中断";
        queued_why: "Starts when another task is done." | "其他任务完成后开始。";
        stopped_why: "You stopped it." | "已由你停止。";
        timed_out_why: "Stopped: nobody answered its question in time." | "问题无人及时回答，任务已停止。";
        interrupted_why: "askuser stopped while the agent was running. None of it is still running; you can continue the task." | "智能体运行时 askuser 停止了。现已没有残留进程，你可以继续该任务。";
        server_gone_why: "The server that ran this task has not responded for a while. You can continue it on this one." | "运行该任务的服务器已有一段时间没有响应。你可以在当前服务器上继续该任务。";
        say: "Send" | "发送";
        say_what: "Message the agent" | "给智能体补充说明";
        resume: "Continue" | "继续任务";
        resume_what: "What should it do next?" | "接下来要做什么？";
    }
}

impl Tasks {
    /// Says how far a task is.
    pub fn state(self, state: TaskState) -> &'static str {
        match state {
            TaskState::Queued => self.queued(),
            TaskState::Running => self.running(),
            TaskState::Done => self.done(),
            TaskState::Failed => self.failed(),
            TaskState::Stopped => self.stopped(),
            TaskState::Interrupted => self.interrupted(),
        }
    }

    /// Says what is wrong with a field of the form.
    pub fn fault(self, field: &str, fault: &Fault) -> String {
        let why = say_fault(fault, self.0);
        match field {
            "agent" => self.agent_is(why),
            "folder" => self.folder_is(why),
            _ => self.text_is(why),
        }
    }
}
