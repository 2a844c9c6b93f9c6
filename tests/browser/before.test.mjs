// What was answered before: told, filled in again with one key, made into a rule, counted on a page.

import assert from "node:assert/strict";
import { one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { scene } from "./scene.mjs";
import { told, until } from "./stage.mjs";
import { sideways } from "./visitor.mjs";

const here = scene();
const { stage, story, desk_and_phone } = here;

/** The plainest ask in words of its own: what another story answered is not in its way. */
function worded(text, over = {}) {
  const ask = one(over);
  ask.questions[0].question_text = text;
  ask.questions[0].header = text.split(" ").at(-1).slice(0, 10);
  return ask;
}

/** So many answers from before, in sessions of their own. */
async function answered(text, ...choices) {
  let last;
  for (const choice of choices) {
    last = await stage.ask(worded(text));
    await stage.answer(last.ask_id, { db: choice });
  }
  return last;
}

story("D19 what was usually chosen is told and explained; r fills the last answer in, and the person sends it", async (person) => {
  const text = "Which store for the orders of the shop?";
  const last = await answered(text, "lite", "lite", "pg", "lite");
  const ask = await stage.ask(worded(text));
  const page = await person.at(ask);
  const card = new Card(page);
  const usual = page.locator(".usual");
  assert.equal(await usual.locator("summary").textContent(), "You chose SQLite 3 of 4 times");
  const why = usual.locator("p");
  assert.equal(await why.isVisible(), false, "explained on a click");
  await usual.locator("summary").click();
  assert.match(await why.textContent(), /4 of 4 had exactly the same wording/);
  assert.equal(await page.locator(".before a").getAttribute("href"), `/asks/${last.ask_id}`);
  assert.equal(await page.locator("#answer input:checked").count(), 0, "nothing is picked beforehand");
  await page.locator("h1, body").first().click({ position: { x: 1, y: 1 } });
  await page.keyboard.press("r");
  await until("the last answer is on the sheet", () => card.choice("db", "lite").isChecked());
  assert.equal(await stage.is_open(ask.ask_id), true, "filled in is not sent");
  await page.keyboard.press("Enter");
  await until("it is sent", async () => {
    if (await stage.is_open(ask.ask_id)) await card.send().catch(() => {});
    return !(await stage.is_open(ask.ask_id));
  });
  const outcome = await stage.outcome(ask.ask_id);
  assert.deepEqual([told(outcome), outcome.answered_by, outcome.by.proof], [{ db: ["lite"] }, "person", "cookie"]);
});

story("D19 r does nothing where nothing was asked before, nor inside a field", async (person) => {
  const unknown = await stage.ask(worded("Which colour for the cover of the book?"));
  let page = await person.at(unknown);
  await page.keyboard.press("r");
  assert.equal(await page.locator("#again").count(), 0);
  assert.equal(await page.locator("#answer input:checked").count(), 0);
  const text = "Which harbour do the letters go to?";
  await answered(text, "pg");
  const ask = await stage.ask(worded(text));
  page = await person.at(ask);
  const card = new Card(page);
  await card.other("db", "");
  await card.field("other", "db").press("r");
  assert.equal(await card.field("other", "db").inputValue(), "r");
  assert.equal(await card.choice("db", "pg").isChecked(), false);
});

story("D19 nearly the same words are counted, other words are not, and nobody needs to see it", async (person) => {
  await answered("Which database should I use for the invoices?", "pg", "pg");
  const near = worded("Which database should we use for the invoices?");
  near.questions[0].header = "Other";
  const page = await person.at(await stage.ask(near));
  assert.equal(await page.locator(".usual summary").textContent(), "You chose PostgreSQL 2 of 2 times");
  await page.locator(".usual summary").click();
  assert.match(await page.locator(".usual p").textContent(), /0 of 2 had exactly the same wording/);
  assert.equal(await page.locator("#again").count(), 0, "only the same answer fits on the sheet");
  const unlike = worded("What about the pictures of the garden?");
  await person.at(await stage.ask(unlike));
  assert.equal(await page.locator(".usual").count(), 0);
  await person.open("/preferences");
  await page.locator("input[name=forgetful]").check();
  await page.locator("form button.go").click();
  await person.at(await stage.ask({ ...near, session_id: "once more" }));
  await page.locator("form#answer").waitFor();
  assert.equal(await page.locator(".usual, #again").count(), 0);
});

desk_and_phone("a rule is made from an answer, is listed, answers, and is taken back", async (person) => {
  const text = `Which rule for ${person.page.viewportSize().width} things?`;
  const ask = await stage.ask(worded(text));
  const page = await person.at(ask);
  const card = new Card(page);
  assert.equal(await page.locator(".always").count(), 0, "not before it is answered");
  await card.pick("db", "lite");
  await card.send();
  await card.closed();
  await person.at(ask);
  await page.locator(".always summary").click();
  await page.locator(".always select").selectOption("90");
  await page.locator(".always button").click();
  await page.waitForURL("**/rules");
  const row = page.locator("ul.rules li", { hasText: text });
  assert.match(await row.textContent(), /SQLite.*claude-code.*shop/s);
  assert.deepEqual(await sideways(page), []);
  const again = await stage.ask(worded(text));
  const outcome = await stage.outcome(again.ask_id);
  assert.deepEqual([told(outcome), outcome.answered_by], [{ db: ["lite"] }, "rule"]);
  assert.match(outcome.comment, /rule_/);
  // The card of what a rule answered says so, and offers no rule.
  await person.at(again);
  assert.equal(await page.locator(".always").count(), 0);
  await person.open("/rules");
  await row.locator("button").click();
  await row.waitFor({ state: "detached" });
  const asked = await stage.ask(worded(text));
  assert.equal(await stage.is_open(asked.ask_id), true, "the person is asked again");
});

desk_and_phone("D19 the page of figures shows what was asked, in charts that say what they show", async (person) => {
  await answered("Which figure is this one?", "pg", "lite");
  const cancelled = await stage.ask(worded("Which figure is cancelled?", { asker: { agent: "<b>codex</b>" } }));
  await stage.cancel(cancelled.ask_id, "no");
  const page = await person.open("/sessions");
  await page.locator('main a[href="/insight"]').click();
  await page.waitForURL("**/insight");
  const charts = page.locator("figure.chart");
  assert.equal(await charts.count(), 3);
  for (const chart of await charts.all()) {
    const said = await chart.locator("svg").getAttribute("aria-label");
    assert.ok(said.length > 10 && (await chart.locator("figcaption p").textContent()) === said, said);
    const box = await chart.locator("svg").boundingBox();
    assert.ok(box.width > 200 && box.height > 20, JSON.stringify(box));
    assert.ok((await chart.locator("svg rect").count()) > 0);
    await chart.locator("summary").click();
    assert.ok(await chart.locator("table").isVisible(), "the figures in a table");
  }
  // What an agent calls itself is shown as it is and does nothing.
  assert.match(await charts.last().textContent(), /<b>codex<\/b>/);
  assert.match(await page.locator("main").textContent(), /Which figure is cancelled\?/);
  assert.deepEqual(await sideways(page), []);
});
