// How long a press takes in the browser is measured there, and reaches the server's figures (002 7.1).

import assert from "node:assert/strict";
import { one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { scene } from "./scene.mjs";
import { until } from "./stage.mjs";
import { WITHOUT_WORKER } from "./visitor.mjs";

const here = scene();
const { stage, story } = here;

const figures = async () => (await stage.call("GET", "/api/status")).json.browser_operations;

story("D8 a page tells how long it took to load and to be answered, and warns of what was slow", WITHOUT_WORKER, async (person) => {
  const ask = await stage.ask(one());
  const before = await figures();
  const page = await person.at(ask);
  const warned = [];
  page.on("console", (message) => message.type() === "warning" && warned.push(message.text()));
  // The server takes its time with this one.
  await page.route(`**/asks/${ask.ask_id}/answer`, async (route) => {
    await new Promise((done) => setTimeout(done, 250));
    await route.continue();
  });
  const card = new Card(page);
  await card.pick("db", "pg");
  await card.send();
  await card.closed();
  await until("the warning", () => warned.some((text) => /^Slow operation detected: answer took \d+ms$/.test(text)));
  // What is told on leaving would be held up by the route, and end with the page.
  await page.unrouteAll();
  await page.goto("about:blank");
  const after = await until("the timings arrive", async () => {
    const now = await figures();
    return now.count >= before.count + 2 ? now : null;
  });
  assert.ok(after.slowOperations > before.slowOperations && after.p95ResponseTime >= 200, JSON.stringify(after));
});

story("D8 what is told on leaving is not lost with the page's service worker", async (person) => {
  const before = await figures();
  const page = await person.at(await stage.ask(one()));
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.goto("about:blank");
  await until("the time of loading arrives", async () => (await figures()).count > before.count);
});

story("D8 without script nothing is measured and nothing is missing", { script: false }, async (person) => {
  const before = await figures();
  const ask = await stage.ask(one());
  const page = await person.at(ask);
  await page.locator("#answer").waitFor();
  await page.goto("about:blank");
  assert.deepEqual(await figures(), before);
});
