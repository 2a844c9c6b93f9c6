// Writes the package.json of the launcher, or of the programs for one platform.
//
//   node manifest.mjs launcher VERSION
//   node manifest.mjs platform VERSION OS CPU

const [kind, version, os, cpu] = process.argv.slice(2);

/** The platforms that the release workflow builds for. */
const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

const common = { version, license: "MIT OR Apache-2.0", author: "The askuser authors" };
const launcher = {
  name: "askuser",
  description: "Makes any AI agent's question durable, answerable anywhere, and honest about who answered",
  ...common,
  keywords: ["ai", "agent", "mcp", "human-in-the-loop", "ask-user"],
  // The MCP registry compares it with its own entry.
  mcpName: `io.github.${process.env.ASKUSER_OWNER ?? "askuser"}/askuser`,
  bin: { askuser: "bin/askuser.js", AskUserQuestion: "bin/AskUserQuestion.js" },
  files: ["bin"],
  engines: { node: ">=18" },
  optionalDependencies: Object.fromEntries(PLATFORMS.map((platform) => [`askuser-${platform}`, version])),
};
const platform = {
  name: `askuser-${os}-${cpu}`,
  description: `askuser for ${os} ${cpu}; install askuser, which brings it along`,
  ...common,
  os: [os],
  cpu: [cpu],
  files: ["bin"],
  preferUnplugged: true,
};
console.log(JSON.stringify(kind === "launcher" ? launcher : platform, null, 2));
