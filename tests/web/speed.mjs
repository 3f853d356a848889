// How fast the page is: node tests/web/speed.mjs YOMI CHROMIUM [SECONDS]
// Prints how long the page takes to load, and the CPU time of its main thread for each report of an analysis, by
// Chromium's own trace; beside it that of a page on which a single number changes as often, which is what a frame
// costs the browser on this machine. docs/web.md has the figures.
import { Browser } from "./browser.mjs";
import { Server } from "./server.mjs";

const [yomi, chromium, seconds = "10"] = process.argv.slice(2);
const server = await Server.start(yomi, 0, "builtin");
const browser = await Browser.start(chromium);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const quantile = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(share * list.length))] ?? 0;

/** All events of a trace that is taken while `work` runs. */
async function trace(work) {
  const events = [];
  let ended;
  const end = new Promise((done) => (ended = done));
  const listen = ({ method, params }) => {
    if (method === "Tracing.dataCollected") events.push(...params.value);
    if (method === "Tracing.tracingComplete") ended();
  };
  browser.listeners.add(listen);
  await browser.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel", "devtools.timeline"] } });
  await work();
  await browser.send("Tracing.end");
  await end;
  browser.listeners.delete(listen);
  return events;
}

/** Milliseconds of the main thread from each update, which begins with such an event, to the next. */
function work(events, begins) {
  const received = events.filter(({ name }) => name === begins);
  if (received.length < 2) throw new Error("no updates in the trace");
  const { pid, tid } = received[0];
  const tasks = events.filter((e) => e.pid === pid && e.tid === tid && e.ph === "X" && /RunTask$/.test(e.name)).sort((a, b) => a.ts - b.ts);
  const starts = received.map(({ ts }) => ts).sort((a, b) => a - b);
  const sums = starts.slice(1).map(() => 0);
  let outer = -Infinity; // tasks within tasks are counted once
  for (const task of tasks) {
    if (task.ts < outer) continue;
    outer = task.ts + task.dur;
    // The message is received within the task that begins the update.
    const i = starts.findLastIndex((ts) => ts <= task.ts + task.dur);
    if (i >= 0 && i < sums.length) sums[i] += (task.tdur ?? task.dur) / 1000;
  }
  return sums;
}

async function load() {
  const times = [];
  for (let i = 0; i < 5; i++) {
    const begun = performance.now();
    const tab = await browser.tab(server.address);
    await tab.until("document.querySelector('.connection.open')", "the connection");
    const open = performance.now() - begun;
    const painted = await tab.until("performance.getEntriesByName('first-contentful-paint')[0]?.startTime", "the first paint");
    times.push({ painted, open });
    await tab.close();
  }
  return times;
}

const moves = { go: "Q16 D4 Q4 D16 R6 C6", shogi: "7g7f 3c3d 2g2f 8c8d" };
const played = "document.querySelectorAll('.moves li button').length";

/** A game of a few moves, entered. */
async function begin(tab, name, choices) {
  for (const choice of choices) await tab.press(choice);
  await tab.eval("document.querySelector('.new-game').requestSubmit()");
  for (const move of moves[name].split(" ")) {
    const before = await tab.eval(played);
    await tab.type("[name=move]", move);
    await tab.key("Enter");
    await tab.until(`${played} > ${before}`, move);
  }
  await tab.eval("location.hash = 'analyse'");
  await tab.until("document.querySelector('main.analyse')", "the page");
}

/** A game of 144 moves on 19x19, pasted: stones that touch no other of their colour. */
async function paste(tab) {
  const letters = "abcdefghijklmnopqrs";
  const points = [...letters].flatMap((x, i) => [...letters].map((y, j) => [`${x}${y}`, (i + 2 * j) % 5]));
  const of = (residue) => points.filter(([, r]) => r === residue).map(([point]) => point).slice(0, 72);
  const white = of(2);
  const text = `(;SZ[19]KM[6.5]${of(0).map((point, i) => `;B[${point}];W[${white[i]}]`).join("")})`;
  await tab.eval("location.hash = 'analyse'");
  await tab.until("document.querySelector('main.analyse')", "the page");
  await tab.eval(`document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: (() => { const data = new DataTransfer(); data.setData("text/plain", ${JSON.stringify(text)}); return data; })(), bubbles: true }))`);
  await tab.until("document.querySelectorAll('.tree .twig').length === 145", "the long game");
  await tab.eval("document.querySelector('.navigation button:last-child').click()");
  await tab.until(`${played} === 144`, "its end");
}

async function analyse(name, prepare, shown, options) {
  const tab = await browser.tab(server.address, options);
  await tab.until("document.querySelector('.connection.open')", "the connection");
  await prepare(tab);
  for (const overlay of shown) await tab.eval(`document.querySelector('[name=${overlay}]').click()`);
  await tab.eval("document.querySelector('.panel .button.primary').click()");
  await sleep(2000);
  const sums = work(await trace(() => sleep(1000 * Number(seconds))), "WebSocketReceive");
  await tab.close();
  print(`${name}, ${options.width} x ${options.height}${shown.length > 0 ? `, with ${shown.join(" and ")}` : ""}`, sums);
}

/** A page on which a number changes ten times a second. */
async function baseline() {
  const script = "let n = 0; setInterval(() => document.querySelector('main').textContent = ++n, 100)";
  const tab = await browser.tab(`data:text/html,<main>0</main><script>${script}</script>`);
  const sums = work(await trace(() => sleep(1000 * Number(seconds))), "TimerFire");
  await tab.close();
  print("one number", sums);
}

function print(what, sums) {
  const ms = (share) => `${quantile(sums, share).toFixed(1)} ms`;
  console.log(`${what}: ${sums.length} updates, median ${ms(0.5)}, 95th percentile ${ms(0.95)}, most ${ms(1)}`);
}

try {
  const times = await load();
  console.log(`load: painted after ${quantile(times.map((t) => t.painted), 0.5).toFixed(0)} ms, connected after ${quantile(times.map((t) => t.open), 0.5).toFixed(0)} ms (medians of ${times.length})`);
  const go = (tab) => begin(tab, "go", ["Go", "Two people", "19×19"]);
  const desktop = { width: 1280, height: 800 };
  await analyse("go", go, [], desktop);
  await analyse("go", go, ["ownership", "policy"], desktop);
  await analyse("go", go, ["ownership"], { width: 390, height: 844, touch: true });
  await analyse("go, 144 moves", paste, ["ownership"], desktop);
  await analyse("shogi", (tab) => begin(tab, "shogi", ["Shogi", "Two people"]), [], desktop);
  await baseline();
} finally {
  await browser.close();
  await server.stop();
}
