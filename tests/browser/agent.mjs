// A scripted agent that speaks Claude Code's stream of JSON with its control protocol: reads what it is told on
// standard input, and does what the first words of the task say.
//
//   three rounds      thinks, uses tools, asks three times, is done
//   flood N           says N messages, is done
//   pieces N          writes one text in N pieces, a line each, with the moment of each in it
//   wait              works until it is stopped or told something more
//   anything Chinese  the same in Chinese

import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";

const at_resume = process.argv.indexOf("--resume");
const session_id = at_resume > 0 ? process.argv[at_resume + 1] : randomUUID();
const answers = new Map();
const heard = [];
let hearing = null;
let n_calls = 0;

const put = (line) => process.stdout.write(`${JSON.stringify({ session_id, parent_tool_use_id: null, ...line })}\n`);
const assistant = (block) => put({ type: "assistant", uuid: randomUUID(), message: { id: `msg_${randomUUID()}`, role: "assistant", content: [block] } });
const delta = (index, body) => put({ type: "stream_event", uuid: randomUUID(), event: { type: "content_block_delta", index, delta: body } });
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits for what the person says next; says that it was taken up. */
async function next() {
  const content = heard.shift() ?? (await new Promise((done) => (hearing = done)));
  put({ type: "user", isReplay: true, message: { role: "user", content } });
  return content;
}

/** Writes a text as a model does: in pieces, then whole. */
async function writes(text, kind = "text") {
  for (const word of text.match(/\S+\s*|[^\x00-\x7f]{1,4}/gu) ?? [text]) {
    delta(0, kind === "text" ? { type: "text_delta", text: word } : { type: "thinking_delta", thinking: word });
    await pause(3);
  }
  assistant(kind === "text" ? { type: "text", text } : { type: "thinking", thinking: text });
}

async function uses(name, input, result, is_error = false) {
  const id = `toolu_${(n_calls += 1)}`;
  assistant({ type: "tool_use", id, name, input });
  await pause(20);
  put({ type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: result, is_error }] } });
}

/** Asks the person, and waits. */
async function asks(questions) {
  const id = `toolu_${(n_calls += 1)}`;
  const request_id = `req_${n_calls}`;
  const input = { questions };
  assistant({ type: "tool_use", id, name: "AskUserQuestion", input });
  const answered = new Promise((done) => answers.set(request_id, done));
  put({ type: "control_request", request_id, request: { subtype: "can_use_tool", tool_name: "AskUserQuestion", input, tool_use_id: id } });
  const response = await answered;
  const picked = response.updatedInput?.answers ?? {};
  const said = Object.entries(picked).map(([question, answer]) => `"${question}"="${answer}"`).join(", ");
  const content = response.behavior === "allow" ? `User has answered your questions: ${said}.` : response.message;
  put({ type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error: response.behavior !== "allow" }] } });
  return picked;
}

const question = (header, text, ...options) => ({
  question: text, header, multiSelect: false, options: options.map(([label, description]) => ({ label, description })),
});

const WORDS = {
  en: {
    think: "The shop has no sign-in yet. I look at what is there before I ask anything.",
    begin: "I have a look at the project first. The routes are in `src/routes.rs`, and there is **no session** yet.",
    questions: [
      question("Auth", "Which authentication should the shop use?", ["OAuth 2.0", "An industry standard, with social sign-in"], ["JWT", "Stateless tokens, good for an API"]),
      question("Storage", "Where should sessions be kept?", ["SQLite", "One file, nothing to run"], ["Redis", "Fast, one more service"]),
      question("Tests", "How thorough should the tests be?", ["Routes only", "A minute to run"], ["Everything", "Browser stories as well"]),
    ],
    chosen: (what) => `**${what}** it is. I go on.`,
    done: "The sign-in works: three routes, a table of sessions, and tests for each.",
  },
  zh: {
    think: "商店还没有登录功能。先看看现有代码，再提问。",
    begin: "我先看一下项目。路由在 `src/routes.rs`，目前**没有会话**。",
    questions: [
      question("认证方式", "商店应该采用哪种身份验证方式？", ["OAuth 2.0", "行业标准，支持社交登录"], ["JWT", "无状态令牌，适合 API"]),
      question("会话存储", "会话保存在哪里？", ["SQLite", "一个文件，无需另行运行"], ["Redis", "速度快，多一个服务"]),
      question("测试", "测试要做到什么程度？", ["只测路由", "运行约一分钟"], ["全部", "包括浏览器测试"]),
    ],
    chosen: (what) => `那就用 **${what}**，继续。`,
    done: "登录功能已完成：三个路由、一张会话表，并各有测试。",
  },
};

