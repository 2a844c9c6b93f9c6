#!/usr/bin/env node
// Starts the program for this platform, which comes as a package of its own (optionalDependencies).
// Nothing is downloaded and nothing runs when it is installed.
"use strict";

const { spawn } = require("node:child_process");
const { basename, join, dirname } = require("node:path");

/** The program that this was called as: npm links it under both names. */
const name = basename(process.argv[1]).replace(/\.js$/, "") === "AskUserQuestion" ? "AskUserQuestion" : "askuser";

/** @returns {string} the path of the program, or ends with what to do. */
function find() {
  const of = `askuser-${process.platform}-${process.arch}`;
  try {
    return join(dirname(require.resolve(`${of}/package.json`)), "bin", name);
  } catch {
    process.stderr.write(
      `error: askuser has no package for ${process.platform} ${process.arch}, or it was left out\n` +
        `hint: install without --omit=optional, or build it: cargo install --locked askuser\n`,
    );
    process.exit(1);
  }
}

const program = find();
const words = process.argv.slice(2);
if (process.execve) {
  // The program takes this process's place: no second process, and its parent is the caller.
  process.execve(program, [program, ...words], process.env);
}
const child = spawn(program, words, { stdio: "inherit" });
child.on("error", (error) => {
  process.stderr.write(`error: ${program} does not start: ${error.message}\n`);
  process.exit(1);
});
// A terminal sends Ctrl-C to both; anything else is told this process alone.
for (const signal of ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"]) process.on(signal, () => child.kill(signal));
process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code);
  // Ends as the program did, so that the caller sees the same.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
