// The card of an ask, as a person uses it: with the script one question after another, without it all at once.

import { settled } from "./list.mjs";
import { until } from "./stage.mjs";

export class Card {
  constructor(page) {
    this.page = page;
    this.root = page.locator("#card");
    this.form = page.locator("form#answer");
    this.ending = page.locator("#card .ending");
  }

  question(id) {
    return this.page.locator(`fieldset.question[data-question="${id}"]`);
  }

  choice(question, choice) {
    return this.page.locator(`#answer input[name="pick:${question}"][value="${choice}"]`);
  }

  field(kind, question) {
    return this.page.locator(`#answer [name="${kind}:${question}"]:not([type=hidden])`);
  }

  /** Goes on to the step where this can be seen. */
  async reach(what) {
    await what.first().waitFor({ state: "attached" });
    await until(`a step with ${what}`, async () => {
      if (await what.first().isVisible()) return true;
      const next = this.page.locator("#answer [data-step=next]");
      if (await next.isVisible()) await next.click();
      return false;
    });
    await settled(this.page);
  }

  async pick(question, ...choices) {
    for (const id of choices) {
      const choice = this.choice(question, id);
      await this.reach(choice);
      await choice.check();
    }
  }

  async write(question, text) {
    await this.reach(this.field("text", question));
    await this.field("text", question).fill(text);
  }

  /** Picks "Other" and writes into it. */
  async other(question, text) {
    const several = this.field("own", question);
    const own = (await several.count()) > 0 ? several : this.choice(question, "");
    await this.reach(own);
    await own.check();
    await this.field("other", question).fill(text);
  }

  async note(question, text) {
    const field = this.field("note", question);
    await field.waitFor({ state: "attached" });
    if (!(await field.isVisible())) await field.locator("xpath=ancestor::details[1]/summary").click();
    await field.fill(text);
  }

  /** Confirms, having gone on to the last step. */
  async send() {
    const button = this.page.locator("#answer button[name=do][value=answer]");
    await this.reach(button);
    await button.click();
  }

  /** What the person wrote and could not send: shown for them to copy. */
  async kept() {
    return this.page.locator(".kept").evaluate((element) => element.textContent);
  }

  async closed() {
    await this.page.locator('#card[data-open="false"]').waitFor();
  }

  async cancel(reason) {
    const form = this.page.locator('form[action$="/cancel"]');
    const field = form.locator("[name=reason]");
    await this.page.locator('#answer a[href="#decline"]').click();
    await field.fill(reason);
    await form.locator("button").first().click();
  }
}
