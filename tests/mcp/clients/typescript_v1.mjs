// The TypeScript SDK 1.x: protocols with a handshake. Once the newest of them, and once one that Gemini CLI brings
// along, which reads every event as JSON.
//
//   node typescript_v1.mjs FOLDER
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ASKUSER } from './desk.mjs';
import { tell } from './story.mjs';

const folder = process.argv[2];
const require = createRequire(`${process.env.MCP_CLIENTS}/${folder}/`);
const home = `${process.env.MCP_CLIENTS}/${folder}/node_modules/@modelcontextprotocol/sdk`;
const { version } = JSON.parse(readFileSync(`${home}/package.json`, 'utf8'));
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { ElicitRequestSchema } = require('@modelcontextprotocol/sdk/types.js');

async function connect(desk, way, { vars = {}, query = '', fill }) {
  const client = new Client({ name: 'v1', version: '1' }, { capabilities: fill ? { elicitation: {} } : {} });
  if (fill) client.setRequestHandler(ElicitRequestSchema, async (request) => fill(request.params));
  const headers = { authorization: `Bearer ${desk.agentKey}` };
  const transport =
    way === 'pipes'
      ? new StdioClientTransport({ command: ASKUSER, args: ['mcp'], env: { ...desk.env, ...vars }, cwd: desk.folder })
      : new StreamableHTTPClientTransport(new URL(`${desk.url}/mcp${query}`), { requestInit: { headers } });
  const errors = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  return {
    list: () => client.listTools(),
    call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
    close: async () => {
      // A message that the client cannot read is one that its agent never gets. Closing breaks streams off, which
      // the client calls an error too.
      assert.deepEqual(errors, []);
      await client.close();
    },
  };
}

await tell(`TypeScript SDK ${version}`, connect);
