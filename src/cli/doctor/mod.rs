//! `askuser doctor`: the whole set-up, in plain words. What is wrong says what it means and what to do.

mod around;
mod database;
mod desk;
mod files;
mod phone;

use askuser_words::Language;
use serde_json::{Value, json};

use super::args::Form;
use super::connect::{self, block_on};
use super::exit::Exit;
use super::output::Screen;
use super::output::paint::Role;
use super::report::Report;
use crate::channel::terminal::width::width;
use crate::channel::terminal::wrap::wrap;
use crate::environment::Environment;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Ok,
    Warn,
    Fail,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }

    fn shown(self, screen: &Screen) -> (&'static str, Role) {
        match self {
            Self::Ok => (screen.pick("ok", "正常"), Role::Good),
            Self::Warn => (screen.pick("warn", "注意"), Role::Warn),
            Self::Fail => (screen.pick("fail", "失败"), Role::Bad),
        }
    }
}

/// One thing that was looked at.
#[derive(Debug)]
struct Finding {
    what: &'static str,
    verdict: Verdict,
    said: String,
    /// What that means, where it is not well.
    means: Option<String>,
    hint: Option<String>,
}

impl Finding {
    fn new(what: &'static str, verdict: Verdict, said: impl Into<String>) -> Self {
        Self { what, verdict, said: said.into(), means: None, hint: None }
    }

    fn ok(what: &'static str, said: impl Into<String>) -> Self {
        Self::new(what, Verdict::Ok, said)
    }

    fn warn(what: &'static str, said: impl Into<String>) -> Self {
        Self::new(what, Verdict::Warn, said)
    }

    fn fail(what: &'static str, said: impl Into<String>) -> Self {
        Self::new(what, Verdict::Fail, said)
    }

