#!/usr/bin/env bash
# The web page in a real browser: Debian's Chromium, driven by playwright-core, against the built daemon.
#
#   scripts/test-browser.sh [FILE...]   all stories, or those of some files of tests/browser/
#   scripts/test-browser.sh --pictures  takes the pictures of docs/pictures/ anew
#   scripts/test-browser.sh --bench     the figures of the page
#
#   ASKUSER_BIN        the program to test (target/debug/askuser, built here)
#   ASKUSER_CHROMIUM   the browser (/usr/bin/chromium)

# shellcheck source=scripts/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

build() {
    cargo build --locked --bin askuser
}

# Two files at a time: each has a daemon and a browser of its own.
stories() {
    node --test --test-concurrency=2 "$@"
}

step "browser, node and their packages" browser_tools
[ -n "${ASKUSER_BIN:-}" ] || step "the program" build
case "${1:-}" in
--pictures) step "pictures" node tests/browser/pictures.mjs ;;
--bench)
    step "figures of the page" node benches/page.mjs
    step "figures of tasks" node benches/tasks.mjs
    ;;
"") step "stories in a browser" stories tests/browser/*.test.mjs ;;
*) step "stories in a browser" stories "$@" ;;
esac
done_in_all "test-browser.sh"
