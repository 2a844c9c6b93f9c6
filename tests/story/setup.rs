//! `askuser setup`, as a person meets it: fake agents on a path of the test's own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use askuser_client::home::ServerState;
use askuser_client::{Client, Via};
use askuser_system::environment::Environment;
use serde_json::Value;

use crate::asks::{ASKUSER, told};
use crate::home::{TestHome, WAKES};
use crate::press::{DOWN, ENTER, ESC};
use crate::stage::{Setup, Stage};

/// A machine with these programs.
struct Machine {
    home: TestHome,
    path: String,
}

impl Machine {
    fn with(programs: &[&str]) -> Self {
        let home = TestHome::new();
        let bin = home.path().join("bin");
        fs::create_dir_all(&bin).unwrap();
        for program in programs {
            fs::write(bin.join(program), "#!/bin/sh\nexit 1\n").unwrap();
            fs::set_permissions(bin.join(program), fs::Permissions::from_mode(0o755)).unwrap();
        }
        let path = format!("{}:/usr/bin:/bin", bin.display());
        Self { home, path }
    }

    /// Away from any terminal.
    fn run(&self, args: &[&str]) -> Output {
        self.home.command(ASKUSER, args).env("PATH", &self.path).output().unwrap()
    }

    #[track_caller]
    fn prints(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", told(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// At a terminal of so many columns, with these variables besides.
    fn at(&self, columns: u16, vars: &[(&str, &str)]) -> Stage {
        let setup = Setup::new(ASKUSER).arg("setup").size(columns, 60).wiring("");
        let home = self.home.path().to_str().unwrap();
        let own = [("HOME", home), ("ASKUSER_HOME", &self.home.data()), ("PATH", &self.path)];
        let all = own.into_iter().chain(vars.iter().copied());
        all.fold(setup, |setup, (name, value)| setup.var(name, value)).start()
    }

    fn has(&self, file: &str) -> bool {
        self.home.path().join(file).exists()
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.home.path().join(file)).unwrap()
    }

    fn runs_nothing(&self) -> bool {
        self.home.home.look() == ServerState::Nobody
    }
}

#[test]
fn the_first_run_connects_what_was_chosen_and_the_second_changes_nothing() {
    for columns in [80, 40] {
        let machine = Machine::with(&["cursor", "windsurf"]);
        let mut stage = machine.at(columns, &[]);
        let screen = stage.sees("Esc leave");
        for part in ["Coding agents on this machine", "Cursor", "Windsurf", "not connected"] {
            assert!(screen.contains(part), "{part}: {screen}");
        }
        // The second is not wanted.
        stage.does(" ", "[ ] Cursor");
        stage.does(ENTER, "1 ○ Yes");
        assert!(!machine.has(".codeium"), "it is asked first");
        stage.types("y").sees("● Yes");
        stage.does(ENTER, "Browser");
        assert!(machine.has(".codeium/windsurf/mcp_config.json") && !machine.has(".cursor"));
        stage.sees("undo: askuser uninstall windsurf");
        stage.does(" ", "[ ] Browser");
        let ended = stage.types(ENTER).ends();
        assert!(ended.code == 0 && ended.screen.contains("Next"), "{}", ended.screen);
        assert!(machine.runs_nothing(), "nothing was opened");
        machine.prints(&["setup", "--yes"]);
        let before = machine.read(".codeium/windsurf/mcp_config.json");
        let mut stage = machine.at(columns, &[]);
        let screen = stage.sees("Esc leave");
        let said = screen.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("Every agent found is already connected; nothing changed."), "{screen}");
        assert!(screen.contains("[ ] Browser"), "nothing is suggested twice: {screen}");
        assert_eq!(stage.types(ENTER).ends().code, 0);
        assert_eq!(machine.read(".codeium/windsurf/mcp_config.json"), before);
    }
}

