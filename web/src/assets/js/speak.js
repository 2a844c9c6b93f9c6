/**
 * Questions read aloud and answers taken by voice, where the browser can and the person wants it.
 * A voice picks and writes; it never sends.
 */
import { all, button, one } from './dom.js';
import { fields, forms, labelOf } from './form.js';
import { marks } from './keys.js';
import { onPart } from './parts.js';
import { tell, word } from './said.js';

const Recognition = /** @type {any} */ (globalThis).SpeechRecognition ?? /** @type {any} */ (globalThis).webkitSpeechRecognition;
const lang = document.documentElement.lang;

/** @param {HTMLElement} question */
function reader(question) {
  const made = button('speak', 'readAloud', () => {
    const reading = speechSynthesis.speaking;
    speechSynthesis.cancel();
    if (reading) return;
    const texts = [one(question, 'legend')?.textContent, one(question, '.about')?.textContent, ...marks(question).map(labelOf)];
    const speech = new SpeechSynthesisUtterance(texts.filter(Boolean).join('. '));
    speech.lang = lang;
    speech.onstart = () => (made.textContent = word('readStop'));
    speech.onend = speech.onerror = () => (made.textContent = word('readAloud'));
    speechSynthesis.speak(speech);
  });
  return made;
}

/** @param {HTMLElement} question */
function listener(question) {
  /** @type {any} */
  let hearing = null;
  const made = button('dictate', 'dictate', () => {
    if (hearing) return hearing.stop();
    hearing = new Recognition();
    hearing.lang = lang;
    hearing.onresult = (/** @type {any} */ event) => take(question, event.results[0][0].transcript.trim());
    hearing.onerror = () => tell(word('dictateFailed'));
    hearing.onend = () => {
      hearing = null;
      made.textContent = word('dictate');
    };
    hearing.start();
    made.textContent = word('dictateStop');
  });
  return made;
}

/** Picks the choice that was named, else writes down what was said. @param {HTMLElement} question @param {string} text */
function take(question, text) {
  const plain = (/** @type {string} */ words) => words.toLocaleLowerCase(lang).replace(/[\s\p{P}]/gu, '');
  const mark = marks(question).find((mark) => mark.value && plain(labelOf(mark)) === plain(text));
  if (mark) {
    if (!mark.checked) mark.click();
    return tell(word('dictatePicked', { text: labelOf(mark) }));
  }
  const field = fields(question).find((field) => field.closest('fieldset') === question && /^(text|other):/.test(field.name));
  if (!field) return tell(word('dictateFailed'));
  field.value = [field.value, text].filter(Boolean).join(' ');
  field.dispatchEvent(new Event('input', { bubbles: true }));
  tell(word('dictateHeard', { text }));
}

export function begin() {
  if (document.body.dataset.speech !== 'on') return;
  onPart((root) => forms(root).flatMap((form) => all(form, 'fieldset.question')).forEach((question) => {
    const listens = Recognition && !one(question, '[data-secret]');
    const buttons = [globalThis.speechSynthesis && reader(question), listens && listener(question)];
    one(question, 'legend')?.after(...buttons.filter(Boolean));
  }));
}
