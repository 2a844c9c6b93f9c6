//! Looks on: figures about what the desk does. Changes nothing.

pub mod operations;