#[test]
fn a_test_question_says_where_it_was_answered() {
    let machine = Machine::with(&["browser"]);
    let opened = machine.home.path().join("opened");
    let browser = machine.home.path().join("bin/browser");
    fs::write(&browser, format!("#!/bin/sh\necho \"$1\" >'{}'\n", opened.display())).unwrap();
    let mut stage = machine.at(100, &[("BROWSER", browser.to_str().unwrap())]);
    let screen = stage.sees("Esc leave");
    assert!(screen.contains("No coding agent was found") && screen.contains("Claude Code"), "{screen}");
    stage.does(" ", "[x] Browser");
    stage.does(ENTER, "did this reach you?");
    assert!(crate::home::eventually("the browser", || fs::read_to_string(&opened).ok()).contains("/login/"));
    assert!(machine.prints(&["answer", "--pick", "yes"]).contains("→ Yes"));
    let ended = stage.ends();
    assert!(ended.code == 0 && ended.screen.contains("Browser: works, answered "), "{}", ended.screen);
    // Left alone, it is taken back.
    let mut stage = machine.at(100, &[("BROWSER", browser.to_str().unwrap())]);
    stage.sees("Esc leave");
    stage.does(" ", "[x] Browser");
    stage.does(ENTER, "did this reach you?");
    stage.looks().types("\x03");
    let ended = stage.ends();
    assert!(ended.code == 0 && ended.screen.contains("Browser: skipped"), "{}", ended.screen);
    let open = machine.home.json(&["list", "--json"]);
    assert_eq!(open["asks"].as_array().unwrap().len(), 0, "{open}");
    // It was a test: nothing to look back on, however it ended.
    for args in [&["history"][..], &["list", "--all"], &["sessions"], &["audit"], &["stats"]] {
        let said = machine.prints(args);
        assert!(!said.contains("Test question") && !said.contains("askuser setup"), "{args:?}: {said}");
    }
    assert_eq!(machine.home.json(&["stats", "--json"])["outcomes"]["all"], 0);
}

#[test]
fn who_leaves_in_the_middle_has_changed_nothing() {
    let machine = Machine::with(&["cursor", "claude"]);
    let confirming = || {
        let mut stage = machine.at(80, &[]);
        stage.sees("Esc leave");
        stage.does(ENTER, "connect these 2 agents?");
        stage
    };
    let mut stage = confirming();
    stage.types("\x03");
    assert_eq!(stage.ends().code, 130);
    let mut stage = confirming();
    stage.does(ESC, "Go back");
    stage.does(DOWN, "❯ 2 Decline");
    stage.does(ENTER, "Enter declines");
    stage.does(ENTER, "Nothing was changed.");
    stage.sees("Where do you want questions to reach you?");
    stage.types("\x03");
    stage.ends();
    assert!(!machine.has(".cursor") && !machine.has(".claude") && !machine.has(".claude.json"));
    assert!(machine.runs_nothing());
}

