/**
 * The card of one ask: drawn anew when the ask closed, was filled in elsewhere, or changed. What the
 * person wrote and did not send is kept for them.
 */
import { entries, fill, forms, parkedIn, readable, touched, typed } from './form.js';
import { button, keep } from './kept.js';
import { part, swap } from './parts.js';
import { drop, hold, textOf } from './draft.js';
import { say, tell, word } from './said.js';

/** @returns {HTMLElement | null} */
export const card = () => document.getElementById('card');

/** Is this a request that the open page is about? @param {string} ask */
export const isHere = (ask) => card()?.dataset.ask === ask;

const form = () => forms(card() ?? undefined).at(0);
const squeeze = (/** @type {string | null | undefined} */ text) => (text ?? '').replace(/\s+/g, ' ');

/**
 * Draws the card as the server has it now. An open one replaces what the person wrote only where
 * `mine` says so; otherwise that is carried over.
 * @param {{why?: string, always?: boolean, theirs?: boolean}} [how] `why` it closed; `always` keep what was written
 */
export async function redraw({ why = '', always = false, theirs = false } = {}) {
  const old = card();
  if (!old) return;
  const fresh = await part(`/asks/${old.dataset.ask}?part=card`, '#card').catch(() => null);
  if (!fresh || card() !== old) return;
  const mine = form();
  const ask = old.dataset.ask ?? '';
  const wasOpen = old.dataset.open === 'true';
  if (fresh.dataset.open === 'true') {
    if (mine && touched.has(mine) && theirs) keep(ask, readable(mine));
    const carried = mine && touched.has(mine) && !theirs && { body: entries(mine), parked: parkedIn(mine), secrets: mine };
    swap(old, fresh);
    const next = form();
    if (!carried || !next) return;
    fill(next, carried.body, carried.parked);
    for (const field of carried.secrets.querySelectorAll('[data-secret]')) {
      const same = /** @type {HTMLInputElement | null} */ (next.elements.namedItem(/** @type {HTMLInputElement} */ (field).name));
      if (same) same.value = /** @type {HTMLInputElement} */ (field).value;
    }
    touched.add(next);
    return;
  }
  const had = old.contains(document.activeElement);
  const there = squeeze(fresh.textContent);
  const unsent = mine && (always || typed(mine).some((text) => !there.includes(squeeze(text))));
  if (mine) hold(mine);
  swap(old, fresh);
  const ending = /** @type {HTMLElement | null} */ (fresh.querySelector('.ending'));
  if (unsent) keep(ask, readable(mine) || textOf(ask), why);
  drop(ask);
  if (!wasOpen) return;
  say(ending?.textContent?.trim() || word('closedElsewhere'));
  if (had && ending) {
    ending.tabIndex = -1;
    ending.focus({ preventScroll: true });
  }
}

/** Somebody saved a sheet: this page, another device, another person. */
export async function sheetSaved() {
  const old = card();
  const mine = form();
  if (!old || !mine) return;
  const fresh = await part(`/asks/${old.dataset.ask}?part=card`, '#card').catch(() => null);
  const theirs = fresh && forms(fresh).at(0);
  if (!fresh || !theirs || card() !== old || `${entries(theirs)}` === `${entries(mine)}`) return;
  if (!touched.has(mine)) {
    swap(old, fresh);
    return say(word('sheetLoaded'));
  }
  // Written here since: a save of our own that is on its way looks the same until it has arrived.
  if (mine.dataset.saving || old.querySelector('.elsewhere')) return;
  const note = document.createElement('p');
  note.className = 'elsewhere';
  note.append(word('sheetElsewhere'), ' ', button('sheetShow', () => redraw({ theirs: true })));
  mine.prepend(note);
  tell(word('sheetElsewhere'));
}

/** A card that is closed when the page opens: what was written on this device is still the person's. */
export function begin() {
  const old = card();
  const ask = old?.dataset.ask ?? '';
  const text = old?.dataset.open === 'false' ? textOf(ask) : '';
  if (!text) return;
  const there = squeeze(old?.textContent);
  // Each line is a question or an answer; all of them on the card is what was sent.
  if (text.split('\n').some((line) => line && !there.includes(squeeze(line)))) keep(ask, text);
  drop(ask);
}
