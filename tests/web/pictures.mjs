// The pictures of docs/page.md: node tests/web/pictures.mjs YOMI CHROMIUM FOLDER [WHICH]
// They are larger than they need to be: pngquant --ext .png --force 128 FOLDER/*.png
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Browser } from "./browser.mjs";
import { Server } from "./server.mjs";

const [yomi, chromium, folder, which = ""] = process.argv.slice(2);
process.env.XDG_RUNTIME_DIR = mkdtempSync(join(tmpdir(), "yomi-pictures-")); // no matches of others
const server = await Server.start(yomi, Number(process.env.SERVER_PORT ?? 0), "builtin");
const address = process.env.PAGE_URL ?? server.address;
const browser = await Browser.start(chromium);
const moves = "document.querySelectorAll('.moves li button').length";

async function picture(name, options, prepare) {
  if (!name.includes(which)) return;
  const tab = await browser.tab(address, options);
  await tab.until("document.querySelector('.connection.open')", "the connection");
  await prepare(tab);
  await tab.until("!document.querySelector('.notice')", "the end of the notice");
  writeFileSync(join(folder, `${name}.png`), await tab.screenshot());
  await tab.close();
}

async function typeMoves(tab, list) {
  for (const move of list.split(" ")) {
    const before = await tab.eval(moves);
    await tab.type("[name=move]", move);
    await tab.key("Enter");
    await tab.until(`${moves} > ${before}`, move);
  }
}

/** A game between two people, then the analysis of its last position. */
async function analyse(tab, choices, list, enough) {
  for (const choice of choices) await tab.press(choice);
  await tab.eval("document.querySelector('.new-game').requestSubmit()");
  await typeMoves(tab, list);
  await tab.eval("location.hash = 'analyse'");
  await tab.until("document.querySelector('main.analyse')", "the page");
  await tab.eval("document.querySelector('.panel .button.primary').click()");
  await tab.until(enough, "candidates");
}

const visits = (n) => `Number(document.querySelector('.lines td.visits')?.textContent.replace('k', '00').replace('.', '')) >= ${n}`;
const opening = "E5 E3 C4 G4 G5 F5 F4 F6 G3";
try {
  await picture("go", { width: 1180, height: 760 }, (tab) => analyse(tab, ["Go", "Two people", "9×9"], opening, visits(300)));
  await picture("shogi", { width: 1180, height: 760, scheme: "dark" }, (tab) =>
    analyse(tab, ["Shogi", "Two people"], "7g7f 8c8d 2g2f 4a3b 6i7h 8d8e 2f2e 3c3d 2e2d 2c2d 2h2d", "Number(document.querySelector('.lines td:nth-child(4)')?.textContent) >= 12 && document.querySelectorAll('.lines tbody tr').length >= 3"),
  );
  await picture("review", { width: 1180, height: 760 }, async (tab) => {
    await tab.drop(resolve("tests/data/sgf/ogs.sgf"));
    await tab.until("document.querySelectorAll('.twig').length > 3", "the record");
    await tab.press("Review");
    await tab.until("document.querySelectorAll('.review-side').length === 2", "the review");
    await tab.eval("document.querySelector('.mistakes button')?.click()");
    await tab.eval("document.querySelector('.review').scrollIntoView()");
  });
  await picture("phone", { width: 390, height: 800, scale: 1.5, touch: true }, async (tab) => {
    for (const choice of ["日本語", "将棋", "二人で"]) await tab.press(choice);
    await tab.eval("document.querySelector('.new-game').requestSubmit()");
    await typeMoves(tab, "7g7f 3c3d 8h2b+ 3a2b 2g2f");
    await tab.eval("scrollTo(0, 0)");
    await tab.tap('[data-spot="B*"]');
  });
  await picture("match", { width: 1180, height: 760 }, async (tab) => {
    const engine = `'${yomi}' gtp --threads 1 --playouts`;
    const match = spawn(yomi, ["match", `${engine} 150`, `${engine} 600`, "gnugo --mode gtp --level 1 --chinese-rules", "--jobs", "2", "--games", "300"], { stdio: "ignore" });
    await tab.eval("location.hash = 'watch'");
    await tab.until("/ 1[0-9] of 300/.test(document.querySelector('.live-match')?.textContent)", "some games");
    await tab.until("[...document.querySelectorAll('.live-boards figure')].filter((f) => f.querySelectorAll('.shudan-stone .shudan-inner').length > 15).length === 2", "two boards");
    await tab.eval("document.querySelector('.live').scrollIntoView()");
    match.kill("SIGTERM");
  });
} finally {
  await browser.close();
  await server.stop();
  rmSync(process.env.XDG_RUNTIME_DIR, { recursive: true });
}
