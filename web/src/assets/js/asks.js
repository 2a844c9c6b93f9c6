/**
 * The list of open asks, kept up to date row by row. While the pointer or the focus is in it nothing in
 * it moves: what ended stays where it was and says how, what is new waits behind a button, and so does
 * another order. All of that comes in when the person has left the list, or presses the button.
 */
import { all, button, make, one } from './dom.js';
import { bare, coalesced, part, swap, watch } from './parts.js';
import { word } from './said.js';

/** Rows as they came, before the script changed anything in them. @type {WeakMap<Element, string>} */
const origins = new WeakMap();
/** Is something held back until the person has left the list? */
let behind = false;
/** Does the person want to see everything now? */
let wanted = false;

const asks = () => document.getElementById('asks');

/**
 * Is the person about to use something in the list? A focus that a click left behind, and that nobody
 * sees, is no such sign; and a finger has left with every tap.
 */
const isInUse = () => one(document, ':is(#asks, .newer) :focus-visible') !== null
  || (matchMedia('(hover: hover)').matches && one(document, ':is(#asks, .newer):hover') !== null);

/** Fetches the list. */
export const refreshAsks = coalesced(async () => {
  const list = asks();
  const fresh = list && await part(list.dataset.part ?? '/?part=inbox', '#asks');
  if (list && fresh) merge(list, fresh);
}, 200);

/** @param {HTMLElement} list @param {HTMLElement} fresh */
function merge(list, fresh) {
  remember(fresh);
  const still = isInUse() && !wanted;
  const rows = /** @type {HTMLElement[]} */ ([...fresh.children]);
  const isNew = (/** @type {HTMLElement} */ { id }) => !one(list, `#${CSS.escape(id)}`);
  const added = rows.filter(isNew);
  behind = false;
  for (const row of all(list, ':scope > *').filter(({ id }) => !rows.some((fresh) => fresh.id === id))) {
    if (still) end(row);
    else leave(row);
  }
  if (still) inPlace(list, rows.filter((row) => !isNew(row)));
  else arrange(list, rows);
  list.dataset.count = fresh.dataset.count;
  count();
  offer(list, still ? added.length : 0);
  if (wanted) one(added.find(({ isConnected }) => isConnected), 'a')?.focus();
  wanted = false;
}

/** Puts everything where it belongs. @param {HTMLElement} list @param {HTMLElement[]} rows */
function arrange(list, rows) {
  let at = list.firstElementChild;
  for (const row of rows) {
    const old = one(list, `#${CSS.escape(row.id)}`);
    const put = old && origins.get(old) === origins.get(row) ? old : row;
    put.style.height = '';
    if (old && put === row) {
      if (at === old) at = row;
      redraw(old, row);
    }
    if (put === at) at = at.nextElementSibling;
    else list.insertBefore(put, at);
    if (!old) watch(row);
  }
}

/** Draws what changed within its own bounds; the rest waits. @param {HTMLElement} list @param {HTMLElement[]} rows */
function inPlace(list, rows) {
  const was = all(list, ':scope > :not(.ended)').map(({ id }) => id);
  behind ||= was.join() !== rows.map(({ id }) => id).join();
  for (const row of rows) {
    const old = one(list, `#${CSS.escape(row.id)}`);
    if (!old || origins.get(old) === origins.get(row)) continue;
    const { height } = old.getBoundingClientRect();
    const fits = Math.abs(heightOf(list, row) - height) < 2;
    // Whether one's own answer can be taken back is seen at once.
    const isOwn = 'held' in row.dataset || 'held' in old.dataset;
    behind ||= !fits;
    if (!fits && !isOwn) continue;
    if (!fits) row.style.height = `${height}px`;
    redraw(old, row);
  }
}

/** @param {HTMLElement} list @param {Element} row @returns {number} how high it would be in the list */
function heightOf(list, row) {
  const probe = /** @type {HTMLElement} */ (row.cloneNode(true));
  probe.removeAttribute('id');
  list.append(probe);
  const { height } = probe.getBoundingClientRect();
  probe.remove();
  return height;
}

