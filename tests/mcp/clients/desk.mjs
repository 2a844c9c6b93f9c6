// A desk of its own for a client's story, and the person who answers there.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ASKUSER = process.env.ASKUSER_BIN;

// Starts a daemon in a folder of its own.
// With a configuration, where one is given.
export async function openDesk(config = '') {
  const folder = mkdtempSync(join(tmpdir(), 'askuser-mcp-'));
  const env = { HOME: folder, PATH: '/usr/bin:/bin', ASKUSER_HOME: join(folder, 'desk') };
  mkdirSync(env.ASKUSER_HOME, { recursive: true });
  writeFileSync(join(env.ASKUSER_HOME, 'config.yaml'), config, { mode: 0o600 });
  const args = ['serve', '--listen', '127.0.0.1:0'];
  const daemon = spawn(ASKUSER, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const first = await new Promise((told) => daemon.stdout.once('data', (data) => told(String(data))));
  const url = first.trim().replace('askuser listening on ', '');
  const key = (name) => readFileSync(join(folder, 'desk', 'keys', name), 'utf8').trim();
  return new Desk(folder, env, daemon, url, key('agent'), key('person'));
}

class Desk {
  constructor(folder, env, daemon, url, agentKey, personKey) {
    Object.assign(this, { folder, env, daemon, url, agentKey, personKey });
  }

  async person(method, path, body) {
    const headers = { authorization: `Bearer ${this.personKey}`, 'content-type': 'application/json' };
    const answer = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) });
    const told = await answer.json();
    assert.ok(answer.ok, JSON.stringify(told));
    return told;
  }

  // Waits until a question with this text is open; returns its ask.
  async open(text) {
    const until = Date.now() + 30_000;
    while (Date.now() < until) {
      const { asks } = await this.person('GET', '/api/inbox');
      const found = asks.find((ask) => ask.questions[0].question === text);
      if (found) return found;
      await new Promise((later) => setTimeout(later, 20));
    }
    throw new Error(`never asked: ${text}`);
  }

  // The person picks a choice, once it is asked.
  async pick(text, label) {
    const ask = await this.open(text);
    const answers = { [ask.questions[0].question_id]: label };
    await this.person('POST', `/api/asks/${ask.ask_id}/answer`, { answers });
    return ask;
  }

  async close() {
    const ended = new Promise((done) => this.daemon.once('exit', done));
    this.daemon.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
