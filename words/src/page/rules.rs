//! Rules that answer for a person, and those for permissions.

phrases! {
    /// The page of the rules.
    Rules {
        title: "Rules" | "规则";
        why: "Created from your own answers. When the same agent asks the same question in the same project, the rule answers it, and the outcome says so." | "由你自己的回答创建。同一智能体在同一项目中提出相同问题时，由规则回答，结果中会注明。";
        none: "No rules yet. To create one, open an answered question and choose “Always answer this way”." | "还没有规则。打开一个已回答的问题，选择“以后都这样回答”即可创建。";
        until: "until" | "有效至";
        original: "original question" | "原问题";
        delete: "Delete rule" | "删除规则";
        not_so: "You can create a rule only from your own answer, for a year at most, and not for permissions or secrets." | "规则只能由你根据自己的回答创建，最长一年，不适用于授权和机密。";
        too_old: "Created by an older version that did not record the agent's key, so it no longer applies. Create it again from your next answer." | "由旧版本创建，未记录智能体的密钥，已不再生效；下次回答后可重新创建。";
        permissions: "Permission rules" | "授权规则";
        permissions_why: "These rules are in rules.yaml and answer permission requests for you. Each one applies only after you confirm its exact text here. If you did not write it, delete it from rules.yaml." | "这些规则写在 rules.yaml 中，会代你回答授权请求。每条规则的原文须由你在此确认后才生效。如果不是你写的，请从 rules.yaml 中删除。";
        not_confirmed: "Not confirmed yet. Until then you are asked." | "尚未确认，确认之前仍会问你。";
        confirmed: "Confirmed" | "已确认于";
        gone: "no longer in rules.yaml" | "已不在 rules.yaml 中";
        confirm: "Confirm: answer permission requests with this rule" | "确认：按此规则回答授权请求";
        stop: "Stop using: ask me again" | "停用：以后仍问我";
        not_in_this_browser: "Permission rules can only be confirmed in a browser that you signed in with `askuser open` in your terminal." | "只有在终端运行 `askuser open` 登录的浏览器，才能确认授权规则。";
    }
}
