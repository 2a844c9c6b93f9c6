// A terminal that a person looks at: tmux, on a socket of its own, ended with the story.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { until } from "../browser/stage.mjs";

export class Terminal {
  #socket;

  /**
   * @param {string} folder where the socket lies
   * @param {{command: string[], cwd: string, env: Record<string, string>, columns?: number}} run
   */
  constructor(folder, { command, cwd, env, columns = 120 }) {
    this.#socket = join(folder, "tmux");
    const vars = Object.entries({ ...env, TERM: "tmux-256color" }).map(([name, value]) => `${name}=${value}`);
    const size = ["-x", String(columns), "-y", "45"];
    this.#tmux("-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, "--", "env", "-i", ...vars, ...command);
  }

  #run(...args) {
    const env = { HOME: "/nonexistent", PATH: "/usr/bin:/bin", LANG: "C.UTF-8" };
    return spawnSync("tmux", ["-S", this.#socket, ...args], { env, encoding: "utf8" });
  }

  #tmux(...args) {
    const done = this.#run(...args);
    assert.equal(done.status, 0, `tmux ${args[0]}: ${done.stderr}`);
    return done.stdout;
  }

  /** What is on the screen. */
  screen() {
    return this.#tmux("capture-pane", "-p");
  }

  /** Waits until the screen is so. */
  async shows(what, look, patience_ms) {
    let last = "";
    const seen = () => look((last = this.screen()));
    await until(what, seen, patience_ms).catch((error) => {
      throw new Error(`${error.message}\n${last}`);
    });
  }

  presses(...keys) {
    this.#tmux("send-keys", ...keys);
  }

  /** Kills the program that runs there as a crash would. */
  kills() {
    process.kill(Number(this.#tmux("display-message", "-p", "#{pane_pid}")), "SIGKILL");
  }

  close() {
    // With its last program tmux ends by itself.
    if (existsSync(this.#socket)) this.#run("kill-server");
  }
}
