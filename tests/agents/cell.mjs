// One cell of the matrix: a desk, a model and a person of its own, and one agent told of our server.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Stage, until } from "../browser/stage.mjs";
import { Agent, QUESTION, WHICH, program, says_southward } from "./agent.mjs";
import { LAST_WORDS, Model } from "./model.mjs";
import { Person } from "./person.mjs";
import { Terminal } from "./terminal.mjs";

export const PIPES = "pipes";
export const HTTP = "HTTP";

/** How often the model asks before it gives up. */
const ASKING_MAX = 6;
/** How long an agent may take for what only its own speed decides. */
export const SLOW_MS = 150_000;
/** How long an answer may take from the person to the model. */
const TELLING_MS = 60_000;

const STILL_OPEN = /\\*"status\\*":\s*\\*"pending\\*"/;

export const is_answer = (result) => says_southward(result?.text ?? "");
export const is_pending = (result) => STILL_OPEN.test(result?.text ?? "") && !is_answer(result);

/**
 * A model with patience: it asks; told that the question is still open, it goes on waiting as it was told; where the
 * call came to nothing, it asks the same again.
 * @param {import("./drivers.mjs").Driver} driver
 * @returns {import("./model.mjs").Script}
 */
const patient = (driver) => (results) => {
  const last = results.at(-1);
  if (is_answer(last) || results.length >= ASKING_MAX * 2) return undefined;
  if (is_pending(last)) return { tool: driver.tool("wait_for_answer"), input: { ask_id: last.text.match(/ask_[0-9A-Z]{26}/)[0] } };
  return { tool: driver.tool("ask_user_question"), input: WHICH };
};

export class Cell {
  #turns;