#[test]
fn a_script_connects_everything_found_and_opens_nothing() {
    let machine = Machine::with(&["cursor", "codex"]);
    let would = machine.prints(&["setup", "--dry-run"]);
    assert!(
        would.contains("Would connect Codex, Cursor:") && would.contains("+++ ~/.cursor/mcp.json"),
        "{would}"
    );
    assert!(!machine.has(".cursor") && !machine.has(".codex"));
    let seen: Value = serde_json::from_str(&machine.prints(&["setup", "--json"])).unwrap();
    assert_eq!(seen["agents"][0]["state"], "not_connected", "{seen}");
    assert!(seen["connected"] == serde_json::json!([]) && !machine.has(".cursor"), "{seen}");
    let refused = machine.run(&["setup"]);
    assert_eq!(refused.status.code(), Some(6), "{}", told(&refused));
    assert!(told(&refused).contains("askuser setup --yes"), "{}", told(&refused));
    let said = machine.prints(&["setup", "--yes"]);
    for part in ["Codex is connected.", "created ~/.codex/hooks.json", "undo: askuser uninstall cursor"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(machine.has(".cursor/mcp.json") && machine.runs_nothing());
    for args in [&["setup", "--yes"][..], &["setup"]] {
        let again = machine.prints(args);
        assert!(again.contains("already connected; nothing changed"), "{again}");
    }
    machine.prints(&["uninstall", "cursor"]);
    machine.prints(&["uninstall", "codex"]);
    assert!(!machine.has(".cursor") && !machine.has(".codex"));
}

#[test]
fn an_agent_sets_nothing_up() {
    let machine = Machine::with(&["cursor"]);
    for args in [&["setup"][..], &["setup", "--yes"], &["setup", "--json"]] {
        let mut command = machine.home.command(ASKUSER, args);
        let refused = command.env("PATH", &machine.path).env("CLAUDECODE", "1").output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{}", told(&refused));
        assert!(told(&refused).contains("CLAUDECODE is set"), "{}", told(&refused));
    }
    assert!(!machine.has(".cursor") && machine.runs_nothing());
}

#[test]
fn settings_that_cannot_be_read_are_left_alone_and_the_others_connected() {
    let machine = Machine::with(&["cursor", "windsurf"]);
    fs::create_dir_all(machine.home.path().join(".cursor")).unwrap();
    fs::write(machine.home.path().join(".cursor/mcp.json"), "{").unwrap();
    let said = machine.prints(&["setup", "--yes"]);
    assert!(
        said.contains("cannot be changed: mcp.json: line 1") && said.contains("Windsurf is connected."),
        "{said}"
    );
    assert_eq!(machine.read(".cursor/mcp.json"), "{");
    // It cannot be set up again before the file is mended, so that is what there is to do.
    let said = told(&machine.run(&["doctor"]));
    assert!(said.contains("correct ~/.cursor/mcp.json, then run `askuser install cursor`"), "{said}");
}

#[test]
fn it_is_said_in_chinese() {
    let machine = Machine::with(&["cursor"]);
    let mut stage = machine.at(40, &[("ASKUSER_LANG", "zh")]);
    let screen = stage.sees("要接入哪些智能体？");
    assert!(screen.contains("本机上的编程智能体") && screen.contains("未接入"), "{screen}");
    stage.does(ENTER, "接入这 1 个智能体？");
    stage.types("y").sees("● 是");
    let screen = stage.does(ENTER, "你想在哪里收到问题？");
    assert!(
        screen.contains("Cursor 已接入。") && screen.contains("撤销：askuser uninstall cursor"),
        "{screen}"
    );
    stage.does(" ", "[ ] 浏览器");
    let ended = stage.types(ENTER).ends();
    assert!(ended.code == 0 && ended.screen.contains("接下来"), "{}", ended.screen);
}

/// What an agent shows while a hook waits was English whatever its person reads; and who looks at it in another language
/// is not told to connect it again.
#[test]
fn what_an_agent_shows_while_it_waits_is_in_its_persons_language() {
    let machine = Machine::with(&["codex"]);
    let chinese = |args: &[&str]| {
        let mut command = machine.home.command(ASKUSER, args);
        let output = command.env("PATH", &machine.path).env("ASKUSER_LANG", "zh").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    };
    chinese(&["install", "codex"]);
    assert!(machine.read(".codex/hooks.json").contains("等待你回答：askuser inbox"));
    let agents: Value = serde_json::from_str(&machine.prints(&["agents", "--json"])).unwrap();
    let own = agents["agents"].as_array().unwrap().iter().find(|agent| agent["scope"] == "user").unwrap();
    assert_eq!(own["state"], "works", "{agents}");
    machine.prints(&["uninstall", "codex"]);
    assert!(!machine.has(".codex/hooks.json"), "it goes in either language");
    // A shared file is in nobody's own language.
    chinese(&["install", "codex", "--scope", "project"]);
    assert!(machine.read(".codex/hooks.json").contains("Waiting for your answer: askuser inbox"));
}

/// One look for all: what `setup` finds is what the page's empty inbox names, with the command that connects it.
#[test]
fn the_empty_inbox_names_the_agents_that_setup_finds() {
    let machine = Machine::with(&["codex", "cursor"]);
    machine.prints(&["install", "codex"]);
    machine.prints(&WAKES);
    let inbox = |language: &str| {
        let home = &machine.home.home;
        let client = Client::new(&Environment::of(&[]), home.clone());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let host = runtime.block_on(client.login_link(Via::Program)).unwrap().page_host.unwrap();
        let (url, key) =
            (client.url().unwrap(), fs::read_to_string(home.folder().join("keys/person")).unwrap());
        let (_, port) = url.rsplit_once(':').unwrap();
        let headers = [format!("host: {host}:{port}"), format!("authorization: Bearer {}", key.trim())];
        let headers = headers.iter().flat_map(|header| ["-H", header.as_str()]);
        let mut curl = Command::new("curl");
        let curl = curl.args(["-sf", "-H", &format!("accept-language: {language}")]).args(headers);
        String::from_utf8(curl.arg(format!("{url}/")).output().unwrap().stdout).unwrap()
    };
    let page = inbox("en");
    assert!(page.contains("Coding agents where askuser runs") && page.contains("Cursor"), "{page}");
    assert!(page.contains("<code>askuser install cursor</code>"), "{page}");
    assert!(page.contains("Codex") && !page.contains("askuser install codex"), "{page}");
    assert!(inbox("zh").contains("未接入"));
    let (_program, _) = machine.home.asks(&["Ship it?"]);
    assert!(!inbox("en").contains("Coding agents where askuser runs"), "a question is more urgent");
}
