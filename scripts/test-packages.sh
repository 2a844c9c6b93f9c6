#!/usr/bin/env bash
# Every package in target/packages is installed into an empty place, with no Rust toolchain in sight, asks a question
# and has it answered; then the next version is installed over the running server, while a question waits; then it is
# removed. What is packed for arm64 is tried in an arm64 Debian (on-arm64.sh).
#
#   scripts/test-packages.sh           packs a quick build first (see package.sh)
#   ASKUSER_PACKED=1 …                 takes what is there
#   ASKUSER_PROFILE=dist ASKUSER_TWICE=1 …   packs what is shipped, twice, in two folders, and compares the bytes
#   ASKUSER_TARGET=TRIPLE …            what was packed for it

# shellcheck source=scripts/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

packages=$PWD/target/packages
upgrades=$PWD/target/packages-next
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

# only PATTERN [FOLDER]
only() {
    local found=("${2:-$packages}"/$1)
    [ "${#found[@]}" -eq 1 ] && [ -e "${found[0]}" ] || { echo "not one file: $1" >&2; return 1; }
    echo "${found[0]}"
}

# took FILE FOLDER...: how large it is, packed and installed, and how long ago $begun was.
took() {
    local packed=$1
    shift
    awk -v packed="$(stat -c %s "$packed")" -v installed="$(du -cbs "$@" | tail -1 | cut -f1)" \
        -v begun="$begun" -v now="$EPOCHREALTIME" -v name="${packed##*.}" 'BEGIN {
            printf "MEASURED %s: %.1f MB, installed %.1f MB, in %.2f s\n", name, packed / 1e6, installed / 1e6, now - begun }'
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
    local name=$1
    shift
    as_user "$name" "${@:-askuser}" --version
    asked "$name" "$@"
    answered "$name" "$@"
    as_user "$name" "${@:-askuser}" stop
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

# upgraded NAME N [PROGRAM...]: the next command of the new version brings its own server, and all N answers are there.
upgraded() {
    local name=$1 expected=$2 there
    shift 2
    [ "$(as_user "$name" "${@:-askuser}" --version)" = "askuser $next" ] || { echo "it is not $next"; return 1; }
    as_user "$name" "${@:-askuser}" list >/dev/null
    as_user "$name" "${@:-askuser}" status --json | grep -q "^{\"version\":\"$next\"" || { echo "the old server stayed"; return 1; }
    there=$(as_user "$name" "${@:-askuser}" history --json | grep -o '"status":"answered"' | wc -l)
    [ "$there" -eq "$expected" ] || { echo "$there answers of $expected are there"; return 1; }
    as_user "$name" "${@:-askuser}" stop
}

# unpack FOLDER_OF_PACKAGES FOLDER: each file takes its predecessor's place at once, as tar alone would not do it.
unpack() {
    mkdir -p "$2" "$place/tar/bin"
    tar -xzf "$(only 'askuser-*.tar.gz' "$1")" -C "$2" --strip-components 1
    local program
    for program in askuser AskUserQuestion; do
        cp "$2/bin/$program" "$place/tar/bin/$program.new"
        mv "$place/tar/bin/$program.new" "$place/tar/bin/$program"
    done
}

from_tarball() {
    local begun=$EPOCHREALTIME
    unpack "$packages" "$place/tar/unpacked"
    took "$(only 'askuser-*.tar.gz')" "$place/tar/unpacked"
    ls "$place/tar/unpacked/man/askuser.1" "$place/tar/unpacked/completions/askuser.zsh" >/dev/null
    answers tar
    asked tar
    unpack "$upgrades" "$place/tar/unpacked-next"
    answered tar
    upgraded tar 2
    rm -rf "$place/tar/bin" "$place/tar/"unpacked*
    nothing_left tar
}

from_deb() {
    local root=$place/deb/root begun=$EPOCHREALTIME
    mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers} "$place/deb/home"
    touch "$root"/var/lib/dpkg/{status,available}
    local dpkg=(dpkg --root="$root" --force-not-root --force-depends --log=/dev/null)
    "${dpkg[@]}" -i "$(only '*.deb')" >/dev/null 2>&1
    took "$(only '*.deb')" "$root/usr"
    ln -s root/usr/bin "$place/deb/bin"
    answers deb
    asked deb
    "${dpkg[@]}" -i "$(only '*.deb' "$upgrades")" >/dev/null 2>&1
    answered deb
    upgraded deb 2
    "${dpkg[@]}" --purge askuser >/dev/null 2>&1
    rm "$place/deb/bin"
    nothing_left deb
}

# registry FOLDER_OF_PACKAGES...: npm finds there what is in them; ends with the step.
registry() {
    local folder files=()
    for folder in "$@"; do
        files+=("$(only 'askuser-[0-9]*.tgz' "$folder")" "$(only 'askuser-*-[0-9]*.tgz' "$folder")")
    done
    [ -z "${registry:-}" ] || kill "$registry"
    rm -f "$place/registry"
    node tests/packages/registry.mjs "${files[@]}" >"$place/registry" &
    registry=$!
    until [ -s "$place/registry" ]; do sleep 0.1; done
    npm_registry=$(cat "$place/registry")
}

from_npm() {
    local begun
    trap 'kill "$registry"' EXIT
    registry "$packages"
    answers npx npx -y askuser
    # With its own programs on the path.
    begun=$EPOCHREALTIME
    as_user npm npm install --silent --global --prefix "$place/npm" askuser
    took "$(only 'askuser-*-[0-9]*.tgz')" "$place/npm/lib"
    as_user npm AskUserQuestion --version
    answers npm
    asked npm
    registry "$packages" "$upgrades"
    # What npm remembers of a registry it asked a moment ago is not what is tried here.
    as_user npm npm install --silent --prefer-online --global --prefix "$place/npm" askuser@latest
    answered npm
    upgraded npm 2
    as_user npm npm uninstall --silent --global --prefix "$place/npm" askuser
    nothing_left npm
}

