// The conformance suite against a daemon: every scenario that is not in the baseline must pass, and
// every one in it must still fail, so that the list stays true.
//
//   node conformance.mjs FOLDER BASELINE ARGUMENTS...
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { openDesk } from './desk.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const [folder, baseline, ...more] = process.argv.slice(2);

const desk = await openDesk();
const proxy = spawn(process.execPath, [here('proxy.mjs'), desk.url, join(desk.folder, 'desk/keys/agent')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const url = await new Promise((told) => proxy.stdout.once('data', (data) => told(String(data).trim())));
const suite = join(process.env.MCP_CLIENTS, folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const args = [suite, 'server', '--url', `${url}/mcp`, '--expected-failures', here(baseline), ...more];
const running = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
let said = '';
running.stdout.on('data', (data) => (said += data));
const code = await new Promise((done) => running.once('close', done));
console.log(said.slice(Math.max(said.indexOf('=== SUMMARY'), 0)));
proxy.kill();
await desk.close();
process.exit(code);
