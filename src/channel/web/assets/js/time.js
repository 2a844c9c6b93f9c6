/**
 * Times that go on: ages and what is left, by one timer, and clock times in the person's own zone.
 */
import { onPart } from './parts.js';
import { say, word } from './said.js';

/** The person's own kind of the page's language: British hours on an English page. */
const lang = navigator.languages.find((own) => own.split('-')[0] === document.documentElement.lang.split('-')[0]) ?? document.documentElement.lang;
const today = new Intl.DateTimeFormat(lang, { timeStyle: 'short' });
const before = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });
/** Deadlines of which it was said that they are near. */
const near = new Set();

/** @param {number} ms */
function age(ms) {
  const minutes = Math.floor(ms / 60000);
  if (minutes < 1) return word('ageNow');
  if (minutes < 60) return word('ageMinutes', { n: minutes });
  return minutes < 2880 ? word('ageHours', { n: Math.floor(minutes / 60) }) : word('ageDays', { n: Math.floor(minutes / 1440) });
}

/** @param {number} ms */
function left(ms) {
  const seconds = Math.floor(ms / 1000);
  if (seconds <= 0) return word('leftOver');
  if (seconds >= 172800) return word('leftDays', { n: Math.floor(seconds / 86400) });
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ n) => `${n}`.padStart(2, '0');
  return word('leftTime', { time: `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}` });
}

/** @param {ParentNode} root */
function tick(root) {
  const now = Date.now();
  for (const time of root.querySelectorAll('time')) {
    const at = Date.parse(time.dateTime);
    if (Number.isNaN(at)) continue;
    const as = time.dataset.as;
    const clock = new Date(at).toDateString() === new Date(now).toDateString() ? today : before;
    const text = as === 'age' ? age(now - at) : as === 'left' ? left(at - now) : as === 'clock' ? clock.format(at) : '';
    if (text && text !== time.textContent) time.textContent = text;
    if (as !== 'left' || !time.closest('#card') || near.has(at) || at < now || at - now > 60000) continue;
    near.add(at);
    say(word('leftMinute'));
  }
}

export function begin() {
  onPart(tick);
  setInterval(() => document.hidden || tick(document), 1000);
  document.addEventListener('visibilitychange', () => document.hidden || tick(document));
}
