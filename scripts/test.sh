#!/usr/bin/env bash
# Everything but the long runs: installs what the tests need on a fresh Debian machine with a Rust
# toolchain, then checks and tests. Works from any folder and never reads from standard input.

# shellcheck source=scripts/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "tools" tools
step "format" cargo fmt --all -- --check
step "lints" cargo clippy --locked --workspace --all-targets -- -D warnings
step "tests" cargo test --locked --workspace --no-fail-fast
step "MCP clients" scripts/test-mcp-clients.sh
step "documentation" cargo doc --locked --workspace --lib --no-deps
done_in_all "test.sh"
