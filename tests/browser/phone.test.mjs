// The phone: a QR code on the terminal, a certificate that the desk made itself, one tap.
//
// The network is 127.0.0.2 here, another address than the one that the commands use. Nobody signs in at an address of
// this machine itself, so the phone comes by the name of the network, which its browser finds there.

import assert from "node:assert/strict";
import { one } from "./asks.mjs";
import { Card } from "./card.mjs";
import { scene } from "./scene.mjs";
import { told } from "./stage.mjs";
import { read_code } from "./visitor.mjs";

const here = scene((stage) => {
  stage.args = ["--tls-listen", "127.0.0.2:0"];
  stage.configure({ server: { hosts: ["phone.test"] } });
});
const { stage, story } = here;
/** A phone whose owner compared the fingerprint and went on. */
const phone = { size: "phone", signed_in: false, more: { ignoreHTTPSErrors: true } };

/** What a camera reads from the terminal: a row of text is two rows of squares. */
function photographed(text) {
  const rows = text.split("\n").filter((line) => /^[ ▀▄█]+$/.test(line));
  const side = 4;
  const [width, height] = [rows[0].length * side, rows.length * 2 * side];
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const letter = rows[Math.floor(y / side / 2)][Math.floor(x / side)];
      const lit = letter === "█" || letter === (Math.floor(y / side) % 2 === 0 ? "▀" : "▄");
      // A terminal is dark, and what is drawn on it is light.
      if (!lit) pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return read_code(pixels, width, height)?.data;
}

story("D1 D19 a phone signs in by the code, answers over TLS, and the code is good once", phone, async (person) => {
  const { out, said } = await stage.in_terminal("open", "--qr");
  const shown = photographed(out);
  assert.equal(shown, out.trim().split("\n").at(-1), "the code and the text beside it are the same");
  assert.match(shown, /^https:\/\/127\.0\.0\.2:\d+\/login\//);
  const link = shown.replace("127.0.0.2", "phone.test");
  const { network } = (await stage.call("GET", "/api/status")).json;
  assert.ok(network.self_made && said.includes(network.fingerprint), said);
  stage.seen_at = new URL(link).origin;
  // Whoever does not trust the certificate gets no further than the warning.
  const careful = await here.another({ size: "phone", signed_in: false });
  await assert.rejects(careful.page.goto(link), /ERR_CERT_AUTHORITY_INVALID/);
  await careful.context.close();

  const { page } = person;
  await page.goto(link);
  await page.locator("form[method=post] button").first().tap();
  await page.waitForURL(`${stage.url}/`);
  await page.locator('html[data-script="on"]').waitFor();
  const cookie = (await person.context.cookies()).find(({ name }) => name === "__Host-askuser");
  assert.deepEqual([cookie.secure, cookie.httpOnly, cookie.sameSite], [true, true, "Strict"]);
  // What is asked now comes by itself, over the same line.
  const ask = await stage.ask(one());
  await page.locator(`#row-${ask.ask_id}`).waitFor();
  const card = new Card(await person.at(ask));
  await card.pick("db", "lite");
  await card.send();
  await card.closed();
  const outcome = await stage.outcome(ask.ask_id);
  assert.deepEqual([outcome.by.channel, outcome.by.proof, told(outcome)], ["web", "cookie", { db: ["lite"] }]);

  const late = await here.another(phone);
  await late.page.goto(link);
  await late.page.locator("form[method=post] button").first().tap();
  await late.page.waitForLoadState();
  assert.deepEqual(await late.context.cookies(), []);
  assert.equal(await late.page.locator("#asks").count(), 0);
  await late.leave();
  await stage.run("doctor");
});
