//! What goes wrong between a command and the server, and with what a command was given; each with what to do.

phrases! {
    /// How an error and what to do about it begin.
    Told {
        error: "error: " | "错误：";
        hint: "hint: " | "提示：";
        warning: "warning: " | "警告：";
    }
}

phrases! {
    /// Why the server could not be asked.
    NoServer {
        away(url, why): "{url} does not answer: {why}" | "{url} 没有回应：{why}";
        away_hint: "`askuser status` shows whether askuser is running" | "`askuser status` 可查看 askuser 是否在运行";
        garbled(url, what): "{url} does not answer like an askuser server: {what}" | "{url} 的回应不像 askuser 服务：{what}";
        garbled_hint: "check ASKUSER_URL, and that both sides run the same version" | "请检查 ASKUSER_URL，以及两边的版本是否一致";
        no_key(role, why): "no {role} key: {why}" | "没有 {role} 密钥：{why}";
        no_key_hint: "askuser makes the keys when it first starts; `askuser serve --new-keys` replaces lost ones" | "askuser 首次启动时会创建密钥；丢失后用 `askuser serve --new-keys` 重新创建";
        own_key_refused(path, agent): "askuser does not accept the key in {path}: it was revoked, or made by another server; `askuser key renew {agent}` makes a new one" | "askuser 不接受 {path} 中的密钥：它已被吊销，或由另一个服务创建；用 `askuser key renew {agent}` 换一个新的";
        no_address(url, why): "`{url}` is not the address of a server: {why}" | "`{url}` 不是服务地址：{why}";
        address_form: "write it like http://HOST:PORT or https://HOST" | "写法如 `http://HOST:PORT` 或 `https://HOST`";
        no_host: "it names no host" | "没有主机名";
        no_address_hint: "set ASKUSER_URL to the server, e.g. http://127.0.0.1:8275" | "请把 ASKUSER_URL 设为服务地址，如 http://127.0.0.1:8275";
        not_started(why): "askuser did not start: {why}" | "askuser 未能启动：{why}";
        not_started_hint: "`askuser doctor` shows what is wrong" | "`askuser doctor` 可查看原因";
        not_running: "askuser is not running" | "askuser 没有在运行";
        not_running_hint: "`askuser serve` starts it, and so does the next question" | "用 `askuser serve` 启动；提出下一个问题时也会自动启动";
        unauthorized_hint: "the server does not know this key: `askuser doctor` checks all keys" | "服务不认识这个密钥：`askuser doctor` 可检查所有密钥";
        no_such_question_hint: "`askuser list --all` lists all questions" | "`askuser list --all` 列出所有问题";
        queued_hint: "it is queued: answer the ones before it first" | "它还在排队：请先回答前面的问题";
        for_people(mark): "{mark} is set, so an agent runs this, and this command is for people" | "已设置 {mark}，说明这是智能体在运行，而此命令供用户本人使用";
        for_people_hint: "an agent asks with `askuser ask` and resumes with `askuser wait`; a person uses a terminal of their own, or the browser" | "智能体用 `askuser ask` 提问，用 `askuser wait` 继续等待；用户请在自己的终端或浏览器中操作";
        runtime(why): "the system refused: {why}" | "系统拒绝：{why}";
        no_folder: "no data folder: neither ASKUSER_HOME nor HOME is set" | "没有数据文件夹：没有设置 `ASKUSER_HOME` 和 `HOME`";
        no_folder_hint: "set ASKUSER_HOME to a folder" | "请把 ASKUSER_HOME 设为一个文件夹";
        starting(log): "Starting askuser in the background (log: {log})" | "正在后台启动 askuser（日志：{log}）";
        replacing(old, own): "Restarting askuser: version {old} was running, this is {own}" | "正在重启 askuser：运行中的是 {old} 版，当前为 {own} 版";
        busy(old, own): "askuser {old} goes on running while a task is at work; this is {own}" | "有任务在运行，askuser {old} 继续运行；当前为 {own} 版";
        has_open[n, old, own]: "askuser {old} goes on running while {n} question is waiting; this is {own}" / "askuser {old} goes on running while {n} questions are waiting; this is {own}" | "还有 {n} 个问题待回答，askuser {old} 继续运行；当前为 {own} 版";
        by_hand(old, own): "askuser {old} is running, started by hand: restart it the same way for {own}" | "运行中的 askuser {old} 是手动启动的：请用同样的方式重启，以使用 {own} 版";
    }
}

