/**
 * How long what the person does takes, until the server has answered. The last thousand are kept; what is new
 * goes to the server in small batches, and with the page when it is left.
 */
const KEPT = 1000;
const SLOW_MS = 200;
const BATCH = 20;
/** @type {{operation: string, duration: number, timestamp: number}[]} */
const timings = [];
let unsent = 0;

/** What a request does for the person; nothing where nobody waits for it. @param {string} url @param {string} [method] */
function operation(url, method = 'GET') {
  if (method === 'GET') return url.includes('part=') ? 'refresh' : undefined;
  const does = /\/asks\/[^/]+\/(answer|cancel|undo|reopen|sheet)$/.exec(url)?.[1];
  return does === 'sheet' ? 'save' : does;
}

/** @param {string | undefined} operation @param {number} start */
function note(operation, start) {
  if (!operation) return;
  const duration = performance.now() - start;
  timings.push({ operation, duration, timestamp: Date.now() });
  unsent += 1;
  if (timings.length > KEPT) timings.shift();
  if (duration > SLOW_MS) console.warn(`Slow operation detected: ${operation} took ${Math.round(duration)}ms`);
  if (unsent >= BATCH) report();
}

/** Measures a request. @template T @param {string} url @param {string | undefined} method @param {() => Promise<T>} send */
export async function measured(url, method, send) {
  const start = performance.now();
  const answer = await send();
  note(operation(url, method), start);
  return answer;
}

function report() {
  const fresh = timings.slice(-Math.min(unsent, 100)).map(({ operation, duration }) => ({ operation, duration: Math.min(duration, 60000) }));
  unsent = 0;
  // Whether it arrives changes nothing for the person.
  if (fresh.length) navigator.sendBeacon?.('/api/timings', JSON.stringify({ timings: fresh }));
}

/** Nothing more is told: the page is signed out. */
export const silence = () => (unsent = 0);

export function begin() {
  // A page that nobody looks at is loaded when the browser pleases.
  if (!document.hidden) note('load', 0);
  addEventListener('pagehide', report);
}
