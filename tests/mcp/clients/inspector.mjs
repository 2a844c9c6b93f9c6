// The inspector's command line: lists the tools, strictly, and calls one, over pipes and over HTTP.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { ASKUSER, openDesk } from './desk.mjs';

const INSPECTOR = `${process.env.MCP_CLIENTS}/inspector/node_modules/.bin/mcp-inspector`;

const desk = await openDesk();
const variables = Object.entries(desk.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
const ways = {
  pipes: [...variables, ASKUSER, 'mcp'],
  http: ['--transport', 'http', '--server-url', `${desk.url}/mcp`, '--header', `Authorization: Bearer ${desk.agentKey}`],
};

function inspect(args) {
  const env = { HOME: desk.folder, PATH: `${process.env.NODE_BIN}:/usr/bin:/bin` };
  return new Promise((done, failed) => {
    execFile(INSPECTOR, ['--cli', ...args], { env, timeout: 60_000 }, (error, stdout, stderr) =>
      error ? failed(new Error(`${error.message}\n${stdout}\n${stderr}`)) : done(JSON.parse(stdout)),
    );
  });
}

for (const [way, target] of Object.entries(ways)) {
  const { tools } = await inspect(['--method', 'tools/list', '--strict', ...target]);
  assert.equal(tools.length, 4);
  const question = `Inspected over ${way}?`;
  const args = ['--tool-arg', `question_text=${question}`, 'type=boolean'];
  const calling = inspect(['--method', 'tools/call', '--tool-name', 'ask_user_question', ...args, ...target]);
  await desk.pick(question, true);
  const result = await calling;
  assert.match(result.content[0].text, /"="Yes"/);
  console.log(`inspector over ${way}: well`);
}
await desk.close();
