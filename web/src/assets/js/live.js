/**
 * What happens, as it happens: one stream of events for all tabs of this browser.
 *
 * The tab that holds the lock reads the stream and tells the others; every tab knows the number of
 * the last fact it saw, so whoever takes over resumes there and nothing is missing.
 */
import { request } from './account.js';
import { stand, word } from './said.js';

const NAMES = ['asked', 'shown', 'sheet_saved', 'person_answered', 'held', 'taken_back', 'escalated', 'ask_user_response', 'delivered', 'session_changed', 'message', 'task_changed'];
/** What passes and is no fact: it has no number. */
const PASSING = ['message_piece'];
const SLEPT = 30000;

/** @typedef {{number: number, name: string, data: any}} Told */
/** @type {{told: (told: Told, leads: boolean) => void, missed: () => void, back: () => void}} */
let heard = { told() {}, missed() {}, back() {} };
let seen = Number(document.body.dataset.head ?? -1);
/** @type {EventSource | null} */
let source = null;
/** @type {BroadcastChannel | null} */
let channel = null;
/** Lets the lock go. @type {(() => void) | null} */
let resign = null;
let state = '';
let failures = 0;
let timer = 0;
let asking = 0;
let hiddenAt = 0;
let running = false;

/** The number of the last fact that this tab knows. */
export const number = () => seen;

/** @param {typeof heard} whoHears */
export function begin(whoHears) {
  heard = whoHears;
  start();
  addEventListener('pagehide', stop);
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    start();
    heard.missed();
  });
  addEventListener('online', () => wake());
  addEventListener('offline', () => become('offline'));
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) hiddenAt = Date.now();
    // A line that slept with the machine may be dead without knowing it.
    else wake(Date.now() - hiddenAt > SLEPT);
  });
}

function start() {
  running = true;
  if (!globalThis.BroadcastChannel || !navigator.locks) return lead();
  channel = new BroadcastChannel('askuser-live');
  channel.onmessage = ({ data }) => receive(data);
  standBy(false);
  hello();
}

function stop() {
  running = false;
  [timer, asking].forEach(clearTimeout);
  source?.close();
  channel?.close();
  resign?.();
  source = channel = resign = null;
}

/** Waits for the lock; whoever holds it reads the stream. @param {boolean} steal */
function standBy(steal) {
  const options = steal ? { steal } : {};
  navigator.locks.request('askuser-live', options, () => new Promise((resolve) => {
    if (!channel) return resolve(null);
    resign = () => resolve(null);
    lead();
  })).catch(() => {
    // Taken by a tab that heard nothing from us.
    source?.close();
    source = resign = null;
    if (channel) standBy(false);
  });
}

/** Asks the tab that leads where it is; where nobody answers, takes its place. */
function hello() {
  clearTimeout(asking);
  channel?.postMessage({ hello: true });
  asking = setTimeout(() => !source && !resign && channel && standBy(true), 2000);
}

/** Looks whether the line lives. @param {boolean} [doubt] open it anew in any case */
function wake(doubt = true) {
  if (channel && !resign) hello();
  else if (doubt || !source) lead();
}

/** @param {{hello?: boolean, at?: number, state?: string, told?: Told, passing?: Told}} message from another tab */
function receive(message) {
  if (message.hello && resign) channel?.postMessage({ at: seen, state });
  if (message.told) take(message.told, false);
  if (message.passing) heard.told(message.passing, false);
  if (message.state === undefined) return;
  clearTimeout(asking);
  become(message.state);
  if ((message.at ?? 0) > seen) {
    // It happened before this tab listened.
    seen = message.at ?? seen;
    heard.missed();
  }
}

/** @param {Told} told @param {boolean} leads */
function take(told, leads) {
  if (told.number <= seen) return;
  seen = told.number;
  if (leads) channel?.postMessage({ told });
  heard.told(told, leads);
}

function lead() {
  clearTimeout(timer);
  source?.close();
  // A page that shows nothing live has no number: it begins with what comes.
  source = new EventSource(seen >= 0 ? `/api/events?since=${seen}` : '/api/events');
  source.onopen = () => {
    failures = 0;
    clearTimeout(timer);
    become('');
  };
  source.onerror = lost;
  for (const name of NAMES) {
    source.addEventListener(name, (event) =>
      event.lastEventId && take({ number: Number(event.lastEventId), name, data: JSON.parse(event.data) }, true));
  }
  source.addEventListener('resync', (event) => {
    // What was told there is erased; what is left of it is read anew.
    seen = Math.max(seen, Number(event.lastEventId));
    channel?.postMessage({ at: seen, state });
    heard.missed();
  });
  for (const name of PASSING) {
    source.addEventListener(name, (event) => {
      const passing = { number: seen, name, data: JSON.parse(event.data) };
      channel?.postMessage({ passing });
      heard.told(passing, true);
    });
  }
}

/** Comes back by itself, and finds out where it is not the line but the sign-in that is gone. */
function lost() {
  source?.close();
  source = null;
  failures += 1;
  clearTimeout(timer);
  timer = setTimeout(async () => {
    become(navigator.onLine ? 'lost' : 'offline');
    await request('/?part=inbox').catch(() => null);
    if (running) lead();
  }, Math.min(250 * 2 ** failures, 8000));
}

/** @param {string} next how the line is: '' is well */
function become(next) {
  const was = state;
  state = next;
  if (resign) channel?.postMessage({ at: seen, state });
  if (next) return stand(next, word(next === 'offline' ? 'lineOffline' : 'lineLost'));
  if (was) {
    stand('back', word('lineBack'));
    setTimeout(() => state || stand(''), 4000);
  }
  if (was || !failures) heard.back();
}
