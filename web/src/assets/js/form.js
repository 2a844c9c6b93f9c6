/**
 * One answer form as it stands: what is in it, what a person can read of it, and putting it back.
 *
 * @typedef {import('./dom.js').Field} Field
 */
import { all, isMark, isText, one } from './dom.js';

/** Forms in which the person changed something since they were drawn. @type {WeakSet<HTMLFormElement>} */
export const touched = new WeakSet();

/** @param {ParentNode | null} [root] */
export const forms = (root = document) => /** @type {HTMLFormElement[]} */ (all(root, '[data-ask] form.ask'));

/** @param {Element} inside the ask that something belongs to */
export const askOf = (inside) => /** @type {HTMLElement | null} */ (inside.closest('[data-ask]'))?.dataset.ask ?? '';

/** @param {ParentNode | null} root @returns {Field[]} what a person fills */
export const fields = (root) => /** @type {Field[]} */ (all(root, 'input[name]:not([type=hidden]), textarea[name]'));

/** @param {Field} field */
export const isSecret = (field) => 'secret' in field.dataset;

/** @param {Field} field */
const written = (field) => (isText(field) && !isSecret(field) ? field.value.trim() : '');

/** What is sent. A draft leaves secrets out. @param {HTMLFormElement} form @param {boolean} [whole] */
export function entries(form, whole = false) {
  const secret = new Set(whole ? [] : fields(form).filter(isSecret).map(({ name }) => name));
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (!secret.has(name) && typeof value === 'string') body.append(name, value);
  }
  return body;
}

/** Puts entries back. @param {HTMLFormElement} form @param {URLSearchParams} body */
export function fill(form, body) {
  for (const field of fields(form).filter((field) => !isSecret(field))) {
    const given = body.getAll(field.name);
    if (isMark(field)) field.checked = given.includes(field.value);
    else field.value = given[0] ?? '';
    const folded = field.closest('details');
    if (folded && isText(field) && field.value) folded.open = true;
  }
}

/** What the person typed, secrets left out. @param {ParentNode} root */
export const typed = (root) => fields(root).map(written).filter(Boolean);

/** What a person would write down: each question with what was picked and typed. @param {ParentNode} root */
export function readable(root) {
  /** @type {Map<string, string[]>} */
  const answers = new Map();
  for (const field of fields(root)) {
    const question = field.closest('fieldset') ?? field.closest('label');
    const asked = (one(question, '.asked') ?? one(question, 'legend') ?? question)?.textContent?.trim() ?? '';
    const text = isMark(field) && field.checked ? labelOf(field) : written(field);
    if (text) answers.set(asked, [...answers.get(asked) ?? [], text]);
  }
  return [...answers].map(([asked, texts]) => [asked, ...texts].join('\n')).join('\n\n');
}

/** The words of a choice, without its description. @param {Element} mark */
export const labelOf = (mark) =>
  [...one(mark.closest('.opt'), '.what')?.childNodes ?? []].filter((node) => node.nodeName !== 'SMALL').map((node) => node.textContent).join('').trim();
