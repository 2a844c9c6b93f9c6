//! What `askuser doctor` finds: what is so, what it means, and what to do.

phrases! {
    /// The report as a whole, and what each part of the set-up is called.
    Doctor {
        ok: "ok" | "正常";
        warn: "warn" | "注意";
        fail: "fail" | "失败";
        means: "this means: " | "影响：";
        fix: "fix: " | "处理：";
        tip: "tip: " | "提示：";
        all_well: "Everything works." | "一切正常。";
        warnings[n]: "It works, with 1 warning." / "It works, with {n} warnings." | "可以使用，有 {n} 处需要留意。";
        problems[n]: "1 problem to fix." / "{n} problems to fix." | "有 {n} 个问题需要处理。";
        server: "server" | "服务";
        version: "version" | "版本";
        data_folder: "data folder" | "数据文件夹";
        agent_key: "agent key" | "智能体密钥";
        person_key: "person key" | "用户密钥";
        admin_key: "admin key" | "管理员密钥";
        keys: "keys" | "密钥";
        permissions: "permissions" | "文件权限";
        config: "config" | "配置";
        rules: "rules" | "规则";
        socket: "socket" | "本机套接字";
        open_files: "open files" | "打开文件数";
        test: "self-test" | "自检";
        port: "port" | "端口";
        certificate: "certificate" | "证书";
        phone: "phone" | "手机";
        public_url: "public url" | "公开地址";
        events: "events" | "事件流";
        websocket: "websocket" | "WebSocket";
        database: "database" | "数据库";
        terminal: "terminal" | "终端";
        clock: "clock" | "时钟";
        disk: "disk" | "磁盘";
        service: "service" | "系统服务";
        agents: "agents" | "智能体";
    }
}

phrases! {
    /// The data folder and what is in it.
    Files {
        no_folder(folder): "{folder} does not exist yet" | "{folder} 还不存在";
        no_folder_means: "nothing has been asked here yet" | "这里还没有提过问题";
        no_folder_hint: "the first question creates it, and so does `askuser serve`" | "提出第一个问题或运行 `askuser serve` 时会创建";
        private(path, mode): "{path} (mode {mode})" | "{path}（权限 {mode}）";
        shared_key(path, mode): "{path} (mode {mode}), shared by agents without a key of their own" | "{path}（权限 {mode}），没有自己密钥的智能体共用";
        open(path, mode): "other users can read {path} (mode {mode})" | "其他用户可以读取 {path}（权限 {mode}）";
        open_folder_means: "other users of this machine can see its files" | "本机的其他用户可以看到其中的文件";
        chmod_folder(path): "chmod 700 {path}" | "运行 `chmod 700 {path}`";
        not_writable(path, why): "cannot write to {path}: {why}" | "无法写入 {path}：{why}";
        not_writable_means: "no question can be saved, so none is accepted" | "问题无法保存，因此不会接受任何问题";
        not_writable_hint: "make it writable, or set ASKUSER_HOME to another folder" | "请设为可写，或把 ASKUSER_HOME 设为另一个文件夹";
        key_missing(path): "{path} is missing" | "{path} 不存在";
        key_missing_means(role): "commands that need the {role} key are refused" | "需要 {role} 密钥的命令会被拒绝";
        key_missing_hint: "`askuser stop`, then start it once with `askuser serve --new-keys`" | "先 `askuser stop`，再用 `askuser serve --new-keys` 启动一次";
        open_key_means: "whoever has read it can sign in as you" | "读过它的人可以用你的身份登录";
        open_key_hint(path): "chmod 600 {path}, and better make a new key" | "运行 `chmod 600 {path}`，最好再换一个新密钥";
        open_file_means: "other users of this machine may read your questions and answers, if the folder lets them" | "如果文件夹权限允许，本机的其他用户可以读到你的问题和答案";
        open_host_means: "other users of this machine may learn the host name of your page, if the folder lets them" | "如果文件夹权限允许，本机的其他用户可以得知你的网页主机名";
        chmod_file(path): "chmod 600 {path}" | "运行 `chmod 600 {path}`";
        writable(path, mode): "other users can change {path} (mode {mode})" | "其他用户可以修改 {path}（权限 {mode}）";
        writable_means: "somebody else could change what askuser does, so the file is ignored" | "其他人可以改变 askuser 的行为，因此不会采用此文件";
        writable_hint(path): "check what is in it, then `chmod go-w {path}`" | "先检查其中的内容，再运行 `chmod go-w {path}`";
        config_valid(path): "{path} is valid" | "{path} 没有错误";
        config_none: "no file, so the defaults" | "没有文件，使用默认值";
        config_faulty_means: "askuser does not start with it; one that is running keeps its old settings" | "askuser 无法用它启动；正在运行的仍使用原来的设置";
        config_faulty_hint: "correct the lines; `askuser config --sample` explains every key" | "请改正这些行；`askuser config --sample` 有每一项的说明";
        rules_valid(path): "{path} answers some questions by itself" | "{path} 会自动回答一些问题";
        rules_faulty_means: "no rule is applied, every question waits for a person" | "规则都不生效，所有问题都要等人回答";
        rules_faulty_hint: "correct the file: askuser notices at once" | "请改正文件，askuser 会立即读取";
        room(free, used): "{free} MB free, the database takes {used} MB" | "剩余 {free} MB，数据库占 {used} MB";
        room_means: "a full disk accepts no question and no answer until there is room" | "磁盘写满后不接受任何问题和答案，直到腾出空间";
        room_hint: "free some disk space" | "请腾出磁盘空间";
        room_soon_hint: "free some disk space soon" | "请尽快腾出磁盘空间";
    }
}

