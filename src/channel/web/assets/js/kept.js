/**
 * Text of the person that could not be sent because the ask closed: shown, to be copied, until they
 * throw it away themselves. It outlives a reload.
 */
import { store } from './account.js';
import { tell, word } from './said.js';

/** @param {string} ask @param {string} text @param {string} [said] why it was not sent */
export function keep(ask, text, said = '') {
  if (text) store.set(`kept:${ask}`, { text, said });
  show();
}

/** Shows what is kept: on the page of an ask its own, on the inbox everything. */
export function show() {
  const here = /** @type {HTMLElement | null} */ (document.querySelector('#card'))?.dataset.ask;
  document.querySelectorAll('.kept').forEach((old) => old.remove());
  for (const key of store.keys('kept:')) {
    const ask = key.slice('kept:'.length);
    const kept = store.get(key);
    if (!kept || (here ? here !== ask : document.body.dataset.page !== 'inbox')) continue;
    const place = document.querySelector('#card') ?? document.querySelector('main')?.firstElementChild;
    place?.before(section(ask, kept.text, kept.said));
  }
}

/** @param {string} ask @param {string} text @param {string} said */
function section(ask, text, said) {
  const kept = document.createElement('section');
  kept.className = 'kept';
  const title = document.createElement('h2');
  title.textContent = word('keptTitle');
  const why = document.createElement('p');
  why.textContent = said;
  const words = document.createElement('pre');
  words.textContent = text;
  words.tabIndex = 0;
  kept.append(title, why, words, button('keptCopy', () => copy(words)), ' ', button('keptDrop', () => {
    store.drop(`kept:${ask}`);
    kept.remove();
    tell(word('keptDropped'));
  }));
  return kept;
}

/** @param {string} key the word on it @param {() => void} act */
export function button(key, act) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = word(key);
  made.addEventListener('click', act);
  return made;
}

/** @param {HTMLElement} words */
async function copy(words) {
  // Marked as well: where the clipboard is forbidden, the person's own key copies it.
  getSelection()?.selectAllChildren(words);
  const done = await navigator.clipboard?.writeText(words.textContent ?? '').then(() => true, () => false) || document.execCommand('copy');
  if (done) tell(word('keptCopied'));
}
