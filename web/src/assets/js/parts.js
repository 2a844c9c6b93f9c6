/**
 * Parts of the page, fetched anew as HTML and put in place of the old ones. Focus stays where it was.
 */
import { request } from './account.js';
import { all, isMark, isText, one } from './dom.js';
import { fields } from './form.js';

/** @type {((root: ParentNode) => unknown)[]} */
const watchers = [];

/** Calls back for the whole page now, and for every part that is put in later. @param {(root: ParentNode) => unknown} watcher */
export function onPart(watcher) {
  watchers.push(watcher);
  watcher(document);
}

/** Tells who watches that a part is new. @param {ParentNode} root */
export const watch = (root) => watchers.forEach((watcher) => watcher(root));

/** @param {string} url @param {string} selector @returns {Promise<HTMLElement | null>} */
export async function part(url, selector) {
  const response = await request(url, { headers: { accept: 'text/html' } });
  if (!response.ok) throw new Error(`${response.status}`);
  return one(new DOMParser().parseFromString(await response.text(), 'text/html'), selector);
}

/**
 * A part of the page, and the same as the server has it now. Several may be on their way at once, and they need not
 * arrive in the order of what they show: whoever finds the part drawn anew meanwhile fetches it again.
 * @param {string} id @param {(old: HTMLElement) => string} urlOf
 * @returns {Promise<{old: HTMLElement, fresh: HTMLElement} | null>} nothing where it is gone, or is another by now
 */
export async function renewed(id, urlOf) {
  let old = document.getElementById(id);
  while (old) {
    const url = urlOf(old);
    const fresh = await part(url, `#${id}`).catch(() => null);
    const now = document.getElementById(id);
    if (!fresh || !now || urlOf(now) !== url) return null;
    if (now === old) return { old, fresh };
    old = now;
  }
  return null;
}

/** What an element says, without what changes by itself or by a click. @param {Element} part */
export function bare(part) {
  const copy = /** @type {Element} */ (part.cloneNode(true));
  all(copy, 'time').forEach((time) => time.replaceChildren());
  all(copy, 'details').forEach((details) => details.removeAttribute('open'));
  return copy.outerHTML;
}

/** What the person unfolded or folded stays so. @param {Element} old @param {Element} fresh */
export function keepFolds(old, fresh) {
  const folded = all(fresh, 'details');
  all(old, 'details').forEach((was, place) => folded[place]?.toggleAttribute('open', was.hasAttribute('open')));
}

/**
 * Many calls in a row become a few runs, one at a time, so that an older one never has the last word.
 * @param {() => Promise<unknown>} run one that fails is over: the line says so, and what is missed comes with its number
 * @param {number} pause between two runs
 * @returns {() => Promise<void>} done when a run that began after the call is
 */
export function coalesced(run, pause) {
  /** @type {((_: void) => void)[]} */
  const waiting = [];
  let running = false;
  const runAll = async () => {
    running = true;
    while (waiting.length) {
      const asked = waiting.splice(0);
      await run().catch(() => {});
      asked.forEach((done) => done());
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    running = false;
  };
  return () => {
    const done = new Promise((/** @type {(_: void) => void} */ resolve) => waiting.push(resolve));
    if (!running) runAll();
    return done;
  };
}

/** @param {Element} old @param {Element} fresh */
export function swap(old, fresh) {
  const at = document.activeElement;
  const had = old.contains(at) && (isMark(at) || isText(at)) ? at : null;
  old.replaceWith(fresh);
  watch(fresh);
  const same = fields(fresh).find(({ name, value }) => name === had?.name && (!isMark(had) || value === had.value));
  same?.focus({ preventScroll: true });
}
