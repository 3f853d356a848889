// Builds the page: npm ci && npm run build -- --outdir DIR
// Writes index.html, app.js, app.css, icon.svg, kanji.ttf and licences.txt, which are all that a server needs.
import { build } from "esbuild";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fontLicence, kanjiFont } from "./font.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: { outdir: { type: "string", default: "dist" }, debug: { type: "boolean", default: false } },
});
const outdir = resolve(values.outdir);

/** The folders of the npm packages that went into the bundle: theirs are the licences to show. */
function bundledPackages(metafile) {
  const folders = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) folders.add(match[1]);
  }
  return [...folders].sort().map((folder) => join(here, folder));
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}

mkdirSync(outdir, { recursive: true });
const result = await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  outdir,
  bundle: true,
  metafile: true,
  minify: !values.debug,
  sourcemap: values.debug ? "inline" : false,
  format: "iife",
  target: ["es2021", "safari15"],
  jsx: "automatic",
  jsxImportSource: "preact",
  external: ["kanji.ttf"],
  legalComments: "none", // licences.txt has the full texts
  logLevel: "warning",
});

for (const file of ["index.html", "icon.svg"]) copyFileSync(join(here, file), join(outdir, file));
writeFileSync(join(outdir, "kanji.ttf"), await kanjiFont([join(here, "src/boards"), join(here, "src/views")]));
const own = join(here, "..", "LICENSE");
const licences = bundledPackages(result.metafile).map(licenceOf);
licences.push(fontLicence());
if (existsSync(own)) licences.unshift(`Yomi\n\n${readFileSync(own, "utf8").trim()}\n`);
writeFileSync(join(outdir, "licences.txt"), licences.join("\n" + "-".repeat(72) + "\n\n"));
