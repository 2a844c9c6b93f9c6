//! What the configuration means for each part.

use std::time::Duration;

use askuser_core::limits::DeskLimits;
use askuser_core::time::Timestamp;

use askuser_client::home::Home;
use askuser_config::Config;
use askuser_desk::{Defaults, Desk};
use askuser_http::{Bounds, Rates};
use askuser_mcp::Settings as McpSettings;
use askuser_notify::Settings;
use askuser_runner::agent::{Agents, DeskPlace};
use askuser_store::sqlite::Options as StoreOptions;
use askuser_system::environment::Environment;

/// Returns the limits under which the desk decides.
pub fn limits(config: &Config) -> DeskLimits {
    let asks = &config.ask_user_question;
    DeskLimits {
        shown_max: asks.max_concurrent_questions,
        active_sessions_max: asks.max_sessions_per_user,
        hand_over_within: config.answers.hand_over_within,
        session_idle: asks.session_timeout,
        depth_max: config.desk.recursion_limit,
        open_max: config.desk.open_asks_per_session,
        ..DeskLimits::default()
    }
}

/// Returns how the store is opened.
pub fn store(config: &Config, now: Timestamp) -> StoreOptions {
    StoreOptions {
        hot_bytes_max: config.desk.memory_mb.saturating_mul(1024 * 1024),
        hot_sessions_max: config.desk.sessions_in_memory,
        ..StoreOptions::new(limits(config), now)
    }
}

/// Returns the agents that may be given tasks.
pub fn agents(config: &Config, environment: &Environment, home: &Home) -> Agents {
    let program = std::env::current_exe().ok();
    let desk = program.map(|program| DeskPlace { home: home.folder().to_owned(), program });
    Agents { desk, ..Agents::new(&config.runner, &config.agents, environment) }
}

/// Tells the desk what holds for asks from now on, and who is in which group.
pub fn apply(desk: &Desk, config: &Config) {
    desk.configure(|settings| {
        settings.defaults = defaults(config);
        settings.groups.clone_from(&config.groups);
    });
}

/// Returns how people are told that an agent waits for them.
pub fn notify(config: &Config, home: &Home, environment: &Environment) -> Settings {
    Settings::new(config.notify.clone(), home.folder().to_owned(), environment.clone())
}

/// Returns what holds for every ask that says nothing else.
pub fn defaults(config: &Config) -> Defaults {
    let asks = &config.ask_user_question;
    Defaults {
        timeout: asks.question_timeout,
        policy: config.desk.timeout_policy,
        text_chars_max: asks.max_input_length,
        any_characters: !asks.enable_input_validation,
        undo_for: config.answers.undo_for,
        agent_dialog: config.mcp.agent_dialog,
    }
}

/// Returns how much one caller may ask.
pub fn rates(config: &Config) -> Rates {
    Rates {
        requests: config.ask_user_question.rate_limit_requests,
        window: config.ask_user_question.rate_limit_window,
        failed_sign_ins: config.server.failed_sign_ins,
        key_factor: config.server.key_rate_factor,
    }
}

/// Returns how much all callers may.
pub fn bounds(config: &Config) -> Bounds {
    Bounds { connections_max: config.server.connections, ..Bounds::default() }
}

/// Returns what is configured for agents that come in by MCP.
pub fn mcp(config: &Config) -> McpSettings {
    McpSettings { hold: config.mcp.hold, no_dialog: false, session_idle: config.mcp.session_idle }
}

/// Returns how long a template is taken from memory.
pub fn templates_kept_for(config: &Config) -> Duration {
    config.ask_user_question.cache_ttl
}
