// The agents that are tried, one small file each: how to get it, how to tell it of its model and of our server, how
// to start it. Run as a program, this prints what to install: a folder, a package and a program a line.

import { fileURLToPath } from "node:url";
import claude_code from "./drivers/claude_code.mjs";
import codex from "./drivers/codex.mjs";
import gemini from "./drivers/gemini.mjs";
import goose from "./drivers/goose.mjs";
import opencode from "./drivers/opencode.mjs";
import qwen_code from "./drivers/qwen_code.mjs";

/**
 * @typedef {object} Driver
 * @property {string} name as the desk calls the agent
 * @property {string} package with its version: what is proven is proven for a version
 * @property {[string, string]} bin the folder it is installed in, and the program there
 * @property {(name: string) => RegExp} tool how its model sees a tool of ours
 * @property {(here: {agent: import("./agent.mjs").Agent, model: import("./model.mjs").Model, server: Server | null, limit_s?: number, own?: Own | null}) => void} configure
 *   writes the agent's settings into its home; `own` is which tool of its own is tried, `limit_s` is after how long it gives up on a call, where not its own
 * @property {(again: boolean) => string[]} run what it is started with without a terminal; again, to go on with its last conversation
 * @property {boolean} [is_silent] whether it gives up on a call without a word, and closes nothing
 * @property {Own | null} own its own question tool, where we bridge it
 * @property {boolean} [has_own] whether it has one that we do not bridge
 * @property {Own} [in_passing] its own tool for questions that it does not wait for, where it has one
 */
/** @typedef {{url: string, key: string} | {command: string, args: string[], env: Record<string, string>}} Server */
/**
 * @typedef {object} Own
 * @property {string} installed_as as `askuser install` knows the agent
 * @property {import("./model.mjs").Call[]} calls how the model asks with it
 * @property {string[]} terminal what the agent is started with in a terminal
 * @property {string[]} shows what a person sees there while it is asked
 * @property {string} [dialog] what stands in its own dialog, where it draws one beside our card
 */

/** @type {Driver[]} */
export const DRIVERS = [claude_code, codex, opencode, gemini, goose, qwen_code];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { bin: [folder, file], package: wanted } of DRIVERS) console.log(`${folder} ${wanted} ${file}`);
}
