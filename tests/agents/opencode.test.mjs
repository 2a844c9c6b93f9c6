// opencode: the model calls our tool.

import assert from "node:assert/strict";
import { test } from "node:test";
import { QUESTION, STORY_MS, WHICH, says_southward } from "./agent.mjs";
import { LAST_WORDS } from "./model.mjs";
import { with_opencode } from "./opencode.mjs";

test("P16 in `opencode run` the model calls our tool, and the person's answer is in its next request", { timeout: STORY_MS }, () =>
  with_opencode({ calls: [{ tool: /^askuser_ask_user_question$/, input: WHICH }] }, async ({ stage, model, agent, person }) => {
    const running = agent.start("opencode", ["run", "--format", "json", "Ask me."]);
    stage.closing.push(running.kill);
    const ask = await person.asked(QUESTION);
    assert.equal(ask.asker.agent, "opencode");
    await person.picks(ask, "Southward");
    const result = await model.result();
    assert.ok(says_southward(result.text), result.text);
    const { code, out } = await running.ended;
    assert.equal(code, 0, out);
    assert.ok(out.includes(LAST_WORDS), out);
  }),
);