phrases! {
    /// Why askuser does not start.
    NoStart {
        owned(folder): "{folder} is in use by another askuser" | "{folder} 正被另一个 askuser 使用";
        owned_by(folder, pid, url): "{folder} is in use by another askuser: process {pid} at {url}" | "{folder} 正被另一个 askuser 使用：进程 {pid}，{url}";
        owned_hint: "use that one, stop it with `askuser stop`, or choose another folder with --data" | "请使用正在运行的那个，或用 `askuser stop` 停止它，或用 --data 选择另一个文件夹";
        not_writable(path, why): "cannot write to {path}: {why}" | "无法写入 {path}：{why}";
        not_writable_hint: "make it writable, or choose another folder with --data or ASKUSER_HOME" | "请设为可写，或用 --data 或 ASKUSER_HOME 选择另一个文件夹";
        full_hint: "free some disk space" | "请腾出磁盘空间";
        no_listening(address, why): "cannot listen on {address}: {why}" | "无法监听 {address}：{why}";
        port_taken_hint: "another program uses that port; --listen 127.0.0.1:0 picks a free one" | "该端口已被其他程序占用；用 --listen 127.0.0.1:0 自动选择空闲端口";
        low_port_hint: "ports below 1024 need root: choose another" | "1024 以下的端口需要 root 权限：请换一个";
        no_listening_hint: "give an address of this machine, e.g. --listen 127.0.0.1:8275" | "请给出本机的地址，如 --listen 127.0.0.1:8275";
        network(why): "no other device could connect: {why}" | "其他设备无法连接：{why}";
        desk(why): "cannot open the database: {why}" | "无法打开数据库：{why}";
        desk_hint: "`askuser doctor` shows what is wrong" | "`askuser doctor` 可查看原因";
        system(why): "the system refused: {why}" | "系统拒绝：{why}";
    }
}

