// What every TypeScript client goes through, over pipes and over HTTP.
import assert from 'node:assert/strict';
import { openDesk } from './desk.mjs';

export const which = (question) => ({
  questions: [
    {
      question,
      header: 'H',
      multiSelect: false,
      options: [
        { label: 'Alpha', description: 'the first' },
        { label: 'Beta', description: 'the second' },
      ],
    },
  ],
});

const text = (result) => result.content[0].text;
const answered = (question, label) =>
  `User has answered your questions: "${question}"="${label}". You can now continue with the user's answers in mind.`;

// `connect(desk, way, {vars, query, fill})` returns a client: `call(name, arguments, options)`, `list()`,
// `close()`. `fill(params)` answers the client's own dialog.
export async function tell(name, connect) {
  for (const way of ['pipes', 'http']) {
    const desk = await openDesk();
    await plain(desk, way, connect);
    await patient(desk, way, connect);
    await desk.close();
    await inItsOwnDialog(way, connect);
    console.log(`${name} over ${way}: well`);
  }
}

async function plain(desk, way, connect) {
  const client = await connect(desk, way, {});
  const names = (await client.list()).tools.map((tool) => tool.name);
  assert.deepEqual(names, ['ask_user_question', 'wait_for_answer', 'list_asks', 'cancel_ask']);
  // An answer, with progress on the way.
  const progress = [];
  const asking = client.call('ask_user_question', which('Plain?'), { onprogress: (told) => progress.push(told) });
  await desk.pick('Plain?', 'Beta');
  const result = await asking;
  assert.equal(text(result), answered('Plain?', 'Beta'));
  assert.equal(result.structuredContent.answers[0].selected[0].label, 'Beta');
  assert.match(progress[0].message, /Waiting for an answer .*Plain\?.*`askuser inbox`/);
  // A fault is a result.
  const wrong = await client.call('ask_user_question', { questions: [] });
  assert.equal(wrong.isError, true);
  // A call that is given up leaves its question open; asking again joins it.
  const giveUp = new AbortController();
  const given = client.call('ask_user_question', which('Given up?'), { signal: giveUp.signal });
  const first = await desk.open('Given up?');
  giveUp.abort('enough');
  await assert.rejects(given);
  let joined;
  const heard = new Promise((told) => (joined = told));
  const again = client.call('ask_user_question', which('Given up?'), { onprogress: joined });
  await heard;
  const second = await desk.pick('Given up?', 'Alpha');
  assert.equal(second.ask_id, first.ask_id);
  assert.equal(text(await again), answered('Given up?', 'Alpha'));
  await client.close();
}

async function patient(desk, way, connect) {
  const client = await connect(desk, way, { vars: { ASKUSER_HOLD: '400ms' }, query: '?hold=0.4' });
  const pending = await client.call('ask_user_question', which('Later?'));
  assert.equal(pending.structuredContent.status, 'pending');
  assert.deepEqual(JSON.parse(text(pending)), pending.structuredContent);
  const { ask_id } = pending.structuredContent;
  await desk.pick('Later?', 'Alpha');
  assert.equal(text(await client.call('wait_for_answer', { ask_id })), answered('Later?', 'Alpha'));
  await client.close();
}

async function inItsOwnDialog(way, connect) {
  const desk = await openDesk('mcp: {agent_dialog: true}\n');
  const fill = (params) => {
    const [[name, field]] = Object.entries(params.requestedSchema.properties);
    assert.equal(field.title, 'In the dialog?');
    return { action: 'accept', content: { [name]: field.oneOf[1].const } };
  };
  const client = await connect(desk, way, { fill });
  const result = await client.call('ask_user_question', which('In the dialog?'));
  const unseen = " (These answers came through the agent's own dialog: askuser did not see who gave them.)";
  assert.equal(text(result), answered('In the dialog?', 'Beta') + unseen);
  await client.close();
  await desk.close();
}
