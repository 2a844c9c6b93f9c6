//! What the commands say that look back: `history`, `sessions`, `restore`, `stats`, `audit`, `purge`.

phrases! {
    /// `askuser history` and `askuser sessions`.
    History {
        no_questions: "No questions yet." | "还没有问题。";
        by_default: "default" | "默认值";
        by_rule: "your rule" | "你的规则";
        no_conversations: "No conversations yet." | "还没有对话。";
        active: "active" | "进行中";
        ended: "ended" | "已结束";
        timed_out: "timed out" | "已超时";
        ended_now(name): "Ended {name}." | "已结束 {name}。";
        in_use[n, name, list]: "1 question is still waiting in `{name}`:\n{list}" / "{n} questions are still waiting in `{name}`:\n{list}" | "`{name}` 中还有 {n} 个问题待回答：\n{list}";
        in_use_hint: "answer them first, or decline them with `askuser cancel`" | "请先回答，或用 `askuser cancel` 取消";
        moved: "Still waiting, moved with it:" | "仍待回答，已随之转移：";
        asked_again: "Asked again:" | "重新提问：";
        restored(new, old, round): "Restored: {new} continues {old} from round {round}." | "已恢复：{new} 从第 {round} 轮继续 {old}。";
        empty(file): "no conversation in {file}" | "{file} 中没有对话";
        empty_broken(file, n): "no conversation in {file} ({n} lines could not be read)" | "{file} 中没有对话（有 {n} 行无法读取）";
        empty_hint: "give a Claude Code transcript (.jsonl), or a file that `askuser history SESSION --export jsonl` wrote" | "请给出 Claude Code 的记录（`.jsonl`），或 `askuser history SESSION --export jsonl` 导出的文件";
        imported(name, messages, rounds): "Imported {name}: {messages} messages in {rounds} rounds." | "已导入 {name}：{rounds} 轮，共 {messages} 条消息。";
        imported_broken(name, messages, rounds, n): "Imported {name}: {messages} messages in {rounds} rounds ({n} lines could not be read)." | "已导入 {name}：{rounds} 轮，共 {messages} 条消息（有 {n} 行无法读取）。";
        read_it(name): "Read it with `askuser history {name} --export md`, or in the browser under History." | "用 `askuser history {name} --export md` 阅读，或在浏览器的“历史”中打开。";
        no_transcripts(folder): "No transcripts in {folder}." | "{folder} 中没有记录。";
        older[n]: "and 1 older one" / "and {n} older ones" | "另有 {n} 个更早的";
        import_one: "Import one: `askuser history --import ID`" | "导入：`askuser history --import ID`";
        unreadable(file, why): "cannot read {file}: {why}" | "无法读取 {file}：{why}";
        no_transcript(name): "no transcript {name}" | "没有记录 {name}";
        no_transcript_hint: "import one with `askuser history --import FILE`; the page lists them under History" | "用 `askuser history --import FILE` 导入；网页的“历史”中列有全部记录";
        neither(file): "{file} is neither a file nor a Claude Code transcript" | "{file} 既不是文件，也不是 Claude Code 的记录";
        projects_hint: "`askuser history --projects` lists them" | "用 `askuser history --projects` 查看";
        several(n, id): "{n} transcripts begin with {id}" | "有 {n} 个记录以 {id} 开头";
        several_hint: "give more of the id; `askuser history --projects` lists them" | "请给出更长的编号；用 `askuser history --projects` 查看";
        no_home: "HOME is not set" | "没有设置 `HOME`";
        no_home_hint: "set HOME, or `CLAUDE_CONFIG_DIR`" | "请设置 `HOME` 或 `CLAUDE_CONFIG_DIR`";
        elsewhere: "`ASKUSER_URL` is set, and transcripts are files on the machine of that server" | "已设置 `ASKUSER_URL`，而记录是那台服务器上的文件";
        elsewhere_hint: "run this on that machine, or open the file in the browser: History, Open a transcript" | "请在那台机器上运行，或在浏览器中打开：历史，打开记录";
        too_large(file, max): "{file} is larger than {max} bytes" | "{file} 大于 {max} 字节";
        too_many_alike(file): "too many transcripts are called like {file}" | "与 {file} 同名的记录过多";
        rename_hint: "rename or shorten the file" | "请重命名或缩短文件";
        not_kept(file, why): "cannot save {file}: {why}" | "无法保存 {file}：{why}";
        not_kept_hint: "`askuser doctor` checks the disk and the data folder" | "`askuser doctor` 可检查磁盘和数据文件夹";
    }
}

