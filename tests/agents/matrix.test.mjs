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

const escaped = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function table() {
  const row = (words) => `| ${words.join(" | ")} |`;
  const lines = [row(["agent", ...columns.map(({ name }) => name)]), row(["---", ...columns.map(() => "---")])];
  for (const { name, package: version } of drivers) {
    lines.push(row([version.replace(/^.*@/, `${name} `), ...columns.map((column) => cells.get(`${name} ${column.name}`) ?? "not run")]));
  }
  return `${lines.join("\n")}\n`;
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
      if (column.needs === "own" && !driver.own) {
        cells.set(key, "–");
        continue;
      }
      // The time that a cell waits for its turn is not its own.
      test(`${driver.name}: ${column.name}`, { timeout: STORY_MS * 10 }, async () => {
        await turns.take();
        let cell;
        try {
          cell = await Cell.set({ driver, ...column.like, ...(driver.is_silent && column.silent) }, { turns, browser: hall.browser });
          const seconds = await column.run(cell);
          await cell.person.leaves();
          cells.set(key, `PASS ${seconds.toFixed(1)}`);
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
