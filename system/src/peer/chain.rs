//! What a process and its ancestors prove. Pure: whatever is known of them is handed in.

use super::programs::{self, file_name};

/// One process, as the system tells of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Process {
    pub pid: u32,
    /// That of its parent; 0 where it has none here.
    pub parent: u32,
    /// When it was started, on a scale that only compares.
    pub started: u64,
    /// Its program: the whole path where that can be read, else its name.
    pub program: String,
    /// Its name, as the program itself may have set it.
    pub name: String,
    /// What it was started with: the program and its arguments.
    pub words: Vec<String>,
    /// The agent's mark in its environment.
    pub mark: Option<&'static str>,
    /// What stands in its environment where an agent may be, or its person.
    pub doubt: Option<&'static str>,
    /// Whether it has a controlling terminal.
    pub has_terminal: bool,
}

/// What is known of whoever connected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The program; none where the process could not be looked at.
    pub program: Option<String>,
    /// What it proves.
    pub standing: Standing,
}

/// What a chain of ancestors proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// A command of ours on a terminal that a person opened, with nothing but shells between.
    Terminal,
    /// It, or an ancestor, carries the mark of an agent, or is one: the variable or the program.
    Marked(String),
    /// Neither, and why.
    Unproven(String),
}

impl Default for Standing {
    fn default() -> Self {
        Self::Unproven("the process could not be looked at".to_owned())
    }
}

impl Evidence {
    /// Returns the agent's mark.
    pub fn mark(&self) -> Option<&str> {
        match &self.standing {
            Standing::Marked(mark) => Some(mark),
            Standing::Terminal | Standing::Unproven(_) => None,
        }
    }
}