phrases! {
    /// The server, and what it says of itself.
    Running {
        at_url(url): "{url}, set by ASKUSER_URL" | "{url}，由 ASKUSER_URL 指定";
        running(url, pid): "running at {url} (process {pid})" | "正在运行：{url}（进程 {pid}）";
        instead(url, pid, listen): "{listen} is in use by another program; using {url} instead (process {pid})" | "{listen} 被其他程序占用；改用 {url}（进程 {pid}）";
        starting: "starting" | "正在启动";
        starting_means: "it does not accept questions yet" | "还不能接受问题";
        starting_hint: "try again in a moment" | "请稍后再试";
        crashed: "not running, and it did not stop properly" | "没有在运行，上次没有正常停止";
        crashed_means: "it was killed or it failed; nothing that was acknowledged is lost" | "它被强行结束或出错了；已确认的内容不会丢失";
        crashed_hint(log): "its log is {log}; the next question starts it again" | "日志：{log}；下一个问题会重新启动它";
        nobody: "not running; the next question starts it" | "没有在运行，下一个问题会启动它";
        ill_means: "questions are not accepted, and nobody hears of them" | "不接受问题，也没有人会得知";
        ill_hint(log): "check {log}, then `askuser stop`" | "请查看 {log}，然后运行 `askuser stop`";
        no_socket: "no Unix socket for commands on this machine" | "没有供本机命令使用的 Unix 套接字";
        no_socket_means: "permissions can be granted in the browser only, not in a terminal" | "只能在浏览器中授权，不能在终端中授权";
        no_socket_hint(log): "{log} says why; `askuser stop`, and the next question starts it again" | "原因见 {log}；运行 `askuser stop`，下一个问题会重新启动它";
        key_refused(role, why): "the server refuses the {role} key: {why}" | "服务拒绝 {role} 密钥：{why}";
        key_refused_hint: "`askuser key create` makes a new one; `askuser serve --new-keys` if the file is lost" | "用 `askuser key create` 创建新密钥；文件丢失时用 `askuser serve --new-keys`";
        own_key_means(agent): "{agent} cannot ask anything until it has another key" | "{agent} 换到新密钥之前无法提问";
        own_key_hint(agent): "`askuser key renew {agent}`, if you want to let it in again" | "如要重新允许它，请运行 `askuser key renew {agent}`";
        other_version(theirs, own): "the running server is askuser {theirs}, this is {own}" | "运行中的服务是 askuser {theirs}，当前命令是 {own}";
        other_version_means: "what is new on one side does not work on the other" | "一边的新功能在另一边不可用";
        restart_hint: "`askuser stop`; the next question starts this version" | "运行 `askuser stop`，下一个问题会启动当前版本";
        newer_config(file): "{file} differs from what askuser runs with" | "{file} 与 askuser 当前的设置不同";
        newer_config_hint: "`askuser reload`, or `askuser stop` for a restart" | "运行 `askuser reload`，需要重启时运行 `askuser stop`";
        unconfirmed[n]: "1 rule for permissions in rules.yaml is not confirmed" / "{n} rules for permissions in rules.yaml are not confirmed" | "rules.yaml 中有 {n} 条权限规则待确认";
        unconfirmed_means: "they answer nothing: you are asked instead" | "它们不会生效，仍会询问你";
        unconfirmed_hint: "if you wrote them, confirm them: `askuser open`, then Rules; if not, find out who did" | "如果是你写的，请确认：`askuser open`，再到“规则”；如果不是，请查明是谁写的";
        open_files(max): "askuser may have {max} open" | "askuser 最多可打开 {max} 个";
        few_open_files(max, connections): "askuser may have {max} open: too few for {connections} connections" | "askuser 最多可打开 {max} 个，不够 {connections} 个连接使用";
        few_open_files_means: "when many callers wait at once, some are turned away before the configured limit" | "等待者很多时，还没到设定的上限就会有连接被拒绝";
        few_open_files_hint(max): "raise the hard limit before it starts (`ulimit -Hn {max}`)" | "请在启动前提高硬限制（`ulimit -Hn {max}`）";
        test_ok(ms): "asked, answered and read back in {ms} ms" | "提问、回答、读回共 {ms} 毫秒";
        test_means: "an agent that asks now gets no answer" | "现在提问的智能体得不到回答";
        test_hint: "`askuser stop`; the next question starts it again" | "运行 `askuser stop`，下一个问题会重新启动它";
        test_refused(why): "askuser does not accept a question: {why}" | "askuser 不接受问题：{why}";
        test_ended(how): "the test question ended as {how}" | "自检问题的结果是 {how}";
        test_unanswered: "the test question was not answered" | "自检问题没有得到回答";
        test_lost(why): "the answer does not come back: {why}" | "答案没有返回：{why}";
        port_free(listen): "{listen} is free" | "{listen} 空闲";
        port_taken(listen): "{listen} is in use by another program" | "{listen} 被其他程序占用";
        port_refused(listen, why): "cannot listen on {listen}: {why}" | "无法监听 {listen}：{why}";
        port_means: "`askuser serve` does not start there; started by a question, askuser picks a free port" | "`askuser serve` 无法在此启动；由问题启动时，askuser 会选择空闲端口";
        port_hint: "nothing, or set server.listen in config.yaml to a free port" | "无需处理；也可在 config.yaml 中把 server.listen 设为空闲端口";
    }
}

