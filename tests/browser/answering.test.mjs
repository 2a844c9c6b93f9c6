// One ask: every kind of question, what opens under a choice, what is kept while typing.

import assert from "node:assert/strict";
import { every_kind, follow_ups, marks, one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { scene } from "./scene.mjs";
import { told, until } from "./stage.mjs";

const here = scene();
const { stage, story, desk_and_phone } = here;

desk_and_phone("D1 D2 every kind of question is answered, and the agent is told", async (person) => {
  const ask = await stage.ask(every_kind());
  const card = new Card(await person.at(ask));
  await card.pick("way", "right");
  await card.pick("parts", "cache", "auth");
  await card.other("parts", "Metrics & <graphs>");
  await card.write("name", "O'Brien & <T>");
  await card.pick("go", "yes");
  await card.send();
  await card.closed();
  const outcome = await stage.outcome(ask.ask_id);
  assert.equal(outcome.status, "answered");
  assert.equal(outcome.by.channel, "web");
  assert.equal(outcome.by.proof, "cookie");
  assert.deepEqual(told(outcome), {
    way: ["right"],
    parts: ["cache", "auth", "Metrics & <graphs>"],
    name: ["O'Brien & <T>"],
    go: ["yes"],
  });
  // What was typed is shown as typed.
  const text = await card.root.innerText();
  assert.match(text, /O'Brien & <T>/);
  assert.match(text, /Metrics & <graphs>/);
});

desk_and_phone("D1 the card says who asks, from where, what and in which round", async (person) => {
  const ask = await stage.ask(one({ session_id: `who-${Date.now()}`, total_rounds: 3, context: "The cart is **slow**." }));
  const page = await person.at(ask);
  const text = await page.locator("body").innerText();
  for (const word of ["claude-code", "shop", "Database", "Which database?", "PostgreSQL", "One file", "The cart is slow."]) {
    assert.ok(text.includes(word), `${word} is not in: ${text}`);
  }
  assert.match(text, /Round 1\/3/);
});

story("D2 nothing is picked beforehand unless the asker marked it, and then it says so", async (person) => {
  const plain = await stage.ask(one());
  const page = await person.at(plain);
  assert.equal(await page.locator("#answer input:checked").count(), 0);
  const marked = await stage.ask(marks());
  await person.at(marked);
  const checked = page.locator("#answer input:checked");
  assert.deepEqual(await checked.evaluateAll((inputs) => inputs.map((input) => input.value)), ["busy"]);
  const choice = (id) => page.locator(".choice", { has: page.locator(`> .opt > input[value="${id}"]`) });
  assert.match(await choice("busy").locator(".marks").innerText(), /suggest/i);
  assert.match(await choice("calm").locator(".marks").innerText(), /recommended/i);
  // The asker closed "Other".
  assert.equal(await page.locator(".choice.other").count(), 0);
});

desk_and_phone("P7 a follow-up opens under its choice at once, and only what is open counts", async (person) => {
  const ask = await stage.ask(follow_ups());
  const card = new Card(await person.at(ask));
  const [providers, org, days] = ["providers", "org", "days"].map((id) => card.question(id));
  assert.deepEqual([await providers.isVisible(), await days.isVisible()], [false, false]);
  await card.pick("auth", "jwt");
  await days.waitFor();
  await card.write("days", "30");
  await card.pick("auth", "oauth2");
  await providers.waitFor();
  assert.equal(await days.isVisible(), false);
  assert.equal(await org.isVisible(), false);
  await card.pick("providers", "github", "google");
  await org.waitFor();
  await card.write("org", "acme");
  await card.send();
  await card.closed();
  const outcome = await stage.outcome(ask.ask_id);
  const answers = told(outcome);
  assert.deepEqual(answers.auth, ["oauth2"]);
  assert.deepEqual(answers.providers, ["github", "google"]);
  assert.deepEqual(answers.org, ["acme"]);
  assert.ok(!answers.days?.includes("30"), "what was typed under another choice went along");
});

desk_and_phone("P12 the person cancels with a reason, and the agent is told it", async (person) => {
  const ask = await stage.ask(one());
  const card = new Card(await person.at(ask));
  await card.cancel("not before <Monday>");
  await card.closed();
  const outcome = await stage.outcome(ask.ask_id);
  assert.deepEqual([outcome.status, outcome.reason, outcome.comment], ["cancelled", "user", "not before <Monday>"]);
  assert.match(await card.root.innerText(), /not before <Monday>/);
});

story("P12 what must be answered is asked for at its place, and what was typed stays", async (person) => {
  const questions = [every_kind().questions[0], every_kind().questions[2]];
  const ask = await stage.ask({ questions });
  const card = new Card(await person.at(ask));
  await card.write("name", "kept");
  await card.send();
  const fault = card.question("way").locator(".fault");
  await fault.waitFor();
  assert.equal(await card.field("text", "name").inputValue(), "kept");
  assert.equal(await stage.is_open(ask.ask_id), true);
  await card.pick("way", "left");
  await card.send();
  await card.closed();
  assert.deepEqual(told(await stage.outcome(ask.ask_id)), { way: ["left"], name: ["kept"] });
});

story("P12 a question that need not be answered may be left out", async (person) => {
  const text = { ...every_kind().questions[2], required: false };
  const ask = await stage.ask({ questions: [text] });
  const card = new Card(await person.at(ask));
  await card.send();
  await card.closed();
  const [answer] = (await stage.outcome(ask.ask_id)).answers;
  assert.equal(answer.skipped, true);
});

story("a note goes with the answer", async (person) => {
  const ask = await stage.ask(one());
  const card = new Card(await person.at(ask));
  await card.pick("db", "pg");
  await card.note("db", "version 17, please");
  await card.send();
  await card.closed();
  assert.equal((await stage.outcome(ask.ask_id)).answers[0].note, "version 17, please");
  assert.match(await card.root.innerText(), /version 17, please/);
});

story("Other goes back as typed; its text alone picks it", async (person) => {
  const ask = await stage.ask(one());
  const card = new Card(await person.at(ask));
  await card.other("db", "DuckDB");
  await card.send();
  await card.closed();
  const [answer] = (await stage.outcome(ask.ask_id)).answers;
  assert.deepEqual([answer.selected, answer.text], [[], "DuckDB"]);
});

desk_and_phone("D19 what is typed is there after a reload and on another device", async (person) => {
  const ask = await stage.ask(every_kind());
  const card = new Card(await person.at(ask));
  await card.pick("way", "left");
  await card.write("name", "half a na");
  await until("the sheet is saved", async () => saved(ask, "half a na"));
  await person.page.reload();
  await card.reach(card.field("text", "name"));
  assert.equal(await card.field("text", "name").inputValue(), "half a na");
  assert.equal(await card.choice("way", "left").isChecked(), true);
  const other = await here.another({ size: "phone" });
  const there = new Card(await other.at(ask));
  await there.reach(there.field("text", "name"));
  assert.equal(await there.field("text", "name").inputValue(), "half a na");
  await other.leave();
});

/** Whether the half-filled sheet holds this text. */
async function saved(ask, text) {
  const inbox = await stage.call("GET", "/api/inbox");
  const found = inbox.json.asks.find((open) => open.ask_id === ask.ask_id);
  return JSON.stringify(found).includes(text);
}

story("D19 what was typed last is saved as the page is left", async (person) => {
  // Served by the worker, which must not swallow what a page sends as it closes.
  const page = await person.open("/");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  for (const word of ["first", "second", "third"]) {
    const ask = await stage.ask({ questions: [every_kind().questions[2]] });
    const card = new Card(await person.at(ask));
    await card.write("name", `${word} and gone`);
    await person.page.goto("about:blank");
    await until(`${word} is saved`, () => saved(ask, `${word} and gone`));
  }
});

story("a secret is typed unseen, and never kept before it is sent", async (person) => {
  const questions = [
    { question_id: "token", question_text: "Which token?", type: "text", secret: true },
    { question_id: "why", question_text: "What for?", type: "text" },
  ];
  const ask = await stage.ask({ questions });
  const card = new Card(await person.at(ask));
  assert.equal(await card.field("text", "token").getAttribute("type"), "password");
  await card.write("token", "hunter2-secret");
  await card.write("why", "the deploy");
  await until("the rest is saved", async () => saved(ask, "the deploy"));
  const inbox = await stage.call("GET", "/api/inbox");
  assert.ok(!inbox.text.includes("hunter2-secret"), "a secret was drafted");
  await card.send();
  await card.closed();
  assert.ok(!(await person.page.content()).includes("hunter2-secret"), "a secret is on the closed card");
  await stage.outcome(ask.ask_id);
});

story("Enter in a field of several lines is a new line; while an input method composes it sends nothing", async (person) => {
  const ask = await stage.ask({ questions: [every_kind().questions[2]] });
  const card = new Card(await person.at(ask));
  const field = card.field("text", "name");
  await field.click();
  const cdp = await person.context.newCDPSession(person.page);
  await cdp.send("Input.imeSetComposition", { text: "ni hao", selectionStart: 6, selectionEnd: 6 });
  // What an input method lets through while it composes.
  const composing = { key: "Process", code: "Enter", windowsVirtualKeyCode: 229 };
  await cdp.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...composing });
  await cdp.send("Input.dispatchKeyEvent", { type: "keyUp", ...composing });
  await field.evaluate((element) => {
    const enter = { key: "Enter", code: "Enter", isComposing: true, bubbles: true, cancelable: true };
    element.dispatchEvent(new KeyboardEvent("keydown", enter));
  });
  assert.equal(await stage.is_open(ask.ask_id), true);
  await cdp.send("Input.insertText", { text: "你好" });
  assert.equal(await field.inputValue(), "你好");
  await field.press("Enter");
  await field.pressSequentially("世界");
  assert.equal(await stage.is_open(ask.ask_id), true);
  assert.equal(await field.inputValue(), "你好\n世界");
  await card.send();
  await card.closed();
  assert.deepEqual(told(await stage.outcome(ask.ask_id)), { name: ["你好\n世界"] });
});

