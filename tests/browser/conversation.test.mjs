// The conversation around a question: rounds, what was asked and answered before, transcripts.

import assert from "node:assert/strict";
import { every_kind, follow_ups, one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { scene } from "./scene.mjs";

const here = scene();
const { stage, story, desk_and_phone } = here;

/** A session of two closed rounds and an open one. */
async function three_rounds(name) {
  const session_id = `${name}-${Date.now()}`;
  const first = await stage.ask(one({ session_id, total_rounds: 3 }));
  await stage.answer(first.ask_id, { db: "lite" }, { db: "one file is enough" });
  const second = await stage.ask(every_kind({ session_id, total_rounds: 3 }));
  await stage.cancel(second.ask_id, "one thing at a time");
  const third = await stage.ask(follow_ups({ session_id, total_rounds: 3 }));
  return { first, second, third, session: third.session };
}

desk_and_phone("P2 P15 earlier rounds stand above the question, with all options and what was chosen", async (person) => {
  const { third } = await three_rounds(`above-${person.page.viewportSize().width}`);
  const page = await person.at(third);
  await page.locator("#answer").waitFor();
  const text = await page.locator("main").innerText();
  assert.match(text, /Round 3\/3/);
  const [earlier, second] = [page.locator("#conversation details.earlier").first(), page.locator("#conversation details.earlier").nth(1)];
  assert.match(await earlier.locator("summary").first().innerText(), /Round 1 · Database → SQLite/);
  await earlier.locator("summary").first().click();
  const said = await earlier.innerText();
  for (const word of ["Which database?", "PostgreSQL", "SQLite", "one file is enough", "local"]) {
    assert.ok(said.includes(word), `${word} is not in: ${said}`);
  }
  assert.match(await earlier.locator(".opt.chosen").first().innerText(), /SQLite/);
  assert.ok((await second.evaluate((element) => element.textContent)).includes("one thing at a time"));
});

desk_and_phone("P2 P15 P18 the history of a session: by round, with a jump to each", async (person) => {
  const { session } = await three_rounds(`history-${person.page.viewportSize().width}`);
  const page = await person.open("/sessions");
  await page.locator(`a[href^="/sessions/${session}"]`).first().click();
  await page.waitForURL(`**/sessions/${session}*`);
  for (const round of [1, 2, 3]) await page.locator(`#round-${round}`).waitFor({ state: "attached" });
  await page.locator('a[href$="#round-2"]').first().click();
  assert.match(page.url(), /#round-2$/);
  const top = await page.locator("#round-2").evaluate((element) => element.getBoundingClientRect().top);
  assert.ok(top >= -2 && top < page.viewportSize().height, `round 2 is at ${top}`);
});

story("P2 P20 an earlier round is taken up again in a session of its own", async (person) => {
  const { session } = await three_rounds("again");
  const page = await person.open(`/sessions/${session}`);
  const form = page.locator('form[action$="/restore"]').first();
  if (!(await form.locator("button").isVisible())) await form.locator("xpath=ancestor::details[1]/summary").click();
  await form.locator("button").click();
  await page.waitForURL((url) => url.pathname.startsWith("/") && !url.pathname.endsWith("/restore"));
  const sessions = (await stage.call("GET", "/api/sessions")).json.sessions;
  assert.ok(sessions.some((found) => found.restored_from === session), JSON.stringify(sessions).slice(0, 500));
});

const LINES = [
  { type: "user", uuid: "u1", parentUuid: null, message: { role: "user", content: "Add a login <b>now</b>" } },
  {
    type: "assistant",
    uuid: "u2",
    parentUuid: "u1",
    message: {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "They want a login, so I must ask which one." },
        { type: "text", text: "I will look at `src/auth.rs` **first**." },
        { type: "tool_use", id: "t1", name: "Read", input: { file_path: "src/auth.rs", limit: 20 } },
      ],
    },
  },
  {
    type: "user",
    uuid: "u3",
    parentUuid: "u2",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "pub fn sign_in() {}" }] },
  },
  {
    type: "assistant",
    uuid: "u4",
    parentUuid: "u3",
    message: { role: "assistant", content: [{ type: "tool_use", id: "t2", name: "Bash", input: { command: "false" } }] },
  },
  {
    type: "user",
    uuid: "u5",
    parentUuid: "u4",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t2", is_error: true, content: "exit code 1" }] },
  },
  {
    type: "assistant",
    uuid: "u6",
    parentUuid: "u5",
    message: {
      role: "assistant",
      content: [
        {
          type: "tool_use",
          id: "t3",
          name: "AskUserQuestion",
          input: {
            questions: [
              {
                question: "Which authentication?",
                header: "Auth",
                multiSelect: false,
                options: [
                  { label: "OAuth 2.0", description: "Another account" },
                  { label: "JWT", description: "Tokens" },
                ],
              },
            ],
          },
        },
      ],
    },
  },
  {
    type: "user",
    uuid: "u7",
    parentUuid: "u6",
    message: {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "t3",
          content:
            'User has answered your questions: "Which authentication?"="JWT". You can now continue with the user\'s answers in mind.',
        },
      ],
    },
    toolUseResult: { answers: { "Which authentication?": "JWT" } },
  },
  { type: "error", uuid: "u8", parentUuid: "u7", error: "The model is overloaded" },
  { type: "info", uuid: "u9", parentUuid: "u8", content: "Conversation compacted" },
  { type: "complete", uuid: "u10", parentUuid: "u9", content: "The login is there." },
];

