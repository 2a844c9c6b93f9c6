#!/usr/bin/env bash
# What an operator relies on, tried by other programs: the figures by Prometheus' own parser, the rules
# for Prometheus by promtool (Debian's package) where it can be had, every route by schemathesis.
# The Python tools install themselves below target/.
#
#   ASKUSER_SCHEMATHESIS_EXAMPLES   made-up requests for each route, for each key (50)

# shellcheck source=scripts/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

examples=${ASKUSER_SCHEMATHESIS_EXAMPLES:-50}
venv=target/venv
home=
daemon=

finish() {
    if [ -n "$daemon" ]; then kill "$daemon" 2>/dev/null || true; fi
    if [ -n "$home" ]; then rm -rf "$home"; fi
}
trap finish EXIT

python_tools() {
    local wanted="schemathesis==4.32.5 prometheus_client==0.26.0"
    [ "$(cat "$venv/installed" 2>/dev/null)" = "$wanted" ] && return
    command -v python3 >/dev/null || install_packages python3 python3-venv
    python3 -m venv "$venv" || { install_packages python3-venv; python3 -m venv "$venv"; }
    # shellcheck disable=SC2086
    "$venv/bin/pip" install --quiet --disable-pip-version-check $wanted
    echo "$wanted" >"$venv/installed"
}

rules() {
    command -v promtool >/dev/null || install_packages prometheus ||
        { echo "promtool is not there: the rules are NOT CHECKED by it"; return 0; }
    promtool check rules contrib/prometheus/askuser.rules.yml
    (cd contrib/prometheus && promtool test rules askuser.rules.test.yml)
}

figures() {
    # promtool of Debian reads the older text format only, so the parser for OpenMetrics it is.
    "$venv/bin/python" scripts/check-metrics.py "$url" "$(cat "$home/keys/admin")"
    # What the stories of tests/http keep: every metric, before and after it moved.
    rm -rf target/tmp/figures
    cargo test --quiet --locked --workspace --test http every_metric_moves
    "$venv/bin/python" scripts/check-metrics.py target/tmp/figures
}

# The routes that wait for a person or stop the daemon are left out: the first take as long as one
# lets them, the second ends the test.
routes() {
    local role settings=$home/schemathesis.toml
    # An ask that is waited for takes as long as one says.
    printf '[parameters]\n"query.wait" = 0\n' >"$settings"
    for role in agent person admin; do
        echo "with the key of: $role"
        "$venv/bin/schemathesis" --config-file "$settings" run "$url/openapi.json" --header "Authorization: Bearer $(cat "$home/keys/$role")" \
            --checks not_a_server_error,response_schema_conformance,content_type_conformance,status_code_conformance \
            --max-examples "$examples" --seed 8 --request-timeout 20 --no-color \
            --exclude-path /api/stop --exclude-path /api/ws --exclude-path /api/events --exclude-path /mcp \
            --exclude-path '/api/hooks/{agent}'
    done
    curl -sf "$url/healthz" >/dev/null
}

step "tools" tools
step "Python tools" python_tools
step "rules for Prometheus" rules
step "the program" the_program

home=$(mktemp -d)
target/debug/askuser serve --listen 127.0.0.1:0 --data "$home" --set ask_user_question.rate_limit_requests=0 \
    --set server.failed_sign_ins=0 --set log.level=warn >"$home/said" 2>"$home/log" </dev/null &
daemon=$!
for _ in $(seq 100); do
    url=$(sed -n 's/^askuser listening on //p' "$home/said")
    [ -n "$url" ] && break
    sleep 0.1
done
[ -n "$url" ] || { cat "$home/log" >&2; exit 1; }
ASKUSER_URL=$url ASKUSER_AGENT_KEY=$(cat "$home/keys/agent") ASKUSER_HOME=$home target/debug/askuser ask --where desk \
    --patience 1ms '{"question_text":"Ship it?","type":"boolean"}' >/dev/null 2>&1 || true

step "figures, by Prometheus' parser" figures
step "every route, by schemathesis" routes
done_in_all "test-operating.sh"
