/**
 * An answer by one press can be taken back for a few seconds. The desk counts and has the last word;
 * here the seconds are shown, and a key does what the button does.
 */
import { all, one } from './dom.js';
import { onPart } from './parts.js';
import { word } from './said.js';

const HELD = '[data-held]';

/** @param {ParentNode} root */
function tick(root) {
  for (const held of all(root, HELD)) draw(held);
  if (root instanceof HTMLElement && root.matches(HELD)) draw(root);
}

/** @param {HTMLElement} held */
function draw(held) {
  const button = one(held, 'form.undo button');
  const left = Math.ceil((Number(held.dataset.held) - Date.now()) / 1000);
  const text = left > 0 ? word('undoLeft', { n: left }) : word('undo');
  if (button && button.textContent !== text) button.textContent = text;
}

/** Takes the latest answer back. @returns {boolean} was there one? */
export function undo() {
  const held = all(document, HELD).filter((held) => one(held, 'form.undo'));
  const last = held.sort((a, b) => Number(b.dataset.held) - Number(a.dataset.held)).at(0);
  const form = /** @type {HTMLFormElement | null} */ (one(last, 'form.undo'));
  form?.requestSubmit(one(form, 'button'));
  return form !== null;
}

export function begin() {
  onPart(tick);
  setInterval(() => document.hidden || tick(document), 250);
}
