// Every agent in every state: the matrix. What comes out is a table in target/agents/matrix.md.
//
//   ASKUSER_CELLS   names of agents and columns to run, with commas between: `codex,gemini-cli` or `esc,75 s`

import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { root } from "../browser/stage.mjs";
import { browser } from "../browser/visitor.mjs";
import { STORY_MS } from "./agent.mjs";
import { Cell } from "./cell.mjs";
import { COLUMNS } from "./columns.mjs";
import { DRIVERS } from "./drivers.mjs";
import { Turns } from "./turns.mjs";

const wanted = (process.env.ASKUSER_CELLS ?? "").toLowerCase().split(",").map((word) => word.trim()).filter(Boolean);
const by_name = (all) => {
  const named = all.filter(({ name }) => wanted.some((word) => name.toLowerCase().startsWith(word)));
  return named.length > 0 ? named : all;
};
const drivers = by_name(DRIVERS);
const columns = by_name(COLUMNS);

/** What came of each cell, by agent and column. @type {Map<string, string>} */
const cells = new Map();
const turns = new Turns(Math.max(2, cpus().length));
const hall = { closing: [] };

/** Behind what came of a cell that was not as in the other rows. */
const AFTER_PENDING = "\\*";
const LEGEND = `
- seconds: from the call to the answer with the model; for "killed, answered, asked again" from the second call, for "own tool, in passing" from the answer, for "terminal says" until it did, for "Esc" until the card was told
- ${AFTER_PENDING}: it gives up on a call without a word, so its call came back as pending first: what was answered while it was away is not shown by this
- has none: it has no such tool of its own; not bridged: it has one, and nothing of ours is told of it
`;

const escaped = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function table() {
  const row = (words) => `| ${words.join(" | ")} |`;
  const lines = [row(["agent", ...columns.map(({ name }) => name)]), row(["---", ...columns.map(() => "---")])];
  for (const { name, package: version } of drivers) {
    lines.push(row([version.replace(/^.*@/, `${name} `), ...columns.map((column) => cells.get(`${name} ${column.name}`) ?? "not run")]));
  }
  return `${lines.join("\n")}\n${LEGEND}`;
}

/** Kept after every cell: whoever ends a run early has what came so far. */
function keep() {
  const folder = join(root, "target/agents");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "matrix.md"), table());
}

describe("every agent in every state", { concurrency: true }, () => {
  before(async () => {
    hall.browser = await browser(hall);
  });

  after(async () => {
    for (const close of hall.closing) await close();
    keep();
  });

  for (const driver of drivers) {
    for (const column of columns) {
      const key = `${driver.name} ${column.name}`;
      const own = driver[column.needs ?? "own"];
      if (column.needs && !own) {
        cells.set(key, column.needs === "own" && driver.has_own ? "not bridged" : "has none");
        continue;
      }
      const silent = driver.is_silent && column.silent;
      // The time that a cell waits for its turn is not its own.
      test(`${driver.name}: ${column.name}`, { timeout: STORY_MS * 10 }, async () => {
        await turns.take();
        let cell;
        try {
          cell = await Cell.set({ driver, own, ...column.like, ...silent }, { turns, browser: hall.browser });
          const seconds = await column.run(cell);
          await cell.person.leaves();
          cells.set(key, `PASS ${seconds.toFixed(1)}${silent ? AFTER_PENDING : ""}`);
        } catch (error) {
          cells.set(key, `FAIL ${escaped(error.message.split("\n")[0].slice(0, 260))}`);
          throw error;
        } finally {
          keep();
          await cell?.strike();
          turns.give();
        }
      });
    }
  }
});
