/**
 * A task's conversation as it goes on: new messages come drawn from the server and are put in their
 * place; text that the agent is still writing is added as it comes. Only a window of it is kept here.
 */
import { post } from './account.js';
import { all, make, one } from './dom.js';
import { bare, coalesced, keepFolds, part, swap, watch } from './parts.js';
import { say, tell, word } from './said.js';

/** How many messages are kept here: while the person follows them, and while they read further up. */
const KEPT = [200, 600];
const PAUSE = 100;
const AFTER = ['message', 'task_changed', 'asked', 'shown', 'ask_user_response', 'session_changed'];

const page = () => document.getElementById('task');
const stream = () => document.getElementById('stream');
const bytes = new TextEncoder();

/** @param {string} name @param {any} data */
export function told(name, data) {
  if (name === 'task_changed') refreshTasks();
  if (!page() || page()?.dataset.live !== 'on' || data.session !== page()?.dataset.session) return;
  if (name === 'message_piece') piece(data);
  else if (AFTER.includes(name)) refresh();
}

/** Fetches what is new. */
export const refresh = coalesced(async () => {
  const at = page();
  if (at?.dataset.live !== 'on') return;
  const fresh = await part(`/tasks/${at.dataset.task}?part=fresh&since=${stream()?.dataset.last ?? 0}`, '#fresh');
  if (fresh) merge(fresh);
}, PAUSE);

/** Does the person follow what comes? Whoever scrolls up reads, and is not carried away. */
let following = true;

function follow() {
  if (following) scrollTo({ top: document.documentElement.scrollHeight });
}

/** @param {HTMLElement} fresh */
function merge(fresh) {
  const list = stream();
  if (!list) return;
  if (fresh.dataset.whole === 'true') {
    // Too far behind: a new window, and with it a new way to what came before.
    list.replaceChildren();
    replace('earlier', fresh);
  }
  const entries = all(fresh, '.entries > .entry');
  const there = new Set(entries.map(({ id }) => id));
  // Text that never became a message is gone with the run that wrote it.
  for (const left of all(list, '.coming')) if (!there.has(left.id)) left.remove();
  for (const entry of entries) put(list, entry);
  list.dataset.last = fresh.dataset.head;
  trim(list);
  replace('about', fresh);
  card(fresh);
  composer(fresh);
  follow();
}

/** Puts a message in its place: that of its older self, else by its number. @param {HTMLElement} list @param {HTMLElement} entry */
function put(list, entry) {
  const old = document.getElementById(entry.id);
  const number = Number(entry.dataset.number ?? Infinity);
  if (old) {
    if (entry.classList.contains('coming') && Number(old.dataset.bytes) > Number(entry.dataset.bytes)) return;
    keepFolds(old, entry);
    old.remove();
  }
  let at = list.lastElementChild;
  const numberOf = (/** @type {Element} */ one) => Number(/** @type {HTMLElement} */ (one).dataset.number ?? Infinity);
  while (at && numberOf(at) > number) at = at.previousElementSibling;
  if (at) at.after(entry);
  else list.prepend(entry);
  watch(entry);
}

/** Lets the oldest go, and says where they are. @param {HTMLElement} list */
function trim(list) {
  const most = KEPT[following ? 0 : 1];
  if (list.childElementCount <= most) return;
  while (list.childElementCount > most) list.firstElementChild?.remove();
  const earlier = document.getElementById('earlier');
  const link = /** @type {HTMLAnchorElement | null} */ (one(earlier, 'a'));
  if (!earlier || !link) return;
  earlier.hidden = false;
  link.href = `/tasks/${page()?.dataset.task}?before=${/** @type {HTMLElement} */ (list.firstElementChild).dataset.number}`;
}

/** @param {string} id @param {HTMLElement} fresh */
function replace(id, fresh) {
  const [old, next] = [document.getElementById(id), one(fresh, `#${id}`)];
  if (!old || !next || bare(old) === bare(next)) return;
  const ended = next.dataset.state !== old.dataset.state;
  swap(old, next);
  if (ended) say(one(next, '.task-state')?.textContent ?? '');
}

