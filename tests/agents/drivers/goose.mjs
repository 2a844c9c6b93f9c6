// goose: `goose run` for our tool. It has no question tool of its own.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @type {import("../drivers.mjs").Driver} */
export default {
  name: "goose",
  // The program itself; the package `@aaif/goose` is another way to look at it.
  package: `@aaif/goose-binary-${process.platform}-${process.arch}@1.52.0`,
  bin: ["goose", `goose-binary-${process.platform}-${process.arch}`],
  tool: (name) => new RegExp(`^askuser__${name}$`),

  configure({ agent, model, server, limit_s }) {
    Object.assign(agent.vars, {
      GOOSE_PROVIDER: "openai",
      GOOSE_MODEL: "scripted",
      GOOSE_MODE: "auto",
      GOOSE_DISABLE_KEYRING: "1",
      GOOSE_TELEMETRY_ENABLED: "false",
      OPENAI_HOST: model.url,
      OPENAI_BASE_PATH: "v1/chat/completions",
      OPENAI_API_KEY: "nobody",
    });
    const folder = join(agent.home, ".config/goose");
    mkdirSync(folder, { recursive: true });
    const about = { enabled: true, bundled: false, name: "askuser", description: "asks a person", timeout: limit_s ?? 300 };
    const askuser = server.url
      ? { type: "streamable_http", uri: server.url, headers: { Authorization: `Bearer ${server.key}` }, envs: {}, env_keys: [], ...about }
      : { type: "stdio", cmd: server.command, args: server.args, envs: server.env, env_keys: [], ...about };
    // JSON is YAML.
    writeFileSync(join(folder, "config.yaml"), JSON.stringify({ extensions: { askuser } }));
  },

  run: (again) => ["run", "--name", "a-story", ...(again ? ["--resume"] : []), "-t", "Ask me."],
  is_silent: true,
  own: null,
};
