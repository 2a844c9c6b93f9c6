// A conformance suite against the daemon, or against the fixture, which is the same stack with the tools
// that the suite calls for: every scenario that is not in the baseline must pass, and every one in it
// must still fail, so that the list stays true.
//
//   node conformance.mjs daemon|fixture VERSION ARGUMENTS...
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { openDesk } from './desk.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const [which, version, ...more] = process.argv.slice(2);

// Starts a server that prints its address.
async function start(program, args) {
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((told, failed) => {
    server.stdout.once('data', (data) => told(String(data).trim()));
    server.once('error', failed);
    server.once('exit', (code) => failed(new Error(`${program} ended with ${code}`)));
  });
  return { url, stop: () => server.kill() };
}

async function daemon() {
  const desk = await openDesk();
  const key = join(desk.folder, 'desk/keys/agent');
  const proxy = await start(process.execPath, [here('proxy.mjs'), desk.url, key]);
  return {
    url: proxy.url,
    stop: async () => {
      proxy.stop();
      await desk.close();
    },
  };
}

const server = which === 'fixture' ? await start(process.env.FIXTURE_BIN, []) : await daemon();
const folder = join(process.env.MCP_CLIENTS, `conformance-${version}`);
const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const baseline = here(`${which}-${version}.yml`);
const args = [suite, 'server', '--url', `${server.url}/mcp`, '--expected-failures', baseline, ...more];
const running = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
let said = '';
running.stdout.on('data', (data) => (said += data));
const code = await new Promise((done) => running.once('close', done));
console.log(said.slice(Math.max(said.indexOf('=== SUMMARY'), 0)));
await server.stop();
process.exit(code);
