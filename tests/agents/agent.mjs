// A real agent, unchanged, from its package: in a home that nobody has used, with nothing of this
// shell's environment, connected to the desk by `askuser install` and by nothing else.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../browser/stage.mjs";

/** The program under test. */
export const program = process.env.ASKUSER_BIN ?? join(root, "target/debug/askuser");
const packages = process.env.ASKUSER_AGENTS ?? join(root, "target/agents");

/** The longest that a story may take, so that nothing hangs. */
export const STORY_MS = 300_000;

/** What the model asks: an option's label must not stand in the question, or an echo would pass for an answer. */
export const WHICH = {
  questions: [
    {
      question: "Which way shall we go?",
      header: "Way",
      multiSelect: false,
      options: [
        { label: "Northward", description: "over the hill" },
        { label: "Southward", description: "along the river" },
      ],
    },
  ],
};
export const [{ question: QUESTION }] = WHICH.questions;
/** In words, and as data, which some clients hand to their model instead; in JSON quotes are escaped, once or twice. */
const IN_WORDS = /Which way shall we go\?\\*"=\\*"Southward/;
const AS_DATA = /"status\\*":\s*\\*"answered\\*".*"selected\\*":[^\]]*"label\\*":\s*\\*"Southward/s;

/** Whether a model that reads this knows that the person chose to go southward. */
export const says_southward = (text) => (IN_WORDS.test(text) || AS_DATA.test(text)) && !text.includes("Northward");

export class Agent {
  #name;

  /**
   * @param {import("../browser/stage.mjs").Stage} stage
   * @param {string} name as `askuser install` knows it
   * @param {Record<string, string>} vars what the agent is started with, beside its home
   */
  constructor(stage, name, vars) {
    this.#name = name;
    /** What the agent is started with, beside its home. */
    this.vars = vars;
    this.home = stage.folder;
    this.data = join(stage.folder, "data");
    this.work = join(realpathSync(stage.folder), "work");
    mkdirSync(this.work);
    stage.closing.push(() => sweep(this.home));
  }

  get env() {
    const path = [dirname(process.execPath), dirname(program), "/usr/local/bin", "/usr/bin", "/bin"].join(":");
    return { HOME: this.home, PATH: path, LANG: "C.UTF-8", TERM: "dumb", ...this.vars };
  }

  /** The path of a program of the agent's package, in the folder of that name or another. */
  static bin(folder, file = folder) {
    return join(packages, folder, "node_modules/.bin", file);
  }

  /** Connects the agent as a person would. The agent itself is not told where the desk is. */
  install(...more) {
    this.askuser("install", this.#name, ...more);
  }

  /** Runs our program as the person would, and returns what it prints. */
  askuser(...args) {
    const env = { HOME: this.home, PATH: "/usr/bin:/bin", ASKUSER_HOME: this.data };
    const done = spawnSync(program, args, { cwd: this.work, env, encoding: "utf8" });
    assert.equal(done.status, 0, done.stdout + done.stderr);
    return done.stdout;
  }

  /**
   * Starts the agent without a terminal. `tell` writes a line of JSON to an agent that listens on its standard input.
   * @param {string | [string, string]} bin a name, or the folder of its package and its name there
   * @param {string[]} args
   * @param {{vars?: Record<string, string>, listens?: boolean}} [like]
   * @returns {{ended: Promise<{code: number | null, out: string}>, has_ended: () => boolean, out: () => string, tell: (line: object) => void, kill: () => void}}
   */
  start(bin, args, { vars = {}, listens = false } = {}) {
    const env = { ...this.env, ...vars };
    const stdio = [listens ? "pipe" : "ignore", "pipe", "pipe"];
    const child = spawn(Agent.bin(...[bin].flat()), args, { cwd: this.work, env, stdio, detached: true });
    let out = "";
    for (const pipe of [child.stdout, child.stderr]) pipe.on("data", (chunk) => (out += chunk));
    const ended = new Promise((done, failed) => {
      child.on("error", failed);
      child.on("close", (code) => done({ code, out }));
    });
    // With what it started, and nothing else: it leads a group of its own.
    const kill = () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGKILL");
    };
    const tell = (line) => child.stdin.write(`${JSON.stringify(line)}\n`);
    const has_ended = () => child.exitCode !== null || child.signalCode !== null;
    return { ended, has_ended, out: () => out, tell, kill };
  }
}

/** Ends what was started in this home and is still there, by its id: hooks outlive an agent that was killed. */
function sweep(home) {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const env = unless_gone(() => readFileSync(`/proc/${pid}/environ`, "utf8"));
    // The desk, started here too, is the stage's own to end.
    const is_desk = unless_gone(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"))?.includes("\0serve\0");
    if (env?.split("\0").includes(`HOME=${home}`) && !is_desk) unless_gone(() => process.kill(Number(pid), "SIGKILL"));
  }
}

function unless_gone(look) {
  try {
    return look();
  } catch {
    return undefined;
  }
}
