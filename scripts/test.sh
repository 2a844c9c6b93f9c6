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
    env -i HOME="$HOME" PATH="$PATH" ASKUSER_BIN="$PWD/target/debug/askuser" timeout 120 \
        "$venv/bin/python" tests/openapi/client.py
}

# What the steps below ask for: side by side they would stand in each other's way.
debian_packages() {
    tools
    postgres
    browser_tools
    python3 -c 'import venv, ensurepip' 2>/dev/null || install_packages python3 python3-venv
    command -v zip >/dev/null || install_packages zip
    command -v unzip >/dev/null || install_packages unzip
    command -v strip >/dev/null || install_packages binutils
}

# Every test there is, and the program: a line for each executable, with the folder that it is run in.
test_executables=target/test-executables
build_tests() {
    cargo test --locked --workspace --no-run --message-format json-render-diagnostics >target/built
    jq -r 'select(.profile.test and .executable)
        | [.executable, (.manifest_path | rtrimstr("/Cargo.toml")), .target.name] | @tsv' target/built >"$test_executables"
    the_program
}

# They measure how long something takes, in fractions of a second: they have the machine to themselves.
measuring=(the_list_is_there_within_a_tenth_of_a_second_of_the_start_without_a_daemon)

# tests FOLDER EXECUTABLE [ARGUMENT...]
tests() {
    cd "$1"
    shift
    "$@"
}

# tests_beside REGEX...: each executable whose name it matches as a step of its own; `-v` before it: does not match.
tests_beside() {
    local executable folder name skipped=()
    for name in "${measuring[@]}"; do skipped+=(--skip "$name"); done
    while IFS=$'\t' read -r executable folder name; do
        grep -qE "$@" <<<"$name" || continue
        beside "tests of $name" tests "$folder" "$executable" "${skipped[@]}"
        [ "$name" != askuser_desk ] ||
            beside "the desk over PostgreSQL" tests "$folder" env ASKUSER_TEST_STORE=postgres "$executable"
    done <"$test_executables"
}

step "what Debian has" debian_packages
step "format" cargo fmt --all -- --check
step "lints" cargo clippy --locked --workspace --all-targets -- -D warnings
step "documentation" cargo doc --locked --workspace --lib --no-deps
step "tests and programs" build_tests
# Before the rest: whatever else asks cargo for something must not find it at work.
step "examples in comments" cargo test --quiet --locked --workspace --doc
export ASKUSER_BIN=$PWD/target/debug/askuser
# What takes long begins first.
long='^(crash|story|http|askuser_store)$'
beside "stories in a browser" scripts/test-browser.sh
tests_beside "$long"
beside "packages" scripts/test-packages.sh
beside "MCP clients" scripts/test-mcp-clients.sh
tests_beside -v "$long"
beside "types of the page's script" script_types
beside "opencode's plugin" opencode_plugin
beside "a generated client" generated_client
# Most of them wait for a screen, a process or a deadline.
step "side by side" side_by_side 3
step "what is measured" cargo test --locked --workspace --test mcp -- "${measuring[@]}"
done_in_all "test.sh"
