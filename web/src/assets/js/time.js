/**
 * Times that go on: ages and what is left, by one timer, and clock times in the person's own zone.
 */
import { all } from './dom.js';
import { onPart } from './parts.js';
import { say, word } from './said.js';

/** The person's own kind of the page's language: British hours on an English page. */
const lang = navigator.languages.find((own) => own.split('-')[0] === document.documentElement.lang.split('-')[0]) ?? document.documentElement.lang;
const today = new Intl.DateTimeFormat(lang, { timeStyle: 'short' });
const before = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });
/** From here on a deadline is a warning. */
const URGENT = 120000;
/** Deadlines of which it was said that they are near. */
const near = new Set();

/** How long ago it was. @param {number} ms */
function age(ms) {
  return ms < 60000 ? word('now') : word('ago', { length: length(ms / 1000) });
}

/** A length of time in its largest unit, as the server says it. @param {number} seconds */
function length(seconds) {
  if (seconds < 3600) return word('minutes', { n: Math.floor(seconds / 60) });
  return seconds < 172800 ? word('hours', { n: Math.floor(seconds / 3600) }) : word('days', { n: Math.floor(seconds / 86400) });
}

/** How long it is until then: `4:10`. @param {number} seconds */
function countdown(seconds) {
  if (seconds >= 172800) return length(seconds);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ n) => `${n}`.padStart(2, '0');
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/** What happens at a deadline, and how soon; near it, it warns. @param {HTMLElement} time @param {number} now */
function deadline(time, now) {
  const left = Number(time.dataset.until) - now;
  const text = left <= 0 ? word('timeIsUp') : (time.dataset.then ?? '').replace('{time}', countdown(Math.ceil(left / 1000)));
  if (text !== time.textContent) time.textContent = text;
  time.classList.toggle('urgent', left <= URGENT);
  if (left < 0 || left > URGENT || near.has(time.dataset.until) || !time.closest('#card')) return;
  near.add(time.dataset.until);
  say(text);
}

/** @param {ParentNode} root */
function tick(root) {
  const now = Date.now();
  for (const time of all(root, 'time.deadline')) deadline(time, now);
  for (const time of root.querySelectorAll('time')) {
    const at = Date.parse(time.dateTime);
    if (Number.isNaN(at)) continue;
    const as = time.dataset.as;
    const clock = new Date(at).toDateString() === new Date(now).toDateString() ? today : before;
    const text = as === 'age' ? age(now - at) : as === 'clock' ? clock.format(at) : '';
    if (text && text !== time.textContent) time.textContent = text;
  }
}

export function begin() {
  onPart(tick);
  setInterval(() => document.hidden || tick(document), 1000);
  document.addEventListener('visibilitychange', () => document.hidden || tick(document));
}
