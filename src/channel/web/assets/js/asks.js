/**
 * The list of open asks, kept up to date row by row: what has the focus keeps it.
 */
import { all, one } from './dom.js';
import { bare, part, swap, watch } from './parts.js';

/** Rows as they came, before the script changed anything in them. @type {WeakMap<Element, string>} */
const origins = new WeakMap();
let fetching = false;
let again = false;

const asks = () => document.getElementById('asks');

/** Fetches the list; many calls in a row become a few. */
export async function refreshAsks() {
  const list = asks();
  again = true;
  if (!list || fetching) return;
  fetching = true;
  try {
    while (again) {
      again = false;
      const fresh = await part(list.dataset.part ?? '/?part=inbox', '#asks');
      if (fresh) merge(list, fresh);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } catch { /* the line says so, and what is missed comes with its number */ } finally {
    fetching = false;
  }
}

/** @param {HTMLElement} list @param {HTMLElement} fresh */
function merge(list, fresh) {
  remember(fresh);
  const wanted = new Set([...fresh.children].map((row) => row.id));
  for (const row of [...list.children].filter(({ id }) => !wanted.has(id))) {
    const near = row.nextElementSibling ?? row.previousElementSibling;
    if (row.contains(document.activeElement)) one(near, 'a')?.focus();
    row.remove();
  }
  let at = list.firstElementChild;
  for (const row of [...fresh.children]) {
    const old = one(list, `#${CSS.escape(row.id)}`);
    const put = old && origins.get(old) === origins.get(row) ? old : row;
    if (old && put === row) {
      if (at === old) at = row;
      swap(old, row);
    }
    if (put === at) at = at.nextElementSibling;
    else list.insertBefore(put, at);
    if (!old) watch(row);
  }
  list.dataset.count = fresh.dataset.count;
  count();
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
  const links = all(asks(), 'li > a');
  const at = links.findIndex((link) => link.parentElement?.contains(document.activeElement));
  const from = at < 0 ? links.findIndex((link) => link.hasAttribute('aria-current')) : at;
  links[from < 0 ? 0 : Math.max(0, Math.min(links.length - 1, from + by))]?.focus();
}

export function begin() {
  const list = asks();
  if (list) remember(list);
}
