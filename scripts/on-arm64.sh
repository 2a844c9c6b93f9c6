#!/usr/bin/env bash
# Runs a command in an arm64 Debian below target/arm64, on an x64 machine: qemu runs its programs, namespaces of its own
# keep the machine as it is. The folder of the project and /tmp are where they are outside.
#
#   scripts/on-arm64.sh COMMAND...
#
# Needs Linux 6.7 (a namespace has its own table of foreign programs) and qemu-user-static.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=$PWD/target/arm64/root
# What the tests of the packages call. Unpacked and not configured: nothing of Debian's runs at installing.
packages=(bash ca-certificates coreutils dash diffutils dpkg findutils gawk grep gzip libc-bin nodejs procps python3 python3-venv sed tar unzip)
# Debian's npm is four hundred packages.
npm=npm@9.2.0

unpacked() {
    local apt folder=$PWD/target/arm64 names name
    rm -rf "$folder"
    mkdir -p "$folder"/{state/lists/partial,cache/archives/partial,files} "$root"
    touch "$folder/status"
    apt=(apt-get --quiet --quiet --option APT::Architecture=arm64 --option APT::Architectures=arm64
        --option "Dir::State=$folder/state" --option "Dir::State::status=$folder/status" --option "Dir::Cache=$folder/cache"
        --option APT::Sandbox::User=root)
    "${apt[@]}" update
    names=$("${apt[@]}" --simulate --no-install-recommends install "${packages[@]}" | sed -n 's/^Inst \([^ ]*\).*/\1/p')
    # shellcheck disable=SC2086
    (cd "$folder/files" && "${apt[@]}" download $names)
    for name in "$folder/files/"*.deb; do
        dpkg-deb --extract "$name" "$root"
    done
    mkdir -p "$root"/{proc,dev,tmp,root} "$root$PWD" "$root/usr/local/lib/npm"
    (cd "$folder/files" && tar -xzf "$(npm pack --silent "$npm")" -C "$root/usr/local/lib/npm" --strip-components 1)
    # Debian makes this link when it configures.
    ln -s gawk "$root/usr/bin/awk"
    ln -s ../local/lib/npm/bin/npm-cli.js "$root/usr/bin/npm"
    ln -s ../local/lib/npm/bin/npx-cli.js "$root/usr/bin/npx"
    chmod +x "$root/usr/local/lib/npm/bin/"*-cli.js
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    printf 'root:x:0:0:root:/root:/bin/bash\n' >"$root/etc/passwd"
    rm -rf "$folder/files" "$folder/cache" "$folder/state"
    touch "$root/ready"
}

[ -e "$root/ready" ] || unpacked >&2
# shellcheck disable=SC2016
exec unshare --user --map-root-user --mount bash -euc '
    root=$1 folder=$2
    shift 2
    mount -t binfmt_misc none "$root/proc"
    # Which bytes a program for arm64 begins with, as Debian registers it.
    printf "%s" ":arm64:M::\x7f\x45\x4c\x46\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:$(command -v qemu-aarch64-static):PF" >"$root/proc/register"
    for part in /proc /dev /tmp "$folder"; do
        mount --rbind "$part" "$root$part"
    done
    exec chroot "$root" /usr/bin/env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -c "cd \"\$0\" && exec \"\$@\"" "$folder" "$@"
' bash "$root" "$PWD" "$@"
