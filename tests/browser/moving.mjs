// Takes the moving picture of the README: a question in a terminal and on a phone, answered on the phone. Both are real:
// the terminal is tmux with the program in it, the phone is Chromium with the page.
//
//   node tests/browser/moving.mjs [en] [zh]

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Card } from "./card.mjs";
import { FONT, paper, screen, size } from "./drawing.mjs";
import { Stage, root, until } from "./stage.mjs";
import { Terminal } from "./terminal.mjs";
import { browser, visitor } from "./visitor.mjs";

const [COLUMNS, ROWS] = [76, 21];
const PHONE = { width: 234, height: 506 };
const GAP = 26;
const BYTES_MAX = 300_000;
const program = process.env.ASKUSER_BIN ?? join(root, "target/debug/askuser");

const TEXTS = {
  en: {
    label: "An agent's question in the terminal and on the phone; it is answered on the phone, and the agent gets the answer",
    context: "The shop goes live on Friday and has no login yet. I read `src/routes`.",
    auth: ["Login", "How should people sign in?"],
    choices: [["OAuth 2.0", "with an account they already have"], ["Passwords", "kept by the shop"], ["Links by mail", "nothing to remember"]],
    providers: ["Which providers?", "GitHub", "Google", "WeChat"],
    captions: ["An agent asks. The question is in your terminal and on your phone.", "One option needs more: its follow-up opens in place.", "Away from the keyboard? Answer on the phone.", "The agent gets exactly what you said, and every place shows who answered."],
  },
  zh: {
    label: "智能体的问题同时出现在终端和手机上；在手机上回答后，智能体拿到答案",
    context: "商店周五上线，还没有登录功能。我看过 `src/routes`。",
    auth: ["登录", "用户怎样登录？"],
    choices: [["OAuth 2.0", "用已有的账号登录"], ["密码", "由商店保存"], ["邮件链接", "不用记密码"]],
    providers: ["支持哪些平台？", "GitHub", "Google", "微信"],
    captions: ["智能体提问：问题同时出现在终端和手机上。", "选中的选项需要细化：追问就地展开。", "人不在电脑前？用手机回答。", "智能体拿到的就是你的原话；每个界面都注明由谁回答。"],
  },
};

/** The question, as an agent would ask it. */
function question(words) {
  const ids = ["oauth", "passwords", "links"];
  const options = words.choices.map(([label, description], n) => ({ id: ids[n], label, description, recommended: n === 0 }));
  const providers = words.providers.slice(1).map((label, n) => ({ id: ["github", "google", "wechat"][n], label }));
  return {
    asker: { agent: "claude-code", project: "shop" }, context: words.context,
    questions: [{
      question_id: "login", header: words.auth[0], question: words.auth[1], type: "multiple_choice", options,
      follow_up_questions: { oauth: [{ question_id: "providers", question: words.providers[0], type: "checkbox", options: providers }] },
    }],
  };
}

/** Plays it; returns the scenes: what stood in the terminal and on the phone, and for how long it is shown. */
async function play(stage, chrome, language) {
  const words = TEXTS[language];
  writeFileSync(join(stage.folder, "login.json"), JSON.stringify(question(words)));
  const terminal = new Terminal(stage, { columns: COLUMNS, rows: ROWS, language, path: dirname(program) });
  await terminal.sees("$");
  terminal.types("askuser ask --file login.json --reply push", "Enter");
  await terminal.sees(words.auth[1]);
  const asked = terminal.cells();
  const { asks } = await until("the question", async () => {
    const { json } = await stage.call("GET", "/api/inbox");
    return json.asks.length === 1 && json;
  });
  const person = await visitor(stage, chrome, { size: "phone", theme: "light", language, more: { reducedMotion: "reduce" } });
  const card = new Card(await person.at(asks[0]));
  await card.form.waitFor();
  const shot = async () => {
    await person.page.evaluate(() => window.scrollTo(0, 0));
    return person.page.screenshot({ scale: "css", animations: "disabled", caret: "hide" });
  };
  const whole = await shot();
  terminal.types("1");
  await terminal.sees(words.providers[0]);
  const opened = terminal.cells();
  await card.pick("login", "oauth");
  await card.pick("providers", "github", "wechat");
  const picked = await shot();
  await card.send();
  await card.closed();
  // Once more, without the message that lies over it for a moment.
  await person.at(asks[0]);
  await card.closed();
  const sent = await shot();
  await terminal.sees('{"answers"');
  const told = terminal.cells();
  await person.page.goto("about:blank");
  await person.leave();
  return [
    { cells: asked, shot: whole, seconds: 4 },
    { cells: opened, shot: whole, seconds: 3 },
    { cells: opened, shot: picked, seconds: 3.5 },
    { cells: told, shot: sent, seconds: 5 },
  ];
}

