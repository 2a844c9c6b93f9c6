// The figures of tasks, in a real browser with a scripted agent: from a line on its standard output to the text on the
// screen, a session of 10,000 messages, and what a running task costs the daemon. Prints a table; fails where a figure
// that the product is held to is missed.
//
//   scripts/test-browser.sh --bench      (ASKUSER_BIN names a release build for figures worth quoting)

import { readFileSync } from "node:fs";
import { Stage, until } from "../tests/browser/stage.mjs";
import { browser, visitor } from "../tests/browser/visitor.mjs";

const N_LINES = Number(process.env.ASKUSER_BENCH_ROUNDS ?? 40);
const N_MESSAGES = Number(process.env.ASKUSER_BENCH_MESSAGES ?? 10_000);
const N_TASKS = 20;
/** The page keeps a window: more than this is never in it. */
const ENTRIES_MAX = 600;

const rows = [];
const missed = [];

function figure(name, values, unit = "ms") {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  rows.push({ figure: name, n: sorted.length, p50: `${at(0.5).toFixed(1)} ${unit}`, p95: `${at(0.95).toFixed(1)} ${unit}`, most: `${sorted.at(-1).toFixed(1)} ${unit}` });
}

const give = async (stage, text) => {
  const reply = await stage.call("POST", "/api/tasks", { body: { agent: "scripted", folder: stage.project, text } });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.json;
};
const status = async (stage, task) => (await stage.call("GET", `/api/tasks/${task.task_id}`)).json.status;

/** Each line has its moment in it; the page notes when the frame after it came shows it. */
async function lines(stage, person) {
  const task = await give(stage, `pieces ${N_LINES}`);
  const page = await person.open(`/tasks/${task.task_id}`);
  await page.evaluate(() => {
    window.drawn = { piece: {}, whole: {} };
    const look = () => {
      for (const [kind, at] of [["piece", ".coming .typed"], ["whole", "#stream .msg.text .markdown"]]) {
        for (const one of document.querySelectorAll(at)) {
          for (const [, n, moment] of one.textContent.matchAll(/\[(\d+):([\d.]+)\]/g)) {
            if (n in window.drawn[kind] || Number(moment) < window.begun) continue;
            window.drawn[kind][n] = null;
            requestAnimationFrame(() => (window.drawn[kind][n] = performance.timeOrigin + performance.now() - Number(moment)));
          }
        }
      }
    };
    // What was written before somebody looked is no figure.
    window.begun = performance.timeOrigin + performance.now();
    new MutationObserver(look).observe(document.getElementById("stream"), { childList: true, subtree: true, characterData: true });
  });
  await page.locator("#about[data-state=done]").waitFor({ timeout: 60_000 });
  const { piece, whole } = await page.evaluate(() => window.drawn);
  const seen = (of) => Object.values(of).filter((ms) => ms !== null);
  figure("a line of the agent to its piece of text on the screen", seen(piece));
  figure("a line of the agent to its message on the screen, on the disk before", seen(whole));
}

/** A session that is long and goes on being so, with the page open. */
async function flood(stage, person) {
  const task = await give(stage, "wait");
  const page = await person.open(`/tasks/${task.task_id}`);
  await page.locator("#composer[data-mode=say]").waitFor();
  await page.evaluate(() => {
    window.long = [];
    new PerformanceObserver((list) => window.long.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask", buffered: false });
  });
  await stage.call("POST", `/api/tasks/${task.task_id}/stop`, { body: {} });
  await page.locator("#about[data-state=stopped]").waitFor();
  const begun = performance.now();
  await stage.call("POST", `/api/tasks/${task.task_id}/resume`, { body: { text: `flood ${N_MESSAGES}` } });
  let most = 0;
  await until("all of them", async () => {
    most = Math.max(most, await page.locator("#stream > .entry").count());
    return (await page.locator(".msg.complete").count()) > 0;
  }, 300_000);
  const took = performance.now() - begun;
  const long = await page.evaluate(() => window.long);
  figure(`${N_MESSAGES} messages, from the first line to all on the screen`, [took]);
  figure("long tasks of the page meanwhile (over 50 ms)", long.length ? long : [0]);
  rows.push({ figure: "messages in the page at most", n: 1, p50: "", p95: "", most: `${most}` });
  if (most > ENTRIES_MAX) missed.push(`${most} messages in the page, ${ENTRIES_MAX} at most`);
  const opens = [];
  for (let n = 0; n < 10; n += 1) {
    const at = performance.now();
    await page.goto(`${stage.url}/tasks/${task.task_id}`);
    await page.locator(".msg.complete").waitFor();
    opens.push(performance.now() - at);
  }
  figure(`the page of a task with ${N_MESSAGES} messages, to its last one`, opens);
}

const resident = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]);

/** What the daemon holds for a task that runs: its agent's own memory is the agent's. */
async function memory(stage) {
  const warm = await give(stage, "wait");
  await until("it runs", async () => (await status(stage, warm)) === "running");
  const before = resident(stage.pid);
  const tasks = [];
  for (let n = 0; n < N_TASKS; n += 1) tasks.push(await give(stage, "wait"));
  for (const task of tasks) await until("it runs", async () => (await status(stage, task)) === "running");
  const each = (resident(stage.pid) - before) / N_TASKS;
  figure(`memory of the daemon for each of ${N_TASKS} running tasks`, [each], "KiB");
  for (const task of [warm, ...tasks]) await stage.call("POST", `/api/tasks/${task.task_id}/stop`, { body: {} });
}

const stage = new Stage();
stage.allow_tasks(N_TASKS + 4);
await stage.start();
try {
  await memory(stage);
  const chrome = await browser(stage);
  const person = await visitor(stage, chrome, {});
  await lines(stage, person);
  await flood(stage, person);
  await person.leave();
} finally {
  await stage.strike();
}
console.table(rows);
if (missed.length) throw new Error(missed.join("; "));
