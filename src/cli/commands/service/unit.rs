//! The unit of the user's own systemd.

use super::Wanted;

/// Returns the whole file.
pub(super) fn text(wanted: &Wanted) -> String {
    let path =
        wanted.path.as_deref().map(|path| format!("Environment={}\n", quoted(&format!("PATH={path}"))));
    format!(
        "\
# {mark}
[Unit]
Description=askuser: what agents ask, answered by people
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
ExecStart={program} serve --data {data}
ExecReload=/bin/kill -HUP $MAINPID
# Variables that are nobody else's business, as ASKUSER_DATABASE with its password; need not be there.
EnvironmentFile=-{variables}
{path}Restart=on-failure
RestartSec=2
# A faulty configuration does not mend itself.
RestartPreventExitStatus=2
TimeoutStopSec=30
UMask=0077

[Install]
WantedBy=default.target
",
        mark = super::MARK,
        program = quoted(&wanted.program),
        data = quoted(&wanted.data),
        variables = escaped(&wanted.variables),
        path = path.unwrap_or_default(),
    )
}

/// A word of a command line as systemd reads it: in quotes, with nothing that it would put values in.
fn quoted(word: &str) -> String {
    let inner = word.replace('\\', r"\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{}\"", escaped(&inner).replace('$', "$$"))
}

fn escaped(text: &str) -> String {
    text.replace('%', "%%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_one_word_whatever_stands_in_it() {
        for (word, unit) in [
            ("/usr/bin/askuser", r#""/usr/bin/askuser""#),
            ("/home/a b/100%", r#""/home/a b/100%%""#),
            (r#"/x/$HOME "q" \n"#, r#""/x/$$HOME \"q\" \\n""#),
        ] {
            assert_eq!(quoted(word), unit);
        }
    }
}
