// opencode's plugin of ours without opencode: its own client over HTTP to a server on loopback that takes
// what opencode's server takes, and the real hook, installed by `askuser install` and at a real desk.

import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Stage, root, until } from "../browser/stage.mjs";
import { Agent } from "../agents/agent.mjs";

/** opencode's own client, as it hands it to plugins. */
const SDK = join(root, "target/npm/opencode/node_modules/@opencode-ai/sdk/dist/index.js");
/** The longest that a story may take, so that nothing hangs. */
const STORY_MS = 60_000;

/** What came in over HTTP, as `{method, path, body}`, and what is said to it by path. */
const came = [];
const says = new Map();
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  came.push({ method: request.method, path: request.url, type: request.headers["content-type"], body });
  const [status, said] = says.get(request.url) ?? [200, true];
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(said));
});
const stage = new Stage();
let plugin;

before(async () => {
  await stage.start();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const agent = new Agent(stage, "opencode", {});
  agent.install();
  // A module by its name for node as well; opencode takes any.
  const file = join(stage.folder, "askuser.mjs");
  copyFileSync(join(stage.folder, ".config/opencode/plugins/askuser.js"), file);
  const { Askuser } = await import(pathToFileURL(file));
  const { createOpencodeClient } = await import(pathToFileURL(SDK));
  const client = createOpencodeClient({ baseUrl: `http://127.0.0.1:${server.address().port}`, directory: agent.work });
  plugin = await Askuser({ client, directory: agent.work });
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await stage.strike();
});

const asked = (id) => ({
  id: "evt_1",
  type: "question.asked",
  properties: {
    id,
    sessionID: "ses_1",
    questions: [{ question: `Which way, ${id}?`, header: "Way", options: [{ label: "North", description: "n" }, { label: "South", description: "s" }] }],
    tool: { messageID: "msg_1", callID: "call_0" },
  },
});

/** Hands an event of opencode's bus to the plugin, and waits until it is asked at the desk. */
async function ask(id) {
  await plugin.event({ event: asked(id) });
  return until(`asked: ${id}`, async () => {
    const { json } = await stage.call("GET", "/api/inbox");
    return json.asks.find((each) => each.questions[0].question === `Which way, ${id}?`);
  });
}

const pick = ({ ask_id, questions: [{ question_id }] }, label) => stage.answer(ask_id, { [question_id]: label });

const came_to = (path) => until(`a request to ${path}`, () => came.find((each) => each.path.split("?")[0] === path));

test("what the person picks is posted as the reply, byte for byte", { timeout: STORY_MS }, async () => {
  await pick(await ask("que_1"), "South");
  const { method, type, body } = await came_to("/question/que_1/reply");
  assert.deepEqual({ method, type, body }, { method: "POST", type: "application/json", body: '{"answers":[["South"]]}' });
});

test("declined, the question is rejected", { timeout: STORY_MS }, async () => {
  const { ask_id } = await ask("que_2");
  await stage.cancel(ask_id, "not now");
  assert.equal((await came_to("/question/que_2/reject")).method, "POST");
});

test("settled in opencode's own dialog, the card goes", { timeout: STORY_MS }, async () => {
  for (const [id, type] of [["que_3", "question.replied"], ["que_4", "question.rejected"]]) {
    const { ask_id } = await ask(id);
    await plugin.event({ event: { type, properties: { sessionID: "ses_1", requestID: id } } });
    await until("the card is gone", async () => !(await stage.is_open(ask_id)));
    assert.match((await stage.outcome(ask_id)).comment, /settled in the agent's own dialog/);
  }
});

test("an answer that opencode does not take is said so, in its terminal", { timeout: STORY_MS }, async () => {
  says.set("/question/que_5/reply", [404, { name: "NotFoundError", data: { message: "gone" } }]);
  await pick(await ask("que_5"), "North");
  assert.match((await came_to("/tui/show-toast")).body, /did not take the answer/);
  // In all, and nothing for those that were settled in its own dialog.
  const paths = came.map(({ path }) => path.split("?")[0]);
  assert.deepEqual(paths, ["/question/que_1/reply", "/question/que_2/reject", "/question/que_5/reply", "/tui/show-toast"]);
});
