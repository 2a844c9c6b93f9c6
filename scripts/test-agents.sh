#!/usr/bin/env bash
# Real agents from the npm registry, unchanged: Claude Code and opencode, each in a home that nobody has
# used, connected by `askuser install`, with a model on loopback that does as it is told and a person in a
# real browser. Not part of test.sh: the first run downloads some hundred megabytes.
#
#   scripts/test-agents.sh [FILE...]   all stories, or those of some files of tests/agents/
#
#   ASKUSER_BIN        the program to test (target/debug/askuser, built here)
#   ASKUSER_CHROMIUM   the browser (/usr/bin/chromium)

# shellcheck source=scripts/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

# What is proven is proven for a version; npm by itself would take an older one for an older node.
claude=@anthropic-ai/claude-code@2.1.325
opencode=opencode-ai@1.18.33
export ASKUSER_AGENTS="$PWD/target/agents"

# agent FOLDER NAME@VERSION: into a folder of its own. Both bring a program that needs no node.
agent() {
    local folder="$ASKUSER_AGENTS/$1"
    if [ "$(cat "$folder/installed" 2>/dev/null)" != "$2" ]; then
        mkdir -p "$folder"
        echo '{"private":true}' >"$folder/package.json"
        (cd "$folder" && npm install --no-audit --no-fund --loglevel=error "$2")
        echo "$2" >"$folder/installed"
    fi
    # In a home of its own, as in every story.
    echo "$2: $(HOME="$folder" "$folder/node_modules/.bin/$1" --version)"
}

agents() {
    agent claude "$claude"
    agent opencode "$opencode"
}

build() {
    cargo build --locked --bin askuser
}

# Where it can be had, in a network that ends at this machine: then nothing is told to anybody.
on_loopback() {
    # shellcheck disable=SC2016 # for the inner shell
    local inside='ip link set lo up && exec "$@"' unshare=(unshare --net)
    [ "$(id -u)" -eq 0 ] || unshare+=(--map-root-user)
    if "${unshare[@]}" sh -c "$inside" sh true 2>/dev/null; then
        "${unshare[@]}" sh -c "$inside" sh "$@"
    else
        echo "no network of their own can be had here: the agents run in this machine's, with telemetry off"
        "$@"
    fi
}

# One at a time: each starts an agent, a daemon and a browser, and one of them measures a second.
stories() {
    on_loopback node --test --test-concurrency=1 --test-reporter=spec "$@"
}

step "agents: tools" tools
step "agents: browser, node and their packages" browser_tools
step "agents: from the npm registry" agents
[ -n "${ASKUSER_BIN:-}" ] || step "agents: the program" build
if [ $# -gt 0 ]; then step "agents: stories" stories "$@"; else step "agents: stories" stories tests/agents/*.test.mjs; fi
done_in_all "test-agents.sh"