phrases! {
    /// The database.
    Database {
        postgres: "PostgreSQL; `askuser audit --verify` checks all of it" | "PostgreSQL；用 `askuser audit --verify` 检查全部内容";
        large(megabytes): "{megabytes} MB, not checked here; `askuser audit --verify` checks all of it" | "{megabytes} MB，这里不检查；用 `askuser audit --verify` 检查全部内容";
        unusable_means: "askuser cannot start with it" | "askuser 无法用它启动";
        unusable_hint: "restore a backup (`askuser help operating`), or move it away to start over" | "请恢复备份（见 `askuser help operating`），或移走它重新开始";
        unsound(path, why): "{path}: {why}" | "{path}：{why}";
        unsound_means: "something other than askuser changed it, or the disk failed" | "它被 askuser 以外的程序改动过，或磁盘出错";
        unsound_hint: "keep a copy of the folder, then restore a backup (`askuser help operating`)" | "请先保留文件夹的副本，再恢复备份（见 `askuser help operating`）";
        sound(path, facts, questions): "{path} is intact: {facts} records in an unbroken chain, {questions} questions that match them" | "{path} 完好：{facts} 条记录首尾相连，{questions} 个问题与之相符";
        sound_chain(path, facts): "{path} is intact: {facts} records in an unbroken chain" | "{path} 完好：{facts} 条记录首尾相连";
        future(moment): "the latest record is dated {moment}, which is in the future" | "最近一条记录的时间是 {moment}，还没有到";
        future_means: "the clock was set back: deadlines set before then end later than they should" | "时钟被拨回过：之前设定的截止时间会延后";
    }
}

