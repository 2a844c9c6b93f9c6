//! The part of the command line that is about the daemon.

use std::path::PathBuf;

/// Options of `askuser serve`.
#[derive(Debug, clap::Args)]
pub struct Serve {
    /// Where to listen; port 0 takes a free one [default: 127.0.0.1:8275]
    #[arg(long, value_name = "HOST:PORT")]
    pub listen: Option<String>,
    /// The data folder [default: `ASKUSER_HOME`, else the platform's]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Make the local keys anew whose files are missing
    #[arg(long)]
    pub new_keys: bool,
    /// Started by a command that needs it: leaves the terminal, takes a free port where the usual
    /// one is taken
    #[arg(long, hide = true)]
    pub background: bool,
    /// Ends with the end of its standard input, and takes its folder away: for the demo
    #[arg(long, hide = true)]
    pub with_parent: bool,
}
