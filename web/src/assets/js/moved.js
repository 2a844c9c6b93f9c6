/**
 * Under a name where nobody is signed in: shows what an older page of ours could not send from here, so
 * that its person can take it along. It is not sent by itself: every server on this machine may have
 * been opened under this name, so nobody knows whose words these are but the person.
 */
const PREFIX = 'askuser:';
const place = document.getElementById('left');

/** @param {string} name @returns {Promise<{ask: string, text: string}[]>} */
async function queued(name) {
  const known = await indexedDB.databases?.() ?? [];
  if (!known.some((database) => database.name === 'askuser')) return [];
  return new Promise((resolve) => {
    const opening = indexedDB.open('askuser');
    opening.onerror = () => resolve([]);
    opening.onsuccess = () => {
      const database = opening.result;
      if (!database.objectStoreNames.contains(name)) return resolve([]);
      const asked = database.transaction(name).objectStore(name).getAll();
      asked.onsuccess = () => { database.close(); resolve(asked.result); };
      asked.onerror = () => { database.close(); resolve([]); };
    };
  });
}

/** Texts that were put aside, and drafts that never reached the desk. @returns {{ask: string, text: string}[]} */
function stored() {
  const found = [];
  for (const key of Object.keys(localStorage)) {
    const [, ask] = key.match(/^askuser:(?:kept|draft):(.+)$/) ?? [];
    if (!ask) continue;
    const { text = '', saved = false } = JSON.parse(localStorage.getItem(key) ?? '{}');
    if (text && !saved) found.push({ ask, text });
  }
  return found;
}

async function drop() {
  Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).forEach((key) => localStorage.removeItem(key));
  indexedDB.deleteDatabase('askuser');
  place?.replaceChildren();
}

/** @param {string} label @param {() => void} act */
function button(label, act) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = label;
  made.onclick = act;
  return made;
}

async function show() {
  const left = [...await queued('waiting'), ...await queued('closed'), ...stored()];
  const texts = [...new Set(left.map(({ text }) => text).filter(Boolean))];
  if (!place || !texts.length) return;
  const { title = '', why = '', copy = '', drop: away = '' } = place.dataset;
  const heading = document.createElement('h2');
  heading.textContent = title;
  const reason = document.createElement('p');
  reason.textContent = why;
  place.append(heading, reason);
  for (const text of texts) {
    const words = document.createElement('pre');
    words.tabIndex = 0;
    words.textContent = text;
    place.append(words, button(copy, () => {
      getSelection()?.selectAllChildren(words);
      navigator.clipboard?.writeText(text).catch(() => {});
    }));
  }
  place.append(' ', button(away, drop));
  place.hidden = false;
}

await show().catch(() => {});

export {};