  /**
   * @param {{driver: import("./drivers.mjs").Driver, carrier?: string | null, own?: import("./drivers.mjs").Own | null, limit_s?: number, hold_s?: number,
   *   between?: (server: import("./drivers.mjs").Server, stage: Stage) => Promise<import("./drivers.mjs").Server>}} like
   *   without a carrier it is connected by `askuser install`, for its own question tool, or for another; `between` puts something
   *   between the agent and our server
   * @param {{turns: import("./turns.mjs").Turns, browser: any}} around
   */
  static async set({ driver, carrier = null, own = driver.own, limit_s, hold_s, between = async (server) => server }, { turns, browser }) {
    const cell = new Cell();
    cell.#turns = turns;
    cell.driver = driver;
    cell.own = own;
    cell.stage = new Stage();
    try {
      await cell.stage.start();
      cell.model = await new Model(...(carrier ? [patient(driver)] : own.calls)).open();
      cell.stage.closing.push(() => cell.model.close());
      cell.agent = new Agent(cell.stage, driver.own?.installed_as ?? driver.name, {});
      const server = carrier && (await between(cell.#server(carrier, hold_s), cell.stage));
      driver.configure({ agent: cell.agent, model: cell.model, server, limit_s, own });
      if (!carrier) cell.agent.install();
      cell.person = await Person.at(cell.stage, browser);
    } catch (error) {
      await cell.stage.strike();
      throw error;
    }
    return cell;
  }

  #server(carrier, hold_s) {
    if (carrier === HTTP) return { url: `http://127.0.0.1:${this.stage.port}/mcp${hold_s ? `?hold=${hold_s}` : ""}`, key: this.stage.keys.agent };
    const hold = hold_s && { ASKUSER_HOLD: `${hold_s}s` };
    return { command: program, args: ["mcp"], env: { ASKUSER_HOME: this.agent.data, ...hold } };
  }

  /** Starts the agent without a terminal; again, it goes on with the conversation that it had. */
  start({ again = false } = {}) {
    this.running = this.agent.start(this.driver.bin, this.driver.run(again));
    this.stage.closing.push(this.running.kill);
    return this.running;
  }

  /** Starts the agent in a terminal, so wide where it matters. */
  in_terminal(columns) {
    const command = [Agent.bin(...this.driver.bin), ...this.own.terminal];
    this.terminal = new Terminal(this.stage.folder, { command, cwd: this.agent.work, env: this.agent.env, columns });
    this.stage.closing.push(() => this.terminal.close());
    return this.terminal;
  }

  /** Waits until the person is asked, and looks at who asks. */
  async asked() {
    const ask = await this.person.asked(QUESTION, this.running?.has_ended).catch((error) => {
      throw new Error(`${error.message}\n${this.said()}`);
    });
    assert.equal(ask.asker.agent, this.driver.name);
    return ask;
  }

  /** What there is to say where a story went wrong. */
  said() {
    const results = [...this.model.results.values()].map(({ text }) => text.slice(0, 200)).join(" | ");
    const shown = this.terminal ? this.terminal.screen() : this.running?.out().slice(-1500);
    return `results: ${results}\noffered: ${[...this.model.offered].join(" ")}\nstrange: ${this.model.strange.join(" ")}\n${shown ?? ""}\n${this.stage.log}`;
  }

  /** Lets others have the processor while nothing happens here but waiting. */
  async meanwhile(waiting) {
    this.#turns.give();
    try {
      return await waiting();
    } finally {
      this.#turns.take_back();
    }
  }

  /** Waits until the answer is with the model; returns its place among the results. */
  async answered(patience_ms = TELLING_MS) {
    const begun_ms = Date.now();
    const found = () => [...this.model.results.entries()].find(([, result]) => is_answer(result)) ?? (this.running.has_ended() && [-1]);
    const [idx] = await this.meanwhile(() => until("", found, patience_ms).catch(() => [-1]));
    if (idx >= 0) return idx;
    const [heard] = [...this.model.results.values()].slice(-1).map(({ text }) => text.replace(/\s+/g, " ").slice(0, 90));
    const waited = `no answer with the model ${Math.round((Date.now() - begun_ms) / 1000)} s after it was given`;
    throw new Error(`${waited}; it last heard ${heard ? `"${heard}"` : "nothing"}; the person was asked ${(await this.asks()).length} times\n${this.said()}`);
  }

  /** Seconds from the first call to the answer with the model. */
  seconds(answer_idx) {
    return (this.model.told_ms.get(answer_idx) - this.model.calls_ms[0]) / 1000;
  }

  /** Whether the agent came to its end as it should. */
  async ends_well() {
    const { code, out } = await this.running.ended;
    assert.equal(code, 0, out.slice(-1500));
    assert.ok(out.includes(LAST_WORDS), out.slice(-1500));
  }

  /** Every ask that was ever made at this desk. */
  async asks() {
    const { json } = await this.stage.call("GET", "/api/history?open=true");
    return json.asks ?? json.sessions.flatMap((session) => session.asks);
  }

  /** The person was asked once, however often the agent asked. */
  async asked_once() {
    const asks = await this.asks();
    assert.equal(asks.length, 1, `the person was asked ${asks.length} times: ${asks.map(({ ask_id }) => ask_id).join(" ")}`);
  }

  /** The hooks of ours that run for this agent now. */
  hooks() {
    return readdirSync("/proc").filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return words[1] === "hook" && words[0] === program && readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${this.agent.home}`);
      } catch {
        return false; // It has just ended.
      }
    });
  }

  /** Which of these processes still run; one that nobody has asked for its end yet does not. */
  running_of(pids) {
    return pids.filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
      } catch {
        return false; // It has ended.
      }
    });
  }

  /** Kills the desk while somebody waits. Over pipes the waiting program starts another; over HTTP, whoever keeps it running. */
  async desk_crashes(carrier) {
    const { data } = this.agent;
    const at = join(data, "daemon.json");
    const before = JSON.parse(readFileSync(at, "utf8"));
    // Whoever starts it again finds the port where it was.
    writeFileSync(join(data, "config.yaml"), JSON.stringify({ server: { listen: `127.0.0.1:${this.stage.port}` } }), { mode: 0o600 });
    await this.stage.kill();
    if (carrier === HTTP) return this.stage.start();
    const found = await this.meanwhile(() => until("Reconnected", () => {
      const now = JSON.parse(readFileSync(at, "utf8"));
      return now.pid !== before.pid && now;
    }, 30_000));
    // Not this process's child: it is ended by its id.
    this.stage.closing.push(() => {
      try {
        process.kill(found.pid, "SIGKILL");
      } catch (error) {
        // It may have ended by itself.
        if (error.code !== "ESRCH") throw error;
      }
    });
    return until("it answers", async () => (await this.stage.call("GET", "/api/status")).status === 200);
  }

  async strike() {
    await this.stage.strike();
  }
}
