// The columns of the matrix: what is done with every agent, and what must come of it.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { until } from "../browser/stage.mjs";
import { says_southward } from "./agent.mjs";
import { HTTP, PIPES, SLOW_MS, is_answer, is_pending } from "./cell.mjs";
import { LAST_WORDS } from "./model.mjs";

/** Longer than the minute after which many clients give up. */
const LONG_S = 75;
/** A client that gives up soon, and a server that comes back sooner. */
const LIMIT_S = 12;
const HOLD_S = 5;
/** A client that gives up before it hears a second word of progress, so that none waits on. */
export const SHORT_S = 6;
/** Within this the hook has ended by itself, once Esc was pressed. */
const GONE_MS = 1_000;
/** Within this its card says so: a hook that was killed is waited for, in case it comes back. */
const TOLD_MS = 4_000;
/** How long what Esc should end is looked for. */
const LOOKING_MS = 15_000;
/** How long a client may take to notice that its desk was away. */
const NOTICING_MS = 150_000;

/**
 * `silent` is how it is for an agent that gives up without a word: what is sent to it then counts as told. `needs` is
 * the tool of the agent's own that is tried.
 * @typedef {{name: string, like: object, silent?: object, needs?: "own" | "in_passing", run: (cell: import("./cell.mjs").Cell) => Promise<number>}} Column
 */

/** The agent asks; the person answers after so many seconds. */
const answers_after = (after_s) => async (cell) => {
  cell.start();
  const ask = await cell.asked();
  if (after_s > 0) await cell.meanwhile(() => pause(cell.model.calls_ms[0] + after_s * 1000 - Date.now()));
  await cell.person.picks(ask, "Southward");
  const idx = await cell.answered();
  await cell.asked_once();
  await cell.ends_well();
  return cell.seconds(idx);
};

/** The server comes back before the client gives up: the question is pending, and the model goes on waiting. */
async function pending(cell) {
  cell.start();
  const ask = await cell.asked();
  const past_limit = () => Date.now() - cell.model.calls_ms[0] > LIMIT_S * 1000;
  const told_twice = () => [...cell.model.results.values()].filter(is_pending).length >= 2;
  await cell.meanwhile(() => cell.model.hears("pending, twice", () => past_limit() && told_twice(), SLOW_MS));
  await cell.person.picks(ask, "Southward");
  const idx = await cell.answered();
  const before = [...cell.model.results.values()].slice(0, idx);
  assert.ok(before.every(is_pending), cell.said());
  await cell.asked_once();
  await cell.ends_well();
  return cell.seconds(idx);
}

/** The client gives up, and its model asks the same again. */
async function asks_again(cell) {
  cell.start();
  const ask = await cell.asked();
  await cell.meanwhile(() => cell.model.hears("asked again", () => cell.model.calls_ms.length >= 2, SLOW_MS));
  assert.ok(!is_answer(cell.model.results.get(0)), cell.said());
  await cell.person.picks(ask, "Southward");
  const idx = await cell.answered();
  await cell.asked_once();
  await cell.ends_well();
  return cell.seconds(idx);
}

/**
 * The client gives up, the person answers, and only then the model asks the same again. From a client that gives up
 * without a word the server is back before, and the model waits again.
 */
async function answered_while_away(cell) {
  let answer = () => {};
  const answered = new Promise((done) => (answer = done));
  cell.model.thinks = (results) => (results.length > 0 ? answered : undefined);
  cell.start();
  const ask = await cell.asked();
  await cell.meanwhile(() => cell.model.hears("the client gave up", () => cell.model.results.has(0), SLOW_MS));
  assert.ok(!is_answer(cell.model.results.get(0)), cell.said());
  await cell.person.picks(ask, "Southward");
  answer();
  const idx = await cell.answered();
  assert.equal(idx, 1, cell.said());
  await cell.asked_once();
  await cell.ends_well();
  return cell.seconds(idx);
}

/** The agent is killed; started anew, it goes on with its conversation and asks the same again. */
async function agent_killed(cell) {
  cell.start();
  const ask = await cell.asked();
  cell.running.kill();
  await cell.running.ended;
  const n_calls = cell.model.calls_ms.length;
  cell.start({ again: true });
  await cell.model.hears("asked again", () => cell.model.calls_ms.length > n_calls, SLOW_MS).catch((error) => {
    throw new Error(`${error.message}\n${cell.said()}`);
  });
  await cell.person.picks(ask, "Southward");
  const idx = await cell.answered();
  await cell.asked_once();
  await cell.ends_well();
  return cell.seconds(idx);
}

/** The agent is killed, the person answers, and only then it is started anew and asks the same again. */
async function answered_while_dead(cell) {
  cell.start();
  const ask = await cell.asked();
  cell.running.kill();
  await cell.running.ended;
  await cell.person.picks(ask, "Southward");
  const n_calls = cell.model.calls_ms.length;
  cell.start({ again: true });
  const idx = await cell.answered(SLOW_MS);
  assert.ok(cell.model.calls_ms.length > n_calls, `it had the answer without asking again\n${cell.said()}`);
  await cell.asked_once();
  await cell.ends_well();
  return (cell.model.told_ms.get(idx) - cell.model.calls_ms[n_calls]) / 1000;
}

/** The desk is killed while the agent waits, and comes back; the person answers the card that they saw before. */
const desk_killed = (carrier) => async (cell) => {
  cell.start();
  const ask = await cell.asked();
  await cell.desk_crashes(carrier);
  await cell.person.opens(`/asks/${ask.ask_id}`);
  await cell.person.picks(ask, "Southward");
  const idx = await cell.answered(NOTICING_MS);
  await cell.asked_once();
  await cell.ends_well();
  return cell.seconds(idx);
};

