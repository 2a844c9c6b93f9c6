/**
 * Several questions, one at a time: which one is shown, how far it is, back and next. Without the
 * script they stand under one another, and nothing here decides what may be sent.
 */
import { forms, isTicked, fields } from './form.js';
import { button } from './kept.js';
import { onPart } from './parts.js';
import { say, word } from './said.js';

/** @param {HTMLFormElement} form @returns {HTMLElement[]} questions at the top, without those whose condition is not met */
function questions(form) {
  const all = /** @type {HTMLElement[]} */ ([...form.querySelectorAll('fieldset.question:not(.follow *)')]);
  return all.filter(({ dataset }) => {
    const marks = fields(form).filter((field) => field.name === `pick:${dataset.after}`);
    if (!dataset.after || !marks.length) return true;
    return marks.some((mark) => isTicked(mark) && (!dataset.afterChoice || mark.value === dataset.afterChoice));
  });
}

/** @param {HTMLFormElement} form @param {Element | undefined} current */
function draw(form, current) {
  const asked = questions(form);
  const at = Math.max(0, asked.findIndex((question) => question === current));
  for (const question of form.querySelectorAll('fieldset.question:not(.follow *)')) {
    /** @type {HTMLElement} */ (question).hidden = question !== asked[at];
    question.querySelector(':scope > .only-if, :scope > div > .only-if')?.remove();
  }
  const text = word('progress', { n: at + 1, all: asked.length });
  const progress = asked[at]?.querySelector('.progress');
  if (progress) progress.textContent = text;
  const show = (/** @type {string} */ selector, /** @type {boolean} */ visible) => {
    const found = /** @type {HTMLElement | null} */ (form.querySelector(selector));
    if (found) found.hidden = !visible;
  };
  show('[data-step=back]', at > 0);
  show('[data-step=next]', at < asked.length - 1);
  show('button[value=answer]', at === asked.length - 1);
  return text;
}

/** @param {HTMLFormElement} form */
const current = (form) => questions(form).find((question) => !question.hidden);

/** Goes to the next or the last question. @param {HTMLFormElement} form @param {number} by @returns {boolean} was there one? */
export function step(form, by) {
  const asked = questions(form);
  const next = form.dataset.steps && asked[asked.findIndex((question) => !question.hidden) + by];
  if (!next) return false;
  say(draw(form, next));
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Shows the question in which something is. @param {Element} inside */
export function stepTo(inside) {
  const form = inside.closest('form');
  if (form?.dataset.steps) draw(form, questions(form).find((question) => question.contains(inside)));
}

export function begin() {
  onPart((root) => {
    for (const form of forms(root).filter((form) => questions(form).length > 1)) {
      form.dataset.steps = 'on';
      const send = form.querySelector('button[value=answer]');
      for (const [name, by] of /** @type {const} */ ([['back', -1], ['next', 1]])) {
        const made = button(name, () => step(form, by));
        made.className = name;
        made.dataset.step = name;
        send?.before(made);
      }
      draw(form, form.querySelector('.fault')?.closest('fieldset.question:not(.follow *)') ?? undefined);
    }
  });
  document.addEventListener('change', (event) => {
    const form = /** @type {HTMLInputElement} */ (event.target).form;
    if (form?.dataset.steps) draw(form, current(form));
  });
}