phrases! {
    /// `askuser stats`.
    Stats {
        nothing: "No question has ended yet." | "还没有已结束的问题。";
        per_day: "Questions per day" | "每天的问题数";
        times(half, most): "Response times: half within {half}, nine in ten within {most}" | "回答用时：半数在 {half}内，九成在 {most}内";
        longer: "longer" | "更久";
        up_to(length): "up to {length}" | "{length}以内";
        most_asked: "Asked most often" | "最常问的问题";
        most_declined: "Declined most often" | "最常取消的问题";
        asked[all, since]: "1 question since {since}: " / "{all} questions since {since}: " | "自 {since} 以来共 {all} 个问题：";
        counted(you, rule, declined, withdrawn, late): "{you} answered by you, {rule} by a rule or a default, {declined} declined, {withdrawn} withdrawn, {late} timed out" | "你回答 {you} 个，规则或默认值回答 {rule} 个，取消 {declined} 个，撤回 {withdrawn} 个，超时 {late} 个";
    }
}

phrases! {
    /// `askuser audit` and `askuser purge`.
    Audit {
        nothing: "No entries." | "没有记录。";
        intact(facts, events, questions): "Intact: {facts} records and {events} security events in unbroken chains; {questions} questions match their records." | "完好：{facts} 条记录和 {events} 个安全事件首尾相连；{questions} 个问题与记录相符。";
        intact_erased(facts, events, questions, erased): "Intact: {facts} records and {events} security events in unbroken chains; {questions} questions match their records ({erased} of them as far as their text was not deleted)." | "完好：{facts} 条记录和 {events} 个安全事件首尾相连；{questions} 个问题与记录相符（其中 {erased} 个的内容已删除，只比对其余部分）。";
        broken(list): "BROKEN: {list}" | "已损坏：{list}";
        broken_fact(number, fault): "record {number} {fault}" | "记录 {number}：{fault}";
        broken_event(number, fault): "security event {number} {fault}" | "安全事件 {number}：{fault}";
        more(n): "and {n} more" | "另有 {n} 处";
        not_printed(why): "cannot print it: {why}" | "无法输出：{why}";
        asked: "asked" | "提问";
        shown: "shown" | "显示";
        answered: "answered" | "回答";
        declined: "declined" | "取消";
        withdrawn: "withdrawn" | "撤回";
        timed_out: "timed out" | "超时";
        one_of_several: "answered in part" | "部分回答";
        escalated: "escalated" | "升级";
        answered_late: "answered late" | "超时后回答";
        asked_again: "asked again" | "重新提出";
        text_deleted: "text deleted" | "内容已删除";
        older_hint: "e.g. --older-than 90d" | "例如 `--older-than 90d`";
        nothing_older(age): "Nothing to delete: no question ended more than {age} ago." | "没有可删除的内容：没有结束超过 {age} 的问题。";
        would_delete[n, age]: "Would delete the text of 1 question that ended more than {age} ago." / "Would delete the text of {n} questions that ended more than {age} ago." | "将删除 {n} 个结束超过 {age} 的问题的内容。";
        confirm[n, age]: "Delete the text of 1 question that ended more than {age} ago? This cannot be undone. [y/N] " / "Delete the text of {n} questions that ended more than {age} ago? This cannot be undone. [y/N] " | "要删除 {n} 个结束超过 {age} 的问题的内容吗？此操作无法撤销。[是/N] ";
        deleted[n]: "Deleted the text of 1 question. Its id, its times and who closed it are kept, and the audit chain stays valid." / "Deleted the text of {n} questions. Their ids, times and who closed them are kept, and the audit chain stays valid." | "已删除 {n} 个问题的内容。编号、时间和由谁结束仍然保留，审计链依旧有效。";
        not_deleted: "Nothing was deleted." | "没有删除任何内容。";
        unconfirmed: "there is no terminal to ask for confirmation: nothing was deleted" | "没有可供确认的终端：没有删除任何内容";
        unconfirmed_hint: "add --yes to delete it, or --dry-run to see how many it is" | "加上 --yes 即删除，加上 --dry-run 可先查看数量";
    }
}
