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

# These two drive the browser and look for barriers, in tests only; nothing of them is shipped or committed.
# The newest that run on Debian's own node.
npm_packages=(playwright-core@1.60 axe-core@4)
npm_folder=target/npm

browser_tools() {
    local missing=()
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
--bench) step "figures of the page" node benches/page.mjs ;;
"") step "stories in a browser" stories tests/browser/*.test.mjs ;;
*) step "stories in a browser" stories "$@" ;;
esac
done_in_all "test-browser.sh"
