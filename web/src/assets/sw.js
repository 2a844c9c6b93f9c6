/**
 * The service worker: the page's files, the last inbox and the asks that were looked at, for when
 * there is no line; and the answers that waited for it. Signed out, nothing of it is left.
 */
const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const PAGES = 'askuser-pages';
const FILES = 'askuser-files';
const PAGES_MAX = 60;
const PATIENCE = 8000;
/** How long it is said how an ask ended. */
const NOTICE = 4000;
/** Where this version's files are; the page says so when it registers. */
const folder = new URL(scope.location.href).searchParams.get('assets') ?? '';
if (/^\/assets\/\w+\/$/.test(folder)) scope.importScripts(`${folder}queue.js`);

scope.addEventListener('install', (/** @type {any} */ event) => {
  // What a page sends as it closes is lost where it must first ask a worker that it takes along.
  event.addRoutes?.({ condition: { requestMethod: 'POST' }, source: 'network' });
  scope.skipWaiting();
});
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));

scope.addEventListener('message', (event) => {
  // Claimed once more: a page that was just being opened may have been missed.
  if (Array.isArray(event.data?.keep)) event.waitUntil(scope.clients.claim().then(() => keep(event.data.keep)));
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== scope.location.origin) return;
  if (isFile(url)) event.respondWith(file(request));
  else if (request.mode === 'navigate') event.respondWith(page(event, url));
});

// An answer that waited is sent also where no page is open any more.
scope.addEventListener('sync', (/** @type {any} */ event) => {
  if (event.tag === 'askuser-answers') event.waitUntil(send());
});

// What the desk says to a device that nobody looks at: somebody asks, or it is over.
scope.addEventListener('push', (event) => event.waitUntil(told(event.data)));

// The browser has moved; the desk must know where to.
scope.addEventListener('pushsubscriptionchange', (/** @type {any} */ event) => event.waitUntil(moved(event)));

scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

/** @param {URL} url */
const isFile = (url) => /^\/(assets\/|icon\.svg$|manifest\.webmanifest$)/.test(url.pathname);

/** Pages that are worth having without a line. @param {URL} url */
const isKept = (url) => !url.search && /^\/(asks\/[^/]+)?$/.test(url.pathname);

/** A file's address changes with it, so the one that was kept is the right one. @param {Request} request */
async function file(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await put(FILES, request, response.clone());
  return response;
}

/** The page as it is now; as it was only where nothing comes. @param {FetchEvent} event @param {URL} url */
async function page(event, url) {
  const kept = await caches.match(url.pathname);
  const fetched = fetch(event.request).then(async (response) => {
    if (response.status === 401) await forget();
    // Kept beside, not before: nobody waits for it.
    else if (response.ok && !response.redirected && isKept(url)) event.waitUntil(put(PAGES, url.pathname, response.clone()));
    return response;
  });
  const late = new Promise((resolve) => kept && setTimeout(resolve, PATIENCE));
  try {
    return await Promise.race([fetched, late.then(() => { throw new Error('late'); })]);
  } catch {
    if (kept) return kept;
    if (url.pathname !== '/' && await caches.match('/')) return Response.redirect('/');
    return fetched;
  }
}

/** @param {string} name @param {RequestInfo} request @param {Response} response */
async function put(name, request, response) {
  const cache = await caches.open(name);
  await cache.put(request, response);
  const all = await cache.keys();
  for (const old of name === PAGES ? all.slice(0, -PAGES_MAX) : []) {
    if (new URL(old.url).pathname !== '/') await cache.delete(old);
  }
}

/** Keeps what a page was made of before this worker saw its requests. @param {string[]} urls */
async function keep(urls) {
  const files = await caches.open(FILES);
  for (const old of await files.keys()) {
    const { pathname } = new URL(old.url);
    if (!pathname.startsWith('/assets/') || pathname.startsWith(folder)) continue;
    // Pages of an older version would come without their files.
    await files.delete(old);
    await caches.delete(PAGES);
  }
  for (const address of urls) {
    const url = new URL(address, scope.location.origin);
    if (!(isFile(url) || isKept(url)) || await caches.match(isFile(url) ? url.href : url.pathname)) continue;
    const response = await fetch(url).catch(() => null);
    if (response?.ok && !response.redirected) await put(isFile(url) ? FILES : PAGES, isFile(url) ? url.href : url.pathname, response);
  }
}

async function send() {
  const results = await askuserQueue.send();
  if (results.some(({ result }) => result === 'out')) await forget();
  for (const client of await scope.clients.matchAll()) client.postMessage({ results });
  // A failure has the browser try again.
  if (results.some(({ result }) => result === 'later')) throw new Error('no line yet');
}

async function forget() {
  await Promise.all([PAGES, FILES].map((name) => caches.delete(name)));
  await askuserQueue.forget();
}

/** @param {PushMessageData | null} data */
async function told(data) {
  /** @type {{tag?: string, title?: string, body?: string, path?: string, again?: boolean, closed?: boolean}} */
  let said = {};
  try {
    said = data?.json() ?? {};
  } catch { /* a browser wants something to be shown all the same */ }
  const { tag = 'askuser', title = 'askuser', body = '', path = '/', again = false, closed = false } = said;
  const shown = { tag, body, icon: '/icon.svg', data: new URL(path, scope.location.origin).pathname };
  if (!closed) return scope.registration.showNotification(title, /** @type {any} */ ({ ...shown, renotify: again }));
  const gone = async () => (await scope.registration.getNotifications({ tag })).forEach((note) => note.close());
  const open = await scope.clients.matchAll({ type: 'window' });
  if (open.some(({ visibilityState }) => visibilityState === 'visible')) return gone();
  // Where no page is seen, a browser puts up a text of its own if nothing is shown: so how it ended is,
  // without a sound, in place of the question, and then goes too.
  await scope.registration.showNotification(title, { ...shown, silent: true });
  setTimeout(gone, NOTICE);
}

/** @param {{oldSubscription?: PushSubscription, newSubscription?: PushSubscription}} event */
async function moved({ oldSubscription, newSubscription }) {
  const made = newSubscription ?? (oldSubscription && await scope.registration.pushManager.subscribe(oldSubscription.options));
  if (!made) return;
  const body = JSON.stringify({ ...made.toJSON(), language: navigator.language });
  await fetch('/api/push', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

/** @param {string} path */
async function show(path) {
  const open = await scope.clients.matchAll({ type: 'window' });
  const here = open.find((client) => new URL(client.url).pathname === path) ?? open[0];
  if (!here) return scope.clients.openWindow(path);
  const client = await here.focus();
  return new URL(client.url).pathname === path ? client : client.navigate(path);
}
