// Texts that would run: in every field of an ask, of an answer and of a transcript. None runs, each is shown as typed.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { Card } from "./card.mjs";
import { payloads } from "./payloads.mjs";
import { scene } from "./scene.mjs";

const here = scene();
const { stage, story } = here;

/** A server that must never be asked for anything. */
const evil = createServer((request, response) => {
  evil.asked.push(request.url);
  response.end();
});
evil.asked = [];
before(() => new Promise((done) => evil.listen(0, "127.0.0.1", done)));
after(() => new Promise((done) => evil.close(done)));
const all = () => payloads(`127.0.0.1:${evil.address().port}`);

/** A question whose every field is this text. */
function question(id, text) {
  const choice = (name, more) => ({ id: name, label: text, description: text, ...more });
  return {
    question_id: id,
    header: text,
    question: text,
    description: text,
    type: "multiple_choice",
    other: true,
    options: [choice("md", { preview: text }), choice("html", { label: `${text} B`, preview: text, preview_format: "html" })],
    follow_up_questions: {
      md: [{ question_id: `${id}f`, header: text, question: text, description: text, placeholder: text, type: "text" }],
    },
  };
}

/** An ask of which everything is this text. */
const hostile = (text) => ({ asker: { agent: text, project: text, folder: text }, context: text, questions: [question("q", text)] });

/** Four at a time: as many as one ask has questions. */
function fours(texts) {
  return Array.from({ length: Math.ceil(texts.length / 4) }, (_, n) => texts.slice(4 * n, 4 * n + 4));
}

/** Blanks in a row are one on a page. */
const seen = (text) => text.replaceAll(/\s+/g, " ").trim();

/** What is visible or folded, as text. */
const words = async (locator) => seen(await locator.evaluate((element) => element.textContent));

/** How often a text stands in another. */
const times = (text, part) => text.split(seen(part)).length - 1;

async function untouched(page) {
  assert.equal(await page.evaluate(() => window.__pwned), undefined);
  assert.deepEqual(evil.asked, []);
}

test("at least 50 texts are tried", () => assert.ok(all().length >= 50));

story("D10 in every field of a question and of an answer a script is text", async (person) => {
  for (const [n, texts] of fours(all()).entries()) {
    const [agent, project = "p", folder = "f", context = "c"] = texts;
    const questions = texts.map((text, idx) => question(`q${idx}`, text));
    const ask = await stage.ask({ asker: { agent, project, folder }, context, questions }, { whence: `a${n}` });
    const page = await person.at(ask);
    const card = new Card(page);
    const open = await words(card.root);
    // Header, question, description; label and description of two choices; the follow-up's three.
    for (const text of texts) assert.ok(times(open, text) >= 10, `shown ${times(open, text)} times: ${text}\n${open}`);
    await card.choice("q0", "md").check();
    await untouched(page);
    const answers = Object.fromEntries(texts.map((text, idx) => [`q${idx}`, { other: text }]));
    const notes = Object.fromEntries(texts.map((text, idx) => [`q${idx}`, text]));
    await stage.answer(ask.ask_id, answers, notes);
    await card.closed();
    const closed = await words(card.root);
    for (const text of texts) assert.ok(times(closed, text) >= 7, `shown ${times(closed, text)} times: ${text}\n${closed}`);
    await untouched(page);
  }
});

story("D10 in the inbox a script is text, whoever asks", async (person) => {
  const asks = [];
  for (const [n, text] of all().entries()) asks.push(await stage.ask(hostile(text), { whence: `b${n}` }));
  const page = await person.open("/");
  for (const [n, text] of all().entries()) {
    const row = await words(page.locator(`#row-${asks[n].ask_id}`));
    // Header and question, agent and project.
    assert.ok(times(row, text) >= 4, `${text}\n${row}`);
    const folder = await page.locator(`#row-${asks[n].ask_id} .project`).getAttribute("title");
    assert.equal(folder, text);
  }
  await untouched(page);
  // And once more as rows that come in live.
  for (const ask of asks) await stage.withdraw(ask.ask_id);
  await page.locator(".ask-row").first().waitFor({ state: "detached" });
  const last = await stage.ask(hostile(all()[0]));
  await page.locator(`#row-${last.ask_id}`).waitFor();
  await untouched(page);
});

story("D10 in the history a script is text: why it was asked, and why it was declined", async (person) => {
  const rounds = new Map();
  for (const [n, text] of all().entries()) {
    const whence = `talk-${n % 3}`;
    const ask = await stage.ask(hostile(text), { whence });
    await stage.cancel(ask.ask_id, text);
    rounds.set(ask.session, [...(rounds.get(ask.session) ?? []), text]);
  }
  for (const [session, texts] of rounds) {
    const page = await person.open(`/sessions/${session}`);
    const shown = await words(page.locator("main"));
    // Header, question, labels, descriptions, and the reason.
    for (const text of texts) assert.ok(times(shown, text) >= 6, `shown ${times(shown, text)} times: ${text}\n${shown}`);
    await untouched(page);
  }
  await untouched(await person.open("/sessions"));
});

