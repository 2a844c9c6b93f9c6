/**
 * What is being written, saved as it is written: at once in this browser, shortly after on the
 * server. The copy here counts after a crash, without a connection, and on a page from the cache.
 */
import { post, store } from './account.js';
import { askOf, entries, fill, forms, parkedIn, readable, settleOther, takesText, touched } from './form.js';
import { say, tell, word } from './said.js';

const PAUSE = 400;
const RETRY = 5000;

/** @typedef {{timer: number, saved: string, sending: AbortController | null, held: boolean}} Draft */
/** @type {WeakMap<HTMLFormElement, Draft>} */
const drafts = new WeakMap();
let composing = false;
let seen = () => 0;
let closed = (/** @type {string} */ _ask) => {};

/** @param {HTMLFormElement} form */
function draftOf(form) {
  const draft = drafts.get(form) ?? { timer: 0, saved: '', sending: null, held: false };
  drafts.set(form, draft);
  return draft;
}

/**
 * Begins to save. @param {() => number} number of the last fact that this page knows
 * @param {(ask: string) => void} whenClosed called where the server says that the ask is closed
 */
export function begin(number, whenClosed) {
  [seen, closed] = [number, whenClosed];
  document.addEventListener('compositionstart', () => (composing = true));
  document.addEventListener('compositionend', (event) => {
    composing = false;
    changed(event.target);
  });
  document.addEventListener('input', (event) => changed(event.target));
  addEventListener('pagehide', () => forms().forEach((form) => touched.has(form) && save(form, true)));
  addEventListener('beforeunload', (event) => {
    // A secret is kept nowhere, so only the person can say that it may go.
    const secret = forms().some((form) => [...form.querySelectorAll('input')].some((field) => 'secret' in field.dataset && field.value));
    if (secret) event.preventDefault();
  });
}

/** @param {EventTarget | null} field */
function changed(field) {
  const form = /** @type {HTMLInputElement | null} */ (field)?.form;
  if (!form || !forms().includes(form)) return;
  if (!composing || !takesText(field)) settleOther(/** @type {HTMLInputElement} */ (field));
  touched.add(form);
  keepHere(form, false);
  later(form, PAUSE);
}

/** @param {HTMLFormElement} form @param {boolean} saved does the server have it? */
function keepHere(form, saved) {
  const draft = { body: `${entries(form)}`, parked: parkedIn(form), text: readable(form), head: seen(), saved };
  store.set(`draft:${askOf(form)}`, draft);
}

/** @param {HTMLFormElement} form @param {number} pause */
function later(form, pause) {
  const draft = draftOf(form);
  clearTimeout(draft.timer);
  draft.timer = setTimeout(() => save(form), pause);
}

/** Saves what is not saved. @param {HTMLFormElement} form @param {boolean} [leaving] */
async function save(form, leaving = false) {
  const draft = draftOf(form);
  clearTimeout(draft.timer);
  const body = entries(form);
  if (draft.held || `${body}` === draft.saved || !(form.isConnected || leaving)) return;
  // Half a word of an input method is nobody's text; and an older save must not come in last.
  if (!leaving && (composing || draft.sending)) return later(form, PAUSE);
  draft.sending?.abort();
  draft.sending = new AbortController();
  show(form, 'draftSaving');
  const init = leaving ? { keepalive: true } : { signal: AbortSignal.any([draft.sending.signal, AbortSignal.timeout(20000)]) };
  const response = await post(`/asks/${askOf(form)}/sheet`, body, init).catch(() => null);
  draft.sending = null;
  if (draft.held) return;
  if (response?.ok) {
    draft.saved = `${body}`;
    if (`${entries(form)}` === draft.saved) keepHere(form, true);
    show(form, 'draftSaved');
  } else if (response && [404, 409, 410].includes(response.status)) {
    closed(askOf(form));
  } else {
    show(form, 'draftLocal');
    later(form, Number(response?.headers.get('retry-after') ?? 0) * 1000 || RETRY);
  }
}

/** Saves now what waits, because the line is back. */
export const saveAll = () => forms().forEach((form) => touched.has(form) && save(form));

/** Stops saving while an answer is sent, or a late save would meet a closed ask. @param {HTMLFormElement} form */
export function hold(form) {
  const draft = draftOf(form);
  clearTimeout(draft.timer);
  draft.sending?.abort();
  draft.held = true;
}

/** Goes on saving. @param {HTMLFormElement} form */
export function release(form) {
  draftOf(form).held = false;
  if (touched.has(form)) later(form, PAUSE);
}

/** @param {HTMLFormElement} form saved because the person asked for it */
export async function saveForLater(form) {
  draftOf(form).saved = '';
  touched.add(form);
  await save(form);
  tell(word(draftOf(form).saved ? 'draftSaved' : 'draftLocal'));
}

/** Puts back what this browser kept and the server may not have. @param {ParentNode} root */
export function restore(root) {
  const head = Number(document.body.dataset.head ?? -1);
  for (const form of forms(root)) {
    const draft = store.get(`draft:${askOf(form)}`);
    if (!draft || touched.has(form) || (draft.saved && draft.head < head)) continue;
    if (draft.body === `${entries(form)}` && !Object.keys(draft.parked).length) continue;
    fill(form, new URLSearchParams(draft.body), draft.parked);
    touched.add(form);
    if (draft.saved) continue;
    say(word('draftRestored'));
    later(form, PAUSE);
  }
}

/** What this browser kept of an ask as text, for when it is closed. @param {string} ask @returns {string} */
export const textOf = (ask) => store.get(`draft:${ask}`)?.text ?? '';

/** @param {string} ask */
export const drop = (ask) => store.drop(`draft:${ask}`);

/** @param {HTMLFormElement} form @param {string} key */
function show(form, key) {
  const place = form.querySelector('.saved') ?? document.createElement('span');
  place.className = 'saved';
  place.textContent = word(key);
  if (!place.isConnected) (form.querySelector('.bar') ?? form).append(place);
}