/// Says what a process proves by its ancestors, the nearest first.
///
/// A mark counts wherever it stands, beyond the terminal as well: an agent may open one.
pub fn judge(chain: &[Process]) -> Standing {
    let mark = |process: &Process| process.mark.map(str::to_owned).or_else(|| programs::agent(process));
    if let Some(mark) = chain.iter().find_map(mark) {
        return Standing::Marked(mark);
    }
    let unproven = |why: String| Standing::Unproven(why);
    let Some(peer) = chain.first() else { return Standing::default() };
    if !peer.has_terminal {
        return unproven(format!("{} has no terminal", file_name(&peer.program)));
    }
    if !programs::is_ours(peer) {
        return unproven(format!("{} is not askuser", file_name(&peer.program)));
    }
    for process in chain.get(1..).unwrap_or_default() {
        if let Some(doubt) = process.doubt.or(peer.doubt) {
            return unproven(format!("{doubt} is set for agents and people alike"));
        }
        // It takes in whoever lost their parent: nobody knows from where they come.
        if process.pid == 1 {
            return unproven("its parent is gone".to_owned());
        }
        if programs::opens_terminals(process) {
            return Standing::Terminal;
        }
        if !programs::is_shell(process) {
            return unproven(format!("{} started it", file_name(&process.program)));
        }
    }
    unproven("its ancestors cannot be followed to a terminal".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of programs, the nearest first: `askuser bash tmux init`. `PATH=NAME` has a name besides its
    /// path, `PATH<SCRIPT` runs a script, `PATH~1` is the first process of the system, as `init` is, and
    /// `!NAME` is a variable in the environment of the one before. `_` is a blank.
    fn chain(words: &str) -> Vec<Process> {
        let mut chain: Vec<Process> = Vec::new();
        for word in words.split(' ') {
            if let Some(name) = word.strip_prefix('!') {
                let last = chain.last_mut().unwrap();
                let environment = crate::environment::Environment::of(&[(name, "1")]);
                (last.mark, last.doubt) = (environment.agent_mark(), environment.agent_doubt());
                continue;
            }
            let (word, script) = word.split_once('<').unwrap_or((word, ""));
            let (word, is_first) =
                word.strip_suffix("~1").map_or((word, word == "init"), |word| (word, true));
            let (program, name) = word.split_once('=').unwrap_or((word, file_name(word)));
            let (program, name) = (program.replace('_', " "), name.replace('_', " "));
            let words = vec![program.clone(), "--quiet".to_owned(), script.to_owned()];
            let pid = if is_first { 1 } else { 100 };
            chain.push(Process { pid, program, name, words, ..Process::default() });
        }
        chain[0].has_terminal = true;
        chain
    }

    #[track_caller]
    fn proves(words: &str) -> String {
        match judge(&chain(words)) {
            Standing::Terminal => "terminal".to_owned(),
            Standing::Marked(mark) => format!("marked {mark}"),
            Standing::Unproven(_) => "nothing".to_owned(),
        }
    }

    #[test]
    fn a_command_in_a_terminal_that_a_person_opened_is_proven() {
        for words in [
            "/usr/bin/askuser /bin/bash /usr/bin/tmux init",
            "askuser zsh login init",
            "askuser bash sshd-session sshd init",
            "askuser bash sshd sshd sshd init",
            "/opt/askuser /usr/bin/fish /usr/libexec/gnome-terminal-server systemd init",
            // A name that the system cut after fifteen letters, where the path cannot be read.
            "askuser bash gnome-terminal- init",
            "askuser sh bash sudo bash konsole plasmashell init",
            "askuser make zsh /Applications/kitty.app/Contents/MacOS/kitty init",
            "askuser -zsh login /System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal init",
            "askuser zsh iTermServer-3.5.4 init",
            "AskUserQuestion bash screen init",
            // Where the chain cannot be followed beyond the terminal it was followed far enough.
            "askuser bash xterm",
            "askuser bash tmux:_server init",
            // From its packages: npm and uvx.
            "askuser node</usr/lib/node_modules/askuser/bin/askuser.js bash tmux init",
            "askuser uv bash tmux init",
        ] {
            assert_eq!(proves(words), "terminal", "{words}");
        }
    }

    #[test]
    fn a_mark_anywhere_among_the_ancestors_is_seen() {
        for (words, mark) in [
            ("askuser !CLAUDECODE bash tmux init", "CLAUDECODE"),
            // `env -u CLAUDECODE askuser …`
            ("askuser bash !CLAUDECODE bash tmux init", "CLAUDECODE"),
            ("askuser bash /home/ana/.local/bin/claude zsh tmux init", "claude"),
            ("askuser bash /home/ana/.local/share/claude/versions/2.0.1=claude zsh tmux init", "claude"),
            (
                "askuser bash /usr/bin/node</usr/lib/node_modules/@anthropic-ai/claude-code/cli.js zsh tmux init",
                "claude-code",
            ),
            ("askuser bash node</home/ana/bin/gemini zsh tmux init", "gemini"),
            ("askuser sh python3.12</home/ana/.local/bin/aider bash konsole init", "aider"),
            ("curl bash codex bash xterm init", "codex"),
            // A terminal of the agent's own making.
            ("askuser xterm bash !GEMINI_CLI bash sshd init", "GEMINI_CLI"),
            ("askuser bash tmux !CODEX_THREAD_ID init", "CODEX_THREAD_ID"),
            ("askuser script bash !GOOSE_TERMINAL goose bash tmux init", "GOOSE_TERMINAL"),
            // An agent that is the first process of its container.
            ("askuser bash claude~1", "claude"),
        ] {
            assert_eq!(proves(words), format!("marked {mark}"), "{words}");
        }
    }

    #[test]
    fn what_was_handed_to_init_or_driven_by_a_program_proves_nothing() {
        for words in [
            "askuser init",
            "askuser bash init",
            // Whatever the first process of a container is: it takes in those who lost their parents.
            "askuser sshd~1",
            "askuser bash tmux~1",
            "askuser bash cron init",
            "askuser bash containerd-shim init",
            "askuser script bash tmux init",
            "askuser expect bash tmux init",
            "askuser python3.12</home/ana/agent.py bash tmux init",
            "askuser node</home/ana/agent.js bash tmux init",
            // What calls itself npm may be anything.
            "askuser sh node</usr/bin/npx bash tmux init",
            "askuser python3.12</home/ana/agent.py uv bash tmux init",
            "askuser bash /home/ana/my-agent bash tmux init",
            // Editors run agents in the same terminals as their people.
            "askuser zsh code code init",
            "askuser zsh cursor init",
            "askuser zsh !CLAUDE_CODE_SSE_PORT tmux init",
            "askuser !CURSOR_TRACE_ID zsh tmux init",
            // Not our program, in the best of terminals.
            "curl bash tmux init",
            "tmux init",
            "askuser",
            "askuser bash",
        ] {
            assert_eq!(proves(words), "nothing", "{words}");
        }
        let mut without_terminal = chain("askuser bash tmux init");
        without_terminal[0].has_terminal = false;
        assert!(
            matches!(judge(&without_terminal), Standing::Unproven(why) if why == "askuser has no terminal")
        );
        assert!(matches!(judge(&[]), Standing::Unproven(_)));
    }
}
