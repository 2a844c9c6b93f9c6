// Claude Code: `claude -p` for our tool, its terminal for its own AskUserQuestion.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { WHICH } from "../agent.mjs";
import { KEY, QUIET, settled } from "../claude_code.mjs";

/** @type {import("../drivers.mjs").Driver} */
export default {
  name: "claude-code",
  package: "@anthropic-ai/claude-code@2.1.325",
  bin: ["claude", "claude"],
  tool: (name) => new RegExp(`^mcp__askuser__${name}$`),

  configure({ agent, model, server, limit_s }) {
    Object.assign(agent.vars, { ...QUIET, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: model.url });
    writeFileSync(join(agent.home, ".claude.json"), JSON.stringify(settled(agent.work)));
    if (!server) return;
    const timeout = limit_s && { timeout: limit_s * 1000 };
    const askuser = server.url
      ? { type: "http", url: server.url, headers: { Authorization: `Bearer ${server.key}` }, ...timeout }
      : { type: "stdio", command: server.command, args: server.args, env: server.env, ...timeout };
    writeFileSync(join(agent.work, "mcp.json"), JSON.stringify({ mcpServers: { askuser } }));
  },

  run: (again) => ["-p", "Ask me.", ...(again ? ["--continue"] : []), "--mcp-config", "mcp.json", "--strict-mcp-config", "--allowedTools", "mcp__askuser__*", "--output-format", "stream-json", "--verbose"],

  own: {
    installed_as: "claude-code",
    calls: [{ tool: /^AskUserQuestion$/, input: WHICH }],
    terminal: ["Ask me."],
    // Its own dialog is open beside our card, with the description of every option.
    dialog: WHICH.questions[0].options[1].description,
    shows: [WHICH.questions[0].question],
  },
};
