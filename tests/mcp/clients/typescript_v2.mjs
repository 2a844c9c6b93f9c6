// The TypeScript SDK 2.x, which finds out by itself that the newest protocol is spoken.
import { createRequire } from 'node:module';
import assert from 'node:assert/strict';
import { ASKUSER } from './desk.mjs';
import { tell } from './story.mjs';

const require = createRequire(`${process.env.MCP_CLIENTS}/v2/`);
const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');
const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');

async function connect(desk, way, { vars = {}, query = '', fill }) {
  const options = { capabilities: fill ? { elicitation: { form: {} } } : {}, versionNegotiation: { mode: 'auto' } };
  const client = new Client({ name: 'v2', version: '1' }, options);
  if (fill) client.setRequestHandler('elicitation/create', async (request) => fill(request.params));
  const headers = { authorization: `Bearer ${desk.agentKey}` };
  const transport =
    way === 'pipes'
      ? new StdioClientTransport({ command: ASKUSER, args: ['mcp'], env: { ...desk.env, ...vars }, cwd: desk.folder })
      : new StreamableHTTPClientTransport(new URL(`${desk.url}/mcp${query}`), { requestInit: { headers } });
  await client.connect(transport);
  assert.equal(client.getNegotiatedProtocolVersion?.() ?? '2026-07-28', '2026-07-28');
  return {
    list: () => client.listTools(),
    call: (name, args, options) => client.callTool({ name, arguments: args }, options),
    close: () => client.close(),
  };
}

await tell('TypeScript SDK 2.x', connect);