story("D10 what a person types comes back into the form as typed, from the sheet and from a refusal", async (person) => {
  const field = (id) => ({ question_id: id, question: "What?", type: "text" });
  const fields = ["t0", "t1", "t2", "t3"];
  const ask = await stage.ask({ questions: fields.map(field) });
  const card = new Card(person.page);
  for (const texts of fours(all())) {
    const answers = Object.fromEntries(texts.map((text, idx) => [fields[idx], text]));
    const saved = await stage.call("PUT", `/api/asks/${ask.ask_id}/sheet`, { body: { answers } });
    assert.equal(saved.status, 200, saved.text);
    await person.at(ask);
    for (const [idx, text] of texts.entries()) assert.equal(await card.field("text", fields[idx]).inputValue(), text);
    await untouched(person.page);
  }
  const number = { question_id: "n", question: "How many?", type: "text", format: "integer", other: false };
  const refusing = await stage.ask({ questions: [...fields.slice(0, 3).map(field), number] });
  const plain = await here.another({ script: false });
  const there = new Card(await plain.at(refusing));
  for (const texts of fours(all())) {
    for (const [idx, text] of texts.slice(0, 3).entries()) await there.write(fields[idx], text);
    await there.write("n", texts[3] ?? "not a number");
    await there.send();
    await there.question("n").locator(".fault").waitFor();
    for (const [idx, text] of texts.slice(0, 3).entries()) assert.equal(await there.field("text", fields[idx]).inputValue(), text);
    if (texts[3]) assert.equal(await there.field("text", "n").inputValue(), texts[3]);
  }
  await plain.leave();
});

/** What one text is in every field of a transcript. */
function lines(text, n) {
  const ask = { question: text, header: text, multiSelect: false, options: [{ label: text, description: text }, { label: "B", description: text }] };
  const said = (uuid, parentUuid, role, content) => ({ type: role, uuid, parentUuid, cwd: text, message: { role, content } });
  return [
    said(`a${n}`, n === 0 ? null : `c${n - 1}`, "user", text),
    said(`b${n}`, `a${n}`, "assistant", [
      { type: "thinking", thinking: text },
      { type: "text", text },
      { type: "tool_use", id: `t${n}`, name: text, input: { [text]: text } },
      { type: "tool_use", id: `q${n}`, name: "AskUserQuestion", input: { questions: [ask] } },
    ]),
    said(`c${n}`, `b${n}`, "user", [{ type: "tool_result", tool_use_id: `t${n}`, content: text, is_error: true }]),
    { type: "summary", summary: text, leafUuid: `c${n}` },
  ];
}

story("D10 in a transcript a script is text", async (person) => {
  const page = await person.open("/transcript");
  const buffer = Buffer.from(all().flatMap(lines).map((line) => JSON.stringify(line)).join("\n"));
  const name = `${all()[7].replaceAll("/", "")}.jsonl`;
  await page.locator("input[type=file]").setInputFiles({ name, mimeType: "application/jsonl", buffer });
  await page.locator('form[enctype="multipart/form-data"] button').click();
  await page.locator(".msg").first().waitFor();
  const shown = await words(page.locator("main"));
  // The person's words, the thought, the tool's name and its result, the question; Markdown draws some of the rest.
  for (const text of all()) assert.ok(times(shown, text) >= 6, `shown ${times(shown, text)} times: ${text}`);
  await untouched(page);
});

story("D10 a name that a person gives themselves is text for the others", async (person) => {
  const ask = await stage.ask({ questions: [{ question_id: "t", question: "What?", type: "text" }] });
  const other = await here.another();
  const name = "<img src=x onerror=alert(1)>";
  const page = await other.open("/preferences");
  await page.locator("[name=name]").fill(name);
  await page.locator("form.settings .go").click();
  await page.waitForLoadState();
  await other.at(ask);
  await person.at(ask);
  await person.page.locator("#others", { hasText: name }).waitFor();
  await untouched(person.page);
  await other.leave();
});

story("D10 HTML for a preview is shown only in a frame of an origin of its own, and fetches nothing", async (person) => {
  const body = hostile("x");
  const address = `http://127.0.0.1:${evil.address().port}`;
  body.questions[0].options[1].preview =
    `<h1>Preview</h1><script>parent.__pwned=1;fetch("${address}/fetch")</script><img src="${address}/img" onerror="top.__pwned=1">` +
    `<link rel=stylesheet href="${address}/css"><iframe src="${address}/frame"></iframe><form action="${address}/form"><button>go</button></form>` +
    `<meta http-equiv=refresh content="0;url=${address}/refresh"><a href="${address}/link" target=_top>link</a>`;
  const ask = await stage.ask(body);
  const page = await person.at(ask);
  const path = `/asks/${ask.ask_id}/preview/q/html`;
  const frame = page.frameLocator("iframe").first();
  await frame.locator("h1", { hasText: "Preview" }).waitFor();
  await untouched(page);
  // Opened by itself it is no page of ours either.
  const response = await person.send("GET", path);
  const policy = response.headers["content-security-policy"] ?? "";
  assert.match(policy, /sandbox/);
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /allow-scripts|allow-same-origin/);
  assert.deepEqual(evil.asked, []);
});
