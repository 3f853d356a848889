// The page in Chromium, served by a real yomi web: node page.mjs YOMI CHROMIUM FOLDER [WHICH]
// FOLDER is for what the page saves; WHICH chooses scenes by their name. With PAGE_URL the page is taken
// from there, for work on it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Browser } from "./browser.mjs";
import { Server } from "./server.mjs";

const [yomi, chromium, folder, which = ""] = process.argv.slice(2);
const data = resolve("tests/data");
// Matches that others run on this machine are not shown here.
process.env.XDG_RUNTIME_DIR = join(resolve(folder), "run");
mkdirSync(process.env.XDG_RUNTIME_DIR, { mode: 0o700, recursive: true });
let server = await Server.start(yomi, Number(process.env.SERVER_PORT ?? 0));
const address = process.env.PAGE_URL ?? server.address;
const health = await (await fetch(new URL("health", server.address))).json();
if (!health.page && !process.env.PAGE_URL) {
  await server.stop();
  process.exit(77);
}
const browser = await Browser.start(chromium);

const point = (size, text) => `.shudan-vertex[data-x="${"ABCDEFGHJKLMNOPQRST".indexOf(text[0])}"][data-y="${size - Number(text.slice(1))}"]`;
const spot = (square) => `[data-spot="${square}"]`;
/** Whether a part of what the engine thinks is on the canvas above the Go board, and the canvas not blank. */
const drawn = (part) => `(() => {
  const canvas = document.querySelector("canvas.thoughts[data-drawn~=${part}]");
  return canvas && canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0);
})()`;
const ranks = "[...document.querySelectorAll('.board-coordinates text:nth-child(2)')].map((e) => e.textContent).join('')";
const moves = "document.querySelectorAll('.moves li button').length";
const stones = "document.querySelectorAll('.shudan-stone .shudan-inner').length";

/** A drag whose events come before the page can draw between them. */
const dragAtOnce = (from, to) => `{
  const middle = (square) => {
    const { x, y, width, height } = document.querySelector('[data-spot="' + square + '"]').getBoundingClientRect();
    return { clientX: x + width / 2, clientY: y + height / 2 };
  };
  const send = (type, square) => document.querySelector(".shogiban").dispatchEvent(new PointerEvent(type, { ...middle(square), bubbles: true }));
  send("pointerdown", "${from}");
  send("pointermove", "${to}");
  send("pointerup", "${to}");
}`;

/** How many different pictures these characters give in the page's own font: those that it lacks are boxes, all alike. */
const pictures = (characters) => `document.fonts.load('40px "Yomi Kanji"', "歩").then((faces) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 40 });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.font = '40px "Yomi Kanji", Courier';
  return faces.length && new Set([..."${characters}"].map((character) => {
    context.clearRect(0, 0, 40, 40);
    context.fillText(character, 0, 36);
    return canvas.toDataURL();
  })).size;
})`;

async function open(options = {}) {
  const tab = await browser.tab(address, options);
  await tab.until("document.querySelector('.connection.open')", "the connection");
  return tab;
}

async function begin(tab, choices) {
  for (const choice of choices) await tab.press(choice);
  await tab.press("Start");
}

/** Two people play Go to the end: mouse, keys and text; a dead stone is marked alive and dead again. */
async function wholeGoGame() {
  const tab = await open();
  await begin(tab, ["Go", "Two people", "9×9"]);
  let count = 0;
  const move = async (text) => {
    await tab.click(point(9, text));
    await tab.until(`${moves} === ${++count}`, text);
  };
  for (let row = 1; row <= 9; row++) {
    await move(`E${row}`);
    if (row < 9) await move(`F${row}`);
  }
  await tab.type("[name=move]", "f9");
  await tab.key("Enter");
  await tab.until(`${moves} === ${++count}`, "a move that is typed");
  await tab.press("Pass");
  await tab.until(`${moves} === ${++count}`);
  // B5 with the keys alone: the cursor begins in the middle.
  await tab.eval("document.querySelector('.goban').focus()");
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter"]) await tab.key(key);
  await tab.until(`${moves} === ${++count}`, "a move by keys");
  assert.equal(await tab.eval(stones), 19);
  for (let i = 0; i < 2; i++) await tab.press("Pass");
  const score = "document.querySelector('.score')?.textContent";
  await tab.until(`/^[BW]\\+/.test(${score})`, "the count");
  const proposed = await tab.eval(score);
  await tab.until("document.querySelectorAll('.shudan-dimmed').length === 1", "the dead stone");
  await tab.click(point(9, "B5"));
  await tab.until(`document.querySelectorAll('.shudan-dimmed').length === 0 && ${score} !== ${JSON.stringify(proposed)}`, "another count");
  await tab.click(point(9, "B5"));
  await tab.until(`${score} === ${JSON.stringify(proposed)}`, "the first count again");
  await tab.press("Accept");
  await tab.until("/wins/.test(document.querySelector('.result h3').textContent)", "the result");
  await review(tab);
}

