// The documentation site in Chromium: node site.mjs CHROMIUM FOLDER [PICTURE]
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [chromium, folder, picture] = process.argv.slice(2);
const browser = await Browser.start(chromium);
try {
  const tab = await browser.tab(pathToFileURL(join(resolve(folder), "match.html")).href, { width: 1180, height: 760 });
  const broken = "[...document.images].filter((i) => !i.complete || !i.naturalWidth).map((i) => i.src)";
  assert.deepEqual(await tab.eval(broken), []);
  assert.ok(await tab.eval("document.querySelectorAll('nav a').length > 20 && document.querySelector('table td code') !== null"));
  assert.ok(await tab.eval("document.documentElement.scrollWidth <= innerWidth"), "too wide");
  await tab.type("header input", "bradley terry");
  await tab.until("document.querySelector('#found a')?.getAttribute('href') === 'match.html'", "the page that has it");
  await tab.type("header input", "nosuchword");
  await tab.until("document.querySelector('#found').textContent === 'Nothing found.'", "nothing");
  if (picture) writeFileSync(picture, await tab.screenshot());
  assert.deepEqual(browser.errors, []);
} finally {
  await browser.close();
}
