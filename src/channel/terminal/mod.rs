//! tmp

pub mod plain;
