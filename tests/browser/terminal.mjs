// A terminal of a person's own (tmux), and what stands in it, cell by cell.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./stage.mjs";

const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

/** How many columns a letter takes. */
export const width = (letter) => (WIDE.test(letter) ? 2 : 1);

export class Terminal {
  #socket;

  /**
   * Opens a shell with nothing of this shell's environment.
   * @param {import("./stage.mjs").Stage} stage
   * @param {{columns: number, rows: number, language: "en" | "zh", path: string}} like `path` leads to the program
   */
  constructor(stage, { columns, rows, language, path }) {
    this.#socket = join(stage.folder, `screen-${columns}x${rows}.socket`);
    const profile = join(stage.folder, "profile");
    writeFileSync(profile, "PS1='$ '\ncd\n");
    const env = {
      HOME: stage.folder, ASKUSER_HOME: join(stage.folder, "data"), ASKUSER_LANG: language, PATH: `${path}:/usr/bin:/bin`,
      LANG: "C.UTF-8", TERM: "xterm-256color", ENV: profile, TZ: "UTC",
    };
    this.#tell(["new-session", "-d", "-x", `${columns}`, "-y", `${rows}`, "sh"], env);
    this.#tell(["set", "status", "off"]);
    stage.closing.push(() => this.#tell(["kill-server"]));
  }

  #tell(args, env = { PATH: "/usr/bin:/bin" }) {
    const told = spawnSync("tmux", ["-S", this.#socket, "-f", "/dev/null", "-u", ...args], { env, encoding: "utf8" });
    if (told.status !== 0) throw new Error(`tmux ${args[0]}: ${told.stderr}`);
    return told.stdout;
  }

  types(...keys) {
    this.#tell(["send-keys", ...keys]);
  }

  /** Waits until it shows something, and then for what comes with it. */
  async sees(text) {
    await until(`${text}\n${this.text()}`, () => this.text().includes(text));
    await new Promise((done) => setTimeout(done, 500));
  }

  text() {
    return this.#tell(["capture-pane", "-p"]);
  }

  /** Its lines; each is a list of letters with where they stand and how they look. */
  cells() {
    const lines = this.#tell(["capture-pane", "-p", "-e"]).trimEnd().split("\n");
    let look = {};
    return lines.map((line) => {
      const cells = [];
      let column = 0;
      for (const [, codes, letter] of line.matchAll(/\x1b\[([\d;]*)m|(\p{Extended_Pictographic}\ufe0f|.)/gu)) {
        if (letter === undefined) look = changed(look, codes);
        else {
          cells.push({ letter, column, look });
          column += width(letter);
        }
      }
      return cells;
    });
  }
}

/** A look after the codes of a terminal. */
function changed(look, codes) {
  let next = { ...look };
  const numbers = codes.split(";").map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at];
    if (code === 0) next = {};
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underlined = true;
    else if (code === 7) next.reversed = true;
    else if (code === 22) next = { ...next, bold: false, dim: false };
    else if (code === 23) next.italic = false;
    else if (code === 24) next.underlined = false;
    else if (code === 27) next.reversed = false;
    else if (code === 39) delete next.colour;
    else if (code === 38 && numbers[at + 1] === 5) next.colour = numbers[(at += 2)];
    else if (code >= 30 && code <= 37) next.colour = code - 30;
    else if (code >= 90 && code <= 97) next.colour = code - 82;
  }
  return next;
}