/** Against the engine: it answers, gives a hint, a move is taken back, and the game resigned. */
async function goAgainstEngine() {
  const tab = await open();
  await begin(tab, ["Go", "You and Yomi", "Black", "9×9"]);
  await tab.click(point(9, "E5"));
  await tab.until(`${moves} === 2`, "the engine's move");
  await tab.press("Hint");
  await tab.until(drawn("candidates"), "a hint");
  await tab.press("Undo");
  await tab.until(`${moves} === 0 && ${stones} === 0`, "the move taken back");
  await tab.click(point(9, "C3"));
  await tab.until(`${moves} === 2`, "the engine's next move");
  await tab.press("Resign");
  await tab.until("/White wins/.test(document.querySelector('.result h3').textContent)", "the resignation");
  await tab.press("Undo");
  await tab.until(`!document.querySelector('.result') && ${moves} === 2`, "the game that goes on where it stood");
  await tab.close();
}

/** What is tried in the analysis leaves the game as it is, and Play shows it again. */
async function gameBesideAnalysis() {
  const tab = await open();
  await begin(tab, ["Go", "Two people", "9×9"]);
  const ply = "document.querySelector('.ply')?.textContent";
  const line = "[...document.querySelectorAll('.moves li button')].map((e) => e.textContent.replace(/^[0-9]+/, '')).join(' ')";
  const play = async (...points) => {
    for (const text of points) {
      const before = await tab.eval(ply);
      await tab.click(point(9, text));
      await tab.until(`${ply} !== ${JSON.stringify(before)}`, text);
    }
  };
  await play("E5", "C3", "G7");
  await tab.key("ArrowLeft"); // a click on the board leaves the arrows to the moves
  await tab.until(`${ply} === "move 2"`, "the position before");
  await tab.eval("location.hash = 'analyse'");
  await tab.until("document.querySelector('main.analyse')", "the analysis");
  await play("A1", "B1");
  await tab.eval("location.hash = 'play'");
  await tab.until(`${ply} === "move 3" && ${stones} === 3`, "the game again");
  await tab.eval("location.hash = 'analyse'");
  await tab.until("document.querySelector('main.analyse')", "the analysis");
  await play("A2"); // where the game goes on with another move
  await tab.eval("location.hash = 'play'");
  await tab.until(`${ply} === "move 3"`, "the game once more");
  await play("G3");
  for (const key of ["Home", "End"]) await tab.key(key);
  await tab.until(`${line} === "E5 C3 G7 G3"`, "the moves of the game as the main line");
  await tab.eval("location.hash = 'analyse'");
  await tab.until("document.querySelector('main.analyse')", "the analysis");
  for (const key of ["Home", "ArrowRight", "ArrowRight"]) await tab.key(key);
  await tab.press("Delete");
  await tab.eval("location.hash = 'play'");
  await tab.press("Resume");
  await play("D4");
  assert.equal(await tab.eval(line), "E5 D4");
  await tab.press("Resign");
  await tab.eval("location.hash = 'analyse'");
  await tab.until("document.querySelector('main.analyse')", "the analysis");
  await play("A1", "B1"); // where the game ended
  const ended = async (when) => {
    for (const key of ["Home", "End"]) await tab.key(key);
    await tab.until(`${ply} === "move 2" && ${line} === "E5 D4"`, `the game that ended, ${when}`);
  };
  await ended("with what was tried beside it");
  await tab.key("ArrowRight");
  await tab.until(`${line} === "E5 D4 A1 B1"`, "what was tried");
  await tab.reload();
  await tab.until(`document.querySelector('.connection.open') && ${line} === "E5 D4 A1 B1"`, "the same after a reload");
  await ended("after a reload");
  await tab.close();
}

