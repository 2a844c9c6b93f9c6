// A device is told while nobody looks at the page: the real daemon writes to a push service on loopback that
// opens what it gets as a browser would, and the real service worker is handed it by the browser's own tools.
// Chromium's maker runs the service that it would use otherwise, which no test may call.

import assert from "node:assert/strict";
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { one } from "./asks.mjs";
import { scene } from "./scene.mjs";
import { until } from "./stage.mjs";

/** The browser's half of RFC 8291. */
class Device {
  constructor() {
    this.ecdh = createECDH("prime256v1");
    this.public = this.ecdh.generateKeys();
    this.auth = randomBytes(16);
  }

  /** @param {Buffer} body */
  open(body) {
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + body[20]);
    const record = body.subarray(21 + body[20]);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.public, sender]);
    const input = Buffer.from(hkdfSync("sha256", this.ecdh.computeSecret(sender), this.auth, info, 32));
    const derived = (name, n_bytes) => Buffer.from(hkdfSync("sha256", input, salt, `Content-Encoding: ${name}\0`, n_bytes));
    const cipher = createDecipheriv("aes-128-gcm", derived("aes128gcm", 16), derived("nonce", 12));
    cipher.setAuthTag(record.subarray(-16));
    const plain = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
    assert.equal(plain.at(-1), 2);
    return plain.subarray(0, -1).toString("utf8");
  }
}

/** Is the sender who it says it is? @returns {string} its key */
function vouched(authorization) {
  const [, token, key] = authorization.match(/^vapid t=([\w.-]+), k=([\w-]+)$/);
  const [head, claims, signature] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const jwk = { kty: "EC", crv: "P-256", x: point.subarray(1, 33).toString("base64url"), y: point.subarray(33).toString("base64url") };
  const known = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" };
  assert.ok(verify("sha256", Buffer.from(`${head}.${claims}`), known, Buffer.from(signature, "base64url")));
  return key;
}

const device = new Device();
/** What the push service was handed: what the device reads of it, and who sent it. */
const handed = [];
let status = 201;
const service = createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  handed.push({ text: device.open(Buffer.concat(pieces)), sender: vouched(request.headers.authorization) });
  response.writeHead(status).end();
}).listen(0, "127.0.0.1");
await once(service, "listening");
const server = `http://127.0.0.1:${service.address().port}`;

const here = scene((stage) => {
  mkdirSync(join(stage.folder, "data"), { mode: 0o700 });
  const config = { notify: { push_servers: [server] } };
  // JSON is YAML as well.
  writeFileSync(join(stage.folder, "data/config.yaml"), JSON.stringify(config), { mode: 0o600 });
  stage.closing.push(() => service.close());
});
const { stage, story } = here;

/** The browser's own way to its push service, which there is none of here; everything else is real. */
async function at_our_service(person) {
  const made = {
    endpoint: `${server}/device`,
    keys: { p256dh: device.public.toString("base64url"), auth: device.auth.toString("base64url") },
  };
  await person.context.grantPermissions(["notifications"], { origin: stage.url });
  await person.context.addInitScript((made) => {
    window.n_permissions = 0;
    const asks = Notification.requestPermission.bind(Notification);
    Notification.requestPermission = () => ((window.n_permissions += 1), asks());
    const key = () => JSON.parse(sessionStorage.getItem("push") ?? "null");
    const subscription = () => key() && {
      ...made,
      options: { applicationServerKey: new Uint8Array(key()).buffer },
      toJSON: () => made,
      unsubscribe: async () => (sessionStorage.removeItem("push"), true),
    };
    PushManager.prototype.getSubscription = async () => subscription();
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
      if (!userVisibleOnly) throw new Error("Chromium takes no other");
      sessionStorage.setItem("push", JSON.stringify([...applicationServerKey]));
      return subscription();
    };
  }, made);
}

/**
 * Hands what came to the service worker, as the browser does, and waits until the worker is through with it.
 * Nobody may look in between: a notification that is written down and not up yet is taken by Chromium for one
 * that was swept away, and whoever asks what is shown then has it forgotten.
 */
async function deliverer(person) {
  const tools = await person.context.newCDPSession(person.page);
  let registrationId;
  tools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    registrationId = registrations.find(({ scopeURL }) => scopeURL.startsWith(stage.url))?.registrationId ?? registrationId;
  });
  await tools.send("ServiceWorker.enable");
  await until("a service worker", () => registrationId);
  const worker = await worker_of(person);
  await worker.evaluate(() => {
    self.n_dealt_with = 0;
    const { waitUntil } = ExtendableEvent.prototype;
    ExtendableEvent.prototype.waitUntil = function (work) {
      const over = () => (self.n_dealt_with += this.type === "push" ? 1 : 0);
      work.then(over, over);
      return waitUntil.call(this, work);
    };
  });
  return async (data) => {
    const n_before = await worker.evaluate(() => self.n_dealt_with);
    await tools.send("ServiceWorker.deliverPushMessage", { origin: stage.url, registrationId, data });
    await until("a worker that is through", () => worker.evaluate((n_before) => self.n_dealt_with > n_before, n_before));
  };
}

