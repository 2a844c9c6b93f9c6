#!/usr/bin/env bash
# Keeps a database of today's schema, as today's program writes it, for tests/schema/main.rs.
# Run it before a migration is added. One that is kept is never changed: databases like it are out there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

latest=$(basename "$(printf '%s\n' src/store/sqlite/migrations/*.sql | sort | tail -1)")
latest=${latest%%_*}
kept=tests/schema/$latest.sql
if [ -e "$kept" ]; then
    echo "$kept is kept already, and never changed" >&2
    exit 1
fi

cargo build --quiet --locked --bin askuser
program=$PWD/target/debug/askuser
folder=$(mktemp -d)
# In a folder whose name every machine has: it is kept with what is asked.
run() (
    cd /srv
    env -i HOME="$folder" ASKUSER_HOME="$folder/desk" PATH=/usr/bin:/bin LANG=C.UTF-8 "$program" "$@"
)
trap 'run stop >/dev/null 2>&1 || true; rm -rf "$folder"' EXIT

mkdir -p "$folder/desk"
printf '%s\n' '> @ANY@' >"$folder/agent.talk"
cat >"$folder/desk/config.yaml" <<CONFIG
server: {listen: 127.0.0.1:0}
runner: {folders: [/srv]}
agents:
  scripted: {driver: claude, command: /bin/sh, args: ["$PWD/tests/runner/agent.sh", "$folder/agent.talk"]}
CONFIG

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

python3 - "$folder/desk/askuser.db" "$kept" "$latest" <<'PYTHON'
import sqlite3, sys
database, kept, latest = sys.argv[1:]
db = sqlite3.connect(database)
lines = [line for line in db.iterdump()]
with open(kept, "w") as file:
    version = db.execute("SELECT program FROM schema_migration ORDER BY version DESC LIMIT 1").fetchone()[0]
    file.write(f"-- A database as askuser {version} wrote it (schema {int(latest)}). Never changed.\n")
    file.write("PRAGMA foreign_keys = OFF;\n")
    file.write(f"PRAGMA application_id = {db.execute('PRAGMA application_id').fetchone()[0]};\n")
    file.write("\n".join(lines) + "\n")
PYTHON
echo "kept $kept" >&2