phrases! {
    /// Why a database cannot be used, and what to do.
    NoDatabase {
        not_writable(path, why): "cannot write to {path}: {why}; make it writable, or choose another data folder" | "无法写入 {path}：{why}；请设为可写，或选择另一个数据文件夹";
        in_use(path): "{path} is in use by another askuser; `askuser status` shows it, `askuser stop` ends it" | "{path} 正被另一个 askuser 使用；用 `askuser status` 查看，用 `askuser stop` 停止";
        damaged(path, what): "{path} is not a database or is damaged ({what}); restore a backup, or move it away to start over" | "{path} 不是数据库，或已损坏（{what}）；请恢复备份，或把它移走后重新开始";
        not_ours(path): "{path} is a database of another program; choose another data folder" | "{path} 是另一个程序的数据库；请选择另一个数据文件夹";
        newer(path, wrote, schema, own, known): "{path} was written by askuser {wrote} (schema {schema}), this is askuser {own} (schema {known}); upgrade askuser" | "{path} 由 askuser {wrote}（结构版本 {schema}）写入，而这是 askuser {own}（结构版本 {known}）；请升级 askuser";
        old_sqlite(version): "SQLite {version} is too old: before 3.51.3 it can damage a database; build with the bundled one" | "SQLite {version} 版本过旧，3.51.3 之前的版本可能损坏数据库；请使用自带的 SQLite 构建";
        not_opened(path, what): "{path} cannot be opened: {what}" | "无法打开 {path}：{what}";
        bad_address(what): "the address of the database makes no sense ({what}); give one like postgres://user@host:5432/askuser" | "数据库地址有误（{what}）；写法如 `postgres://user@host:5432/askuser`";
        no_certificates(what): "no certificate to check the database's by ({what}); set SSL_CERT_FILE to the one that signed it" | "没有可用来核对数据库证书的根证书（{what}）；请把 SSL_CERT_FILE 设为签发它的证书";
        bad_certificate(place, what): "{place} shows a certificate that cannot be trusted ({what}); use the name in the certificate, and set SSL_CERT_FILE to the one that signed it" | "{place} 的证书不可信（{what}）；请使用证书中的名称，并把 SSL_CERT_FILE 设为签发它的证书";
        unencrypted(place): "{place} does not speak TLS, and its address asks for it; set `ssl` on there, or give sslmode=disable" | "{place} 不支持 TLS，而地址要求加密；请在那里开启 `ssl`，或写上 `sslmode=disable`";
        away(place, what): "{place} cannot be used: {what}; check its address, that it runs, and that it lets us in" | "无法使用 {place}：{what}；请检查地址、数据库是否在运行，以及是否允许访问";
        altered(place, schema): "{place}: its schema {schema} is not the one that was released; restore a backup" | "{place} 的结构版本 {schema} 与发布的不一致；请恢复备份";
        half_moved(place): "{place} is being filled by `askuser migrate`, which has not finished; run it again, then start this" | "{place} 正由 `askuser migrate` 写入且尚未完成；请再运行一次，然后重新启动";
        broke_off(why): "{why}; nothing is lost: run it again, and it goes on where it stopped" | "{why}；没有丢失任何内容：再运行一次，会从中断处继续";
        not_empty(place): "{place} already holds data of askuser; give an empty database" | "{place} 中已有 askuser 的数据；请给出一个空数据库";
        another_source(place): "{place} is half filled from another data folder, or from this one before it changed; drop it, create an empty one, and run this again" | "{place} 中有来自其他数据文件夹或更早内容的未完成副本；请删除它，新建一个空数据库，再运行一次";
        differs(table, what): "{table} differs after the copy: {what}; drop the database, create an empty one, and run this again" | "复制后 {table} 不一致：{what}；请删除该数据库，新建一个空数据库，再运行一次";
    }
}

phrases! {
    /// Why a server cannot be reached, or a key cannot be had.
    Unreachable {
        slow_to_connect: "connecting takes too long" | "连接超时";
        slow_tls: "TLS takes too long to begin" | "TLS 握手超时";
        slow: "it took too long" | "等待超时";
        slow_to_begin: "it takes too long to begin" | "建立连接超时";
        endless: "its answer does not end" | "回应没有结束";
        cut_off: "it was cut off before it began" | "连接在开始之前断开";
        no_event: "no event came" | "没有收到任何事件";
        no_socket(status): "it answers with {status} instead of a socket" | "返回了 {status}，没有打开 WebSocket";
        other_socket: "it says something else on its socket" | "WebSocket 上的内容不对";
        silent_socket: "the socket ends before anything was said" | "WebSocket 还没有收到内容就断开了";
        nothing_within(seconds): "nothing came within {seconds} s" | "{seconds} 秒内没有回应";
        no_tls_name: "a certificate cannot have its name" | "这个名称不能用于证书";
        tls(what): "TLS: {what}" | "TLS：{what}";
        expired: "its certificate has expired" | "证书已过期";
        not_yet_valid: "its certificate is not valid yet, or a clock is wrong" | "证书尚未生效，或时钟不准";
        other_name: "its certificate is for another name" | "证书属于另一个名称";
        unknown_issuer: "its certificate was issued by nobody whom this machine trusts" | "证书的签发者不受本机信任";
        other_certificate: "its certificate is not the expected one" | "证书与预期的不同";
        bad_certificate(what): "its certificate is not valid: {what}" | "证书无效：{what}";
        no_folder: "no data folder is known" | "没有数据文件夹";
        not_read(path, what): "{path} cannot be read: {what}" | "无法读取 {path}：{what}";
        not_written(path, what): "{path} cannot be written: {what}" | "无法写入 {path}：{what}";
        holds_no_key(path): "{path} holds no key" | "{path} 中没有密钥";
    }
}

