//! What is above the columns of the tables that commands print.

phrases! {
    /// The titles of columns.
    Titles {
        about: "ABOUT" | "说明";
        action: "ACTION" | "操作";
        address: "ADDRESS" | "地址";
        age: "AGE" | "时间";
        agent: "AGENT" | "智能体";
        answer: "ANSWER" | "答案";
        browser: "BROWSER" | "浏览器";
        by: "BY" | "回答者";
        channel: "CHANNEL" | "渠道";
        deadline: "DEADLINE" | "截止";
        declined: "DECLINED" | "取消";
        details: "DETAILS" | "详情";
        disabled: "DISABLED" | "停用";
        event: "EVENT" | "事件";
        file: "FILE" | "文件";
        first_words: "ABOUT" | "内容";
        folder: "FOLDER" | "文件夹";
        for_permissions: "FOR PERMISSIONS" | "权限规则";
        from: "FROM" | "来源";
        id: "ID" | "编号";
        key: "KEY" | "密钥";
        kind: "KIND" | "类型";
        last: "LAST" | "最近";
        last_question: "LAST QUESTION" | "最近的问题";
        last_used: "LAST USED" | "最近使用";
        name: "NAME" | "名称";
        number: "NUMBER" | "编号";
        permissions: "PERMISSIONS" | "可授权";
        program: "PROGRAM" | "程序";
        project: "PROJECT" | "项目";
        question: "QUESTION" | "问题";
        questions: "QUESTIONS" | "问题";
        result: "RESULT" | "结果";
        revoked: "REVOKED" | "吊销";
        role: "ROLE" | "角色";
        role_and_user: "ROLE · USER" | "角色 · 用户";
        rounds: "ROUNDS" | "轮次";
        rule: "RULE" | "规则";
        scope: "SCOPE" | "范围";
        setting: "SETTING" | "设置";
        severity: "SEVERITY" | "级别";
        signed_in: "SIGNED IN" | "登录";
        since: "SINCE" | "创建";
        size: "SIZE" | "大小";
        source: "SOURCE" | "来源";
        status: "STATUS" | "状态";
        task: "TASK" | "任务";
        template: "TEMPLATE" | "模板";
        text: "TEXT" | "内容";
        timed_out: "TIMED OUT" | "超时";
        took: "TOOK" | "耗时";
        until: "UNTIL" | "有效期至";
        user: "USER" | "用户";
        value: "VALUE" | "值";
        variables: "VARIABLES" | "变量";
        when: "WHEN" | "时间";
        withdrawn: "WITHDRAWN" | "撤回";
        you: "YOU" | "你";
    }
}
