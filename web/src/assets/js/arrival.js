/**
 * A new ask makes itself noticed: said on every page, and where nobody looks at one, by a sound and
 * a notification if the person switched them on.
 */
import { store } from './account.js';
import { say, tell, word } from './said.js';

/** What is known of asks that wait for their turn. @type {Map<string, {agent: string, title: string}>} */
const known = new Map();
const { sound, notify } = document.body.dataset;

/** @param {string} name @param {any} data @param {boolean} leads only one tab of the browser makes a noise */
export function arrived(name, data, leads) {
  // Somebody else is asked: nothing that this person need look at.
  if (data.for_you === false) return;
  if (name === 'asked') {
    const first = data.ask?.questions?.[0] ?? {};
    known.set(data.ask_id, { agent: data.ask?.asker?.agent ?? '', title: first.header ?? first.question_text ?? first.question ?? '' });
  }
  if (name === 'ask_user_response') withdraw(data.ask_id);
  const isNew = name === 'escalated' && !document.getElementById(`row-${data.ask_id}`);
  if (name !== 'shown' && !isNew) return;
  const about = known.get(data.ask_id);
  known.delete(data.ask_id);
  const text = about?.title && about.agent ? word('arrived', about) : word('arrivedPlain');
  say(text);
  if (!leads || isLookedAt()) return;
  if (sound === 'on') ring();
  if (notify === 'on') announce(data.ask_id, text);
}

/** Does the person look at a tab of ours? */
const isLookedAt = () => !document.hidden || Date.now() - (store.get('looked') ?? 0) < 3000;

/** @param {string} ask @param {string} text */
async function announce(ask, text) {
  if (globalThis.Notification?.permission !== 'granted') return;
  const worker = await navigator.serviceWorker?.getRegistration();
  await worker?.showNotification('askuser', { body: text, tag: ask, icon: '/icon.svg', data: `/asks/${ask}`, lang: document.documentElement.lang });
}

/** @param {string} ask which nobody needs to look at any more */
async function withdraw(ask) {
  const worker = await navigator.serviceWorker?.getRegistration();
  (await worker?.getNotifications({ tag: ask }) ?? []).forEach((note) => note.close());
}

function ring() {
  const audio = new AudioContext();
  const tone = new OscillatorNode(audio, { frequency: 660 });
  const volume = new GainNode(audio, { gain: 0.15 });
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => audio.close();
  tone.start();
  tone.stop(audio.currentTime + 0.4);
}

export function begin() {
  setInterval(() => document.hidden || store.set('looked', Date.now()), 2000);
  document.addEventListener('change', async ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'notifications' || !target.checked) return;
    const answer = await globalThis.Notification?.requestPermission();
    tell(word(answer === 'granted' ? 'notifyAllowed' : 'notifyDenied'));
  });
}
