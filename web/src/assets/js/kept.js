/**
 * Text of the person that could not be sent because the ask closed: shown, to be copied, until they
 * throw it away themselves. It outlives a reload.
 */
import { store } from './account.js';
import { all, button, make, one } from './dom.js';
import { tell, word } from './said.js';

/** @param {string} ask @param {string} text @param {string} [said] why it was not sent */
export function keep(ask, text, said = '') {
  if (text) store.set(`kept:${ask}`, { text, said });
  show();
}

/** Shows what is kept: on the page of an ask its own, on the inbox everything. */
export function show() {
  const card = one(document, '#card');
  const place = card ?? one(document, '#asks');
  all(document, '.kept[data-of]').forEach((old) => old.remove());
  for (const key of store.keys('kept:')) {
    const ask = key.slice('kept:'.length);
    if (!card || card.dataset.ask === ask) place?.before(section(ask, store.get(key)));
  }
}

/** @param {string} ask @param {{text: string, said: string}} kept */
function section(ask, { text, said }) {
  const words = make('pre', '', text);
  words.tabIndex = 0;
  const drop = button('drop', 'keptDrop', () => {
    store.drop(`kept:${ask}`);
    shown.remove();
    tell(word('keptDropped'));
  });
  const shown = make('section', 'kept', make('h2', '', word('keptTitle')), make('p', '', said), words,
    button('copy', 'keptCopy', () => copy(words)), ' ', drop);
  shown.dataset.of = ask;
  return shown;
}

/** @param {HTMLElement} words */
async function copy(words) {
  // Marked as well: where the clipboard is forbidden, the person's own key copies it.
  getSelection()?.selectAllChildren(words);
  const copied = await navigator.clipboard?.writeText(words.textContent ?? '').then(() => true, () => false);
  if (copied || document.execCommand('copy')) tell(word('keptCopied'));
}
