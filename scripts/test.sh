#!/usr/bin/env bash
# Everything but the long runs: installs what the tests need on a fresh Debian machine with a Rust
# toolchain, then checks and tests. Works from any folder and never reads from standard input.

# shellcheck source=scripts/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

# The page's script is plain JavaScript with types in its comments; in tests only, TypeScript reads them.
# In a folder of its own: npm takes out of a folder what it was not asked for. Runs on Debian's own node.
script_types() {
    local folder=target/npm/types package=typescript@5.9 config
    { command -v node && command -v npm; } >/dev/null || install_packages nodejs npm
    if [ "$(cat "$folder/installed" 2>/dev/null)" != "$package" ]; then
        mkdir -p "$folder"
        npm install --prefix "$folder" --no-save --no-package-lock --no-audit --no-fund --ignore-scripts \
            --loglevel=error "$package"
        echo "$package" >"$folder/installed"
    fi
    # The page and its service worker live in different worlds, with different names in them.
    for config in tsconfig.json tsconfig.worker.json; do
        node "$folder/node_modules/typescript/bin/tsc" --project "web/src/assets/$config"
    done
}

# The plugin of ours that opencode loads, with opencode's own client; opencode itself is in test-agents.sh.
opencode_plugin() {
    local folder=target/npm/opencode package=@opencode-ai/sdk@1.18.33
    if [ "$(cat "$folder/installed" 2>/dev/null)" != "$package" ]; then
        mkdir -p "$folder"
        npm install --prefix "$folder" --no-save --no-package-lock --no-audit --no-fund --ignore-scripts \
            --loglevel=error "$package"
        echo "$package" >"$folder/installed"
    fi
    cargo build --locked --bin askuser
    node --test tests/install/opencode_plugin.test.mjs
}

# A client that somebody else's generator makes of the API's document.
generated_client() {
    local venv=target/openapi package=openapi-python-client==0.29.1
    python3 -c 'import venv, ensurepip' 2>/dev/null || install_packages python3 python3-venv
    if [ "$(cat "$venv/installed" 2>/dev/null)" != "$package" ]; then
        python3 -m venv "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check "$package"
        echo "$package" >"$venv/installed"
    fi
    cargo build --locked --bin askuser
    env -i HOME="$HOME" PATH="$PATH" ASKUSER_BIN="$PWD/target/debug/askuser" timeout 120 \
        "$venv/bin/python" tests/openapi/client.py
}

step "tools" tools
step "PostgreSQL" postgres
step "format" cargo fmt --all -- --check
step "lints" cargo clippy --locked --workspace --all-targets -- -D warnings
step "types of the page's script" script_types
step "tests" cargo test --locked --workspace --no-fail-fast
step "the desk over PostgreSQL" env ASKUSER_TEST_STORE=postgres cargo test --locked -p askuser-desk
step "opencode's plugin" opencode_plugin
step "a generated client" generated_client
scripts/test-mcp-clients.sh
scripts/test-packages.sh
scripts/test-browser.sh
step "documentation" cargo doc --locked --workspace --lib --no-deps
done_in_all "test.sh"
