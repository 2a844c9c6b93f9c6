//! doorway
