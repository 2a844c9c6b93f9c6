//! The real programs, as an agent calls them and as a person sees them.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that meets a surprise should stop, and pictures are drawn anew on request"
)]

mod stage;
mod emulator;
mod reflow;
mod press;
mod asks;
mod cases;
mod keys;
mod paste;
mod resize;
mod restoring;
mod leaving;
mod nobody;
mod hostile;
mod route;
mod ask;
mod in_words;
mod envelopes;
mod picture;
mod list_layout;
mod home;
mod desk;
mod desk_daemon;
mod desk_config;
mod desk_audit;
mod desk_folder;
mod desk_notify;
mod desk_open;
mod browsers;
mod answering;
mod short_ids;
mod completion;
mod readme;
mod curl;
mod output;
mod desk_both;
mod first_ask;
mod piped;
mod desk_people;
mod desk_events;
mod documents;
mod people;
mod inbox;
mod inbox_many;
mod inbox_still;
mod rules;
mod rule_confirming;
mod templates;
mod hook_left;
mod hooks;
mod errors;
mod fence;
#[path = "../tmux.rs"]
mod tmux;
mod transcripts;
mod living;
mod run_task;
mod phone;
mod phone_doctor;
mod own_keys;
mod same_user;
mod setup;
mod granting;
