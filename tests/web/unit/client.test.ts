import assert from "node:assert/strict";
import test from "node:test";
import { Client, RequestError, type Socket } from "../../../web/src/net/client";
import { isLast, type Position } from "../../../web/src/net/protocol";

class Wire implements Socket {
  sent: { type: string; id: number }[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string; id: number });
  }
  close(): void {
    this.onclose?.();
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

function connected(): { client: Client; wires: Wire[] } {
  const wires: Wire[] = [];
  const client = new Client(() => {
    wires.push(new Wire());
    return wires[wires.length - 1]!;
  });
  client.connect();
  wires[0]!.onopen!();
  return { client, wires };
}

const position: Position = { game: "shogi", sfen: "startpos", moves: [] };

test("an answer reaches the request that it belongs to", async () => {
  const { client, wires } = connected();
  const a = client.request("position", { position });
  const b = client.request("position", { position });
  wires[0]!.say({ type: "position", id: b.id, legal: ["b"] });
  wires[0]!.say({ type: "position", id: a.id, legal: ["a"] });
  assert.deepEqual([(await a.done).legal, (await b.done).legal], [["a"], ["b"]]);
});

test("reports come until the last one", async () => {
  const { client, wires } = connected();
  const seen: number[] = [];
  const handle = client.request("analyze", { position }, (message) => message.type === "report" && seen.push(message.visits));
  for (const visits of [1, 2]) wires[0]!.say({ type: "report", id: handle.id, visits, final: false });
  wires[0]!.say({ type: "report", id: handle.id, visits: 3, final: true });
  assert.equal((await handle.done).visits, 3);
  assert.deepEqual(seen, [1, 2]);
});

test("an error rejects its request, with its code", async () => {
  const { client, wires } = connected();
  const handle = client.request("position", { position });
  wires[0]!.say({ type: "error", id: handle.id, code: "illegal", message: "no" });
  await assert.rejects(handle.done, (error: RequestError) => error.reply.code === "illegal" && error.message === "no");
  const hinted = client.request("position", { position });
  wires[0]!.say({ type: "error", id: hinted.id, code: "range", message: "too wide", hint: "2 to 19" });
  await assert.rejects(hinted.done, { message: "too wide; 2 to 19" });
});

test("after a loss the page connects again and repeats what was under way", async () => {
  const { client, wires } = connected();
  const done = client.request("position", { position });
  wires[0]!.say({ type: "position", id: done.id, legal: [] });
  const open = client.request("analyze", { position });
  wires[0]!.close();
  assert.equal(client.state.get(), "lost");
  const asked = client.request("position", { position }); // while there is no connection
  while (wires.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  wires[1]!.onopen!();
  assert.equal(client.state.get(), "open");
  const ids = wires[1]!.sent.filter(({ type }) => type !== "hello").map(({ id }) => id);
  assert.deepEqual(ids, [open.id, asked.id]);
});

test("a request that is stopped is not repeated, and its late answer is dropped", () => {
  const { client, wires } = connected();
  const seen: unknown[] = [];
  const handle = client.request("analyze", { position }, (message) => seen.push(message));
  client.stop(handle);
  assert.equal(wires[0]!.sent[wires[0]!.sent.length - 1]!.type, "stop");
  wires[0]!.say({ type: "report", id: handle.id, final: false });
  assert.deepEqual(seen, []);
});

test("a request that the server would hang up on is refused at once, and not repeated", async () => {
  const { client, wires } = connected();
  const sent = wires[0]!.sent.length;
  await assert.rejects(client.request("record.read", { text: "あ".repeat(400_000) }).done, /too long: at most 1048 KB/);
  assert.equal(wires[0]!.sent.length, sent);
  wires[0]!.close();
  while (wires.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  wires[1]!.onopen!();
  assert.deepEqual(wires[1]!.sent.map(({ type }) => type), ["hello"]);
});

test("a server that does not take the page's key any more is told from one that is not there", async () => {
  let refused = true;
  const wires: Wire[] = [];
  const client = new Client(() => wires[wires.push(new Wire()) - 1]!, async () => refused);
  const tick = (): Promise<void> => new Promise((done) => setImmediate(done));
  client.connect();
  wires[0]!.close();
  await tick();
  assert.equal(client.state.get(), "refused");
  client.connect();
  refused = false;
  wires[1]!.close();
  await tick();
  assert.equal(client.state.get(), "lost");
  client.connect();
  wires[2]!.onopen!();
  assert.equal(client.state.get(), "open");
});

test("garbage does no harm; an error without a request becomes a notice", () => {
  const { client, wires } = connected();
  wires[0]!.onmessage!({ data: "{" });
  wires[0]!.say({ type: "report", id: 999 });
  wires[0]!.say({ type: "error", id: null, code: "busy", message: "too many" });
  assert.equal(client.notice.get(), "too many");
});

test("reports of a move that is thought about do not end it", () => {
  assert.ok(!isLast({ type: "report", final: true }, "move"));
  assert.ok(isLast({ type: "move" }, "move"));
  assert.ok(!isLast({ type: "review.move" }, "review"));
  assert.ok(isLast({ type: "error" }, "review"));
});
