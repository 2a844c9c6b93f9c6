#!/usr/bin/env bash
# test.sh and the long runs: the dependencies, many more made-up cases, fuzzing, the daemon killed again
# and again, the figures, real agents. Well over an hour on two cores; each step says its time.
#
#   ASKUSER_FUZZ_SECONDS   how long each fuzz target runs, each way (120)
#   PROPTEST_CASES         how many cases each property is tried with; those with a database each a tenth (5000)
#   ASKUSER_CRASH_KILLS    how often the daemon is killed (200)
#   ASKUSER_POWER_CUTS     how often the power goes at a place by chance, besides at every flush (5000)
#   ASKUSER_POWER_SINGLE   how many flushes of the log are left out one by one (1000)
#   ASKUSER_CLUSTER_SECONDS  how long three servers over one PostgreSQL have bad days (240)
#   ASKUSER_OVERLOAD_SECONDS how long ten times the limits are asked for (60)
#   ASKUSER_IDLE_CONNECTIONS how many connections do nothing while somebody asks (10000)
#   ASKUSER_BENCH_FULL     1 measures growth at 1,000,000 stored asks and deadlines, empty at 100,000 (1)

# shellcheck source=scripts/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

fuzz_seconds=${ASKUSER_FUZZ_SECONDS:-120}
cases=${PROPTEST_CASES:-5000}
kills=${ASKUSER_CRASH_KILLS:-200}
power_cuts=${ASKUSER_POWER_CUTS:-5000}
power_single=${ASKUSER_POWER_SINGLE:-1000}
cluster=${ASKUSER_CLUSTER_SECONDS:-240}
overload_seconds=${ASKUSER_OVERLOAD_SECONDS:-60}
idle=${ASKUSER_IDLE_CONNECTIONS:-10000}

# cargo_tool NAME: a cargo subcommand, built from its own lock file where it is missing.
cargo_tool() {
    cargo "$1" --version >/dev/null 2>&1 || cargo install --locked "cargo-$1"
}

properties() {
    # Those with a database each; PROPTEST_CASES goes before whatever a test says of itself.
    local slow=(tests::any:: any_commands_lead_where_the_rule_book_says)
    PROPTEST_CASES=$cases cargo test --locked --profile thorough --workspace --lib --test wire -- \
        --skip "${slow[0]}" --skip "${slow[1]}"
    PROPTEST_CASES=$((cases / 10)) cargo test --locked --profile thorough --workspace --lib -- "${slow[@]}"
}

# Coverage-guided on nightly where cargo-fuzz can be had, else with random bytes on stable.
fuzz() {
    if rustup run nightly rustc --version >/dev/null 2>&1 && cargo_tool fuzz; then
        local target targets running=()
        targets=$(cargo +nightly fuzz list)
        cargo +nightly fuzz build
        for target in $targets; do
            mkdir -p "fuzz/corpus/$target"
            cargo +nightly fuzz run "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
                -max_total_time="$fuzz_seconds" -timeout=10 -max_len=65536 -print_final_stats=1 -verbosity=0 &
            running+=($!)
        done
        for target in "${running[@]}"; do
            wait "$target"
        done
    else
        echo "no nightly toolchain with cargo-fuzz: random bytes on stable instead"
    fi
    # Another beginning each day; a failure prints it.
    ASKUSER_FUZZ_SECONDS=$fuzz_seconds ASKUSER_FUZZ_SEED=$(date +%Y%m%d) \
        cargo test --locked --test fuzz -- --nocapture
}

# The daemon killed again and again; the seed is printed, and a failure repeats with it.
crashes() {
    ASKUSER_CRASH_KILLS=$kills ASKUSER_POWER_CUTS=$power_cuts ASKUSER_POWER_SINGLE=$power_single \
        ASKUSER_CLUSTER_SECONDS=$cluster cargo test --locked --test crash -- --nocapture
}

# Ten times what is allowed, with a ceiling for memory.
overload() {
    ASKUSER_OVERLOAD_SECONDS=$overload_seconds cargo test --locked --profile thorough --test crash overload -- --nocapture
}

# Each is a descriptor on both sides, which are processes of their own.
idle_connections() {
    local needed=$((idle + 500))
    if [ "$(ulimit -Sn)" != unlimited ] && [ "$(ulimit -Sn)" -lt "$needed" ] && ! ulimit -Sn "$needed"; then
        echo "$needed open files are needed, and 'ulimit -Hn' is $(ulimit -Hn): raise it, or lower ASKUSER_IDLE_CONNECTIONS" >&2
        return 1
    fi
    ASKUSER_IDLE_CONNECTIONS=$idle cargo test --locked --test http thousands_of_idle
}

# Each client's rule of waiting, for longer than most of them bear.
long_waits() {
    ASKUSER_LONG_WAITS=1 cargo test --locked --test mcp patience
}

# A transcript of a million lines, within the memory that the system allows.
long_transcript() {
    ASKUSER_TRANSCRIPT_LINES=1000000 cargo test --locked --test story p5_a_long_transcript
}

# What a newcomer does first: the README's own lines, in a fresh clone.
readme() {
    local folder line
    folder=$(mktemp -d)
    # Several gigabytes, also where a line fails.
    # shellcheck disable=SC2064
    trap "rm -rf '$folder'" EXIT
    git clone --quiet . "$folder/askuser"
    grep '^cargo ' README.md | while read -r line; do
        echo "$line"
        (cd "$folder/askuser" && env ASKUSER_HOME="$folder/data" CARGO_INSTALL_ROOT="$folder/installed" \
            CARGO_TARGET_DIR="$folder/target" bash -ec "$line" </dev/null)
    done
    "$folder/installed/bin/askuser" --version
}

dependencies() {
    cargo_tool deny || return 1
    cargo deny --log-level error check bans licenses sources
    # The list of advisories comes from elsewhere, and a machine without a way there has none.
    if cargo deny --log-level off fetch db >/dev/null 2>&1; then
        cargo deny --log-level error check advisories
    else
        echo "advisories: NOT CHECKED, their list cannot be fetched here"
    fi
}

scripts/test.sh
step "the README in a fresh clone" readme
step "dependencies" dependencies
step "properties, $cases cases each" properties
step "fuzzing, $fuzz_seconds s a target" fuzz
step "the daemon killed $kills times" crashes
step "ten times the limits for $overload_seconds s" overload
step "$idle connections that do nothing" idle_connections
scripts/test-operating.sh
scripts/test-contrib.sh
ASKUSER_PROFILE=dist ASKUSER_TARGET=aarch64-unknown-linux-musl scripts/test-packages.sh
scripts/test-mcp-clients.sh --conformance
step "MCP calls that wait for 75 s" long_waits
step "a transcript of a million lines" long_transcript
ASKUSER_TWICE=1 scripts/figures.sh
scripts/test-agents.sh
done_in_all "test-full.sh"
