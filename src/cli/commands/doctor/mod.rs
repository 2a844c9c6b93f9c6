//! `askuser doctor`: the whole set-up, in plain words. What is wrong says what it means and what to do.

mod surroundings;
mod database;
mod desk;
mod files;
mod phone;

use askuser_words::commands::Doctor;
use askuser_words::{Both, Language, both};
use serde_json::{Value, json};

use crate::cli::args::Form;
use askuser_ask::connect::{self, block_on};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::report::{Report, in_theirs};
use askuser_system::environment::Environment;
use askuser_terminal::width::width;
use askuser_terminal::wrap::wrap;

/// Check the setup and show what to fix
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser doctor")]
pub struct DoctorArgs {
    #[command(flatten)]
    pub form: Form,
}

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

    fn shown(self, language: Language) -> (&'static str, Role) {
        let said = Doctor(language);
        match self {
            Self::Ok => (said.ok(), Role::Good),
            Self::Warn => (said.warn(), Role::Warn),
            Self::Fail => (said.fail(), Role::Bad),
        }
    }
}

/// One thing that was looked at.
#[derive(Debug)]
struct Finding {
    what: &'static str,
    verdict: Verdict,
    said: Both,
    /// What that means, where it is not well.
    means: Option<Both>,
    hint: Option<Both>,
}

impl Finding {
    fn new(what: &'static str, verdict: Verdict, said: Both) -> Self {
        Self { what, verdict, said, means: None, hint: None }
    }

    fn ok<T: From<Language>, S: Into<String>>(what: &'static str, say: impl Fn(T) -> S) -> Self {
        Self::new(what, Verdict::Ok, both(say))
    }

    fn warn<T: From<Language>, S: Into<String>>(what: &'static str, say: impl Fn(T) -> S) -> Self {
        Self::new(what, Verdict::Warn, both(say))
    }

    fn fail<T: From<Language>, S: Into<String>>(what: &'static str, say: impl Fn(T) -> S) -> Self {
        Self::new(what, Verdict::Fail, both(say))
    }

    fn means<T: From<Language>, S: Into<String>>(self, say: impl Fn(T) -> S) -> Self {
        Self { means: Some(both(say)), ..self }
    }

    fn hint<T: From<Language>, S: Into<String>>(self, say: impl Fn(T) -> S) -> Self {
        Self { hint: Some(both(say)), ..self }
    }

    /// What people call it; programs know it by `what`.
    fn label(&self, language: Language) -> &'static str {
        let said = Doctor(language);
        match self.what {
            "daemon" | "desk" => said.server(),
            "version" => said.version(),
            "data folder" => said.data_folder(),
            "agent key" => said.agent_key(),
            "person key" => said.person_key(),
            "admin key" => said.admin_key(),
            "keys" => said.keys(),
            "permissions" => said.permissions(),
            "config" => said.config(),
            "rules" => said.rules(),
            "socket" => said.socket(),
            "open files" => said.open_files(),
            "test ask" => said.test(),
            "port" => said.port(),
            "certificate" => said.certificate(),
            "phone" => said.phone(),
            "public url" => said.public_url(),
            "events" => said.events(),
            "websocket" => said.websocket(),
            "database" => said.database(),
            "terminal" => said.terminal(),
            "clock" => said.clock(),
            "disk" => said.disk(),
            "service" => said.service(),
            "agents" => said.agents(),
            what => what,
        }
    }
}

/// Looks everything over: 0 where all is well or nearly so, 1 where something fails.
pub fn run(DoctorArgs { form }: &DoctorArgs, environment: &Environment) -> Result<Exit, Report> {
    let client = connect::client(environment)?;
    let home = connect::home(None, environment)?;
    let mut findings =
        vec![Finding::new("version", Verdict::Ok, in_theirs(concat!("askuser ", env!("CARGO_PKG_VERSION"))))];
    findings.extend(files::folder(&home));
    findings.extend(files::keys(&home));
    findings.extend(files::permissions(&home));
    let (config, listen) = files::configuration(environment);
    findings.push(config);
    let (desk, status) = block_on(async { Ok(desk::look(&client, &home, &listen).await) })?;
    findings.extend(desk);
    // A configuration that cannot be read is a finding already, and no daemon starts with it.
    let config = super::config::load(environment).map(|loaded| loaded.config).unwrap_or_default();
    findings.extend(block_on(async { Ok(Box::pin(phone::phone(&config, status.as_ref())).await) })?);
    findings.extend(database::look(&home, status.as_ref()));
    findings.extend(files::rules(&home));
    findings.push(surroundings::terminal(environment));
    findings.extend(surroundings::clock(status.as_ref()));
    findings.extend(files::room(&home));
    findings.extend(surroundings::service(environment));
    findings.extend(surroundings::agents(environment));
    let failed = findings.iter().any(|finding| finding.verdict == Verdict::Fail);
    let exit = if failed { Exit::Failed } else { Exit::Answered };
    let screen = Screen::of(environment);
    if form.json {
        return askuser_ask::report::finish(
            &json!({ "findings": findings.iter().map(to_json).collect::<Vec<_>>() }).to_string(),
            exit,
        );
    }
    screen.print(&written(&findings, &screen))?;
    Ok(exit)
}

