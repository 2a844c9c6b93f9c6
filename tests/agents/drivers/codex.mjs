// Codex: `codex exec` for our tool, its terminal for its own request_user_input, and for request_user_input_async, which
// it offers by itself to the models that it knows for it.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WHICH } from "../agent.mjs";

const [{ question, header, options }] = WHICH.questions;
const TERMINAL = ["--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox", "Ask me."];
const KEY_VARIABLE = "ASKUSER_AGENT_KEY";
const quoted = (value) => JSON.stringify(value);

/** @type {import("../drivers.mjs").Driver} */
export default {
  name: "codex",
  package: "@openai/codex@0.169.0",
  bin: ["codex", "codex"],
  tool: (name) => new RegExp(`^mcp__askuser/${name}$`),

  configure({ agent, model, server, limit_s, own }) {
    const folder = join(agent.home, ".codex");
    mkdirSync(folder, { recursive: true });
    const lines = [
      `model = ${quoted(own === this.in_passing ? "gpt-6.1-sol" : "scripted")}`,
      'model_provider = "loop"',
      "check_for_update_on_startup = false",
      "[analytics]",
      "enabled = false",
      "[model_providers.loop]",
      'name = "loop"',
      `base_url = ${quoted(`${model.url}/v1`)}`,
      'wire_api = "responses"',
      `[projects.${quoted(agent.work)}]`,
      'trust_level = "trusted"',
    ];
    // In Default mode it offers the tool that waits only so.
    if (own === this.own) lines.push("[features]", "default_mode_request_user_input = true");
    if (server) {
      lines.push("[mcp_servers.askuser]");
      if (limit_s) lines.push(`tool_timeout_sec = ${limit_s}`);
      if (server.url) {
        agent.vars[KEY_VARIABLE] = server.key;
        lines.push(`url = ${quoted(server.url)}`, `bearer_token_env_var = ${quoted(KEY_VARIABLE)}`);
      } else {
        lines.push(`command = ${quoted(server.command)}`, `args = ${quoted(server.args)}`, "[mcp_servers.askuser.env]");
        lines.push(...Object.entries(server.env).map(([name, value]) => `${name} = ${quoted(value)}`));
      }
    }
    writeFileSync(join(folder, "config.toml"), `${lines.join("\n")}\n`);
  },

  // Its sandbox needs what a container may not give; nothing is run in these stories.
  run: (again) => ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", ...(again ? ["resume", "--last"] : []), "Ask me."],

  own: {
    installed_as: "codex",
    calls: [{ tool: /^request_user_input$/, input: { questions: [{ id: "way", question, header, options }] } }],
    terminal: TERMINAL,
    // It draws no dialog of its own while the hook waits: the hook's words are all that a person sees.
    shows: ["askuser inbox", "askuser open"],
  },

  in_passing: {
    installed_as: "codex",
    calls: [{ tool: /^functions\/request_user_input_async$/, input: { questions: [{ title: question, options: options.map(({ label }) => label) }] } }],
    terminal: TERMINAL,
    // It shows the question itself, and the hook's words when its turn has ended.
    shows: [question, "askuser inbox", "askuser open", "Esc to answer here"],
  },
};
