/**
 * What is being written, saved as it is written: at once in this browser, shortly after on the
 * server. The copy here counts after a crash, without a connection, and on a page from the cache.
 */
import { post, store } from './account.js';
import { all, isMark, isText, make, one } from './dom.js';
import { askOf, entries, fields, fill, forms, isSecret, readable, touched } from './form.js';
import { onPart } from './parts.js';
import { say, tell, word } from './said.js';

const PAUSE = 400;
const RETRY = 5000;
const MONTH = 30 * 86400000;

/**
 * `own` counts saves of ours of which the stream has not told yet.
 * @typedef {{timer: number, saved: string, sending: AbortController | null, held: boolean, own: number}} Draft
 */
/** @type {WeakMap<HTMLFormElement, Draft>} */
const drafts = new WeakMap();
let composing = false;
let seen = () => 0;
let closed = (/** @type {string} */ _ask) => {};

/** @param {HTMLFormElement} form */
function draftOf(form) {
  const draft = drafts.get(form) ?? { timer: 0, saved: '', sending: null, held: false, own: 0 };
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
  document.addEventListener('compositionend', ({ target }) => {
    composing = false;
    changed(target);
  });
  document.addEventListener('input', ({ target }) => changed(target));
  addEventListener('pagehide', () => forms().forEach((form) => touched.has(form) && save(form, true)));
  addEventListener('beforeunload', (event) => {
    // A secret is kept nowhere, so only the person can say that it may go.
    if (forms().some((form) => fields(form).some((field) => isSecret(field) && field.value))) event.preventDefault();
  });
  for (const key of store.keys('draft:')) if (store.get(key)?.at < Date.now() - MONTH) store.drop(key);
  // Somebody may have written before the script was there.
  forms().flatMap(fields).filter((field) => (isMark(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue)).forEach(changed);
  forms().forEach(restore);
  // The line is there from the start: what is said later pushes no button aside.
  onPart((root) => forms(root).forEach((form) => one(form, '.saved') ?? show(form, '')));
  onPart((root) => all(root, '[name=reason]').forEach((field) => isText(field) && reason(field)));
}

/** @param {EventTarget | null} field */
function changed(field) {
  if (!isMark(field) && !isText(field)) return;
  if (field.name === 'reason') return store.set(`reason:${askOf(field)}`, field.value);
  const form = field.form;
  if (!form || !forms().includes(form)) return;
  touched.add(form);
  if (one(form, '.saved.bad')) noteBeside(form, '');
  keepHere(form, false);
  later(form, PAUSE);
}

/** Why a person says no is text too. @param {import('./dom.js').Field} field */
function reason(field) {
  field.value ||= store.get(`reason:${askOf(field)}`) ?? '';
  // It is shown by the address, which does not know a new one until it is told again.
  if (field.value && location.hash === '#decline') location.replace('#decline');
}

/** @param {HTMLFormElement} form @param {boolean} saved does the server have it? */
function keepHere(form, saved) {
  store.set(`draft:${askOf(form)}`, { body: `${entries(form)}`, text: readable(form), head: seen(), saved, at: Date.now() });
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
  if (draft.held || `${body}` === draft.saved || !form.isConnected) return;
  // Half a word of an input method is nobody's text; and an older save must not come in last.
  if (!leaving && (composing || draft.sending)) return later(form, PAUSE);
  draft.sending?.abort();
  const sending = draft.sending = new AbortController();
  setTimeout(() => sending.abort(), 20000);
  draft.own += 1;
  show(form, 'draftSaving');
  const response = await post(`/asks/${askOf(form)}/sheet`, body, leaving ? { keepalive: true } : { signal: sending.signal }).catch(() => null);
  if (draft.sending === sending) draft.sending = null;
  if (!response?.ok) draft.own -= 1;
  if (draft.held) return;
  if (response?.ok) {
    draft.saved = `${body}`;
    if (`${entries(form)}` === draft.saved) keepHere(form, true);
    show(form, 'draftSaved');
  } else if (response && [404, 409, 410].includes(response.status)) {
    closed(askOf(form));
  } else {
    show(form, 'draftLocal');
    // What does not fit fits no better a second time.
    if (response?.status !== 422) later(form, Number(response?.headers.get('retry-after')) * 1000 || RETRY);
  }
}

/** Was the sheet that the stream tells of saved by this page? @param {HTMLFormElement} form */
export function isOwn(form) {
  const draft = draftOf(form);
  const own = draft.own > 0;
  if (own) draft.own -= 1;
  return own;
}

/** Saves now what waits, because the line is back. */
export const saveAll = () => forms().forEach((form) => touched.has(form) && save(form));

/** Stops saving while an answer is sent, or a late save would meet a closed ask. @param {HTMLFormElement} form */
export function hold(form) {
  const draft = draftOf(form);
  clearTimeout(draft.timer);
  draft.held = true;
  draft.sending?.abort();
}

/** Goes on saving. @param {HTMLFormElement} form */
export function release(form) {
  draftOf(form).held = false;
  if (touched.has(form)) later(form, PAUSE);
}

/** @param {HTMLFormElement} form saved because the person asked for it */
export async function saveForLater(form) {
  touched.add(form);
  keepHere(form, false);
  draftOf(form).saved = '';
  await save(form);
  tell(word(draftOf(form).saved ? 'draftSaved' : 'draftLocal'));
}

/** Puts back what this browser kept and the server may not have. @param {HTMLFormElement} form */
export function restore(form) {
  const draft = store.get(`draft:${askOf(form)}`);
  if (!draft || touched.has(form)) return;
  const newer = !draft.saved || draft.head >= Number(document.body.dataset.head);
  const body = new URLSearchParams(draft.body);
  if (!newer) {
    // The server forgets the text of an "Other" that is not picked; the person may pick it again.
    for (const field of fields(form)) if (field.name.startsWith('other:')) field.value ||= body.get(field.name) ?? '';
  } else if (draft.body !== `${entries(form)}`) {
    fill(form, body);
    touched.add(form);
    say(word('draftRestored'));
    if (!draft.saved) later(form, PAUSE);
  }
}

/** What this browser kept of an ask as text, for when it is closed. @param {string} ask @returns {string} */
export const textOf = (ask) => store.get(`draft:${ask}`)?.text ?? '';

/** @param {string} ask */
export const drop = (ask) => ['draft', 'reason'].forEach((kind) => store.drop(`${kind}:${ask}`));

/** Says beside the buttons how it stands with the text. @param {HTMLFormElement} form @param {string} key */
export function show(form, key) {
  // Why it was not sent stays until something is done about it, whatever is saved meanwhile.
  if (key.startsWith('draft') && one(form, '.saved.bad')) return;
  // A row has room for its buttons alone, and says itself what became of them.
  if (one(form, '.bar')) noteBeside(form, key && word(key));
}

/** @param {HTMLFormElement} form @param {string} text for the line under its buttons @param {boolean} [bad] did it fail? */
export function noteBeside(form, text, bad = false) {
  const place = one(form, '.saved') ?? make('p', 'saved');
  place.textContent = text;
  place.classList.toggle('bad', bad);
  if (!place.isConnected) (one(form, '.bar') ?? form).append(place);
}
