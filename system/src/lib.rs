//! What the machine is asked for: the environment, the clock, how long to wait before something is tried again, names
//! on its disk that outlast a loss of power, and which process is at the other end of a socket. Everything else is handed
//! what it needs of them.

#![forbid(unsafe_code)]

pub mod environment;
pub mod clock;
pub mod backoff;
pub mod disk;
pub mod peer;
