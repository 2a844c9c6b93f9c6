// The whole loop in a browser: a task is written, a scripted agent works on it, asks, is answered, and is done.

import assert from "node:assert/strict";
import { scene } from "./scene.mjs";
import { until } from "./stage.mjs";
import { answers, card, give } from "./task_page.mjs";

const here = scene((stage) => stage.allow_tasks());
const { stage, story, desk_and_phone } = here;

const task = async (id) => (await stage.call("GET", `/api/tasks/${id}`)).json;

desk_and_phone("D1 D18 P1 P2 P4 a task is given, asks three times in its stream, is answered there, and is done", async (person) => {
  const page = await person.open("/tasks");
  const id = await give(page, "Add a sign-in to the shop, in three rounds");
  assert.equal(await page.locator(".msg.by-person .typed").first().innerText(), "Add a sign-in to the shop, in three rounds");
  for (const [question, label] of [["Which authentication", "OAuth 2.0"], ["Where should sessions", "SQLite"], ["How thorough", "Everything"]]) {
    await card(page).locator("legend", { hasText: question }).waitFor();
    await answers(page, label);
    await page.locator("#stream .msg.ask .opt.chosen", { hasText: label }).waitFor();
    await page.locator("#stream .msg.text", { hasText: `${label} it is.` }).waitFor();
  }
  await page.locator(".msg.complete", { hasText: "The sign-in works" }).waitFor();
  await page.locator("#about[data-state=done]").waitFor();
  assert.equal(await page.locator("#now").innerText(), "");
  const done = await task(id);
  assert.equal(done.status, "done");
  // Its conversation at the desk leads back to it.
  const conversation = await page.evaluate(async (path) => (await fetch(path)).text(), `/sessions/${done.session}`);
  assert.ok(conversation.includes(`<a href="/tasks/${id}">`));
  // The kinds of P1, each as what it is; the long result is folded, the failed one says so.
  for (const kind of ["think", "text", "tool", "result", "ask", "complete"]) {
    assert.ok(await page.locator(`#stream .msg.${kind}`).count(), kind);
  }
  assert.equal(await page.locator("#stream details.msg.result").first().evaluate((result) => result.open), false);
  assert.equal(await page.locator("#stream .msg.tool[data-state=failed]").count(), 1);
  const numbers = await page.locator("#stream > .entry").evaluateAll((all) => all.map((entry) => Number(entry.dataset.number)));
  assert.deepEqual(numbers, [...numbers].sort((one, other) => one - other), "in the order in which it happened");
  assert.equal(await page.locator(".coming").count(), 0);
  // A page that is opened now shows the same.
  const plain = (html) => html.replaceAll(/(<time[^>]*>)[^<]*/g, "$1").replaceAll(/ open=""/g, "");
  const live = plain(await page.locator("#stream").innerHTML());
  await page.reload();
  await page.locator(".msg.complete").waitFor();
  assert.equal(plain(await page.locator("#stream").innerHTML()), live);
  await person.no_barriers?.();
});

