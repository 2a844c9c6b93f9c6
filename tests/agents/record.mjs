// Takes the recordings anew: what each real agent says to our server over pipes and over HTTP, when its client gives
// up on a call and its model asks the same again. `tests/mcp/recordings.rs` plays the client's side of them.
//
//   node tests/agents/record.mjs [AGENT...]

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, until } from "../browser/stage.mjs";
import { browser } from "../browser/visitor.mjs";
import { Cell, HTTP, PIPES, SLOW_MS, is_answer } from "./cell.mjs";
import { SHORT_S } from "./columns.mjs";
import { DRIVERS } from "./drivers.mjs";
import { distilled } from "./recording.mjs";
import { tapped } from "./tap.mjs";
import { Turns } from "./turns.mjs";

const folder = join(root, "tests/agents/recordings");
const tap = join(root, "tests/agents/tap.mjs");

/** The client gives up, its model asks the same again; whatever is open then, the person answers. */
async function asks_again(cell) {
  cell.start();
  await cell.asked();
  await cell.model.hears("asked again", () => cell.model.calls_ms.length >= 2, SLOW_MS);
  await until("the person's answer is with the model", async () => {
    const { json } = await cell.stage.call("GET", "/api/inbox");
    for (const { ask_id, questions } of json.asks) await cell.stage.answer(ask_id, { [questions[0].question_id]: "Southward" });
    return [...cell.model.results.values()].some(is_answer);
  }, SLOW_MS);
}

async function lines_of(driver, carrier, around) {
  const heard = [];
  let file;
  const between = async (server, stage) => {
    if (carrier === HTTP) {
      const there = await tapped(stage.port, (line) => heard.push(line));
      stage.closing.push(there.close);
      return { ...server, url: server.url.replace(`:${stage.port}/`, `:${there.port}/`) };
    }
    file = join(stage.folder, "heard.jsonl");
    return { command: process.execPath, args: [tap, file, server.command, ...server.args], env: server.env };
  };
  const cell = await Cell.set({ driver, carrier, limit_s: SHORT_S, between }, around);
  try {
    await asks_again(cell);
    await cell.ends_well();
    if (file) {
      // Once more, to go on with what is over: only what it tells the program that it starts is of interest.
      cell.start({ again: true });
      await cell.running.ended;
    }
    const lines = file ? readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : heard;
    if (process.env.ASKUSER_RAW) {
      mkdirSync(process.env.ASKUSER_RAW, { recursive: true });
      writeFileSync(join(process.env.ASKUSER_RAW, `${driver.name}-${carrier}.json`), JSON.stringify(lines, null, 1));
    }
    return distilled(lines, { [cell.agent.work]: "$WORK", [cell.stage.folder]: "$HOME", [cell.stage.keys.agent]: "$KEY" });
  } finally {
    await cell.strike();
  }
}

const named = process.argv.slice(2);
const hall = { closing: [] };
const around = { turns: new Turns(2), browser: await browser(hall) };
mkdirSync(folder, { recursive: true });
try {
  for (const driver of DRIVERS.filter(({ name }) => named.length === 0 || named.includes(name))) {
    await around.turns.take();
    const recording = { agent: driver.name, version: driver.package.replace(/^.*@/, ""), pipes: await lines_of(driver, PIPES, around), http: await lines_of(driver, HTTP, around) };
    around.turns.give();
    writeFileSync(join(folder, `${driver.name}.json`), `${JSON.stringify(recording, null, 1)}\n`);
    console.log(`${driver.name}: recorded`);
  }
} finally {
  for (const close of hall.closing) await close();
}
