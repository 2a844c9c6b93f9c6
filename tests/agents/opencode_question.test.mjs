// opencode's own question tool, handed on by the plugin that `askuser install opencode` lays down: in its
// terminal beside its own dialog, and in its server behind a password.

import assert from "node:assert/strict";
import { test } from "node:test";
import { QUESTION, STORY_MS, WHICH } from "./agent.mjs";
import { LAST_WORDS } from "./model.mjs";
import { in_terminal, serve, with_opencode } from "./opencode.mjs";

const [{ question, header, options }] = WHICH.questions;
const LIKE = { calls: [{ tool: /^question$/, input: { questions: [{ question, header, options }] } }] };
/** How long the terminal may take to draw what we wait for. */
const DRAWING_MS = 150_000;
/** Within this a card closes that was settled elsewhere. */
const CLOSING_MS = 1_000;

/** Starts opencode in a terminal; waits until both ask. */
async function side_by_side(here) {
  const terminal = in_terminal(here);
  // The description of an option stands in the dialog only.
  await terminal.shows("its own dialog", (screen) => screen.includes("along the river"), DRAWING_MS);
  const ask = await here.person.asked(QUESTION);
  assert.equal(ask.asker.agent, "opencode");
  return { terminal, ask };
}

test("in opencode's terminal an answer at our desk closes its own dialog and reaches the model", { timeout: STORY_MS }, () =>
  with_opencode(LIKE, async (here) => {
    const { terminal, ask } = await side_by_side(here);
    await here.person.picks(ask, "Southward");
    const result = await here.model.result();
    assert.match(result.text, /"Which way shall we go\?"="Southward"/);
    const gone = (screen) => screen.includes(LAST_WORDS) && !screen.includes("along the river");
    await terminal.shows("the dialog closed", gone, DRAWING_MS);
  }),
);

test("in opencode's terminal an answer in its own dialog closes our card within a second, and it says so", { timeout: STORY_MS }, () =>
  with_opencode(LIKE, async (here) => {
    const { terminal } = await side_by_side(here);
    const closing = here.person.sees_closed(DRAWING_MS);
    terminal.presses("Enter");
    const result = await here.model.result();
    const told_ms = Date.now();
    assert.match(result.text, /"Which way shall we go\?"="Northward"/);
    const { text, at_ms } = await closing;
    assert.ok(at_ms - told_ms <= CLOSING_MS, `our card closed ${at_ms - told_ms} ms after the model was told`);
    assert.match(text, /settled in the agent's own dialog/);
  }),
);

test("opencode killed while it asks, our card closes and says so", { timeout: STORY_MS }, () =>
  with_opencode(LIKE, async (here) => {
    const { terminal } = await side_by_side(here);
    const closing = here.person.sees_closed(DRAWING_MS);
    terminal.kills();
    assert.match((await closing).text, /the agent no longer waits for it/);
  }),
);

test("in opencode's server behind a password the question is answered at our desk", { timeout: STORY_MS }, () =>
  with_opencode(LIKE, async (here) => {
    const call = await serve(here, "a-password-of-mine");
    const { json: session } = await call("POST", "/session", {});
    const parts = [{ type: "text", text: "Ask me." }];
    await call("POST", `/session/${session.id}/prompt_async`, { model: { providerID: "loop", modelID: "scripted" }, parts });
    const ask = await here.person.asked(QUESTION);
    const { json: open } = await call("GET", "/question");
    assert.equal(open[0].questions[0].question, QUESTION);
    await here.person.picks(ask, "Southward");
    const result = await here.model.result();
    assert.match(result.text, /"Which way shall we go\?"="Southward"/);
    assert.deepEqual((await call("GET", "/question")).json, []);
  }),
);
