/**
 * The card of one ask: drawn anew when the ask closed, was filled in elsewhere, or changed. What the
 * person wrote and did not send is kept for them.
 */
import { all, button, make, one } from './dom.js';
import { drop, hold, isOwn, restore, textOf } from './draft.js';
import { entries, fields, fill, forms, isSecret, readable, touched, typed } from './form.js';
import { keep } from './kept.js';
import { renewed, swap } from './parts.js';
import { say, tell, word } from './said.js';

export const card = () => document.getElementById('card');

/** Does the ask of this page wait its turn? */
export const isQueued = () => card()?.dataset.pending === 'true';

/** Is it the ask of this page? @param {string} ask */
export const isHere = (ask) => card()?.dataset.ask === ask;

const form = () => (card() ? forms(card()).at(0) : undefined);

/** Is every one of these texts on the card? @param {Element} on @param {string[]} texts */
function has(on, texts) {
  const plain = (/** @type {string | null} */ text) => (text ?? '').replace(/\s+/g, '');
  const there = plain(on.textContent);
  return texts.every((text) => there.includes(plain(text)));
}

/** The card as the server has it now; nothing where it is gone, or the page is another by now. */
const fetched = () => renewed('card', ({ dataset }) => `/asks/${dataset.ask}?part=card`);

/**
 * Draws it as the server has it now.
 * @param {{sent?: boolean, lost?: string, theirs?: boolean}} [how] our answer was `sent`, or was
 * `lost` and why; or the person wants `theirs` in place of what they wrote
 */
export async function redraw({ sent = false, lost, theirs = false } = {}) {
  const got = await fetched();
  if (!got) return;
  const { old, fresh } = got;
  const mine = form();
  // Whoever sends draws it themselves, and knows whose answer it was.
  if (all(old, 'form').some(({ ariaBusy }) => ariaBusy) && !sent && lost === undefined) return;
  if (fresh.dataset.open === 'true') return stayOpen(old, fresh, mine, theirs);
  const ask = old.dataset.ask ?? '';
  // An answer that could still be taken back has no form: what was written before it is kept here.
  const left = mine ? typed(old) : textOf(ask).split('\n');
  const unsent = !sent && (lost !== undefined || !has(fresh, left));
  const hadFocus = old.contains(document.activeElement);
  const wasOpen = old.dataset.open === 'true';
  if (mine) hold(mine);
  if (unsent) keep(ask, mine ? readable(old) : textOf(ask), lost);
  swap(old, fresh);
  drop(ask);
  const ending = one(fresh, '.ending');
  if (!wasOpen || !ending) return;
  say(ending.textContent?.trim() || word('endedElsewhere'));
  ending.tabIndex = -1;
  if (hadFocus) ending.focus({ preventScroll: true });
}

/** @param {HTMLElement} old @param {HTMLElement} fresh @param {HTMLFormElement | undefined} mine @param {boolean} theirs */
function stayOpen(old, fresh, mine, theirs) {
  const isMine = mine && touched.has(mine);
  if (isMine && theirs) keep(old.dataset.ask ?? '', readable(mine));
  swap(old, fresh);
  const next = form();
  if (!next || theirs) return;
  if (!isMine) return mine ? undefined : restore(next);
  fill(next, entries(mine));
  for (const secret of fields(mine).filter(isSecret)) {
    const same = fields(next).find(({ name }) => name === secret.name);
    if (same) same.value = secret.value;
  }
  touched.add(next);
}

/** Somebody saved a sheet: this page, another device, another person. */
export async function sheetSaved() {
  const mine = form();
  if (!mine || isOwn(mine)) return;
  const got = await fetched();
  const theirs = got && forms(got.fresh).at(0);
  if (!got || !theirs || `${entries(theirs)}` === `${entries(mine)}`) return;
  if (!touched.has(mine) && typed(got.old).length === typed(mine).length) {
    swap(got.old, got.fresh);
    return say(word('sheetLoaded'));
  }
  if (one(got.old, '.elsewhere')) return;
  // Behind the form: what somebody else does moves nothing under the person's hand.
  mine.after(make('p', 'elsewhere', word('sheetElsewhere'), ' ', button('plain', 'sheetShow', () => redraw({ theirs: true }))));
  tell(word('sheetElsewhere'));
}

/** A card that is closed when the page opens: what was written on this device is still the person's. */
export function begin() {
  const old = card();
  const ask = old?.dataset.ask ?? '';
  if (old?.dataset.open !== 'false') return;
  if (!has(old, textOf(ask).split('\n'))) keep(ask, textOf(ask));
  drop(ask);
}