from_wheel() {
    local begun pip=("$place/pip/bin/pip" --quiet --disable-pip-version-check)
    python3 -m venv "$place/tools"
    "$place/tools/bin/pip" install --quiet --disable-pip-version-check uv
    answers uvx "$place/tools/bin/uvx" --quiet --offline --from "$(only '*.whl')" askuser
    python3 -m venv "$place/pip"
    mkdir -p "$place/pip/home"
    begun=$EPOCHREALTIME
    "${pip[@]}" install --no-index "$(only '*.whl')"
    took "$(only '*.whl')" "$place/pip/bin/askuser" "$place/pip/bin/AskUserQuestion"
    answers pip
    asked pip
    "${pip[@]}" install --no-index --upgrade "$(only '*.whl' "$upgrades")"
    answered pip
    upgraded pip 2
    "${pip[@]}" uninstall --yes askuser-desk
    if compgen -G "$place/pip/bin/*sk*ser*" >/dev/null; then
        echo "programs are left behind"
        return 1
    fi
}

from_mcpb() {
    local folder=target/npm/mcpb package=@anthropic-ai/mcpb@2.1.2 bundle=$place/mcpb/bundle begun=$EPOCHREALTIME
    mkdir -p "$bundle" "$place/mcpb/bin"
    (cd "$bundle" && unzip -q "$(only '*.mcpb')")
    took "$(only '*.mcpb')" "$bundle"
    if [ "$(cat "$folder/installed" 2>/dev/null)" != "$package" ]; then
        mkdir -p "$folder"
        npm install --prefix "$folder" --no-save --no-package-lock --no-audit --no-fund --ignore-scripts \
            --loglevel=error "$package"
        echo "$package" >"$folder/installed"
    fi
    node "$folder/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js" validate "$bundle/manifest.json"
    ln -s ../bundle/server/askuser "$place/mcpb/bin/askuser"
    as_user mcpb node "$PWD/tests/packages/mcp.mjs" "$bundle" >"$place/mcpb/told" 2>"$place/mcpb/said" &
    asking=$!
    until as_user mcpb askuser list --json 2>/dev/null | grep -q '"Deploy?"'; do
        kill -0 "$asking" || { cat "$place/mcpb/said"; return 1; }
        sleep 0.1
    done
    rm -rf "$bundle"
    mkdir "$bundle"
    (cd "$bundle" && unzip -q "$(only '*.mcpb' "$upgrades")")
    as_user mcpb askuser answer --pick yes
    wait "$asking"
    grep -q 'Yes' "$place/mcpb/told"
    upgraded mcpb 1
}

# The MCP registry takes an entry only where each package names it in turn.
registered() {
    local name
    name=$(sed -n 's/.*"name": "\(io\.[^"]*\)".*/\1/p' "$packages/server.json")
    unzip -p "$(only '*.whl')" '*/METADATA' | grep -F "mcp-name: $name" >/dev/null || { echo "the wheel does not name $name"; return 1; }
    tar -xzOf "$(only 'askuser-[0-9]*.tgz')" package/package.json | grep -F "\"mcpName\": \"$name\"" >/dev/null || {
        echo "the npm package does not name $name"
        return 1
    }
}

# No other version was ever published: the next one is these programs, under a number of as many letters.
next_version() {
    local program
    rm -rf "$upgrades"
    mkdir -p "$place/programs"
    tar -xzf "$(only 'askuser-*.tar.gz')" -C "$place/programs" --strip-components 2 --wildcards '*/bin/*'
    for program in "$place/programs/"*; do
        LC_ALL=C sed -i "s/${version//./\\.}/$next/g" "$program"
    done
    ASKUSER_PROGRAMS=$place/programs ASKUSER_VERSION=$next ASKUSER_PACKAGES=$upgrades scripts/package.sh
}

# The same source, built and packed in another folder, is the same to the byte.
same_again() {
    git clone --quiet . "$place/clone"
    "$place/clone/scripts/package.sh" >"$place/again" 2>&1 || { cat "$place/again"; return 1; }
    diff "$packages/SHA256SUMS" "$place/clone/target/packages/SHA256SUMS"
}

export ASKUSER_PROFILE="${ASKUSER_PROFILE:-dev}"
[ -n "${ASKUSER_PACKED:-}" ] || step "packages" scripts/package.sh
version=$(only 'askuser-[0-9]*.tgz' | sed 's/.*askuser-\(.*\)\.tgz/\1/')
next=9${version#?}
[ "$upgrades/SHA256SUMS" -nt "$packages/SHA256SUMS" ] || step "the next version" next_version
case $(uname -m)-${ASKUSER_TARGET:-} in
x86_64-aarch64-*-linux-*) step "on arm64" scripts/on-arm64.sh env ASKUSER_PACKED=1 scripts/test-packages.sh ;;
*)
    step "no toolchain" no_toolchain
    step "tar.gz" from_tarball
    step "deb" from_deb
    step "npm" from_npm
    step "wheel" from_wheel
    step "mcpb" from_mcpb
    step "the MCP registry's entry" registered
    ;;
esac
[ -z "${ASKUSER_TWICE:-}" ] || step "the same bytes again" same_again
done_in_all "test-packages.sh"
