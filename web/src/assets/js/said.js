/**
 * What the script says: the words the server put into the page, the hidden region that is read
 * aloud, and the visible line about the connection and about what just happened.
 */

/** @type {Record<string, string>} */
const words = JSON.parse(document.getElementById('words')?.dataset.words ?? '{}');
const said = document.getElementById('said');
const line = document.getElementById('line');
/** What stays on the line until it changes: the state of the connection. */
let standing = { state: '', text: '' };
let timer = 0;
// One region speaks, or everything on the line would be read twice.
line?.setAttribute('aria-live', 'off');
// It lies over the page: whoever wants to see what is under it takes it away.
line?.addEventListener('click', () => (line.hidden = true));

/**
 * @param {string} key
 * @param {Record<string, string | number>} [fill]
 */
export function word(key, fill = {}) {
  const pattern = (fill.n === 1 && words[`${key}One`]) || words[key] || key;
  return pattern.replace(/\{(\w+)\}/g, (_, name) => String(fill[name] ?? ''));
}

/** Has a screen reader read a text. @param {string} text */
export function say(text) {
  const sentence = document.createElement('p');
  sentence.textContent = text;
  said?.append(sentence);
  while (said && said.childElementCount > 3) said.firstElementChild?.remove();
}

/** Shows and says what just happened. @param {string} text */
export function tell(text) {
  say(text);
  draw('said', text);
  timer = setTimeout(() => draw(standing.state, standing.text), 8000);
}

/** Shows what stays true until it changes; an empty state is nothing to show. @param {string} state @param {string} [text] */
export function stand(state, text = '') {
  if (state === standing.state && text === standing.text) return;
  standing = { state, text };
  if (text) say(text);
  draw(state, text);
}

/** @param {string} state @param {string} text */
function draw(state, text) {
  clearTimeout(timer);
  if (!line) return;
  line.dataset.state = state;
  line.textContent = text;
  line.hidden = !text;
}
