// Claude Code without a terminal: through our tool, and through its own AskUserQuestion and our hook.

import assert from "node:assert/strict";
import { test } from "node:test";
import { QUESTION, STORY_MS, WHICH } from "./agent.mjs";
import { print, with_claude_code } from "./claude_code.mjs";
import { LAST_WORDS } from "./model.mjs";

const OUR_TOOL = /^mcp__askuser__ask_user_question$/;
const ITS_OWN = /^AskUserQuestion$/;
/** Claude Code offers its own question only where somebody could be asked for permission. */
const HOST = ["--permission-prompt-tool", "stdio"];

async function answered(model, running) {
  const result = await model.result();
  assert.equal(result.failed, false, result.text);
  // Our tool's result is JSON, in which quotes are escaped.
  assert.match(result.text, /Which way shall we go\?\\?"=\\?"Southward/);
  assert.doesNotMatch(result.text, /Northward/);
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
    }),
  );
}
