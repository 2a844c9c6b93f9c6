// Lines that break: the daemon killed, the network gone, the browser ended while somebody types.

import assert from "node:assert/strict";
import { test } from "node:test";
import { every_kind, one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { scene } from "./scene.mjs";
import { told, until } from "./stage.mjs";
import { mortal_browser, visitor } from "./visitor.mjs";

const here = scene();
const { stage, story, desk_and_phone } = here;

/** Waits until the service worker is there. */
const installed = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));

story("D19 the daemon is killed while the form is open: a line says so, and the answer goes through afterwards", async (person) => {
  const ask = await stage.ask(one());
  const card = new Card(await person.at(ask));
  const line = person.page.locator("#line");
  await card.other("db", "typed before");
  await stage.kill();
  await line.waitFor();
  await card.field("other", "db").fill("typed before and while it was away");
  await stage.start();
  const meanwhile = await stage.ask(every_kind());
  await line.waitFor({ state: "hidden" });
  assert.equal(await card.field("other", "db").inputValue(), "typed before and while it was away");
  await card.send();
  await card.closed();
  assert.deepEqual(told(await stage.outcome(ask.ask_id)), { db: ["typed before and while it was away"] });
  // Nothing that came while the line was down is missing.
  await person.open("/");
  await person.page.locator(`#row-${meanwhile.ask_id}`).waitFor();
});

story("D19 what came while the line was down is there when it is back, without a reload", async (person) => {
  const page = await person.open("/");
  await page.evaluate(() => (window.same_page = true));
  await stage.kill();
  await page.locator("#line").waitFor();
  await stage.start();
  const ask = await stage.ask(one());
  await page.locator(`#row-${ask.ask_id}`).waitFor();
  assert.equal(await page.evaluate(() => window.same_page), true);
});

desk_and_phone("D19 an answer given offline is sent when the line is back", async (person) => {
  const ask = await stage.ask(one());
  const card = new Card(await person.at(ask));
  await installed(person.page);
  await person.context.setOffline(true);
  await person.page.locator("#line").waitFor();
  await card.pick("db", "pg");
  await card.send();
  await until("it says that the answer waits", async () => (await person.page.locator("#line").innerText()).length > 0);
  assert.equal(await stage.is_open(ask.ask_id), true);
  await person.context.setOffline(false);
  await card.closed();
  assert.deepEqual(told(await stage.outcome(ask.ask_id)), { db: ["pg"] });
});

story("D19 an answer given offline, and the ask closed meanwhile: the person is told and keeps the text", async (person) => {
  const ask = await stage.ask(one());
  const card = new Card(await person.at(ask));
  await installed(person.page);
  await person.context.setOffline(true);
  await person.page.locator("#line").waitFor();
  await card.other("db", "offline words");
  await card.send();
  await stage.answer(ask.ask_id, { db: "lite" });
  await person.context.setOffline(false);
  await card.closed();
  await until("the text is kept", async () => (await card.kept()).includes("offline words"));
  assert.deepEqual(told(await stage.outcome(ask.ask_id)), { db: ["lite"] });
});

story("D19 an answer given offline outlives the page: it is sent when the page is opened again", async (person) => {
  const ask = await stage.ask(one());
  const card = new Card(await person.at(ask));
  await installed(person.page);
  await person.context.setOffline(true);
  await person.page.locator("#line").waitFor();
  await card.pick("db", "lite");
  await card.send();
  await until("it is queued", () => queued(person.page));
  await person.page.close();
  assert.equal(await stage.is_open(ask.ask_id), true);
  // From here on the service worker may be quicker than the page that is opened.
  await person.context.setOffline(false);
  person.page = await person.context.newPage();
  await person.open("/");
  assert.deepEqual(told(await stage.outcome(ask.ask_id)), { db: ["lite"] });
});

/** How many entries all our databases in the browser hold. */
function queued(page) {
  return page.evaluate(async () => {
    let n_entries = 0;
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise((done, failed) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => done(opening.result);
        opening.onerror = () => failed(opening.error);
      });
      for (const store of db.objectStoreNames) {
        n_entries += await new Promise((done) => {
          const counting = db.transaction(store).objectStore(store).count();
          counting.onsuccess = () => done(counting.result);
        });
      }
      db.close();
    }
    return n_entries;
  });
}

desk_and_phone("D19 the inbox opens without a line", async (person) => {
  const ask = await stage.ask(one());
  const page = await person.open("/");
  await page.locator(`#row-${ask.ask_id}`).waitFor();
  await installed(page);
  // A second look, served by the worker, which keeps it.
  await page.reload();
  await until("the worker serves the page", () => page.evaluate(() => navigator.serviceWorker.controller !== null));
  await page.locator(`#row-${ask.ask_id}`).waitFor();
  await person.context.setOffline(true);
  await page.reload();
  await page.locator(`#row-${ask.ask_id}`).waitFor();
  await page.locator("#line").waitFor();
});

story("D19 the page can be installed", async (person) => {
  const page = await person.open("/");
  const href = await page.locator("link[rel=manifest]").getAttribute("href");
  const manifest = JSON.parse((await person.send("GET", href)).text);
  assert.ok(manifest.name && manifest.start_url && manifest.icons.length > 0, JSON.stringify(manifest));
  assert.ok(["standalone", "minimal-ui"].includes(manifest.display));
  assert.equal((await person.send("GET", manifest.icons[0].src)).status, 200);
});

test("D19 a browser killed while somebody types: a new one shows what was typed", async () => {
  const ask = await stage.ask(every_kind());
  const mortal = await mortal_browser();
  try {
    const first = await visitor(stage, mortal.browser);
    const card = new Card(await first.at(ask));
    await card.pick("way", "right");
    await card.write("name", "typed until the en");
    await until("it is saved", async () => (await stage.call("GET", "/api/inbox")).text.includes("typed until the en"));
  } finally {
    await mortal.kill();
  }
  const second = await here.another();
  const card = new Card(await second.at(ask));
  await card.reach(card.field("text", "name"));
  assert.equal(await card.field("text", "name").inputValue(), "typed until the en");
  assert.equal(await card.choice("way", "right").isChecked(), true);
  await second.leave();
});
