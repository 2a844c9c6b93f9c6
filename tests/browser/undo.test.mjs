// An answer by one press can be taken back for a while. The desk holds it, not the page.

import assert from "node:assert/strict";
import { yes_no } from "./asks.mjs";
import { Card } from "./card.mjs";
import { List, clear, settled } from "./list.mjs";
import { scene } from "./scene.mjs";
import { told, until } from "./stage.mjs";

// As long as a story may take; those that wait for the end of it have a deadline of their own, or set it shorter.
const LONG = { answers: { undo_for: 60 } };
const here = scene((stage) => stage.configure(LONG));
const { stage, story, desk_and_phone } = here;

/** Asks, opens the inbox, and answers Yes by one press. */
async function pressed(person, text, over = {}) {
  await clear(stage);
  const ask = await stage.ask(yes_no(text, over));
  const list = new List(await person.open("/"));
  await list.button(ask).click();
  await list.undo(ask).waitFor();
  return { ask, list, page: person.page };
}

/** What the desk holds of the person's, as they see it over the API. */
async function held(ask, key) {
  const read = await stage.call("GET", `/api/asks/${ask.ask_id}`, { key });
  return read.json.held ?? [];
}

desk_and_phone("a row answered by one press says what, counts down, and takes it back", async (person) => {
  const { ask, list, page } = await pressed(person, `Deploy, ${person.page.viewportSize().width}?`);
  assert.match(await list.row(ask).innerText(), /Answered: Yes/);
  assert.match(await list.undo(ask).innerText(), /^Undo \((60|[1-5]\d)\)$/);
  const before = await list.undo(ask).innerText();
  await until("it counts down", async () => (await list.undo(ask).innerText()) !== before);
  assert.equal(await stage.is_open(ask.ask_id), true, "the agent has it already");
  await settled(page);
  await list.undo(ask).click();
  await list.button(ask).waitFor();
  assert.deepEqual(await held(ask), []);
  await settled(page);
  await list.button(ask, "no").click();
  await list.undo(ask).waitFor();
  assert.match(await list.row(ask).innerText(), /Answered: No/);
});

story("in Chinese too", { language: "zh" }, async (person) => {
  const { ask, list } = await pressed(person, "Deploy in Chinese?");
  assert.match(await list.row(ask).innerText(), /已回答：是/);
  assert.match(await list.undo(ask).innerText(), /^撤销（\d+）$/);
});

story("u takes the last answer back, and ? says so", async (person) => {
  await clear(stage);
  const asks = [await stage.ask(yes_no("Deploy first?")), await stage.ask(yes_no("Deploy second?"))];
  const page = await person.open("/");
  const list = new List(page);
  for (const ask of asks) {
    await list.button(ask).click();
    await list.undo(ask).waitFor();
  }
  await settled(page);
  await page.keyboard.press("u");
  await list.button(asks[1]).waitFor();
  assert.equal((await held(asks[0])).length, 1, "only the last one");
  await page.locator("#said", { hasText: "undone" }).waitFor({ state: "attached" });
  await page.keyboard.press("?");
  await page.locator("dialog#keys dt", { hasText: /^u$/ }).waitFor();
});

story("the row keeps its place and its height, and the focus goes on to the next", async (person) => {
  await clear(stage);
  const asks = [];
  for (const text of ["Deploy A?", "Deploy B?", "Deploy C?"]) asks.push(await stage.ask(yes_no(text)));
  const page = await person.open("/");
  const list = new List(page);
  const before = await list.row(asks[1]).boundingBox();
  await list.button(asks[0]).focus();
  await page.keyboard.press("Enter");
  await list.undo(asks[0]).waitFor();
  assert.deepEqual(await list.row(asks[1]).boundingBox(), before);
  await page.waitForFunction((id) => document.activeElement?.closest(".ask-row")?.dataset.ask === id, asks[1].ask_id);
  assert.deepEqual(await list.ids(), asks.map(({ ask_id }) => ask_id));
});

story("the second half of a double click does not take the answer back", async (person) => {
  await clear(stage);
  const ask = await stage.ask(yes_no("Deploy twice?"));
  const page = await person.open("/");
  const list = new List(page);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await list.button(ask).click();
  await list.undo(ask).waitFor();
  const { x, y } = await list.place(list.undo(ask));
  await page.mouse.click(x, y);
  await page.locator("#said", { hasText: "just changed" }).waitFor({ state: "attached" });
  assert.equal((await held(ask)).length, 1);
});

