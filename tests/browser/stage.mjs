// A daemon of its own for each file of tests: a folder, a home and a port that nobody else has.
//
// It is the real program, started as a person would, with nothing of this shell's environment.
// Agents come in over the API with the keys that the daemon made at its first start.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(fileURLToPath(import.meta.url), "../../..");
const program = process.env.ASKUSER_BIN ?? join(root, "target/debug/askuser");

/** How long anything may take before a test gives up on it. Generous: the machine may be busy. */
export const PATIENCE_MS = Number(process.env.ASKUSER_PATIENCE_MS ?? 20_000);

/**
 * Looks again and again until `look` returns something true, and returns that.
 * @template T
 * @param {string} what what is waited for, for the message
 * @param {() => T | Promise<T>} look
 * @param {number} [patience_ms]
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, look, patience_ms = PATIENCE_MS) {
  const end = Date.now() + patience_ms;
  let last;
  for (;;) {
    try {
      const seen = await look();
      if (seen) return seen;
      last = seen;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`never came: ${what}; last seen: ${last}`);
    await new Promise((done) => setTimeout(done, 25));
  }
}

export class Stage {
  #child = null;
  #log = "";
  #n_asks = 0;
  #n_terminals = 0;
  /** The cookie of a browser that a terminal signed in. */
  #signed_in = null;

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "askuser-browser-"));
    this.port = 0;
    /** More of what the daemon is started with. */
    this.args = [];
    /** Where people see the page, where that is not on this machine. */
    this.seen_at = null;
    /** Run when the stage is struck, last first. */
    this.closing = [];
  }

  /** The page's own address: a name that no other local server shares cookies with. */
  get url() {
    return this.seen_at ?? `http://${this.page_host}:${this.port}`;
  }

  /** Lets the scripted agent work in a folder of this stage's; before the daemon is started. */
  allow_tasks(running_max = 4) {
    this.project = join(this.folder, "shop");
    mkdirSync(this.project);
    const agent = { driver: "claude", command: process.execPath, args: [join(root, "tests/browser/agent.mjs")] };
    this.configure({ runner: { folders: [this.project], running_max }, agents: { scripted: agent } });
  }

  /** Writes the configuration; before the daemon is started. */
  configure(config) {
    mkdirSync(join(this.folder, "data"), { mode: 0o700, recursive: true });
    // JSON is YAML as well.
    writeFileSync(join(this.folder, "data/config.yaml"), JSON.stringify(config), { mode: 0o600 });
  }

  /** Starts the daemon; after a kill, on the port it had. */
  async start() {
    const child = spawn(program, ["serve", "--listen", `127.0.0.1:${this.port}`, "--data", join(this.folder, "data"), ...this.args], {
      env: { HOME: this.folder, PATH: "/usr/bin:/bin" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    let out = "";
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.on("data", (chunk) => (this.#log += chunk));
    child.on("exit", (code, signal) => (this.#log += `[the daemon ended: ${code ?? signal}]\n`));
    child.on("error", (error) => (this.#log += `[the daemon did not start: ${error.message}]\n`));
    const found = await until(`${program} listens\n${this.#log}`, () => {
      if (child.exitCode !== null) throw new Error(this.#log);
      return out.match(/^askuser listening on http:\/\/127\.0\.0\.1:(\d+)\n/);
    });
    this.port = Number(found[1]);
    const key = (role) => readFileSync(join(this.folder, "data/keys", role), "utf8").trim();
    this.keys = { agent: key("agent"), person: key("person"), admin: key("admin") };
    const page_host = () => readFileSync(join(this.folder, "data/askuser.page-host"), "utf8").trim();
    this.page_host = await until("the page has its name", page_host);
    return this;
  }

  /** Kills the daemon as a power cut would. */
  async kill() {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await ended;
  }

  /** Ends everything that was started here, and nothing else. */
  async strike() {
    for (const close of this.closing.reverse()) await close();
    await this.kill();
    // Again where something that has just been ended was still writing.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  /** The daemon's process. */
  get pid() {
    return this.#child?.pid;
  }

  /** The end of what the daemon logged. */
  get log() {
    return this.#log.split("\n").slice(-12).join("\n");
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{key?: string, body?: unknown, headers?: Record<string, string>}} [with_]
   */
  async call(method, path, { key = this.keys.person, body, headers = {} } = {}) {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    let json = null;
    try {
      json = JSON.parse(text);
    } catch {
      // Not every answer is JSON.
    }
    return { status: response.status, text, json };
  }

  async #done(method, path, with_) {
    const reply = await this.call(method, path, with_);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.json;
  }

  /**
   * Sends a request to the page as some browser would, with nothing but these headers.
   * @returns {Promise<{status: number, headers: Record<string, string>, text: string}>}
   */
  send(method, path, { headers = {}, body = "" } = {}) {
    const host = `${this.page_host}:${this.port}`;
    return new Promise((done, failed) => {
      const sending = request({ host: "127.0.0.1", port: this.port, method, path, headers: { host, ...headers } }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
        response.on("end", () => done({ status: response.statusCode, headers: response.headers, text }));
      });
      sending.on("error", failed).end(body);
    });
  }

  /**
   * Asks as an agent. Each ask is an agent of its own unless `whence` says that it is the same.
   * @returns {Promise<any>} the ask
   */
  async ask(body, { whence = `agent-${(this.#n_asks += 1)}` } = {}) {
    return this.#done("POST", "/api/asks", { key: this.keys.agent, body, headers: { "askuser-whence": whence } });
  }

  /** The ask as its agent sees it. */
  async read(id) {
    return this.#done("GET", `/api/asks/${id}`, { key: this.keys.agent });
  }

  /** Waits as the agent does, until the ask has ended; returns its outcome. */
  async outcome(id) {
    const ask = await this.#done("GET", `/api/asks/${id}?wait=20`, { key: this.keys.agent });
    if (!ask.outcome) throw new Error(`${id} is still open: ${ask.status}`);
    return ask.outcome;
  }

  async is_open(id) {
    return (await this.read(id)).outcome === null;
  }

  /** Answers away from the page, as a script of the person's would. */
  async answer(id, answers, notes = {}) {
    return this.#done("POST", `/api/asks/${id}/answer`, { body: { answers, notes } });
  }

  async cancel(id, reason) {
    return this.#done("POST", `/api/asks/${id}/cancel`, { body: { reason } });
  }

  async withdraw(id) {
    return this.#done("POST", `/api/asks/${id}/withdraw`, { key: this.keys.agent });
  }

  /** A cookie of its own, as the button behind a one-time link sets it; the way there has its own stories. */
  async cookie(key = this.keys.person) {
    const path = new URL(await this.login_link(key)).pathname;
    const reply = await this.send("POST", path, { headers: { origin: this.url } });
    const [, name, value] = reply.headers["set-cookie"]?.[0].match(/^(\w+)=([^;]+)/) ?? [];
    if (!value) throw new Error(`not signed in: ${reply.status} ${reply.text}`);
    return { name, value, url: this.url, httpOnly: true, sameSite: "Strict" };
  }

  /** Runs a command of the person's to its end; returns what it printed and what it said beside that. */
  async run(...args) {
    const env = { HOME: this.folder, ASKUSER_HOME: join(this.folder, "data"), PATH: "/usr/bin:/bin", LANG: "C.UTF-8" };
    const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let [out, said] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (chunk) => (out += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk) => (said += chunk));
    const code = await new Promise((done, failed) => child.on("error", failed).on("close", done));
    if (code !== 0) throw new Error(`askuser ${args.join(" ")}: ${code}\n${said}`);
    return { out, said };
  }

  /**
   * Runs a command of the person's in a terminal of its own (tmux), to its end: what it does there is theirs, not a
   * script's. Returns what it printed and what it said beside that.
   */
  async in_terminal(...args) {
    const at = join(this.folder, `terminal-${(this.#n_terminals += 1)}`);
    const quoted = [program, ...args].map((word) => `'${word}'`).join(" ");
    const line = `ASKUSER_HOME='${join(this.folder, "data")}' ${quoted} >'${at}.out' 2>'${at}.said'; echo $? >'${at}.new'; mv '${at}.new' '${at}.code'`;
    const env = { HOME: this.folder, PATH: "/usr/bin:/bin", LANG: "C.UTF-8", TERM: "xterm" };
    const tmux = spawn("tmux", ["-S", `${at}.socket`, "-f", "/dev/null", "new-session", "-d", "-x", "200", "-y", "60", line], { env, stdio: "ignore" });
    await new Promise((done, failed) => tmux.on("error", failed).on("close", done));
    const read = (end) => readFileSync(at + end, "utf8");
    const code = await until(`${args.join(" ")} ends in its terminal`, () => read(".code"));
    if (code.trim() !== "0") throw new Error(`askuser ${args.join(" ")}: ${code}\n${read(".said")}`);
    return { out: read(".out"), said: read(".said") };
  }

  /** A one-time link, as `askuser open` makes it in a terminal; another person's by their key. */
  async login_link(key = this.keys.person) {
    if (key !== this.keys.person) return this.url + (await this.#done("POST", "/api/login-links", { key })).url_path;
    const origin = `http://${this.page_host}:${this.port}`;
    if (!this.#signed_in) {
      const { out } = await this.in_terminal("open", "--print");
      const reply = await this.send("POST", new URL(out.trim()).pathname, { headers: { origin } });
      this.#signed_in = reply.headers["set-cookie"][0].split(";")[0];
    }
    // By a browser that was signed in so: that is quicker, and worth the same.
    const reply = await this.send("POST", "/api/login-links", { headers: { origin, cookie: this.#signed_in } });
    if (reply.status !== 201) throw new Error(`no link: ${reply.status} ${reply.text}`);
    return this.url + JSON.parse(reply.text).url_path;
  }

  /** Adds a person; returns their key. */
  async person(name) {
    await this.#done("POST", "/api/users", { key: this.keys.admin, body: { name } });
    const made = await this.#done("POST", "/api/keys", { key: this.keys.admin, body: { role: "person", user: name, name: "browser" } });
    return made.key;
  }
}

/**
 * What is picked, by question: labels of options, or the text that was written.
 * @returns {Record<string, string[]>}
 */
export function told(outcome) {
  const pairs = outcome.answers.map((answer) => {
    const picked = answer.selected.map((choice) => choice.id);
    return [answer.question_id, answer.text === null ? picked : [...picked, answer.text]];
  });
  return Object.fromEntries(pairs);
}
