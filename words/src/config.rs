//! What is wrong with a configuration.

phrases! {
    /// What is wrong, and where.
    Wrong {
        at(line, column, what): "line {line}, column {column}: {what}" | "第 {line} 行第 {column} 列：{what}";
        in_file(file, what): "{file}: {what}" | "{file}：{what}";
        of(name, what): "`{name}` {what}" | "`{name}` {what}";
        and(one, more): "{one}; {more}" | "{one}；{more}";
        no_section(name, meant): "no section `{name}`: {meant}" | "没有分组 `{name}`：{meant}";
        no_key(name, meant): "no key `{name}`: {meant}" | "没有键 `{name}`：{meant}";
        no_key_at_all(name): "no key `{name}`" | "没有键 `{name}`";
        no_key_in(section, name, meant): "`{section}` has no key `{name}`: {meant}" | "`{section}` 中没有键 `{name}`：{meant}";
        did_you_mean(name): "did you mean `{name}`?" | "是否想写 `{name}`？";
        one_of_these(names): "use one of {names}" | "可用的有 {names}";
        none_there: "there are none" | "一个也没有";
        belongs_under(section): "it belongs under `{section}:`" | "它应放在 `{section}:` 之下";
        write(name): "write `{name}`" | "请写 `{name}`";
        file_is(what): "the file is {what}, not a table of sections" | "文件是{what}，应为由分组组成的表";
        only_in_file(name): "`{name}` can only be turned on in config.yaml" | "`{name}` 只能在 config.yaml 中启用";
        not_a_file: "is not a regular file" | "不是普通文件";
        writable_by_others: "can be changed by others: own it, and run `chmod go-w` on it" | "可能被他人修改：请确保文件归你所有，并对它运行 `chmod go-w`";
        too_large(bytes, max): "has {bytes} bytes; the maximum is {max}" | "有 {bytes} 字节，最多 {max} 字节";
        cannot_be_read(why): "{why}" | "无法读取：{why}";
        is_not(given, wanted): "is {given}, not {wanted}" | "是{given}，应为{wanted}";
        quoted(given): "`{given}`" | " `{given}`";
        bare(given): "{given}" | " {given}";
        nothing: "nothing" | "空值";
        true_or_false: "true or false" | " `true` 或 `false`";
        number: "a number" | "数字";
        text: "a text" | "文本";
        list: "a list" | "列表";
        table: "a table" | "表";
        whole_number: "a whole number" | "整数";
        time: "a number of seconds, or a time like 90s, 5m or 2h" | "秒数，或 `90s`、`5m`、`2h` 这样的时间";
        list_of_texts: "a list of texts" | "文本列表";
        list_of_names: "a list of names" | "名称列表";
        any_of(names): "one of {names}" | "以下之一：{names}";
        address(example): "HOST:PORT like {example}" | " `HOST:PORT`，例如 {example}";
        lan_or_address: "lan, lan:PORT or HOST:PORT" | " `lan`、`lan:PORT` 或 `HOST:PORT`";
        public_address: "an address like https://askuser.example.com, without a path" | "像 https://askuser.example.com 这样不含路径的地址";
        host_name: "a host name, without http:// and without a path" | "主机名，不带 `http://` 和路径";
        at_least(given, min): "is {given}; the minimum is {min}" | "是 {given}，最小为 {min}";
        at_most(given, max): "is {given}; the maximum is {max}" | "是 {given}，最大为 {max}";
        seconds(n): "{n} seconds" | "{n} 秒";
        or_null: "null for none" | "不设则写 `null`";
        begins_with(beginnings): "an address that begins with {beginnings}" | "以 {beginnings} 开头的地址";
        local_only(beginning, what): "an address that begins with {beginning}; for https://, put a {what} on this machine" | "以 {beginning} 开头的地址；若要使用 https://，请在本机运行 {what}";
        too_many(n, max): "has {n} rules; the maximum is {max}" | "有 {n} 条规则，最多 {max} 条";
        clear_above(given): "is {given}, above `threshold`: the alert would clear while it fires" | "是 {given}，高于 `threshold`：警报会在触发时就解除";
        window(given, max): "is {given} seconds, not 1 to {max}" | "是 {given} 秒，应为 1 到 {max}";
        agent(name, what): "the agent `{name}`: {what}" | "智能体 `{name}`：{what}";
        group(name, what): "the group `{name}` {what}" | "用户组 `{name}` {what}";
        group_without_name: "a group has no name" | "有用户组没有名称";
        channel(name, what): "the channel `{name}`: {what}" | "渠道 `{name}`：{what}";
        names_no_program: "names no program" | "没有指定程序";
        not_from_to(given, min, max): "is {given}, not {min} to {max}" | "是 {given}，应为 {min} 到 {max}";
        nobody_could_answer: "is empty: nobody could answer" | "为空：没有人能回答";
        not_among(given, names): "is `{given}`, who is not in `{names}`" | "是 `{given}`，不在 `{names}` 中";
        no_channel(name): "escalates to the channel `{name}`, which does not exist" | "升级到渠道 `{name}`，但没有这个渠道";
        as_is(what): "{what}" | "{what}";
        relay: "relay" | "转发程序";
        collector: "collector" | "收集器";
        no_number(key): "`{key}` must be a number" | "`{key}` 应为数字";
        unknown(key, meant): "unknown `{key}`: {meant}" | "没有这样的 `{key}`：{meant}";
        wrong(what): "is wrong: {what}" | "有误：{what}";
        unusual(section): "`{section}` is written in a way that only a person can edit" | "`{section}` 的写法无法自动修改";
        no_value(given): "--set {given} has no value" | "--set {given} 没有值";
        as_set: "write it like `--set ask_user_question.session_timeout=2h`" | "写法如 `--set ask_user_question.session_timeout=2h`";
        see_sample: "`askuser config --sample` explains every setting" | "`askuser config --sample` 说明每项设置";
        see_list: "`askuser config` lists every key; edit lists and tables (agents, alerts, notify, groups) in the file" | "`askuser config` 列出每个键；列表和表（`agents`、`alerts`、`notify`、`groups`）请在文件中修改";
        edit_yourself(file): "edit {file} yourself" | "请手动修改 {file}";
    }
}
