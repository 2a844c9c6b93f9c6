#!/usr/bin/env bash
# Every package from one build: tar.gz, .deb, npm, PyPI and .mcpb, with checksums and a bill of materials.
#
#   scripts/package.sh                 builds what is shipped (profile dist) and packs it into target/packages
#   ASKUSER_PROFILE=dev …              packs a quick build instead; what the tests do
#   ASKUSER_TARGET=TRIPLE …            for another target; one with musl is static (static-toolchain.sh)
#   ASKUSER_PROGRAMS=DIR …             packs programs that were built elsewhere
#   ASKUSER_VERSION=X.Y.Z …            calls them so; the programs say themselves which they are
#   ASKUSER_PACKAGES=DIR …             puts them elsewhere
#   ASKUSER_OWNER=NAME …               whose the MCP registry's entry is
#
# The same source gives the same packages, byte for byte: files carry the time of the last commit, and no path of
# the machine that built them.

# shellcheck source=scripts/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

profile=${ASKUSER_PROFILE:-dist}
target=${ASKUSER_TARGET:-$(rustc -vV | sed -n 's/^host: //p')}
version=${ASKUSER_VERSION:-$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)}
out=${ASKUSER_PACKAGES:-$PWD/target/packages}
work=$out/work
# How hard things are pressed; tests would wait for that longer than for anything else.
level=9
[ "$profile" != dev ] || level=1
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
export TZ=UTC

# How each kind of package calls the platform.
case $target in
x86_64-*-linux-*) deb=amd64 npm_os=linux npm_cpu=x64 ;;
aarch64-*-linux-*) deb=arm64 npm_os=linux npm_cpu=arm64 ;;
x86_64-apple-darwin) deb='' npm_os=darwin npm_cpu=x64 ;;
aarch64-apple-darwin) deb='' npm_os=darwin npm_cpu=arm64 ;;
*) echo "no packages are made for $target" >&2; exit 1 ;;
esac

# build: the two programs, without this machine's paths and clock in them.
build() {
    # As the tests have built them.
    [ "$profile" != dev ] || [ -n "${ASKUSER_TARGET:-}" ] || { the_program; return; }
    local cargo=(cargo build) cargo_home=${CARGO_HOME:-$HOME/.cargo}
    case $target in *-musl) cargo=(scripts/static-toolchain.sh "$target" cargo zigbuild) ;; esac
    if [ "$profile" != dev ]; then
        export RUSTFLAGS="--remap-path-prefix=$PWD=/askuser --remap-path-prefix=$cargo_home=/cargo"
        # Nor when: mimalloc takes it in, and zig and cargo keep what they compiled at another time.
        export CFLAGS="-ffile-prefix-map=$PWD=/askuser -ffile-prefix-map=$cargo_home=/cargo \
            -Wno-builtin-macro-redefined -D__DATE__=\"\" -D__TIME__=\"\""
    fi
    local for_target=()
    [ -z "${ASKUSER_TARGET:-}" ] || for_target=(--target "$target")
    "${cargo[@]}" --locked --profile "$profile" "${for_target[@]}" --bins
}

# built: where the programs are.
built() {
    local folder=target profile_folder=$profile
    [ -z "${ASKUSER_TARGET:-}" ] || folder=target/$target
    [ "$profile" != dev ] || profile_folder=debug
    echo "${ASKUSER_PROGRAMS:-$PWD/$folder/$profile_folder}"
}

# stage: what every package has: programs, completions, man pages, licences.
stage() {
    local programs shell
    programs=$(built)
    rm -rf "$out"
    mkdir -p "$work/common/bin" "$work/common/completions" "$work/common/man"
    install -m 755 "$programs/askuser" "$programs/AskUserQuestion" "$work/common/bin/"
    if [ "$profile" = dev ]; then
        # Nobody needs where each line was: the packages of the tests are a tenth of the size.
        strip "$work/common/bin/"*
    fi
    # They say themselves what a shell completes and what the manual has; qemu starts another processor's.
    local start=(env -i PATH="$PATH" HOME="$work")
    case $(uname -m)-$target in x86_64-aarch64-*-linux-*) start+=(qemu-aarch64-static) ;; esac
    for shell in bash zsh fish; do
        "${start[@]}" "$work/common/bin/askuser" completions "$shell" >"$work/common/completions/askuser.$shell"
    done
    "${start[@]}" "$work/common/bin/askuser" man "$work/common/man" >/dev/null
    cp README.md README.zh-CN.md LICENSE-APACHE LICENSE-MIT CHANGELOG.md "$work/common/"
}

