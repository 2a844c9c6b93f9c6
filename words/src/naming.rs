//! How a person names a thing on the command line, and what they hear where that is no name or several: questions,
//! conversations, tasks, and the questions and options of one ask.

phrases! {
    /// The things that can be named.
    Things {
        question: "question" | "问题";
        conversation: "conversation" | "对话";
        task: "task" | "任务";
        rule: "rule" | "规则";
        key: "key" | "密钥";
        browser: "browser" | "浏览器";
        user: "user" | "用户";
        no_questions: "no questions yet" | "还没有问题";
        no_tasks: "no tasks yet" | "还没有任务";
        none_waiting: "no questions are waiting" | "没有待回答的问题";
        no_conversations: "no conversations yet" | "还没有对话";
        none_running: "no tasks are running" | "没有正在运行的任务";
        no_rules: "you have no rules" | "你还没有规则";
        no_keys: "there are no keys" | "没有密钥";
        no_browsers: "no browser is signed in" | "没有已登录的浏览器";
        no_users: "there are no users" | "没有用户";
        list_waiting_none: "No questions are waiting." | "没有待回答的问题。";
        list_none: "No questions yet." | "还没有问题。";
        list_filtered_none: "No questions match." | "没有符合条件的问题。";
        not_a_time(text): "`{text}` is not a time" | "`{text}` 不是时间";
        time_hint: "write how long ago (90m, 8h, 3d), a day (2026-11-15) or a moment (2026-11-15T10:00:00Z)" | "可写多久以前（90m、8h、3d）、日期（2026-11-15）或时刻（2026-11-15T10:00:00Z）";
        no_dialect(name): "no dialect `{name}`" | "没有 `{name}` 这种格式";
        waiting(n): "{n} questions are waiting" | "有 {n} 个问题待回答";
        running(n): "{n} tasks are running" | "有 {n} 个任务正在运行";
        there_are(n, thing): "there are {n} {thing}s" | "共有 {n} 个{thing}";
    }
}

phrases! {
    /// What is said of a name.
    Naming {
        old_server: "this askuser server is older and takes only whole IDs" | "这台 askuser 服务版本较旧，只接受完整的 ID";
        matches_many(name, n, thing): "`{name}` matches {n} {thing}s" | "有 {n} 个{thing}与 `{name}` 匹配";
        matches_more(name, thing): "`{name}` matches more than one {thing}" | "与 `{name}` 匹配的{thing}不止一个";
        type_more: "type more of the ID" | "请多输入几位 ID";
        no_match(thing, name): "no {thing} matches `{name}`" | "没有与 `{name}` 匹配的{thing}";
        did_you_mean(near, lister): "did you mean {near}? `{lister}` shows them all" | "是不是 {near}？用 `{lister}` 查看全部";
        too_short(n, lister): "type at least {n} characters of the ID; `{lister}` shows them" | "请至少输入 ID 的 {n} 个字符；用 `{lister}` 查看";
        lister(lister): "`{lister}` shows them all" | "用 `{lister}` 查看全部";
        name_one(title): "{title}: name one" | "{title}：请指明一个";
        how_to_answer: "`askuser show ID` shows one in full, `askuser answer ID …` answers it" | "`askuser show ID` 查看全文，`askuser answer ID …` 回答";
        add_id: "add the ID to the command" | "请在命令后加上 ID";
    }
}

phrases! {
    /// What is said of an answer by flags.
    ByFlags {
        no_question(name): "no question matches `{name}`" | "没有与 `{name}` 匹配的问题";
        questions(keys): "write QUESTION=ANSWER; the questions are {keys}" | "请写成 `QUESTION=ANSWER`；问题有 {keys}";
        no_options(key): "{key} has no options: it asks for text" | "{key} 没有选项：需要填写文字";
        use_text(key): "write it with --text \"{key}=…\"" | "请用 --text \"{key}=…\" 填写";
        no_option(name, key): "`{name}` is not an option of {key}" | "`{name}` 不是 {key} 的选项";
        options(options): "options: {options}" | "选项：{options}";
        options_or_text(options): "options: {options}; --text takes your own answer" | "选项：{options}；用 --text 可自己填写";
    }
}

phrases! {
    /// What is said of a question by flags.
    AskedByFlags {
        comes_first: "the question without `-q` comes first" | "不带 `-q` 的问题必须写在最前面";
        comes_first_how: "e.g. `askuser ask \"One?\" -q \"Two?\"`" | "例如 `askuser ask \"One?\" -q \"Two?\"`";
        no_question: "these options come before any question" | "这些选项写在了所有问题之前";
        no_question_how: "options belong to the question before them: `askuser ask -q \"Which?\" -o A -o B`" | "选项属于它前面的问题：`askuser ask -q \"Which?\" -o A -o B`";
        text_or_options: "`--text` and options cannot be combined" | "`--text` 不能与选项同时使用";
        leave_one_out: "leave one of them out" | "请去掉其中之一";
        one_default: "only one option can be the default" | "只能有一个默认选项";
        several_defaults: "with --multi several can be" | "加上 --multi 可以有多个";
        no_option(name): "`{name}` is not an option" | "`{name}` 不是选项";
        for_options(flag): "`{flag}` needs options" | "`{flag}` 需要选项";
        add_options: "add them with -o" | "用 -o 添加选项";
        not_yes_or_no(name): "`{name}` is neither yes nor no" | "`{name}` 既不是 `yes` 也不是 `no`";
        yes_or_no: "this is a yes/no question: write yes or no, or add --text or options" | "这是是非题：请写 `yes` 或 `no`，或者加上 --text 或选项";
        of_question(text, what): "“{text}”: {what}" | "“{text}”：{what}";
        twice(flag): "`--{flag}` is given twice" | "`--{flag}` 写了两次";
        once: "a question takes it only once" | "每个问题只能写一次";
    }
}
