// Several people: each has their own inbox, and an ask says who still has to answer.

import assert from "node:assert/strict";
import { one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { scene } from "./scene.mjs";

const here = scene();
const { stage, story } = here;

story("D19 two people answer one ask, each on their own page, and both see how it goes", async (local) => {
  const key = await stage.person("bob");
  const bob = await here.another({ key });
  await local.open("/");
  await bob.open("/");
  const ask = await stage.ask(one({ for: { people: ["local", "bob"], quorum: 2 } }));
  const row = (person) => person.page.locator(`#row-${ask.ask_id}`);
  for (const person of [local, bob]) {
    await row(person).waitFor();
    assert.match(await row(person).innerText(), /2 answers wanted, none so far; waiting for (bob|local) and you/);
  }
  // Bob has his page open and has begun when the other answers: what he put down stays, and he is told.
  const bobs = new Card(await bob.at(ask));
  await bobs.pick("db", "lite");
  const locals = new Card(await local.at(ask));
  await locals.pick("db", "pg");
  await locals.send();
  await locals.ending.waitFor();
  assert.match(await locals.root.innerText(), /You answered\. Waiting for the others/);
  assert.match(await locals.root.innerText(), /2 answers wanted, 1 so far; waiting for bob/);
  await bob.page.getByText("2 answers wanted, 1 so far; waiting for you").first().waitFor();
  assert.ok(await bobs.choice("db", "lite").isChecked(), "his own pick stays");
  assert.ok(await stage.is_open(ask.ask_id));
  // The local person is done with it: it is in one inbox only.
  await local.open("/");
  assert.equal(await row(local).count(), 0);
  await local.at(ask);
  await bobs.send();
  await bobs.closed();
  for (const [card, local_is, bob_is] of [[bobs, "local", "You"], [locals, "You", "bob"]]) {
    await card.root.getByText("They did not agree").waitFor();
    const voices = await card.root.locator(".voices li").allInnerTexts();
    assert.ok(voices[0].startsWith(local_is) && voices[0].includes("PostgreSQL"), voices[0]);
    assert.ok(voices[1].startsWith(bob_is) && voices[1].includes("SQLite"), voices[1]);
    assert.doesNotMatch(await card.root.innerText(), /Answered|Not answered|Always/);
  }
  const outcome = await stage.outcome(ask.ask_id);
  assert.equal(outcome.agreed, false);
  assert.deepEqual(outcome.answers, []);
  assert.deepEqual(outcome.voices.map(({ user }) => user), ["local", "bob"]);
  await bob.leave();
});

story("D19 an ask for somebody else comes to their inbox only, and its asker's person looks on", async (local) => {
  const key = await stage.person("eve");
  const eve = await here.another({ key });
  await local.open("/");
  await eve.open("/");
  const ask = await stage.ask(one({ for: { people: ["eve"] } }));
  await eve.page.locator(`#row-${ask.ask_id}`).waitFor();
  const looks = new Card(await local.at(ask));
  assert.match(await looks.root.innerText(), /for other people/);
  assert.equal(await looks.form.count(), 0);
  const card = new Card(await eve.at(ask));
  await card.pick("db", "pg");
  await card.send();
  await card.closed();
  assert.equal((await stage.outcome(ask.ask_id)).by.user, "eve");
  await looks.root.getByText("PostgreSQL").first().waitFor();
  await eve.leave();
});
