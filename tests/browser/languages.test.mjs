// Two languages, the person's own time, and what they prefer.

import assert from "node:assert/strict";
import { every_kind, one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { scene } from "./scene.mjs";
import { told, until } from "./stage.mjs";

const here = scene();
const { stage, story, desk_and_phone } = here;

/** Words of English that a Chinese page may show: names and what agents wrote. */
const NAMES = /askuser|claude-code|shop|Claude Code|JSON ?L(ines)?|English|Esc|Enter|Tab|AskUserQuestion|local|AM|PM|UTC|Other/g;

/** What stands on the page in Latin letters and is not a name. */
async function latin(page) {
  const text = await page.locator("body").evaluate((body) => body.innerText);
  return text.replaceAll(NAMES, "").match(/[A-Za-z]{3,}/g) ?? [];
}

const CHINESE = {
  asker: { agent: "claude-code", project: "shop" },
  context: "购物车很慢。",
  questions: [
    {
      question_id: "db",
      header: "数据库",
      question_text: "用哪个数据库？",
      type: "multiple_choice",
      options: [
        { id: "a", label: "关系型", description: "一台服务器" },
        { id: "b", label: "单文件", description: "一个文件" },
      ],
    },
  ],
};
const YES_OR_NO = { asker: CHINESE.asker, questions: [{ question_id: "go", header: "删除", question_text: "现在删除吗？", type: "boolean" }] };

desk_and_phone(
  "D19 a Chinese browser gets a Chinese page, every word of it",
  async (person) => {
    const ask = await stage.ask({ ...CHINESE, timeoutMs: 600_000 });
    const answered = await stage.ask(YES_OR_NO);
    await stage.answer(answered.ask_id, { go: true });
    await stage.ask(YES_OR_NO);
    for (const path of ["/", `/asks/${ask.ask_id}`, `/asks/${answered.ask_id}`, "/sessions", `/sessions/${answered.session}`, "/preferences", "/rules", "/insight", "/transcript"]) {
      const page = await person.open(path);
      assert.match(await page.locator("html").getAttribute("lang"), /^zh/, path);
      assert.deepEqual(await latin(page), [], path);
    }
    const card = new Card(await person.at(ask));
    assert.match(await person.page.locator("main").innerText(), /第 1(\/\d+)? 轮/);
    await card.pick("db", "b");
    await card.send();
    await card.closed();
    assert.deepEqual(await latin(person.page), []);
    assert.deepEqual(told(await stage.outcome(ask.ask_id)), { db: ["b"] });
  },
  { language: "zh" },
);

story(
  "D1 the two buttons are 取消 and 确认, and what is cancelled says so",
  { language: "zh" },
  async (person) => {
    const ask = await stage.ask(one());
    const page = await person.at(ask);
    await page.locator("#answer").waitFor();
    assert.equal(await page.locator("#answer a.leave").innerText(), "取消");
    assert.equal(await page.locator("#answer button[value=answer]").innerText(), "确认");
    await page.locator("#answer a.leave").click();
    await page.locator("#decline button").click();
    const ending = page.locator("#card .ending");
    await ending.waitFor();
    assert.match(await ending.innerText(), /你已取消（浏览器）/);
    assert.doesNotMatch(await page.locator("main").innerText(), /拒绝/);
  },
);

story("D19 the switch goes before the browser's language, and stays", async (person) => {
  const page = await person.open("/preferences");
  assert.match(await page.locator("html").getAttribute("lang"), /^en/);
  await page.locator("[name=language][value=zh]").check();
  await page.locator("form.settings .go").click();
  await page.locator('html[lang^="zh"]').waitFor();
  await person.open("/");
  assert.match(await page.locator("html").getAttribute("lang"), /^zh/);
  await person.open("/preferences");
  await page.locator("[name=language][value=auto]").check();
  await page.locator("form.settings .go").click();
  await page.locator('html[lang^="en"]').waitFor();
});

for (const zone of ["Asia/Shanghai", "America/New_York"]) {
  story(`D19 times are in the person's zone: ${zone}`, { zone }, async (person) => {
    const ask = await stage.ask(one());
    await stage.answer(ask.ask_id, { db: "pg" });
    const card = new Card(await person.at(ask));
    const time = card.root.locator("time[data-as=clock]").first();
    const [at, said] = [await time.getAttribute("datetime"), await time.innerText()];
    const there = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: zone });
    assert.ok(said.includes(there.format(new Date(at))), `${said} for ${at}`);
  });
}

for (const script of [true, false]) {
  story(`D19 theme and density are kept${script ? "" : ", without JavaScript too"}`, { script }, async (person) => {
    const page = await person.open("/preferences");
    const background = () => page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
    const light = script ? await background() : null;
    await page.locator("[name=theme][value=dark]").check();
    await page.locator("[name=density][value=compact]").check();
    await page.locator("[name=name]").fill(`Ann "<b>`);
    await page.locator("form.settings .go").click();
    await page.locator('html[data-theme="dark"][data-density="compact"]').waitFor();
    if (script) assert.notEqual(await background(), light);
    await person.open("/");
    await page.locator('html[data-theme="dark"][data-density="compact"]').waitFor();
    await person.open("/preferences");
    assert.equal(await page.locator("[name=name]").inputValue(), `Ann "<b>`);
  });
}

story("D19 sound, notifications and speech are off until they are wanted", async (person) => {
  const page = await person.open("/preferences");
  for (const name of ["sound", "notifications", "speech"]) {
    assert.equal(await page.locator(`[name=${name}]`).isChecked(), false, name);
  }
  const body = page.locator("body");
  assert.deepEqual([await body.getAttribute("data-sound"), await body.getAttribute("data-speech")], ["off", "off"]);
  await page.locator("[name=speech]").check();
  await page.locator("[name=sound]").check();
  await page.locator("form.settings .go").click();
  await page.locator('body[data-sound="on"][data-speech="on"][data-notify="off"]').waitFor();
});

story("D19 a question is read aloud and a spoken answer taken, where the person wants it", async (person) => {
  // Chromium has neither voices nor ears here: what the page says to it, and does with what it heard, is what counts.
  await person.context.addInitScript(() => {
    window.spoken = [];
    window.speechSynthesis.speak = (utterance) => window.spoken.push(utterance.text);
    window.webkitSpeechRecognition = window.SpeechRecognition = class {
      start() {
        setTimeout(() => this.onresult({ results: [[{ transcript: "right" }]] }));
      }
      stop() {}
    };
  });
  const ask = await stage.ask(every_kind());
  const page = await person.at(ask);
  assert.equal(await page.locator("button.speak, button.dictate").count(), 0, "speech is on without being asked for");
  await person.open("/preferences");
  await page.locator("[name=speech]").check();
  await page.locator("form.settings .go").click();
  await page.locator('body[data-speech="on"]').waitFor();
  const card = new Card(await person.at(ask));
  await card.question("way").locator("button.speak").click();
  const [text] = await page.evaluate(() => window.spoken);
  assert.match(text, /Which way\?.*Left.*Right/s);
  await card.question("way").locator("button.dictate").click();
  await until("what was said is picked", () => card.choice("way", "right").isChecked());
  // A voice picks; it never sends.
  assert.equal(await stage.is_open(ask.ask_id), true);
});
