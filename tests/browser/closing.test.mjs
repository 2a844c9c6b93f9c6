// Closing is seen everywhere at once, and says which way, by whom and where.

import assert from "node:assert/strict";
import { every_kind, one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { settled } from "./list.mjs";
import { scene } from "./scene.mjs";
import { told, until } from "./stage.mjs";

const here = scene();
const { stage, story, desk_and_phone } = here;

/** Ends an ask in every way there is, and what the card then says. */
const ENDINGS = [
  { name: "answered elsewhere", end: (id) => stage.answer(id, { db: "lite" }), status: "answered", says: /SQLite/ },
  { name: "cancelled elsewhere", end: (id) => stage.cancel(id, "no need"), status: "cancelled", says: /no need/ },
  { name: "withdrawn by the agent", end: (id) => stage.withdraw(id), status: "cancelled", says: /withdr/i },
];

for (const { name, end, status, says } of ENDINGS) {
  desk_and_phone(`O7 the card turns while it is looked at: ${name}`, async (person) => {
    const ask = await stage.ask(one());
    const card = new Card(await person.at(ask));
    await card.form.waitFor();
    await end(ask.ask_id);
    await card.closed();
    assert.equal(await card.ending.getAttribute("data-status"), status);
    assert.match(await card.root.innerText(), says);
    assert.equal(await card.form.count(), 0);
    assert.notEqual((await person.page.locator("#said").innerText()).trim(), "");
  });
}

desk_and_phone("O7 O2 an ask that times out says so, on the card and in the list, also with no answers", async (person) => {
  const ask = await stage.ask(one({ timeoutMs: 5000 }));
  const card = new Card(await person.at(ask));
  await card.form.waitFor();
  assert.match(await card.root.locator("time.deadline.urgent").innerText(), /^in 0:0\d the agent is told that nobody answered$/);
  await card.closed();
  assert.equal(await card.ending.getAttribute("data-status"), "timeout");
  assert.match(await card.ending.innerText(), /timed out|time/i);
});

story("O7 an answer given on one page closes the card and the row on every other", async (person) => {
  const ask = await stage.ask(one());
  const inbox = await here.another();
  await inbox.open("/");
  await inbox.page.locator(`#row-${ask.ask_id}`).waitFor();
  const tab = await person.context.newPage();
  await tab.goto(`${stage.url}/asks/${ask.ask_id}`);
  const card = new Card(await person.at(ask));
  await card.pick("db", "pg");
  await card.send();
  await card.closed();
  await new Card(tab).closed();
  await inbox.page.locator(`#row-${ask.ask_id}`).waitFor({ state: "detached" });
  const text = await new Card(tab).ending.innerText();
  assert.match(text, /^You answered/, "by whom");
  assert.match(text, /page|web|browser/i, "where");
  await inbox.leave();
});

/** Who else is there. The page asks every 15 s, and when it is looked at again: that is played here, once a second. */
function others(page) {
  return page.evaluate(() => {
    if (!(performance.now() - window.looked_at < 1000)) {
      window.looked_at = performance.now();
      document.dispatchEvent(new Event("visibilitychange"));
    }
    return document.getElementById("others")?.textContent ?? "";
  });
}

story("D19 whoever goes, or comes again, is not taken for somebody else", async (person) => {
  const ask = await stage.ask(one());
  const other = await here.another();
  await other.at(ask);
  const page = await person.at(ask);
  await until("the other is seen", async () => (await others(page)) !== "");
  await other.page.goto("about:blank");
  await until("nobody is seen", async () => (await others(page)) === "");
  await page.reload();
  await page.locator('html[data-script="on"]').waitFor();
  await until("still nobody is seen", async () => (await others(page)) === "");
  await other.leave();
});

story("D19 two people on one ask see each other; the first answer wins, the other's text is kept", async (person) => {
  const ask = await stage.ask(every_kind());
  const other = await here.another({ size: "phone" });
  for (const [who, name] of [[person, "Ann"], [other, "Bob"]]) {
    const page = await who.open("/preferences");
    await page.locator("[name=name]").fill(name);
    await page.locator("form.settings .go").click();
    await page.waitForLoadState();
  }
  const [mine, theirs] = [new Card(await person.at(ask)), new Card(await other.at(ask))];
  await mine.pick("way", "left");
  await theirs.pick("way", "right");
  await until("Ann sees Bob", async () => (await others(person.page)).includes("Bob"));
  await until("Bob sees Ann", async () => (await others(other.page)).includes("Ann"));
  await mine.write("name", "what Ann wrote at length");
  await theirs.pick("parts", "log");
  await theirs.write("name", "Bob's");
  await theirs.pick("go", "yes");
  await theirs.send();
  await theirs.closed();
  await mine.closed();
  assert.match(await mine.root.innerText(), /Bob's/);
  await until("Ann's text is kept", async () => {
    return (await mine.kept()).includes("what Ann wrote at length");
  });
  assert.deepEqual(told(await stage.outcome(ask.ask_id)).way, ["right"]);
  await other.leave();
});

story("O7 an answer that comes second is told who was first, and loses no word", async (person) => {
  const ask = await stage.ask(one());
  const card = new Card(await person.at(ask));
  await card.other("db", "words that took a while");
  // Deaf for a moment: the close is not heard, only the answer's refusal is.
  await person.page.route("**/api/events*", (route) => route.abort());
  await person.page.evaluate(() => performance.now());
  await Promise.all([stage.answer(ask.ask_id, { db: "pg" }), card.send().catch(() => {})]);
  await card.closed();
  const outcome = await stage.outcome(ask.ask_id);
  if (told(outcome).db[0] === "pg") {
    await until("the text is kept", async () => (await card.kept()).includes("words that took a while"));
  }
});

story("P13 a timed-out ask is taken up again with what was filled in", async (person) => {
  const ask = await stage.ask(one({ timeoutMs: 6000 }));
  const card = new Card(await person.at(ask));
  await card.other("db", "DuckDB");
  await card.closed();
  await settled(person.page);
  await person.page.locator('form[action$="/reopen"] button').click();
  await person.page.locator('#card[data-open="true"]').waitFor();
  assert.equal(await card.field("other", "db").inputValue(), "DuckDB");
  const again = await person.page.locator("#card").getAttribute("data-ask");
  assert.notEqual(again, ask.ask_id);
});