phrases! {
    /// Why other devices cannot connect.
    NoNetwork {
        nowhere: "server.tls_certificate is set, but no address to listen on with it" | "已设置 server.tls_certificate，但没有设置监听地址";
        nowhere_hint: "set server.tls_listen to lan or to HOST:PORT, or start with --lan" | "请把 server.tls_listen 设为 `lan` 或 `HOST:PORT`，或用 --lan 启动";
        key_alone: "server.tls_key is set, but server.tls_certificate is not" | "已设置 server.tls_key，但没有设置 server.tls_certificate";
        key_alone_hint: "name the certificate too, with server.tls_certificate or --tls-certificate" | "请同时用 server.tls_certificate 或 --tls-certificate 指定证书";
        no_network: "this machine has no network address that other devices could reach" | "本机没有其他设备能访问的网络地址";
        no_network_hint: "join a network, or give the address yourself: --tls-listen HOST:PORT" | "请先联网，或自己给出地址：`--tls-listen HOST:PORT`";
        port_taken_hint: "another program uses that port: choose another, e.g. --tls-listen lan:9443" | "该端口已被其他程序占用：请换一个，如 `--tls-listen lan:9443`";
        no_listening_hint: "give an address of this machine, or lan" | "请给出本机的地址，或 `lan`";
        not_kept_hint: "make the data folder writable" | "请把数据文件夹设为可写";
        not_made(why): "cannot make a certificate: {why}" | "无法创建证书：{why}";
        tls(why): "cannot set up TLS: {why}" | "无法设置 TLS：{why}";
        given_hint: "give a certificate: server.tls_certificate and server.tls_key" | "请给出证书：server.tls_certificate 和 server.tls_key";
    }
}

phrases! {
    /// What is wrong with a certificate.
    BadCertificate {
        unreadable(path, why): "cannot read {path}: {why}" | "无法读取 {path}：{why}";
        none(path): "no certificate in {path}: it has to be a PEM file with BEGIN CERTIFICATE" | "{path} 中没有证书：应为含有 `BEGIN CERTIFICATE` 的 PEM 文件";
        no_key(path): "no private key in {path} that works without a password" | "{path} 中没有无需密码即可使用的私钥";
        odd(path, why): "cannot parse {path}: {why}" | "无法解析 {path}：{why}";
        other_key(key, certificate): "the private key in {key} does not belong to the certificate in {certificate}" | "{key} 中的私钥与 {certificate} 中的证书不匹配";
        no_names(path): "the certificate in {path} names no host: browsers only look at its subject alternative names" | "{path} 中的证书没有写明主机：浏览器只看“使用者可选名称”";
        expired(path, until): "the certificate in {path} expired at {until}" | "{path} 中的证书已于 {until} 过期";
        not_yet(path, from): "the certificate in {path} is valid from {from} on, and this machine's clock is not there yet" | "{path} 中的证书从 {from} 起才有效，而本机时钟还没到";
        given_hint: "check server.tls_certificate and server.tls_key; without them askuser makes a certificate itself" | "请检查 server.tls_certificate 和 server.tls_key；不设置时 askuser 会自己创建证书";
        no_key_hint: "name the file of the key with server.tls_key or --tls-key" | "请用 server.tls_key 或 --tls-key 指定私钥文件";
        other_key_hint: "give the certificate and the key that were made together" | "请给出一起创建的证书和私钥";
        renew_hint: "get a new one, or remove the setting and askuser makes one itself" | "请换一个新的，或去掉这项设置，由 askuser 自己创建";
        not_yet_hint: "set the clock, or get a new one" | "请校准时钟，或换一个新的证书";
    }
}

