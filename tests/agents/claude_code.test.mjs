// Claude Code without a terminal: through our tool, and through its own AskUserQuestion and our hook.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../browser/stage.mjs";
import { QUESTION, STORY_MS, WHICH, says_southward } from "./agent.mjs";
import { in_editor, print, with_claude_code } from "./claude_code.mjs";
import { LAST_WORDS } from "./model.mjs";

const OUR_TOOL = /^mcp__askuser__ask_user_question$/;
const ITS_OWN = /^AskUserQuestion$/;
/** Claude Code offers its own question only where somebody could be asked for permission. */
const HOST = ["--permission-prompt-tool", "stdio"];

async function answered(model, running) {
  const result = await model.result();
  assert.equal(result.failed, false, result.text);
  assert.ok(says_southward(result.text), result.text);
  const { code, out } = await running.ended;
  assert.equal(code, 0, out);
  assert.ok(out.includes(LAST_WORDS), out);
}

test("P16 in `claude -p` the model calls our tool, and the person's answer is in its next request", { timeout: STORY_MS }, () =>
  with_claude_code({ calls: [{ tool: OUR_TOOL, input: WHICH }] }, async (here) => {
    const running = print(here);
    const ask = await here.person.asked(QUESTION);
    assert.equal(ask.asker.agent, "claude-code");
    await here.person.picks(ask, "Southward");
    await answered(here.model, running);
    // Our tools are there from the start: the model need not look for them.
    assert.deepEqual([...here.model.searched], []);
  }),
);

for (const [whence, vars] of [
  ["a shell", {}],
  ["another Claude Code's terminal", { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli" }],
]) {
  test(`in \`claude -p\` from ${whence} its own question is answered at our desk`, { timeout: STORY_MS }, () =>
    with_claude_code({ calls: [{ tool: ITS_OWN, input: WHICH }], vars }, async (here) => {
      const running = print(here, ...HOST);
      const ask = await here.person.asked(QUESTION);
      assert.equal(ask.asker.agent, "claude-code");
      await here.person.picks(ask, "Southward");
      await answered(here.model, running);
      assert.deepEqual([...here.model.searched], []);
    }),
  );
}

test("in `claude -p` a question that nobody answers in time is put off, and finds its answer when the run is resumed", { timeout: STORY_MS }, () =>
  with_claude_code({ calls: [{ tool: ITS_OWN, input: WHICH }] }, async (here) => {
    const file = join(here.agent.home, ".claude/settings.json");
    const settings = JSON.parse(readFileSync(file, "utf8"));
    // As a person would who does not want a run to wait for them.
    settings.hooks.PreToolUse[0].hooks[0].args.push("--patience", "500ms");
    writeFileSync(file, JSON.stringify(settings));
    const { code, out } = await print(here, ...HOST).ended;
    assert.equal(code, 0, out);
    const { session_id, stop_reason } = JSON.parse(out.trim().split("\n").at(-1));
    assert.equal(stop_reason, "tool_deferred", out);
    assert.equal(here.model.results.size, 0, "the model was told nothing");
    const ask = await here.person.asked(QUESTION);
    await here.person.picks(ask, "Southward");
    const resumed = here.agent.start("claude", ["-p", "--resume", session_id, "--output-format", "json", ...HOST]);
    here.stage.closing.push(resumed.kill);
    await answered(here.model, resumed);
  }),
);

test("in an editor an answer at our desk closes its own dialog and reaches the model", { timeout: STORY_MS }, () =>
  with_claude_code({ calls: [{ tool: ITS_OWN, input: WHICH }] }, async (here) => {
    const running = in_editor(here);
    const dialog = await until("its own dialog", () => running.lines().find((line) => line.request?.subtype === "can_use_tool"), STORY_MS);
    assert.equal(dialog.request.input.questions[0].question, QUESTION);
    const ask = await here.person.asked(QUESTION);
    await here.person.picks(ask, "Southward");
    const result = await here.model.result();
    assert.match(result.text, /"Which way shall we go\?"="Southward"/);
    const closed = (line) => line.type === "control_cancel_request" && line.request_id === dialog.request_id;
    await until("the dialog is closed", () => running.lines().some(closed));
  }),
);
