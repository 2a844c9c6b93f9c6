/**
 * Who else looks at the same ask, and who is writing. Said only while this page is looked at.
 */
import { post } from './account.js';
import { card } from './card.js';
import { make, one } from './dom.js';
import { say, word } from './said.js';

const EVERY = 15000;
const tab = Math.random().toString(36).slice(2);
let typedAt = 0;

/** @param {boolean} [gone] */
async function present(gone = false) {
  const here = card();
  if (here?.dataset.open !== 'true' || (document.hidden && !gone)) return;
  const typing = Date.now() - typedAt < EVERY ? '1' : '0';
  const body = new URLSearchParams({ tab, typing, name: document.body.dataset.name ?? '', gone: gone ? '1' : '0' });
  const response = await post(`/asks/${here.dataset.ask}/present`, body, { keepalive: gone }).catch(() => null);
  const told = response?.ok ? await response.json().catch(() => ({})) : {};
  if (told.others) show(here, told.others);
}

/** @param {HTMLElement} here @param {{name: string, typing: boolean}[]} others */
function show(here, others) {
  const text = others.map(({ name, typing }) => word(typing ? 'typing' : 'here', { name: name || word('somebody') })).join(' ');
  const place = one(here, '.others') ?? make('p', 'others');
  if (place.textContent === text) return;
  place.id = 'others';
  place.textContent = text;
  // At its end: it comes and goes, and moves nothing.
  if (!place.isConnected) here.append(place);
  if (text) say(text);
}

export function begin() {
  document.addEventListener('input', () => {
    const began = Date.now() - typedAt > EVERY;
    typedAt = Date.now();
    if (began) present();
  });
  document.addEventListener('visibilitychange', () => present());
  addEventListener('pagehide', () => present(true));
  setInterval(() => present(), EVERY);
  present();
}
