/**
 * Without a connection: answers wait in this browser and are sent when the line is back, by the page
 * or by the service worker, and the person is told what became of each.
 */
import { signedOut } from './account.js';
import { isHere, redraw } from './card.js';
import { all, button, make, one } from './dom.js';
import { drop } from './draft.js';
import { askOf } from './form.js';
import { keep } from './kept.js';
import { onPart } from './parts.js';
import { tell, word } from './said.js';

/** Puts an answer aside. @param {HTMLFormElement} form @param {{ask: string, body: string, text: string}} waiting */
export async function wait(form, waiting) {
  if (!await askuserQueue.put(waiting).then(() => true, () => false)) return tell(word('noLine'));
  note(form);
  tell(word('toBeSent'));
  const worker = /** @type {any} */ (await navigator.serviceWorker?.getRegistration());
  await worker?.sync?.register('askuser-answers').catch(() => {});
}

/** Says in the form that its answer waits. @param {HTMLElement} form */
function note(form) {
  one(form, 'p.queued')?.remove();
  const waits = make('p', 'queued', word('toBeSent'), ' ', button('drop', 'queuedDrop', () => stop(form)));
  const bar = one(form, '.bar');
  if (bar) bar.before(waits);
  else form.append(waits);
}

/** @param {Element | null} form whose answer is not to be sent */
async function stop(form) {
  const waits = one(form, 'p.queued');
  if (!form || !waits) return;
  waits.remove();
  await askuserQueue.drop(askOf(form));
  tell(word('queuedDropped'));
}

/** Marks the forms whose answers wait. @param {ParentNode} root */
async function mark(root) {
  // What the desk holds has arrived, also where its reply was lost: it is not sent a second time.
  for (const held of all(root, '[data-held]')) await askuserQueue.drop(held.dataset.ask ?? '').catch(() => {});
  const waiting = await askuserQueue.all().catch(() => []);
  all(root, 'form[action$="/answer"]').filter((form) => waiting.some(({ ask }) => ask === askOf(form))).forEach(note);
  if (root === document && waiting.length) tell(word('lineWaiting', { n: waiting.length }));
}

/** Sends what waits, and tells. */
export async function sendAll() {
  await told(await askuserQueue.send().catch(() => []));
}

/** @param {{ask: string, result: string}[]} results */
async function told(results) {
  for (const { ask, result } of results) {
    if (result === 'out') return signedOut();
    if (result === 'later' || result === 'dropped') continue;
    tell(word({ sent: 'queuedSent', closed: 'queuedEnded' }[result] ?? 'queuedFaults'));
    all(document, `[data-ask="${CSS.escape(ask)}"] p.queued`).forEach((old) => old.remove());
    if (result !== 'faulty') drop(ask);
    if (isHere(ask)) await redraw({ sent: result !== 'faulty' });
  }
  await putAside();
}

/** Shows what closed before it could be sent, also where the service worker found out. */
async function putAside() {
  for (const { ask, text, said } of await askuserQueue.all('closed').catch(() => [])) {
    keep(ask, text, said ?? word('queuedEnded'));
    await askuserQueue.drop(ask, 'closed');
    drop(ask);
  }
}

/** Starts the service worker, which keeps the page for when there is no line. */
export async function begin() {
  onPart(mark);
  // Whoever goes on writing has not said it all: the older answer does not go out in its place.
  document.addEventListener('input', ({ target }) => stop(/** @type {Element} */ (target).closest('form')));
  await putAside();
  const worker = navigator.serviceWorker;
  if (!worker) return;
  worker.onmessage = ({ data }) => told(data.results ?? []);
  const folder = new URL('.', import.meta.url).pathname;
  // Without a line there is no newer one to be had.
  await worker.register(`/sw.js?assets=${folder}`).catch(() => {});
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.startsWith(location.origin + folder));
  (await worker.ready).active?.postMessage({ keep: [location.href.split('#')[0], '/', '/icon.svg', ...loaded] });
}
