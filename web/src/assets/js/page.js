/**
 * The script of the page: begins everything, and hands on what happens. The page works without it.
 */
import * as account from './account.js';
import * as answer from './answer.js';
import * as arrival from './arrival.js';
import * as asks from './asks.js';
import * as card from './card.js';
import * as draft from './draft.js';
import * as guard from './guard.js';
import * as keys from './keys.js';
import * as kept from './kept.js';
import * as live from './live.js';
import * as offline from './offline.js';
import { bare, keepFolds, renewed, swap } from './parts.js';
import * as present from './present.js';
import * as push from './push.js';
import * as speak from './speak.js';
import * as steps from './steps.js';
import * as task from './task.js';
import * as time from './time.js';
import * as timings from './timings.js';
import * as undo from './undo.js';

/** @param {import('./live.js').Told} told @param {boolean} leads */
function told({ name, data }, leads) {
  task.told(name, data);
  if (['message', 'message_piece', 'task_changed'].includes(name)) return;
  arrival.arrived(name, data, leads);
  if (!['sheet_saved', 'delivered'].includes(name)) asks.refreshAsks();
  if (data.session === card.card()?.dataset.session && name !== 'sheet_saved') talk();
  if (!card.isHere(data.ask_id)) return;
  if (name === 'sheet_saved') card.sheetSaved();
  else if (name === 'shown' ? card.isQueued() : name !== 'asked') card.redraw();
}

/** Draws the conversation around the card anew. */
async function talk() {
  const got = await renewed('conversation', () => location.pathname);
  if (!got || bare(got.fresh) === bare(got.old)) return;
  const { old, fresh } = got;
  // It only ever grows.
  keepFolds(old, fresh);
  swap(old, fresh);
}

async function begin() {
  const signedIn = await account.begin();
  time.begin();
  keys.begin();
  if (!signedIn) return guard.begin();
  asks.begin();
  card.begin();
  draft.begin(live.number, (ask) => card.isHere(ask) && card.redraw());
  steps.begin();
  kept.show();
  answer.begin();
  arrival.begin();
  present.begin();
  push.begin();
  speak.begin();
  task.begin();
  undo.begin();
  live.begin({
    told,
    missed: () => [asks.refreshAsks(), card.redraw(), talk(), task.refresh(), task.refreshTasks()],
    back: () => [draft.saveAll(), offline.sendAll()],
  });
  // Last: what the script itself puts in at the start is no change that anybody missed.
  guard.begin();
  // Everything listens: what is typed from now on is not lost.
  document.documentElement.dataset.script = 'on';
  timings.begin();
  await offline.begin();
}

await begin();
