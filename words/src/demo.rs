//! What `askuser demo` says around the questions of its sample agent.

phrases! {
    /// What the demo says.
    Demo {
        scripted: "No terminal here, so this demo plays you too, from a script." | "这里没有终端，演示将按脚本代你回答。";
        here: "A sample agent asks three rounds of questions. Answer them here, or elsewhere." | "一个示例智能体将提出三轮问题。可以在这里回答，也可以在别处回答。";
        browser(link): "In the browser:\n  {link}" | "在浏览器中：\n  {link}";
        terminal(command): "In another terminal:\n  {command}" | "在另一个终端中：\n  {command}";
        alone: "askuser cannot be started in the background here, so nothing is saved." | "这里无法在后台启动 askuser，因此不会保存。";
        agent(says): "agent: {says}" | "智能体：{says}";
        first: "I'll add a login to the shop. First I need a decision." | "我来给商店加上登录功能，先请你做个决定。";
        second: "Good. Two more things before I start." | "好的。开始之前还有两件事。";
        third: "The code is written. Last round." | "代码写好了，最后一轮。";
        elsewhere(command): "Try answering this round elsewhere: with the link above, or in another terminal:\n  {command}" | "这一轮可以试试在别处回答：用上面的链接，或在另一个终端中：\n  {command}";
        got(reply): "agent got: {reply}" | "智能体收到：{reply}";
        stops: "Then I stop here and change nothing." | "那我就此停下，不做任何改动。";
        done: "Done, and every decision was yours." | "完成了，每个决定都由你做出。";
        next: "Next, connect your own agent:" | "下一步，接入你自己的智能体：";
        next_inbox: "Next, open your inbox:" | "下一步，打开收件箱：";
        script_ended: "the demo's script ended" | "演示脚本已结束";
    }
}
