// The runner with real agents: a task is given, the agent asks three rounds, the person answers each in the
// browser, and the task is done. Claude Code over its stream of JSON, opencode over the Agent Client Protocol.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Stage, until } from "../browser/stage.mjs";
import { answers, card, give } from "../browser/task_page.mjs";
import { Agent, STORY_MS } from "./agent.mjs";
import * as claude_code from "./claude_code.mjs";
import { LAST_WORDS, Model } from "./model.mjs";
import * as opencode from "./opencode.mjs";
import { ASKING_MS, Person } from "./person.mjs";

const round = (question, ...labels) => ({
  questions: [{ question, header: "Way", multiSelect: false, options: labels.map((label) => ({ label, description: `go ${label}` })) }],
});
const ROUNDS = [
  { input: round("Which way shall we go?", "Northward", "Southward"), pick: "Southward" },
  { input: round("On foot or on wheels?", "Walking", "Cycling"), pick: "Walking" },
  { input: round("And when shall we start?", "Today", "Tomorrow"), pick: "Tomorrow" },
];

/**
 * A desk that may run one agent, a model that asks the rounds through `tool`, a person at the page.
 * @param {{name: string, like: (model: Model, agent: Agent) => {driver: string, args?: string[], vars: Record<string, string>}, tool: RegExp}} what
 * @param {(here: {stage: Stage, model: Model, agent: Agent, person: Person}) => Promise<void>} run
 */
async function with_runner({ name, like, tool }, run) {
  const stage = new Stage();
  try {
    const model = await new Model(...ROUNDS.map(({ input }) => ({ tool, input }))).open();
    stage.closing.push(() => model.close());
    const agent = new Agent(stage, name, {});
    const { driver, args = [], vars } = like(model, agent);
    const environment = Object.entries({ ...agent.env, ...vars }).map(([key, value]) => `${key}=${value}`);
    const agents = { [name]: { driver, command: Agent.bin(name), args, environment } };
    mkdirSync(agent.data, { mode: 0o700 });
    // JSON is YAML.
    writeFileSync(join(agent.data, "config.yaml"), JSON.stringify({ runner: { folders: [agent.work] }, agents }), { mode: 0o600 });
    await stage.start();
    const person = await Person.at(stage);
    await run({ stage, model, agent, person });
    await person.leaves();
  } catch (error) {
    error.message += `\n${stage.log}`;
    throw error;
  } finally {
    await stage.strike();
  }
}

const AGENTS = [
  {
    name: "claude",
    tool: /^AskUserQuestion$/,
    like: (model) => ({
      driver: "claude",
      args: ["--strict-mcp-config"],
      vars: { ...claude_code.QUIET, ANTHROPIC_API_KEY: claude_code.KEY, ANTHROPIC_BASE_URL: model.url },
    }),
  },
  {
    name: "opencode",
    tool: /ask_user_question$/,
    like: (model, agent) => {
      const folder = join(agent.home, ".config/opencode");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "opencode.json"), JSON.stringify(opencode.settings(model)));
      // As in its other stories: without a network it would try again for a minute.
      writeFileSync(join(agent.home, ".npmrc"), "fetch-retries=0\n");
      return { driver: "acp", args: ["acp"], vars: opencode.QUIET };
    },
  },
];

for (const what of AGENTS) {
  test(`D18 P5 ${what.name} is given a task in the browser, asks three rounds there, is done, and its transcript reads back the same`, { timeout: STORY_MS }, () =>
    with_runner(what, async ({ stage, model, agent, person }) => {
      const page = await person.opens("/tasks");
      const id = await give(page, "Ask me three things.");
      const { json: task } = await stage.call("GET", `/api/tasks/${id}`);
      for (const [idx, { input, pick }] of ROUNDS.entries()) {
        await card(page).locator("legend", { hasText: input.questions[0].question }).waitFor({ timeout: ASKING_MS });
        const [ask] = (await stage.call("GET", "/api/inbox")).json.asks;
        assert.equal(ask.session_id, task.session_id);
        assert.equal(ask.round, idx + 1);
        await answers(page, pick);
        const result = await model.result(idx);
        assert.equal(result.failed, false, result.text);
        assert.ok(result.text.includes(pick), result.text);
        await page.locator("#stream .msg.ask .opt.chosen", { hasText: pick }).waitFor();
      }
      await page.locator("#about[data-state=done]").waitFor({ timeout: 60_000 });
      await page.locator("#stream .msg", { hasText: LAST_WORDS }).first().waitFor();
      const { json: ended } = await stage.call("GET", `/api/tasks/${id}`);
      assert.equal(ended.status, "done", JSON.stringify(ended));
      assert.ok(ended.agent_session_id);
      // Out, in, and out again.
      for (const form of ["jsonl", "md"]) {
        const out = agent.askuser("history", task.session_id, "--export", form);
        for (const { pick } of ROUNDS) assert.ok(out.includes(pick), out);
        assert.ok(out.includes(LAST_WORDS), out);
        if (form === "jsonl") {
          const file = join(agent.work, "back.jsonl");
          writeFileSync(file, out);
          agent.askuser("history", "--import", file);
        }
        const back = agent.askuser("history", "file:back", "--export", form);
        assert.equal(untitled(back), untitled(out));
      }
    }),
  );
}

/** A transcript in Markdown begins with its title: the name of the session, or of the file. */
const untitled = (text) => text.replace(/^# .*\n/, "");

test("D18 what the agent says is told as it comes, its last words as the end of the task", { timeout: STORY_MS }, () =>
  with_runner(AGENTS[0], async ({ stage, agent, person }) => {
    const { json: task } = await stage.call("POST", "/api/tasks", { body: { folder: agent.work, text: "Ask me three things." } });
    const events = await fetch(`http://127.0.0.1:${stage.port}/api/events?since=0&session=${task.session_id}`, {
      headers: { authorization: `Bearer ${stage.keys.person}` },
    });
    let told = "";
    const reading = (async () => {
      for await (const chunk of events.body.pipeThrough(new TextDecoderStream())) told += chunk;
    })().catch(() => {});
    for (const { input, pick } of ROUNDS) await person.picks(await person.asked(input.questions[0].question), pick);
    await until("the end", () => told.includes('"kind":"complete"') && told.includes('"status":"done"'), 60_000);
    assert.match(told, new RegExp(`"kind":"complete","text":"${LAST_WORDS}"`));
    await stage.kill();
    await reading;
  }),
);
