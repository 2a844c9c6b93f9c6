#!/usr/bin/env bash
# Every package in target/packages is installed into an empty place, with no Rust toolchain in sight, asks a question
# and has it answered; then it is installed again over a running server, and removed.
#
#   scripts/test-packages.sh           packs a quick build first (see package.sh)
#   ASKUSER_PACKED=1 …                 takes what is there
#   ASKUSER_PROFILE=dist ASKUSER_TWICE=1 …   packs what is shipped, twice, in two folders, and compares the bytes

# shellcheck source=scripts/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

packages=$PWD/target/packages
place=$(mktemp -d)

# What a step that failed left running goes too.
clean() {
    local running
    for running in "$place"/*/home/.local/share/askuser/daemon.json; do
        [ ! -e "$running" ] || kill "$(sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' "$running")" 2>/dev/null || true
    done
    rm -rf "$place"
}
trap clean EXIT

only() {
    local found=("$packages"/$1)
    [ "${#found[@]}" -eq 1 ] && [ -e "${found[0]}" ] || { echo "not one file: $1" >&2; return 1; }
    echo "${found[0]}"
}

# as_user NAME COMMAND...: in a home of its own, with what every machine has and this package's programs.
as_user() {
    local name=$1
    shift
    mkdir -p "$place/$name/home"
    (cd "$place/$name/home" && env -i HOME="$place/$name/home" PATH="$place/$name/bin:/usr/bin:/bin" LANG=C.UTF-8 \
        ${npm_registry:+npm_config_registry="$npm_registry"} "$@")
}

no_toolchain() {
    if as_user none sh -c 'command -v cargo rustc'; then
        echo "a Rust toolchain is on the path: nothing would be proven" >&2
        return 1
    fi
}

# asked NAME [PROGRAM...]: how it asks, so that the answer is told in NAME/told; ends when a question waits.
asked() {
    local name=$1 tries=0
    shift
    as_user "$name" "${@:-askuser}" ask "Deploy?" --where desk --output value >"$place/$name/told" 2>"$place/$name/said" &
    asking=$!
    until as_user "$name" "${@:-askuser}" list --json 2>/dev/null | grep -q '"Deploy?"'; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || { echo "no question came"; cat "$place/$name/said"; return 1; }
        sleep 0.1
    done
}

# answered NAME [PROGRAM...]
answered() {
    local name=$1
    shift
    as_user "$name" "${@:-askuser}" answer --pick yes
    wait "$asking" || { cat "$place/$name/said"; return 1; }
    [ "$(cat "$place/$name/told")" = yes ] || { echo "told: $(cat "$place/$name/told")"; return 1; }
}

# answers NAME [PROGRAM...]: the whole way, and the server is gone afterwards.
answers() {
    as_user "$1" "${@:2}" --version
    asked "$@"
    answered "$@"
    as_user "$1" "${@:2}" stop
}

# left NAME: what is there beside the data folder, once everything was removed.
left() {
    find "$place/$1" -mindepth 1 \( -path "$place/$1/home/.local/share/askuser" -o -path "$place/$1/home/.npm" \
        -o -path "$place/$1/home/.cache" -o -path "$place/$1/root/var" -o -name told -o -name said \) -prune -o -type f -print
}

nothing_left() {
    local files
    files=$(left "$1")
    [ -z "$files" ] || { printf 'left behind:\n%s\n' "$files"; return 1; }
    [ -e "$place/$1/home/.local/share/askuser/askuser.db" ] || { echo "what was asked is gone"; return 1; }
}

from_tarball() {
    mkdir -p "$place/tar/bin" "$place/tar/unpacked"
    tar -xzf "$(only 'askuser-*.tar.gz')" -C "$place/tar/unpacked" --strip-components 1
    cp "$place/tar/unpacked/bin/"* "$place/tar/bin/"
    ls "$place/tar/unpacked/man/askuser.1" "$place/tar/unpacked/completions/askuser.zsh" >/dev/null
    answers tar askuser
    # Over a running server, while a question waits: the files are replaced, nothing is lost.
    asked tar askuser
    for program in askuser AskUserQuestion; do
        cp "$place/tar/unpacked/bin/$program" "$place/tar/bin/$program.new"
        mv "$place/tar/bin/$program.new" "$place/tar/bin/$program"
    done
    answered tar askuser
    as_user tar askuser history --json | grep -c '"Deploy?"' | grep -qx '[1-9][0-9]*'
    as_user tar askuser stop
    rm -rf "$place/tar/bin" "$place/tar/unpacked"
    nothing_left tar
}

from_deb() {
    local root=$place/deb/root
    mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers} "$place/deb/home"
    touch "$root"/var/lib/dpkg/{status,available}
    local dpkg=(dpkg --root="$root" --force-not-root --force-depends --log=/dev/null)
    "${dpkg[@]}" -i "$(only '*.deb')" >/dev/null 2>&1
    ln -s root/usr/bin "$place/deb/bin"
    answers deb askuser
    asked deb askuser
    "${dpkg[@]}" -i "$(only '*.deb')" >/dev/null 2>&1
    answered deb askuser
    as_user deb askuser stop
    "${dpkg[@]}" --purge askuser >/dev/null 2>&1
    rm "$place/deb/bin"
    nothing_left deb
}

from_npm() {
    node tests/packages/registry.mjs "$packages"/askuser-[0-9]*.tgz "$packages"/askuser-linux-*.tgz >"$place/registry" &
    registry=$!
    trap 'kill "$registry"' EXIT
    until [ -s "$place/registry" ]; do sleep 0.1; done
    npm_registry=$(cat "$place/registry")
    answers npx npx -y askuser
    # With its own programs on the path.
    as_user npm npm install --silent --global --prefix "$place/npm" askuser
    as_user npm AskUserQuestion --version
    answers npm askuser
    as_user npm npm uninstall --silent --global --prefix "$place/npm" askuser
    nothing_left npm
}

from_wheel() {
    python3 -m venv "$place/tools"
    "$place/tools/bin/pip" install --quiet --disable-pip-version-check uv
    local wheel
    wheel=$(only '*.whl')
    answers uvx "$place/tools/bin/uvx" --quiet --offline --from "$wheel" askuser
    python3 -m venv "$place/pip"
    mkdir -p "$place/pip/home"
    "$place/pip/bin/pip" install --quiet --disable-pip-version-check --no-index "$wheel"
    answers pip askuser
    "$place/pip/bin/pip" uninstall --quiet --yes askuser-desk
    if compgen -G "$place/pip/bin/*sk*ser*" >/dev/null; then
        echo "programs are left behind"
        return 1
    fi
}

from_mcpb() {
    local folder=target/npm/mcpb package=@anthropic-ai/mcpb@2.1.2 bundle=$place/mcpb/bundle
    if [ "$(cat "$folder/installed" 2>/dev/null)" != "$package" ]; then
        mkdir -p "$folder"
        npm install --prefix "$folder" --no-save --no-package-lock --no-audit --no-fund --ignore-scripts \
            --loglevel=error "$package"
        echo "$package" >"$folder/installed"
    fi
    mkdir -p "$bundle" "$place/mcpb/bin"
    (cd "$bundle" && unzip -q "$(only '*.mcpb')")
    node "$folder/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js" validate "$bundle/manifest.json"
    ln -s ../bundle/server/askuser "$place/mcpb/bin/askuser"
    as_user mcpb node "$PWD/tests/packages/mcp.mjs" "$bundle" >"$place/mcpb/told" 2>"$place/mcpb/said" &
    asking=$!
    until as_user mcpb askuser list --json 2>/dev/null | grep -q '"Deploy?"'; do
        kill -0 "$asking" || { cat "$place/mcpb/said"; return 1; }
        sleep 0.1
    done
    as_user mcpb askuser answer --pick yes
    wait "$asking"
    grep -q 'Yes' "$place/mcpb/told"
    as_user mcpb askuser stop
}

# The same source, built and packed in another folder, is the same to the byte.
same_again() {
    git clone --quiet . "$place/clone"
    "$place/clone/scripts/package.sh" >"$place/again" 2>&1 || { cat "$place/again"; return 1; }
    diff "$packages/SHA256SUMS" "$place/clone/target/packages/SHA256SUMS"
}

export ASKUSER_PROFILE="${ASKUSER_PROFILE:-dev}"
[ -n "${ASKUSER_PACKED:-}" ] || step "packages" scripts/package.sh
step "no toolchain" no_toolchain
step "tar.gz" from_tarball
step "deb" from_deb
step "npm" from_npm
step "wheel" from_wheel
step "mcpb" from_mcpb
[ -z "${ASKUSER_TWICE:-}" ] || step "the same bytes again" same_again
done_in_all "test-packages.sh"