async function engines() {
  const tab = await open();
  await begin(tab, ["Go", "Yomi and Yomi", "9×9"]);
  await tab.until(`${moves} >= 3`, "moves of both engines");
  await tab.press("Pause");
  await tab.press("Resume");
  const before = await tab.eval(moves);
  await tab.until(`${moves} > ${before}`, "more moves");
  await tab.press("Resign");
  await tab.close();
}

/** The shortest mate: drag, clicks, a promotion that is asked for, a drop. */
async function wholeShogiGame() {
  const tab = await open();
  await begin(tab, ["Shogi", "Two people"]);
  const step = async (from, to, count) => {
    await tab.click(spot(from));
    await tab.until("document.querySelector('.cell-target, .cell-take')", "the targets");
    await tab.click(spot(to));
    if (count) await tab.until(`${moves} === ${count}`, `${from}${to}`);
  };
  assert.equal(await tab.eval(ranks), "abcdefghi", "ranks as in the moves");
  const pieces = "歩香桂銀金角飛玉王と杏圭全馬龍一二三四五六七八九";
  assert.equal(await tab.eval(pictures(pieces)), pieces.length, "characters that are boxes");
  await tab.drag(spot("7g"), spot("7f"));
  await tab.until(`${moves} === 1`, "a move by dragging");
  await tab.eval(dragAtOnce("6a", "7b"));
  await tab.until(`${moves} === 2`, "a move by dragging faster than the page draws");
  await step("8h", "3c");
  await tab.click('[data-promote="true"]');
  await tab.until(`${moves} === 3`, "a promotion");
  await step("4a", "4b", 4);
  await step("3c", "4b", 5);
  await step("5a", "6a", 6);
  await step("G*", "5b", 7);
  await tab.until("/Sente wins/.test(document.querySelector('.result h3').textContent)", "mate");
  const near = "[...document.querySelectorAll('.player')].pop().textContent";
  await tab.press("Turn the board");
  await tab.until(`/Gote/.test(${near})`, "the board turned");
  await tab.press("New game");
  await tab.press("Start");
  await tab.until(`${moves} === 0 && /Sente/.test(${near})`, "a new game, seen from sente's side");
  await tab.close();
}

async function shogiAgainstEngine() {
  const tab = await open();
  await begin(tab, ["Shogi", "You and Yomi", "Gote"]);
  await tab.until(`${moves} === 1`, "the engine's first move");
  await tab.type("[name=move]", "3c3d");
  await tab.key("Enter");
  await tab.until(`${moves} === 3`, "its answer");
  await tab.reload();
  await tab.until(`document.querySelector('.connection.open') && ${moves} === 3`, "the game after a reload");
  await tab.press("Resume");
  await tab.type("[name=move]", "8c8d");
  await tab.key("Enter");
  await tab.until(`${moves} >= 5`, "the game that goes on");
  // An analysis takes the engine from the game, which waits, and gives it back.
  await tab.eval("location.hash = 'analyse'");
  await tab.eval("document.querySelector('.panel .button.primary').click()");
  await tab.until(drawn("candidates"), "an analysis beside the game");
  await tab.eval("location.hash = 'play'");
  await tab.press("Resign");
  await tab.until("/Sente wins/.test(document.querySelector('.result h3').textContent)", "the resignation");
  await tab.drop(join(data, "sgf/ogs.sgf"));
  await tab.until("document.querySelector('main.analyse .goban')", "a record in place of the game");
  await tab.eval("location.hash = 'play'");
  await tab.until("document.querySelector('.new-game')", "no game any more");
  await tab.close();
}

/** A king among ten pieces in the far ranks, with 28 points: the button is there when it is that side's turn. */
async function declaredWin() {
  const tab = await open();
  const pawns = Array.from({ length: 9 }, (_, i) => `${i + 1}2FU`).join("");
  const text = ["V2.2", `P+51OU93KI${pawns}00HI00HI00KA00FU00FU00FU`, "P-59OU", "+"].join("\n");
  await tab.eval("location.hash = 'analyse'");
  await tab.type("[name=paste]", text);
  await tab.press("Read");
  await tab.until("document.querySelector('.piece') && document.querySelectorAll('.piece').length < 20", "the position");
  await tab.press("Play from here");
  await begin(tab, ["Two people"]);
  await tab.press("Declare a win");
  await tab.until("/Sente wins · declaration/.test(document.querySelector('.result h3').textContent)", "the win");
  await tab.close();
}

