/**
 * Several questions, one at a time: which one is shown, how far it is, back and next. Without the
 * script they stand under one another, and nothing here decides what may be sent.
 */
import { all, button, isMark, one } from './dom.js';
import { askOf, fields, forms } from './form.js';
import { onPart } from './parts.js';
import { say, word } from './said.js';

const TOP = 'fieldset.question:not(.follow *)';
/** Where the person is, by ask: a card that is drawn anew stays there. @type {Map<string, string>} */
const places = new Map();

/** @param {HTMLFormElement} form @returns {HTMLElement[]} without those whose condition is not met */
const questions = (form) => all(form, TOP).filter(({ dataset: { after, afterChoice } }) => {
  const marks = after ? fields(form).filter(({ name }) => name === `pick:${after}`) : [];
  return !marks.length || marks.some((mark) => isMark(mark) && mark.checked && (!afterChoice || mark.value === afterChoice));
});

/** @param {HTMLFormElement} form @param {Element | null | undefined} current @returns {string} how far it is */
function draw(form, current) {
  const asked = questions(form);
  const at = Math.max(0, asked.findIndex((question) => question === current));
  all(form, TOP).forEach((question) => (question.hidden = question !== asked[at]));
  places.set(askOf(form), asked[at].id);
  const progress = one(asked[at], '.progress');
  const text = word('progress', { n: at + 1, all: asked.length });
  if (progress) progress.textContent = text;
  all(form, '[data-step=back]').forEach((back) => (back.hidden = at === 0));
  all(form, '[data-step=next]').forEach((next) => (next.hidden = at === asked.length - 1));
  all(form, 'button[value=answer]').forEach((send) => (send.hidden = at < asked.length - 1));
  return text;
}

/** Goes to the next or the last question. @param {HTMLFormElement} form @param {number} by @returns {boolean} was there one? */
export function step(form, by) {
  const asked = questions(form);
  const next = form.dataset.steps && asked[asked.findIndex(({ hidden }) => !hidden) + by];
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
  if (form?.dataset.steps) draw(form, all(form, TOP).find((question) => question.contains(inside)));
}

export function begin() {
  onPart((root) => {
    for (const form of forms(root).filter((form) => all(form, TOP).length > 1)) {
      form.dataset.steps = 'on';
      const [back, next] = [button('back', 'back', () => step(form, -1)), button('next', 'next', () => step(form, 1))];
      [back.dataset.step, next.dataset.step] = ['back', 'next'];
      one(form, 'button[value=answer]')?.before(back, next);
      const place = one(form, `#${CSS.escape(places.get(askOf(form)) ?? '-')}`);
      draw(form, one(form, 'fieldset .fault')?.closest(TOP) ?? place);
    }
  });
  document.addEventListener('change', ({ target }) => {
    const form = /** @type {Element} */ (target).closest('form');
    if (form?.dataset.steps) draw(form, all(form, TOP).find(({ hidden }) => !hidden));
  });
}
