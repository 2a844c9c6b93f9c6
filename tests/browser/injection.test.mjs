// Texts that would run: in every field of an ask, of an answer and of a transcript. None runs, each is shown as typed.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before } from "node:test";
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

/** An ask whose every field is this text. */
function hostile(text) {
  const choice = (id, more) => ({ id, label: text, description: text, ...more });
  return {
    asker: { agent: text, project: text, folder: text },
    context: text,
    questions: [
      {
        question_id: "q",
        header: text,
        question: text,
        description: text,
        type: "multiple_choice",
        other: true,
        options: [
          choice("md", { preview: text }),
          choice("html", { label: `${text} `, preview: text, preview_format: "html" }),
        ],
        follow_up_questions: { md: [{ question_id: "f", header: text, question: text, description: text, placeholder: text, type: "text" }] },
      },
    ],
  };
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

story("at least 50 texts are tried", async () => assert.ok(all().length >= 50));

story("D10 in every field of an ask, of an answer and of a cancel, a script is text", async (person) => {
  for (const [n, text] of all().entries()) {
    const ask = await stage.ask(hostile(text), { whence: `a${n}` });
    const page = await person.at(ask);
    const card = new Card(page);
    const shown = await words(page.locator("main"));
    // Agent and project, header, question, description; labels and descriptions of two choices; the follow-up.
    assert.ok(times(shown, text) >= 9, `shown ${times(shown, text)} times: ${text}\n${shown}`);
    await card.choice("q", "md").check();
    await untouched(page);
    await stage.answer(ask.ask_id, { q: { other: text } }, { q: text });
    await card.closed();
    const closed = await words(card.root);
    assert.ok(times(closed, text) >= 6, `shown ${times(closed, text)} times: ${text}\n${closed}`);
    await untouched(page);
  }
});

story("D10 in the inbox, in a cancel's reason and in the history, a script is text", async (person) => {
  const asks = [];
  for (const [n, text] of all().entries()) asks.push(await stage.ask(hostile(text), { whence: `b${n}` }));
  const page = await person.open("/");
  for (const [n, text] of all().entries()) {
    const row = await words(page.locator(`#row-${asks[n].ask_id}`));
    assert.ok(times(row, text) >= 2, `${text}\n${row}`);
  }
  await untouched(page);
  for (const [n, text] of all().entries()) {
    await stage.cancel(asks[n].ask_id, text);
    await person.open(`/sessions/${asks[n].session_id}`);
    const shown = await words(page.locator("main"));
    assert.ok(times(shown, text) >= 4, `${text}\n${shown}`);
    await untouched(page);
  }
  await person.open("/sessions");
  await untouched(page);
});

story("D10 what a person types comes back into the form as typed, from the sheet and from a refusal", async (person) => {
  const both = { questions: [{ question_id: "t", question: "What?", type: "text" }, { question_id: "n", question: "How many?", type: "text", format: "integer", other: false }] };
  const ask = await stage.ask(both);
  const page = await person.at(ask);
  const card = new Card(page);
  for (const text of all()) {
    const saved = await stage.call("PUT", `/api/asks/${ask.ask_id}/sheet`, { body: { answers: { t: text } } });
    assert.equal(saved.status, 200, saved.text);
    await person.at(ask);
    assert.equal(await card.field("text", "t").inputValue(), text);
    await untouched(page);
  }
  const plain = await here.another({ script: false });
  const there = new Card(await plain.at(ask));
  for (const text of all().slice(0, 20)) {
    await there.write("t", text);
    await there.write("n", "not a number");
    await there.send();
    await there.question("n").locator(".fault").waitFor();
    assert.equal(await there.field("text", "t").inputValue(), text);
  }
  await plain.leave();
});

story("D10 in a transcript a script is text", async (person) => {
  for (const text of all()) {
    const lines = [
      { type: "user", uuid: "1", parentUuid: null, cwd: text, message: { role: "user", content: text } },
      {
        type: "assistant",
        uuid: "2",
        parentUuid: "1",
        message: {
          role: "assistant",
          content: [
            { type: "thinking", thinking: text },
            { type: "text", text },
            { type: "tool_use", id: "t", name: text, input: { [text]: text } },
            { type: "tool_use", id: "a", name: "AskUserQuestion", input: { questions: [{ question: text, header: text, multiSelect: false, options: [{ label: text, description: text }, { label: "B", description: text }] }] } },
          ],
        },
      },
      { type: "user", uuid: "3", parentUuid: "2", message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: text, is_error: true }] } },
    ];
    const page = await person.open("/transcript");
    const buffer = Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n"));
    await page.locator("input[type=file]").setInputFiles({ name: `${text.replaceAll("/", "")}.jsonl`, mimeType: "application/jsonl", buffer });
    await page.locator('form[enctype="multipart/form-data"] button').click();
    await page.locator(".msg").first().waitFor();
    const shown = await words(page.locator("main"));
    assert.ok(times(shown, text) >= 5, `shown ${times(shown, text)} times: ${text}\n${shown}`);
    await untouched(page);
  }
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
