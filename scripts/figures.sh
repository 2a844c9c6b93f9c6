#!/usr/bin/env bash
# Every figure of docs/figures.md, from one build of what is shipped: the packages, the programs, the server, the page.
# The machine should have nothing else to do; it takes about forty minutes, ten of them for packing twice.
#
#   ASKUSER_TWICE        1 packs twice and compares the bytes (test-packages.sh)
#   ASKUSER_BENCH_FULL   1 measures growth at 1,000,000 stored asks and deadlines, empty at 100,000 (1)

# shellcheck source=scripts/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

target=x86_64-unknown-linux-musl
programs=$PWD/target/$target/dist

benches() {
    command -v whiptail >/dev/null || install_packages whiptail ||
        echo "whiptail is not there: its row is left out"
    # Of what was packed, not of what cargo builds for this machine alone.
    ASKUSER_PROGRAMS=$programs ASKUSER_BENCH_FULL=${ASKUSER_BENCH_FULL-1} \
        cargo bench --locked --profile dist --bench figures
}

ASKUSER_PROFILE=dist ASKUSER_TARGET=$target scripts/test-packages.sh
step "figures" benches
ASKUSER_BIN=$programs/askuser scripts/test-browser.sh --bench
done_in_all "figures.sh"
