// Writes a bill of materials (CycloneDX 1.6) from `cargo metadata` on standard input.
//
//   cargo metadata … | node materials.mjs VERSION SECONDS TARGET

import { readFileSync } from "node:fs";

const [version, seconds, target] = process.argv.slice(2);
const metadata = JSON.parse(readFileSync(0, "utf8"));
const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
const packages = new Map(metadata.packages.map((package_) => [package_.id, package_]));

/** What is built in: reached from the program by ordinary dependencies, not by those of tests or builds. */
const reached = new Set();
const open = metadata.workspace_members.filter((id) => packages.get(id).name === "askuser");
while (open.length > 0) {
  const id = open.pop();
  if (reached.has(id)) continue;
  reached.add(id);
  for (const dependency of nodes.get(id).deps) {
    if (dependency.dep_kinds.some((kind) => kind.kind === null)) open.push(dependency.pkg);
  }
}

const name = (package_) => `pkg:cargo/${package_.name}@${package_.version}`;
const built_in = [...reached].map((id) => packages.get(id)).sort((a, b) => (name(a) < name(b) ? -1 : 1));
/** A static program has its C library in it. */
const libraries = target.endsWith("-musl")
  ? [{ type: "library", name: "musl", description: "as zig brings it along", licenses: [{ license: { id: "MIT" } }] }]
  : [];
const bill = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: {
    timestamp: new Date(Number(seconds) * 1000).toISOString(),
    component: { type: "application", name: "askuser", version, "bom-ref": `pkg:cargo/askuser@${version}` },
  },
  components: built_in
    .filter((package_) => package_.source)
    .map((package_) => ({
      type: "library",
      "bom-ref": name(package_),
      name: package_.name,
      version: package_.version,
      purl: name(package_),
      ...(package_.license ? { licenses: [{ expression: package_.license.replaceAll("/", " OR ") }] } : {}),
    }))
    .concat(libraries),
  dependencies: built_in.map((package_) => ({
    ref: name(package_),
    dependsOn: nodes.get(package_.id).deps.map(({ pkg }) => pkg).filter((id) => reached.has(id))
      .map((id) => name(packages.get(id))).sort(),
  })),
};
console.log(JSON.stringify(bill, null, 1));
