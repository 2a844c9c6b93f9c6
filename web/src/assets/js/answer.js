/**
 * Sending an answer without leaving the page: what does not fit is shown where it stands, what met a
 * closed ask is kept, and what finds no connection waits for it.
 */
import { post, request, signOut } from './account.js';
import { goOn, refreshAsks } from './asks.js';
import { card, isHere, redraw } from './card.js';
import { all, make, one } from './dom.js';
import { drop, hold, noteBeside, release, saveForLater, show } from './draft.js';
import { askOf, entries, fields, forms, isSecret, readable } from './form.js';
import { answers } from './guard.js';
import { wait } from './offline.js';
import { say, tell, word } from './said.js';
import { stepTo } from './steps.js';

/** What each form does, by the end of its address. @type {Record<string, (form: HTMLFormElement, button: HTMLButtonElement | null) => Promise<unknown>>} */
const acts = {
  answer: (form, button) => (button?.value === 'save' ? saveForLater(form) : send(form, button)),
  undo: takeBack,
  cancel: leave,
  reopen: leave,
  'sign-out': signOut,
};

export function begin() {
  document.addEventListener('submit', (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const does = /^(?:\/asks\/[^/]+)?\/(answer|cancel|reopen|undo|sign-out)$/.exec(new URL(form.action).pathname);
    if (!does) return;
    event.preventDefault();
    if (form.ariaBusy) return;
    form.ariaBusy = 'true';
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    answers(acts[does[1]](form, button)).catch(() => fail(form, word('tryAgain'))).finally(() => (form.ariaBusy = null));
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
  // Before it is sent: that it ended may be heard sooner than the reply, and then the form is out of its row.
  const row = form.closest('.ask-row')?.id;
  hold(form);
  show(form, 'sending');
  const body = entries(form, true);
  if (button) body.set(button.name, button.value);
  // What waited to be sent is not sent beside it.
  const [response] = await Promise.all([post(form.action, body).catch(() => null), askuserQueue.drop(ask).catch(() => {})]);
  const told = await response?.json().catch(() => ({}));
  if (response?.ok) return sent(form, { ask, row, held: told.held });
  if (response?.status === 409) {
    const why = `${told.closed ?? word('endedElsewhere')} ${word('notSent')}`;
    if (isHere(ask)) await redraw({ lost: told.closed ?? '' });
    // If it is open after all, the reason belongs beside the new card's button: the old card no longer takes a press.
    fail(forms(card()).find((again) => askOf(again) === ask) ?? form, why);
    return refreshAsks();
  }
  release(form);
  if (response?.status === 422) return mark(form, told.faults ?? []);
  if (response) return fail(form, [429, 503].includes(response.status) ? word('busy') : told.message ?? word('tryAgain'));
  if (fields(form).some((field) => isSecret(field) && field.value)) return fail(form, word('secretOffline'));
  show(form, '');
  return wait(form, { ask, body: `${body}`, text: readable(form) || button?.textContent?.trim() || '' });
}

/**
 * @param {HTMLFormElement} form
 * @param {{ask: string, row?: string, held?: number | null}} what in which row of the list it was answered, and until when it can be taken back
 */
async function sent(form, { ask, row, held }) {
  // Taken back, what was written on its card before is the person's to go on with.
  if (!held) drop(ask);
  show(form, 'sent');
  if (held) say(word('held'));
  else tell(word('sent'));
  if (isHere(ask)) await redraw({ sent: true });
  await refreshAsks();
  if (row) goOn(document.getElementById(row));
}

/** Takes an answer back that was given by one press. @param {HTMLFormElement} form @param {HTMLButtonElement | null} button */
async function takeBack(form, button) {
  const ask = askOf(form);
  const body = entries(form);
  if (button) body.set(button.name, button.value);
  // Else the same answer would be given again from here.
  await askuserQueue.drop(ask).catch(() => {});
  const response = await post(form.action, body).catch(() => null);
  if (!response) return fail(form, word('noLine'));
  const told = await response.json().catch(() => ({}));
  tell(response.ok ? word('undone') : told.closed ?? told.message ?? word('tryAgain'));
  form.ariaBusy = null;
  if (isHere(ask)) await redraw();
  return refreshAsks();
}

/** Says why it did not work: aloud, on the line, and beside the button. @param {HTMLFormElement} form @param {string} text */
function fail(form, text) {
  tell(text);
  noteBeside(form, text, true);
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
  fail(form, word('faults', { n: faults.length }));
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
  if (!response) return fail(form, word('noLine'));
  if (!response.ok) return fail(form, word('tryAgain'));
  if (new URL(response.url).pathname !== location.pathname) return location.assign(response.url);
  forms(card()).forEach(hold);
  form.ariaBusy = null;
  await redraw();
  return refreshAsks();
}
