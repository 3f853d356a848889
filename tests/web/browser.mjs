// Chromium, driven through its DevTools protocol over a pipe: nothing to install but Chromium itself.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const patience_ms = 60000; // against tests that hang; a slow machine needs far less

const flags = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-extensions",
  "--disable-sync",
  "--no-first-run",
  "--mute-audio",
  "--hide-scrollbars",
  "--remote-debugging-pipe",
];

export class Browser {
  static async start(executable) {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), "yomi-browser-"));
    browser.process = spawn(executable, [...flags, `--user-data-dir=${browser.profile}`, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    browser.pending = new Map();
    browser.listeners = new Set();
    browser.nextId = 1;
    browser.errors = []; // exceptions in any page
    browser.ended = new Promise((resolve) => browser.process.once("exit", resolve));
    browser.#read(browser.process.stdio[4]);
    await browser.send("Browser.getVersion");
    if (process.env.WS_LOG) browser.listeners.add(logFrames);
    return browser;
  }

  #read(stream) {
    let text = "";
    stream.setEncoding("utf8");
    stream.on("data", (chunk) => {
      text += chunk;
      const messages = text.split("\0");
      text = messages.pop();
      for (const message of messages) this.#take(JSON.parse(message));
    });
  }

  #take(message) {
    const waiting = this.pending.get(message.id);
    if (waiting) {
      this.pending.delete(message.id);
      if (message.error) waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
      else waiting.resolve(message.result);
    } else for (const listener of this.listeners) listener(message);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.nextId++;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.pending.set(id, { method, resolve, reject }));
  }

  /** A new tab. `scheme`: "light" or "dark"; `touch`: a phone. */
  async tab(url, { width = 1280, height = 800, scheme = "light", touch = false, scale = 1 } = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const tab = new Tab(this, sessionId, targetId);
    if (process.env.WS_LOG) await tab.send("Network.enable");
    await tab.send("Page.enable");
    await tab.send("Runtime.enable");
    await tab.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: scale, mobile: touch });
    await tab.send("Emulation.setTouchEmulationEnabled", { enabled: touch });
    await tab.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    await tab.send("Page.navigate", { url });
    await tab.until("document.querySelector('main')", "the page");
    return tab;
  }

  async close() {
    this.send("Browser.close").catch(() => undefined);
    const late = setTimeout(() => this.process.kill("SIGKILL"), 5000);
    await this.ended;
    clearTimeout(late);
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** With WS_LOG in the environment, the messages between page and server are printed. */
function logFrames({ method, params }) {
  if (/^Network.webSocketFrame/.test(method)) console.log(method.slice(22), params.response.payloadData.slice(0, 200));
}

export class Tab {
  constructor(browser, sessionId, targetId) {
    Object.assign(this, { browser, sessionId, targetId });
    browser.listeners.add((message) => {
      if (message.sessionId !== sessionId) return;
      if (message.method !== "Runtime.exceptionThrown") return;
      browser.errors.push(message.params.exceptionDetails.exception?.description ?? "?");
    });
  }

  send(method, params = {}) {
    return this.browser.send(method, params, this.sessionId);
  }

  /** The value of an expression in the page. */
  async eval(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
      userGesture: true,
    });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  /** Waits until an expression is true, and returns its value. */
  async until(expression, what = expression) {
    const end = Date.now() + patience_ms;
    for (;;) {
      const asked = this.eval(`(() => { try { const v = (${expression}); return v instanceof Node ? true : v; } catch { return false; } })()`);
      const value = await asked.catch((error) => {
        if (!/navigated|context/.test(error.message)) throw error;
        return false; // the page is being loaded again
      });
      if (value) return value;
      if (Date.now() > end) {
        const seen = await this.eval("document.querySelector('main')?.innerText ?? ''");
        throw new Error(`waited in vain for ${what}; errors: ${this.browser.errors.join("; ")}; the page shows:\n${seen}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }

  /** Loads the page again. The old one answers for a moment after it was told to. */
  async reload() {
    await this.eval("window.isOld = true");
    await this.send("Page.reload");
    await this.until("!window.isOld", "the page to load again");
  }

  /** The middle of an element, which is scrolled into sight, once it stands still. */
  async middle(selector) {
    await this.until(`document.querySelector(${JSON.stringify(selector)})`, selector);
    const where = () => this.eval(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element?.scrollIntoView({ block: "nearest", inline: "nearest" });
      const { left = 0, top = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
      return new Promise((done) => setTimeout(() => done({ x: left + width / 2, y: top + height / 2 }), 20));
    })()`);
    for (let last = await where(); ; ) {
      const next = await where();
      if (next.x === last.x && next.y === last.y && next.x > 0) return next;
      last = next;
    }
  }

  async mouse(type, { x, y }, rest = {}) {
    await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1, ...rest });
  }

  async click(selector) {
    const at = await this.middle(selector);
    await this.mouse("mouseMoved", at, { button: "none", clickCount: 0 });
    await this.mouse("mousePressed", at);
    await this.mouse("mouseReleased", at);
  }

  async hover(selector) {
    await this.mouse("mouseMoved", await this.middle(selector), { button: "none", clickCount: 0 });
  }

  async drag(from, to) {
    const [a, b] = [await this.middle(from), await this.middle(to)];
    await this.mouse("mouseMoved", a, { button: "none" });
    await this.mouse("mousePressed", a);
    await this.mouse("mouseMoved", { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, { buttons: 1 });
    await this.mouse("mouseMoved", b, { buttons: 1 });
    await this.mouse("mouseReleased", b);
  }

  async tap(selector) {
    const at = await this.middle(selector);
    await this.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
    await this.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  async key(key, code = key) {
    const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, code, text, windowsVirtualKeyCode: virtualKeys[key] ?? 0 });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code, windowsVirtualKeyCode: virtualKeys[key] ?? 0 });
  }

  async type(selector, text) {
    await this.click(selector);
    await this.send("Input.insertText", { text });
  }

  /** Presses the button with this text. */
  async press(text) {
    const find = `[...document.querySelectorAll("button, label, a")].find((e) => e.textContent.trim() === ${JSON.stringify(text)} && !e.disabled)`;
    await this.until(find, `the button "${text}"`);
    await this.eval(`${find}.click()`);
  }

  /** Drops a file on the page, as a pointer that carries one does. */
  async drop(path) {
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    const send = (type) => this.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
    await this.send("Page.bringToFront");
    await this.eval("window.dropped = false; window.addEventListener('drop', () => (window.dropped = true), { once: true })");
    // The browser asks the page whether it takes the file, and forgets a drop that comes before the answer.
    for (let i = 1; i <= 20 && !(await this.eval("window.dropped")); i++)
      for (const type of ["dragEnter", "dragOver", "dragOver", "drop"]) {
        await send(type);
        await new Promise((resolve) => setTimeout(resolve, 20 * i));
      }
    if (!(await this.eval("window.dropped"))) throw new Error(`${path} was not dropped`);
  }

  async screenshot() {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  async close() {
    await this.browser.send("Target.closeTarget", { targetId: this.targetId });
  }
}

const virtualKeys = { Enter: 13, Escape: 27, " ": 32, PageUp: 33, PageDown: 34, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Tab: 9 };
