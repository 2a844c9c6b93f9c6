//! `askuser doctor`: the whole set-up, in plain words. What is wrong says what it means and what to do.

mod around;
mod database;
mod desk;
mod files;
mod phone;

use serde_json::{Value, json};

use super::args::Form;
use super::connect::{self, block_on};
use super::exit::Exit;
use super::report::Report;
use crate::environment::Environment;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Ok,
    Warn,
    Fail,
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
    super::ask::finish(&written(&findings, form), exit)
}

fn written(findings: &[Finding], form: Form) -> String {
    let word = |verdict| match verdict {
        Verdict::Ok => "ok",
        Verdict::Warn => "warn",
        Verdict::Fail => "fail",
    };
    if form.json {
        let told: Vec<Value> = findings
            .iter()
            .map(|finding| {
                json!({
                    "what": finding.what, "verdict": word(finding.verdict),
                    "said": finding.said, "means": finding.means, "hint": finding.hint,
                })
            })
            .collect();
        return json!({ "findings": told }).to_string();
    }
    let mut lines = Vec::new();
    for finding in findings {
        lines.push(format!("{:<5} {:<12} {}", word(finding.verdict), finding.what, finding.said));
        lines.extend(finding.means.as_ref().map(|means| format!("{:<18} it means: {means}", "")));
        lines.extend(finding.hint.as_ref().map(|hint| format!("{:<18} to do: {hint}", "")));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_says_what_it_means_and_what_to_do() {
        let findings = [
            Finding::ok("disk", "much"),
            Finding::fail("rules", "line 3").means("nobody is answered").hint("mend it"),
        ];
        let text = written(&findings, Form { json: false });
        assert_eq!(
            text,
            "ok    disk         much\nfail  rules        line 3\n                   it means: nobody is answered\n                   to do: mend it"
        );
        assert!(written(&findings, Form { json: true }).contains("\"means\":\"nobody is answered\""));
    }
}