story("the tab is closed: the desk finishes it at the deadline, inside the hold", async (person) => {
  const { ask, page } = await pressed(person, "Deploy before it is late?", { timeoutMs: 8_000 });
  assert.equal(await stage.is_open(ask.ask_id), true);
  await page.close();
  const outcome = await stage.outcome(ask.ask_id);
  assert.deepEqual(told(outcome), { go: ["yes"] });
  assert.equal(outcome.status ?? "answered", "answered");
  person.page = await person.context.newPage();
});

story("the daemon is killed while it holds: the answers are there again and can be taken back", async (person) => {
  const { ask, list, page } = await pressed(person, "Deploy across a crash?");
  const other = await stage.ask(yes_no("Deploy the other across a crash?"));
  await list.leave();
  await list.button(other).waitFor();
  await settled(page);
  await list.button(other).click();
  await list.undo(other).waitFor();
  await stage.kill();
  await page.locator("#line").waitFor();
  await stage.start();
  for (const each of [ask, other]) assert.equal((await held(each)).length, 1);
  await page.locator("#line").waitFor({ state: "hidden" });
  await settled(page);
  await list.undo(other).click();
  await list.button(other).waitFor();
  assert.equal((await held(ask)).length, 1);
});

story("the daemon is killed and started again: what it held becomes final at its time", async (person) => {
  const { ask } = await pressed(person, "Deploy after a crash?", { timeoutMs: 8_000 });
  await stage.kill();
  await stage.start();
  assert.equal((await held(ask)).length, 1, "it ended before the daemon was killed, or the press is lost");
  const outcome = await stage.outcome(ask.ask_id);
  assert.deepEqual(told(outcome), { go: ["yes"] });
});

story("two browsers of one person: both say so, and either takes it back", async (person) => {
  const second = await here.another();
  const { ask, list } = await pressed(person, "Deploy from two windows?");
  const other = new List(await second.open("/"));
  await other.undo(ask).waitFor();
  await other.undo(ask).click();
  await list.button(ask).waitFor();
  await settled(person.page);
  await list.button(ask, "no").click();
  // Live, without a reload.
  await other.undo(ask).waitFor();
  assert.match(await other.row(ask).innerText(), /Answered: No/);
  await second.leave();
});

story("two people: the other sees who answers, nothing moves, and whoever is final first wins", async (person) => {
  await clear(stage);
  const key = await stage.person("bob");
  const bob = await here.another({ key });
  const ask = await stage.ask(yes_no("Deploy for two?", { for: { people: ["local", "bob"] } }));
  const bobs = new List(await bob.open("/"));
  const list = new List(await person.open("/"));
  const before = await bobs.row(ask).boundingBox();
  await list.button(ask).click();
  await list.undo(ask).waitFor();
  await bobs.row(ask).locator(".being-answered", { hasText: "local" }).waitFor();
  assert.deepEqual(await bobs.row(ask).boundingBox(), before);
  assert.doesNotMatch(await bobs.row(ask).innerText(), /Answered: Yes/, "what was picked is not bob's to see");
  // Bob confirms on the card: that is final at once.
  const card = new Card(await bob.at(ask));
  await card.pick("go", "no");
  await card.send();
  await card.closed();
  assert.deepEqual(told(await stage.outcome(ask.ask_id)), { go: ["no"] });
  await until("the row says how it ended", async () => /bob/.test(await list.row(ask).innerText().catch(() => "")));
  await bob.leave();
});

story("taken back, the other person is told that too", async (person) => {
  await clear(stage);
  const key = await stage.person("dora");
  const dora = await here.another({ key });
  const ask = await stage.ask(yes_no("Deploy, then not?", { for: { people: ["local", "dora"] } }));
  const doras = new Card(await dora.at(ask));
  const list = new List(await person.open("/"));
  await list.button(ask).click();
  await doras.root.locator(".being-answered").waitFor();
  await list.undo(ask).waitFor();
  await settled(person.page);
  await list.undo(ask).click();
  await doras.root.locator(".being-answered").waitFor({ state: "detached" });
  await dora.leave();
});