phrases! {
    /// What is wrong with what a command was given.
    Given {
        unreadable(name, why): "cannot read {name}: {why}" | "无法读取 {name}：{why}";
        too_large(name, max): "{name} has more than {max} bytes, which is the most a question may have" | "{name} 超过 {max} 字节，这是一个问题的上限";
        too_large_hint: "put long texts into a file and name it in the question" | "请把长文本放进文件，并在问题中写明文件名";
        not_text(name): "{name} is not UTF-8 text" | "{name} 不是 UTF-8 文本";
        not_text_hint: "save it as UTF-8" | "请保存为 UTF-8";
        terminal: "`-` reads standard input, which is a terminal" | "`-` 表示读取标准输入，而标准输入是终端";
        terminal_hint: "pipe the JSON in, or give it as an argument or with --file" | "请用管道传入 JSON，或作为参数、用 --file 给出";
        stdin: "standard input" | "标准输入";
        argument: "the argument" | "参数";
        not_json(why): "the questions are not JSON: {why}" | "问题不是 JSON：{why}";
        not_json_hint: "put the JSON into single quotes, or into a file with --file; a question in words that begins with a bracket goes after -q" | "请用单引号括住 JSON，或放进文件并用 --file 给出；以括号开头的文字问题请写在 -q 之后";
        no_dialect(name): "no dialect `{name}`" | "没有格式 `{name}`";
        no_dialect_hint(names): "the dialects are {names}" | "可用的格式：{names}";
        unfit(problems): "invalid question:\n{problems}" | "问题不符合要求：\n{problems}";
        nobody(why): "nobody is there to ask: {why}" | "没有人可以询问：{why}";
        nobody_hint: "run it in a terminal, or wait for an answer from elsewhere with `ASKUSER_WHERE=desk`" | "请在终端中运行，或设置 `ASKUSER_WHERE=desk`，从别处回答";
        agent_here(mark): "{mark} is set, so an agent runs this and no person watches its terminal" | "已设置 {mark}，说明这是智能体在运行，没有人在看它的终端";
        in_background: "this runs in the background of its terminal" | "它在终端的后台运行";
        input_ended: "the input ended before the answer" | "输入在回答之前就结束了";
        no_place(name): "ASKUSER_WHERE is `{name}`, which is not a place to ask" | "ASKUSER_WHERE 是 `{name}`，不能在那里提问";
        no_place_hint: "set it to `terminal`, `desk`, `both` or `stdin`, or unset it" | "请设为 `terminal`、`desk`、`both` 或 `stdin`，或取消设置";
        no_layout(name): "ASKUSER_PLAIN is `{name}`, which is not a layout" | "ASKUSER_PLAIN 是 `{name}`，没有这种版式";
        no_layout_hint: "set it to box or list, or unset it" | "请设为 `box` 或 `list`，或取消设置";
        interrupted: "interrupted" | "已中断";
        refused(why): "the answer was not accepted: {why}" | "回答未被接受：{why}";
        no_terminal(why): "cannot use the terminal: {why}" | "无法使用终端：{why}";
        not_printed(why): "cannot print the answer: {why}" | "无法输出答案：{why}";
        answers_file_hint: "write it as `answers: {Database: SQLite, q2: yes}`: an id, a header or a position, and the answer" | "请写成 `answers: {Database: SQLite, q2: yes}`：编号、标题或序号，以及答案";
        not_in_file_hint(file): "add it to {file}; askuser does not guess answers" | "请把它加进 {file}；askuser 不会猜测答案";
        no_permission_in_file: "a file of answers cannot grant a permission" | "答案文件不能授权";
        no_permission_hint: "the person who is asked grants it, or a rule that they confirmed on the page" | "请由被询问的人授权，或使用其在网页上确认过的规则";
        not_a_time(text): "`{text}` is not a length of time: write it as 90s, 5m, 2h or 1h30m" | "`{text}` 不是时长：请写成 `90s`、`5m`、`2h` 或 `1h30m`";
    }
}
