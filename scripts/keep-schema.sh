#!/usr/bin/env bash
# Keeps a database of today's schema, as today's program writes it, for tests/schema/main.rs.
# Run it before a migration is added. One that is kept is never changed: databases like it are out there.
#
#   scripts/keep-schema.sh [sqlite|postgres] [PROGRAM]
#
# PROGRAM is another than today's, where one that wrote an earlier schema is at hand.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

store=${1:-sqlite}
if [ -n "${2:-}" ]; then
    program=$2
else
    cargo build --quiet --locked --bin askuser
    program=$PWD/target/debug/askuser
fi
# The path of the program that answered is kept with the answer: it is one that everybody has.
kept_path=/usr/local/bin/askuser
[ ! -e "$kept_path" ] || { echo "$kept_path is there already: move it away first" >&2; exit 1; }
folder=$(mktemp -d)
install -m 755 "$program" "$kept_path"
# In a folder whose name every machine has: it is kept with what is asked.
run() (
    cd /srv
    env -i HOME="$folder" ASKUSER_HOME="$folder/desk" PATH=/usr/bin:/bin LANG=C.UTF-8 "$kept_path" "$@"
)
server=
leave() {
    run stop >/dev/null 2>&1 || true
    if [ -n "$server" ]; then kill "$server" && wait "$server" || true; fi
    rm -rf "$folder" "$kept_path"
}
trap leave EXIT

# A PostgreSQL of our own on a socket in the folder. It refuses to run as root.
if [ "$store" = postgres ]; then
    programs=$(dirname "$(printf '%s\n' /usr/lib/postgresql/*/bin/postgres | sort -V | tail -1)")
    as=()
    chmod 755 "$folder"
    mkdir "$folder/pg"
    if [ "$(id -u)" = 0 ]; then
        as=(setpriv --reuid postgres --regid postgres --clear-groups)
        chown postgres "$folder/pg"
    fi
    "${as[@]}" "$programs/initdb" --auth=trust --username=postgres --no-sync --encoding=UTF8 --no-locale \
        --pgdata "$folder/pg/data" >/dev/null
    "${as[@]}" "$programs/postgres" -D "$folder/pg/data" -c listen_addresses= \
        -c unix_socket_directories="$folder/pg" >"$folder/pg.log" 2>&1 &
    server=$!
    until "$programs/pg_isready" --quiet --host "$folder/pg"; do
        kill -0 "$server" || { cat "$folder/pg.log" >&2; exit 1; }
        sleep 0.1
    done
fi

mkdir -p "$folder/desk"
printf '%s\n' '> @ANY@' >"$folder/agent.talk"
cat >"$folder/desk/config.yaml" <<CONFIG
server: {listen: 127.0.0.1:0}
runner: {folders: [/srv]}
agents:
  scripted: {driver: claude, command: /bin/sh, args: ["$PWD/tests/runner/agent.sh", "$folder/agent.talk"]}
CONFIG
# Who asks starts a daemon over SQLite; one over PostgreSQL is started by whoever has one.
if [ "$store" = postgres ]; then
    run serve --database "postgres://postgres@/postgres?host=$folder/pg" >"$folder/serve.log" 2>&1 &
    until [ -s "$folder/desk/daemon.json" ]; do
        kill -0 $! || { cat "$folder/serve.log" >&2; exit 1; }
        sleep 0.1
    done
fi

# Asks at the desk, and prints the id of the open ask.
ask() {
    { run ask --where desk --session conversation --patience 200ms --reply full "$@" || true; } 2>/dev/null |
        grep -o 'ask_01[0-9A-Z]*' | head -1
}
question() {
    printf '{"question_id":"%s","header":"%s","question_text":"%s?","type":"multiple_choice","options":[{"id":"a","label":"A"},{"id":"b","label":"B"}]}' "$1" "$1" "$1"
}

answered=$(ask "$(question q1)")
run answer "$answered" --pick q1=a >/dev/null
declined=$(ask "$(question q2)")
run cancel "$declined" --reason 'not now' >/dev/null
ask --timeout 1s "$(question q3)" >/dev/null
run wait "$(run list --json | grep -o 'ask_01[0-9A-Z]*' | head -1)" >/dev/null 2>&1 || true
run restore conversation --round 1 --json >/dev/null
ask "$(question q5)" >/dev/null
run user add ben >/dev/null
run key create --role agent --user ben >/dev/null 2>&1
# It ends as it likes: the agent has nothing to say.
run run --agent scripted --folder /srv 'look around' >/dev/null 2>&1 || true
run audit --verify >&2
run stop >/dev/null

python3 - "$store" "$folder" "${programs:-}" <<'PYTHON'
import os, sqlite3, subprocess, sys
store, folder, programs = sys.argv[1:]
newest = "SELECT version, program FROM schema_migration ORDER BY version DESC LIMIT 1"
if store == "sqlite":
    db = sqlite3.connect(f"{folder}/desk/askuser.db")
    schema, version = db.execute(newest).fetchone()
    kept = f"tests/schema/{schema:04}.sql"
    lines = ["PRAGMA foreign_keys = OFF;"]
    lines.append(f"PRAGMA application_id = {db.execute('PRAGMA application_id').fetchone()[0]};")
    lines += db.iterdump()
else:
    def told(name, *args):
        command = [f"{programs}/{name}", "--host", f"{folder}/pg", "--username", "postgres", *args, "postgres"]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    schema, version = told("psql", "--tuples-only", "--no-align", "--command", newest).strip().split("|")
    schema = int(schema)
    kept = f"tests/schema/postgres/{schema:04}.sql"
    dump = told("pg_dump", "--inserts", "--no-owner", "--no-privileges", "--no-tablespaces")
    # What is for psql alone, and settings that an older server does not know.
    psql = lambda line: line.startswith(("\\", "--", "SET ")) or not line
    lines = [line for line in dump.splitlines() if not psql(line)]
if os.path.exists(kept):
    sys.exit(f"{kept} is kept already, and never changed")
with open(kept, "w") as file:
    file.write(f"-- A database as askuser {version} wrote it (schema {schema}). Never changed.\n")
    file.write("\n".join(lines) + "\n")
print(f"kept {kept}", file=sys.stderr)
PYTHON
