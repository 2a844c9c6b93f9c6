// For everybody: no barrier that axe-core knows, narrow windows, large letters, no needless motion.

import assert from "node:assert/strict";
import { test } from "node:test";
import { every_kind, follow_ups, marks, one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { scene } from "./scene.mjs";
import { until } from "./stage.mjs";
import { axe_source, sideways } from "./visitor.mjs";

const here = scene((stage) => stage.allow_tasks());
const { stage, story } = here;

/** Asks for every page there is. */
async function pages() {
  const open = await stage.ask(every_kind({ timeoutMs: 600_000, context: "It is **due** on `main`." }));
  const nested = await stage.ask(follow_ups());
  const marked = await stage.ask(marks());
  const answered = await stage.ask(one({ session_id: `pages-${Date.now()}` }));
  await stage.answer(answered.ask_id, { db: { other: "DuckDB" } }, { db: "a note" });
  if ((await stage.call("GET", "/api/rules")).json.rules.length === 0) {
    // From an agent that asks nothing else here: the rule would answer it.
    const ruled = await stage.ask(one({ asker: { agent: "ruled" } }));
    await stage.answer(ruled.ask_id, { db: "pg" });
    await stage.call("POST", "/api/rules", { body: { ask_id: ruled.ask_id } });
  }
  const cancelled = await stage.ask(one());
  await stage.cancel(cancelled.ask_id, "not now");
  const ids = [open, nested, marked, answered, cancelled].map((ask) => `/asks/${ask.ask_id}`);
  return ["/", ...ids, "/sessions", `/sessions/${answered.session}`, "/preferences", "/browsers", "/rules", "/insight", "/transcript", "/nothing-here", "/tasks", await task()];
}

/** A task that has said everything and asks; one for all pages. */
async function task() {
  asking ??= (await stage.call("POST", "/api/tasks", { body: { folder: stage.project, text: "Add a sign-in" } })).json;
  await until("its question", async () => (await stage.call("GET", `/api/tasks/${asking.task_id}`)).json.open_asks[0]);
  return `/tasks/${asking.task_id}`;
}
let asking;

/** What axe-core finds that is serious. */
async function barriers(page) {
  await page.evaluate(axe_source());
  const found = await page.evaluate(async () => {
    const result = await window.axe.run(document, { resultTypes: ["violations"], iframes: false });
    return result.violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map((node) => node.html.slice(0, 200)) }));
  });
  return found.filter(({ impact }) => impact === "serious" || impact === "critical");
}

for (const theme of ["light", "dark"]) {
  for (const size of ["desk", "phone"]) {
    story(`D1 axe-core finds nothing serious on any page (${theme}, ${size})`, { theme, size }, async (person) => {
      const faults = [];
      for (const path of await pages()) {
        const page = await person.open(path);
        // Follow-ups are part of the page once they are open.
        const oauth = page.locator('input[value="oauth2"]:not(:disabled)');
        if ((await oauth.count()) > 0 && (await oauth.first().isVisible())) await oauth.first().check();
        // Colours that are on their way somewhere are not yet what they will be.
        await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
        for (const barrier of await barriers(page)) faults.push({ path, ...barrier });
      }
      assert.deepEqual(faults, []);
    });
  }
}

for (const theme of ["light", "dark"]) {
  test(`D1 axe-core finds nothing serious on the pages of signing in (${theme})`, async () => {
    const person = await here.another({ theme, signed_in: false });
    for (const path of ["/", "/sign-in", new URL(await stage.login_link()).pathname]) {
      const page = await person.open(path);
      assert.deepEqual(await barriers(page), [], path);
    }
    await person.leave();
  });
}

/** 200 % zoom leaves a window of 1280 × 800 half of its points. */
const ZOOMED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };

for (const [name, like] of [
  ["320 points wide", { size: "narrow" }],
  ["at 200 % zoom", { more: ZOOMED }],
  ["320 points wide, Chinese", { size: "narrow", language: "zh" }],
]) {
  story(`D1 no page is wider than the window: ${name}`, like, async (person) => {
    const long = one({ context: "x".repeat(300) });
    long.asker = { agent: "a".repeat(100), project: "p".repeat(120), folder: `~/${"f".repeat(200)}` };
    long.questions[0].header = "H".repeat(80);
    long.questions[0].question_text = `https://example.com/${"long/".repeat(60)}`;
    long.questions[0].options[0].label = "L".repeat(50);
    long.questions[0].options[0].description = "D".repeat(300);
    const hard = await stage.ask(long);
    for (const path of [...(await pages()), `/asks/${hard.ask_id}`]) {
      const page = await person.open(path);
      assert.deepEqual(await sideways(page), [], path);
    }
  });
}

story("D1 on a phone everything to be pressed is large enough for a thumb", { size: "phone" }, async (person) => {
  const ask = await stage.ask(every_kind());
  const page = await person.at(ask);
  await page.locator("#answer").waitFor();
  const small = await page.evaluate(() => {
    const pressed = [...document.querySelectorAll("#answer .opt, #answer button, .bar a")];
    const seen = pressed.filter((element) => element.checkVisibility());
    const boxes = seen.map((element) => [element.textContent.trim(), element.getBoundingClientRect()]);
    return boxes.filter(([, box]) => box.height < 36 || box.width < 36).map(([text, box]) => `${text}: ${box.width}x${box.height}`);
  });
  assert.deepEqual(small, []);
});

story("D1 nothing moves where the person wants no motion", { more: { reducedMotion: "reduce" } }, async (person) => {
  const ask = await stage.ask(follow_ups());
  const page = await person.at(ask);
  await page.locator('input[value="oauth2"]').check();
  const moving = await page.evaluate(() => {
    const styles = [...document.querySelectorAll("body, body *")].map((element) => getComputedStyle(element));
    const seconds = (list) => Math.max(...list.split(",").map((time) => Number.parseFloat(time)));
    const moves = (style) => seconds(style.transitionDuration) > 0.01 || (style.animationName !== "none" && seconds(style.animationDuration) > 0.01);
    return styles.filter(moves).length;
  });
  assert.equal(moving, 0);
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior), "smooth");
});

story("D1 arrivals and closings are told to a screen reader", async (person) => {
  const page = await person.open("/");
  const said = page.locator("#said");
  assert.equal(await said.getAttribute("aria-live"), "polite");
  const ask = await stage.ask(one());
  await page.locator("#said", { hasText: /\S/ }).waitFor({ state: "attached" });
  assert.match(await said.innerText(), /Database|Which database|claude-code/);
  const card = new Card(await person.at(ask));
  await card.form.waitFor();
  await stage.answer(ask.ask_id, { db: "pg" });
  await card.closed();
  await page.locator("#said", { hasText: /\S/ }).waitFor({ state: "attached" });
});

story("D1 every field has a name, every question is a group with a legend", async (person) => {
  const ask = await stage.ask(every_kind());
  const page = await person.at(ask);
  const tree = await page.locator("#answer").evaluate((form) => {
    const nameless = [...form.querySelectorAll("input:not([type=hidden]), textarea, select")].filter((field) => {
      const labelled = field.labels?.length || field.getAttribute("aria-label") || field.getAttribute("aria-labelledby");
      return !labelled;
    });
    const groups = [...form.querySelectorAll("fieldset.question")];
    return { nameless: nameless.map((field) => field.name), legends: groups.every((group) => group.querySelector(":scope > legend")) };
  });
  assert.deepEqual(tree, { nameless: [], legends: true });
});
