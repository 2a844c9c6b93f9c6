/**
 * Parts of the page, fetched anew as HTML and put in place of the old ones. Focus stays where it was.
 */
import { request } from './account.js';

/** @type {((root: ParentNode) => void)[]} */
const watchers = [];

/** Calls back for the whole page now, and for every part that is put in later. @param {(root: ParentNode) => void} watcher */
export function onPart(watcher) {
  watchers.push(watcher);
  watcher(document);
}

/** Tells who watches that a part is new. @param {ParentNode} root */
export const watch = (root) => watchers.forEach((watcher) => watcher(root));

/** @param {string} url @param {string} [selector] @returns {Promise<HTMLElement | null>} */
export async function part(url, selector = 'body > *') {
  const response = await request(url, { headers: { accept: 'text/html' } });
  if (!response.ok) throw new Error(`${response.status}`);
  return new DOMParser().parseFromString(await response.text(), 'text/html').querySelector(selector);
}

/** @param {Element} old @param {Element} fresh */
export function swap(old, fresh) {
  const at = document.activeElement;
  const field = old.contains(at) && (at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement) ? at : null;
  const place = field?.name && { name: field.name, value: field.value, start: field.selectionStart };
  old.replaceWith(fresh);
  watch(fresh);
  if (!place) return;
  const same = [...fresh.querySelectorAll('input, textarea')].filter((input) => /** @type {any} */ (input).name === place.name);
  const next = /** @type {HTMLInputElement | undefined} */ (same.find((input) => /** @type {any} */ (input).value === place.value) ?? same[0]);
  next?.focus({ preventScroll: true });
  if (next && place.start !== null) next.setSelectionRange(next.value.length, next.value.length);
}