    /// What people call it; programs know it by `what`.
    fn label(&self) -> &'static str {
        match self.what {
            "daemon" | "desk" => "server",
            what => what,
        }
    }

    fn means(mut self, means: impl Into<String>) -> Self {
        self.means = Some(means.into());
        self
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Looks everything over: 0 where all is well or nearly so, 1 where something fails.
pub fn run(form: Form, environment: &Environment) -> Result<Exit, Report> {
    let client = connect::client(environment)?;
    let home = connect::home(None, environment)?;
    let mut findings = vec![Finding::ok("version", concat!("askuser ", env!("CARGO_PKG_VERSION")))];
    findings.extend(files::folder(&home));
    findings.extend(files::keys(&home));
    findings.extend(files::permissions(&home));
    let (config, listen) = files::configuration(environment);
    findings.push(config);
    let (desk, status) = block_on(async { Ok(desk::look(&client, &home, &listen).await) })?;
    findings.extend(desk);
    // A configuration that cannot be read is a finding already, and no daemon starts with it.
    let config = super::settings::load(environment).map(|loaded| loaded.config).unwrap_or_default();
    findings.extend(block_on(async { Ok(phone::phone(&config, status.as_ref()).await) })?);
    findings.extend(database::look(&home, status.as_ref()));
    findings.extend(files::rules(&home));
    findings.push(around::terminal(environment));
    findings.extend(around::clock(status.as_ref()));
    findings.extend(files::room(&home));
    findings.extend(around::service(environment));
    findings.extend(around::agents(environment));
    let failed = findings.iter().any(|finding| finding.verdict == Verdict::Fail);
    let exit = if failed { Exit::Failed } else { Exit::Answered };
    let screen = Screen::of(environment);
    if form.json {
        return super::ask::finish(
            &json!({ "findings": findings.iter().map(told).collect::<Vec<_>>() }).to_string(),
            exit,
        );
    }
    screen.print(&written(&findings, &screen))?;
    Ok(exit)
}

fn told(finding: &Finding) -> Value {
    json!({
        "what": finding.what, "verdict": finding.verdict.word(),
        "said": finding.said, "means": finding.means, "hint": finding.hint,
    })
}

/// The columns before what is said.
const INDENT: usize = 19;

fn written(findings: &[Finding], screen: &Screen) -> String {
    let columns = screen.columns().map_or(usize::MAX, |columns| columns.saturating_sub(INDENT).max(12));
    let mut lines = Vec::new();
    for finding in findings {
        let is_ok = finding.verdict == Verdict::Ok;
        let (word, role) = finding.verdict.shown(screen);
        let space = " ".repeat(6_usize.saturating_sub(width(word)));
        let head = format!("{}{space}{:<12} ", screen.paint.text(role, word), finding.label());
        // Where all is well there is nothing to do, but perhaps something to know.
        let hint = if is_ok { screen.pick("tip: ", "提示：") } else { screen.pick("fix: ", "处理：") };
        let below = [
            finding.means.as_ref().map(|means| format!("{}{means}", screen.pick("this means: ", "影响："))),
            finding.hint.as_ref().map(|words| format!("{hint}{words}")),
        ];
        let said = wrap(&finding.said, columns);
        let below = below.into_iter().flatten().flat_map(|text| wrap(&text, columns));
        let below = below.map(|row| if is_ok { screen.paint.text(Role::Dim, &row) } else { row });
        let rows: Vec<String> = said.into_iter().chain(below).collect();
        lines.push(format!("{head}{}", rows.join(&format!("\n{}", " ".repeat(INDENT)))));
    }
    lines.push(format!("\n{}", summary(findings, screen)));
    lines.join("\n")
}

/// What it comes to.
fn summary(findings: &[Finding], screen: &Screen) -> String {
    let n = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let (n_failed, n_warned) = (n(Verdict::Fail), n(Verdict::Warn));
    let (role, text) = match (n_failed, n_warned, screen.language) {
        (0, 0, _) => (Role::Good, screen.pick("Everything works.", "一切正常。").to_owned()),
        (0, 1, Language::English) => (Role::Warn, "It works, with 1 warning.".to_owned()),
        (0, n, Language::English) => (Role::Warn, format!("It works, with {n} warnings.")),
        (0, n, Language::Chinese) => (Role::Warn, format!("可以使用，有 {n} 处需要留意。")),
        (1, _, Language::English) => (Role::Bad, "1 problem to fix.".to_owned()),
        (n, _, Language::English) => (Role::Bad, format!("{n} problems to fix.")),
        (n, _, Language::Chinese) => (Role::Bad, format!("有 {n} 个问题需要处理。")),
    };
    screen.paint.text(role, &text)
}

#[cfg(test)]
mod tests {
    use askuser_core::time::Timestamp;

    use super::*;

    #[test]
    fn what_is_wrong_says_what_it_means_and_what_to_do() {
        let findings = [
            Finding::ok("disk", "much"),
            Finding::fail("rules", "line 3").means("nobody is answered").hint("mend it"),
        ];
        let screen = |columns| Screen::made(columns, Language::English, Timestamp(0));
        let text = written(&findings, &screen(0));
        assert_eq!(
            text,
            "ok    disk         much\nfail  rules        line 3\n                   this means: nobody is answered\n                   fix: mend it\n\n1 problem to fix."
        );
        for columns in [120, 80, 60, 40] {
            let text = written(&findings, &screen(columns));
            assert!(text.lines().all(|line| width(line) <= columns), "{text}");
        }
        assert_eq!(told(&findings[1])["means"], "nobody is answered");
    }

    #[test]
    fn the_report_fits_its_terminal() {
        let findings = [
            Finding::ok("version", "askuser 0.1.0"),
            Finding::warn("keys", "keys/person can be read by others (mode 644)")
                .means("whoever reads it can answer in your name")
                .hint("chmod 600 ~/.local/share/askuser/keys/person"),
            Finding::fail("daemon", "the port 8275 of 127.0.0.1 belongs to another program")
                .means("no question reaches you")
                .hint("`askuser config set server.listen 127.0.0.1:0` takes a free one"),
            Finding::ok("phone", "none").hint("`askuser open --qr` lets one in"),
        ];
        let drawn = [120, 80, 60, 40].into_iter().flat_map(|columns| {
            [Language::English, Language::Chinese].map(|language| {
                let text = written(&findings, &Screen::made(columns, language, Timestamp(0)));
                assert!(text.lines().all(|line| width(line) <= columns), "{columns}: {text}");
                format!("── {columns} {language:?}\n{text}")
            })
        });
        insta::assert_snapshot!(drawn.collect::<Vec<_>>().join("\n\n"));
    }

    /// An `ok` with something to do left the person wondering.
    #[test]
    fn where_all_is_well_there_is_nothing_to_fix() {
        let findings = [Finding::ok("phone", "none").hint("`askuser open --qr` lets one in")];
        let text = written(&findings, &Screen::made(0, Language::English, Timestamp(0)));
        assert!(text.contains("tip: `askuser open --qr`") && !text.contains("fix:"), "{text}");
        assert!(text.ends_with("Everything works."), "{text}");
    }
}