/** Files of every kind, dropped and pasted; keys; a comment; saved, and what was saved read again. */
async function records() {
  const tab = await open();
  await browser.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await tab.drop(join(data, "sgf/sabaki.sgf"));
  await tab.until("document.querySelectorAll('.twig').length === 8", "the variations of the SGF");
  await tab.eval("document.activeElement.blur()");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown"]) await tab.key(key);
  await tab.until(`${stones} === 4`, "the fourth move");
  await tab.type("[name=comment]", "good shape");
  await tab.until("document.querySelector('.twig.commented')", "the mark of a comment");
  await startAnalysis(tab);
  await tab.eval("document.querySelector('.panel .button.primary').click()");
  await tab.press("SGF");
  const saved = join(folder, "game.sgf");
  for (let i = 0; i < 600 && !existsSync(saved); i++) await new Promise((done) => setTimeout(done, 50));
  const text = readFileSync(saved, "utf8");
  assert.match(text, /C\[good shape/);
  assert.match(text, /SBKV\[/, "what the engine found");
  await tab.press("Empty Go board");
  await tab.until("document.querySelectorAll('.twig').length === 1", "an empty board");
  await tab.drop(saved);
  await tab.until("document.querySelector('.twig.commented') && document.querySelectorAll('.twig').length >= 8", "what was saved");
  for (const [file, count] of [["shift_jis.kif", 2], ["variations.kif", 2], ["handicap.kif", 2]]) {
    await tab.drop(join(data, "shogi", file));
    await tab.until(`document.querySelector('.shogi') && document.querySelectorAll('.twig').length >= ${count}`, file);
    await tab.press("Empty Go board");
    await tab.until("document.querySelector('.goban')", "an empty board");
  }
  await tab.drop(join(data, "sgf/collection.sgf"));
  await tab.until("/4 games/.test(document.querySelector('.notice')?.textContent)", "how many games the file has");
  await tab.eval("{ const box = document.querySelector('[name=collection]'); box.value = 2; box.dispatchEvent(new Event('change')); }");
  await tab.until("document.querySelector('.goban').dataset.size === '5' && document.querySelector('[name=collection]').value === '2'", "the third game of the file");
  await tab.press("Empty Go board");
  await tab.until("!document.querySelector('[name=collection]')", "no file any more");
  await tab.drop(join(data, "shogi/variations.kif"));
  await tab.until("document.querySelector('.shogi')", "a game of shogi");
  await tab.press("Review");
  await tab.until("document.querySelectorAll('.review-side').length === 2", "its review");
  await tab.press("KIF");
  const kif = join(folder, "game.kif");
  for (let i = 0; i < 600 && !existsSync(kif); i++) await new Promise((done) => setTimeout(done, 50));
  assert.match(readFileSync(kif, "utf8"), /#ノード数=[1-9]/, "the nodes of a review");
  await tab.press("日本語"); // the longer lines
  const wide = "[...document.querySelectorAll('.mistakes button')].filter((e) => e.getBoundingClientRect().right > document.querySelector('.review').getBoundingClientRect().right).length";
  assert.equal(await tab.eval(wide), 0, "lines of a review that leave its box");
  await tab.press("English");
  await tab.press("Empty Go board");
  for (const file of ["floodgate.csa", "game.ki2"]) {
    await tab.eval(`(() => {
      const box = document.querySelector("[name=paste]");
      box.value = ${JSON.stringify(readFileSync(join(data, "shogi", file), "utf8"))};
      box.dispatchEvent(new Event("input", { bubbles: true }));
    })()`);
    await tab.press("Read");
    await tab.until("document.querySelector('.shogi') && document.querySelectorAll('.twig').length > 2", file);
    await tab.press("Empty Go board");
  }
  await tab.drop(join(data, "gtp/standard.gtp"));
  await tab.until("document.querySelector('.files .problem')", "an error about a file that is no record");
  await tab.close();
}

const visits = "Number(document.querySelector('.lines td.visits')?.textContent.replace('k', '00').replace('.', '') ?? 0)";

const trace = "(document.querySelector('.trace-line')?.getAttribute('points') ?? '').split(' ').map((point) => Number(point.split(',')[0]))";

async function startAnalysis(tab) {
  await tab.eval("document.querySelector('.panel .button.primary').click()");
  await tab.until(`${visits} > 0`, "candidates");
}

/** Candidates, the line under the pointer, overlays, the curve; then the connection is lost and found. */
async function analysis() {
  const tab = await open();
  await tab.press("Go");
  await tab.press("9×9");
  await tab.press("Analyse");
  await startAnalysis(tab);
  const first = await tab.eval(visits);
  await tab.until(`${visits} > ${first}`, "a search that grows");
  await tab.hover(".lines tbody tr");
  await tab.until("document.querySelector('.shudan-marker_label')", "the line on the board");
  await tab.hover("header");
  await tab.until("!document.querySelector('.shudan-marker_label')", "the position again");
  await tab.eval("document.querySelector('[name=ownership]').click()");
  await tab.until(drawn("ownership"), "ownership");
  await tab.eval("document.querySelector('[name=policy]').click()");
  await tab.until(drawn("policy"), "the policy");
  await tab.eval("document.querySelector('[name=policy]').click()");
  // Each overlay starts the search anew, and its trace too: time goes forward.
  await tab.eval("location.hash = 'watch'");
  await tab.until(`${trace}.length > 3`, "the trace of the search");
  assert.ok(await tab.eval(`${trace}.every((x, i, all) => i === 0 || x >= all[i - 1])`), "the trace goes back in time");
  await tab.eval("location.hash = 'analyse'");
  await tab.click(point(9, "E5"));
  await tab.until(`${stones} === 1 && ${visits} > 0`, "an analysis of the next position");
  assert.ok(await tab.eval("document.querySelector('.curve canvas') !== null"));

  const { port } = server;
  await server.stop();
  await tab.until("document.querySelector('.connection.lost')", "the loss of the connection");
  await tab.click(point(9, "C3"));
  await tab.until(`${stones} === 2`, "a move without a connection");
  server = await Server.start(yomi, port);
  await tab.until("document.querySelector('.connection.open')", "a new connection");
  await tab.until(`${visits} > 0`, "the analysis after the loss");

  const other = await open();
  await other.press("Shogi");
  await other.press("Analyse");
  await other.eval("document.querySelector('.panel .button.primary').click()");
  await other.until(drawn("candidates"), "the second tab's analysis");
  const seen = await tab.eval(visits);
  await tab.until(`${visits} > ${seen}`, "the first tab's analysis beside it");
  await other.press("Search");
  await other.until("document.querySelectorAll('.growing li').length > 0", "lines that grow");
  await other.until("/Sente wins/.test(document.querySelector('.figures').textContent)", "the sides of shogi by their names");
  await other.close();

  await tab.press("Play from here");
  await tab.press("Two people");
  await tab.press("Start");
  await tab.until(`document.querySelector("main.play") && ${moves} === 0 && ${stones} === 2`, "a game from this position");
  await tab.press("Search");
  await tab.press("Play one out");
  await tab.until("document.querySelector('input[type=range]')?.max > 10", "a playout");
  await tab.until(`${stones} > 5`, "a playout that is replayed");
  await tab.close();
}

/** The game that was played to its end is gone through. */
async function review(tab) {
  await tab.press("Review");
  await tab.until("document.querySelectorAll('.review-side').length === 2", "the review");
  if (await tab.eval("document.querySelectorAll('.mistakes li').length > 0")) {
    await tab.eval("document.querySelector('.mistakes .answer').click()");
    await tab.until("document.querySelector('.shudan-marker_label')", "what followed the mistake, on the board");
  }
  await tab.close();
}

/** A phone: nothing wider than the screen, touch plays, in both languages and both colours. */
async function phone() {
  const tab = await open({ width: 375, height: 720, touch: true, scheme: "dark" });
  await begin(tab, ["Go", "Two people", "19×19"]);
  await tab.tap(point(19, "Q16"));
  await tab.until("document.querySelector('.ghost-b')", "the stone to confirm");
  assert.equal(await tab.eval(moves), 0);
  await tab.tap(point(19, "Q16"));
  await tab.until(`${moves} === 1`, "a move by touch");
  await tab.press("New game");
  await begin(tab, ["Shogi", "Two people"]);
  const touch = async (square) => {
    await tab.tap(spot(square));
    await new Promise((done) => setTimeout(done, 200)); // the click that follows a tap
  };
  for (const [from, to, count] of [["7g", "7f", 1], ["3c", "3d", 2], ["8h", "2b", 2]]) {
    await touch(from);
    await tab.until("document.querySelector('.cell-target, .cell-take')", "the targets");
    await touch(to);
    await tab.until(`${moves} === ${count}`, `${from}${to} by touch`);
  }
  await touch("5e"); // beside the question: the piece is not moved
  await tab.until("!document.querySelector('.promotion')", "no question any more");
  await touch("2b");
  await tab.tap('[data-promote="false"]');
  await tab.until(`${moves} === 3`, "a promotion that is refused");
  for (const language of ["ja", "en"]) {
    await tab.press(language === "ja" ? "日本語" : "English");
    await tab.until(`document.documentElement.lang === "${language}"`, language);
    for (const page of ["play", "analyse", "watch", "about"]) {
      await tab.eval(`location.hash = "${page}"`);
      await tab.until(`document.querySelector("main.${page}")`, page);
      assert.ok(await tab.eval("document.documentElement.scrollWidth <= innerWidth"), `${page} is too wide in ${language}`);
      assert.deepEqual(await tab.eval(nameless), [], `controls without a name on ${page}`);
    }
  }
  await tab.eval('location.hash = "play"');
  for (const [language, newGame, clock, cancel] of [["日本語", "新しい対局", "5分+10秒", "やめる"], ["English", "New game", "5m + 10s", "Cancel"]]) {
    await tab.press(language);
    await tab.until(`${ranks} === "${language === "English" ? "abcdefghi" : "一二三四五六七八九"}"`, `ranks in ${language}`);
    await tab.press(newGame);
    await tab.until(`[...document.querySelectorAll(".new-game label")].some((e) => e.textContent.trim() === "${clock}")`, clock);
    await tab.press(cancel);
  }
  await tab.until("/MIT/.test(document.querySelector('.licences')?.textContent) || (location.hash = '#about', false)", "the licences");
  await tab.key("1");
  await tab.until("document.querySelector('main.play')", "the key for Play on the page that lists the keys");
  const foreign = "performance.getEntriesByType('resource').map((e) => e.name).filter((name) => !name.startsWith(location.origin))";
  assert.deepEqual(await tab.eval(foreign), []);
  await tab.close();
}

/** Matches of both games and a cluster, which appear while they run and go when they end. */
async function live() {
  const tab = await open();
  await tab.eval('location.hash = "watch"');
  const has = (text) => `document.querySelector(".live")?.textContent.includes(${JSON.stringify(text)})`;
  await tab.until(has("that run on this machine"), "no match yet");
  const engine = `'${yomi}' gtp --playouts 300 --threads 1`;
  const go = spawn(yomi, ["match", engine, `${engine} --rave 0`, "--jobs", "2", "--games", "100000"], { stdio: "ignore" });
  await tab.until(has("of 100000 games"), "a match of Go");
  await tab.until("document.querySelectorAll('.live .shudan-goban').length === 2", "two boards");
  await tab.until("document.querySelectorAll('.live .shudan-stone .shudan-inner').length > 10", "stones");
  await tab.until("document.querySelectorAll('.live-table tbody tr').length === 2 && /Elo/.test(document.querySelector('.live').textContent)", "the table");
  const shown = await tab.eval("document.querySelector('.live-boards').innerHTML");
  await tab.until(`document.querySelector('.live-boards').innerHTML !== ${JSON.stringify(shown)}`, "the next moves");
  go.kill("SIGTERM");
  await once(go, "exit");
  const shogi = spawn(yomi, ["match", "--game", "shogi", `'${yomi}' usi`, `'${yomi}' usi`, "--nodes", "2000", "--games", "100000"], { stdio: "ignore" });
  await tab.until("document.querySelectorAll('.live svg.shogi').length === 1 && !document.querySelector('.live .shudan-goban')", "a match of shogi");
  shogi.kill("SIGKILL"); // its text stays behind, and goes nevertheless
  await once(shogi, "exit");
  await tab.until(has("that run on this machine"), "the end of the matches");
  const cluster = spawn(yomi, ["usi", "--cluster", "local:2"], { stdio: ["pipe", "ignore", "ignore"] });
  cluster.stdin.write("usi\nisready\nposition startpos\ngo infinite\n");
  await tab.until(has("2 of 2 workers search"), "the workers");
  cluster.stdin.end("stop\nquit\n");
  await once(cluster, "exit");
  await tab.until(has("that run on this machine"), "the end of the cluster");
  await tab.close();
}

/** Files and texts that are no records: a message, wherever the page is, and a connection that stays. */
async function noRecords() {
  const tab = await open();
  const notice = "(document.querySelector('.notice')?.textContent ?? '')";
  const paste = (text) => tab.eval(`document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: (() => { const data = new DataTransfer(); data.setData("text/plain", ${text}); return data; })(), bubbles: true }))`);
  writeFileSync(join(folder, "noise.kif"), Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) & 255));
  writeFileSync(join(folder, "huge.sgf"), `(;SZ[9]C[${"a".repeat(3e6)}])`);
  for (const page of ["play", "analyse", "watch", "about"]) {
    await tab.eval(`location.hash = "${page}"`);
    await tab.until(`document.querySelector("main.${page}")`, page);
    await paste("'x'.repeat(1500000)");
    await tab.until(`/too long/.test(${notice})`, `a text that is too long, on ${page}`);
    await paste("'hello'");
    await tab.until(`${notice} && !/too long/.test(${notice})`, `a text that is no record, on ${page}`);
    for (const name of ["noise.kif", "huge.sgf"]) {
      await tab.drop(join(folder, name));
      await tab.until(`${notice}.includes("${name}")`, `${name} on ${page}`);
    }
  }
  assert.ok(await tab.eval("document.querySelector('.connection.open')"), "the connection was lost");
  await paste("'(;SZ[9];B[aa];W[aa])'");
  await tab.until(`/illegal/i.test(${notice})`, "the warning of a record that is read in part");
  await tab.close();
}

/** What a browser keeps may be of another version, or damaged; what fails nevertheless is told, with a way on. */
async function damaged() {
  const tab = await open();
  const reload = async () => {
    await tab.reload();
    await tab.until("document.querySelector('.connection.open') && document.querySelector('.new-game')", "the form");
  };
  for (const [settings, form, game] of [
    ["{", "{", "{"],
    ["null", "null", "7"],
    ['{"language":"xx","theme":7}', '{"game":"chess","size":"z","level":99,"time":"never","rules":"x","komi":"a"}', '{"record":{"game":"go","start":{"size":99},"headers":{},"nodes":[]}}'],
    ['{"letters":"no"}', '{"game":"shogi","start":"x"}', '{"record":{"game":"shogi","start":{"sfen":"x"},"headers":{},"nodes":[{"parent":-1}]}}'],
  ]) {
    await tab.eval(`addEventListener("pagehide", () => {
      localStorage.setItem("yomi.settings", ${JSON.stringify(settings)});
      localStorage.setItem("yomi.newgame", ${JSON.stringify(form)});
      sessionStorage.setItem("yomi.game", ${JSON.stringify(game)});
    })`);
    await reload();
    await tab.press("Two people");
    await tab.press("Start");
    await tab.until("document.querySelector('[name=move]')", `a game after ${form}`);
    await tab.eval("sessionStorage.clear()");
  }
  await tab.eval(`(() => {
    const join = Array.prototype.join;
    Array.prototype.join = function (...args) {
      if (this.includes("scalar")) throw new Error("sabotage");
      return join.apply(this, args);
    };
    location.hash = "about";
  })()`);
  await tab.until("/sabotage/.test(document.querySelector('[role=alert]')?.textContent)", "what went wrong");
  await tab.eval("location.hash = 'play'");
  await tab.eval("setTimeout(() => document.querySelector('[role=alert] button').click())");
  await tab.until("document.querySelector('.connection.open') && document.querySelector('.new-game')", "an empty board");
  await tab.close();
}

const nameless = `[...document.querySelectorAll("button, a, input, select, textarea, [role=application]")]
  .filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || e.title || e.labels?.length))
  .map((e) => e.outerHTML)`;

const scenes = {
  "a whole game of Go, counted and reviewed": wholeGoGame,
  "Go against the engine": goAgainstEngine,
  "a game beside its analysis": gameBesideAnalysis,
  "the engine against itself": engines,
  "a whole game of shogi": wholeShogiGame,
  "shogi against the engine": shogiAgainstEngine,
  "a win that is declared": declaredWin,
  "records": records,
  "analysis, a lost connection, two tabs, a playout": analysis,
  "a phone": phone,
  "files that are no records": noRecords,
  "what is kept, damaged": damaged,
  "matches and clusters that run": live,
};

try {
  for (const [name, run] of Object.entries(scenes)) {
    if (!name.includes(which)) continue;
    await run();
    assert.deepEqual(browser.errors, []);
    console.log(`ok: ${name}`);
  }
} finally {
  await browser.close();
  await server.stop();
}
