// Starts an MCP server as a bundle's manifest says, asks one question, and prints what the agent is told.
//
//   node mcp.mjs FOLDER      with the bundle unpacked in FOLDER

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const folder = process.argv[2];
const { mcp_config: config } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")).server;
const placed = (text) => text.replaceAll("${__dirname}", folder);
const server = spawn(placed(config.command), config.args.map(placed), { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
createInterface({ input: server.stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message);
});

const say = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
function call(id, method, params) {
  say({ id, method, params });
  return new Promise((done) => waiting.set(id, done));
}

await call(1, "initialize", {
  protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "claude-ai", version: "1" },
});
say({ method: "notifications/initialized" });
const questions = [{ question: "Deploy?", header: "Deploy", multiSelect: false,
  options: [{ label: "Yes", description: "now" }, { label: "No", description: "later" }] }];
const told = await call(2, "tools/call", { name: "ask_user_question", arguments: { questions } });
console.log(told.result?.content?.[0]?.text ?? JSON.stringify(told));
server.stdin.end();
await new Promise((done) => server.on("exit", done));