const ROUTES = Array.from({ length: 60 }, (_, n) => `${n + 1}\tpub fn route_${n + 1}() {}`).join("\n");

async function three_rounds(words) {
  await writes(words.think, "thinking");
  await writes(words.begin);
  await uses("Read", { file_path: "src/routes.rs" }, ROUTES);
  await uses("Bash", { command: "cargo test --quiet" }, "error: no test target named `sign_in`", true);
  for (const one of words.questions) {
    const picked = await asks([one]);
    await writes(words.chosen(picked[one.question] ?? "–"));
    await uses("Edit", { file_path: "src/sign_in.rs", old_string: "", new_string: `// ${picked[one.question]}` }, "ok");
  }
  return words.done;
}

async function does(text) {
  const [, number] = /(\d+)/.exec(text) ?? [];
  if (text.startsWith("flood")) {
    for (let n = 1; n <= Number(number); n += 1) {
      assistant({ type: "text", text: `Message ${n} of ${number}: the quick brown fox looks at file ${n} and finds it sound.` });
      if (n % 50 === 0) await pause(0);
    }
    return `Said ${number} messages.`;
  }
  if (text.startsWith("pieces")) {
    for (let n = 0; n < Number(number); n += 1) {
      delta(0, { type: "text_delta", text: `[${n}:${performance.timeOrigin + performance.now()}] ` });
      await pause(150);
    }
    assistant({ type: "text", text: `Written in ${number} pieces.` });
    for (let n = 0; n < Number(number); n += 1) {
      assistant({ type: "text", text: `whole [${n}:${performance.timeOrigin + performance.now()}]` });
      await pause(150);
    }
    return "Written.";
  }
  if (text.startsWith("wait")) {
    await writes("I work until you stop me.");
    const more = await next();
    await writes(`You said: ${more}`);
    return "Told.";
  }
  if (/\p{Script=Han}/u.test(text)) return three_rounds(WORDS.zh);
  if (/rounds|sign-in/.test(text)) return three_rounds(WORDS.en);
  await writes(`Taken up again: ${text}`);
  return "Done.";
}

createInterface({ input: process.stdin }).on("line", (text) => {
  const line = JSON.parse(text);
  if (line.type === "control_request") {
    put({ type: "control_response", response: { subtype: "success", request_id: line.request_id, response: {} } });
    if (line.request.subtype === "interrupt") {
      put({ type: "result", subtype: "error_during_execution", is_error: true, result: "", num_turns: 1 });
      process.exit(0);
    }
  } else if (line.type === "control_response") {
    answers.get(line.response.request_id)?.(line.response.response);
  } else if (line.type === "user") {
    const said = line.message.content;
    const words = typeof said === "string" ? said : said.map((part) => part.text).join("");
    if (hearing) [hearing] = [hearing(words)];
    else heard.push(words);
  }
}).on("close", () => process.exit(0));

put({ type: "system", subtype: "init", cwd: process.cwd(), tools: ["Read", "Edit", "Bash", "AskUserQuestion"], model: "scripted" });
for (;;) {
  const result = await does(await next());
  put({ type: "result", subtype: "success", is_error: false, result, num_turns: 1 });
}