/** Swaps a row; what had the focus has it again, or else the row's link. @param {HTMLElement} old @param {HTMLElement} row */
function redraw(old, row) {
  const at = old.contains(document.activeElement) ? document.activeElement : null;
  const pressed = at instanceof HTMLButtonElement ? all(old, 'button').indexOf(at) : -1;
  const buttons = /** @type {HTMLButtonElement[]} */ (all(row, 'button'));
  swap(old, row);
  const same = at instanceof HTMLButtonElement ? buttons.find(({ name, value }, place) => name === at.name && value === at.value && place === pressed) : null;
  if (at) (same ?? one(row, 'a'))?.focus({ preventScroll: true });
}

/** A row that ended, while somebody is in the list: it stays, says how, and offers nothing. @param {HTMLElement} row */
async function end(row) {
  behind = true;
  if (row.classList.contains('ended')) return;
  row.style.height = `${row.getBoundingClientRect().height}px`;
  row.classList.add('ended');
  const how = make('p', 'how', word('endedElsewhere'));
  const link = one(row, 'a');
  if (row.contains(document.activeElement)) link?.focus({ preventScroll: true });
  all(row, ':scope > :not(a)').forEach((offered) => offered.remove());
  row.append(how);
  const card = await part(`/asks/${row.dataset.ask}?part=card`, '#card').catch(() => null);
  const ending = one(card, '.ending');
  how.textContent = ending?.textContent?.trim() || how.textContent;
}

/** @param {HTMLElement} row that is not in the list any more */
function leave(row) {
  const near = row.nextElementSibling ?? row.previousElementSibling;
  if (row.contains(document.activeElement)) one(near, 'a')?.focus();
  row.remove();
}

/** The button behind which new rows wait. It lies over the list and moves nothing. @param {HTMLElement} list @param {number} n */
function offer(list, n) {
  const place = one(document, '.newer');
  behind ||= n > 0;
  if (!n) return place?.remove();
  const text = word('newAsks', { n });
  const pill = one(place, 'button');
  if (pill) pill.textContent = text;
  else {
    const made = button('', '', () => {
      wanted = true;
      refreshAsks();
    });
    made.textContent = text;
    list.before(make('div', 'newer', made));
  }
}

/** Shows how many asks are open: in the title, beside the list, on the app's icon. */
function count() {
  const open = Number(asks()?.dataset.count ?? 0);
  const beside = document.getElementById('waiting');
  if (beside) beside.textContent = `${open}`;
  document.title = (open ? `(${open}) ` : '') + document.title.replace(/^\(\d+\) /, '');
  (open ? navigator.setAppBadge?.(open) : navigator.clearAppBadge?.())?.catch(() => {});
}

/** @param {Element} list */
function remember(list) {
  for (const row of list.children) origins.set(row, bare(row));
}

/** Moves the focus from row to row. @param {number} by */
export function moveRow(by) {
  const links = all(asks(), 'li:not(.ended) > a');
  const at = links.findIndex((link) => link.parentElement?.contains(document.activeElement));
  const from = at < 0 ? links.findIndex((link) => link.hasAttribute('aria-current')) : at;
  links[from < 0 ? 0 : Math.max(0, Math.min(links.length - 1, from + by))]?.focus();
}

/** Whoever answered in a row by keyboard goes on at the next one. @param {Element | null} row */
export function goOn(row) {
  if (!row?.contains(document.activeElement)) return;
  let next = row.nextElementSibling;
  while (next?.matches('.ended, .held')) next = next.nextElementSibling;
  one(next ?? row, 'a')?.focus();
}

export function begin() {
  const list = asks();
  if (!list) return;
  remember(list);
  const left = () => setTimeout(() => behind && !isInUse() && refreshAsks());
  document.addEventListener('pointerover', left);
  document.addEventListener('focusout', left);
  document.documentElement.addEventListener('pointerleave', left);
}
