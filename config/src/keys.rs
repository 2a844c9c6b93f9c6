//! Every key there is: its name, type, default, variable and bounds. What it is for is said in
//! `askuser_words::settings`.

use std::collections::BTreeMap;
use std::time::Duration;

use askuser_core::asker::TimeoutPolicy;
use askuser_core::limits::{ASK_BYTES_MAX, DeskLimits, Limits};
use askuser_words::Language;
use askuser_words::config::Wrong;

use super::agents::AgentPart;
use super::alerts::{self, Alerts};
use super::notify::{self, Notify};
use super::said::{Fault, Said};
use super::value::{Given, Level, Value, seconds, within};
use crate::yaml::Node;

/// Where the daemon listens unless told otherwise.
pub const LISTEN: &str = "127.0.0.1:8275";
/// The port for other devices unless told otherwise.
pub const TLS_PORT: u16 = 8276;
/// More than anybody waits: ten years, in seconds.
const EVER: u64 = 10 * 365 * 24 * 60 * 60;

/// A key: `section.name`.
pub struct Key {
    /// The section it stands in.
    pub section: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// The variable that goes before the file.
    pub variable: &'static str,
    /// When a change takes effect.
    pub when: When,
    pub(super) read: fn(&mut Config, &Given<'_>) -> Result<(), Said>,
    pub(super) show: fn(&Config) -> String,
}

/// When a change takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// When the configuration is read anew, on SIGHUP.
    Reload,
    /// At the next start.
    Start,
}

/// A section of a shape of its own: a table with names that the operator chooses, or a list.
pub struct Table {
    pub name: &'static str,
    /// How it is written, for the sample: the section in full.
    pub sample: &'static str,
    /// When a change takes effect.
    pub when: When,
    pub(super) read: fn(&mut Config, &Node, &mut Vec<Fault>),
    /// How many entries it has.
    pub(super) count: fn(&Config) -> usize,
    /// Whether two configurations have the same.
    pub(super) same: fn(&Config, &Config) -> bool,
}

impl Key {
    /// Returns `section.name`.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    /// Says what it is for.
    pub fn about(&self, language: Language) -> &'static str {
        language.setting(&self.full_name())
    }

    /// Returns its value as the file has it.
    pub fn show(&self, config: &Config) -> String {
        (self.show)(config)
    }
}

impl Table {
    /// Returns how many entries it has.
    pub fn count(&self, config: &Config) -> usize {
        (self.count)(config)
    }
}

