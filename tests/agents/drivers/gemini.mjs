// Gemini CLI: `gemini -p` for our tool, its terminal for its own ask_user.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WHICH } from "../agent.mjs";

const [{ question, header, options }] = WHICH.questions;

/** @type {import("../drivers.mjs").Driver} */
export default {
  name: "gemini-cli",
  package: "@google/gemini-cli@0.61.0",
  bin: ["gemini", "gemini"],
  tool: (name) => new RegExp(`^(mcp_askuser_)?${name}$`),

  configure({ agent, model, server, limit_s }) {
    Object.assign(agent.vars, {
      GEMINI_API_KEY: "nobody",
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_CLI_NO_RELAUNCH: "true",
    });
    const folder = join(agent.home, ".gemini");
    mkdirSync(folder, { recursive: true });
    const more = { trust: true, ...(limit_s && { timeout: limit_s * 1000 }) };
    const askuser = server?.url
      ? { httpUrl: server.url, headers: { Authorization: `Bearer ${server.key}` }, ...more }
      : { command: server?.command, args: server?.args, env: server?.env, ...more };
    const settings = {
      general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: "gemini-api-key" } },
      ui: { hideTips: true, hideBanner: true },
      ...(server ? { mcpServers: { askuser } } : {}),
    };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  },

  run: (again) => ["--model", "gemini-2.5-flash", "--yolo", ...(again ? ["--resume", "latest"] : []), "-p", "Ask me."],

  own: {
    installed_as: "gemini",
    calls: [{ tool: /^ask_user$/, input: { questions: [{ question, header, type: "choice", options }] } }],
    terminal: ["--model", "gemini-2.5-flash", "-i", "Ask me."],
    // It draws no dialog of its own while the hook waits: the hook's name is all that a person sees.
    shows: ["askuser inbox", "askuser open"],
  },
};
