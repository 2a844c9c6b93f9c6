//! Which version runs, how it was installed, and how to get the next one.

phrases! {
    /// What `askuser update` says.
    Update {
        installed(how, program): "How it was installed: {how} ({program})" | "安装方式：{how}（{program}）";
        by_deb: "a Debian package" | "Debian 软件包";
        from_source: "a build from source" | "源代码构建";
        by_hand: "an unpacked archive" | "解压的安装包";
        to_update: "To update:" | "更新方法：";
        bundle_how: "install the new .mcpb file in Claude Desktop, Settings, Extensions" | "在 Claude Desktop 的“设置 - 扩展”中安装新的 .mcpb 文件";
        archive_how: "unpack the new archive over this one" | "下载新的安装包并覆盖解压";
        running(version): "The running askuser server is version {version}. `askuser stop` ends it; the next command starts this version." | "正在运行的 askuser 服务是 {version} 版。运行 `askuser stop` 停止它，下一条命令会启动当前版本。";
        nothing_downloaded: "askuser never downloads anything by itself." | "askuser 不会自行下载任何内容。";
    }
}