desk_and_phone("several questions come one after another, with back and a count", async (person) => {
  const ask = await stage.ask(every_kind());
  const card = new Card(await person.at(ask));
  const progress = card.form.locator(".progress:visible");
  assert.match(await progress.innerText(), /1 of 4/);
  assert.equal(await card.question("parts").isVisible(), false);
  await card.pick("way", "left");
  await card.pick("parts", "log");
  assert.match(await progress.innerText(), /2 of 4/);
  assert.equal(await card.question("way").isVisible(), false);
  await person.page.locator("#answer [data-step=back]").click();
  await card.question("way").waitFor();
  assert.equal(await card.choice("way", "left").isChecked(), true);
});

desk_and_phone("a preview in Markdown is drawn, one in HTML stays in a frame that can do nothing", async (person) => {
  const ask = await stage.ask(marks());
  const page = await person.at(ask);
  const markdown = page.locator(".preview h1, .preview h2, .preview h3, .preview h4", { hasText: "Calm" });
  await markdown.first().waitFor({ state: "attached" });
  const frame = page.locator("iframe").first();
  const sandbox = await frame.getAttribute("sandbox");
  assert.ok(sandbox !== null && !/allow-scripts|allow-same-origin|allow-top|allow-popups|allow-forms/.test(sandbox), sandbox);
  const inside = page.frameLocator("iframe").first();
  await inside.locator("h1", { hasText: "Busy" }).waitFor();
});
