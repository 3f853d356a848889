#!/usr/bin/env bash
# The page's types, and its unit tests under node.
. tests/lib.sh
. tests/web/lib.sh
need_modules page_units

mkdir -p "$tmp/tests/web"
cp -r web "$tmp/web"
rm -rf "$tmp/web/node_modules"
ln -s "$modules" "$tmp/web/node_modules"
cp -r tests/web/unit "$tmp/tests/web/unit"
cd "$tmp/web" || exit 1
node node_modules/typescript/bin/tsc --noEmit -p . || fail "the types are wrong"
# Compiled first: node runs no TypeScript.
node --input-type=module -e '
    import { build } from "esbuild";
    import { readdirSync } from "node:fs";
    const folder = "../tests/web/unit/";
    await build({ entryPoints: readdirSync(folder).map((file) => folder + file), outdir: "../out", bundle: true,
        platform: "node", format: "esm", outExtension: { ".js": ".mjs" }, logLevel: "warning", });' || fail "the tests do not build"
node --test --test-reporter=tap ../out/*.mjs >../log 2>&1 || fail "$(cat ../log)"
count=$(sed -nE 's/^# pass ([0-9]+)$/\1/p' ../log)
((${count:-0} >= 20)) || fail "only ${count:-0} unit tests ran: $(cat ../log)"
exit $failed
