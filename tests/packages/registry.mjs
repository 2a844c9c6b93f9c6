// A package registry on loopback with nothing but the packages that were just made: `npx` and `npm` find them as they
// would find them published.
//
//   node registry.mjs FILE.tgz…      prints its address, and serves until it is ended; the latest version comes last

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
  const file = made.find((one) => one.file === path);
  const named = made.filter((one) => one.name === path);
  if (file) {
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(file.bytes);
  } else if (named.length > 0) {
    const versions = Object.fromEntries(named.map(({ manifest, bytes, file }) => {
      const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
      const tarball = `http://127.0.0.1:${server.address().port}/${file}`;
      return [manifest.version, { ...manifest, dist: { tarball, integrity } }];
    }));
    const body = { name: path, "dist-tags": { latest: Object.keys(versions).at(-1) }, versions };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  } else {
    response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not found"}');
  }
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
