// The inbox's list as a person uses it: rows, their buttons, and where those are on the screen.

import { until } from "./stage.mjs";

export class List {
  constructor(page) {
    this.page = page;
    this.newer = page.locator(".newer button");
  }

  row(ask) {
    return this.page.locator(`#row-${ask.ask_id}`);
  }

  /** The button of a choice in the row of a yes-or-no question. */
  button(ask, choice = "yes") {
    return this.row(ask).locator(`form.quick button[value="${choice}"]`);
  }

  undo(ask) {
    return this.row(ask).locator("form.undo button");
  }

  /** The middle of something, to point at. */
  async place(of) {
    const box = await of.boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Rests the pointer on something. */
  async point(at) {
    const { x, y } = await this.place(at);
    await this.page.mouse.move(x, y);
    return { x, y };
  }

  /** Takes the pointer out of the list. */
  async leave() {
    await this.page.mouse.move(1, 1);
  }

  /** The page knows that so many are open. */
  async counts(n) {
    await this.page.locator(`#asks[data-count="${n}"]`).waitFor({ state: "attached" });
  }

  /** The asks in the list, from top to bottom. */
  async ids() {
    return this.page.locator("#asks > .ask-row").evaluateAll((rows) => rows.map((row) => row.dataset.ask));
  }
}

/** Waits until everything on the page has been there long enough to be pressed. */
export const settled = (page) => page.locator("html:not([data-changed])").waitFor();

/** Ends everything that is open, so that a story has the list to itself. */
export async function clear(stage) {
  for (const ask of (await stage.call("GET", "/api/inbox")).json.asks) await stage.withdraw(ask.ask_id);
  await until("the inbox is empty", async () => (await stage.call("GET", "/api/inbox")).json.asks.length === 0);
}
