// The TypeScript SDK 1.x: protocols with a handshake.
import { createRequire } from 'node:module';
import { ASKUSER } from './desk.mjs';
import { tell } from './story.mjs';

const require = createRequire(`${process.env.MCP_CLIENTS}/v1/`);
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
  await client.connect(transport);
  return {
    list: () => client.listTools(),
    call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
    close: () => client.close(),
  };
}

await tell('TypeScript SDK 1.x', connect);
