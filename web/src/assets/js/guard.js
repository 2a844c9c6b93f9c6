/**
 * Nothing is answered that the person had no time to see. A control that came, or came to stand
 * elsewhere, without their doing takes neither a click nor a key for a moment; what their own answer
 * brought takes a key a little sooner. A held-down key and the second half of a double click never count.
 */
import { all, isText } from './dom.js';
import { askOf } from './form.js';
import { tell, word } from './said.js';

/** How long a control is not to be used, in ms, by why it changed: new or moved, by click or by key. */
const WAITS = {
  theirs: { come: { click: 400, key: 400 }, moved: { click: 400, key: 400 } },
  answer: { come: { click: 400, key: 250 }, moved: { click: 400, key: 250 } },
  own: { come: { click: 0, key: 250 }, moved: { click: 0, key: 0 } },
};
const CONTROLS = '.ask-row form button, #card form :is(button, .opt, .line, a.leave)';
/** Less than this is no other place, in pixels. */
const NEAR = 4;

/** @typedef {{box: DOMRect, scrolled: number, click: number, key: number}} Place until when it takes no click and no key */
/** Where each control was last seen, by what it does. @type {Map<string, Place>} */
let places = new Map();
/** Answers of the person that are on their way. */
let answering = 0;
/** Is the script doing what the person has just asked of it? */
let acting = false;
let timer = 0;

/** What a control does, whichever element it is by now. @param {HTMLElement} control */
function nameOf(control) {
  const field = /** @type {HTMLInputElement | HTMLButtonElement} */ (control.matches('.opt, .line') ? control.querySelector('input') ?? control : control);
  return [askOf(control), control.closest('form')?.getAttribute('action'), control.className, field.name, field.value, control.dataset.step].join(' ');
}

/** @param {Place} was @param {DOMRect} box as it is now */
function isThere({ box: old, scrolled }, box) {
  // Whoever scrolls moves it themselves; what sticks to the window does not move with it.
  const down = [box.y - old.y, box.y + scrollY - old.y - scrolled];
  return Math.abs(box.x - old.x) < NEAR && down.some((by) => Math.abs(by) < NEAR);
}

/** Sees where everything is. @param {keyof typeof WAITS} why it may have changed */
function look(why) {
  const now = performance.now();
  const seen = new Map();
  let until = 0;
  for (const control of all(document, CONTROLS)) {
    const box = control.getBoundingClientRect();
    if (!box.width || control.matches(':disabled') || control.querySelector('input:disabled')) continue;
    const name = nameOf(control);
    const was = places.get(name);
    const place = { box, scrolled: scrollY, click: was?.click ?? 0, key: was?.key ?? 0 };
    if (!was || !isThere(was, box)) {
      const wait = WAITS[why][was ? 'moved' : 'come'];
      place.click = Math.max(place.click, now + wait.click);
      place.key = Math.max(place.key, now + wait.key);
    }
    until = Math.max(until, place.click, place.key);
    seen.set(name, place);
  }
  places = seen;
  if (until <= now) return;
  document.documentElement.dataset.changed = 'now';
  clearTimeout(timer);
  timer = setTimeout(() => delete document.documentElement.dataset.changed, until - now);
}

/** @param {HTMLElement[]} controls @param {'click' | 'key'} by @returns {boolean} is it too early for any of them? */
const isEarly = (controls, by) => controls.some((control) => (places.get(nameOf(control))?.[by] ?? 0) > performance.now());

/** @param {Event} event that counts for nothing @param {boolean} [early] */
function swallow(event, early = false) {
  event.preventDefault();
  event.stopImmediatePropagation();
  if (early) tell(word('justChanged'));
}

/** @param {MouseEvent} event */
function clicked(event) {
  const control = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(CONTROLS));
  // What the script clicks comes of a key that was looked at before.
  if (!control || !event.isTrusted) return;
  if (isEarly([control], event.detail ? 'click' : 'key')) swallow(event, true);
  else if (event.detail > 1 && control.matches('button:not([data-step=back])')) swallow(event);
}

/** The controls that a key is about: the one with the focus, its form's, or those of the card. @param {KeyboardEvent} event */
function meant({ key, target, ctrlKey, metaKey, altKey }) {
  const at = /** @type {HTMLElement} */ (target);
  const form = at.closest('form');
  if (key === 'Enter') {
    if (at instanceof HTMLTextAreaElement && !ctrlKey && !metaKey) return [];
    return at.matches('a, button') ? [at] : all(form, CONTROLS);
  }
  if (ctrlKey || metaKey || altKey || isText(at)) return [];
  if (key === ' ') return [/** @type {HTMLElement | null} */ (at.closest(CONTROLS))].flatMap((control) => control ?? []);
  if (key === 'u') return all(document, 'form.undo button');
  return /^[\dr]$/.test(key) ? all(document, '#card form :is(button, .opt)') : [];
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  const controls = event.isComposing ? [] : meant(event);
  if (!controls.length) return;
  if (event.repeat) swallow(event);
  else if (isEarly(controls, 'key')) swallow(event, true);
}

/** An answer is on its way: what changes meanwhile is the person's own doing. @template T @param {Promise<T>} sending @returns {Promise<T>} */
export async function answers(sending) {
  answering += 1;
  try {
    return await sending;
  } finally {
    // What is seen at the end of it belongs to it.
    look('answer');
    answering -= 1;
  }
}

export function begin() {
  look('own');
  delete document.documentElement.dataset.changed;
  places.forEach((place) => (place.key = 0));
  new MutationObserver(() => look(answering ? 'answer' : acting ? 'own' : 'theirs'))
    .observe(document.body, { childList: true, subtree: true, attributeFilter: ['hidden', 'disabled', 'class', 'open'] });
  const after = new MessageChannel();
  after.port1.onmessage = () => (acting = false);
  // Not `change`: a field that is taken away while it is being filled in has that too.
  for (const name of ['click', 'keydown', 'input']) {
    addEventListener(name, () => {
      acting = true;
      // After this event and all that it does at once.
      after.port2.postMessage(null);
      // The style alone shows and hides things too.
      requestAnimationFrame(() => look('own'));
    }, { capture: true });
  }
  addEventListener('click', clicked, { capture: true });
  addEventListener('keydown', pressed, { capture: true });
}
