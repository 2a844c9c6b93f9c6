"""A client that is generated from `/openapi.json`, as anybody would: it asks, waits, answers and looks back."""

import importlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import urllib.request
from pathlib import Path

ASKUSER = os.environ["ASKUSER_BIN"]


def started(folder):
    """A server in a folder of its own: the process, where it is, and its keys."""
    home = folder / "desk"
    home.mkdir()
    env = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "ASKUSER_HOME": str(home)}
    command = [ASKUSER, "serve", "--listen", "127.0.0.1:0"]
    server = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    url = server.stdout.readline().decode().strip().removeprefix("askuser listening on ")
    return server, url, {role: (home / "keys" / role).read_text().strip() for role in ("agent", "person", "admin")}


def generated(folder, url):
    """The client, made from the document as it is served."""
    with urllib.request.urlopen(f"{url}/openapi.json") as answer:
        (folder / "openapi.json").write_bytes(answer.read())
    generator = [sys.executable, "-m", "openapi_python_client", "generate", "--path", str(folder / "openapi.json")]
    made = subprocess.run(
        [*generator, "--output-path", str(folder / "desk_client"), "--meta", "none"], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stdout + made.stderr
    lost = [line for line in made.stdout.splitlines() if line.startswith("WARNING") and "/metrics" not in line]
    assert not lost, lost
    sys.path.insert(0, str(folder))
    return importlib.import_module("desk_client")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server, url, keys = started(folder)
        try:
            story(generated(folder, url), url, keys)
        finally:
            server.terminate()
            server.wait()


def story(desk_client, url, keys):
    model = lambda name: getattr(importlib.import_module("desk_client.models"), name)
    call = lambda name: importlib.import_module(f"desk_client.api.default.{name}").sync
    of = lambda role: desk_client.AuthenticatedClient(base_url=url, token=keys[role], timeout=60)
    agent, person, admin = of("agent"), of("person"), of("admin")

    question = {"question": "Which one?", "header": "Database", "options": ["PostgreSQL", "MySQL"]}
    body = model("AskPeopleBody").from_dict({"questions": [question], "context": "For the shop."})
    asked = call("ask_people")(client=agent, body=body, idempotency_key="one")
    assert isinstance(asked, model("Ask")), asked
    assert (asked.status.value, asked.context, asked.outcome) == ("showing", "For the shop.", None), asked
    again = call("ask_people")(client=agent, body=body, idempotency_key="one")
    assert again.ask_id == asked.ask_id

    heard = []
    waits = lambda: heard.append(call("show_ask")(asked.ask_id, client=agent, wait=30.0))
    waiting = threading.Thread(target=waits)
    waiting.start()

    [open_ask] = call("inbox")(client=person, short_ids=True).asks
    assert open_ask.short_id and open_ask.ask_id.endswith(open_ask.short_id)
    [shown] = open_ask.questions
    assert [choice.label for choice in shown.options] == ["PostgreSQL", "MySQL"]
    answers = model("Answers").from_dict({"answers": {shown.question_id: "MySQL"}, "notes": {shown.question_id: "cheap"}})
    answered = call("answer")(open_ask.ask_id, client=person, body=answers)
    assert answered.outcome.status.value == "answered", answered

    waiting.join(40)
    [told] = heard
    assert told.outcome.answered_by.value == "person", told
    [answer] = told.outcome.answers
    assert ([choice.label for choice in answer.selected], answer.note) == (["MySQL"], "cheap")

    late = call("answer")(open_ask.ask_id, client=person, body=answers)
    assert isinstance(late, model("Failure")) and late.error.value == "already_closed", late
    foreign = call("inbox")(client=agent)
    assert isinstance(foreign, model("Failure")) and foreign.error.value == "forbidden", foreign

    page = call("history")(client=person, q="which")
    assert [ask.ask_id for ask in page.asks] == [asked.ask_id] and page.next_ is None, page
    [session] = call("list_sessions")(client=person).sessions
    chain = call("messages")(session.id, client=person)
    assert chain.messages, chain
    status = call("show_status")(client=admin)
    assert (status.database, status.open_asks, status.stopping) == ("sqlite", 0, False), status
    entries = call("search_audit")(client=admin, user="local").entries
    assert "answer" in [entry.action.value for entry in entries], json.dumps([entry.to_dict() for entry in entries])
    print("A generated client asked, waited, answered and looked back.")


main()
