// A person at a browser: Debian's Chromium, a window of some size, a language, a theme.
//
// Each visitor notes what a page of ours must never do: run what it should show, ask another host
// for anything, break its own content policy, throw. `leave` fails where anything was noted.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { PATIENCE_MS, root } from "./stage.mjs";

const require = createRequire(join(process.env.ASKUSER_NPM ?? join(root, "target/npm"), "here.js"));
const { chromium } = require("playwright-core");
/** Reads a QR code from the picture of it. */
export const read_code = (pixels, width, height) => require("jsqr")(pixels, width, height);
/** The text of axe-core, to be run in a page. */
export const axe_source = () => require("axe-core").source;

// Without these Chromium looks for hosts of its maker's at every start.
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  // A name of a network, for the stories of the phone.
  "--host-resolver-rules=MAP phone.test 127.0.0.2",
];
const launching = { executablePath: process.env.ASKUSER_CHROMIUM ?? "/usr/bin/chromium", args: FLAGS, headless: true };

export const SIZES = {
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 640 },
};

/** Starts a browser that ends with the stage. */
export async function browser(stage) {
  const started = await chromium.launch(launching);
  stage.closing.push(() => started.close());
  return started;
}

/** A browser of its own that can be killed like a process that the system ends. */
export async function mortal_browser() {
  const server = await chromium.launchServer(launching);
  const connected = await chromium.connect(server.wsEndpoint());
  return { browser: connected, kill: () => server.kill() };
}

/** What a console says that a page of ours must not cause. */
const OWN_FAULT = /content security policy|refused to|violates|uncaught|mixed content|trusted ?type/i;

/** For stories that stand in for the server: a request that passes through a service worker passes by `page.route`. */
export const WITHOUT_WORKER = { more: { serviceWorkers: "block" } };

/**
 * Opens a window.
 * @param {import("./stage.mjs").Stage} stage
 * @param {any} browser
 * @param {{size?: keyof SIZES, language?: "en" | "zh", theme?: "light" | "dark", script?: boolean, signed_in?: boolean,
 *   zone?: string, more?: object, key?: string}} [like] `key` is another person's than the local one
 */
export async function visitor(stage, browser, like = {}) {
  const { size = "desk", language = "en", theme = "light", script = true, signed_in = true, zone = "UTC", more = {}, key } = like;
  const context = await browser.newContext({
    viewport: SIZES[size],
    isMobile: size === "phone",
    hasTouch: size !== "desk",
    locale: language === "zh" ? "zh-CN" : "en-GB",
    timezoneId: zone,
    colorScheme: theme,
    javaScriptEnabled: script,
    ...more,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const faults = watch(context, stage);
  const page = await context.newPage();
  if (signed_in) await context.addCookies([await stage.cookie(key)]);
  return new Visitor(stage, context, page, faults, script);
}

class Visitor {
  constructor(stage, context, page, faults, script) {
    this.stage = stage;
    this.context = context;
    this.page = page;
    this.faults = faults;
    this.script = script;
  }

  /** Opens a page of ours and waits until its script listens, where there is one. */
  async open(path) {
    await this.page.goto(this.stage.url + path);
    const signed_in = (await this.page.locator("body[data-user]").count()) > 0;
    if (this.script && signed_in) await this.page.locator('html[data-script="on"]').waitFor();
    return this.page;
  }

  /** Opens the page of an ask. */
  async at(ask) {
    return this.open(`/asks/${ask.ask_id}`);
  }

  /** Sends a request with this browser's cookies, but not from a page. */
  async send(method, path, { headers = {}, body } = {}) {
    const cookies = await this.context.cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const type = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
    return this.stage.send(method, path, { headers: { cookie, ...type, ...headers }, body });
  }

  /** Closes the window; fails where the page did what it must never do. */
  async leave() {
    const faults = [...this.faults];
    await this.context.close();
    assert.deepEqual(faults, []);
  }
}

function watch(context, stage) {
  const faults = [];
  context.on("request", (request) => {
    const url = request.url();
    const own = url.startsWith(`${stage.url}/`) || /^(data|blob|about):/.test(url);
    if (!own && !is_preview(frame_of(request))) faults.push(`asked another host: ${url}`);
  });
  context.on("response", (response) => {
    const asset = response.url().startsWith(`${stage.url}/assets/`);
    if (asset && response.status() >= 400) faults.push(`not there: ${response.url()}`);
  });
  context.on("console", (message) => {
    const own = !is_preview(message.location().url) && !PREVIEW_FRAMED.test(message.text());
    if (own && OWN_FAULT.test(message.text())) faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => faults.push(`threw: ${error.error()}`));
  context.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  return faults;
}

/** A preview's own document: its policy blocks what it tries and says so, which is as it should be. */
const is_preview = (url) => /^http:\/\/askuser-[0-9a-f]{32}\.localhost:\d+\/asks\/[^/]+\/preview\//.test(url ?? "");

/** A frame within a preview is noted under the whole page; our own policy names `frame-src`, a preview's does not. */
const PREVIEW_FRAMED = /^Framing .*'frame-src' was not explicitly set/s;

function frame_of(request) {
  try {
    return request.frame().url();
  } catch {
    // A service worker's request has none.
    return "";
  }
}

/** Whether the page can be scrolled sideways, and by what. */
export async function sideways(page) {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const beyond = [...document.querySelectorAll("body *")].filter((element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.right > width + 1 && getComputedStyle(element).position !== "fixed";
    });
    const scrolls = document.documentElement.scrollWidth > width;
    return scrolls ? beyond.map((element) => element.outerHTML.slice(0, 120)) : [];
  });
}
