// A package registry on loopback with nothing but the packages that were just made: `npx` and `npm` find them as they
// would find them published.
//
//   node registry.mjs FILE.tgz…      prints its address, and serves until it is ended

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { basename } from "node:path";

const made = process.argv.slice(2).map((file) => {
  const bytes = readFileSync(file);
  const manifest = JSON.parse(execFileSync("tar", ["-xzOf", file, "package/package.json"], { encoding: "utf8" }));
  return { name: manifest.name, file: basename(file), bytes, manifest };
});

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://x").pathname).slice(1);
  const found = made.find((one) => one.name === path || one.file === path);
  if (!found) {
    response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not found"}');
  } else if (found.file === path) {
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(found.bytes);
  } else {
    const integrity = `sha512-${createHash("sha512").update(found.bytes).digest("base64")}`;
    const tarball = `http://127.0.0.1:${server.address().port}/${found.file}`;
    const version = { ...found.manifest, dist: { tarball, integrity } };
    const { name } = found;
    const body = { name, "dist-tags": { latest: version.version }, versions: { [version.version]: version } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  }
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
