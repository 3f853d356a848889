import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { Analysis } from "../../../web/src/control/analysis";
import { Play, type Player, type PlaySetup } from "../../../web/src/control/play";
import { Document } from "../../../web/src/game/document";
import type { Client } from "../../../web/src/net/client";

const person: Player = { kind: "person" };
const go = { game: "go", size: 9, komi: 7, rules: "chinese" } as const;

/** A server that never answers. */
const silent = {
  request: () => ({ id: 1, done: new Promise(() => undefined), forget: () => undefined }),
  stop: () => undefined,
};

const begun: Play[] = [];
afterEach(() => begun.splice(0).forEach((play) => play.clock.halt()));

function begin(b: Player, w: Player, start: PlaySetup["start"] = go, clock: PlaySetup["clock"] = null): { play: Play; doc: Document } {
  const doc = new Document();
  const play = new Play(silent as unknown as Client, doc, { stop: () => undefined } as Analysis);
  begun.push(play);
  play.begin({ start, players: { b, w }, clock });
  return { play, doc };
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
