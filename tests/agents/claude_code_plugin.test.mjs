// The plugin instead of `askuser install`: Claude Code takes it, and its server and its hooks work.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../browser/stage.mjs";
import { QUESTION, STORY_MS, WHICH, says_southward } from "./agent.mjs";
import { print, with_claude_code } from "./claude_code.mjs";

const PLUGIN = join(root, "plugin");
const OUR_TOOL = "mcp__plugin_askuser_askuser__ask_user_question";

test("Claude Code finds nothing wrong with the plugin", { timeout: STORY_MS }, () =>
  with_claude_code({ calls: [], install: null }, async ({ agent }) => {
    const { code, out } = await agent.start("claude", ["plugin", "validate", PLUGIN, "--strict"]).ended;
    assert.equal(code, 0, out);
  }),
);

for (const [what, tool, more] of [
  ["our tool is called", OUR_TOOL, ["--allowedTools", OUR_TOOL]],
  ["its own question is answered", "AskUserQuestion", ["--permission-prompt-tool", "stdio"]],
]) {
  test(`with the plugin ${what}, and the person's answer is in the model's next request`, { timeout: STORY_MS }, () =>
    with_claude_code({ calls: [{ tool: new RegExp(`^${tool}$`), input: WHICH }], install: null }, async (here) => {
      // The plugin names the program by its name and the desk by where it usually is.
      here.agent.vars.ASKUSER_HOME = here.agent.data;
      const running = print(here, "--plugin-dir", PLUGIN, ...more);
      const ask = await here.person.asked(QUESTION);
      await here.person.picks(ask, "Southward");
      const result = await here.model.result();
      assert.ok(says_southward(result.text), result.text);
      const { code, out } = await running.ended;
      assert.equal(code, 0, out);
    }),
  );
}
