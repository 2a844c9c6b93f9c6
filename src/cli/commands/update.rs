//! `askuser update`: which version runs, how it was installed, and the command that updates it. It looks at where
//! the program is and downloads nothing.

use std::path::Path;

use askuser_words::Language;
use askuser_words::update::Update;
use serde_json::json;

use crate::cli::args::Form;
use askuser_ask::connect;
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// Show the version and how to update it
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser update")]
pub struct UpdateArgs {
    #[command(flatten)]
    pub form: Form,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Where Debian keeps what a package consists of.
const DEBIAN_LIST: &str = "/var/lib/dpkg/info/askuser.list";

/// How the program came to this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Npm,
    Npx,
    Uvx,
    Uv,
    Pipx,
    Pip,
    Deb,
    Cargo,
    Bundle,
    Source,
    Archive,
}

impl Way {
    /// Tells by where the program is; `has` says whether a file is there.
    fn of(program: &Path, has: impl Fn(&Path) -> bool) -> Self {
        let words = program.to_string_lossy().into_owned();
        let within = |part: &str| words.contains(part);
        let beside =
            |file: &str| program.parent().and_then(Path::parent).is_some_and(|up| has(&up.join(file)));
        match () {
            () if within("/_npx/") => Self::Npx,
            () if within("/node_modules/") => Self::Npm,
            () if within("/uv/tools/askuser-desk/") => Self::Uv,
            () if within("/uv/archive-") || within("/uv/builds-") => Self::Uvx,
            () if within("/pipx/venvs/") => Self::Pipx,
            () if beside("pyvenv.cfg") => Self::Pip,
            () if within("/.cargo/bin/") => Self::Cargo,
            () if beside("manifest.json") => Self::Bundle,
            () if beside("CACHEDIR.TAG") => Self::Source,
            () if program.starts_with("/usr/bin") && has(Path::new(DEBIAN_LIST)) => Self::Deb,
            () => Self::Archive,
        }
    }

    /// Its word for programs.
    fn name(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Npx => "npx",
            Self::Uvx => "uvx",
            Self::Uv => "uv",
            Self::Pipx => "pipx",
            Self::Pip => "pip",
            Self::Deb => "deb",
            Self::Cargo => "cargo",
            Self::Bundle => "mcpb",
            Self::Source => "source",
            Self::Archive => "archive",
        }
    }

    fn said(self, language: Language) -> &'static str {
        let say = Update(language);
        match self {
            Self::Deb => say.by_deb(),
            Self::Bundle => "Claude Desktop",
            Self::Source => say.from_source(),
            Self::Archive => say.by_hand(),
            tool => tool.name(),
        }
    }

    /// The command that gets the next version; none where it takes a hand.
    fn command(self) -> Option<&'static str> {
        Some(match self {
            Self::Npm => "npm install --global askuser@latest",
            Self::Npx => "npx -y askuser@latest",
            Self::Uvx => "uvx --from askuser-desk@latest askuser",
            Self::Uv => "uv tool upgrade askuser-desk",
            Self::Pipx => "pipx upgrade askuser-desk",
            Self::Pip => "pip install --upgrade askuser-desk",
            Self::Deb => "sudo apt install ./askuser_VERSION_ARCHITECTURE.deb",
            Self::Cargo => "cargo install --locked askuser",
            Self::Source => "git pull && cargo install --locked --path .",
            Self::Bundle | Self::Archive => return None,
        })
    }
}

/// Says it.
pub fn run(UpdateArgs { form }: &UpdateArgs, environment: &Environment) -> Result<Exit, Report> {
    let program = std::env::current_exe().map_err(|error| Report::failed(error.to_string(), None))?;
    let program = program.canonicalize().unwrap_or(program);
    let way = Way::of(&program, Path::exists);
    let server = connect::home(None, environment)?.running().map(|running| running.version);
    let screen = Screen::of(environment);
    if form.json {
        let told = json!({
            "version": VERSION, "server_version": server, "program": program.to_string_lossy(),
            "installed_with": way.name(), "update_command": way.command(),
        });
        return askuser_ask::report::finish(&told.to_string(), Exit::Answered);
    }
    screen.print(&screen.wrapped(&said(way, &program, server.as_deref(), screen.language)))
}

fn said(way: Way, program: &Path, server: Option<&str>, language: Language) -> String {
    let say = Update(language);
    let mut lines = vec![
        format!("askuser {VERSION}"),
        say.installed(way.said(language), program.display()),
        String::new(),
        say.to_update().to_owned(),
        format!(
            "  {}",
            match (way, way.command()) {
                (_, Some(command)) => command,
                (Way::Bundle, None) => say.bundle_how(),
                (_, None) => say.archive_how(),
            }
        ),
    ];
    if let Some(other) = server.filter(|other| *other != VERSION) {
        lines.extend([String::new(), say.running(other)]);
    }
    lines.extend([String::new(), say.nothing_downloaded().to_owned()]);
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_it_was_installed_is_told_by_where_it_is() {
        let of = |program: &str, there: &[&str]| {
            Way::of(Path::new(program), |file| there.iter().any(|one| Path::new(one) == file))
        };
        let npm = "/usr/lib/node_modules/askuser/node_modules/askuser-linux-x64/bin/askuser";
        assert_eq!(of(npm, &[]), Way::Npm);
        let npx = "/home/ann/.npm/_npx/1a2b/node_modules/askuser-linux-x64/bin/askuser";
        assert_eq!(of(npx, &[]), Way::Npx);
        assert_eq!(of("/home/ann/.local/share/uv/tools/askuser-desk/bin/askuser", &[]), Way::Uv);
        assert_eq!(of("/home/ann/.cache/uv/archive-v0/x1/bin/askuser", &[]), Way::Uvx);
        assert_eq!(of("/home/ann/.local/pipx/venvs/askuser-desk/bin/askuser", &[]), Way::Pipx);
        assert_eq!(of("/home/ann/env/bin/askuser", &["/home/ann/env/pyvenv.cfg"]), Way::Pip);
        assert_eq!(of("/usr/bin/askuser", &[DEBIAN_LIST]), Way::Deb);
        assert_eq!(of("/usr/bin/askuser", &[]), Way::Archive);
        assert_eq!(of("/home/ann/.cargo/bin/askuser", &[]), Way::Cargo);
        assert_eq!(
            of("/src/askuser/target/debug/askuser", &["/src/askuser/target/CACHEDIR.TAG"]),
            Way::Source
        );
        assert_eq!(of("/ext/askuser/server/askuser", &["/ext/askuser/manifest.json"]), Way::Bundle);
    }

    #[test]
    fn another_version_that_runs_is_named() {
        let program = Path::new("/usr/bin/askuser");
        let said = said(Way::Deb, program, Some("0.0.9"), Language::English);
        assert!(said.contains("sudo apt install") && said.contains("server is version 0.0.9"), "{said}");
        let same = super::said(Way::Npm, program, Some(VERSION), Language::Chinese);
        assert!(
            !same.contains("askuser stop") && same.contains("npm install --global askuser@latest"),
            "{same}"
        );
    }
}
