// Draws what a terminal shows as SVG. Frames and round marks are drawn as lines: a font would leave gaps between them.

import { width } from "./terminal.mjs";

const CELL = { x: 9, y: 19 };
const MARGIN = 18;
const COLOURS = { 1: "#f7768e", 2: "#9ece6a", 3: "#e0af68", 4: "#7aa2f7", 5: "#bb9af7", 6: "#7dcfff" };
const [PAPER, INK, DIM] = ["#16161e", "#c0caf5", "#8088ac"];
export const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', monospace";

/** From the middle of a cell to its right, bottom, left and top edge. */
const LINES = {
  "─": "rl", "│": "bt", "╭": "rb", "╮": "lb", "╰": "rt", "╯": "lt", "├": "rbt", "┤": "blt", "┬": "rbl", "┴": "rlt", "┼": "rblt",
  "┌": "rb", "┐": "bl", "└": "rt", "┘": "lt",
};

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const colour = ({ colour: number, dim }) => COLOURS[number > 7 ? number - 8 : number] ?? (dim ? DIM : INK);

/** How large a terminal is drawn. */
export const size = (columns, rows) => ({ width: columns * CELL.x + 2 * MARGIN, height: rows * CELL.y + 2 * MARGIN });

/** The window, without what stands in it. */
export function paper(columns, rows) {
  const { width: w, height: h } = size(columns, rows);
  return `<rect x=".5" y=".5" width="${w - 1}" height="${h - 1}" rx="10" fill="${PAPER}" stroke="#3b3f5c"/>`;
}

function line(letter, x, y) {
  const [middle, centre] = [x + CELL.x / 2, y + CELL.y / 2];
  const ends = { r: `H${x + CELL.x}`, l: `H${x}`, b: `V${y + CELL.y}`, t: `V${y}` };
  if ("╭╮╰╯".includes(letter)) {
    const [aside, along] = LINES[letter];
    return `M${aside === "r" ? x + CELL.x : x} ${centre}Q${middle} ${centre} ${middle} ${along === "b" ? centre + 5 : centre - 5}${ends[along]}`;
  }
  return [...LINES[letter]].map((way) => `M${middle} ${centre}${ends[way]}`).join("");
}

function mark(letter, x, y, look) {
  const at = `cx="${x + CELL.x / 2}" cy="${y + CELL.y / 2}" r="3.6"`;
  return letter === "●"
    ? `<circle ${at} fill="${colour(look)}"/>`
    : `<circle ${at} fill="none" stroke="${colour(look)}" stroke-width="1.2"/>`;
}

function words(text, x, y, look) {
  const n_columns = [...text].reduce((n, letter) => n + width(letter), 0);
  // Chinese letters fill their two columns.
  const larger = width(text[0]) === 2 ? ' font-size="17"' : "";
  const more = `${larger}${look.bold ? ' font-weight="bold"' : ""}${look.italic ? ' font-style="italic"' : ""}${look.underlined ? ' text-decoration="underline"' : ""}`;
  return `<text x="${x}" y="${y + 14}" textLength="${n_columns * CELL.x}" fill="${colour(look)}"${more}>${escaped(text)}</text>`;
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** What stands on a screen. */
export function screen(cells) {
  const parts = [];
  const lines = new Map();
  cells.forEach((row, number) => {
    const y = MARGIN + number * CELL.y;
    let run = null;
    const end = () => {
      const text = run?.text.trimEnd();
      if (text) parts.push(words(text, run.x, y, run.look));
      run = null;
    };
    for (const { letter, column, look } of row) {
      const x = MARGIN + column * CELL.x;
      if (letter in LINES) {
        end();
        const key = colour(look);
        lines.set(key, (lines.get(key) ?? "") + line(letter, x, y));
      } else if (letter === "●" || letter === "○") {
        end();
        parts.push(mark(letter, x, y, look));
      } else {
        // A symbol that its font draws wider than a cell must not push what follows.
        const alone = letter > "~" && width(letter) === 1;
        const gap = run?.text.endsWith("  ") && letter !== " ";
        if (run && (alone || run.alone || gap || !same(run.look, look) || run.width !== width(letter))) end();
        if (!run && letter === " ") continue;
        run ??= { text: "", x, look, alone, width: width(letter) };
        run.text += letter;
      }
    }
    end();
  });
  for (const [key, path] of lines) parts.push(`<path d="${path}" stroke="${key}" fill="none"/>`);
  return `<g font-family="${FONT}" font-size="15" xml:space="preserve">${parts.join("\n")}</g>`;
}

/** A screen as a picture by itself. */
export function picture(cells, columns, label) {
  const { width: w, height: h } = size(columns, cells.length);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img" aria-label="${escaped(label)}">\n${paper(columns, cells.length)}\n${screen(cells)}\n</svg>\n`;
}
