// The inbox: what every agent asks, oldest first, live; small asks answered at once, alike ones together.

import assert from "node:assert/strict";
import { every_kind, follow_ups, one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { scene } from "./scene.mjs";
import { told, until } from "./stage.mjs";

const here = scene();
const { stage, story, desk_and_phone } = here;

const rows = (page) => page.locator("#asks .ask-row").evaluateAll((all) => all.map((row) => row.dataset.ask));

desk_and_phone("D1 an ask arrives while the inbox is looked at, last, and leaves when it is closed", async (person) => {
  const before = await stage.ask(every_kind());
  const page = await person.open("/");
  await page.locator(`#row-${before.ask_id}`).waitFor();
  await page.evaluate(() => (window.same_page = true));
  const ask = await stage.ask(follow_ups());
  const row = page.locator(`#row-${ask.ask_id}`);
  await row.waitFor();
  assert.equal((await rows(page)).at(-1), ask.ask_id);
  const n_open = (await rows(page)).length;
  await until("the tab counts", async () => (await page.title()).startsWith(`(${n_open})`));
  assert.notEqual((await page.locator("#said").innerText()).trim(), "", "the arrival is not announced");
  const text = await row.innerText();
  for (const word of ["Auth", "claude-code", "shop", "Round 1"]) assert.ok(text.includes(word), `${word}: ${text}`);
  await stage.withdraw(ask.ask_id);
  await row.waitFor({ state: "detached" });
  await until("the tab counts down", async () => (await page.title()).startsWith(`(${n_open - 1})`));
  assert.equal(await page.evaluate(() => window.same_page), true);
  await stage.withdraw(before.ask_id);
});

story("D1 asks stand in the order in which they came, with age and time left", async (person) => {
  const asks = [];
  for (const body of [one({ timeoutMs: 600_000 }), every_kind(), follow_ups()]) asks.push(await stage.ask(body));
  const page = await person.open("/");
  const ids = asks.map((ask) => ask.ask_id);
  assert.deepEqual((await rows(page)).filter((id) => ids.includes(id)), ids);
  const first = page.locator(`#row-${ids[0]}`);
  assert.equal(await first.locator("time[data-as=age]").count(), 1);
  const left = first.locator("time.deadline");
  const before = await left.innerText();
  assert.match(before, /(10:00|9:5\d)/);
  await until("the time left goes on", async () => (await left.innerText()) !== before);
});

desk_and_phone("D1 a small ask is answered from the list", async (person) => {
  const ask = await stage.ask(one());
  const large = await stage.ask(every_kind());
  const page = await person.open("/");
  const row = page.locator(`#row-${ask.ask_id}`);
  await row.locator("form.quick button", { hasText: "SQLite" }).click();
  await row.getByText("Answered: SQLite").waitFor();
  assert.deepEqual(told(await stage.outcome(ask.ask_id)), { db: ["lite"] });
  // It goes when nobody points at it.
  await page.mouse.move(0, 0);
  await row.waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).pathname, "/");
  assert.equal(await page.locator(`#row-${large.ask_id} form.quick`).count(), 0);
});

desk_and_phone("P15 alike asks are picked and answered once; none is picked beforehand", async (person) => {
  // Another text for each run, so that only these three are alike.
  const alike = () => {
    const body = one();
    body.questions[0].question_text = `Which database, ${person.page.viewportSize().width}?`;
    return body;
  };
  const asks = [];
  for (let n = 0; n < 3; n += 1) asks.push(await stage.ask(alike()));
  const apart = await stage.ask(every_kind());
  const page = await person.at(asks[0]);
  const card = new Card(page);
  const also = page.locator("[name=also]");
  assert.equal(await also.count(), 2);
  assert.equal(await page.locator("[name=also]:checked").count(), 0);
  await card.pick("db", "pg");
  const last = page.locator(`[name=also][value="${asks[2].ask_id}"]`);
  if (!(await last.isVisible())) await last.locator("xpath=ancestor::details[1]/summary").click();
  await last.check();
  await card.send();
  await card.closed();
  for (const ask of [asks[0], asks[2]]) assert.deepEqual(told(await stage.outcome(ask.ask_id)), { db: ["pg"] });
  assert.equal(await stage.is_open(asks[1].ask_id), true);
  assert.equal(await stage.is_open(apart.ask_id), true);
});

story("an empty inbox says so, and that it fills by itself", async (person) => {
  for (const ask of (await stage.call("GET", "/api/inbox")).json.asks) await stage.withdraw(ask.ask_id);
  const page = await person.open("/");
  await page.locator(".empty").waitFor();
  const ask = await stage.ask(one());
  await page.locator(`#row-${ask.ask_id}`).waitFor();
  await page.locator(".empty").waitFor({ state: "hidden" });
});

story("D6 more asks of one agent than are shown at once wait in line, and move up by themselves", async (person) => {
  const asks = [];
  for (let n = 0; n < 6; n += 1) {
    const body = one();
    body.questions[0].question_id = `db${n}`;
    body.questions[0].question_text = `Which database, number ${n}?`;
    asks.push(await stage.ask(body, { whence: "one-agent" }));
  }
  const page = await person.open("/");
  const waiting = page.locator(`#row-${asks[5].ask_id}`);
  await waiting.waitFor();
  assert.equal(await waiting.locator("form.quick").count(), 0);
  await page.locator(`#row-${asks[0].ask_id} form.quick button`).first().click();
  await page.mouse.move(0, 0);
  await waiting.locator("form.quick").waitFor();
});
