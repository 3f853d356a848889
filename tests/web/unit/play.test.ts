import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { Analysis } from "../../../web/src/control/analysis";
import { Play, type Player, type PlaySetup } from "../../../web/src/control/play";
import { Document } from "../../../web/src/game/document";
import { movesTo } from "../../../web/src/game/tree";
import type { Client } from "../../../web/src/net/client";

const person: Player = { kind: "person" };
const engine: Player = { kind: "engine", level: 1 };
const go = { game: "go", size: 9, komi: 7, rules: "chinese" } as const;

/** A server that answers when the test says so. */
class Server {
  readonly asked: { type: string; answer: (reply: object) => Promise<void> }[] = [];
  request(type: string): object {
    let resolve: (reply: object) => void = () => undefined;
    const done = new Promise((settled) => (resolve = settled));
    const answer = async (reply: object): Promise<void> => {
      resolve(reply);
      await new Promise((later) => setTimeout(later));
    };
    this.asked.push({ type, answer });
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
