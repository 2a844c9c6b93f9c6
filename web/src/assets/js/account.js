/**
 * Whose page this is, what is kept for them in this browser, and how all of it goes away.
 *
 * Every request of the script goes through `request`, so that being signed out is never missed.
 */
import './queue.js';
import { tell, word } from './said.js';
import { measured, silence } from './timings.js';

const PREFIX = 'askuser:';
const user = document.body.dataset.user ?? '';
let out = false;

/** Texts kept in this browser. A full or forbidden storage costs the copy, never the page. */
export const store = {
  /** @param {string} key @returns {any} */
  get(key) {
    try {
      return JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null');
    } catch {
      return null;
    }
  },
  /** @param {string} key @param {unknown} value */
  set(key, value) {
    try {
      // Nothing is written any more by a page that is on its way out.
      if (!out) localStorage.setItem(PREFIX + key, JSON.stringify(value));
    } catch { /* the server has the sheet */ }
  },
  /** @param {string} key */
  drop(key) {
    try {
      localStorage.removeItem(PREFIX + key);
    } catch { /* nothing was kept */ }
  },
  /** @param {string} [start] @returns {string[]} */
  keys(start = '') {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + start)).map((key) => key.slice(PREFIX.length));
    } catch {
      return [];
    }
  },
};

/** Deletes everything that this browser keeps for the person. */
export async function forget() {
  store.keys().forEach(store.drop);
  await askuserQueue.forget().catch(() => {});
  const names = await globalThis.caches?.keys().catch(() => []) ?? [];
  await Promise.all(names.map((name) => caches.delete(name)));
  const worker = await navigator.serviceWorker?.getRegistration();
  (await worker?.getNotifications() ?? []).forEach((note) => note.close());
  await (await told())?.unsubscribe().catch(() => {});
}

/** What this browser is told by, if it asked for it. */
async function told() {
  const worker = await navigator.serviceWorker?.getRegistration();
  return worker?.pushManager?.getSubscription().catch(() => null);
}

/** Leaves: nothing stays behind, and the other tabs leave too. */
export async function signedOut() {
  if (out) return;
  out = true;
  silence();
  document.querySelector('main')?.replaceChildren();
  globalThis.BroadcastChannel && new BroadcastChannel('askuser-out').postMessage('out');
  await forget().catch(() => {});
  location.replace('/sign-in');
}

/**
 * @param {string} url
 * @param {RequestInit} [init]
 * @returns {Promise<Response>} throws where there is no connection, and for ever silent where signed out
 */
export async function request(url, init = {}) {
  const response = await measured(url, init.method, () => fetch(url, { signal: AbortSignal.timeout(20000), ...init }));
  if (response.status === 401) {
    await signedOut();
    return new Promise(() => {});
  }
  return response;
}

/** @param {string} url @param {URLSearchParams} body @param {RequestInit} [init] */
export function post(url, body, init = {}) {
  return request(url, { method: 'POST', body, headers: { accept: 'application/json' }, ...init });
}

/** Is somebody signed in here? Where it is somebody else than before, what was kept is deleted. */
export async function begin() {
  if ((store.get('user') ?? '') !== user) await forget().catch(() => {});
  if (!user) return false;
  store.set('user', user);
  if (globalThis.BroadcastChannel) new BroadcastChannel('askuser-out').onmessage = () => signedOut();
  return true;
}

/** Without a connection at least nothing stays on this device. @param {HTMLFormElement} form */
export async function signOut(form) {
  // As long as the desk knows whose it is.
  const endpoint = (await told().catch(() => null))?.endpoint;
  if (endpoint) await fetch('/api/push/forget', { method: 'POST', body: JSON.stringify({ endpoint }) }).catch(() => {});
  // Another tab may hear of it first and take this one along: the cookie goes all the same.
  const init = { method: 'POST', redirect: /** @type {const} */ ('manual'), keepalive: true };
  if (await fetch(form.action, init).catch(() => null)) return signedOut();
  await forget();
  return tell(word('signOutOffline'));
}