/** The agent's own question is answered at our desk. */
async function own_tool(cell) {
  const terminal = cell.in_terminal();
  const ask = await cell.asked();
  await cell.person.picks(ask, "Southward");
  const result = await cell.model.result(0, SLOW_MS);
  assert.ok(result.text.includes("Southward") && !result.text.includes("Northward"), result.text);
  await terminal.shows("the end of the turn", (screen) => screen.includes(LAST_WORDS), SLOW_MS);
  await cell.asked_once();
  return cell.seconds(0);
}

/** What the agent asks and does not wait for is answered at our desk, and handed over as its user's words when its turn ends. */
async function in_passing(cell) {
  let go_on = () => {};
  const worked = new Promise((done) => (go_on = done));
  cell.model.thinks = (results) => (results.length > 0 ? worked : undefined);
  const terminal = cell.in_terminal();
  const ask = await cell.asked();
  const nobody_waits = async () => (await cell.stage.call("GET", `/api/asks/${ask.ask_id}`)).json.nobody_waits === true;
  await cell.model.result(0, SLOW_MS);
  assert.ok(await nobody_waits(), "it works on, and the card does not say that nobody waits");
  go_on();
  const { shows } = cell.own;
  await terminal.shows(`on its screen: ${shows.join(", ")}`, (screen) => shows.every((text) => screen.includes(text)), SLOW_MS);
  assert.ok(!(await nobody_waits()), "its turn has ended, and the card says that nobody waits");
  await cell.person.picks(ask, "Southward");
  const answered_ms = Date.now();
  await cell.model.hears("the answer", () => [...cell.model.words].some(says_southward), SLOW_MS);
  const seconds = (Date.now() - answered_ms) / 1000;
  await cell.asked_once();
  return seconds;
}

/** While it waits, the agent's own terminal says what is asked, or where to answer: also in the usual 80 columns. */
async function shown(cell) {
  const terminal = cell.in_terminal(80);
  await cell.asked();
  const asked_ms = Date.now();
  const { shows } = cell.own;
  await terminal.shows(`on its screen: ${shows.join(", ")}`, (screen) => shows.every((text) => screen.includes(text)), 15_000);
  const screen = terminal.screen();
  assert.ok(!/askuser-[0-9a-f]{32}\.localhost/.test(screen), `the page's own name is for people only:\n${screen}`);
  return (Date.now() - asked_ms) / 1000;
}

/** Esc frees the terminal at once: the hook ends, the card says so, and the agent listens again. */
async function esc(cell) {
  const terminal = cell.in_terminal();
  await cell.asked();
  const hooks = await until("our hook waits", () => cell.hooks().length > 0 && cell.hooks());
  const { dialog } = cell.own;
  if (dialog) await terminal.shows("its own dialog", (screen) => screen.includes(dialog), SLOW_MS);
  terminal.presses("Escape");
  // How long it takes itself to close its dialog is its own affair.
  if (dialog) await until("its own dialog closes", () => !terminal.screen().includes(dialog), SLOW_MS);
  const pressed_ms = Date.now();
  /** How long after that something was so; every one of them is looked for, to say all that is wrong. */
  const after_ms = (look) => until("", look, LOOKING_MS).then(() => Date.now() - pressed_ms, () => Infinity);
  const [hook_ms, card_ms] = await Promise.all([after_ms(() => cell.running_of(hooks).length === 0), after_ms(() => cell.person.sees_left())]);
  terminal.presses("hello");
  // Typed faster than people type, the key that ends it would count as a part of it.
  await terminal.shows("what is typed", (screen) => screen.includes("hello"), LOOKING_MS);
  terminal.presses("Enter");
  const free_ms = await after_ms(() => terminal.screen().includes(LAST_WORDS));
  const told = (what, ms) => (ms === Infinity ? `${what} never` : `${what} after ${ms} ms`);
  const all = [told("hook gone", hook_ms), told("card told so", card_ms), told("it listened again", free_ms)].join(", ");
  assert.ok(hook_ms <= GONE_MS && card_ms <= TOLD_MS && free_ms < Infinity, `${all}\n${terminal.screen()}`);
  return card_ms / 1000;
}

const both = (name, like, run, silent) =>
  [PIPES, HTTP].map((carrier) => ({ name: `${name}, ${carrier}`, like: { ...like, carrier }, silent, run: run(carrier) }));

/** @type {Column[]} */
export const COLUMNS = [
  { name: "own tool", like: {}, needs: "own", run: own_tool },
  { name: "own tool, in passing", like: {}, needs: "in_passing", run: in_passing },
  { name: "terminal says", like: {}, needs: "own", run: shown },
  { name: "Esc", like: {}, needs: "own", run: esc },
  ...both("at once", {}, () => answers_after(0)),
  ...both("75 s", {}, () => answers_after(LONG_S)),
  ...both("pending", { limit_s: LIMIT_S, hold_s: HOLD_S }, () => pending),
  ...both("gives up, asks again", { limit_s: SHORT_S }, () => asks_again),
  ...both("answered while away", { limit_s: SHORT_S }, () => answered_while_away, { limit_s: LIMIT_S, hold_s: HOLD_S }),
  ...both("agent killed", {}, () => agent_killed),
  ...both("killed, answered, asked again", {}, () => answered_while_dead),
  ...both("desk killed", {}, desk_killed),
];
