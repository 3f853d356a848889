import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { Analysis } from "../../../web/src/control/analysis";
import { Play, type Player, type PlaySetup } from "../../../web/src/control/play";
import { Review } from "../../../web/src/control/review";
import { Document, shogiStartEven } from "../../../web/src/game/document";
import { recordOf } from "../../../web/src/game/record";
import { movesTo, tipOf } from "../../../web/src/game/tree";
import type { Client } from "../../../web/src/net/client";
import type { Position } from "../../../web/src/net/protocol";

const person: Player = { kind: "person" };
const engine: Player = { kind: "engine", level: 1 };
const go = { game: "go", size: 9, komi: 7, rules: "chinese" } as const;

/** A server that answers when the test says so. */
class Server {
  readonly asked: { type: string; send: object; answer: (reply: object) => Promise<void> }[] = [];
  request(type: string, send: object): object {
    let resolve: (reply: object) => void = () => undefined;
    const done = new Promise((settled) => (resolve = settled));
    const answer = async (reply: object): Promise<void> => {
      resolve(reply);
      await new Promise((later) => setTimeout(later));
    };
    this.asked.push({ type, send, answer });
    return { id: this.asked.length, done, forget: () => undefined };
  }
  stop(): void {}
  /** Answers the last request of a move. */
  async moves(move: string): Promise<void> {
    await this.asked.findLast(({ type }) => type === "move")!.answer({ move, stopped: false });
  }
}

const begun: Play[] = [];
afterEach(() => begun.splice(0).forEach((play) => play.clock.halt()));

function begin(b: Player, w: Player, start: PlaySetup["start"] = go, clock: PlaySetup["clock"] = null): { play: Play; doc: Document; server: Server } {
  const server = new Server();
  const doc = new Document();
  const play = new Play(server as unknown as Client, doc, { stop: () => undefined } as Analysis);
  begun.push(play);
  play.begin({ start, players: { b, w }, clock });
  return { play, doc, server };
}

test("a move that is taken back while the game is paused starts no clock", () => {
  const { play } = begin(person, person, go, { main_ms: 60000, period_ms: 0, count: 0 });
  play.move("E5");
  assert.equal(play.clock.running.get(), "w");
  play.pause();
  play.undo();
  assert.equal(play.live.get()!.ply, 0);
  assert.equal(play.clock.running.get(), null);
  play.pause();
  assert.equal(play.clock.running.get(), "b");
});

test("Undo takes back the resignation alone, also while the engine thinks", async () => {
  const { play, server } = begin(person, engine);
  play.move("E5");
  play.resign();
  assert.equal(play.result.get()!.winner, "w");
  play.undo();
  assert.deepEqual(movesTo(play.live.get()!), ["E5"]);
  assert.equal(play.phase.get(), "playing");
  await server.moves("C3");
  assert.deepEqual(movesTo(play.live.get()!), ["E5", "C3"]);
});

test("Undo takes back the end of a game between engines alone", async () => {
  const { play, server } = begin(engine, engine);
  await server.moves("E5");
  await server.moves("C3");
  play.resign();
  play.undo();
  assert.deepEqual(movesTo(play.live.get()!), ["E5", "C3"]);
});

test("Undo takes back a resignation before the first move", () => {
  const { play } = begin(person, person);
  assert.ok(!play.canUndo());
  play.resign();
  assert.ok(play.canUndo());
  play.undo();
  assert.equal(play.phase.get(), "playing");
  assert.equal(play.result.get(), null);
  assert.ok(!play.canUndo());
});

test("after the engine's resignation Undo goes back to the person's last turn", async () => {
  const { play, server } = begin(person, engine);
  play.move("E5");
  await server.moves("resign");
  assert.equal(play.result.get()!.winner, "b");
  play.undo();
  assert.deepEqual(movesTo(play.live.get()!), []);
});

test("what is tried where the game ended stays beside it", () => {
  for (const [start, game, tried] of [[go, ["E5", "C3"], "G7"], [shogiStartEven, ["7g7f", "3c3d"], "2g2f"]] as const)
    for (const before of [true, false]) {
      const { play, doc, server } = begin(person, person, start);
      game.forEach((move) => play.move(move));
      if (before) doc.add(tried);
      play.resign();
      if (!before) doc.add(tried);
      assert.deepEqual(movesTo(tipOf(doc.game.get().root)), game);
      const { nodes } = recordOf(doc.game.get());
      assert.deepEqual(nodes[3], { parent: 2, end: "resign" });
      assert.equal(nodes[4]!.parent, 2);
      new Review(server as unknown as Client, doc, { yield: () => undefined } as Analysis).start();
      assert.deepEqual((server.asked.at(-1)!.send as { position: Position }).position.moves, game);
      play.undo();
      assert.equal(recordOf(doc.game.get()).nodes.some(({ end }) => end !== undefined), false);
      // After a reload, which keeps the result:
      play.restore(play.setup.get()!, play.live.get()!, { winner: "b", reason: "resign" });
      assert.deepEqual(movesTo(tipOf(doc.game.get().root)), game);
    }
});

test("the end of the game is the last that End goes to at once", () => {
  const { play, doc } = begin(person, person);
  play.move("E5");
  play.resign();
  const tried = doc.add("C3");
  doc.back(Infinity);
  doc.forward(Infinity);
  assert.equal(doc.current.get(), play.live.get());
  doc.forward();
  assert.equal(doc.current.get(), tried);
});

test("the end of a game of shogi has the record's name for it", () => {
  for (const [reason, winner, end] of [
    ["resign", "b", "resign"],
    ["time", "b", "time up"],
    ["mate", "b", "mate"],
    ["repetition", null, "repetition"],
    ["perpetual check", "b", "foul by white"],
    ["perpetual check", "w", "foul by black"],
    ["declared", "b", "declaration"],
  ] as const) {
    const { play } = begin(person, person, shogiStartEven);
    play.finish({ winner, reason });
    assert.equal(play.live.get()!.end, end);
  }
});
