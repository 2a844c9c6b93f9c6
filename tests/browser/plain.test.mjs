// The same page without JavaScript: nothing is missing but the comfort.

import assert from "node:assert/strict";
import { every_kind, follow_ups, one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { scene } from "./scene.mjs";
import { told } from "./stage.mjs";

const here = scene();
const { stage, story, desk_and_phone } = here;
const plain = { script: false };

desk_and_phone(
  "D1 D2 without JavaScript every kind of question is answered",
  async (person) => {
    const ask = await stage.ask(every_kind());
    const card = new Card(await person.at(ask));
    // All of them under one another.
    for (const id of ["way", "parts", "name", "go"]) assert.equal(await card.question(id).isVisible(), true, id);
    await card.pick("way", "left");
    await card.pick("parts", "cache", "log");
    await card.other("parts", "Metrics");
    await card.write("name", "two\nlines");
    await card.pick("go", "no");
    await card.note("way", "a note");
    await card.send();
    await card.closed();
    const outcome = await stage.outcome(ask.ask_id);
    const expected = { way: ["left"], parts: ["cache", "log", "Metrics"], name: ["two\nlines"], go: ["no"] };
    assert.deepEqual(told(outcome), expected);
    assert.equal(outcome.answers[0].note, "a note");
    assert.equal(new URL(person.page.url()).pathname, `/asks/${ask.ask_id}`);
  },
  plain,
);

desk_and_phone(
  "P7 without JavaScript a follow-up opens under its choice",
  async (person) => {
    const ask = await stage.ask(follow_ups());
    const card = new Card(await person.at(ask));
    assert.equal(await card.question("providers").isVisible(), false);
    await card.pick("auth", "oauth2");
    await card.question("providers").waitFor();
    await card.pick("providers", "github");
    await card.question("org").waitFor();
    await card.write("org", "acme");
    await card.send();
    await card.closed();
    const answers = told(await stage.outcome(ask.ask_id));
    assert.deepEqual([answers.auth, answers.providers, answers.org], [["oauth2"], ["github"], ["acme"]]);
  },
  plain,
);

story("P12 without JavaScript faults stand at their questions and everything typed is kept", plain, async (person) => {
  const ask = await stage.ask(every_kind());
  const card = new Card(await person.at(ask));
  await card.pick("parts", "log");
  await card.other("way", "");
  await card.write("name", `"kept" & <b>`);
  await card.send();
  await card.question("way").locator(".fault").waitFor();
  await card.question("go").locator(".fault").waitFor();
  assert.equal(await card.question("name").locator(".fault").count(), 0);
  assert.equal(await card.field("text", "name").inputValue(), `"kept" & <b>`);
  assert.equal(await card.choice("parts", "log").isChecked(), true);
  await card.pick("way", "right");
  await card.pick("go", "yes");
  await card.send();
  await card.closed();
  const expected = { way: ["right"], parts: ["log"], name: [`"kept" & <b>`], go: ["yes"] };
  assert.deepEqual(told(await stage.outcome(ask.ask_id)), expected);
});

story("P12 without JavaScript the person cancels with a reason", plain, async (person) => {
  const ask = await stage.ask(one());
  const card = new Card(await person.at(ask));
  await card.cancel("later");
  await card.closed();
  assert.equal((await stage.outcome(ask.ask_id)).comment, "later");
});

story("without JavaScript a half-filled sheet is saved by a button and is there again", plain, async (person) => {
  const ask = await stage.ask(every_kind());
  const card = new Card(await person.at(ask));
  await card.write("name", "half");
  await card.pick("parts", "auth");
  await person.page.locator("#answer button[name=do][value=save]").click();
  await person.at(ask);
  assert.equal(await card.field("text", "name").inputValue(), "half");
  assert.equal(await card.choice("parts", "auth").isChecked(), true);
  assert.equal(await stage.is_open(ask.ask_id), true);
});

story("O7 without JavaScript a late answer says who was first, and keeps the text", plain, async (person) => {
  const ask = await stage.ask(one());
  const card = new Card(await person.at(ask));
  await card.other("db", "my own <words>");
  await stage.answer(ask.ask_id, { db: "lite" });
  await card.send();
  await card.closed();
  assert.match(await card.root.innerText(), /SQLite/);
  assert.match(await card.kept(), /my own <words>/);
  assert.deepEqual(told(await stage.outcome(ask.ask_id)), { db: ["lite"] });
});

story("P13 without JavaScript a cancelled ask is asked anew, with what was filled in", plain, async (person) => {
  const ask = await stage.ask(one());
  const card = new Card(await person.at(ask));
  await card.other("db", "DuckDB");
  await person.page.locator("#answer button[name=do][value=save]").click();
  await person.at(ask);
  await card.cancel("wait");
  await card.closed();
  await person.page.locator('form[action$="/reopen"] button').click();
  await person.page.locator('#card[data-open="true"]').waitFor();
  assert.notEqual(new URL(person.page.url()).pathname, `/asks/${ask.ask_id}`);
  assert.equal(await card.field("other", "db").inputValue(), "DuckDB");
});

story("without JavaScript the inbox leads to every ask, the oldest first", plain, async (person) => {
  const first = await stage.ask(one());
  const second = await stage.ask(follow_ups());
  const page = await person.open("/");
  const ids = await page.locator("#asks .ask-row").evaluateAll((rows) => rows.map((row) => row.dataset.ask));
  const [from, to] = [ids.indexOf(first.ask_id), ids.indexOf(second.ask_id)];
  assert.ok(from >= 0 && to > from, JSON.stringify(ids));
  await page.locator(`#row-${second.ask_id} a`).first().click();
  await page.locator(`#card[data-ask="${second.ask_id}"]`).waitFor();
});
