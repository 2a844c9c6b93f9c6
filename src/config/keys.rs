//! Every key there is: its name, type, default, variable, bounds, and what it is for.

use std::collections::BTreeMap;
use std::time::Duration;

use askuser_core::asker::TimeoutPolicy;
use askuser_core::limits::ASK_BYTES_MAX;

use super::agents::AgentPart;
use super::alerts::{self, Alerts};
use super::key::{Key, Table, When};
use super::notify::{self, Notify};
use super::value::{Level, Value, seconds, within};

/// Where the daemon listens unless told otherwise.
pub const LISTEN: &str = "127.0.0.1:8275";
/// The port for other devices unless told otherwise.
pub const TLS_PORT: u16 = 8276;
/// More than anybody waits: ten years, in seconds.
const EVER: u64 = 10 * 365 * 24 * 60 * 60;

/// Makes the structs, their defaults and the table of keys from one list.
macro_rules! sections {
    ($(
        $(#[doc = $about_section:literal])+
        $section:ident: $Section:ident {$(
            $(#[doc = $about:literal])+
            $name:ident: $kind:ty = $default:expr, $variable:literal, $when:ident, $check:expr;
        )+}
    )+
    tables {$(
        $(#[doc = $about_table:literal])+
        $table:ident: $Table:ty = $reader:path, $sample:expr, $table_when:ident;
    )*}) => {
        $(
            $(#[doc = $about_section])+
            #[derive(Debug, Clone, PartialEq)]
            pub struct $Section {
                $($(#[doc = $about])+ pub $name: $kind,)+
            }

            impl Default for $Section {
                fn default() -> Self {
                    Self { $($name: $default,)+ }
                }
            }
        )+

        /// The whole configuration.
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct Config {
            $($(#[doc = $about_section])+ pub $section: $Section,)+
            $($(#[doc = $about_table])+ pub $table: $Table,)*
        }

        /// Every key, in the order of the sample.
        pub static KEYS: &[Key] = &[$($(Key {
            section: stringify!($section),
            name: stringify!($name),
            variable: $variable,
            about: &[$($about),+],
            when: When::$when,
            read: |config, given| {
                let value: $kind = Value::read(given)?;
                let check: fn(&$kind) -> Result<(), String> = $check;
                check(&value)?;
                config.$section.$name = value;
                Ok(())
            },
            show: |config| config.$section.$name.show(),
        },)+)+];

        /// What each section is for, in the order of the sample.
        pub(super) static ABOUT: &[(&str, &[&str])] = &[$((stringify!($section), &[$($about_section),+]),)+];

        /// Every section of a shape of its own.
        pub static TABLES: &[Table] = &[$(Table {
            name: stringify!($table),
            about: &[$($about_table),+],
            sample: $sample,
            when: When::$table_when,
            read: |config, node, faults| config.$table = $reader(node, faults),
            count: |config| config.$table.len(),
            same: |one, other| one.$table == other.$table,
        },)*];
    };
}

sections! {
    /// The keys of the source document, under its name. Times are seconds, or texts as 90s, 5m, 2h.
    ask_user_question: Asks {
        /// Asks of one session that are shown at once; the rest wait in order and move up by themselves.
        max_concurrent_questions: usize = 5, "ASKUSER_MAX_CONCURRENT_QUESTIONS", Reload, |n| within(n, 1, 10_000);
        /// Sessions of one user with an open ask; the next is refused with 429 `too_many_sessions`.
        max_sessions_per_user: usize = 10, "ASKUSER_MAX_SESSIONS_PER_USER", Reload, |n| within(n, 1, 1_000_000);
        /// When an ask ends that says nothing about it; null: it waits for ever. The source's sample says 300.
        question_timeout: Option<Duration> = None, "ASKUSER_QUESTION_TIMEOUT", Reload,
            |time| time.map_or(Ok(()), |time| seconds(time, 1, EVER).map_err(or_null));
        /// How long a session without an open ask lives.
        session_timeout: Duration = Duration::from_hours(1), "ASKUSER_SESSION_TIMEOUT", Reload, |time| seconds(*time, 1, EVER);
        /// Characters that a person may type into one field; of asks that come in from now on.
        max_input_length: usize = 1000, "ASKUSER_MAX_INPUT_LENGTH", Reload, |n| within(n, 1, ASK_BYTES_MAX);
        /// How long a question template is taken from memory without being read again; 0: never.
        cache_ttl: Duration = Duration::from_mins(5), "ASKUSER_CACHE_TTL", Reload, |time| seconds(*time, 0, EVER);
        /// Whether control characters in answers are refused; limits hold in any case.
        enable_input_validation: bool = true, "ASKUSER_ENABLE_INPUT_VALIDATION", Reload, any;
        /// Requests that change something, for a key and session in a window; reads may be ten times as many.
        /// 0: no limit.
        rate_limit_requests: u32 = 100, "ASKUSER_RATE_LIMIT_REQUESTS", Reload, |n| within(n, 0, 1_000_000);
        /// That window.
        rate_limit_window: Duration = Duration::from_mins(1), "ASKUSER_RATE_LIMIT_WINDOW", Reload, |time| seconds(*time, 1, EVER);
    }

    /// The desk: what becomes of asks, and how much it holds.
    desk: DeskKeys {
        /// What happens at the deadline of an ask that does not say: cancel, default or abort. null: cancel.
        timeout_policy: Option<TimeoutPolicy> = None, "ASK_USER_TIMEOUT_POLICY", Reload, any;
        /// Rounds that build on one another; the next is refused with 429 `recursive_limit_exceeded`.
        recursion_limit: u32 = 10, "ASKUSER_RECURSION_LIMIT", Reload, |n| within(n, 1, 1000);
        /// Open asks in one session, shown and waiting.
        open_asks_per_session: usize = 1000, "ASKUSER_OPEN_ASKS_PER_SESSION", Reload, |n| within(n, 1, 1_000_000);
        /// Megabytes of session data in memory; what is used least goes out first, never out of the store.
        memory_mb: usize = 100, "ASKUSER_MEMORY_MB", Start, |n| within(n, 1, 1_000_000);
        /// Sessions in memory, at most.
        sessions_in_memory: usize = 100_000, "ASKUSER_SESSIONS_IN_MEMORY", Start, |n| within(n, 1, 10_000_000);
    }

    /// Answers: how they are given, and handed over.
    answers: AnswerKeys {
        /// How long an answer that was given while its agent was away is kept for it: an agent that asks the same again
        /// by then gets it, once, and nobody is asked twice; 0: not at all. Never a permission.
        hand_over_within: Duration = Duration::from_hours(1), "ASKUSER_HAND_OVER_WITHIN", Reload, |time| seconds(*time, 0, EVER);
        /// How long an answer by one press (a button or a number in a list) can be taken back before the agent
        /// gets it; 0: not at all. What is confirmed on its own card, by a command or over the API is final at once.
        undo_for: Duration = Duration::from_secs(5), "ASKUSER_UNDO_FOR", Reload, |time| seconds(*time, 0, 60);
    }

    /// The server: where it is found, and how much it takes.
    server: ServerKeys {
        /// Where to listen; port 0 takes a free one. Anything but loopback is reachable from other machines.
        listen: String = LISTEN.to_owned(), "ASKUSER_LISTEN", Start, |address| host_and_port(address);
        /// Names under which it is reached besides the loopback ones, as askuser.example.com behind a proxy.
        hosts: Vec<String> = Vec::new(), "ASKUSER_HOSTS", Start, |hosts| hosts.iter().try_for_each(|host| host_name(host));
        /// Where to listen with TLS for other devices, besides `listen`: lan (the address that this machine has in its
        /// network, port 8276), lan:PORT, or HOST:PORT. null: nowhere. See docs/phone.md.
        tls_listen: Option<String> = None, "ASKUSER_TLS_LISTEN", Start,
            |place| place.as_deref().map_or(Ok(()), |place| lan_or_address(place).map_err(or_null));
        /// The certificate for that and those above it, as PEM; read anew on SIGHUP. null: one of its own making, at
        /// which a phone warns.
        tls_certificate: Option<String> = None, "ASKUSER_TLS_CERTIFICATE", Reload, any;
        /// Its private key, as PEM. null: it stands in the same file.
        tls_key: Option<String> = None, "ASKUSER_TLS_KEY", Reload, any;
        /// Where people come in from elsewhere, a proxy or a tunnel to this desk: `https://` and its name, no path.
        public_url: Option<String> = None, "ASKUSER_PUBLIC_URL", Start,
            |url| url.as_deref().map_or(Ok(()), |url| public_address(url).map_err(or_null));
        /// Connections at once; one more is closed at once.
        connections: usize = 12_000, "ASKUSER_CONNECTIONS", Start, |n| within(n, 1, 1_000_000);
        /// Sign-ins that fail, for an address in a minute; then 429. 0: no limit. A right key always gets in.
        failed_sign_ins: u32 = 10, "ASKUSER_FAILED_SIGN_INS", Reload, |n| within(n, 0, 1_000_000);
        /// How many times as much as one of its sessions a key may as a whole: `rate_limit_requests` counts for a key
        /// and a session, and a session's name is the caller's to choose. 0: no limit.
        key_rate_factor: u32 = 10, "ASKUSER_KEY_RATE_FACTOR", Reload, |n| within(n, 0, 1_000_000);
        /// How long the other servers of a shared database wait for this one before they hold it for gone and
        /// interrupt its tasks. Longer than a restart takes; a person does not wait longer for a word.
        gone_after: Duration = Duration::from_mins(1), "ASKUSER_GONE_AFTER", Start, |time| seconds(*time, 2, 24 * 60 * 60);
    }

    /// Agents that come in by MCP.
    mcp: McpKeys {
        /// How long a call waits before it says that it is pending; null: by client, see docs/mcp.md.
        hold: Option<Duration> = None, "ASKUSER_HOLD", Start,
            |time| time.map_or(Ok(()), |time| seconds(time, 0, EVER).map_err(or_null));
        /// Whether questions are asked in the agent's own dialog too, and its answers taken, which nobody but the agent's
        /// program vouches for: `answered_by: agent_dialog`. The variable can only switch it off.
        agent_dialog: bool = false, "ASKUSER_AGENT_DIALOG", Reload, any;
        /// How long the session of an older client lives over HTTP that nobody uses; then it begins a new one.
        session_idle: Duration = Duration::from_hours(4), "ASKUSER_MCP_SESSION_IDLE", Start, |time| seconds(*time, 1, EVER);
    }

    /// The log of decisions.
    audit: AuditKeys {
        /// How long what asks tell is kept after they ended, as 365d; null: for ever. Then texts, answers and
        /// addresses are erased; that there was an ask, who ended it and when stays, and the chain verifies.
        retention: Option<Duration> = None, "ASKUSER_AUDIT_RETENTION", Reload,
            |time| time.map_or(Ok(()), |time| seconds(time, 60, EVER * 10).map_err(or_null));
    }

    /// Traces: one an ask, from the agent's call to its wake-up.
    traces: TraceKeys {
        /// The collector that they are sent to, as OTLP over HTTP in JSON: `http://127.0.0.1:4318`; null: nowhere.
        collector: Option<String> = None, "ASKUSER_TRACES_COLLECTOR", Reload,
            |url| url.as_deref().map_or(Ok(()), address);
    }

    /// The runner: agents that people give tasks to. Off until there is an agent and a folder for it.
    runner: RunnerKeys {
        /// Folders in which agents may work, and in what lies below them.
        folders: Vec<String> = Vec::new(), "ASKUSER_RUNNER_FOLDERS", Start, any;
        /// Tasks that run at the same time; the rest wait in order.
        running_max: usize = 2, "ASKUSER_RUNNING_MAX", Start, |n| within(n, 1, 1000);
        /// How long a question of a task waits before the task is stopped; null: as long as any ask.
        timeout: Option<Duration> = None, "ASKUSER_RUNNER_TIMEOUT", Start,
            |time| time.map_or(Ok(()), |time| seconds(time, 1, EVER).map_err(or_null));
        /// Whether a person is asked about uncommitted changes before a task, and about merging after it.
        git: bool = false, "ASKUSER_RUNNER_GIT", Start, any;
    }

    /// The daemon's log.
    log: LogKeys {
        /// How much is logged: error, warn, info or debug.
        level: Level = Level::Info, "ASKUSER_LOG_LEVEL", Reload, any;
        /// Whether it goes to askuser.log in the data folder; that of a daemon in the background always does.
        file: bool = false, "ASKUSER_LOG_FILE", Start, any;
        /// Megabytes of askuser.log before a new one is begun.
        file_mb: usize = 10, "ASKUSER_LOG_FILE_MB", Reload, |n| within(n, 1, 100_000);
        /// Older logs that are kept beside it: askuser.log.1 is the latest of them.
        files_kept: usize = 3, "ASKUSER_LOG_FILES_KEPT", Reload, |n| within(n, 0, 1000);
    }

    tables {
        /// Alerts: a rule fires when a figure is above a bound, and clears when it is no more than another.
        /// What it says is in the log, on the page, and posted to the webhook, signed as Standard Webhooks says
        /// with the secret in keys/webhook. These two are there unless they are set to null.
        alerts: Alerts = alerts::read, alerts::SAMPLE, Reload;
        /// How each person is told that an agent waits for them, see docs/notifications.md. Off until somebody
        /// is named here. A text that begins with file: stands in that file, from the data folder.
        notify: Notify = notify::read, notify::SAMPLE, Reload;
        /// The agents that tasks may be given to, see docs/runner.md.
        agents: BTreeMap<String, AgentPart> = super::agents::read, super::agents::SAMPLE, Start;
        /// Groups of users that an ask may be for (`for: {groups: [ops]}`); of asks that come in from now on.
        groups: BTreeMap<String, Vec<String>> = super::groups::read, super::groups::SAMPLE, Reload;
    }
}

#[expect(clippy::unnecessary_wraps, reason = "a check that never fails")]
fn any<V>(_: &V) -> Result<(), String> {
    Ok(())
}

fn or_null(mut what: String) -> String {
    what.push_str("; null for none");
    what
}

fn host_and_port(address: &str) -> Result<(), String> {
    let sound = address.rsplit_once(':').is_some_and(|(host, port)| {
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        !host.is_empty() && port.parse::<u16>().is_ok()
    });
    if sound { Ok(()) } else { Err(format!("is `{address}`, not HOST:PORT as {LISTEN}")) }
}

fn address(url: &str) -> Result<(), String> {
    let host = url.strip_prefix("http://").and_then(|rest| rest.split('/').next());
    if host.is_some_and(|host| !host.is_empty() && !host.contains(['@', ' '])) {
        return Ok(());
    }
    Err(format!(
        "is `{url}`, not an address that begins with http://; for https:// put a collector on this machine"
    ))
}

/// `lan`, `lan:PORT` or `HOST:PORT`.
fn lan_or_address(place: &str) -> Result<(), String> {
    if place == "lan" || host_and_port(place).is_ok() {
        return Ok(());
    }
    Err(format!("is `{place}`, not lan, lan:PORT or HOST:PORT"))
}

/// Where a browser goes, and nothing behind it: the page stands at the root.
fn public_address(url: &str) -> Result<(), String> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let host = rest.map(|rest| rest.strip_suffix('/').unwrap_or(rest));
    match host {
        Some(host) if host_name(host).is_ok() => Ok(()),
        _ => Err(format!("is `{url}`, not an address as https://askuser.example.com, without a path")),
    }
}

fn host_name(host: &str) -> Result<(), String> {
    let letter = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    if !host.is_empty() && host.chars().all(letter) {
        return Ok(());
    }
    Err(format!("has `{host}`, which is no host name: write it without http:// and without a path"))
}