/** Opens a transcript as a person does: picks the file and sends it. */
export async function open_transcript(person, lines) {
  const page = await person.open("/transcript");
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  await page.locator("input[type=file]").setInputFiles({ name: "talk.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(text) });
  await page.locator('form[enctype="multipart/form-data"] button').click();
  await page.locator(".msg").first().waitFor();
  return page;
}

for (const script of [true, false]) {
  story(`P1 P18 a transcript of Claude Code reads like a session${script ? "" : ", without JavaScript too"}`, { script }, async (person) => {
    const page = await open_transcript(person, LINES);
    // Each of the eight kinds has its own look (P1); colours as the page draws them.
    const edges = {};
    for (const kind of ["text", "think", "tool", "result", "error", "complete", "info", "ask"]) {
      const message = page.locator(`.msg.${kind}:not(.by-person)`).first();
      edges[kind] = await message.evaluate((element) => {
        const style = getComputedStyle(element);
        return `${style.borderLeftColor} ${style.backgroundColor}`;
      });
    }
    const blue = ["text", "result", "complete"];
    assert.equal(new Set(Object.values(edges)).size, 8 - blue.length + 1, JSON.stringify(edges));
    assert.equal(new Set(blue.map((kind) => edges[kind])).size, 1, JSON.stringify(edges));
    const thinking = page.locator(".msg.think").first();
    assert.equal(await thinking.getByText("They want a login").isVisible(), false, "thinking is not folded");
    await thinking.locator("summary").click();
    await thinking.getByText("They want a login").waitFor();
    const text = await page.locator("main").evaluate((main) => main.textContent);
    for (const word of ["Add a login <b>now</b>", "Read", "src/auth.rs", "pub fn sign_in() {}", "exit code 1", "OAuth 2.0", "JWT", "overloaded", "compacted", "The login is there."]) {
      assert.ok(text.includes(word), `${word} is not in: ${text}`);
    }
    // Results are marked as a success or an error, in words.
    assert.match(text, /error|failed/i);
    assert.equal(await page.locator("strong", { hasText: "first" }).count(), 1, "Markdown is drawn");
  });
}

story("a file that is no transcript is told as such", async (person) => {
  const page = await person.open("/transcript");
  await page.locator("input[type=file]").setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("not json\n\u0000") });
  await page.locator('form[enctype="multipart/form-data"] button').click();
  await page.getByText("no conversation in this file", { exact: false }).waitFor();
  assert.equal(await page.locator(".msg.text, .msg.tool, .msg.ask").count(), 0);
});
