// Claude Code's permission prompts, with `install --permissions`: allowed in the browser it runs, denied it does not.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { STORY_MS } from "./agent.mjs";
import { in_terminal, print, with_claude_code } from "./claude_code.mjs";
import { LAST_WORDS } from "./model.mjs";

const COMMAND = "touch made-by-the-agent";
const LIKE = { calls: [{ tool: /^Bash$/, input: { command: COMMAND, description: "Makes a file" } }], install: ["--permissions"] };
const ASKED = /^Allow claude-code to use `Bash`\?/;
/** How long the terminal may take to draw what we wait for. */
const DRAWING_MS = 60_000;
/** The mode in which it asks; the one that it starts with decides by itself. */
const ASKING = ["--permission-mode", "default"];

const STARTS = [
  ["in the terminal", (here) => in_terminal(here, ...ASKING)],
  ["in `claude -p`", (here) => print(here, ...ASKING)],
];

for (const [where, start] of STARTS) {
  for (const [word, allowed] of [["yes", true], ["no", false]]) {
    test(`${where} a permission is asked at our desk: ${word}`, { timeout: STORY_MS }, () =>
      with_claude_code(LIKE, async (here) => {
        const begun = start(here);
        const ask = await here.person.asked(ASKED);
        assert.equal(ask.purpose, "permission");
        assert.ok((await here.person.sees()).includes(COMMAND), "what is to be run is shown in full");
        const made = join(here.agent.work, "made-by-the-agent");
        assert.equal(existsSync(made), false, "nothing runs before the answer");
        await here.person.picks(ask, word);
        const result = await here.model.result();
        assert.equal(result.failed, !allowed, result.text);
        if (!allowed) assert.match(result.text, /The user said no/);
        assert.equal(existsSync(made), allowed);
        if (begun.ended) assert.ok((await begun.ended).out.includes(LAST_WORDS));
        else await begun.shows("the end of the turn", (screen) => screen.includes(LAST_WORDS), DRAWING_MS);
      }),
    );
  }
}

test("in the terminal a permission denied in its own dialog closes our card, and nothing runs", { timeout: STORY_MS }, () =>
  with_claude_code(LIKE, async (here) => {
    const terminal = in_terminal(here, ...ASKING);
    await terminal.shows("its own dialog", (screen) => screen.includes("Do you want to proceed?"), DRAWING_MS);
    await here.person.asked(ASKED);
    const closing = here.person.sees_closed(DRAWING_MS);
    terminal.presses("Escape");
    assert.match((await closing).text, /the agent no longer waits for it/);
    assert.equal(existsSync(join(here.agent.work, "made-by-the-agent")), false);
  }),
);
