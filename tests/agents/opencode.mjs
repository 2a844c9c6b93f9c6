// opencode, connected to a desk: how it is started, and what it must not ask for first.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Stage, until } from "../browser/stage.mjs";
import { Agent } from "./agent.mjs";
import { Model } from "./model.mjs";
import { Person } from "./person.mjs";
import { Terminal } from "./terminal.mjs";

/** How long opencode may take to start: it lays out a home first. */
const STARTING_MS = 120_000;

export const QUIET = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
};
/** What a person would have set already: which model, and that nothing goes out. */
export const settings = (model) => ({
  autoupdate: false,
  share: "disabled",
  model: "loop/scripted",
  small_model: "loop/scripted",
  provider: {
    loop: {
      name: "loop",
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${model.url}/v1`, apiKey: "nobody" },
      models: { scripted: { name: "scripted", tool_call: true, limit: { context: 100_000, output: 4_000 } } },
    },
  },
});

/**
 * A story with opencode: a desk, a model that makes `calls`, a person.
 * @param {{calls: import("./model.mjs").Call[], vars?: Record<string, string>, install?: string[]}} like
 * @param {(here: {stage: Stage, model: Model, agent: Agent, person: Person}) => Promise<void>} run
 */
export async function with_opencode({ calls, vars = {}, install = [] }, run) {
  const stage = await new Stage().start();
  try {
    const model = await new Model(...calls).open();
    stage.closing.push(() => model.close());
    const agent = new Agent(stage, "opencode", { ...QUIET, ...vars });
    const folder = join(agent.home, ".config/opencode");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "opencode.json"), JSON.stringify(settings(model)));
    // Where plugins are, it looks for a package of its own first, and without a network tries again for a minute.
    writeFileSync(join(agent.home, ".npmrc"), "fetch-retries=0\n");
    agent.install(...install);
    const person = await Person.at(stage);
    await run({ stage, model, agent, person });
    await person.leaves();
  } finally {
    await stage.strike();
  }
}

/** Starts opencode in a terminal and ends it with the stage. */
export function in_terminal({ stage, agent }) {
  const terminal = new Terminal(stage.folder, { command: [Agent.bin("opencode"), "--prompt", "Ask me."], cwd: agent.work, env: agent.env });
  stage.closing.push(() => terminal.close());
  return terminal;
}

/** opencode's server with a password, as another program of the person's uses it. */
export async function serve({ stage, agent }, password) {
  const running = agent.start("opencode", ["serve", "--hostname", "127.0.0.1", "--port", "0"], { vars: { OPENCODE_SERVER_PASSWORD: password } });
  stage.closing.push(running.kill);
  const [, url] = await until("opencode listens", () => running.out().match(/listening on (http:\/\/127\.0\.0\.1:\d+)/), STARTING_MS);
  const headers = { authorization: `Basic ${Buffer.from(`opencode:${password}`).toString("base64")}`, "content-type": "application/json" };
  return async (method, path, body) => {
    // It takes connections before it can answer.
    const reply = await until(`opencode answers ${path}`, () => fetch(url + path, { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(STARTING_MS) }), STARTING_MS);
    return { status: reply.status, json: await reply.json().catch(() => null) };
  };
}
