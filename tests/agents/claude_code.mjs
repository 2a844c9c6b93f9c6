// Claude Code, connected to a desk: how it is started, and what it must not ask for first.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Stage } from "../browser/stage.mjs";
import { Agent } from "./agent.mjs";
import { Model } from "./model.mjs";
import { Person } from "./person.mjs";
import { Terminal } from "./terminal.mjs";

// Nobody's key: the model on loopback does not look at it.
export const KEY = "sk-ant-nobody-0123456789abcdefghij";
export const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_TELEMETRY: "1",
};
/** Where the first start's questions (theme, key, trust) have been answered. */
export const settled = (work) => ({
  customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
  hasCompletedOnboarding: true,
  lastOnboardingVersion: "9.9.9",
  projects: { [work]: { hasCompletedProjectOnboarding: true, hasTrustDialogAccepted: true } },
  theme: "dark",
});

/**
 * A story with Claude Code: a desk, a model that makes `calls`, a person.
 * @param {{calls: import("./model.mjs").Call[], vars?: Record<string, string>, install?: string[] | null}} like
 *   `install`: what else is said to `askuser install`; null where it is not run
 * @param {(here: {stage: Stage, model: Model, agent: Agent, person: Person}) => Promise<void>} run
 */
export async function with_claude_code({ calls, vars = {}, install = [] }, run) {
  const stage = await new Stage().start();
  try {
    const model = await new Model(...calls).open();
    stage.closing.push(() => model.close());
    const agent = new Agent(stage, "claude-code", { ...QUIET, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: model.url, ...vars });
    writeFileSync(join(agent.home, ".claude.json"), JSON.stringify(settled(agent.work)));
    if (install) agent.install(...install);
    const person = await Person.at(stage);
    await run({ stage, model, agent, person });
    await person.leaves();
  } finally {
    await stage.strike();
  }
}

const PRINTING = ["--output-format", "stream-json", "--verbose"];

/** Starts `claude -p` and ends it with the stage. */
export function print({ stage, agent }, ...more) {
  const running = agent.start("claude", ["-p", "Ask me.", ...PRINTING, ...more]);
  stage.closing.push(running.kill);
  return running;
}

/** Starts Claude Code as an editor does, which shows its dialogs itself, and ends it with the stage. */
export function in_editor({ stage, agent }) {
  const args = ["-p", ...PRINTING, "--input-format", "stream-json", "--permission-prompt-tool", "stdio"];
  const running = agent.start("claude", args, { listens: true, vars: { CLAUDE_CODE_ENTRYPOINT: "claude-vscode" } });
  stage.closing.push(running.kill);
  running.tell({ type: "user", message: { role: "user", content: "Ask me." }, parent_tool_use_id: null });
  /** What it has said so far, line by line. */
  const lines = () => running.out().split("\n").filter((line) => line.startsWith("{") && line.endsWith("}")).map((line) => JSON.parse(line));
  return { ...running, lines };
}

/** Starts Claude Code in a terminal and ends it with the stage. */
export function in_terminal({ stage, agent }, ...more) {
  const terminal = new Terminal(stage.folder, { command: [Agent.bin("claude"), ...more, "Ask me."], cwd: agent.work, env: agent.env });
  stage.closing.push(() => terminal.close());
  return terminal;
}
