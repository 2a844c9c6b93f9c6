// Takes the pictures of docs/pictures/ that stand still: the page on a desk and on a phone, and the inbox in a terminal.
// The one that moves is in moving.mjs.
//
//   scripts/test-browser.sh --pictures             all of them
//   node tests/browser/pictures.mjs task inbox     those whose names begin so
//
// Look at each of them before it is committed; a picture that nobody looked at proves nothing.

import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Card } from "./card.mjs";
import { picture } from "./drawing.mjs";
import { Stage, root, until } from "./stage.mjs";
import { Terminal } from "./terminal.mjs";
import { browser, visitor } from "./visitor.mjs";

const FOLDER = join(root, "docs/pictures");
const BYTES_MAX = 800_000;
const program = process.env.ASKUSER_BIN ?? join(root, "target/debug/askuser");

const TEXTS = {
  en: {
    shop: { agent: "claude-code", project: "shop", folder: "~/shop" },
    context: "The shop needs a login this week. I read `src/auth.rs` and can build on it.",
    auth: ["Auth", "Which authentication should the shop use?", "OAuth 2.0", "Sign in with an account people already have", "JWT", "Stateless tokens, good for an API"],
    providers: ["Which providers?", "GitHub", "Google"],
    db: ["Migration", "Add the missing index now?", "Now", "Locks the table for a minute", "Tonight", "At 02:00, when traffic is low"],
    delete: ["Delete", "Delete 12 unused files?"],
    look: ["Layout", "Which start page?", "Calm", "One column, lots of space", "Dense", "Everything at once"],
    feature: ["Feature", "What should I build first?", "Login", "Shopping cart"],
    inbox: "The inbox in the terminal: questions of three agents, the one under the cursor beside the list",
    note: "Only the orders table, please.",
  },
  zh: {
    shop: { agent: "claude-code", project: "商店", folder: "~/shop" },
    context: "商店需要登录功能。我已经读过 `src/auth.rs`，打算从那里继续。",
    auth: ["认证方式", "这个项目应该采用哪种身份验证方式？", "OAuth 2.0", "行业标准，支持社交登录", "JWT", "无状态令牌，适合 API"],
    providers: ["请选择要集成的 OAuth 提供商", "GitHub", "Google"],
    db: ["数据库迁移", "现在添加缺失的索引吗？", "现在", "锁表约一分钟", "今晚", "凌晨两点，空闲时"],
    delete: ["删除文件", "删除 12 个没有用到的文件吗？"],
    look: ["首页", "首页用哪一种？", "安静", "一栏，留白多", "密集", "所有内容一屏显示"],
    feature: ["功能", "先做哪个功能？", "用户登录", "购物车"],
    inbox: "终端收件箱：三个智能体的问题，光标所在的问题显示在列表旁边",
    note: "只处理订单表。",
  },
};

const options = ([, , a, a_why, b, b_why]) => [
  { id: "a", label: a, description: a_why, recommended: true },
  { id: "b", label: b, description: b_why },
];

/** What three agents ask, in one language. */
async function asks(stage, words) {
  const [header, question] = words.feature;
  const session_id = `shop-${words.shop.project}`;
  const first = await stage.ask({
    session_id, total_rounds: 3, asker: words.shop,
    questions: [{ question_id: "feature", header, question, type: "multiple_choice", other: true, options: [{ id: "a", label: words.feature[2] }, { id: "b", label: words.feature[3] }] }],
  });
  await stage.answer(first.ask_id, { feature: "a" }, { feature: words.note });
  const auth = await stage.ask({
    session_id, total_rounds: 3, asker: words.shop, context: words.context,
    questions: [
      {
        question_id: "auth", header: words.auth[0], question: words.auth[1], type: "multiple_choice", other: true, options: options(words.auth),
        follow_up_questions: { a: [{ question_id: "providers", question: words.providers[0], type: "checkbox", options: [{ id: "github", label: words.providers[1] }, { id: "google", label: words.providers[2] }] }] },
      },
      { question_id: "look", header: words.look[0], question: words.look[1], type: "multiple_choice", other: false, options: [
        { id: "a", label: words.look[2], description: words.look[3], preview: "```\n+--------------+\n|   askuser    |\n|              |\n|  [ 1 ] [ 2 ] |\n+--------------+\n```" },
        { id: "b", label: words.look[4], description: words.look[5], preview: "```\n+----+----+----+\n| 1  | 2  | 3  |\n+----+----+----+\n| 4  | 5  | 6  |\n+----+----+----+\n```" },
      ] },
    ],
  });
  const index = await stage.ask({
    asker: { agent: "codex", project: "billing", folder: "~/billing" },
    questions: [{ question_id: "db", header: words.db[0], question: words.db[1], type: "multiple_choice", other: true, options: options(words.db) }],
  });
  await stage.ask({
    asker: { agent: "opencode", project: "site", folder: "~/site" }, timeoutMs: 160_000,
    questions: [{ question_id: "delete", header: words.delete[0], question: words.delete[1], type: "boolean" }],
  });
  const closed = await stage.ask({
    asker: { agent: "codex", project: "billing", folder: "~/billing" },
    questions: [{ question_id: "db2", header: words.db[0], question: words.db[1], type: "multiple_choice", other: true, options: options(words.db) }],
  });
  await stage.answer(closed.ask_id, { db2: "b" }, { db2: words.note });
  return { auth, index, closed };
}

