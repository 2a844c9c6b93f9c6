"""The Python SDK 2.x: the newest protocol and the older ones, over pipes and over HTTP."""

import asyncio
import json
import os
import subprocess
import tempfile
import urllib.request
from contextlib import asynccontextmanager
from pathlib import Path

from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.types import ElicitResult

ASKUSER = os.environ["ASKUSER_BIN"]


def which(question):
    options = [{"label": "Alpha", "description": "the first"}, {"label": "Beta", "description": "the second"}]
    return {"questions": [{"question": question, "header": "H", "multiSelect": False, "options": options}]}


class Desk:
    """A daemon in a folder of its own, and the person who answers there."""

    def __init__(self, folder, config=""):
        self.folder = Path(folder)
        self.env = {"HOME": folder, "PATH": "/usr/bin:/bin", "ASKUSER_HOME": str(self.folder / "desk")}
        (self.folder / "desk").mkdir()
        (self.folder / "desk/config.yaml").write_text(config)
        (self.folder / "desk/config.yaml").chmod(0o600)
        command = [ASKUSER, "serve", "--listen", "127.0.0.1:0"]
        self.daemon = subprocess.Popen(command, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.url = self.daemon.stdout.readline().decode().strip().removeprefix("askuser listening on ")
        self.keys = {role: (self.folder / "desk/keys" / role).read_text().strip() for role in ("agent", "person")}

    def person(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.keys['person']}", "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body else None
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    async def pick(self, text, label):
        for _ in range(1500):
            for ask in (await asyncio.to_thread(self.person, "GET", "/api/inbox"))["asks"]:
                if ask["questions"][0]["question"] == text:
                    answers = {ask["questions"][0]["question_id"]: label}
                    path = f"/api/asks/{ask['ask_id']}/answer"
                    return await asyncio.to_thread(self.person, "POST", path, {"answers": answers})
            await asyncio.sleep(0.02)
        raise AssertionError(f"never asked: {text}")

    def close(self):
        self.daemon.terminate()
        self.daemon.wait()


@asynccontextmanager
async def connected(desk, way, mode, **more):
    if way == "pipes":
        server = StdioServerParameters(command=ASKUSER, args=["mcp"], env=desk.env, cwd=desk.folder)
        async with Client(server, mode=mode, **more) as client:
            yield client
        return
    headers = {"Authorization": f"Bearer {desk.keys['agent']}"}
    async with create_mcp_http_client(headers=headers) as http:
        transport = streamable_http_client(f"{desk.url}/mcp", http_client=http)
        async with Client(transport, mode=mode, **more) as client:
            yield client


async def answered(client, desk, question):
    told = []

    async def progress(done, total, message):
        told.append(message)

    asking = asyncio.create_task(client.call_tool("ask_user_question", which(question), progress_callback=progress))
    await desk.pick(question, "Beta")
    result = await asking
    expected = f'User has answered your questions: "{question}"="Beta".'
    assert result.content[0].text.startswith(expected), result
    assert result.structured_content["answers"][0]["selected"][0]["label"] == "Beta"
    assert not result.is_error
    assert "Waiting for an answer" in told[0], told


async def in_its_own_dialog(desk, way, mode):
    async def fill(context, params):
        schema = params.requested_schema
        schema = schema if isinstance(schema, dict) else schema.model_dump(by_alias=True)
        name, field = next(iter(schema["properties"].items()))
        return ElicitResult(action="accept", content={name: field["oneOf"][0]["const"]})

    async with connected(desk, way, mode, elicitation_callback=fill) as client:
        result = await client.call_tool("ask_user_question", which(f"In the dialog, {way}, {mode}?"))
        assert '="Alpha"' in result.content[0].text, result


async def main():
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(folder)
        for way in ("pipes", "http"):
            for mode in ("auto", "legacy"):
                async with connected(desk, way, mode) as client:
                    names = [tool.name for tool in (await client.list_tools()).tools]
                    assert names == ["ask_user_question", "wait_for_answer", "list_asks", "cancel_ask"], names
                    await answered(client, desk, f"Python, {way}, {mode}?")
                    wrong = await client.call_tool("ask_user_question", {"questions": []})
                    assert wrong.is_error
                    print(f"Python SDK over {way}, {mode} ({client.protocol_version}): well")
        desk.close()
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(folder, "mcp: {agent_dialog: true}\n")
        for way in ("pipes", "http"):
            for mode in ("auto", "legacy"):
                await in_its_own_dialog(desk, way, mode)
        print("Python SDK, in its own dialog: well")
        desk.close()


asyncio.run(main())
