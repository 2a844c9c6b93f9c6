/**
 * “Notify me on this device”: the browser is asked on the click and never before, and what it says is
 * handed to the desk.
 */
import { request } from './account.js';
import { all, one } from './dom.js';

const device = document.getElementById('device');

/** @param {string} state */
function show(state) {
  all(device, '[data-state]').forEach((said) => (said.hidden = said.dataset.state !== state));
  all(device, '[data-at]').forEach((button) => (button.hidden = !button.dataset.at?.split(' ').includes(state)));
}

const subscription = async () => (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();

/** The desk's key, as the browser takes it. */
async function key() {
  const { key } = await (await request('/api/push')).json();
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** @param {string} path @param {object} body */
async function send(path, body) {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const response = await request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${response.status}`);
}

/** How it stands with this device. */
async function standing() {
  if (!isSecureContext) return 'insecure';
  if (!navigator.serviceWorker || !globalThis.PushManager || !globalThis.Notification) return 'unable';
  if (Notification.permission === 'denied') return 'denied';
  const made = Notification.permission === 'granted' && await subscription();
  if (!made) return 'off';
  // Of another desk's key, as after a move to a new folder: nothing would come.
  const known = new Uint8Array(made.options?.applicationServerKey ?? new ArrayBuffer(0)).join();
  return known && known !== (await key()).join() ? 'off' : 'on';
}

async function subscribe() {
  if (await Notification.requestPermission() !== 'granted') return standing();
  await (await subscription())?.unsubscribe();
  const { pushManager } = await navigator.serviceWorker.ready;
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: await key() });
  await send('/api/push', { ...made.toJSON(), language: document.documentElement.lang });
  return 'on';
}

async function unsubscribe() {
  const made = await subscription();
  if (made) await send('/api/push/forget', { endpoint: made.endpoint });
  await made?.unsubscribe();
  return 'off';
}

/** @param {() => Promise<string>} act */
const run = (act) => act().catch(() => 'failed').then(show);

export function begin() {
  if (!device) return;
  device.hidden = false;
  one(device, '#device-on')?.addEventListener('click', () => run(subscribe));
  one(device, '#device-off')?.addEventListener('click', () => run(unsubscribe));
  run(standing);
}