/** The question that waits: one that is being filled in is let alone. @param {HTMLElement} fresh */
function card(fresh) {
  const [old, next] = [document.getElementById('now'), one(fresh, '#now')];
  if (!old || !next || old.dataset.ask === next.dataset.ask) return;
  const had = old.contains(document.activeElement);
  swap(old, next);
  // Whoever answered by keyboard goes on from there.
  if (had) (one(next, 'input, textarea') ?? document.getElementById('say'))?.focus({ preventScroll: true });
}

/** What is written stays, also where it is meant otherwise now. @param {HTMLElement} fresh */
function composer(fresh) {
  const [old, next] = [document.getElementById('composer'), one(fresh, '#composer')];
  if (!old || !next || old.dataset.mode === next.dataset.mode) return;
  const [was, field] = [one(old, 'textarea'), one(next, 'textarea')];
  const written = was instanceof HTMLTextAreaElement ? was.value : kept;
  if (field instanceof HTMLTextAreaElement) field.value = written;
  kept = written;
  swap(old, next);
}
let kept = '';

/** Adds what the agent has just written. @param {{uuid: string, kind: string, at: number, text: string}} data */
function piece({ uuid, kind, at, text }) {
  const list = stream();
  if (!list) return;
  const entry = document.getElementById(`m-${uuid}`) ?? (at === 0 ? list.appendChild(begun(uuid, kind)) : null);
  // The beginning is missing: it comes with everything else.
  if (!entry || (entry.classList.contains('coming') && Number(entry.dataset.bytes) < at)) return refresh();
  // It is whole already, or this part of it was seen.
  if (Number(entry.dataset.bytes) !== at) return;
  one(entry, '.typed')?.append(text);
  entry.dataset.bytes = `${at + bytes.encode(text).length}`;
  follow();
}

/** A text of which nothing is there yet. @param {string} uuid @param {string} kind */
function begun(uuid, kind) {
  const thinking = kind === 'thinking';
  const who = make('p', 'dim', make('span', 'who', word(thinking ? 'thinking' : 'agent')));
  const entry = make('div', 'entry coming', make('div', `msg ${thinking ? 'think' : 'text'}`, who, make('div', 'typed')));
  entry.id = `m-${uuid}`;
  entry.dataset.bytes = '0';
  return entry;
}

/** Keeps the list of tasks up to date. */
export const refreshTasks = coalesced(async () => {
  const list = document.getElementById('tasks');
  const fresh = list && await part(list.dataset.part ?? '/tasks?part=tasks', '#tasks');
  if (list && fresh && bare(fresh) !== bare(list)) swap(list, fresh);
}, PAUSE);

/** @param {HTMLFormElement} form */
async function act(form) {
  const response = await post(form.action, new URLSearchParams(/** @type {any} */ (new FormData(form)))).catch(() => null);
  if (!response) return tell(word('noLine'));
  if (!response.ok) {
    const said = await response.json().catch(() => ({}));
    tell(said.message ?? word('tryAgain'));
    return refresh();
  }
  const field = one(form, 'textarea');
  if (field instanceof HTMLTextAreaElement) field.value = kept = '';
  return refresh();
}

export function begin() {
  if (!page()) return;
  document.addEventListener('submit', (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    // Whoever speaks wants to hear what follows.
    following = true;
    if (!/^\/tasks\/[^/]+\/(say|stop|resume)$/.test(new URL(form.action).pathname)) return;
    event.preventDefault();
    if (form.ariaBusy) return;
    form.ariaBusy = 'true';
    act(form).finally(() => (form.ariaBusy = null));
  });
  // Enter sends, as it does wherever people talk; with Shift it is a new line.
  document.addEventListener('keydown', (event) => {
    const at = /** @type {Element} */ (event.target);
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || at.id !== 'say') return;
    event.preventDefault();
    at.closest('form')?.requestSubmit();
  });
  if (page()?.dataset.live !== 'on') return;
  addEventListener('scroll', () => {
    const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
    following = scrollHeight - scrollTop - clientHeight < 160;
  }, { passive: true });
  follow();
}
