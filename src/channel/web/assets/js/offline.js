/**
 * Without a connection: answers wait in this browser and are sent when the line is back, by the page
 * or by the service worker, and the person is told what became of each.
 */
import { signedOut } from './account.js';
import { isHere, redraw } from './card.js';
import { drop } from './draft.js';
import { forms, askOf } from './form.js';
import { button, keep } from './kept.js';
import { tell, word } from './said.js';

/** Puts an answer aside. @param {HTMLFormElement} form @param {{ask: string, body: string, text: string}} waiting */
export async function wait(form, waiting) {
  try {
    await askuserQueue.put(waiting);
  } catch {
    return tell(word('noLine'));
  }
  note(form);
  tell(word('queued'));
  const worker = /** @type {any} */ (await navigator.serviceWorker?.getRegistration());
  await worker?.sync?.register('askuser-answers').catch(() => {});
}

/** Says in the form that its answer waits. @param {HTMLFormElement} form */
function note(form) {
  form.querySelector('.queued')?.remove();
  const waits = document.createElement('p');
  waits.className = 'queued';
  const stop = button('queuedDrop', async () => {
    await askuserQueue.drop(askOf(form));
    waits.remove();
    tell(word('queuedDropped'));
  });
  stop.className = 'drop';
  waits.append(word('queued'), ' ', stop);
  (form.querySelector('.bar') ?? form).before(waits);
}

/** Marks the forms whose answers wait. @param {ParentNode} root */
export async function mark(root) {
  const waiting = new Set((await askuserQueue.all().catch(() => [])).map(({ ask }) => ask));
  forms(root).filter((form) => waiting.has(askOf(form))).forEach(note);
}

/** Sends what waits, and tells. */
export async function sendAll() {
  const results = await askuserQueue.send().catch(() => []);
  if (results.length) await told(results);
}

/** @param {{ask: string, result: string}[]} results */
async function told(results) {
  for (const { ask, result } of results) {
    if (result === 'out') return signedOut();
    if (result === 'later') continue;
    if (result === 'sent') drop(ask);
    tell(word({ sent: 'queuedSent', closed: 'queuedClosed' }[result] ?? 'queuedFaults'));
    document.querySelectorAll('.queued').forEach((old) => old.remove());
    if (isHere(ask)) await redraw();
  }
  await putAside();
}

/** Shows what closed before it could be sent, also where the service worker found out. */
export async function putAside() {
  for (const { ask, text, said } of await askuserQueue.all('closed').catch(() => [])) {
    keep(ask, text, said ?? word('queuedClosed'));
    await askuserQueue.drop(ask, 'closed');
    drop(ask);
  }
}

/** Starts the service worker, which keeps the page for when there is no line. */
export async function begin() {
  await putAside();
  const worker = navigator.serviceWorker;
  if (!worker) return;
  worker.onmessage = ({ data }) => data.results && told(data.results);
  const folder = new URL('.', import.meta.url).pathname;
  await worker.register(`/sw.js?assets=${folder}`).catch(() => {});
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.startsWith(location.origin + folder));
  (await worker.ready).active?.postMessage({ keep: [location.href.split('#')[0], '/', ...loaded] });
}
