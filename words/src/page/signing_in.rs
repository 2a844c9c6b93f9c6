//! Signing in, the browsers that are signed in, and links that answer one question.

phrases! {
    /// Signing in.
    SigningIn {
        sign_in: "Sign in" | "登录";
        sign_in_here: "Sign in to askuser" | "登录 askuser";
        not_signed_in: "Not signed in" | "未登录";
        link_works_once: "This link signs in this browser. It works once." | "此链接用于登录本浏览器，仅可使用一次。";
        link_is_old: "This link was used before or is too old." | "此链接已被使用或已过期。";
        how: "On the machine where askuser runs, run this to open a signed-in page:" | "在运行 askuser 的机器上执行以下命令，打开已登录的页面：";
        by_key: "Or use a key" | "或使用密钥";
        key: "Personal key" | "个人密钥";
        key_is_in: "On the machine where askuser runs, in the data folder:" | "在运行 askuser 的机器上，位于数据目录：";
        not_a_key: "That key isn't valid." | "这不是有效的密钥。";
        moved: "askuser is not at this address" | "askuser 不在此地址";
        moved_why: "Any program on this machine can serve a page under this name, and your browser would send your sign-in to all of them. So askuser uses a name of its own." | "本机的任何程序都能以此名称提供网页，浏览器会把你的登录凭证也发给它们。因此 askuser 使用专用的名称。";
        moved_left: "Not sent yet" | "尚未发送";
        moved_left_why: "You wrote this when the page was at this address. Copy what you still need." | "这是页面仍在此地址时你写下的内容。如仍需要，请复制。";
        link_no_good: "This link no longer works" | "此链接已失效";
        link_done: "Done" | "已完成";
        browsers: "Signed-in browsers" | "已登录的浏览器";
        browsers_why: "Each of these can see and answer your questions. Sign out those you don't recognize." | "以下浏览器都能查看并回答你的问题。请退出不认识的浏览器。";
        this_browser: "this browser" | "当前浏览器";
        is_new: "new" | "新";
        since: "signed in" | "登录于";
        last_used: "last used" | "最近使用";
        cannot_grant: "Cannot grant permissions: it was signed in with a key, or by a command that an agent may have run." | "不能授权：此浏览器通过密钥登录，或由智能体可能运行过的命令登录。";
        rename: "Rename" | "重命名";
        name: "Name" | "名称";
        sign_out: "Sign out" | "退出登录";
        new_browser: "New sign-in:" | "新的登录：";
        new_browser_look: "Not you? Check your browsers" | "不是你本人？查看已登录的浏览器";
    }
}
