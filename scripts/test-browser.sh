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

# Two files at a time: each has a daemon and a browser of its own. A file with a story that failed is run once more,
# alone, and named: what fails twice is a fault, what fails once is one to look for.
stories() {
    local file reports=target/browser/reports n_running=0 again=()
    rm -rf "$reports"
    mkdir -p "$reports"
    for file in "$@"; do
        if [ "$n_running" -eq 2 ]; then
            wait -n
            n_running=1
        fi
        story_file "$file" "$reports/$(basename "$file")" &
        n_running=$((n_running + 1))
    done
    wait
    for file in "$@"; do
        cat "$reports/$(basename "$file")"
        [ -e "$reports/$(basename "$file").passed" ] || again+=("$file")
    done
    for file in "${again[@]}"; do
        printf '\n==> FAILED ONCE, runs again: %s\n' "$file"
        node --test --test-reporter=tap "$file"
    done
}

# story_file FILE REPORT: leaves REPORT.passed beside its report if it did.
story_file() {
    if node --test --test-reporter=tap "$1" >"$2" 2>&1; then
        touch "$2.passed"
    fi
}

step "browser, node and their packages" browser_tools
[ -n "${ASKUSER_BIN:-}" ] || step "the program" the_program
case "${1:-}" in
--pictures)
    step "pictures" node tests/browser/pictures.mjs
    step "the moving picture" node tests/browser/moving.mjs
    ;;
--bench)
    step "figures of the page" node benches/page.mjs
    step "figures of tasks" node benches/tasks.mjs
    ;;
"") step "stories in a browser" stories tests/browser/*.test.mjs ;;
*) step "stories in a browser" stories "$@" ;;
esac
done_in_all "test-browser.sh"