/** A task that has asked, was answered once, and waits for its second answer. */
async function tasks(stage, language) {
  const give = async (text) => (await stage.call("POST", "/api/tasks", { body: { agent: "scripted", folder: stage.project, text } })).json;
  const open = (task) => until("a question", async () => (await stage.call("GET", `/api/tasks/${task.task_id}`)).json.open_asks[0]);
  const answer = async (task) => {
    const id = await open(task);
    const { questions } = (await stage.call("GET", `/api/asks/${id}`)).json;
    const [question] = questions;
    await stage.answer(id, { [question.question_id]: question.options[0].id ?? question.options[0].label });
    await until("the next", async () => (await stage.call("GET", `/api/tasks/${task.task_id}`)).json.open_asks[0] !== id);
  };
  // What the scripted agent does goes by these words.
  const asking = await give(language === "zh" ? "为商店添加登录功能" : "Add a sign-in to the shop");
  await answer(asking);
  await open(asking);
  return { asking };
}

/** Each picture: its name, the window, what is done there, and its language where one is enough. */
function pictures({ auth }, { asking }) {
  const inbox = async (person) => (await person.open("/")).locator(".ask-row").first().waitFor();
  const follow = async (person) => {
    const card = new Card(await person.at(auth));
    await card.pick("auth", "a");
    await card.pick("providers", "github");
  };
  const task = ({ task_id }, shows) => async (person) => (await person.open(`/tasks/${task_id}`)).locator(shows).waitFor();
  return [
    ["follow-ups-desk-light", { size: "desk", theme: "light" }, follow],
    ["follow-ups-phone-light", { size: "phone", theme: "light" }, follow],
    ["task-ask-desk-light", { size: "desk", theme: "light" }, task(asking, "#now #answer"), "en"],
    ["inbox-phone-dark", { size: "phone", theme: "dark" }, inbox],
  ];
}

/** All of what stands there: a picture that is cut off shows half of a thing. */
async function whole(person) {
  const { width, height } = person.page.viewportSize();
  const needed = await person.page.evaluate(() => document.documentElement.scrollHeight);
  if (needed > height) await person.page.setViewportSize({ width, height: needed });
  await person.page.evaluate(() => window.scrollTo(0, 0));
  // The mouse lies where the last click was, and would mark what is under it.
  await person.page.mouse.move(0, 0);
}

/** The inbox in a terminal, drawn. */
async function terminal_inbox(stage, language) {
  const terminal = new Terminal(stage, { columns: 104, rows: 17, language, path: dirname(program) });
  await terminal.sees("$");
  terminal.types("askuser inbox", "Enter");
  await terminal.sees(TEXTS[language].db[1]);
  for (let n = 0; n < 6 && !terminal.cells().some((row) => shows(row, `❯ ${TEXTS[language].auth[0]}`)); n += 1) {
    terminal.types("Down");
    await new Promise((done) => setTimeout(done, 700));
  }
  const svg = picture(terminal.cells(), 104, TEXTS[language].inbox);
  writeFileSync(join(FOLDER, `inbox-terminal-${language}.svg`), svg);
  terminal.types("q");
  return svg.length;
}

const shows = (row, text) => row.map(({ letter }) => letter).join("").includes(text);

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
let n_bytes = 0;
for (const language of ["en", "zh"]) {
  const stage = new Stage();
  stage.allow_tasks();
  await stage.start();
  try {
    const chrome = await browser(stage);
    const made = await asks(stage, TEXTS[language]);
    if (!wanted.length || wanted.includes("inbox")) n_bytes += await terminal_inbox(stage, language);
    const worked = await tasks(stage, language);
    for (const [name, like, set, only = language] of pictures(made, worked)) {
      if (only !== language || (wanted.length && !wanted.some((begin) => name.startsWith(begin)))) continue;
      // What it asks is no part of the other pictures.
      if (name.startsWith("inbox")) await stage.call("POST", `/api/tasks/${worked.asking.task_id}/stop`, { body: {} });
      const person = await visitor(stage, chrome, { ...like, language, more: { reducedMotion: "reduce" } });
      await set(person);
      await whole(person);
      const path = join(FOLDER, `${name}-${language}.png`);
      await person.page.screenshot({ path, scale: "css", animations: "disabled", caret: "hide" });
      n_bytes += statSync(path).size;
      // Whoever goes says so; the next one is not shown as the second at the same ask.
      await person.page.goto("about:blank");
      await person.leave();
    }
  } finally {
    await stage.strike();
  }
}
console.log(`${n_bytes} bytes of pictures in docs/pictures/`);
if (n_bytes > BYTES_MAX) throw new Error(`more than ${BYTES_MAX} bytes`);