/** A picture of the page, small: browsers read WebP, and so does whoever shows a README. */
async function small(chrome, png) {
  const page = await chrome.newPage();
  const data = await page.evaluate(async (source) => {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.width, picture.height];
    canvas.getContext("2d").drawImage(picture, 0, 0);
    return canvas.toDataURL("image/webp", 0.86);
  }, `data:image/png;base64,${png.toString("base64")}`);
  await page.close();
  return data;
}

/** When each scene is shown. Without motion the first one stays. */
function style(scenes) {
  const whole = scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  const percent = (seconds) => `${((100 * seconds) / whole).toFixed(2)}%`;
  let begun = 0;
  const frames = scenes.map(({ seconds }, n) => {
    const [from, to] = [percent(begun), percent((begun += seconds))];
    const before = n === 0 ? "" : "0%{visibility:hidden}";
    const after = n === scenes.length - 1 ? "" : `${to}{visibility:hidden}`;
    return `@keyframes s${n}{${before}${from}{visibility:visible}${after}}.s${n}{animation:s${n} ${whole}s step-end infinite}`;
  });
  return `.scene{visibility:hidden}.s0{visibility:visible}${frames.join("")}
.caption{fill:#57606a;font:17px system-ui,-apple-system,'Segoe UI','Noto Sans CJK SC',sans-serif}
@media (prefers-color-scheme:dark){.caption{fill:#a8b1c0}}
@media (prefers-reduced-motion:reduce){.scene{animation:none}}`;
}

async function drawn(chrome, scenes, { label, captions }) {
  const terminal = size(COLUMNS, ROWS);
  const [width, height] = [terminal.width + GAP + PHONE.width + 14, PHONE.height + 14 + 44];
  const top = Math.round((PHONE.height + 14 - terminal.height) / 2);
  const left = terminal.width + GAP + 7;
  const images = new Map();
  for (const { shot } of scenes) if (!images.has(shot)) images.set(shot, await small(chrome, shot));
  const defined = [...images.values()].map((data, n) => `<image id="p${n}" clip-path="url(#glass)" width="${PHONE.width}" height="${PHONE.height}" href="${data}"/>`);
  const phones = [...images.keys()];
  const parts = scenes.map(({ cells, shot }, n) => `<g class="scene s${n}">
<g transform="translate(0 ${top})">${screen(cells)}</g>
<use href="#p${phones.indexOf(shot)}" transform="translate(${left} 7)"/>
<text class="caption" x="${width / 2}" y="${height - 12}" text-anchor="middle">${captions[n]}</text>
</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">
<style>${style(scenes)}</style>
<defs>${defined.join("\n")}
<clipPath id="glass"><rect width="${PHONE.width}" height="${PHONE.height}" rx="20"/></clipPath></defs>
<g transform="translate(0 ${top})">${paper(COLUMNS, ROWS)}</g>
<rect x="${left - 6.5}" y=".5" width="${PHONE.width + 13}" height="${PHONE.height + 13}" rx="26" fill="#16161e" stroke="#3b3f5c"/>
${parts.join("\n")}
</svg>
`;
}

/** Each scene as it is seen, to be looked at: target/pictures/. */
async function seen(chrome, svg, n_scenes, language) {
  const folder = join(root, "target/pictures");
  mkdirSync(folder, { recursive: true });
  for (const theme of ["light", "dark"]) {
    const page = await chrome.newPage({ colorScheme: theme, viewport: { width: 1020, height: 600 } });
    await page.setContent(`<body style="margin:10px;background:${theme === "dark" ? "#0d1117" : "#fff"}">${svg}`);
    for (let n = 0; n < n_scenes; n += 1) {
      await page.addStyleTag({ content: `.scene{animation:none!important;visibility:hidden!important}.s${n}{visibility:visible!important}` });
      await page.screenshot({ path: join(folder, `moving-${language}-${theme}-${n}.png`) });
      await page.evaluate(() => document.head.lastElementChild.remove());
    }
    await page.close();
  }
}

const wanted = process.argv.slice(2);
for (const language of wanted.length ? wanted : ["en", "zh"]) {
  const stage = await new Stage().start();
  try {
    const chrome = await browser(stage);
    const scenes = await play(stage, chrome, language);
    const svg = await drawn(chrome, scenes, TEXTS[language]);
    if (svg.length > BYTES_MAX) throw new Error(`${svg.length} bytes are more than ${BYTES_MAX}`);
    writeFileSync(join(root, `docs/pictures/askuser-${language}.svg`), svg);
    await seen(chrome, svg, scenes.length, language);
    console.log(`docs/pictures/askuser-${language}.svg: ${svg.length} bytes; look at target/pictures/moving-${language}-*.png`);
  } finally {
    await stage.strike();
  }
}
