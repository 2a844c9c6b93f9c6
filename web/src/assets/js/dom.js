/**
 * Finding and making elements: the few short forms that every other file uses.
 */
import { word } from './said.js';

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/** @param {ParentNode | null | undefined} root @param {string} selector @returns {HTMLElement | null} */
export const one = (root, selector) => root?.querySelector(selector) ?? null;

/** @param {ParentNode | null | undefined} root @param {string} selector @returns {HTMLElement[]} */
export const all = (root, selector) => [.../** @type {NodeListOf<HTMLElement>} */ (root?.querySelectorAll(selector) ?? [])];

/** @param {string} tag @param {string} name its class @param {...(Node | string)} inside */
export function make(tag, name, ...inside) {
  const made = document.createElement(tag);
  made.className = name;
  made.append(...inside);
  return made;
}

/** @param {string} name its class @param {string} key the word on it @param {() => unknown} act */
export function button(name, key, act) {
  const made = make('button', name, word(key));
  made.setAttribute('type', 'button');
  made.addEventListener('click', act);
  return made;
}

/** Is it a radio button or a check box? @param {unknown} at @returns {at is HTMLInputElement} */
export const isMark = (at) => at instanceof HTMLInputElement && ['radio', 'checkbox'].includes(at.type);

/** Is it a field to write in? @param {unknown} at @returns {at is Field} */
export const isText = (at) => at instanceof HTMLTextAreaElement || (at instanceof HTMLInputElement && !['radio', 'checkbox'].includes(at.type));
