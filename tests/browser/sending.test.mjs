// "Sending…" ends, whatever the server says, and the reason is seen beside the button.

import assert from "node:assert/strict";
import { every_kind, one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { scene } from "./scene.mjs";
import { told, until } from "./stage.mjs";
import { WITHOUT_WORKER } from "./visitor.mjs";

const here = scene();
const { stage, story, desk_and_phone } = here;

/** What stands beside the buttons, once it is not "Sending…" any more; seen at one moment, for a card may be drawn anew. */
async function reason(page, text) {
  const { said, bar, all } = await until(`"${text}" beside the button`, () => page.evaluate((text) => {
    const bar = document.querySelector("#answer .bar");
    const line = bar?.querySelector(".saved");
    if (!line?.textContent.includes(text)) return null;
    const box = (element) => element.getBoundingClientRect().toJSON();
    return { said: box(line), bar: box(bar), all: bar.innerText };
  }, text));
  assert.doesNotMatch(all, /Sending/);
  const height = page.viewportSize().height;
  assert.ok(said.y >= 0 && said.y + said.height <= height, `not on the screen: ${JSON.stringify({ said, height })}`);
  assert.ok(said.y >= bar.y - 1 && said.y + said.height <= bar.y + bar.height + 1, "not beside the buttons");
}

/** Presses Send, and has the server say something of the test's. */
async function send_into(person, ask, status, body) {
  const page = await person.at(ask);
  const card = new Card(page);
  await card.pick("db", "pg");
  await page.route(`**/asks/${ask.ask_id}/answer`, (route) => route.fulfill({ status, json: body }));
  // A card that is drawn anew takes its time: a press meanwhile must not be lost.
  await page.route(`**/asks/${ask.ask_id}?part=card`, async (route) => {
    await new Promise((done) => setTimeout(done, 300));
    await route.continue();
  });
  await card.send();
  return { page, card };
}

desk_and_phone("an answer that is missing: the reason is beside the button, and the button keeps its size", async (person) => {
  const ask = await stage.ask(one());
  const page = await person.at(ask);
  const card = new Card(page);
  const button = page.locator("#answer button[value=answer]");
  const before = await button.boundingBox();
  await card.send();
  await reason(page, "Not sent: 1 question still needs a valid answer.");
  const after = await button.boundingBox();
  assert.deepEqual([after.width, after.height], [before.width, before.height]);
  await card.pick("db", "lite");
  await until("the reason goes when it is seen to", async () => !(await page.locator("#answer .bar").innerText()).includes("Not sent"));
  await card.send();
  await card.closed();
  assert.deepEqual(told(await stage.outcome(ask.ask_id)), { db: ["lite"] });
});

desk_and_phone("of four questions the first is missing: the reason is beside Next question", async (person) => {
  const ask = await stage.ask(every_kind());
  const page = await person.at(ask);
  const card = new Card(page);
  await card.send();
  await page.locator("#answer [data-step=next]").waitFor();
  await reason(page, "still need a valid answer.");
  const next = await page.locator("#answer [data-step=next]").boundingBox();
  assert.ok(next.height < 50, `the button is squeezed into ${next.height} pixels`);
});

for (const [status, body, text] of [
  [409, { closed: "Answered by bob in the browser." }, "Answered by bob in the browser. Your answer was not sent."],
  [429, {}, "askuser is busy"],
  [503, {}, "askuser is busy"],
  [500, {}, "try again"],
  [400, { message: "The request is too strange." }, "The request is too strange."],
]) {
  story(`the server says ${status}: it is said beside the button`, WITHOUT_WORKER, async (person) => {
    const ask = await stage.ask(one());
    const { page, card } = await send_into(person, ask, status, body);
    await reason(page, text);
    assert.equal(await card.choice("db", "pg").isChecked(), true, "what was picked is gone");
    await page.unrouteAll();
    await card.send();
    await card.closed();
  });
}

story("why it was not sent stays beside the button when the text is saved after that", WITHOUT_WORKER, async (person) => {
  const ask = await stage.ask(one());
  const page = await person.at(ask);
  await page.route(`**/asks/${ask.ask_id}/sheet`, (route) => route.abort());
  await page.route(`**/asks/${ask.ask_id}/answer`, (route) => route.fulfill({ status: 429, json: {} }));
  const card = new Card(page);
  await card.pick("db", "pg");
  await card.send();
  await reason(page, "askuser is busy");
  await page.unroute(`**/asks/${ask.ask_id}/sheet`);
  const saved = () => page.evaluate(() => Object.values(localStorage).some((kept) => kept.includes('"saved":true')));
  await until("the text is saved", saved);
  await reason(page, "askuser is busy");
  await card.pick("db", "lite");
  await until("the reason goes", async () => !(await page.locator("#answer .bar").innerText()).includes("busy"));
});

story("the server closes the ask meanwhile: the card says so, and nothing is being sent", WITHOUT_WORKER, async (person) => {
  const ask = await stage.ask(one());
  const page = await person.at(ask);
  const card = new Card(page);
  await card.other("db", "my own words");
  await page.route(`**/asks/${ask.ask_id}/answer`, async (route) => {
    await stage.answer(ask.ask_id, { db: "lite" });
    await route.continue();
  });
  await card.send();
  await card.closed();
  assert.doesNotMatch(await page.locator("main").innerText(), /Sending/);
  assert.ok((await card.kept()).includes("my own words"));
});

story("no answer comes at all: the answer waits, and the page says so above the button", async (person) => {
  const ask = await stage.ask(one());
  const page = await person.at(ask);
  const card = new Card(page);
  await card.pick("db", "pg");
  await person.context.setOffline(true);
  await card.send();
  await page.locator("#answer .queued").waitFor();
  assert.doesNotMatch(await page.locator("#answer .bar").innerText(), /Sending/);
  await person.context.setOffline(false);
  await card.closed();
  assert.deepEqual(told(await stage.outcome(ask.ask_id)), { db: ["pg"] });
});
