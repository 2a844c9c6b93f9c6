// Written by `askuser install opencode`; `askuser uninstall opencode` takes it away again.
//
// opencode's own questions are asked at your desk as well: the first answer wins, here or there.

import { spawn } from "node:child_process";

const COMMAND = ["askuser", "hook", "opencode"];

export const Askuser = async ({ client, directory }) => {
  /** The hooks that wait for an answer, by opencode's id of the question. */
  const waiting = new Map();

  // opencode's own way to its API, within its process: it needs neither an address nor a password.
  const post = (path, id, body) =>
    client._client.post({ url: `/question/{id}/${path}`, path: { id }, body, headers: { "Content-Type": "application/json" } });

  // Where there is nobody to see it, nobody misses it.
  const warn = (message) => client.tui.showToast({ body: { title: "askuser", message, variant: "warning" } }).catch(() => {});

  function ask(event) {
    const { id } = event.properties;
    const [program, ...args] = COMMAND;
    // It leads a session of its own: when opencode's terminal is closed, it can still take the question back.
    const hook = spawn(program, args, { detached: true, stdio: ["pipe", "pipe", "ignore"] });
    waiting.set(id, hook);
    let said = "";
    hook.stdout.on("data", (chunk) => (said += chunk));
    // It may have ended before it is told; its end is heard below.
    hook.stdin.on("error", () => {});
    hook.on("error", (error) => waiting.delete(id) && warn(`${program} cannot be started (${error.message}); answer here instead`));
    // Not when it was settled in opencode's own dialog.
    hook.on("close", () => waiting.delete(id) && decide(id, said));
    tell(hook, event);
  }

  // Standard input stays open: its end tells the hook that opencode is gone.
  const tell = (hook, event) => hook.stdin.write(`${JSON.stringify({ ...event, cwd: directory })}\n`);

  async function decide(id, said) {
    try {
      const { answers, reject, systemMessage } = JSON.parse(said || "{}");
      if (systemMessage) await warn(systemMessage);
      const { error } = answers ? await post("reply", id, { answers }) : reject ? await post("reject", id) : {};
      if (error) await warn(`opencode did not take the answer (${JSON.stringify(error)}); answer here instead`);
    } catch (error) {
      await warn(`${error.message}; answer here instead`);
    }
  }

  return {
    event: async ({ event }) => {
      if (event.type === "question.asked") return ask(event);
      if (event.type !== "question.replied" && event.type !== "question.rejected") return;
      const hook = waiting.get(event.properties.requestID);
      if (!hook) return;
      waiting.delete(event.properties.requestID);
      tell(hook, event);
    },
  };
};
