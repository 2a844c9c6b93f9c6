// A terminal that a person looks at: tmux, on a socket of its own, ended with the story.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { until } from "../browser/stage.mjs";

export class Terminal {
  #socket;

  /**
   * @param {string} folder where the socket lies
   * @param {{command: string[], cwd: string, env: Record<string, string>}} run
   */
  constructor(folder, { command, cwd, env }) {
    this.#socket = join(folder, "tmux");
    const vars = Object.entries({ ...env, TERM: "tmux-256color" }).map(([name, value]) => `${name}=${value}`);
    const size = ["-x", "120", "-y", "45"];
    this.#tmux("-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, "--", "env", "-i", ...vars, ...command);
  }

  #tmux(...args) {
    const env = { HOME: "/nonexistent", PATH: "/usr/bin:/bin", LANG: "C.UTF-8" };
    const done = spawnSync("tmux", ["-S", this.#socket, ...args], { env, encoding: "utf8" });
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

  close() {
    this.#tmux("kill-server");
  }
}
