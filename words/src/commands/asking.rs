//! What the commands that ask say: `askuser ask`, `confirm`, `choose`, `input`, `template` and what they share.

phrases! {
    /// What is wrong with how something is asked.
    ToAsk {
        no_question: "there is no question" | "没有问题";
        no_question_hint: "askuser ask \"Deploy to production?\", or `askuser ask --help` for more" | "例如 `askuser ask \"要部署吗？\"`，详见 `askuser ask --help`";
        no_options: "there are no options" | "没有选项";
        no_options_hint: "askuser choose \"Which?\" A B C, or one option per line on standard input" | "例如 `askuser choose \"选哪个？\" A B C`，或从标准输入每行给一个选项";
        words_only: "`-o` and the like are for a question in words" | "`-o` 等选项只用于文字问题";
        words_only_hint: "put it into the JSON, or ask in words: askuser ask \"Which?\" -o A -o B" | "请写进 JSON，或用文字提问：`askuser ask \"选哪个？\" -o A -o B`";
        dialect_of_words: "`--dialect` is for questions as JSON" | "`--dialect` 只用于 JSON 问题";
        dialect_of_words_hint: "leave it out: a question in words has no dialect" | "请去掉它：文字问题没有格式之分";
        stdin_not_json: "standard input is not JSON" | "标准输入不是 JSON";
        stdin_not_json_hint: "a question in words is an argument: askuser ask \"Deploy?\"; with --context - the input is shown above it" | "文字问题请作为参数给出：`askuser ask \"部署吗？\"`；用 `--context -` 可把输入显示在问题上方";
        no_policy(name, value): "{name} is `{value}`, which is no policy" | "{name} 是 `{value}`，没有这种处理方式";
        no_policy_hint(names): "set it to one of {names}" | "请设为 {names} 之一";
        no_limit(name, value): "{name} is `{value}`, which is not a positive whole number" | "{name} 是 `{value}`，不是正整数";
        no_plain(option): "{option}: no such layout" | "{option}：没有这种版式";
        no_plain_hint: "use box or list" | "请用 `box` 或 `list`";
        exit_code: "`--exit-code` is for one yes/no question" | "`--exit-code` 只用于一个是非问题";
        exit_code_hint: "ask one yes/no question, or take the answer from the output: --output value" | "请只问一个是非问题，或从输出中取答案：`--output value`";
        left_out: "the question was left out: there is neither a yes nor a no" | "问题被跳过：既没有“是”也没有“否”";
        disagreed: "No single answer: people answered differently (--output json shows who said what)" | "没有一致的答案：各人的回答不同（用 `--output json` 查看）";
        no_audience(flag): "{flag} is given, but nobody is named to ask" | "给出了 {flag}，但没有指明询问谁";
        no_audience_hint: "add --for USER, --for-group GROUP or --for-anyone" | "请加上 `--for USER`、`--for-group GROUP` 或 `--for-anyone`";
        no_escalation(text): "`{text}` names nobody" | "`{text}` 没有指明任何人";
        no_escalation_hint: "write it as 10m:ops" | "请写成 `10m:ops`";
        needs_server: "a question for other people needs the askuser server" | "询问其他人需要 askuser 服务";
        needs_server_hint: "leave `--where` out, or use `--where desk`" | "请去掉 `--where`，或用 `--where desk`";
        stdin_unread: "standard input is not read for answers" | "不会从标准输入读取答案";
        stdin_unread_by(mark): "standard input is not read for answers: {mark} is set, so an agent runs this" | "不会从标准输入读取答案：已设置 {mark}，说明这是智能体在运行";
        unsaved: "Not saved: asked in this terminal only, so `askuser history` does not show it" | "未保存：仅在此终端提问，`askuser history` 中不会显示";
        unsaved_because(why): "Not saved, so `askuser history` does not show it: {why}" | "未保存，`askuser history` 中不会显示：{why}";
        by_rule(rule): "Answered by your rule: {rule}" | "按你的规则回答：{rule}";
    }
}

phrases! {
    /// `askuser template`.
    Templates {
        none(places): "No templates: put YAML files into one of {places}" | "还没有模板：请把 YAML 文件放进 {places}";
        faulty(name): "faulty: `askuser template check {name}`" | "有错误：`askuser template check {name}`";
        valid[n]: "1 template is valid" / "{n} templates are valid" | "{n} 个模板没有错误";
        not_found(name, known): "no template `{name}`: there are {known}" | "没有模板 `{name}`：现有 {known}";
        none_found(name): "no template `{name}`" | "没有模板 `{name}`";
        list_hint: "`askuser template list` lists them with their variables" | "`askuser template list` 列出所有模板及其变量";
        ambiguous(name, all): "several templates are called `{name}`: {all}" | "有多个模板叫 `{name}`：{all}";
        ambiguous_hint: "use the full name" | "请用完整名称";
        missing(names): "the template needs a value for {names}" | "模板需要 {names} 的值";
        missing_hint(name): "add --var {name}=VALUE" | "请加上 `--var {name}=VALUE`";
        unknown(names): "the template has no variable {names}" | "模板没有变量 {names}";
        no_variable(text): "`{text}` is not a variable with a value" | "`{text}` 不是带值的变量";
        no_variable_hint: "write it as --var name=value" | "请写成 `--var name=value`";
    }
}

phrases! {
    /// `askuser answer`.
    Answering {
        two_ways: "a sheet and single answers were given" | "同时给出了整份答卷和单个答案";
        two_ways_hint: "give one or the other" | "请只给一种";
        not_json(why): "the sheet is not JSON: {why}" | "答卷不是 JSON：{why}";
        no_terminal: "no answer was given, and there is no terminal to ask for it" | "没有给出答案，也没有可以询问的终端";
        no_terminal_hint(question): "`askuser show {question}` shows what can be answered" | "`askuser show {question}` 显示可以怎样回答";
        pick_one(n): "Which one? 1-{n}, or Enter to leave: " | "选哪一个？1-{n}，直接回车则离开：";
    }
}
