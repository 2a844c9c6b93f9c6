// Every action by keyboard alone.

import assert from "node:assert/strict";
import { every_kind, follow_ups, one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { settled } from "./list.mjs";
import { scene } from "./scene.mjs";
import { told, until } from "./stage.mjs";

const here = scene();
const { stage, story } = here;

/** Presses Tab until the focus is on what fits. */
async function tab_to(page, selector) {
  for (let n = 0; n < 80; n += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never comes to ${selector}`);
}

story("D1 an ask is answered with digits and Enter", async (person) => {
  const ask = await stage.ask(one());
  const card = new Card(await person.at(ask));
  await card.form.waitFor();
  await until("the script listens", async () => {
    await person.page.keyboard.press("2");
    return card.choice("db", "lite").isChecked();
  });
  await person.page.keyboard.press("Enter");
  await card.closed();
  assert.deepEqual(told(await stage.outcome(ask.ask_id)), { db: ["lite"] });
});

story("D1 every kind of question is answered with Tab, Space, arrows and Enter alone", async (person) => {
  const ask = await stage.ask(every_kind());
  const page = await person.at(ask);
  const card = new Card(page);
  await card.form.waitFor();
  const next = async () => {
    await tab_to(page, "#answer [data-step=next]");
    await page.keyboard.press("Enter");
    await settled(page);
  };
  await tab_to(page, '[name="pick:way"]');
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  assert.equal(await card.choice("way", "right").isChecked(), true);
  await next();
  await tab_to(page, '[name="pick:parts"][value="log"]');
  await page.keyboard.press("Space");
  await next();
  await tab_to(page, '[name="text:name"]');
  await page.keyboard.type("by hand 123 ?");
  await next();
  await tab_to(page, '[name="pick:go"]');
  await page.keyboard.press("Space");
  await tab_to(page, "button[name=do][value=answer]");
  await page.keyboard.press("Enter");
  await card.closed();
  const answers = told(await stage.outcome(ask.ask_id));
  assert.deepEqual([answers.way, answers.parts, answers.name], [["right"], ["log"], ["by hand 123 ?"]]);
  assert.equal(answers.go.length, 1);
});

story("D1 where the focus is can be seen", async (person) => {
  const ask = await stage.ask(follow_ups());
  const page = await person.at(ask);
  const blind = [];
  for (let n = 0; n < 25; n += 1) {
    await page.keyboard.press("Tab");
    const seen = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const outlined = (of) => {
        const style = getComputedStyle(of);
        return (style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
      };
      const box = element.getBoundingClientRect();
      const shows = outlined(element) || (element.closest("label") && outlined(element.closest("label")));
      return { html: element.outerHTML.slice(0, 100), shows: shows && box.width > 0 };
    });
    if (seen && !seen.shows) blind.push(seen.html);
  }
  assert.deepEqual(blind, []);
});

story("D1 y and n pick Yes and No, m adds a note, and Alt M does where letters are text", async (person) => {
  const ask = await stage.ask({ questions: [every_kind().questions[3], every_kind().questions[2]] });
  const page = await person.at(ask);
  const card = new Card(page);
  await card.form.waitFor();
  await until("the script listens", async () => {
    await page.keyboard.press("n");
    return card.choice("go", "no").isChecked();
  });
  await page.keyboard.press("y");
  assert.equal(await card.choice("go", "yes").isChecked(), true);
  await page.keyboard.press("m");
  await page.keyboard.type("m, y and n are text here");
  assert.equal(await card.field("note", "go").inputValue(), "m, y and n are text here");
  assert.equal(await card.choice("go", "yes").isChecked(), true);
  await tab_to(page, "#answer [data-step=next]");
  await page.keyboard.press("Enter");
  await settled(page);
  await tab_to(page, '[name="text:name"]');
  await page.keyboard.type("many");
  await page.keyboard.press("Alt+m");
  await page.keyboard.type("why");
  assert.equal(await card.field("text", "name").inputValue(), "many");
  assert.equal(await card.field("note", "name").inputValue(), "why");
});

story("D1 ? shows the keys, Esc takes them away, and digits in a text field are digits", async (person) => {
  const ask = await stage.ask({ questions: [one().questions[0], every_kind().questions[2]] });
  const page = await person.at(ask);
  const card = new Card(page);
  const sheet = page.locator("dialog#keys");
  await until("the sheet opens", async () => {
    await page.keyboard.press("?");
    return sheet.isVisible();
  });
  assert.ok((await sheet.locator("kbd").count()) >= 4);
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });
  await card.other("db", "");
  await card.field("other", "db").click();
  await page.keyboard.type("1 2 ? j k");
  assert.equal(await card.field("other", "db").inputValue(), "1 2 ? j k");
  assert.equal(await sheet.isVisible(), false);
  assert.equal(await card.choice("db", "pg").isChecked(), false);
  assert.equal(await stage.is_open(ask.ask_id), true);
});

story("D1 j and k go through the inbox, Enter opens, and Esc never answers", async (person) => {
  const asks = [await stage.ask(follow_ups()), await stage.ask(every_kind())];
  const page = await person.open("/");
  await page.locator(`#row-${asks[1].ask_id}`).waitFor();
  const on = () => page.evaluate(() => document.activeElement?.closest(".ask-row")?.dataset.ask);
  const ids = await page.locator(".ask-row").evaluateAll((rows) => rows.map((row) => row.dataset.ask));
  await until("j goes to the first", async () => {
    if ((await on()) === ids[0]) return true;
    await page.keyboard.press("j");
    return false;
  });
  await page.keyboard.press("j");
  assert.equal(await on(), ids[1]);
  await page.keyboard.press("k");
  assert.equal(await on(), ids[0]);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/asks/${ids[0]}`);
  await page.keyboard.press("Escape");
  assert.equal(await stage.is_open(ids[0]), true);
});

story("D1 the first Tab skips to what matters", async (person) => {
  const ask = await stage.ask(one());
  const page = await person.at(ask);
  await page.keyboard.press("Tab");
  const href = await page.evaluate(() => document.activeElement?.getAttribute("href"));
  assert.equal(href, "#main");
});
