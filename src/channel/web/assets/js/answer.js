/**
 * Sending an answer without leaving the page: what does not fit is shown where it stands, what met a
 * closed ask is kept, and what finds no connection waits for it.
 */
import { post, request, signOut } from './account.js';
import { refreshAsks } from './asks.js';
import { card, isHere, redraw } from './card.js';
import { drop, hold, release, saveForLater } from './draft.js';
import { askOf, entries, forms, readable, secretsIn } from './form.js';
import { tell, word } from './said.js';
import { wait } from './offline.js';
import { stepTo } from './steps.js';

export function begin() {
  document.addEventListener('submit', (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const path = new URL(form.action).pathname;
    const does = /^\/asks\/[^/]+\/(answer|cancel|reopen)$|^\/(sign-out)$/.exec(path);
    if (!does) return;
    event.preventDefault();
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    const act = does[1] !== 'answer' ? leave(form, path) : button?.value === 'save' ? saveForLater(form) : send(form, button);
    act.catch(() => tell(word('tryAgain'))).finally(() => (form.ariaBusy = null));
  });
  document.addEventListener('input', (event) => clear(/** @type {Element} */ (event.target).closest('fieldset')));
}

/** @param {HTMLFormElement} form @param {HTMLButtonElement | null} button a small ask in the list is answered by its button alone */
async function send(form, button) {
  const ask = askOf(form);
  hold(form);
  const body = entries(form, true);
  if (button) body.set(button.name, button.value);
  /** @type {Response} */
  let response;
  try {
    response = await post(form.action, body);
  } catch {
    release(form);
    if (secretsIn(form).some((field) => field.value)) return tell(word('secretOffline'));
    return wait(form, { ask, body: `${body}`, text: readable(form) || button?.textContent?.trim() || '' });
  }
  const told = await response.json().catch(() => ({}));
  if (response.ok) {
    drop(ask);
    tell(word('sent'));
    await askuserQueue.drop(ask).catch(() => {});
  } else if (response.status === 409) {
    tell(`${told.closed ?? word('closedElsewhere')} ${word('notSent')}`);
  } else {
    release(form);
    if (response.status === 422) return show(form, told.faults ?? []);
    return tell([429, 503].includes(response.status) ? word('busy') : told.message ?? word('tryAgain'));
  }
  if (isHere(ask)) await redraw({ why: told.closed, always: response.status === 409 });
  return refreshAsks();
}

/** @param {HTMLFormElement} form @param {{question_id: string, message: string}[]} faults */
function show(form, faults) {
  form.querySelectorAll('fieldset').forEach(clear);
  let first = /** @type {HTMLElement | null} */ (null);
  for (const { question_id: id, message } of faults) {
    const question = /** @type {HTMLElement | null} */ (form.querySelector(`[data-question="${CSS.escape(id)}"]`));
    const fault = document.createElement('p');
    fault.className = 'fault';
    fault.id = `fault-${question?.id}`;
    fault.setAttribute('role', 'alert');
    fault.textContent = message;
    const legend = question?.querySelector('legend');
    if (legend) legend.after(fault);
    else form.prepend(fault);
    question?.setAttribute('aria-invalid', 'true');
    first ??= question;
  }
  tell(word('faults'));
  if (first) stepTo(first);
  /** @type {HTMLElement | null | undefined} */ (first?.querySelector('input, textarea'))?.focus();
}

/** @param {Element | null} question whose fault was seen to */
function clear(question) {
  question?.removeAttribute('aria-invalid');
  question?.querySelectorAll(':scope > .fault').forEach((fault) => fault.remove());
}

/** Cancels, asks anew, signs out: without a connection the page and its text stay. @param {HTMLFormElement} form @param {string} path */
async function leave(form, path) {
  if (path === '/sign-out') {
    const offline = await signOut(form, word('signOutOffline'));
    return offline && tell(offline);
  }
  const mine = forms(card() ?? undefined).at(0);
  const response = await request(form.action, { method: 'POST', body: entries(form) }).catch(() => null);
  if (!response) return tell(word('noLine'));
  if (!response.ok && response.status !== 409) return tell(word('tryAgain'));
  if (mine) hold(mine);
  if (new URL(response.url).pathname === location.pathname || response.status === 409) await redraw();
  else location.assign(response.url);
  return refreshAsks();
}
