# What the scripts here share; to be sourced, not run.
# Each step says its name before it begins and its time when it is done; the first that fails ends it all.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export CARGO_TERM_COLOR="${CARGO_TERM_COLOR:-auto}"
# A warning in the documentation is a fault as much as one in the code.
export RUSTDOCFLAGS="${RUSTDOCFLAGS:--D warnings}"

steps_begun=$SECONDS

# step NAME COMMAND...
step() {
    local name=$1 begun=$SECONDS code=0
    shift
    printf '\n==> %s\n' "$name"
    # Not `"$@" || code=$?`: behind `||` bash would go on after a failure inside a function.
    set +e
    (set -e; "$@") </dev/null
    code=$?
    set -e
    if [ "$code" -ne 0 ]; then
        printf '==> %s: FAILED after %d s (exit code %d)\n' "$name" "$((SECONDS - begun))" "$code" >&2
        exit "$code"
    fi
    printf '==> %s: %d s\n' "$name" "$((SECONDS - begun))"
}

# beside NAME COMMAND...: puts a step on the list of those that run side by side.
side_names=()
side_commands=()
beside() {
    side_names+=("$1")
    shift
    side_commands+=("${*@Q}")
}

# side_by_side N: runs what is on the list, the first first and N at a time. Each says its name when it is done, with the
# results and times in what it printed. One that failed says all of it, and is run once more when it has the machine to
# itself: what fails twice is a fault, what fails once is one to look for.
side_by_side() {
    local reports=target/steps n_running=0 at
    rm -rf "$reports"
    mkdir -p "$reports"
    # Whoever stops the whole stops its parts.
    trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
    for at in "${!side_names[@]}"; do
        if [ "$n_running" -eq "$1" ]; then
            wait -n || true
            n_running=$((n_running - 1))
        fi
        reported "${side_names[at]}" "$reports/$at" "${side_commands[at]}" &
        n_running=$((n_running + 1))
    done
    wait
    for at in "${!side_names[@]}"; do
        [ ! -e "$reports/$at.failed" ] || {
            printf '\n==> FAILED ONCE, runs again: %s\n' "${side_names[at]}"
            reported "${side_names[at]}" "$reports/$at" "${side_commands[at]}"
        }
    done
}

# reported NAME REPORT COMMAND: one of those, with what it prints in a file; leaves REPORT.failed if it did.
reported() {
    local begun=$SECONDS code=0
    # A process group of its own, which ends as a whole.
    set -m
    (set -e; eval "$3") </dev/null >"$2" 2>&1 &
    # shellcheck disable=SC2064
    trap "kill -- -$! 2>/dev/null; exit 143" TERM
    wait $! || code=$?
    if [ "$code" -ne 0 ]; then
        touch "$2.failed"
        cat "$2"
        printf '==> %s: FAILED after %d s (exit code %d)\n' "$1" "$((SECONDS - begun))" "$code"
        return "$code"
    fi
    grep -E '^(test result: |==> .*: |MEASURED )' "$2" || true
    printf '==> %s: %d s\n' "$1" "$((SECONDS - begun))"
}

# the_program: target/debug/askuser, and what is built beside it. Asked for alone, cargo would build its dependencies again,
# with other features than tests have them: an example has those of tests.
the_program() {
    cargo build --locked --workspace --bins --example mcp_fixture
}

# done_in_all WHAT
done_in_all() {
    printf '\n==> %s passed in %d s\n' "$1" "$((SECONDS - steps_begun))"
}

# install_packages PACKAGE...: Debian packages, as root or through sudo.
install_packages() {
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "install these first: $*" >&2; return 1; }
        as_root=(sudo -n)
    fi
    command -v apt-get >/dev/null || { echo "install these first: $*" >&2; return 1; }
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

# tools: what every build and test needs.
tools() {
    command -v cargo >/dev/null || { echo "a Rust toolchain is needed: https://rustup.rs" >&2; return 1; }
    # Rust links with the C compiler.
    command -v cc >/dev/null || install_packages gcc libc6-dev
    # Stories of the terminal run in it too.
    command -v tmux >/dev/null || install_packages tmux
    # What they complete is tried in these shells; bash runs this script.
    command -v zsh >/dev/null || install_packages zsh
    command -v fish >/dev/null || install_packages fish
    # The runner's tests give an agent a repository.
    command -v git >/dev/null || install_packages git
    # The examples of docs/http.md are run.
    command -v curl >/dev/null || install_packages curl
    command -v jq >/dev/null || install_packages jq
    # Servers are recorded with all that they write, for the day on which the power goes.
    command -v strace >/dev/null || install_packages strace
    # The certificates of a database that is spoken to encrypted.
    command -v openssl >/dev/null || install_packages openssl
    cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
    cargo clippy --version >/dev/null 2>&1 || rustup component add clippy
    rustc --version
}

# postgres: the tests start their own; Debian keeps its programs in a folder of their version.
postgres() {
    local server
    for server in /usr/lib/postgresql/*/bin/postgres /usr/local/bin/postgres /usr/bin/postgres; do
        [ -x "$server" ] && return 0
    done
    install_packages postgresql postgresql-client
}

# browser_tools: what the stories in a browser need. Packages drive it, look for barriers and read a QR code, in tests
# only; nothing of them is shipped or committed. They are the newest that run on Debian's own node.
browser_tools() {
    local missing=() npm_packages=(playwright-core@1.60 axe-core@4 jsqr@1) npm_folder=target/npm
    [ -x "${ASKUSER_CHROMIUM:-/usr/bin/chromium}" ] || missing+=(chromium)
    command -v node >/dev/null || missing+=(nodejs)
    command -v npm >/dev/null || missing+=(npm)
    # A browser without Chinese letters would draw boxes, and measure them.
    fc-list :lang=zh 2>/dev/null | grep -q . || missing+=(fontconfig fonts-noto-cjk)
    [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
    if [ "$(cat "$npm_folder/installed" 2>/dev/null)" != "${npm_packages[*]}" ]; then
        mkdir -p "$npm_folder"
        PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm install --prefix "$npm_folder" --no-save --no-package-lock \
            --no-audit --no-fund --ignore-scripts --loglevel=error "${npm_packages[@]}"
        echo "${npm_packages[*]}" >"$npm_folder/installed"
    fi
}
