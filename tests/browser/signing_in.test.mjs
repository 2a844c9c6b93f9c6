// Who may see the page, and that signed out means out.

import assert from "node:assert/strict";
import { test } from "node:test";
import { every_kind, one } from "./asks.mjs";
import { scene } from "./scene.mjs";
import { until } from "./stage.mjs";

const here = scene();
const { stage, story } = here;
const stranger = { signed_in: false };

for (const script of [true, false]) {
  const how = script ? "" : ", without JavaScript too";
  story(`D1 a one-time link signs in by its button, once${how}`, { ...stranger, script }, async (person) => {
    const link = await stage.login_link();
    // Looking at it, as a mail program does, uses nothing up.
    await person.page.goto(link);
    await person.page.goto(link);
    await person.page.locator("form[method=post] button").first().click();
    await person.page.waitForURL(`${stage.url}/`);
    await person.page.locator("#asks").waitFor({ state: "attached" });
    const cookies = await person.context.cookies();
    const cookie = cookies.find(({ name }) => name === "askuser");
    assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, "Strict", "/"]);
    const late = await here.another(stranger);
    await late.page.goto(link);
    await late.page.locator("form[method=post] button").first().click();
    await late.page.waitForLoadState();
    assert.deepEqual(await late.context.cookies(), []);
    assert.equal(await late.page.locator("#asks").count(), 0);
    await late.leave();
  });

  story(`D1 a person's key signs in, an agent's does not${how}`, { ...stranger, script }, async (person) => {
    const page = await person.open("/sign-in");
    const field = page.locator("[name=key]");
    const show = async () => {
      if (!(await field.isVisible())) await field.locator("xpath=ancestor::details[1]/summary").click();
    };
    await show();
    assert.equal(await field.getAttribute("type"), "password");
    await field.fill(stage.keys.agent);
    await field.press("Enter");
    await page.locator("[role=alert], .fault").first().waitFor();
    assert.deepEqual(await person.context.cookies(), []);
    await show();
    await field.fill(stage.keys.person);
    await field.press("Enter");
    await page.waitForURL(`${stage.url}/`);
    await page.locator("#asks").waitFor({ state: "attached" });
  });
}

story("D1 a stranger sees nothing of any ask, on no page", stranger, async (person) => {
  const ask = await stage.ask(one({ context: "SECRET-CONTEXT" }));
  for (const path of ["/", `/asks/${ask.ask_id}`, `/asks/${ask.ask_id}?part=card`, "/?part=inbox", "/sessions", `/sessions/${ask.session}`, "/transcript"]) {
    const response = await person.page.goto(stage.url + path);
    assert.equal(response.status(), 401, path);
    const html = await response.text();
    for (const word of ["SECRET-CONTEXT", "Which database", "PostgreSQL", "claude-code"]) assert.ok(!html.includes(word), `${path}: ${word}`);
  }
  for (const path of ["answer", "sheet", "cancel", "reopen", "present"]) {
    const response = await person.send("POST", `/asks/${ask.ask_id}/${path}`, { body: "pick:db=pg", headers: { origin: stage.url } });
    assert.equal(response.status, 401, path);
  }
  assert.equal(await stage.is_open(ask.ask_id), true);
});

/** Everything that the browser keeps for us. */
function kept(page) {
  return page.evaluate(async () => {
    const texts = [document.documentElement.outerHTML];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) texts.push(request.url, await (await cache.match(request)).text());
    }
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise((done) => (indexedDB.open(name).onsuccess = (event) => done(event.target.result)));
      for (const store of db.objectStoreNames) {
        const all = await new Promise((done) => (db.transaction(store).objectStore(store).getAll().onsuccess = (event) => done(event.target.result)));
        texts.push(JSON.stringify(all));
      }
      db.close();
    }
    for (const storage of [localStorage, sessionStorage]) texts.push(JSON.stringify({ ...storage }));
    return texts.join("\n");
  });
}

