// A model on loopback that does as it is told: it calls tools one after the other, and ends when it has
// the result of the last one.
//
// It speaks what Claude Code speaks (messages) and what opencode speaks (chat completions). It keeps
// nothing between requests: what has happened stands in the conversation that the agent sends.

import { createServer } from "node:http";
import { until } from "../browser/stage.mjs";

/** What it says when it has the result of its last call; tests look for it where the agent prints. */
export const LAST_WORDS = "SCRIPTED-MODEL-HAS-ENDED";
/** Our calls, among whatever else stands in a conversation: the first is `…_0`. */
const CALL = "toolu_scripted_";
/** Looking for a tool that an agent only names, and shows when it is looked for. */
const SEARCH = "toolu_search_";
/** How long an agent may take to come back with a result. */
const RESULT_MS = 60_000;

/** @typedef {{tool: RegExp, input: object}} Call what is called, once it is offered */
/** @typedef {{text: string, failed: boolean}} Result what the agent sent back for a call */

export class Model {
  #server;
  #calls;
  /** The tools that were offered in any request. */
  offered = new Set();
  /** The tools that had to be looked for first. */
  searched = new Set();
  /** What came back, by the number of the call. @type {Map<number, Result>} */
  results = new Map();
  /** Every request for a path that is not a model's, to say why an agent did not come on. */
  strange = [];

  /** @param {...Call} calls */
  constructor(...calls) {
    this.#calls = calls;
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
    const look = () => this.results.get(call_idx);
    return until("the tool's result in the model's next request", look, patience_ms).catch((error) => {
      throw new Error(`${error.message}; offered: ${[...this.offered].join(" ")}; strange: ${this.strange.join(", ")}`);
    });
  }

  async #receive(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url.split("?")[0];
    const known = { "/v1/messages": messages, "/v1/chat/completions": chat }[path];
    if (request.method !== "POST" || !known) {
      this.strange.push(`${request.method} ${path}`);
      return json(response, 404, { error: { type: "not_found_error", message: "no such thing here" } });
    }
    const asked = JSON.parse(Buffer.concat(chunks));
    const { tools, results } = known.read(asked);
    for (const tool of tools) this.offered.add(tool);
    for (const [id, result] of results) {
      if (id.startsWith(CALL)) this.results.set(Number(id.slice(CALL.length)), result);
    }
    known.write(response, asked, this.#next(tools, results, asked));
  }

  /** The next call, or the words that end the turn. */
  #next(tools, results, asked) {
    // A request without tools is about something else, such as a title for the conversation.
    if (tools.length === 0) return { words: "A title" };
    const had = [...results.keys()];
    const call_idx = had.filter((id) => id.startsWith(CALL)).length;
    if (call_idx === this.#calls.length) return { words: LAST_WORDS };
    const { tool, input } = this.#calls[call_idx];
    const offered = tools.find((name) => tool.test(name));
    if (offered) return { call: { id: `${CALL}${call_idx}`, name: offered, input } };
    const [named] = JSON.stringify([asked.system, asked.messages]).match(/[\w-]+/g)?.filter((name) => tool.test(name)) ?? [];
    const search = `${SEARCH}${call_idx}`;
    if (!named || !tools.includes("ToolSearch")) return { words: `no tool matches ${tool}` };
    this.searched.add(named);
    // Found, it may be called although it is not in the list.
    if (had.includes(search)) return { call: { id: `${CALL}${call_idx}`, name: named, input } };
    return { call: { id: search, name: "ToolSearch", input: { query: `select:${named}`, max_results: 1 } } };
  }
}

const text_of = (content) => (typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join(""));

const messages = {
  read(asked) {
    const parts = asked.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const results = parts.filter((part) => part.type === "tool_result");
    return {
      tools: (asked.tools ?? []).map((tool) => tool.name),
      results: new Map(results.map((part) => [part.tool_use_id, { text: text_of(part.content), failed: part.is_error === true }])),
    };
  },

  write(response, asked, { call, words }) {
    const block = call ? { type: "tool_use", ...call } : { type: "text", text: words };
    const stop_reason = call ? "tool_use" : "end_turn";
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: "msg_1", type: "message", role: "assistant", model: asked.model, content: [], stop_reason: null, stop_sequence: null, usage };
    if (!asked.stream) return json(response, 200, { ...message, content: [block], stop_reason });
    const begun = call ? { ...block, input: {} } : { ...block, text: "" };
    const delta = call ? { type: "input_json_delta", partial_json: JSON.stringify(call.input) } : { type: "text_delta", text: words };
    const events = [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: begun },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
      { type: "message_stop" },
    ];
    stream(response, events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
  },
};

const chat = {
  read(asked) {
    const results = asked.messages.filter((message) => message.role === "tool");
    return {
      tools: (asked.tools ?? []).map((tool) => tool.function.name),
      // Here a result that failed is a text like any other.
      results: new Map(results.map((message) => [message.tool_call_id, { text: text_of(message.content), failed: false }])),
    };
  },

  write(response, asked, { call, words }) {
    const said = call && { index: 0, id: call.id, type: "function", function: { name: call.name, arguments: JSON.stringify(call.input) } };
    const finish_reason = call ? "tool_calls" : "stop";
    const answer = { role: "assistant", ...(call ? { content: null, tool_calls: [said] } : { content: words }) };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const base = { id: "chat_1", created: 0, model: asked.model };
    if (!asked.stream) return json(response, 200, { ...base, object: "chat.completion", choices: [{ index: 0, message: answer, finish_reason }], usage });
    const chunk = (delta, finish_reason) => ({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
    const last = { ...base, object: "chat.completion.chunk", choices: [], usage };
    const chunks = [chunk(answer, null), chunk({}, finish_reason), last].map((part) => JSON.stringify(part));
    stream(response, [...chunks, "[DONE]"].map((data) => `data: ${data}\n\n`));
  },
};

function json(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function stream(response, lines) {
  response.writeHead(200, { "content-type": "text/event-stream" }).end(lines.join(""));
}