phrases! {
    /// The terminal, the clock, the service and the agents.
    Around {
        by_agent(mark): "{mark} is set, so an agent runs this: questions go to the inbox" | "已设置 {mark}，说明这是智能体在运行：问题会进入收件箱";
        panel: "questions are shown as a panel here" | "问题在这里以面板显示";
        lines: "questions are shown line by line here" | "问题在这里逐行显示";
        none: "none here: questions go to the inbox" | "这里没有终端：问题会进入收件箱";
        bad_terminal_means: "questions cannot be asked in this terminal" | "无法在此终端中提问";
        bad_terminal_hint: "set `ASKUSER_WHERE=desk`, and answer in the browser (`askuser open`)" | "请设置 `ASKUSER_WHERE=desk`，并在浏览器中回答（`askuser open`）";
        clock_unset(moment): "it says {moment}" | "显示为 {moment}";
        clock_unset_means: "deadlines depend on it, and certificates and links do not work yet" | "截止时间以它为准，证书和链接也还无法使用";
        set_clock_hint: "set the clock, best by NTP" | "请校准时钟，最好使用 NTP";
        clocks_apart(here, there): "{here} here, {there} on the server" | "本机 {here}，服务 {there}";
        clocks_apart_means: "deadlines follow the server's clock, so the time left shown here is off by as much" | "截止时间以服务的时钟为准，这里显示的剩余时间会相差同样多";
        set_clocks_hint: "set both, best by NTP" | "请校准两边的时钟，最好使用 NTP";
        service_means: "the system was told to run askuser and does not" | "已让系统运行 askuser，但它没有运行";
        service_hint: "`systemctl --user status askuser` says why (launchd: askuser.log); `askuser service install` sets it up again" | "原因见 `systemctl --user status askuser`（launchd 见 askuser.log）；用 `askuser service install` 重新设置";
        no_agents: "none connected; `askuser setup` connects those on this machine" | "还没有接入；用 `askuser setup` 接入本机的智能体";
        untrusted_means: "it asks its own questions in its terminal only, and not here" | "它自己的问题只在它的终端中提出，不会到这里";
        broken_means: "what this agent asks does not reach you" | "这个智能体的问题到不了你这里";
        unreadable_means: "it is not known whether this agent is connected" | "无法判断它是否已接入";
        unreadable_hint(file, agent): "correct {file}, then run `askuser install {agent}`" | "请改正 {file}，然后运行 `askuser install {agent}`";
        broken_hint(agent): "`askuser install {agent}` sets it up again; `askuser uninstall {agent}` disconnects it" | "用 `askuser install {agent}` 重新接入；用 `askuser uninstall {agent}` 断开";
    }
}