/** What a page holds, as soon as it can be read: one that is on its way to another cannot. */
const readable = (page) => until("the page can be read", () => page.content());

story("D1 D19 signed out means out: nothing is left in the page, the caches or the databases", async (person) => {
  const ask = await stage.ask(every_kind({ context: "SECRET-CONTEXT" }));
  const page = await person.at(ask);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await page.reload();
  await person.open("/");
  await page.reload();
  await person.at(ask);
  // An answer waits for the line in the browser's own database.
  await person.context.setOffline(true);
  await page.locator("#line").waitFor();
  await person.context.setOffline(false);
  await page.locator("#line").waitFor({ state: "hidden" });
  assert.match(await kept(page), /SECRET-CONTEXT/);
  const other = await person.context.newPage();
  await other.goto(`${stage.url}/asks/${ask.ask_id}`);
  await person.open("/preferences");
  await page.locator('form[action="/sign-out"] button').click();
  await page.waitForLoadState();
  await until("everything is gone", async () => !/SECRET-CONTEXT|Which way|codex/.test(await kept(page)));
  // The other tab may hear of it before this one has its reply.
  await until("the cookie is gone", async () => !(await person.context.cookies()).some(({ name }) => name === "askuser"));
  // The other tab must not go on showing it either.
  await until("the other tab is empty", async () => !/SECRET-CONTEXT|Which way/.test(await readable(other)));
  // Nor does the way back, nor a worker without a line.
  await page.goBack().catch(() => {});
  assert.doesNotMatch(await readable(page), /SECRET-CONTEXT|Which way/);
  await person.context.setOffline(true);
  await page.goto(`${stage.url}/asks/${ask.ask_id}`).catch(() => {});
  assert.doesNotMatch(await page.content().catch(() => ""), /SECRET-CONTEXT|Which way/);
});

story("D1 a cookie that is taken back ends what is open", async (person) => {
  const ask = await stage.ask(one());
  const page = await person.open("/");
  await page.locator(`#row-${ask.ask_id}`).waitFor();
  const second = await person.context.newPage();
  await second.goto(`${stage.url}/preferences`);
  await second.locator('form[action="/sign-out"] button').click();
  await second.waitForLoadState();
  await until("the first tab shows nothing", async () => !(await readable(page)).includes("Which database"));
});

test("D1 every page of ours has a policy without inline script or style, and may not be framed", async () => {
  const person = await here.another();
  const ask = await stage.ask(one());
  for (const path of ["/", `/asks/${ask.ask_id}`, "/sessions", "/preferences", "/transcript", "/nothing-here", "/sign-in"]) {
    const response = await person.page.goto(stage.url + path);
    const policy = response.headers()["content-security-policy"] ?? "";
    assert.match(policy, /default-src 'none'/, path);
    assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*|https?:/, path);
    assert.match(policy, /frame-ancestors 'none'/, path);
    assert.match(policy, /script-src 'self'/, path);
    const inline = await person.page.evaluate(() => {
      const scripts = [...document.scripts].filter((script) => !script.src).length;
      return scripts + document.querySelectorAll("style, [style], [onclick], [onload], [onsubmit]").length;
    });
    assert.equal(inline, 0, path);
    const caching = response.headers()["cache-control"] ?? "";
    assert.match(caching, /no-store|private|no-cache/, `${path} may be kept by anybody: ${caching}`);
  }
  await person.leave();
});

story("D1 a page of another origin can do nothing", async (person) => {
  const ask = await stage.ask(one());
  const answer = (headers) => person.send("POST", `/asks/${ask.ask_id}/answer`, { body: "pick:db=pg", headers });
  assert.equal((await answer({ origin: "http://evil.example" })).status, 403);
  assert.equal((await answer({})).status, 403);
  assert.equal(await stage.is_open(ask.ask_id), true);
  // And the same with our own origin goes through, so it was the origin that counted.
  assert.equal((await answer({ origin: stage.url })).status, 303);
  assert.equal(await stage.is_open(ask.ask_id), false);
});
