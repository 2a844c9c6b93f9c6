// Nothing can be answered that is not all shown: an elicitation, as an MCP server sends it, on every page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { yes_no } from "./asks.mjs";
import { Card } from "./card.mjs";
import { List, clear } from "./list.mjs";
import { scene } from "./scene.mjs";
import { told, until } from "./stage.mjs";

const nudges = (stage) => join(stage.folder, "nudges");

/** Each question is told of by a program of the person's, with a link that answers it without signing in. */
const here = scene((stage) => {
  const own = { kind: "command", command: ["/bin/sh", "-c", `echo "$ASKUSER_ASKS $ASKUSER_LINK" >>'${nudges(stage)}'`] };
  stage.configure({ notify: { url: "http://phone.test", people: { local: { single_max: 100, channels: { own } } } } });
});
const { stage, story, desk_and_phone } = here;

/** The path of the link to a question. */
async function link_to(ask) {
  const lines = () => readFileSync(nudges(stage), "utf8").split("\n").map((line) => line.split(" "));
  const [, link] = await until("a link comes", () => lines().find(([asks, link]) => asks === ask.ask_id && link));
  return new URL(link).pathname;
}

const MESSAGE = "Delete the production database `shop_prod` together with all 14 backups? This cannot be undone.";
const LONG = `Delete it all? ${"It is used by the shop, the warehouse and the accounts. ".repeat(30)}Think twice.`;

/** One field under a word that says nothing. */
const elicitation = (message = MESSAGE, over = {}) => ({
  message,
  requestedSchema: { type: "object", properties: { confirm: { type: "boolean", title: "Confirm" } }, required: ["confirm"] },
  asker: { agent: "db-mcp", project: "shop" },
  ...over,
});

