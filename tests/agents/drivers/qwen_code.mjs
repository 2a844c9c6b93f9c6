// qwen-code: `qwen -p` for our tool. Its own question tool is bridged by nothing of ours.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @type {import("../drivers.mjs").Driver} */
export default {
  name: "qwen-code",
  package: "@qwen-code/qwen-code@0.24.4",
  bin: ["qwen", "qwen"],
  tool: (name) => new RegExp(`^mcp__askuser__${name}$`),

  configure({ agent, model, server, limit_s }) {
    Object.assign(agent.vars, { OPENAI_API_KEY: "nobody", OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL: "scripted" });
    const folder = join(agent.home, ".qwen");
    mkdirSync(folder, { recursive: true });
    const more = { trust: true, ...(limit_s && { timeout: limit_s * 1000 }) };
    const askuser = server.url
      ? { httpUrl: server.url, headers: { Authorization: `Bearer ${server.key}` }, ...more }
      : { command: server.command, args: server.args, env: server.env, ...more };
    const settings = {
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: "openai" } },
      model: { name: "scripted" },
      mcpServers: { askuser },
    };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  },

  run: (again) => ["--yolo", ...(again ? ["--continue"] : []), "-p", "Ask me."],
  own: null,
  has_own: true,
};
