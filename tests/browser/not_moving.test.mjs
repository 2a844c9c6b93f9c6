// Nothing moves under the pointer, and nothing is pressed that the person had no time to see.

import assert from "node:assert/strict";
import { every_kind, yes_no } from "./asks.mjs";
import { Card } from "./card.mjs";
import { List, clear, settled } from "./list.mjs";
import { scene } from "./scene.mjs";
import { told, until } from "./stage.mjs";

// What is pressed counts at once here: taking it back has stories of its own.
const here = scene((stage) => stage.configure({ answers: { undo_for: 0 } }));
const { stage, story } = here;

const DEPLOYS = ["Clear the cache?", "Deploy to staging?", "Deploy to production?", "Publish the docs?"];

/** Asks one after the other, so that their order is known; opens the inbox. */
async function asked(person, texts = DEPLOYS) {
  await clear(stage);
  const asks = [];
  for (const text of texts) asks.push(await stage.ask(yes_no(text)));
  const list = new List(await person.open("/"));
  await list.counts(texts.length);
  return { asks, list, page: person.page };
}

const answer_of = async (ask) => told(await stage.outcome(ask.ask_id));

story("a row above the pointer is withdrawn: the click answers the question it was meant for", async (person) => {
  const { asks: [cache, staging, production], list, page } = await asked(person);
  const { x, y } = await list.point(list.button(staging));
  await stage.withdraw(cache.ask_id);
  await list.counts(3);
  await page.mouse.click(x, y);
  assert.deepEqual(await answer_of(staging), { go: ["yes"] });
  assert.equal(await stage.is_open(production.ask_id), true, "production was answered");
});

story("a row that ended stays in its place and says how, until the pointer has left the list", async (person) => {
  const { asks, list } = await asked(person);
  const before = await list.row(asks[1]).boundingBox();
  await list.point(list.button(asks[1]));
  await stage.withdraw(asks[0].ask_id);
  await list.counts(3);
  await until("it says how it ended", async () => /withdrawn|took the question back/i.test(await list.row(asks[0]).innerText()));
  assert.equal(await list.row(asks[0]).locator("button").count(), 0, "it can still be answered");
  assert.deepEqual(await list.row(asks[1]).boundingBox(), before);
  assert.equal((await list.ids()).length, 4);
  await list.leave();
  await list.row(asks[0]).waitFor({ state: "detached" });
});

story("the focus in the list holds it as the pointer does", async (person) => {
  const { asks, list, page } = await asked(person);
  await list.button(asks[1]).focus();
  const before = await list.row(asks[1]).boundingBox();
  await stage.withdraw(asks[0].ask_id);
  const late = await stage.ask(yes_no("Restart the workers?"));
  await list.newer.waitFor();
  assert.deepEqual(await list.row(asks[1]).boundingBox(), before);
  assert.equal(await page.evaluate(() => document.activeElement.closest(".ask-row").dataset.ask), asks[1].ask_id);
  await page.evaluate(() => document.activeElement.blur());
  await list.row(late).waitFor();
  await list.row(asks[0]).waitFor({ state: "detached" });
});

for (const [language, text] of [["en", "2 new"], ["zh", "2 个新问题"]]) {
  story(`new questions wait behind a button while the pointer is in the list (${language})`, { language }, async (person) => {
    const { asks, list, page } = await asked(person);
    await list.point(list.button(asks[2]));
    const before = await list.row(asks[2]).boundingBox();
    const late = [await stage.ask(yes_no("Restart the workers?")), await stage.ask(yes_no("Rotate the logs?"))];
    await list.newer.getByText(text).waitFor();
    assert.equal(await list.row(late[0]).count(), 0);
    assert.ok((await page.title()).startsWith("(6)"), "they are counted all the same");
    assert.deepEqual(await list.row(asks[2]).boundingBox(), before);
    await list.newer.click();
    await list.row(late[1]).waitFor();
    assert.equal(await list.newer.count(), 0);
    await page.waitForFunction((id) => document.activeElement?.closest(".ask-row")?.dataset.ask === id, late[0].ask_id);
  });
}

story("new questions come in by themselves when the pointer has left, and at once where it is elsewhere", async (person) => {
  const { asks, list } = await asked(person);
  await list.point(list.row(asks[0]));
  const late = await stage.ask(yes_no("Restart the workers?"));
  await list.newer.waitFor();
  await list.leave();
  await list.row(late).waitFor();
  const later = await stage.ask(yes_no("Rotate the logs?"));
  await list.row(later).waitFor();
  assert.equal(await list.newer.count(), 0);
});

story("an urgent question goes to the top, but not under the pointer", async (person) => {
  const { asks, list } = await asked(person);
  const ids = asks.map(({ ask_id }) => ask_id);
  await list.point(list.button(asks[0]));
  const urgent = await stage.ask(yes_no("Kill the run?", { timeoutMs: 90_000 }));
  await list.newer.waitFor();
  assert.deepEqual(await list.ids(), ids);
  await list.leave();
  await list.row(urgent).waitFor();
  assert.deepEqual(await list.ids(), [urgent.ask_id, ...ids]);
});

story("a double click answers one question", async (person) => {
  const { asks, list, page } = await asked(person);
  const { x, y } = await list.point(list.button(asks[1]));
  await page.mouse.click(x, y);
  // The slowest double click there is: the page knows already that the first one answered.
  await list.counts(3);
  await page.mouse.click(x, y);
  await page.mouse.dblclick(x, y);
  assert.deepEqual(await answer_of(asks[1]), { go: ["yes"] });
  for (const other of [asks[0], asks[2], asks[3]]) assert.equal(await stage.is_open(other.ask_id), true);
  assert.equal(new URL(page.url()).pathname, "/");
});

