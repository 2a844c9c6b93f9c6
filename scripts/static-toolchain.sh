#!/usr/bin/env bash
# Runs a command with what builds static programs: Rust's standard library for musl, and zig as C compiler and linker.
#
#   scripts/static-toolchain.sh TRIPLE COMMAND...     `cargo zigbuild --target TRIPLE`, most of the time
#
# Where the compiler has the library for TRIPLE (rustup target add), it is taken. Elsewhere Debian's compiler builds it
# from Debian's source of it. Everything is unpacked below target/toolchain; nothing is installed.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

triple=$1
shift
folder=$PWD/target/toolchain
mkdir -p "$folder"

# Which versions; zig brings musl with it.
zig=(cargo-zigbuild==0.24.0 ziglang==0.17.0)
if [ "$(cat "$folder/zig/installed" 2>/dev/null)" != "${zig[*]}" ]; then
    python3 -m venv --clear "$folder/zig"
    "$folder/zig/bin/pip" install --quiet --disable-pip-version-check "${zig[@]}"
    echo "${zig[*]}" >"$folder/zig/installed"
fi
export PATH="$folder/zig/bin:$PATH"
# Zig puts a static program at the same address each time, which helps attackers, unless told.
export RUSTFLAGS="-Clink-arg=-pie ${RUSTFLAGS:-}"

# from_debian: the compiler and the library's source, in $folder/debian.
from_debian() {
    local names program
    rm -rf "${folder:?}/"{debian,files,bin}
    mkdir -p "$folder/"{debian,files,bin}
    apt-cache show rustc-web >/dev/null 2>&1 || apt-get update --quiet
    # Whatever of it this machine lacks.
    names=$(apt-get --simulate --no-install-recommends install rustc-web cargo-web rust-web-src | sed -n 's/^Inst \([^ ]*\).*/\1/p')
    # shellcheck disable=SC2086
    (cd "$folder/files" && apt-get download --quiet --option APT::Sandbox::User=root $names)
    for name in "$folder/files/"*.deb; do
        dpkg-deb --extract "$name" "$folder/debian"
    done
    rm -rf "$folder/files"
    for program in cargo rustc rustdoc; do
        printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$folder/debian/usr/lib/$(uname -m)-linux-gnu" \
            "$folder/debian/usr/bin/$program" >"$folder/bin/$program"
        chmod +x "$folder/bin/$program"
    done
    "$folder/bin/rustc" --version >"$folder/debian/ready"
}

if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$triple/lib" ]; then
    [ -e "$folder/debian/ready" ] || from_debian >&2
    export PATH="$folder/bin:$PATH"
    # The library is built with the program: to this day a thing that a stable compiler does only when told so.
    export RUSTC_BOOTSTRAP=1 CARGO_UNSTABLE_BUILD_STD=std,panic_unwind
    # What a program of C begins with comes from zig, too.
    export RUSTFLAGS="-Clink-self-contained=no $RUSTFLAGS"
fi
exec "$@"
