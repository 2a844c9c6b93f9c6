/**
 * Answers given without a connection: kept in IndexedDB, sent when the line is back.
 *
 * Read by the page as a module and by the service worker as a plain script, which is why it has
 * neither imports nor exports and leaves one name behind.
 *
 * @typedef {{ask: string, body: string, text: string, said?: string}} Waiting
 * An answer that waits. `text` is what a person can read of it; `said` is why it was not taken.
 */

var askuserQueue = (() => {
  /** @returns {Promise<IDBDatabase>} */
  const open = () => new Promise((resolve, reject) => {
    const opening = indexedDB.open('askuser', 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('waiting', { keyPath: 'ask' });
      opening.result.createObjectStore('closed', { keyPath: 'ask' });
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });

  /**
   * @template T
   * @param {'waiting' | 'closed'} name
   * @param {(store: IDBObjectStore) => IDBRequest<T>} act
   * @returns {Promise<T>}
   */
  async function within(name, act) {
    const database = await open();
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(name, 'readwrite');
        const asked = act(transaction.objectStore(name));
        // Not when it was asked for: when it is on the disk.
        transaction.oncomplete = () => resolve(asked.result);
        transaction.onabort = () => reject(transaction.error);
      });
    } finally {
      database.close();
    }
  }

  /** @param {Waiting} waiting */
  const put = (waiting) => within('waiting', (store) => store.put(waiting));
  /** @param {string} ask @param {'waiting' | 'closed'} [name] */
  const drop = (ask, name = 'waiting') => within(name, (store) => store.delete(ask));
  /** @param {'waiting' | 'closed'} [name] @returns {Promise<Waiting[]>} */
  const all = (name = 'waiting') => within(name, (store) => store.getAll());

  /**
   * Sends one. What closed meanwhile is put aside for the person, never thrown away.
   * @param {Waiting} waiting
   * @returns {Promise<'sent' | 'closed' | 'faulty' | 'out' | 'later' | 'dropped'>}
   */
  async function sendOne(waiting) {
    // Meanwhile the person may have said not to, or have answered otherwise.
    const now = await within('waiting', (store) => /** @type {IDBRequest<Waiting | undefined>} */ (store.get(waiting.ask)));
    if (now?.body !== waiting.body) return 'dropped';
    const url = `/asks/${encodeURIComponent(waiting.ask)}/answer`;
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
    const init = { method: 'POST', headers, body: waiting.body, signal: AbortSignal.timeout(20000) };
    const response = await fetch(url, init).catch(() => null);
    if (!response || response.status === 429 || response.status >= 500) return 'later';
    if (response.status === 401) {
      await forget();
      return 'out';
    }
    const told = await response.json().catch(() => ({}));
    if (!response.ok && response.status !== 422) {
      await within('closed', (store) => store.put({ ...waiting, said: told.closed ?? told.message }));
    }
    await drop(waiting.ask);
    return response.ok ? 'sent' : response.status === 422 ? 'faulty' : 'closed';
  }

  /** Sends what waits. @returns {Promise<{ask: string, result: string}[]>} what became of each */
  async function send() {
    const sendAll = async () => {
      const results = [];
      for (const waiting of await all()) {
        const result = await sendOne(waiting);
        results.push({ ask: waiting.ask, result });
        if (result === 'later' || result === 'out') break;
      }
      return results;
    };
    // Two tabs and the service worker may all see the line come back.
    return navigator.locks ? navigator.locks.request('askuser-queue', sendAll) : sendAll();
  }

  /** Deletes everything. */
  async function forget() {
    await within('waiting', (store) => store.clear());
    await within('closed', (store) => store.clear());
  }

  return { put, drop, all, send, forget };
})();
globalThis.askuserQueue = askuserQueue;
