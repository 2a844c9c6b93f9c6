//! Conversations, transcripts, and what is said in them.

phrases! {
    /// The history.
    History {
        by_person: "You" | "你";
        succeeded: "succeeded" | "成功";
        failed: "failed" | "失败";
        no_result: "no result" | "没有结果";
        result: "Result" | "结果";
        error: "Error" | "错误";
        done: "Done" | "任务完成";
        notice: "Notice" | "提示";
        rounds: "Rounds" | "轮次";
        cut_off[n]: "{n} more byte not shown." / "{n} more bytes not shown." | "还有 {n} 字节未显示。";
        still_waiting: "Still waiting." | "待回答。";
        answer_it: "Answer" | "去回答";
        ending_unknown: "Outcome unknown." | "结果未知。";
        whole_conversation: "Show the whole conversation" | "查看完整对话";
        no_conversations: "No conversations yet." | "还没有对话。";
        no_conversations_why: "Every question from an agent is kept here with its answer." | "智能体提出的每个问题及其回答都会保存在这里。";
        nothing_found: "No results." | "没有找到结果。";
        search: "Search" | "搜索";
        search_what: "Agent, project, question or answer" | "智能体、项目、问题或回答";
        n_questions[n]: "{n} question" / "{n} questions" | "{n} 个问题";
        last_active: "last active" | "最近活动";
        active: "active" | "进行中";
        completed: "completed" | "已完成";
        idle: "ended after inactivity" | "长时间无活动，已结束";
        branch: "Branch from here" | "从这里另开对话";
        branch_why: "Starts a new conversation from this round; questions that were waiting then are asked again. Nothing here changes." | "从这一轮开始新的对话，当时待回答的问题会重新提出。这里的一切保持不变。";
        branched_from: "Branched from an earlier conversation" | "由较早的对话延续而来";
        of_a_task: "Part of a task: see everything its agent said and did" | "属于一个任务：查看智能体的全部言行";
        export: "Export as JSON Lines" | "导出为 JSON Lines";
        export_md: "Export as Markdown" | "导出为 Markdown";
        imported: "Imported transcripts" | "已导入的对话记录";
        latest_messages: "Latest messages" | "最新消息";
        whole_message: "Show all" | "显示全部";
        open_transcript: "Open a transcript" | "打开对话记录";
        transcript: "Transcript" | "对话记录";
        transcript_why: "A conversation that Claude Code saved as a JSONL file, or one exported here. It is shown but not stored." | "Claude Code 保存的 JSONL 对话文件，或在此导出的文件。仅供查看，不会保存。";
        file: "File" | "文件";
        show_file: "Show" | "查看";
        no_file: "No file chosen." | "没有选择文件。";
        file_too_large(n): "The file is larger than {n} MiB." | "文件超过 {n} MiB。";
        too_many_at_once: "Other files are being read. Try again in a moment." | "正在读取其他文件，请稍后重试。";
        no_conversation_in_it: "There is no conversation in this file." | "此文件中没有对话。";
        messages_of(from, to, all): "Messages {from} to {to} of {all}" | "第 {from} 至 {to} 条消息，共 {all} 条";
        earlier_messages: "Show earlier messages" | "查看更早的消息";
        choose_again: "The file is not stored: choose it again." | "文件不会保存，请再选择一次。";
        left_out: "Not shown" | "未显示的内容";
        n_broken[n]: "{n} line that cannot be read" / "{n} lines that cannot be read" | "{n} 行无法读取";
        n_unknown[n]: "{n} line with nothing to show" / "{n} lines with nothing to show" | "{n} 行没有可显示的内容";
        n_again[n]: "{n} repeated line" / "{n} repeated lines" | "{n} 行重复";
        n_abandoned[n]: "{n} line of an abandoned branch" / "{n} lines of abandoned branches" | "{n} 行属于已放弃的分支";
        n_aside[n]: "{n} line of subagents" / "{n} lines of subagents" | "{n} 行属于子智能体";
        n_unread[n]: "{n} line over the limit" / "{n} lines over the limit" | "{n} 行超出读取上限";
        line_not_json(n, why): "Line {n}: not JSON ({why})" | "第 {n} 行：不是 JSON（{why}）";
        line_no_object(n): "Line {n}: not a JSON object" | "第 {n} 行：不是 JSON 对象";
        line_too_long(n, bytes): "Line {n}: too long ({bytes} bytes)" | "第 {n} 行：太长（{bytes} 字节）";
    }
}
