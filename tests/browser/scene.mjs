// A file of stories: one daemon, one browser, a window for each story.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Stage, root } from "./stage.mjs";
import { browser, visitor } from "./visitor.mjs";

/** Where a story that failed leaves what the person saw. */
const SEEN = join(root, "target/browser");
/** The longest that a story may take, so that nothing hangs. */
const STORY_MS = 150_000;

/** @param {(stage: Stage) => void} [set] what is to be there before the daemon starts */
export function scene(set = () => {}) {
  const stage = new Stage();
  const here = { stage, browser: null };
  before(async () => {
    set(stage);
    await stage.start();
    here.browser = await browser(stage);
  });
  after(() => stage.strike());

  /**
   * A test with a visitor who leaves at its end.
   * @param {string} name what is so; a requirement that it proves stands in it by its number
   * @param {object | ((visitor: any) => Promise<void>)} like see `visitor`
   * @param {(visitor: any) => Promise<void>} [run]
   */
  here.story = (name, like, run) => {
    if (typeof like === "function") [like, run] = [{}, like];
    test(name, { timeout: STORY_MS }, async () => {
      const person = await visitor(stage, here.browser, like);
      try {
        await run(person);
      } catch (error) {
        await keep(name, person);
        await person.context.close();
        throw error;
      }
      await person.leave();
    });
  };

  /** The same story on the desk and on the phone. */
  here.desk_and_phone = (name, run, like = {}) => {
    for (const size of ["desk", "phone"]) here.story(`${name} (${size})`, { size, ...like }, run);
  };

  /** Another person, or the same one at another browser. Leaves with the test. */
  here.another = (like = {}) => visitor(stage, here.browser, like);

  async function keep(name, person) {
    const file = join(SEEN, name.replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 80));
    mkdirSync(SEEN, { recursive: true });
    for (const page of person.context.pages()) {
      await page.screenshot({ path: `${file}.png` }).catch(() => {});
      writeFileSync(`${file}.html`, await page.content().catch(() => ""));
    }
    // To standard error: standard output belongs to the test runner.
    console.error(`${name}\n  noted: ${JSON.stringify(person.faults)}\n  seen: ${file}.png\n  daemon:\n${stage.log}`);
  }

  return here;
}