/// Makes the structs, their defaults and the table of keys from one list.
macro_rules! sections {
    ($(
        $section:ident: $Section:ident {$(
            $name:ident: $kind:ty = $default:expr, $variable:literal, $when:ident, $check:expr;
        )+}
    )+
    ; tables {$(
        $table:ident: $Table:ty = $reader:path, $sample:expr, $table_when:ident;
    )*}) => {
        $(
            #[doc = concat!("The section `", stringify!($section), "`.")]
            #[derive(Debug, Clone, PartialEq)]
            pub struct $Section {
                $(#[doc = concat!("`", stringify!($section), ".", stringify!($name), "`")] pub $name: $kind,)+
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
            $(#[doc = concat!("The section `", stringify!($section), "`.")] pub $section: $Section,)+
            $(#[doc = concat!("The section `", stringify!($table), "`.")] pub $table: $Table,)*
        }

        /// Every key, in the order of the sample.
        pub static KEYS: &[Key] = &[$($(Key {
            section: stringify!($section),
            name: stringify!($name),
            variable: $variable,
            when: When::$when,
            read: |config, given| {
                let value: $kind = Value::read(given)?;
                let check: fn(&$kind) -> Result<(), Said> = $check;
                check(&value)?;
                config.$section.$name = value;
                Ok(())
            },
            show: |config| config.$section.$name.show(),
        },)+)+];

        /// Every section of keys, in the order of the sample.
        pub(super) static SECTIONS: &[&str] = &[$(stringify!($section)),+];

        /// Every section of a shape of its own.
        pub static TABLES: &[Table] = &[$(Table {
            name: stringify!($table),
            sample: $sample,
            when: When::$table_when,
            read: |config, node, faults| config.$table = $reader(node, faults),
            count: |config| config.$table.len(),
            same: |one, other| one.$table == other.$table,
        },)*];
    };
}

sections! {
    ask_user_question: Asks {
        max_concurrent_questions: usize = DeskLimits::DEFAULT.shown_max, "ASKUSER_MAX_CONCURRENT_QUESTIONS", Reload, |n| within(n, 1, 10_000);
        max_sessions_per_user: usize = DeskLimits::DEFAULT.active_sessions_max, "ASKUSER_MAX_SESSIONS_PER_USER", Reload, |n| within(n, 1, 1_000_000);
        question_timeout: Option<Duration> = None, "ASKUSER_QUESTION_TIMEOUT", Reload,
            |time| time.map_or(Ok(()), |time| seconds(time, 1, EVER).map_err(or_null));
        session_timeout: Duration = DeskLimits::DEFAULT.session_idle, "ASKUSER_SESSION_TIMEOUT", Reload, |time| seconds(*time, 1, EVER);
        max_input_length: usize = Limits::COMMAND.text_chars_max, "ASKUSER_MAX_INPUT_LENGTH", Reload, |n| within(n, 1, ASK_BYTES_MAX);
        cache_ttl: Duration = Duration::from_mins(5), "ASKUSER_CACHE_TTL", Reload, |time| seconds(*time, 0, EVER);
        enable_input_validation: bool = true, "ASKUSER_ENABLE_INPUT_VALIDATION", Reload, any;
        rate_limit_requests: u32 = 100, "ASKUSER_RATE_LIMIT_REQUESTS", Reload, |n| within(n, 0, 1_000_000);
        rate_limit_window: Duration = Duration::from_mins(1), "ASKUSER_RATE_LIMIT_WINDOW", Reload, |time| seconds(*time, 1, EVER);
    }

    desk: DeskKeys {
        timeout_policy: Option<TimeoutPolicy> = None, "ASK_USER_TIMEOUT_POLICY", Reload, any;
        recursion_limit: u32 = DeskLimits::DEFAULT.depth_max, "ASKUSER_RECURSION_LIMIT", Reload, |n| within(n, 1, 1000);
        open_asks_per_session: usize = DeskLimits::DEFAULT.open_max, "ASKUSER_OPEN_ASKS_PER_SESSION", Reload, |n| within(n, 1, 1_000_000);
        memory_mb: usize = 100, "ASKUSER_MEMORY_MB", Start, |n| within(n, 1, 1_000_000);
        sessions_in_memory: usize = 100_000, "ASKUSER_SESSIONS_IN_MEMORY", Start, |n| within(n, 1, 10_000_000);
    }

    answers: AnswerKeys {
        hand_over_within: Duration = DeskLimits::DEFAULT.hand_over_within, "ASKUSER_HAND_OVER_WITHIN", Reload, |time| seconds(*time, 0, EVER);
        undo_for: Duration = Duration::from_secs(5), "ASKUSER_UNDO_FOR", Reload, |time| seconds(*time, 0, 60);
    }

    server: ServerKeys {
        listen: String = LISTEN.to_owned(), "ASKUSER_LISTEN", Start, |address| host_and_port(address);
        hosts: Vec<String> = Vec::new(), "ASKUSER_HOSTS", Start, |hosts| hosts.iter().try_for_each(|host| host_name(host));
        tls_listen: Option<String> = None, "ASKUSER_TLS_LISTEN", Start,
            |place| place.as_deref().map_or(Ok(()), |place| lan_or_address(place).map_err(or_null));
        tls_certificate: Option<String> = None, "ASKUSER_TLS_CERTIFICATE", Reload, any;
        tls_key: Option<String> = None, "ASKUSER_TLS_KEY", Reload, any;
        public_url: Option<String> = None, "ASKUSER_PUBLIC_URL", Start,
            |url| url.as_deref().map_or(Ok(()), |url| public_address(url).map_err(or_null));
        connections: usize = 12_000, "ASKUSER_CONNECTIONS", Start, |n| within(n, 1, 1_000_000);
        failed_sign_ins: u32 = 10, "ASKUSER_FAILED_SIGN_INS", Reload, |n| within(n, 0, 1_000_000);
        key_rate_factor: u32 = 10, "ASKUSER_KEY_RATE_FACTOR", Reload, |n| within(n, 0, 1_000_000);
        gone_after: Duration = Duration::from_mins(1), "ASKUSER_GONE_AFTER", Start, |time| seconds(*time, 2, 24 * 60 * 60);
    }

    mcp: McpKeys {
        hold: Option<Duration> = None, "ASKUSER_HOLD", Start,
            |time| time.map_or(Ok(()), |time| seconds(time, 0, EVER).map_err(or_null));
        agent_dialog: bool = false, "ASKUSER_AGENT_DIALOG", Reload, any;
        session_idle: Duration = Duration::from_hours(4), "ASKUSER_MCP_SESSION_IDLE", Start, |time| seconds(*time, 1, EVER);
    }

    audit: AuditKeys {
        retention: Option<Duration> = None, "ASKUSER_AUDIT_RETENTION", Reload,
            |time| time.map_or(Ok(()), |time| seconds(time, 60, EVER * 10).map_err(or_null));
    }

    traces: TraceKeys {
        collector: Option<String> = None, "ASKUSER_TRACES_COLLECTOR", Reload,
            |url| url.as_deref().map_or(Ok(()), address);
    }

    runner: RunnerKeys {
        folders: Vec<String> = Vec::new(), "ASKUSER_RUNNER_FOLDERS", Start, any;
        running_max: usize = 2, "ASKUSER_RUNNING_MAX", Start, |n| within(n, 1, 1000);
        timeout: Option<Duration> = None, "ASKUSER_RUNNER_TIMEOUT", Start,
            |time| time.map_or(Ok(()), |time| seconds(time, 1, EVER).map_err(or_null));
        git: bool = false, "ASKUSER_RUNNER_GIT", Start, any;
    }

    log: LogKeys {
        level: Level = Level::Info, "ASKUSER_LOG_LEVEL", Reload, any;
        file: bool = false, "ASKUSER_LOG_FILE", Start, any;
        file_mb: usize = 10, "ASKUSER_LOG_FILE_MB", Reload, |n| within(n, 1, 100_000);
        files_kept: usize = 3, "ASKUSER_LOG_FILES_KEPT", Reload, |n| within(n, 0, 1000);
    }

    ; tables {
        alerts: Alerts = alerts::read, alerts::SAMPLE, Reload;
        notify: Notify = notify::read, notify::SAMPLE, Reload;
        agents: BTreeMap<String, AgentPart> = super::agents::read, super::agents::SAMPLE, Start;
        groups: BTreeMap<String, Vec<String>> = super::groups::read, super::groups::SAMPLE, Reload;
    }
}

#[expect(clippy::unnecessary_wraps, reason = "a check that never fails")]
fn any<V>(_: &V) -> Result<(), Said> {
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
fn or_null(what: Said) -> Said {
    what.within(|say, what| say.and(what, say.or_null()))
}

fn is_not(given: &str, wanted: impl Fn(Wrong) -> String) -> Said {
    Said::new(|say| say.is_not(say.quoted(given), wanted(say)))
}

fn host_and_port(address: &str) -> Result<(), Said> {
    let sound = address.rsplit_once(':').is_some_and(|(host, port)| {
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        !host.is_empty() && port.parse::<u16>().is_ok()
    });
    if sound { Ok(()) } else { Err(is_not(address, |say| say.address(LISTEN))) }
}

fn address(url: &str) -> Result<(), Said> {
    let host = url.strip_prefix("http://").and_then(|rest| rest.split('/').next());
    if host.is_some_and(|host| !host.is_empty() && !host.contains(['@', ' '])) {
        return Ok(());
    }
    Err(is_not(url, |say| say.local_only("http://", say.collector())))
}

/// `lan`, `lan:PORT` or `HOST:PORT`.
fn lan_or_address(place: &str) -> Result<(), Said> {
    if place == "lan" || host_and_port(place).is_ok() {
        return Ok(());
    }
    Err(is_not(place, |say| say.lan_or_address().to_owned()))
}

/// Where a browser goes, and nothing behind it: the page stands at the root.
fn public_address(url: &str) -> Result<(), Said> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let host = rest.map(|rest| rest.strip_suffix('/').unwrap_or(rest));
    match host {
        Some(host) if host_name(host).is_ok() => Ok(()),
        _ => Err(is_not(url, |say| say.public_address().to_owned())),
    }
}

fn host_name(host: &str) -> Result<(), Said> {
    let letter = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    if !host.is_empty() && host.chars().all(letter) {
        return Ok(());
    }
    Err(is_not(host, |say| say.host_name().to_owned()))
}
