//! The property list of launchd.

use super::Wanted;

/// Returns the whole file. launchd keeps no log, so the daemon keeps its own; what is said before that
/// goes to the same file.
pub(super) fn text(wanted: &Wanted, label: &str) -> String {
    let words = [wanted.program.as_str(), "serve", "--data", &wanted.data, "--set", "log.file=true"];
    let words = words.map(|word| format!("    <string>{}</string>\n", escaped(word))).concat();
    let path = wanted.path.as_deref().map(|path| {
        format!(
            "  <key>EnvironmentVariables</key>\n  <dict>\n    <key>PATH</key>\n    <string>{}</string>\n  </dict>\n",
            escaped(path)
        )
    });
    format!(
        "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">
<!-- {mark} -->
<plist version=\"1.0\">
<dict>
  <key>Label</key>
  <string>{label}</string>
  <key>ProgramArguments</key>
  <array>
{words}  </array>
{path}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>StandardErrorPath</key>
  <string>{log}</string>
  <key>Umask</key>
  <integer>63</integer>
</dict>
</plist>
",
        mark = super::MARK,
        log = escaped(&wanted.log),
        path = path.unwrap_or_default(),
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_text_and_nothing_else() {
        let wanted = Wanted {
            program: "/opt/a & b/askuser".into(),
            data: "/Users/ann/<desk>".into(),
            log: "/Users/ann/<desk>/askuser.log".into(),
            variables: String::new(),
            path: Some("/usr/bin:/bin".into()),
        };
        let text = text(&wanted, "askuser");
        assert!(
            text.contains("<string>/opt/a &amp; b/askuser</string>\n    <string>serve</string>"),
            "{text}"
        );
        assert!(text.contains("<string>/Users/ann/&lt;desk&gt;</string>"), "{text}");
        assert!(text.contains("<key>PATH</key>\n    <string>/usr/bin:/bin</string>"), "{text}");
        // Every element that is opened is closed.
        for tag in ["dict", "array", "string", "key", "plist", "integer"] {
            let opened =
                text.matches(&format!("<{tag}>")).count() + text.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, text.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
}
