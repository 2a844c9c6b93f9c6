//! What is wrong with one value that came in, where nothing more is known of it than these words. The English is
//! part of what programs are told, to the byte.

use askuser_core::problem::Fault;

use crate::both;

phrases! {
    /// What is wrong with one value; its place goes before.
    Wrong {
        not_a_number: "is not a number" | "不是数字";
        not_whole: "is not a whole number" | "不是整数";
        not_positive: "is not a positive whole number" | "不是正整数";
        not_seconds: "is not a number of seconds" | "不是秒数";
        not_whole_seconds: "is not a whole number of seconds" | "不是整数秒";
        not_millis: "is not a number of milliseconds" | "不是毫秒数";
        not_minutes: "is not a zone's minutes" | "不是时区的分钟数";
        not_an_event: "is not the number of an event" | "不是事件编号";
        not_a_string: "is not a string" | "不是字符串";
        not_a_text: "is not a text" | "不是文本";
        not_text_of(max): "is not a text of 1 to {max} characters" | "不是 1 到 {max} 个字符的文本";
        not_a_name(max): "is not a name of 1 to {max} characters" | "不是 1 到 {max} 个字符的名称";
        not_a_user_name(max): "is not a name of 1 to {max} letters, digits, blanks and `.`, `_`, `-`, `@`" | "不是由 1 到 {max} 个字母、数字、空格和 `.`、`_`、`-`、`@` 组成的名称";
        no_template_name(max): "is no name: letters, digits, `_` and `-`, {max} at most" | "不是可用的名称：只能用字母、数字、`_` 和 `-`，最多 {max} 个";
        within(min, max): "is not within {min} and {max}" | "不在 {min} 到 {max} 之间";
        within_seconds(max): "is not within 1 and {max} seconds" | "不在 1 到 {max} 秒之间";
        within_millis(max): "is not within 0 and {max} milliseconds" | "不在 0 到 {max} 毫秒之间";
        more_than(max): "is more than {max}" | "大于 {max}";
        no_agent: "is no agent that is known here" | "不是这里认识的智能体";
        not_a_digest: "is not 64 hexadecimal digits" | "不是 64 位十六进制数字";
        no_user(user): "`{user}` is not there, or disabled" | "`{user}` 不存在或已停用";
        not_a_moment: "is not a day or a moment as 2026-11-15T10:00:00Z" | "不是日期或时刻，格式如 `2026-11-15T10:00:00Z`";
        no_time: "is no time as 2026-12-31T00:00:00Z" | "不是时间，格式如 `2026-12-31T00:00:00Z`";
        not_json(why): "is not JSON: {why}" | "不是 JSON：{why}";
        not_an_object: "is not a JSON object" | "不是 JSON 对象";
        no_object: "is not an object" | "不是对象";
        not_base64: "is not base64url" | "不是 `base64url`";
        no_push_address: "this is not the address of a push service" | "不是推送服务的地址";
        push_address_in_the_open: "the address of a push service begins with https://" | "推送服务的地址应以 https:// 开头";
        push_address_inside(host): "{host} is not on the open internet: a push service in your own network is named in `notify.push_servers`" | "{host} 不在公网上：自己网络中的推送服务请写进 `notify.push_servers`";
        no_push_key: "is no public key on the curve P-256: 65 bytes in base64url" | "不是 P-256 曲线上的公钥：应为 `base64url` 编码的 65 字节";
        no_push_secret: "is no secret of a browser: 16 bytes in base64url" | "不是浏览器的密钥：应为 `base64url` 编码的 16 字节";
        without_version: "goes without `checkpoint_version`" | "不能与 `checkpoint_version` 同时使用";
        needs(expected, key, received): "needs {expected} in `{key}`, not {received}" | "`{key}` 应为 {expected}，而不是 {received}";
        no_question_id: "names no `question_id`" | "没有写明 `question_id`";
        no_own_words: "is an object without `other` or `selected`" | "是没有 `other` 或 `selected` 的对象";
        for_a_model: "is text for a model: answer by question id" | "是给模型看的文本：请按问题编号回答";
        nobody_named: "names nobody: give `people`, `groups` or `anyone`" | "没有指明任何人：请给出 `people`、`groups` 或 `anyone`";
        nobody: "names nobody" | "没有指明任何人";
        schema_type(word, known): "is of the type `{word}`, which is none of {known}" | "类型是 `{word}`，只能是 {known} 之一";
        no_schema_type: "has no `type`" | "缺少 `type`";
        schema_value(kind): "lists a value of the kind {kind}, not a string" | "列出的值是 {kind}，而不是字符串";
        schema_count(key, number): "has a `{key}` of {number}, which is no count" | "`{key}` 是 {number}，不是可用的数量";
        no_format(word, known): "has the `format` `{word}`, which is none of {known}" | "`format` 是 `{word}`，只能是 {known} 之一";
        agent_gone: "is not configured any more" | "已不再配置";
        choose_message: "an answer to one question goes to POST /api/task/answer" | "对单个问题的回答请发送到 `POST /api/task/answer`";
        no_runner_agent(known): "names no agent that is configured: name one of {known}" | "没有这样的智能体：请从 {known} 中选择";
        runner_agent_missing(known): "is missing: name one of {known}" | "缺失：请从 {known} 中选择";
        no_text: "is not text" | "不是文本";
        queue_full(max): "{max} tasks wait for their turn, which is the limit: stop one first" | "已有 {max} 个任务在排队，达到上限：请先停止一个";
        no_full_path: "is not a full path: begin it with `/`" | "不是完整路径：请以 `/` 开头";
        not_opened(why): "cannot be opened: {why}" | "无法打开：{why}";
        no_folder: "is not a folder" | "不是文件夹";
        not_allowed: "is not in a folder where this agent may work: add it under `folders` in config.yaml" | "不在此智能体可以工作的文件夹内：请在 config.yaml 的 `folders` 中添加";
        not_ask_id: "is not the id of a question" | "不是问题编号";
        no_ask_id: "is no id of a question" | "不是问题编号";
        no_prefixed_ask_id: "is not an `ask_id`: those begin with `ask_`" | "不是问题编号：编号以 `ask_` 开头";
        unlike_first: "does not ask the same as the first question" | "与第一个问题的内容不同";
        several_called(first, second): "several open questions have this name: say by `askId` which, {first} or {second}" | "有多个未结束的问题叫这个名称：请用 `askId` 指明 {first} 或 {second}";
        no_message(request, response): "is none of `{request}`, `{response}`, `ask_user`, `ask_user_response`, `ask_user_question`, a `tool_use` and a question in the push form" | "不是 `{request}`、`{response}`、`ask_user`、`ask_user_response`、`ask_user_question`、`tool_use` 或 `push` 格式的问题";
        too_many_for(person, max): "names `{person}`, who has {max} open questions of your agents, which is the limit" | "指名的 `{person}` 已有 {max} 个来自你的智能体的未结束问题，达到上限";
        unknown_person(person): "names `{person}`, who is no user of this server" | "指名的 `{person}` 不是此服务的用户";
        unknown_group(group): "names the group `{group}`, which is not configured" | "指名的组 `{group}` 没有配置";
    }
}

/// Makes a fault of a phrase: `unfit(Wrong::not_a_number)`.
pub fn unfit<S: Into<String>>(say: impl Fn(Wrong) -> S) -> Fault {
    Fault::Other(both(say))
}