/// A finding for programs, in English.
fn to_json(finding: &Finding) -> Value {
    let english = |said: &Option<Both>| said.as_ref().map(|said| said.english.clone());
    json!({
        "what": finding.what, "verdict": finding.verdict.word(), "said": finding.said.english,
        "means": english(&finding.means), "hint": english(&finding.hint),
    })
}

/// The columns before what is said.
const INDENT: usize = 19;

fn written(findings: &[Finding], screen: &Screen) -> String {
    let columns = screen.columns().map_or(usize::MAX, |columns| columns.saturating_sub(INDENT).max(12));
    let mut lines: Vec<String> = findings.iter().map(|finding| rows(finding, columns, screen)).collect();
    lines.push(format!("\n{}", summary(findings, screen)));
    lines.join("\n")
}

fn rows(finding: &Finding, columns: usize, screen: &Screen) -> String {
    let (language, said) = (screen.language, Doctor(screen.language));
    let is_ok = finding.verdict == Verdict::Ok;
    let (word, role) = finding.verdict.shown(language);
    let label = finding.label(language);
    let space = |text: &str, columns: usize| " ".repeat(columns.saturating_sub(width(text)));
    let head = format!("{}{}{label}{}", screen.paint.text(role, word), space(word, 6), space(label, 13));
    // Where all is well there is nothing to do, but perhaps something to know.
    let hint = if is_ok { said.tip() } else { said.fix() };
    let below = [(said.means(), &finding.means), (hint, &finding.hint)];
    let below = below
        .into_iter()
        .filter_map(|(word, text)| text.as_ref().map(|text| format!("{word}{}", language.of(text))));
    let below = below.flat_map(|text| wrap(&text, columns));
    let below = below.map(|row| if is_ok { screen.paint.text(Role::Dim, &row) } else { row });
    let rows: Vec<String> = wrap(language.of(&finding.said), columns).into_iter().chain(below).collect();
    format!("{head}{}", rows.join(&format!("\n{}", " ".repeat(INDENT))))
}

/// What it comes to.
fn summary(findings: &[Finding], screen: &Screen) -> String {
    let n = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let said = Doctor(screen.language);
    let (role, text) = match (n(Verdict::Fail), n(Verdict::Warn)) {
        (0, 0) => (Role::Good, said.all_well().to_owned()),
        (0, n) => (Role::Warn, said.warnings(n)),
        (n, _) => (Role::Bad, said.problems(n)),
    };
    screen.paint.text(role, &text)
}

#[cfg(test)]
mod tests {
    use askuser_core::time::Timestamp;
    use askuser_words::commands::{Files, Reach, Running};

    use super::*;

    #[test]
    fn what_is_wrong_says_what_it_means_and_what_to_do() {
        let folder = "/home/ann/.local/share/askuser";
        let findings = [
            Finding::new("version", Verdict::Ok, in_theirs("askuser 0.1.0")),
            Finding::fail("rules", |_: Language| "line 3")
                .means(Files::rules_faulty_means)
                .hint(Files::rules_faulty_hint),
        ];
        let text = written(&findings, &Screen::made(0, Language::English, Timestamp(0)));
        assert_eq!(
            text,
            "ok    version      askuser 0.1.0\n\
             fail  rules        line 3\n                   \
             this means: no rule is applied, every question waits for a person\n                   \
             fix: correct the file: askuser notices at once\n\n\
             1 problem to fix."
        );
        assert_eq!(to_json(&findings[1])["means"], Files(Language::English).rules_faulty_means());
        assert!(Files(Language::Chinese).open(folder, "644").contains(folder));
    }

    #[test]
    fn the_report_fits_its_terminal() {
        let key = "/home/ann/.local/share/askuser/keys/person";
        let findings = [
            Finding::new("version", Verdict::Ok, in_theirs("askuser 0.1.0")),
            Finding::fail("person key", |said: Files| said.open(key, "644"))
                .means(Files::open_key_means)
                .hint(|said: Files| said.open_key_hint(key)),
            Finding::ok("daemon", |said: Running| {
                said.instead("http://127.0.0.1:40213", 4711, "127.0.0.1:8275")
            }),
            Finding::warn("rules", |said: Running| said.unconfirmed(1_usize))
                .means(Running::unconfirmed_means)
                .hint(Running::unconfirmed_hint),
            Finding::ok("phone", Reach::nobody).hint(Reach::nobody_tip),
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
        let findings = [Finding::ok("phone", Reach::nobody).hint(Reach::nobody_tip)];
        let text = written(&findings, &Screen::made(0, Language::English, Timestamp(0)));
        assert!(text.contains("tip: `askuser open --qr") && !text.contains("fix:"), "{text}");
        assert!(text.ends_with("Everything works."), "{text}");
    }
}
