/**
 * Everything by keyboard. Nothing is done inside a text field but Enter and Esc, and nothing at all
 * while an input method composes.
 */
import { moveRow } from './asks.js';
import { all, isText, one } from './dom.js';
import { forms } from './form.js';
import { step } from './steps.js';
import { undo } from './undo.js';

const sheet = /** @type {HTMLDialogElement | null} */ (document.getElementById('keys'));

/** The question that keys are about: the one with the focus, else the first one that is shown. */
const question = () => document.activeElement?.closest('fieldset.question') ?? one(document, 'form.ask fieldset.question:not([hidden])');

/** @param {Element | null} of @returns {HTMLInputElement[]} its own choices, without those of follow-ups */
export const marks = (of) => /** @type {HTMLInputElement[]} */ (all(of, '.opt > input')).filter((mark) => mark.closest('fieldset') === of);

export function begin() {
  document.addEventListener('keydown', (event) => {
    // Safari ends a composition with a key that only its code gives away.
    const composing = event.isComposing || event.keyCode === 229;
    if (composing) {
      if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
      return;
    }
    if (sheet?.open || event.defaultPrevented) return;
    const done = event.key === 'Enter' ? enter(event) : other(event);
    if (done) event.preventDefault();
  });
  const shown = document.getElementById('show-keys');
  shown?.removeAttribute('hidden');
  shown?.addEventListener('click', () => sheet?.showModal());
}

/** @param {KeyboardEvent} event @returns {boolean} was it for us? */
function enter(event) {
  const field = event.target;
  const form = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.form : null;
  if (!form || !forms().includes(form)) return false;
  const send = one(form, 'button[value=answer]');
  if (event.ctrlKey || event.metaKey) {
    form.requestSubmit(send);
    return true;
  }
  if (field instanceof HTMLTextAreaElement) return false;
  if (step(form, 1)) return true;
  // One field of several is not the whole answer: Enter goes on to the button, and there it sends.
  if (isText(field) && all(form, 'fieldset.question').length > 1) send?.focus();
  else form.requestSubmit(send);
  return true;
}

/** @param {KeyboardEvent} event @returns {boolean} was it for us? */
function other(event) {
  if (event.ctrlKey || event.metaKey || event.repeat) return false;
  // In a text field letters are text: there it is Alt and the same key, as in the terminal.
  if (event.altKey) return event.code === 'KeyM' && document.body.dataset.keys !== 'off' && note();
  return press(event);
}

/** @param {KeyboardEvent} event @returns {boolean} was it for us? */
function press({ key, target }) {
  const at = /** @type {HTMLElement} */ (target);
  if (key === 'Escape') {
    if (at !== document.body) at.blur();
    else if (document.body.dataset.page === 'ask') location.assign('/');
    return true;
  }
  if (isText(target) || at.isContentEditable || at instanceof HTMLSelectElement) return false;
  if (key === 'ArrowDown' || key === 'ArrowUp') return arrow(at, key === 'ArrowDown' ? 1 : -1);
  if (document.body.dataset.keys === 'off') return false;
  if (key === '?') sheet?.showModal();
  else if (key === 'j') moveRow(1);
  else if (key === 'k') moveRow(-1);
  else if (key === 'r') return again();
  else if (key === 'u') return undo();
  else if (key === 'm') return note();
  else if (key === 'y' || key === 'n') return yesOrNo(key === 'y' ? 'yes' : 'no');
  else return /^\d$/.test(key) && pick(key);
  return true;
}

/** Radio buttons move by themselves; check boxes, and coming from outside, do not. @param {HTMLElement} at @param {number} by */
function arrow(at, by) {
  const all = marks(question());
  const here = all.findIndex((mark) => mark === at);
  if (!all.length || (here < 0 && at !== document.body) || all[here]?.type === 'radio') return false;
  all[(here + by + all.length) % all.length].focus();
  return true;
}

/** The last answer to the same questions, onto the sheet: to be looked over, and sent as any other. */
function again() {
  const button = document.getElementById('again');
  button?.click();
  return button !== null;
}

/** Opens the note of the question and goes into it. */
function note() {
  const details = /** @type {HTMLDetailsElement[]} */ (all(question(), 'details.note-field')).find((details) => details.closest('fieldset') === question());
  if (!details) return false;
  details.open = true;
  one(details, 'textarea')?.focus();
  return true;
}

/** @param {string} value of the choice, where the question is a yes or no */
function yesOrNo(value) {
  const of = question();
  if (!(of instanceof HTMLElement) || of.dataset.kind !== 'yesno') return false;
  const mark = marks(of).find((mark) => mark.value === value);
  mark?.focus();
  if (mark && !mark.checked) mark.click();
  return mark !== undefined;
}

/** @param {string} key the number beside a choice */
function pick(key) {
  const mark = marks(question()).find((mark) => one(mark.closest('.opt'), 'kbd')?.textContent === key);
  if (!mark) return false;
  mark.focus();
  if (mark.type === 'checkbox' || !mark.checked) mark.click();
  if (mark.checked) all(mark.closest('.other'), 'textarea, input').find(isText)?.focus();
  return true;
}