phrases! {
    /// Whether a phone and the public address reach the server.
    Reach {
        nobody: "no other device can connect, as configured" | "按配置，其他设备无法连接";
        nobody_tip: "`askuser open --qr --lan` lets your phone in; see `askuser help phone`" | "用 `askuser open --qr --lan` 让手机连接；见 `askuser help phone`";
        certificate(what, hosts, until): "{what} is for {hosts}, valid until {until}" | "{what} 适用于 {hosts}，有效期至 {until}";
        ends_soon_hint: "renew it, then `askuser reload`" | "请续期，然后运行 `askuser reload`";
        no_phone(why): "no phone can connect: {why}" | "手机无法连接：{why}";
        no_phone_hint: "fix that, then `askuser stop`; the next command starts it again" | "处理之后运行 `askuser stop`，下一条命令会重新启动它";
        no_network: "this machine is in no network" | "本机没有联网";
        no_network_hint: "join a network, then `askuser stop`; the next command starts it again" | "请先联网，再运行 `askuser stop`，下一条命令会重新启动它";
        reached(url): "{url} answers" | "{url} 有回应";
        reached_tip: "if a phone in the same network cannot open it, a firewall is in between" | "如果同一网络中的手机打不开，说明中间有防火墙";
        another(url): "another askuser server answers at {url}" | "{url} 上回应的是另一个 askuser 服务";
        another_hint: "give this one a port of its own: server.tls_listen" | "请给它单独的端口：server.tls_listen";
        unreached_hint: "check the firewall, or run `askuser stop` if this machine has moved to another network" | "请检查防火墙；如果本机换了网络，请运行 `askuser stop`";
        moved(url): "{url} is no longer an address of this machine" | "{url} 已不是本机的地址";
        moved_hint: "`askuser stop`, and start it again: it does not follow into another network by itself" | "运行 `askuser stop` 后重新启动：它不会自动跟随到另一个网络";
        wrong_host(host): "the certificate is not for {host}, so browsers refuse it" | "证书不适用于 {host}，浏览器会拒绝";
        wrong_host_hint: "name a host that it is for in server.hosts, or get one for this name" | "请在 server.hosts 中写上证书适用的主机，或为这个名称申请证书";
        self_made(host, until, fingerprint): "self-signed for {host}, valid until {until}; SHA-256 {fingerprint}" | "{host} 的自签名证书，有效期至 {until}；SHA-256 {fingerprint}";
        self_made_tip: "a phone warns about it once. Web push and installing the page need a certificate that the phone trusts: `askuser help phone`" | "手机会警告一次。网页推送和安装网页需要手机信任的证书：见 `askuser help phone`";
        untrusted_hint: "a phone will say the same, unless it trusts the issuer; put the whole chain into the file, with the certificates above yours" | "手机也会这样提示，除非它信任颁发者；请把整条证书链放进文件，包括上级证书";
        plain(url): "{url} is this server, but not encrypted on the way" | "{url} 是此服务，但传输没有加密";
        plain_hint: "use https://, see `askuser help phone`" | "请使用 HTTPS，见 `askuser help phone`";
        public(url): "{url} is this server" | "{url} 是此服务";
        public_other_hint: "fine if several servers share a database; otherwise point the proxy or tunnel at this one" | "多个服务共用一个数据库时没有问题；否则请把代理或隧道指向此服务";
        host_hint: "have the proxy pass on the Host header, or add the name that it sends to server.hosts" | "请让代理传递 Host 头，或把它发送的名称加到 server.hosts";
        gateway_hint: "the proxy runs but does not reach askuser: point it at the address that `askuser status` prints" | "代理在运行，但连不到 askuser：请指向 `askuser status` 显示的地址";
        elsewhere_hint: "something else answers there: check server.public_url and where the proxy leads" | "那里回应的是别的程序：请检查 server.public_url 和代理的指向";
        tunnel_hint: "start the tunnel or proxy, or check server.public_url, the name and the certificate; see `askuser help phone`" | "请启动隧道或代理，或检查 server.public_url、名称和证书；见 `askuser help phone`";
        through: "get through the proxy" | "可以通过代理";
        held_back: "the proxy buffers them: the page is late" | "代理有缓冲，网页会延迟";
        not_through(why): "do not get through the proxy: {why}" | "无法通过代理：{why}";
        events_hint: "turn buffering off: `proxy_buffering off` in nginx, `flush_interval -1` in Caddy" | "请关闭缓冲：nginx 用 `proxy_buffering off`，Caddy 用 `flush_interval -1`";
        websocket_hint: "have it pass on Host, Upgrade and Connection, as in `askuser help phone`" | "请让它传递 Host、Upgrade 和 Connection，见 `askuser help phone`";
    }
}