# settled FOLDER: every file is as old as the last commit, and as readable as a package wants it.
settled() {
    find "$1" -type d -exec chmod 755 {} +
    find "$1" -type f ! -perm -u+x -exec chmod 644 {} +
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

tarball() {
    local name=askuser-$version-$target
    cp -r "$work/common" "$work/$name"
    settled "$work/$name"
    tar --sort=name --owner=0 --group=0 --numeric-owner -C "$work" -cf - "$name" | gzip -n"$level" >"$out/$name.tar.gz"
}

debian() {
    [ -n "$deb" ] || { echo "none for $target"; return 0; }
    local root=$work/deb doc=$work/deb/usr/share/doc/askuser
    install -Dm 755 -t "$root/usr/bin" "$work/common/bin/"*
    install -Dm 644 "$work/common/completions/askuser.bash" "$root/usr/share/bash-completion/completions/askuser"
    install -Dm 644 "$work/common/completions/askuser.zsh" "$root/usr/share/zsh/vendor-completions/_askuser"
    install -Dm 644 "$work/common/completions/askuser.fish" "$root/usr/share/fish/vendor_completions.d/askuser.fish"
    install -Dm 644 -t "$root/usr/share/man/man1" "$work/common/man/"*.1
    gzip -n9 "$root/usr/share/man/man1/"*.1
    install -Dm 644 packaging/deb/copyright "$doc/copyright"
    gzip -n9 <CHANGELOG.md >"$doc/changelog.gz"
    mkdir -p "$root/DEBIAN"
    sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$deb/; s/@SIZE@/$(du -ks "$root/usr" | cut -f1)/" \
        packaging/deb/control >"$root/DEBIAN/control"
    # A static program needs nothing.
    case $target in *-gnu) sed -i '/^Section:/i Depends: libc6' "$root/DEBIAN/control" ;; esac
    settled "$root"
    dpkg-deb --root-owner-group -Zxz -z"$level" --build "$root" "$out/askuser_${version}_$deb.deb" >/dev/null
}

# npm: the launcher, and this platform's programs as a package of its own. No script runs at installing.
npm_packages() {
    local platform=$work/npm/askuser-$npm_os-$npm_cpu launcher=$work/npm/askuser
    install -Dm 755 -t "$platform/bin" "$work/common/bin/"*
    install -Dm 755 packaging/npm/askuser.js "$launcher/bin/askuser.js"
    install -m 755 packaging/npm/askuser.js "$launcher/bin/AskUserQuestion.js"
    cp README.md LICENSE-APACHE LICENSE-MIT "$launcher/"
    node packaging/npm/manifest.mjs platform "$version" "$npm_os" "$npm_cpu" >"$platform/package.json"
    node packaging/npm/manifest.mjs launcher "$version" >"$launcher/package.json"
    settled "$work/npm"
    (cd "$out" && npm pack --silent "$platform" "$launcher" >/dev/null)
}

wheel() {
    python3 packaging/python/wheel.py "$version" "$target" "$work/common/bin" "$out" "$level"
}

# mcpb: what Claude Desktop installs with a click.
mcpb() {
    local bundle=$work/mcpb
    install -Dm 755 "$work/common/bin/askuser" "$bundle/server/askuser"
    sed "s/@VERSION@/$version/; s/@PLATFORM@/$npm_os/" packaging/mcpb/manifest.json >"$bundle/manifest.json"
    cp LICENSE-APACHE LICENSE-MIT "$bundle/"
    settled "$bundle"
    (cd "$bundle" && find . -type f | LC_ALL=C sort | zip -q -X -"$level" -@ "$out/askuser-$version-$npm_os-$npm_cpu.mcpb")
}

# materials: what it is made of, as CycloneDX, from the lock file's packages that are really built in.
materials() {
    cargo metadata --locked --format-version 1 --filter-platform "$target" |
        node packaging/materials.mjs "$version" "$SOURCE_DATE_EPOCH" "$target" >"$out/askuser-$version-$target.cdx.json"
    sed "s/@VERSION@/$version/; s/@OWNER@/${ASKUSER_OWNER:-askuser}/" packaging/server.json >"$out/server.json"
}

sums() {
    rm -rf "$work"
    (cd "$out" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS && cat SHA256SUMS)
}

packers() {
    { command -v node && command -v npm; } >/dev/null || install_packages nodejs npm
    command -v zip >/dev/null || install_packages zip
    command -v strip >/dev/null || install_packages binutils
    python3 -c 'import venv, ensurepip' 2>/dev/null || install_packages python3 python3-venv
    case $(uname -m)-$target in
    x86_64-aarch64-*-linux-*) command -v qemu-aarch64-static >/dev/null || install_packages qemu-user-static ;;
    esac
}

step "what packs" packers
[ -n "${ASKUSER_PROGRAMS:-}" ] || step "build ($profile, $target)" build
step "files" stage
step "tar.gz" tarball
step "deb" debian
step "npm" npm_packages
step "wheel" wheel
step "mcpb" mcpb
step "bill of materials" materials
step "checksums" sums
done_in_all "package.sh"
