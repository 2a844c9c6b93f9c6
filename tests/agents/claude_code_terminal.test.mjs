// Claude Code in a terminal: its own dialog and our card are open side by side, and the first answer wins.

import assert from "node:assert/strict";
import { test } from "node:test";
import { QUESTION, STORY_MS, WHICH } from "./agent.mjs";
import { in_terminal, with_claude_code } from "./claude_code.mjs";
import { LAST_WORDS } from "./model.mjs";

const CALLS = [{ tool: /^AskUserQuestion$/, input: WHICH }];
/** How long the terminal may take to draw what we wait for. */
const DRAWING_MS = 60_000;
/** Within this a card closes that was settled elsewhere. */
const CLOSING_MS = 1_000;

/** Starts Claude Code in a terminal; waits until both ask. */
async function side_by_side(here) {
  const terminal = in_terminal(here);
  // The description of an option stands in the dialog only.
  await terminal.shows("its own dialog", (screen) => screen.includes("along the river"), DRAWING_MS);
  return { terminal, ask: await here.person.asked(QUESTION) };
}

for (const [whence, vars] of [
  ["a shell", {}],
  ["another Claude Code's run without a terminal", { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }],
]) {
  test(`in the terminal, started from ${whence}, an answer at our desk closes its own dialog and reaches the model`, { timeout: STORY_MS }, () =>
    with_claude_code({ calls: CALLS, vars }, async (here) => {
      const { terminal, ask } = await side_by_side(here);
      await here.person.picks(ask, "Southward");
      const result = await here.model.result();
      assert.match(result.text, /"Which way shall we go\?"="Southward"/);
      const gone = (screen) => screen.includes(LAST_WORDS) && !screen.includes("along the river");
      await terminal.shows("the dialog closed", gone, DRAWING_MS);
    }),
  );
}

test("in the terminal an answer in its own dialog closes our card within a second, and it says so", { timeout: STORY_MS }, () =>
  with_claude_code({ calls: CALLS }, async (here) => {
    const { terminal } = await side_by_side(here);
    const closing = here.person.sees_closed(DRAWING_MS);
    terminal.presses("Enter");
    const result = await here.model.result();
    const told_ms = Date.now();
    assert.match(result.text, /"Which way shall we go\?"="Northward"/);
    const { text, at_ms } = await closing;
    assert.ok(at_ms - told_ms <= CLOSING_MS, `our card closed ${at_ms - told_ms} ms after the model was told`);
    assert.match(text, /settled in the agent's own dialog/);
    await terminal.shows("the end of the turn", (screen) => screen.includes(LAST_WORDS), DRAWING_MS);
  }),
);

test("in the terminal its own dialog dismissed closes our card within a second, and it says so", { timeout: STORY_MS }, () =>
  with_claude_code({ calls: CALLS }, async (here) => {
    const { terminal } = await side_by_side(here);
    const closing = here.person.sees_closed(DRAWING_MS);
    terminal.presses("Escape");
    await terminal.shows("the dialog closed", (screen) => screen.includes("User declined to answer"), DRAWING_MS);
    const gone_ms = Date.now();
    const { text, at_ms } = await closing;
    assert.ok(at_ms - gone_ms <= CLOSING_MS, `our card closed ${at_ms - gone_ms} ms after the dialog`);
    assert.match(text, /the agent no longer waits for it/);
  }),
);
