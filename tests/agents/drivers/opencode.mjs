// opencode: `opencode run` for our tool, its terminal for its own question tool.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WHICH } from "../agent.mjs";
import { QUIET, settings } from "../opencode.mjs";

const [{ question, header, options }] = WHICH.questions;

/** @type {import("../drivers.mjs").Driver} */
export default {
  name: "opencode",
  package: "opencode-ai@1.18.33",
  bin: ["opencode", "opencode"],
  tool: (name) => new RegExp(`^askuser_${name}$`),

  configure({ agent, model, server, limit_s }) {
    Object.assign(agent.vars, QUIET);
    const folder = join(agent.home, ".config/opencode");
    mkdirSync(folder, { recursive: true });
    // Where plugins are, it looks for a package of its own first, and without a network tries again for a minute.
    writeFileSync(join(agent.home, ".npmrc"), "fetch-retries=0\n");
    const timeout = limit_s && { timeout: limit_s * 1000 };
    const askuser = server?.url
      ? { type: "remote", url: server.url, headers: { Authorization: `Bearer ${server.key}` }, oauth: false, enabled: true, ...timeout }
      : { type: "local", command: [server?.command, ...(server?.args ?? [])], environment: server?.env, enabled: true, ...timeout };
    writeFileSync(join(folder, "opencode.json"), JSON.stringify({ ...settings(model), ...(server ? { mcp: { askuser } } : {}) }));
  },

  run: (again) => ["run", "--format", "json", ...(again ? ["--continue"] : []), "Ask me."],

  own: {
    installed_as: "opencode",
    calls: [{ tool: /^question$/, input: { questions: [{ question, header, options }] } }],
    terminal: ["--prompt", "Ask me."],
    dialog: options[1].description,
    shows: [question],
  },
};
