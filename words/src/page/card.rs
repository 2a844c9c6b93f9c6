//! One question: how it is asked, answered and declined, and how it ended.

phrases! {
    /// The card of a question.
    Card {
        context: "Context" | "背景";
        recommended: "Recommended" | "推荐";
        suggested: "suggested" | "建议";
        suggested_why: "Suggested by the agent. Nothing is sent until you confirm." | "已填内容是智能体的建议，确认后才会提交。";
        only_if(what): "Only if: {what}" | "仅当：{what}";
        other: "Other" | "其他";
        other_answer: "Your own answer" | "自己的回答";
        write_answer: "Type your answer" | "输入你的回答";
        add_note: "Add a note" | "添加备注";
        note: "Note" | "备注";
        preview: "Preview" | "预览";
        secret: "Not saved to drafts, logs or history. The agent gets it once." | "不会保存到草稿、日志或历史，只交给智能体一次。";
        yes: "Yes" | "是";
        no: "No" | "否";
        permission: "The agent asks for permission. Read what will run before you say yes." | "这是授权请求，同意前请看清将要运行的内容。";
        permission_weak: "This browser cannot grant permissions: it was signed in with a key, or by a command that an agent may have run. Run this in your own terminal to sign in again:" | "此浏览器不能授权：它通过密钥登录，或由智能体可能运行过的命令登录。请在你自己的终端中运行以下命令重新登录：";
        command: "What will run" | "将要运行的内容";
        command_rest: "Other fields" | "其他字段";
        folder: "Folder" | "文件夹";
        answer_also: "The same question is waiting elsewhere. Answer it too?" | "还有相同的问题在等待，一并回答？";
        confirm: "Send answer" | "确认";
        save_for_later: "Save for later" | "稍后再答";
        decline: "Decline" | "取消问题";
        decline_more: "Decline…" | "取消";
        declining: "You are declining:" | "你将取消：";
        decline_why: "The agent learns that you declined, and why if you give a reason." | "智能体会知道你取消了这个问题；如写明原因，也会一并告知。";
        reason: "Reason (optional)" | "原因（选填）";
        held(answer): "Answered: {answer}" | "已回答：{answer}";
        undo_why: "The agent gets this answer in a few seconds." | "几秒后将把此回答交给智能体。";
        undo_too_late: "Too late to undo" | "来不及撤销了";
        waiting: "Waiting" | "待回答";
        waiting_for_others: "You answered. Waiting for the others." | "你已回答，正在等待其他人。";
        for_others: "This question is for other people." | "这个问题由其他人回答。";
        you: "You" | "你";
        chosen: "selected" | "已选";
        not_answered: "Not answered." | "未回答。";
        known_before: "The agent already knew this." | "智能体此前已知。";
        your_text_is_kept: "Your answer was not sent. This is what you wrote:" | "你的回答没有提交，内容如下：";
        answered_in(time): "Answered in {time}" | "用时 {time}";
        waited(time): "Waited {time}" | "等待了 {time}";
        ask_again: "Ask me again" | "重新打开";
        ask_again_why: "Reopens the question with your draft." | "重新打开此问题，并保留已填内容。";
        usual(what, n, all): "You chose {what} {n} of {all} times" | "你 {all} 次中有 {n} 次选择了“{what}”";
        usual_why(same, all): "From your own answers to similar questions: the same template, the same header and options, or nearly the same wording; {same} of {all} had exactly the same wording. Nothing is picked for you. Since" | "由你对类似问题的回答统计：同一模板、相同标题与选项，或措辞相近；{all} 次中有 {same} 次措辞完全相同。不会替你选择。自";
        asked_before: "You answered this before" | "你以前回答过";
        use_again: "Use again" | "再次填入";
        always: "Always answer this way" | "以后都这样回答";
        always_why: "Applies to the same question with the same options, from this agent in this project, and only for you. You can delete the rule any time under Rules." | "仅限问题和选项完全相同、同一智能体、同一项目，且只代表你。可随时在“规则”中删除。";
        always_for: "For" | "有效期";
        always_do: "Create rule" | "创建规则";
    }
}