story("a double tap answers one question", { size: "phone" }, async (person) => {
  const { asks, list, page } = await asked(person);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const { x, y } = await list.place(list.button(asks[1]));
  await page.touchscreen.tap(x, y);
  // The rows below have moved up by now: no pointer rests on a phone's list.
  await list.row(asks[1]).waitFor({ state: "detached" });
  // Not by touch: of two taps in one place the browser may make one gesture, and no click at all.
  await page.mouse.click(x, y);
  await page.locator("#said", { hasText: "just changed" }).waitFor({ state: "attached" });
  assert.equal(await stage.is_open(asks[2].ask_id), true);
  await page.clock.runFor(401);
  await page.mouse.click(x, y);
  assert.deepEqual(await answer_of(asks[2]), { go: ["yes"] });
});

story("a tap within 400 ms of a change that others caused does nothing", { size: "phone" }, async (person) => {
  const { asks, list, page } = await asked(person);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const { x, y } = await list.place(list.button(asks[1]));
  await stage.withdraw(asks[0].ask_id);
  await list.row(asks[0]).waitFor({ state: "detached" });
  await page.clock.runFor(390);
  await page.touchscreen.tap(x, y);
  await page.locator("#said", { hasText: "just changed" }).waitFor({ state: "attached" });
  await page.clock.runFor(11);
  // By another kind of pointer: a second tap so soon would be a double tap to the browser, whose clock runs on.
  await page.mouse.click(x, y);
  assert.deepEqual(await answer_of(asks[2]), { go: ["yes"] });
  assert.equal(await stage.is_open(asks[1].ask_id), true);
});

story("a held-down key answers one question", async (person) => {
  const { asks, list, page } = await asked(person);
  await list.button(asks[0]).focus();
  for (let n = 0; n < 5; n += 1) await page.keyboard.down("Enter");
  await list.counts(3);
  // The focus is at the next row by now, and the key is still down.
  await until("the next row has the focus", async () => {
    await page.keyboard.down("Enter");
    return page.evaluate((id) => document.activeElement?.closest(".ask-row")?.dataset.ask === id, asks[1].ask_id);
  });
  for (let n = 0; n < 5; n += 1) await page.keyboard.down("Enter");
  // Neither does it follow the next row's link.
  assert.equal(await page.evaluate(() => location.pathname), "/");
  await page.keyboard.up("Enter");
  for (const other of asks.slice(1)) assert.equal(await stage.is_open(other.ask_id), true);
});

story("the focus goes on to the next row, also where the reply to an answer comes last", async (person) => {
  const { asks, list, page } = await asked(person);
  await page.evaluate((row) => {
    const { fetch } = window;
    window.fetch = async (to, ...rest) => {
      const reply = await fetch(to, ...rest);
      while (`${to}`.endsWith("/answer") && !document.querySelector(`#${row} .how`)) await new Promise(requestAnimationFrame);
      return reply;
    };
  }, `row-${asks[0].ask_id}`);
  await list.button(asks[0]).focus();
  await page.keyboard.press("Enter");
  await until("the next row has the focus", () =>
    page.evaluate((id) => document.activeElement?.closest(".ask-row")?.dataset.ask === id, asks[1].ask_id));
});

story("the next question takes a key 250 ms after the answer before it", async (person) => {
  await clear(stage);
  const ask = await stage.ask(every_kind());
  const page = await person.at(ask);
  const card = new Card(page);
  await card.form.waitFor();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  await card.question("parts").waitFor();
  await page.clock.runFor(240);
  await page.keyboard.press("2");
  assert.equal(await card.choice("parts", "log").isChecked(), false);
  await page.clock.runFor(20);
  await page.keyboard.press("2");
  assert.equal(await card.choice("parts", "log").isChecked(), true);
});

story("a banner lies over the page and pushes nothing", async (person) => {
  const { asks, list, page } = await asked(person);
  const before = await list.row(asks[3]).boundingBox();
  await list.button(asks[0]).click();
  await page.locator("#line", { hasText: "sent" }).waitFor();
  assert.deepEqual(await list.row(asks[3]).boundingBox(), before);
});

story("that somebody else looks at the question moves nothing on its card", async (person) => {
  await clear(stage);
  const key = await stage.person("carol");
  const ask = await stage.ask(yes_no("Deploy to staging?", { for: { people: ["local", "carol"] } }));
  const card = new Card(await person.at(ask));
  const before = await card.form.boundingBox();
  const carol = await here.another({ key });
  await carol.at(ask);
  await person.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await person.page.locator("#card .others").waitFor();
  assert.deepEqual(await card.form.boundingBox(), before);
  await carol.leave();
});

story("the list beside a card holds still as well", async (person) => {
  await clear(stage);
  const asks = [];
  for (const text of DEPLOYS) asks.push(await stage.ask(yes_no(text)));
  const page = await person.at(asks[3]);
  const list = new List(page);
  await list.point(list.row(asks[1]).locator("a"));
  const before = await list.row(asks[1]).boundingBox();
  await stage.withdraw(asks[0].ask_id);
  await until("it says how it ended", async () => /withdrawn|took the question back/i.test(await list.row(asks[0]).innerText()));
  assert.deepEqual(await list.row(asks[1]).boundingBox(), before);
  await list.leave();
  await list.row(asks[0]).waitFor({ state: "detached" });
  await settled(page);
});
