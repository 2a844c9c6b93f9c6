// The page of the tasks as a person uses it: a task is written and started, its question answered in its stream.

import { settled } from "./list.mjs";

/** Writes a task on the page and starts it; returns its id. */
export async function give(page, text) {
  await page.locator("form.task-form textarea").fill(text);
  await page.locator("form.task-form button.go").click();
  await page.waitForURL("**/tasks/task_*");
  return new URL(page.url()).pathname.split("/").pop();
}

/** The question that the task asks now. */
export const card = (page) => page.locator("#now #card[data-open=true]");

/** Picks an option of it, and sends that. */
export async function answers(page, label) {
  await settled(page);
  await card(page).locator("label.opt", { hasText: label }).click();
  await card(page).locator("button[name=do][value=answer]").click();
}
