// A model on loopback that does as it is told: it calls tools one after the other, and ends when it has
// the result of the last one.
//
// It speaks every dialect that the agents speak (dialects.mjs). It keeps nothing between requests that
// decides anything: what has happened stands in the conversation that the agent sends.

import { createServer } from "node:http";
import { gunzipSync } from "node:zlib";
import { until } from "../browser/stage.mjs";
import { CALL, dialect_of, json } from "./dialects.mjs";

/** What it says when it has the result of its last call; tests look for it where the agent prints. */
export const LAST_WORDS = "SCRIPTED-MODEL-HAS-ENDED";
/** Looking for a tool that an agent only names, and shows when it is looked for. */
const SEARCH = "toolu_search_";
/** How long an agent may take to come back with a result. */
const RESULT_MS = 60_000;

/** @typedef {{tool: RegExp, input: object}} Call what is called, once it is offered */
/** @typedef {import("./dialects.mjs").Result} Result */
/** @typedef {(results: Result[]) => Call | undefined} Script the next call, by the results of those before; none ends the turn */

export class Model {
  #server;
  #script;
  /** Waited for before the model answers a request with so many results; it thinks, so to speak. @type {(results: Result[]) => Promise<unknown> | undefined} */
  thinks = () => undefined;
  /** The tools that were offered in any request. */
  offered = new Set();
  /** The tools that had to be looked for first. */
  searched = new Set();
  /** What came back, by the number of the call. @type {Map<number, Result>} */
  results = new Map();
  /** When each call was made, also where an agent that was started anew is told to make the same again. @type {number[]} */
  calls_ms = [];
  /** When each result first came. @type {Map<number, number>} */
  told_ms = new Map();
  /** What the user said, where the agent's dialect tells. @type {Set<string>} */
  words = new Set();
  /** Every request for a path that is not a model's, to say why an agent did not come on. */
  strange = [];

  /** @param {Call[] | [Script]} calls */
  constructor(...calls) {
    this.#script = typeof calls[0] === "function" ? calls[0] : (results) => calls[results.length];
  }

  async open() {
    this.#server = createServer((request, response) => this.#receive(request, response));
    await new Promise((done) => this.#server.listen(0, "127.0.0.1", done));
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
    return this;
  }

  async close() {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /**
   * Waits until the agent has sent the result of a call; returns it.
   * @returns {Promise<Result>}
   */
  async result(call_idx = 0, patience_ms = RESULT_MS) {
    return this.hears("the tool's result in the model's next request", () => this.results.get(call_idx), patience_ms);
  }

  /** Waits until something is so of what the model was told. */
  async hears(what, look, patience_ms = RESULT_MS) {
    return until(what, look, patience_ms).catch((error) => {
      throw new Error(`${error.message}; offered: ${[...this.offered].join(" ")}; strange: ${this.strange.join(", ")}`);
    });
  }

  async #receive(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url.split("?")[0];
    const known = dialect_of(path);
    if (request.method !== "POST" || !known) {
      this.strange.push(`${request.method} ${path}`);
      return json(response, 404, { error: { type: "not_found_error", message: "no such thing here" } });
    }
    const body = Buffer.concat(chunks);
    const asked = JSON.parse(request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body);
    const { tools, results, words = [] } = known.read(asked);
    for (const said of words) this.words.add(said);
    for (const tool of tools) this.offered.add(tool);
    for (const [id, result] of results) {
      if (id.startsWith(CALL)) this.#note(Number(id.slice(CALL.length)), result);
    }
    if (tools.length > 0) await this.thinks(ours(results));
    known.write(response, asked, this.#next(tools, results, asked), path);
  }

  #note(call_idx, result) {
    if (!this.told_ms.has(call_idx)) this.told_ms.set(call_idx, Date.now());
    this.results.set(call_idx, result);
  }

  /** The next call, or the words that end the turn. */
  #next(tools, results, asked) {
    // A request without tools is about something else, such as a title for the conversation.
    if (tools.length === 0) return { words: "A title" };
    const had = ours(results);
    const call = this.#script(had);
    if (!call) return { words: LAST_WORDS };
    const { tool, input } = call;
    const id = `${CALL}${had.length}`;
    const offered = tools.find((name) => tool.test(name));
    const made = (name, input) => {
      this.calls_ms.push(Date.now());
      return { call: { id, name, input } };
    };
    if (offered) return made(offered, input);
    const [named] = JSON.stringify([asked.system, asked.messages]).match(/[\w-]+/g)?.filter((name) => tool.test(name)) ?? [];
    const finder = SEARCHES.find(({ name }) => tools.includes(name));
    if (!named || !finder) return { words: `no tool matches ${tool}` };
    this.searched.add(named);
    const search = `${SEARCH}${had.length}`;
    // Found, it may be called although it is not in the list.
    if (results.has(search)) return made(...finder.call(named, input));
    return { call: { id: search, name: finder.name, input: finder.input(named) } };
  }
}

/** How agents let a model find tools that are not offered at once, and call them. */
const SEARCHES = [
  { name: "ToolSearch", input: (named) => ({ query: `select:${named}`, max_results: 1 }), call: (named, input) => [named, input] },
  { name: "tool_search", input: (named) => ({ query: `select:${named}` }), call: (named, input) => ["tool_call", { name: named, arguments: input }] },
];

/** The results of our calls, in their order. */
const ours = (results) => [...results].filter(([id]) => id.startsWith(CALL)).map(([, result]) => result);
