#!/usr/bin/env bash
# Real clients of the MCP server: the TypeScript SDKs, the Python SDK, the inspector's command line, and
# with `--conformance` the conformance suites. They are installed by name below target/, once.
#
#   scripts/test-mcp-clients.sh [--conformance]

# shellcheck source=scripts/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

export MCP_CLIENTS="$PWD/target/mcp-clients"
export ASKUSER_BIN="$PWD/target/debug/askuser"
export FIXTURE_BIN="$PWD/target/debug/examples/mcp_fixture"
# The suites need a newer Node than systems bring along; npm has it as a package.
export NODE_BIN="$MCP_CLIENTS/node/node_modules/node/bin"
clients="$PWD/tests/mcp/clients"

# npm_package FOLDER NAME@VERSION: into a folder of its own, so that none sees another's dependencies.
npm_package() {
    local folder="$MCP_CLIENTS/$1" marker="$MCP_CLIENTS/$1/.installed"
    [ "$(cat "$marker" 2>/dev/null)" = "$2" ] && return 0
    mkdir -p "$folder"
    echo '{"private":true}' >"$folder/package.json"
    (cd "$folder" && npm install --no-audit --no-fund --silent "$2")
    echo "$2" >"$marker"
}

install() {
    command -v npm >/dev/null || install_packages nodejs npm
    python3 -c 'import venv, ensurepip' 2>/dev/null || install_packages python3 python3-venv
    npm_package node node@22
    npm_package v1 @modelcontextprotocol/sdk@1.32.2
    # The last before events without data were read: Gemini CLI brings it along.
    npm_package v1-old @modelcontextprotocol/sdk@1.23.0
    npm_package v2 @modelcontextprotocol/client@2.4.0
    npm_package inspector @modelcontextprotocol/inspector@2.12.0
    [ -x "$MCP_CLIENTS/python/bin/python" ] || python3 -m venv "$MCP_CLIENTS/python"
    "$MCP_CLIENTS/python/bin/python" -m pip install -q --disable-pip-version-check mcp==2.3.0
    the_program
}

# An agent's marks in our own environment must not reach the programs under test.
client() {
    env -i HOME="$HOME" PATH="$PATH" MCP_CLIENTS="$MCP_CLIENTS" ASKUSER_BIN="$ASKUSER_BIN" FIXTURE_BIN="$FIXTURE_BIN" \
        NODE_BIN="$NODE_BIN" timeout 300 "$@"
}

suites() {
    npm_package conformance-0.1 @modelcontextprotocol/conformance@0.1.16
    npm_package conformance-0.2 @modelcontextprotocol/conformance@0.2.0-alpha.12
    for server in daemon fixture; do
        client "$NODE_BIN/node" "$clients/conformance.mjs" "$server" 0.1
        client "$NODE_BIN/node" "$clients/conformance.mjs" "$server" 0.2 --suite all --timeout 8000
    done
}

step "MCP clients: install" install
step "MCP clients: TypeScript SDK 1.x" client "$NODE_BIN/node" "$clients/typescript_v1.mjs" v1
step "MCP clients: TypeScript SDK 1.23" client "$NODE_BIN/node" "$clients/typescript_v1.mjs" v1-old
step "MCP clients: TypeScript SDK 2.x" client "$NODE_BIN/node" "$clients/typescript_v2.mjs"
step "MCP clients: Python SDK" client "$MCP_CLIENTS/python/bin/python" "$clients/python_sdk.py"
step "MCP clients: inspector" client "$NODE_BIN/node" "$clients/inspector.mjs"
if [ "${1:-}" = --conformance ]; then
    step "MCP conformance" suites
fi
