/**
 * Sending an answer without leaving the page: what does not fit is shown where it stands, what met a
 * closed ask is kept, and what finds no connection waits for it.
 */
import { post, request, signOut } from './account.js';
import { refreshAsks } from './asks.js';
import { card, isHere, redraw } from './card.js';
import { all, make, one } from './dom.js';
import { drop, hold, release, saveForLater, show } from './draft.js';
import { askOf, entries, fields, forms, isSecret, readable } from './form.js';
import { wait } from './offline.js';
import { tell, word } from './said.js';
import { stepTo } from './steps.js';

export function begin() {
  document.addEventListener('submit', (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const does = /^\/asks\/[^/]+\/(answer|cancel|reopen)$|^\/(sign-out)$/.exec(new URL(form.action).pathname);
    if (!does) return;
    event.preventDefault();
    if (form.ariaBusy) return;
    form.ariaBusy = 'true';
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    const act = does[2] ? signOut(form) : does[1] !== 'answer' ? leave(form) : button?.value === 'save' ? saveForLater(form) : send(form, button);
    act.catch(() => tell(word('tryAgain'))).finally(() => (form.ariaBusy = null));
  });
  document.addEventListener('input', ({ target }) => clear(/** @type {Element} */ (target).closest('fieldset')));
  document.addEventListener('click', ({ target, detail }) => requestAnimationFrame(() => {
    const at = /** @type {Element} */ (target);
    // What is picked by an arrow key keeps the focus, or the arrows would end there.
    const other = detail ? one(at.closest('.other'), ':scope:has(:checked) > textarea') : null;
    (at.closest('a.leave') ? one(document, '#decline textarea') : other)?.focus();
  }));
}

/** @param {HTMLFormElement} form @param {HTMLButtonElement | null} button a small ask in the list is answered by its button alone */
async function send(form, button) {
  const ask = askOf(form);
  hold(form);
  show(form, 'sending');
  const body = entries(form, true);
  if (button) body.set(button.name, button.value);
  const response = await post(form.action, body).catch(() => null);
  const told = await response?.json().catch(() => ({}));
  if (response?.ok) {
    drop(ask);
    tell(word('sent'));
    await askuserQueue.drop(ask).catch(() => {});
    if (isHere(ask)) await redraw({ sent: true });
    return refreshAsks();
  }
  if (response?.status === 409) {
    tell(`${told.closed ?? word('closedElsewhere')} ${word('notSent')}`);
    if (isHere(ask)) await redraw({ lost: told.closed ?? '' });
    return refreshAsks();
  }
  release(form);
  if (response?.status === 422) return mark(form, told.faults ?? []);
  if (response) return tell([429, 503].includes(response.status) ? word('busy') : told.message ?? word('tryAgain'));
  if (fields(form).some((field) => isSecret(field) && field.value)) return tell(word('secretOffline'));
  return wait(form, { ask, body: `${body}`, text: readable(form) || button?.textContent?.trim() || '' });
}

/** @param {HTMLFormElement} form @param {{question_id: string, message: string}[]} faults */
function mark(form, faults) {
  all(form, 'fieldset').forEach(clear);
  const questions = faults.map(({ question_id: id, message }) => {
    const question = one(form, `[data-question="${CSS.escape(id)}"]`);
    const fault = make('p', 'fault', message);
    fault.id = `fault-${question?.id}`;
    fault.setAttribute('role', 'alert');
    (one(question, 'legend') ?? one(form, 'fieldset'))?.after(fault);
    question?.setAttribute('aria-invalid', 'true');
    return question;
  });
  tell(word('faults'));
  const first = all(form, '[aria-invalid]').find((question) => questions.includes(question));
  if (!first) return;
  stepTo(first);
  one(first, 'input, textarea')?.focus();
}

/** @param {Element | null} question whose fault was seen to */
function clear(question) {
  question?.removeAttribute('aria-invalid');
  all(question, ':scope > .fault').forEach((fault) => fault.remove());
}

/** Says no, or has it asked anew: without a connection the page and its text stay. @param {HTMLFormElement} form */
async function leave(form) {
  const response = await request(form.action, { method: 'POST', body: entries(form) }).catch(() => null);
  if (!response) return tell(word('noLine'));
  if (!response.ok) return tell(word('tryAgain'));
  if (new URL(response.url).pathname !== location.pathname) return location.assign(response.url);
  forms(card()).forEach(hold);
  form.ariaBusy = null;
  await redraw();
  return refreshAsks();
}
