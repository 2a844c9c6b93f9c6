// Listens in between a client and our server, and writes down what each says: a line of JSON a message.
//
//   node tap.mjs FILE PROGRAM [ARGUMENT...]   in the place of a server on its pipes
//
// Over HTTP `tapped` stands before the daemon, within the test's own process.

import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** What clients tell a program that they start of themselves, in its environment; the rest is the machine's or a secret. */
const TOLD = /^(AI_AGENT|CLAUDECODE|CLAUDE_CODE_ENTRYPOINT|CLAUDE_PROJECT_DIR|GEMINI_CLI|OPENCODE)$|_(SESSION|THREAD)_ID$/;

/** @typedef {{from: "client" | "server", env?: Record<string, string>, message?: object, http?: {method: string, path: string, headers: Record<string, string>}, gone?: boolean}} Line */

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * A server that hands everything on to another port of this machine.
 * @param {number} port
 * @param {(line: Line) => void} note
 */
export async function tapped(port, note) {
  const server = createServer(async (incoming, outgoing) => {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method, url: path, headers } = incoming;
    note({ from: "client", http: { method, path, headers }, message: parsed(body.toString()) });
    let done = false;
    const onward = request({ host: "127.0.0.1", port, method, path, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode, reply.headers);
      outgoing.flushHeaders();
      reply.on("end", () => (done = true)).on("error", () => outgoing.destroy()).pipe(outgoing);
      // A stream's messages stand on a line each.
      createInterface({ input: reply }).on("error", () => {}).on("line", (line) => {
        const message = line.startsWith("data:") ? parsed(line.slice(5)) : parsed(line);
        if (message) note({ from: "server", message });
      });
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => {
      if (!done) note({ from: "client", http: { method, path, headers: {} }, message: parsed(body.toString()), gone: true });
      onward.destroy();
    });
    onward.end(body);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () => (server.closeAllConnections(), server.close());
  return { port: server.address().port, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , file, command, ...args] = process.argv;
  const note = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  const told = Object.entries(process.env).filter(([name]) => TOLD.test(name));
  note({ from: "client", env: Object.fromEntries(told) });
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const hand_on = (from, input, output) => {
    createInterface({ input }).on("line", (text) => {
      note({ from, message: parsed(text) });
      output.write(`${text}\n`);
    }).on("close", () => output.end());
  };
  hand_on("client", process.stdin, child.stdin);
  hand_on("server", child.stdout, process.stdout);
  child.on("exit", (code) => process.exit(code ?? 1));
}