story("what was typed on the card is there again when a press in another tab is taken back", async (person) => {
  await clear(stage);
  const ask = await stage.ask({ questions: [{ ...yes_no("Deploy with a note?").questions[0] }] });
  const second = await person.context.newPage();
  const card = new Card(await person.at(ask));
  await card.note("go", "after lunch");
  await second.goto(`${stage.url}/`);
  await second.locator('html[data-script="on"]').waitFor();
  const list = new List(second);
  await list.button(ask).click();
  await card.root.locator("form.undo").waitFor();
  await settled(second);
  await list.undo(ask).click();
  await card.form.waitFor();
  assert.equal(await card.field("note", "go").inputValue(), "after lunch");
});

story("a card that comes late is not drawn over one that is newer", async (person) => {
  await clear(stage);
  const ask = await stage.ask(yes_no("Deploy, and at once not?"));
  const card = new Card(await person.at(ask));
  // Every card is read at once; the first reaches the page when the second is on its way, and the second after it.
  await person.page.evaluate(() => {
    const [read, cards] = [fetch, { n: 0, late: false }];
    globalThis.cards = cards;
    const second = new Promise((resolve) => { cards.again = resolve; });
    globalThis.fetch = async (url, options) => {
      const place = `${url}`.includes("part=card") ? cards.n += 1 : 0;
      const response = await read(url, options);
      if (place === 1) await second;
      if (place === 2) {
        cards.again();
        while (!document.querySelector("#card form.undo")) await new Promise((resolve) => setTimeout(resolve, 10));
        cards.late = true;
      }
      return response;
    };
  });
  const list = new List(await person.context.newPage());
  await list.page.goto(`${stage.url}/`);
  await list.page.locator('html[data-script="on"]').waitFor();
  await list.button(ask).click();
  await list.undo(ask).waitFor();
  await person.page.waitForFunction(() => globalThis.cards.n === 1);
  await settled(list.page);
  await list.undo(ask).click();
  await person.page.waitForFunction(() => globalThis.cards.late);
  await card.form.waitFor();
});

desk_and_phone("without a script all of it works: press, read, undo, press again", async (person) => {
  await clear(stage);
  const ask = await stage.ask(yes_no(`Deploy plainly, ${person.page.viewportSize().width}?`));
  const page = await person.open("/");
  const list = new List(page);
  await list.button(ask).click();
  await list.undo(ask).waitFor();
  assert.match(await list.row(ask).innerText(), /Answered: Yes/);
  assert.equal(new URL(page.url()).pathname, "/");
  assert.equal(await list.button(ask).count(), 0);
  await list.undo(ask).click();
  await list.button(ask).waitFor();
  assert.deepEqual(await held(ask), []);
  assert.equal(await stage.is_open(ask.ask_id), true);
  await list.button(ask, "no").click();
  await list.undo(ask).waitFor();
  await page.goto(`${stage.url}/asks/${ask.ask_id}`);
  await page.locator("#card form.undo button").click();
  await page.locator("form#answer").waitFor();
  assert.deepEqual(await held(ask), []);
}, { script: false });

story("pressed without a line, it is held when it is sent, and sent once", async (person) => {
  await clear(stage);
  const ask = await stage.ask(yes_no("Deploy without a line?"));
  const page = await person.open("/");
  const list = new List(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await person.context.setOffline(true);
  await page.locator("#line").waitFor();
  await list.button(ask).click();
  await list.row(ask).locator("p.queued").waitFor();
  assert.deepEqual(await held(ask), []);
  await person.context.setOffline(false);
  await list.undo(ask).waitFor();
  assert.equal((await held(ask)).length, 1);
  await settled(page);
  await list.undo(ask).click();
  await list.button(ask).waitFor();
  // The line breaks once more and comes back: nothing waits that could be sent again.
  await person.context.setOffline(true);
  await page.locator("#line").filter({ hasText: "offline" }).waitFor();
  await person.context.setOffline(false);
  await page.locator("#line").filter({ hasText: "offline" }).waitFor({ state: "hidden" });
  const late = await stage.ask(yes_no("Deploy what came later?"));
  await list.leave();
  await list.row(late).waitFor();
  assert.deepEqual(await held(ask), []);
  assert.equal(await list.button(ask).count(), 1);
});
