#!/usr/bin/env bash
# Real agents from the npm registry, unchanged: Claude Code, Codex, opencode, Gemini CLI, goose and qwen-code,
# each in a home that nobody has used, with a model on loopback that does as it is told and a person in a real
# browser. What comes out is a matrix, agents by states, also kept in target/agents/matrix.md.
# Not part of test.sh: the first run downloads some hundred megabytes. Recordings of what the agents say are.
#
#   scripts/test-agents.sh              all stories, and the matrix
#   scripts/test-agents.sh FILE...      the stories of some files of tests/agents/
#   scripts/test-agents.sh NAME...      a part of the matrix: agents and columns by how their names begin,
#                                       as in `codex esc "75 s"`
#   scripts/test-agents.sh --record     takes the recordings of tests/agents/recordings/ anew
#
#   ASKUSER_BIN        the program to test (target/debug/askuser, built here)
#   ASKUSER_CHROMIUM   the browser (/usr/bin/chromium)

# shellcheck source=scripts/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

export ASKUSER_AGENTS="$PWD/target/agents"

# agent FOLDER NAME@VERSION PROGRAM: into a folder of its own.
agent() {
    local folder="$ASKUSER_AGENTS/$1"
    if [ "$(cat "$folder/installed" 2>/dev/null)" != "$2" ]; then
        mkdir -p "$folder"
        echo '{"private":true}' >"$folder/package.json"
        (cd "$folder" && npm install --no-audit --no-fund --loglevel=error "$2")
        echo "$2" >"$folder/installed"
    fi
    # In a home of its own, as in every story.
    echo "$2: $(HOME="$folder" "$folder/node_modules/.bin/$3" --version)"
}

# Which they are, and in which version, their drivers say.
agents() {
    local line words lines
    lines=$(node tests/agents/drivers.mjs)
    while read -r line; do
        read -ra words <<<"$line"
        agent "${words[@]}" </dev/null
    done <<<"$lines"
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

# matrix NAME...: its stories share the processor among themselves. The table comes last, whatever came of it.
matrix() {
    local code=0 names
    names=$(IFS=, && echo "$*")
    rm -f "$ASKUSER_AGENTS/matrix.md"
    ASKUSER_CELLS=$names on_loopback node --test --test-reporter=spec tests/agents/matrix.test.mjs || code=$?
    cat "$ASKUSER_AGENTS/matrix.md"
    return "$code"
}

record() {
    on_loopback node tests/agents/record.mjs "$@"
}

step "agents: tools" tools
step "agents: browser, node and their packages" browser_tools
step "agents: from the npm registry" agents
[ -n "${ASKUSER_BIN:-}" ] || step "agents: the program" the_program
case "${1:-}" in
--record) step "agents: recordings" record "${@:2}" ;;
*.mjs) step "agents: stories" stories "$@" ;;
?*) step "agents: matrix" matrix "$@" ;;
*)
    mapfile -t files < <(find tests/agents -name '*.test.mjs' ! -name matrix.test.mjs | sort)
    step "agents: stories" stories "${files[@]}"
    step "agents: matrix" matrix
    ;;
esac
done_in_all "test-agents.sh"
