import assert from "node:assert/strict";
import test from "node:test";
import { handicaps, hasMove, legalShogi, playShogi, shogiMoveText, shogiStart, shogiTurn, targets } from "../../../web/src/shogi/position";
import { layout, squareAt, standOf } from "../../../web/src/boards/shogiLayout";

// Numbers of legal moves as docs/perft.md and other programs have them.
test("the moves of well-known positions are counted right", () => {
  assert.equal(legalShogi(shogiStart("startpos")!).length, 30);
  const many = shogiStart("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1")!;
  assert.equal(legalShogi(many).length, 593);
});

test("every handicap is a position, White moving first", () => {
  for (const { key, sfen } of handicaps) {
    const state = shogiStart(sfen);
    assert.ok(state, key);
    assert.equal(shogiTurn(state), key === "even" ? "b" : "w");
  }
});

test("promotion is offered where it may be refused, and forced where it must be", () => {
  const state = shogiStart("4k4/9/4P4/9/9/9/9/9/4K4 b - 1")!;
  assert.deepEqual(targets(state, "5c"), [{ to: "5b", plain: true, promoted: true }]);
  const last = shogiStart("8k/4P4/9/9/9/9/9/9/4K4 b - 1")!;
  assert.deepEqual(targets(last, "5b"), [{ to: "5a", plain: false, promoted: true }]);
});

test("a second pawn on a file, and mate by a dropped pawn, are not offered", () => {
  const two = shogiStart("4k4/9/9/9/9/9/4P4/9/4K4 b P 1")!;
  assert.ok(!targets(two, "P*").some(({ to }) => to.startsWith("5")));
  const mate = shogiStart("8k/7R1/7G1/9/9/9/9/9/K8 b P 1")!;
  assert.ok(!targets(mate, "P*").some(({ to }) => to === "1b"));
});

test("mate leaves no move", () => {
  assert.ok(!hasMove(shogiStart("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")!));
  assert.ok(hasMove(shogiStart("startpos")!));
});

test("moves are written in both languages", () => {
  const start = shogiStart("startpos")!;
  assert.equal(shogiMoveText(start, "7g7f", false), "P-7f");
  assert.equal(shogiMoveText(start, "7g7f", true), "☗７六歩");
  assert.equal(shogiMoveText(start, "6i5h", false), "G6i-5h");
  const later = playShogi(playShogi(start, "7g7f")!, "3c3d")!;
  assert.equal(shogiMoveText(later, "8h2b+", false), "Bx2b+");
  assert.equal(playShogi(start, "7g7e"), null);
  assert.equal(playShogi(start, "nonsense"), null);
});

test("squares and stands do not overlap, whichever way the board is turned", () => {
  for (const wide of [false, true])
    for (const flipped of [false, true]) {
      const at = layout(wide, flipped);
      const seen = new Set<string>();
      for (let file = 1; file <= 9; file++)
        for (let rank = 1; rank <= 9; rank++) {
          const { x, y } = squareAt(at, file, rank);
          seen.add(`${x.toFixed(2)} ${y.toFixed(2)}`);
          for (const side of ["b", "w"] as const) {
            const stand = standOf(at, side);
            const apart = x + 1 <= stand.x || x >= stand.x + stand.width || y + 1.08 <= stand.y || y >= stand.y + stand.height;
            assert.ok(apart, `${file} ${rank} ${side}`);
          }
        }
      assert.equal(seen.size, 81);
      const near = squareAt(at, 9, flipped ? 1 : 9);
      assert.ok(near.y > squareAt(at, 9, 5).y);
    }
});