const squeezed = (text) => text.replaceAll(/[\s`]+/g, " ");

/** Fails where something can be pressed that answers, and the text is not there to be read with it. */
async function shown_with(controls, place, text) {
  const seen = squeezed(await place.innerText());
  if ((await controls.count()) === 0) return seen;
  const cut = await place.evaluate((at) => [...at.querySelectorAll("*")].filter((part) => {
    const { overflowY, display } = getComputedStyle(part);
    return display !== "inline" && overflowY === "hidden" && part.scrollHeight > part.clientHeight + 1 && !part.matches(".visually-hidden");
  }).map((part) => part.outerHTML.slice(0, 100)));
  assert.deepEqual(cut, [], "an answer is offered, and this is cut");
  assert.ok(seen.includes(squeezed(text)), `an answer is offered, and this is all there is to read: ${seen}`);
  return seen;
}

desk_and_phone("the message of an elicitation is in its row, or its row has no buttons", async (person) => {
  await clear(stage);
  const [short, long] = [await stage.ask(elicitation()), await stage.ask(elicitation(LONG))];
  const list = new List(await person.open("/"));
  for (const [ask, message] of [[short, MESSAGE], [long, LONG]]) {
    await list.row(ask).waitFor();
    const seen = await shown_with(list.row(ask).locator("button"), list.row(ask), message);
    assert.match(seen, /Delete/, "the row does not say what it is about");
  }
  // So long a text fits in no row: there is only the way to it.
  assert.equal(await list.row(long).locator("button").count(), 0);
  await list.row(long).locator("a").click();
  await person.page.waitForURL(`**/asks/${long.ask_id}`);
});

desk_and_phone("the card of an elicitation shows its message, all of it", async (person) => {
  for (const message of [MESSAGE, LONG]) {
    const ask = await stage.ask(elicitation(message));
    const page = await person.at(ask);
    await page.locator("#answer button[value=answer]").waitFor();
    await shown_with(page.locator("#answer button"), page.locator("#card"), message);
    const box = await page.locator("#card", { hasText: "Delete" }).boundingBox();
    assert.ok(box.y < page.viewportSize().height, "the card is not on the screen");
  }
});

for (const script of [true, false]) {
  desk_and_phone(`the page behind a link shows the message, ${script ? "with" : "without"} a script`, async (person) => {
    for (const message of [MESSAGE, LONG]) {
      const ask = await stage.ask(elicitation(message));
      const page = await person.open(await link_to(ask));
      await page.locator("form#answer button[value=answer]").waitFor();
      await shown_with(page.locator("#card button"), page.locator("#card"), message);
      await page.locator('#answer input[value="yes"]').check();
      await page.locator("form#answer button[value=answer]").click();
      assert.deepEqual(told(await stage.outcome(ask.ask_id)), { confirm: ["yes"] });
    }
  }, { signed_in: false, script });
}

desk_and_phone("a context is in the card, and a row without it has no buttons", async (person) => {
  await clear(stage);
  const context = `The customer asked twice. ${"Their contract ends in March, and the invoice is still open. ".repeat(12)}`;
  const ask = await stage.ask(yes_no("Close the account?", { context }));
  const list = new List(await person.open("/"));
  await list.row(ask).waitFor();
  assert.equal(await list.row(ask).locator("button").count(), 0);
  const page = await person.at(ask);
  await page.locator("#answer").waitFor();
  await shown_with(page.locator("#answer button"), page.locator("#answer"), context.trim());
});

desk_and_phone("the decline screen shows what is declined", async (person) => {
  const ask = await stage.ask(elicitation());
  const page = await person.at(ask);
  await page.locator("#answer a.leave").click();
  await page.locator("#decline button").waitFor();
  await shown_with(page.locator("#decline button"), page.locator("#decline"), MESSAGE);
});

story("a question that waits its turn says so, cannot be sent, and comes alive by itself", async (person) => {
  await clear(stage);
  const asks = [];
  for (let n = 0; n < 6; n += 1) {
    const ask = yes_no(`Step ${n}?`);
    ask.questions[0].question_id = `go${n}`;
    asks.push(await stage.ask(ask, { whence: "one-by-one" }));
  }
  const list = new List(await person.open("/"));
  const last = asks[5];
  await list.row(last).locator(":scope[data-pending=true]").waitFor();
  assert.equal(await list.row(last).locator("button").count(), 0);
  const page = await person.at(last);
  const card = new Card(page);
  await page.locator("#card[data-pending=true]").waitFor();
  assert.match(await card.root.innerText(), /Queued/);
  assert.equal(await page.locator('#card button:not([disabled])[value="answer"]').count(), 0);
  // Why they would say no is being written when it moves up.
  await page.locator("#card a.leave").click();
  await page.locator("#decline [name=reason]").fill("not now, because");
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await stage.answer(asks[0].ask_id, { go0: "yes" });
  await card.form.waitFor();
  assert.equal(await page.locator("#decline [name=reason]").inputValue(), "not now, because");
  // It has just come: what is pressed now was meant for something else.
  await page.locator("#answer .opt").first().click();
  assert.equal(await page.locator("#answer :checked").count(), 0);
  await page.clock.runFor(401);
  await card.choice("go5", "yes").check();
  await page.locator("#answer button[value=answer]").click();
  await card.closed();
  assert.deepEqual(told(await stage.outcome(last.ask_id)), { go5: ["yes"] });
});

story("a deadline says what happens then, counts down, and warns when it is near", async (person) => {
  await clear(stage);
  const calm = await stage.ask(yes_no("Log more?", { timeoutMs: 125_000 }));
  const page = await person.open("/");
  const deadline = page.locator(`#row-${calm.ask_id} time.deadline`);
  assert.match(await deadline.innerText(), /^in 2:0\d the agent is told that nobody answered$/);
  assert.equal(await deadline.evaluate((time) => time.classList.contains("urgent")), false);
  await page.clock.install();
  await page.clock.fastForward(10_000);
  await page.locator(`#row-${calm.ask_id} time.deadline.urgent`).waitFor();
  assert.match(await deadline.innerText(), /^in 1:5\d /);
});
