// A person at the page, in a real browser: signed in by cookie, reading and pressing what the page shows.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { Card } from "../browser/card.mjs";
import { until } from "../browser/stage.mjs";
import { browser, visitor } from "../browser/visitor.mjs";

/** How long an agent may take to come to its question: it starts, and calls the model first. */
export const ASKING_MS = 150_000;

const NOBODY = {};

export class Person {
  #stage;
  #visitor;

  /**
   * A person with the inbox open before them, in a browser of their own or a window of one that is there.
   * @param {import("../browser/stage.mjs").Stage} stage
   */
  static async at(stage, started) {
    const person = new Person();
    person.#stage = stage;
    person.#visitor = await visitor(stage, started ?? (await browser(stage)));
    await person.#visitor.open("/");
    return person;
  }

  get page() {
    return this.#visitor.page;
  }

  /** Opens another page of the desk. */
  async opens(path) {
    return this.#visitor.open(path);
  }

  /**
   * Waits until something is asked whose question is so; opens it, and returns the ask.
   * @param {string | RegExp} question
   * @param {() => boolean} [has_ended] whether nobody is there any more who would ask
   */
  async asked(question, has_ended = () => false) {
    const is_so = (text) => (question instanceof RegExp ? question.test(text) : text === question);
    const ask = await until(
      `asked at the desk: ${question}`,
      async () => {
        // Ten times a second: a person who asks more often is told to wait.
        await pause(75);
        const { json } = await this.#stage.call("GET", "/api/inbox");
        const found = json.asks.find((each) => each.questions.some(({ question: text }) => is_so(text)));
        return found ?? (has_ended() && NOBODY);
      },
      ASKING_MS,
    );
    assert.notEqual(ask, NOBODY, "the agent ended and had not asked");
    await this.page.locator(`#row-${ask.ask_id}`).waitFor();
    await this.#visitor.at(ask);
    return ask;
  }

  /** What is on the page. */
  async sees() {
    return this.page.locator("body").innerText();
  }

  /** Picks an option of the only question of the ask that is open, and sends it. */
  async picks(ask, label) {
    const [{ question_id, options }] = ask.questions;
    // A yes or no has no labels of the asker's.
    const option = options?.find((each) => each.label === label);
    const card = new Card(this.page);
    await card.pick(question_id, option?.id ?? label);
    await card.send();
    await card.closed();
  }

  /** Waits until the card that is open has closed; returns what it says, and when that was seen. */
  async sees_closed(patience_ms) {
    const closed = this.page.locator('#card[data-open="false"]');
    await closed.waitFor({ timeout: patience_ms });
    return { text: await closed.innerText(), at_ms: Date.now() };
  }

  /** Whether the card that is open has closed, or says that nobody waits for it now. */
  async sees_left() {
    const left = this.page.locator("#card", { hasText: /no longer waits|went away|nobody waits/i });
    return (await this.page.locator('#card[data-open="false"]').or(left).count()) > 0;
  }

  /** Leaves; fails where the page did what it must never do. */
  async leaves() {
    await this.#visitor.leave();
  }

  /** Nothing is asked: the inbox is empty. */
  async sees_nothing_open() {
    const { json } = await this.#stage.call("GET", "/api/inbox");
    assert.deepEqual(json.asks, []);
  }
}