story("P1 text is shown as it is written, in pieces, and becomes the message", async (person) => {
  const page = await person.open("/tasks");
  await give(page, "pieces 40");
  const written = (at) => at.evaluate(() => document.querySelector(".coming .typed")?.textContent ?? "");
  await until("its beginning", async () => (await written(page)).includes("[1:"));
  const first = (await written(page)).length;
  await until("more of it", async () => (await written(page)).length > first);
  // Whoever comes in the middle sees what there is, and the rest as it comes.
  const late = await person.context.newPage();
  await late.goto(page.url());
  await until("all of it", async () => /^\[0:.* \[20:/.test(await written(late)));
  await late.locator("#about[data-state=done]").waitFor();
  assert.equal(await page.locator(".coming").count(), 0);
  assert.equal(await page.locator("#stream .msg.text", { hasText: "Written in 40 pieces." }).count(), 1);
  assert.equal(await late.locator("#stream .msg.text", { hasText: "Written in 40 pieces." }).count(), 1);
});

desk_and_phone("D18 an agent at work is told something more, stopped, and taken up again", async (person) => {
  const page = await person.open("/tasks");
  await give(page, "wait for me");
  await page.locator("#stream .msg.text", { hasText: "until you stop me" }).waitFor();
  await page.locator("#say").fill("use the blue one");
  await page.keyboard.press("Enter");
  await page.locator("#stream .msg.text", { hasText: "You said: use the blue one" }).waitFor();
  await page.locator("#about[data-state=done]").waitFor();
  assert.equal(await page.locator("#say").inputValue(), "");
  await page.locator("#composer[data-mode=resume] #say").fill("wait once more");
  await page.locator("#composer .composer button").click();
  await page.locator("#stream .msg.text", { hasText: "until you stop me" }).nth(1).waitFor();
  // What is being written stays when the task ends under it.
  await page.locator("#composer[data-mode=say] #say").fill("half a thou");
  await page.locator("#composer .stop button").click();
  await page.locator("#about[data-state=stopped]", { hasText: "You stopped it." }).waitFor();
  assert.equal(await page.locator("#composer[data-mode=resume] #say").inputValue(), "half a thou");
});

story("D18 a task survives the browser, and after a crash of the daemon says that it was interrupted", async (person) => {
  const page = await person.open("/tasks");
  const id = await give(page, "Add a sign-in, three rounds");
  await card(page).waitFor();
  await page.close();
  assert.equal((await task(id)).status, "running");
  const again = await person.context.newPage();
  await again.goto(`${stage.url}/tasks/${id}`);
  await card(again).waitFor();
  await stage.kill();
  await stage.start();
  await again.locator("#about[data-state=interrupted]", { hasText: "None of it is still running" }).waitFor();
  await again.locator("#now:empty").waitFor({ state: "attached" });
  await again.locator("#say").fill("go on where you were");
  await again.locator("#composer .composer button").click();
  await again.locator("#stream .msg.text", { hasText: "Taken up again: go on where you were" }).waitFor();
  await again.locator("#about[data-state=done]").waitFor();
});

story("D18 without a script: given, answered, told and stopped by plain forms", { script: false }, async (person) => {
  const page = await person.open("/tasks");
  const id = await give(page, "Add a sign-in, three rounds");
  const open = () => until("a question", async () => (await task(id)).open_asks[0]);
  for (const label of ["JWT", "Redis", "Routes only"]) {
    await open();
    await page.goto(`${stage.url}/tasks/${id}`);
    await answers(page, label);
    // Back in the task, not on a page of the question alone.
    await page.waitForURL(`**/tasks/${id}`);
  }
  await until("the end", async () => (await task(id)).status === "done");
  await page.goto(`${stage.url}/tasks/${id}`);
  assert.equal(await page.locator("#stream .msg.ask .opt.chosen").count(), 3);
  await page.goto(`${stage.url}/tasks`);
  const waits = await give(page, "wait");
  await until("it runs", async () => (await task(waits)).status === "running");
  await page.goto(`${stage.url}/tasks/${waits}`);
  await page.locator("#composer .stop button").click();
  await until("it stopped", async () => (await task(waits)).status === "stopped");
});

story("D18 what cannot be is said in the form, and what was written stays", async (person) => {
  const page = await person.open("/tasks");
  await page.locator("form.task-form textarea").fill("Look around");
  await page.locator("form.task-form input[name=folder]").fill("/etc");
  await page.locator("form.task-form button.go").click();
  await page.locator("form.task-form .fault", { hasText: "folder" }).waitFor();
  assert.equal(await page.locator("form.task-form textarea").inputValue(), "Look around");
  assert.equal(await page.locator("form.task-form input[name=folder]").inputValue(), "/etc");
});

story("P1 ten thousand messages: the page keeps a window of them, and the rest is a step away", async (person) => {
  const page = await person.open("/tasks");
  await give(page, "flood 2000");
  await page.locator(".msg.complete", { hasText: "Said 2000 messages." }).waitFor();
  const shown = await page.locator("#stream > .entry").count();
  assert.ok(shown <= 200, `${shown} are kept`);
  assert.ok(await page.locator("#stream .msg", { hasText: "Message 2000 of 2000" }).count());
  await page.locator("#earlier a").click();
  await page.locator("a", { hasText: "Latest messages" }).waitFor();
  assert.ok(await page.locator("#stream .msg").count());
  assert.equal(await page.locator("#stream .msg", { hasText: "Message 2000 of 2000" }).count(), 0);
});

story("the list of tasks is live, and shows where each stands", async (person) => {
  const page = await person.open("/tasks");
  const other = await person.context.newPage();
  await other.goto(`${stage.url}/tasks`);
  const id = await give(other, "wait for the list");
  await page.locator(`#row-${id} .task-state[data-state=running]`).waitFor();
  await stage.call("POST", `/api/tasks/${id}/stop`, { body: {} });
  await page.locator(`#row-${id} .task-state[data-state=stopped]`).waitFor();
});
