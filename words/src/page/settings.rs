//! How a person likes the page, and how they are notified.

phrases! {
    /// The preferences.
    Settings {
        kept: "Saved in this browser." | "保存在本浏览器中。";
        theme: "Theme" | "主题";
        theme_system: "System" | "跟随系统";
        theme_light: "Light" | "浅色";
        theme_dark: "Dark" | "深色";
        language: "Language" | "语言";
        language_of_browser: "Browser default" | "跟随浏览器";
        density: "Density" | "密度";
        comfortable: "Comfortable" | "舒适";
        compact: "Compact" | "紧凑";
        notifications: "Notifications" | "通知";
        answering: "Answering" | "回答";
        sound: "Sound for new questions" | "有新问题时播放声音";
        notify: "Desktop notifications while a tab is open" | "页面打开时显示桌面通知";
        speech: "Read questions aloud and answer by voice, if the browser supports it" | "朗读问题并接受语音回答（需浏览器支持）";
        single_keys: "Keyboard shortcuts (1-9, j/k, ?)" | "键盘快捷键（1-9、j/k、?）";
        forgetful: "Hide my earlier answers to the same question" | "不显示我以前对相同问题的回答";
        your_name: "Your name" | "你的名字";
        your_name_why: "Shown to others who look at the same question. If empty, your user name is shown." | "显示给同时查看同一问题的人。留空则显示用户名。";
        device: "Push notifications, even when closed" | "推送通知（页面关闭时也能收到）";
        device_off: "Off for this device." | "本设备尚未开启。";
        device_on: "On for this device: you are notified of new questions even when the page is closed." | "本设备已开启：有新问题时会收到通知，页面关闭时也会。";
        device_insecure: "Not available at this address: browsers allow push notifications only over HTTPS with a trusted certificate, or on localhost." | "此地址无法使用：浏览器只允许通过受信任证书的 HTTPS 页面或 localhost 页面推送通知。";
        device_unable: "This browser does not support push notifications. On an iPhone or iPad, add the page to the home screen first." | "此浏览器不支持推送通知。在 iPhone 或 iPad 上，请先将页面添加到主屏幕。";
        device_denied: "This browser blocks notifications from this page: allow them in the browser's settings." | "浏览器不允许此页面发送通知：请在浏览器设置中允许。";
        device_failed: "That didn't work: the browser, its push service or askuser refused. Try again in a moment." | "未成功：浏览器、其推送服务或 askuser 拒绝了请求。请稍后重试。";
        device_notify: "Turn on for this device" | "在本设备上开启";
        device_stop: "Turn off for this device" | "在本设备上关闭";
        sign_out: "Sign out" | "退出登录";
    }
}
