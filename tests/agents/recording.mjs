// What a recording keeps of what was heard between a client and our server: the client's side, without anything of
// the machine, the moment or the key.

/** Headers that are the connection's own affair, and written anew by whoever plays the recording. */
const OF_THE_CONNECTION = ["host", "connection", "content-length", "transfer-encoding", "keep-alive"];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * @typedef {object} Side what a client does, one thing after another
 * @property {({message: object} | {method: string, headers: Record<string, string>, message?: object} | {leaves: string | number})[]} does
 *   sends a message, over HTTP with its headers; leaves: closes the connection on which it waits for this request
 * @property {Record<string, string>[]} [env] what it tells a program that it starts, each time that it is started: anew, and to go on
 * @property {Record<string, object>} replies what it says when the server asks it something, by method
 */

/**
 * @param {import("./tap.mjs").Line[]} lines
 * @param {Record<string, string>} names what stands in the recording for what is only true here
 * @returns {Side}
 */
export function distilled(lines, names) {
  const questions = new Map();
  const [env, does, replies] = [[], [], {}];
  let n_calls = 0;
  for (const { from, env: told, message, http, gone } of lines) {
    if (told) env.push(told);
    // Of the second start nothing but the environment is new.
    if (told || env.length > 1) continue;
    const { id, method } = message ?? {};
    if (from === "server") {
      if (method && id !== undefined) questions.set(id, method);
      continue;
    }
    if (gone) {
      if (method === "tools/call" && n_calls === 1) does.push({ leaves: id });
      continue;
    }
    // A client listens on one stream at a time: that it comes back to it tells nothing new.
    if (http?.method === "GET" && does.some((each) => each.method === "GET")) continue;
    const headers = http && Object.fromEntries(Object.entries(http.headers).filter(([name]) => !OF_THE_CONNECTION.includes(name)));
    if (headers?.["mcp-session-id"]) headers["mcp-session-id"] = "$SESSION";
    if (message && !method) {
      replies[questions.get(id)] = message.result;
      continue;
    }
    if (method === "tools/call") n_calls += 1;
    // Twice is all that is told: what is called after it is the same again.
    if (n_calls > 2) continue;
    does.push({ ...(http && { method: http.method, headers }), ...(message && { message }) });
  }
  return anonymous({ ...(env.length > 0 && { env }), does, replies }, names);
}

function anonymous(side, names) {
  let text = JSON.stringify(side);
  // The longest first: one may stand in another.
  for (const [here, name] of Object.entries(names).sort(([a], [b]) => b.length - a.length)) text = text.replaceAll(here, name);
  const met = [];
  text = text.replace(UUID, (uuid) => {
    if (!met.includes(uuid)) met.push(uuid);
    return `00000000-0000-4000-8000-${String(met.indexOf(uuid) + 1).padStart(12, "0")}`;
  });
  // When it was.
  return JSON.parse(text.replace(/("\w+_unix_ms":)\d+/g, "$10"));
}
