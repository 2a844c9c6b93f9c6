/**
 * Questions read aloud and answers taken by voice, where the browser can and the person wants it.
 * A voice picks and writes; it never sends.
 */
import { forms, labelOf, takesText } from './form.js';
import { marks } from './keys.js';
import { button } from './kept.js';
import { onPart } from './parts.js';
import { tell, word } from './said.js';

const Recognition = /** @type {any} */ (globalThis).SpeechRecognition ?? /** @type {any} */ (globalThis).webkitSpeechRecognition;
const lang = document.documentElement.lang;

/** @param {HTMLElement} question */
function reader(question) {
  const made = button('readAloud', () => {
    const reading = speechSynthesis.speaking;
    speechSynthesis.cancel();
    if (reading) return;
    const texts = [question.querySelector('legend')?.textContent, question.querySelector('.about')?.textContent, ...marks(question).map(labelOf)];
    const speech = new SpeechSynthesisUtterance(texts.filter(Boolean).join('. '));
    speech.lang = lang;
    speech.onstart = () => (made.textContent = word('readStop'));
    speech.onend = speech.onerror = () => (made.textContent = word('readAloud'));
    speechSynthesis.speak(speech);
  });
  made.className = 'speak';
  return made;
}

/** @param {HTMLElement} question */
function listener(question) {
  /** @type {any} */
  let hearing = null;
  const made = button('dictate', () => {
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
  made.className = 'dictate';
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
  const all = /** @type {HTMLInputElement[]} */ ([...question.querySelectorAll('textarea, input')]);
  const field = all.find((field) => takesText(field) && field.closest('fieldset') === question && /^(text|other):/.test(field.name));
  if (!field) return tell(word('dictateFailed'));
  field.value = [field.value, text].filter(Boolean).join(' ');
  field.dispatchEvent(new Event('input', { bubbles: true }));
  tell(word('dictateHeard', { text }));
}

export function begin() {
  if (document.body.dataset.speech !== 'on') return;
  onPart((root) => {
    for (const question of forms(root).flatMap((form) => /** @type {HTMLElement[]} */ ([...form.querySelectorAll('fieldset.question')]))) {
      const buttons = [globalThis.speechSynthesis && reader(question)];
      if (Recognition && !question.querySelector('[data-secret]')) buttons.push(listener(question));
      question.querySelector('legend')?.after(...buttons.filter(Boolean));
    }
  });
}