const worker_of = async ({ context }) => context.serviceWorkers()[0] ?? await context.waitForEvent("serviceworker");

/** What stands on the device's screen. */
const shown = (page) => page.evaluate(async () => {
  const notes = await (await navigator.serviceWorker.ready).getNotifications();
  return notes.map(({ tag, title, body, data, silent }) => ({ tag, title, body, data, silent }));
});

const next = (n) => until(`message ${n}`, () => handed[n - 1]);

story("D19 a device is told by one click, and what told of an ask goes when it closes", async (person) => {
  await at_our_service(person);
  const page = await person.open("/preferences");
  const go = page.getByRole("button", { name: "Turn on for this device" });
  await go.waitFor();
  assert.equal(await page.evaluate(() => window.n_permissions), 0, "nothing is asked before the click");
  await go.click();
  const stop = page.getByRole("button", { name: "Turn off for this device" });
  await stop.waitFor();
  assert.equal(await page.evaluate(() => window.n_permissions), 1);
  await page.reload();
  await stop.waitFor();

  const deliver = await deliverer(person);
  const ask = await stage.ask(one());
  const { text, sender } = await next(1);
  const { key } = (await person.send("GET", "/api/push")).text.match(/"key":"(?<key>[^"]+)"/).groups;
  assert.equal(sender, key, "signed with the key that the page handed to the browser");
  await deliver(text);
  const note = await until("a notification", async () => (await shown(page))[0]);
  assert.deepEqual([note.tag, note.data], [ask.ask_id, `/asks/${ask.ask_id}`]);
  assert.match(note.title, /asks$/);
  // The same again takes its place.
  await deliver(text);
  await until("one notification", async () => (await shown(page)).length === 1);

  // A click leads to the ask.
  const opened = await (await worker_of(person)).evaluate(async () => {
    const [notification] = await self.registration.getNotifications();
    self.clients.matchAll = async () => [];
    const opened = new Promise((done) => (self.clients.openWindow = async (path) => done(path)));
    self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    const path = await opened;
    delete self.clients.matchAll;
    delete self.clients.openWindow;
    return path;
  });
  assert.equal(opened, `/asks/${ask.ask_id}`);
  await until("it is clicked away", async () => (await shown(page)).length === 0);
  await deliver(text);
  await until("it stands there again", async () => (await shown(page)).length === 1);

  // Answered elsewhere: it goes.
  await stage.answer(ask.ask_id, { db: "pg" });
  const closed = await next(2);
  assert.equal(JSON.parse(closed.text).closed, true);
  await deliver(closed.text);
  await until("it is gone", async () => (await shown(page)).length === 0);
  // What makes no sense is shown as something all the same, and throws nothing.
  await deliver("{not JSON");
  await until("something", async () => (await shown(page))[0]?.title === "askuser");

  await stop.click();
  await go.waitFor();
  const other = await stage.ask(one());
  await stage.cancel(other.ask_id);
  assert.equal(handed.length, 2, "nothing is sent to a device that wants none");
});

story("D19 where no page is seen, a device is told how it ended, and that goes too", async (person) => {
  await at_our_service(person);
  const n_before = handed.length;
  const page = await person.open("/preferences");
  await page.locator("#device-on").click();
  await page.locator("#device-off").waitFor();
  const deliver = await deliverer(person);
  const ask = await stage.ask(one());
  const { text } = await next(n_before + 1);
  assert.equal(JSON.parse(text).tag, ask.ask_id, "nothing was sent in between");
  await deliver(text);
  await until("a notification", async () => (await shown(page)).length === 1);
  await stage.answer(ask.ask_id, { db: "pg" });
  const closed = await next(n_before + 2);
  // As if the window were behind another one.
  await (await worker_of(person)).evaluate(() => (self.clients.matchAll = async () => [{ visibilityState: "hidden" }]));
  await deliver(closed.text);
  const note = await until("how it ended", async () => (await shown(page)).find(({ silent }) => silent));
  assert.deepEqual([note.tag, /^Answered by/.test(note.body)], [ask.ask_id, true]);
  await until("that goes too", async () => (await shown(page)).length === 0);
  await page.locator("form.sign-out button").click();
  await page.waitForURL(`${stage.url}/sign-in`);
  const other = await stage.ask(one());
  await stage.cancel(other.ask_id);
  assert.equal(handed.length, n_before + 2, "signed out, nothing is sent");
});

story("D19 where a browser lets no page notify, the page says so plainly", { language: "zh" }, async (person) => {
  await person.context.addInitScript(() => Object.defineProperty(window, "isSecureContext", { value: false }));
  const page = await person.open("/preferences");
  await page.locator('[data-state="insecure"]').waitFor();
  assert.match(await page.locator("#device [role=status]").innerText(), /HTTPS/);
  assert.equal(await page.locator("#device button:visible").count(), 0);
});
