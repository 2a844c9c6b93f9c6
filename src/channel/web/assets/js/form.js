/**
 * One answer form as it stands: what is in it, what a person can read of it, and putting it back.
 */

/** Forms in which the person changed something since they were drawn. @type {WeakSet<HTMLFormElement>} */
export const touched = new WeakSet();

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/** @param {ParentNode} [root] @returns {HTMLFormElement[]} */
export const forms = (root = document) => [...root.querySelectorAll('form')].filter((form) => form.matches('.ask') && askOf(form));

/** @param {HTMLFormElement} form */
export const askOf = (form) => /** @type {HTMLElement | null} */ (form.closest('[data-ask]'))?.dataset.ask ?? '';

/** @param {HTMLFormElement} form @returns {Field[]} every field a person fills */
export const fields = (form) =>
  [...form.elements].filter((field) => field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
    .filter((field) => field.name && field.type !== 'hidden');

/** Is it a radio button or a check box? @param {unknown} at @returns {at is HTMLInputElement} */
export const isMark = (at) => at instanceof HTMLInputElement && ['radio', 'checkbox'].includes(at.type);

/** Is it a field to write in? @param {unknown} at */
export const takesText = (at) => at instanceof HTMLTextAreaElement || (at instanceof HTMLInputElement && !isMark(at));

/** @param {Field} field */
export const isTicked = (field) => isMark(field) && field.checked;

/** @param {HTMLFormElement} form */
export const secretsIn = (form) => fields(form).filter((field) => 'secret' in field.dataset);

/** What is sent. A draft leaves secrets out. @param {HTMLFormElement} form @param {boolean} [whole] */
export function entries(form, whole = false) {
  const secret = new Set(whole ? [] : secretsIn(form).map((field) => field.name));
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (!secret.has(name) && typeof value === 'string') body.append(name, value);
  }
  return body;
}

/** Puts entries back. @param {HTMLFormElement} form @param {URLSearchParams} body @param {Record<string, string>} [parked] */
export function fill(form, body, parked = {}) {
  for (const field of fields(form)) {
    if ('secret' in field.dataset) continue;
    const given = body.getAll(field.name);
    if (isMark(field)) field.checked = given.includes(field.value);
    else field.value = given[0] ?? '';
    if (parked[field.name] && !isMark(field) && !field.value) park(field, parked[field.name]);
    const folded = field.closest('details');
    if (folded && !isMark(field) && field.value) folded.open = true;
  }
}

/** What the person typed, secrets left out. @param {HTMLFormElement} form @returns {string[]} */
export const typed = (form) =>
  fields(form).filter((field) => takesText(field) && !('secret' in field.dataset))
    .map((field) => (field.value || field.dataset.parked || '').trim()).filter(Boolean);

/** The form as a person would write it down: each question with what was picked and typed. @param {HTMLFormElement} form */
export function readable(form) {
  /** @type {Map<Element | null, string[]>} */
  const answers = new Map();
  for (const field of fields(form)) {
    if ('secret' in field.dataset) continue;
    const text = takesText(field) ? (field.value || field.dataset.parked || '').trim() : isTicked(field) ? labelOf(field) : '';
    const question = field.closest('fieldset');
    if (text) answers.set(question, [...answers.get(question) ?? [], text]);
  }
  const asked = (/** @type {Element | null} */ question) => (question?.querySelector('.asked') ?? question?.querySelector('legend'))?.textContent?.trim() ?? '';
  return [...answers].map(([question, texts]) => `${asked(question)}\n${texts.join('\n')}`.trim()).join('\n\n');
}

/** The words of a choice, without its description and marks. @param {Element} field */
export function labelOf(field) {
  const what = field.closest('.opt')?.querySelector('.what')?.cloneNode(true);
  if (!(what instanceof Element)) return '';
  what.querySelectorAll('small, input, textarea').forEach((part) => part.remove());
  return what.textContent?.trim() ?? '';
}

/** Text that must not count is taken out of its field, stays visible, and comes back. @param {Field} field @param {string} text */
function park(field, text) {
  field.dataset.parked = text;
  field.dataset.hint ??= field.placeholder;
  field.placeholder = text;
  field.value = '';
}

/** @param {HTMLFormElement} form @returns {Record<string, string>} */
export const parkedIn = (form) =>
  Object.fromEntries(fields(form).filter((field) => field.dataset.parked && !field.value).map((field) => [field.name, field.dataset.parked ?? '']));

/** The text of "Other" counts while "Other" is picked, and typing it picks it. @param {Field} changed */
export function settleOther(changed) {
  const form = changed.form;
  const [kind, question] = [changed.name.split(':', 1)[0], changed.name.slice(changed.name.indexOf(':') + 1)];
  const text = form && fields(form).find((field) => field.name === `other:${question}`);
  if (!form || !text || !['pick', 'own', 'other'].includes(kind)) return;
  const mark = fields(form).find((field) => field.name === `own:${question}`)
    ?? fields(form).find((field) => field.name === `pick:${question}` && field.value === '');
  if (!(mark instanceof HTMLInputElement)) return;
  if (kind === 'other') {
    delete text.dataset.parked;
    text.placeholder = text.dataset.hint ?? text.placeholder;
    if (text.value) mark.checked = true;
  } else if (!mark.checked && text.value) {
    park(text, text.value);
  } else if (mark.checked && !text.value && text.dataset.parked) {
    text.value = text.dataset.parked;
    delete text.dataset.parked;
    text.placeholder = text.dataset.hint ?? '';
  }
}
