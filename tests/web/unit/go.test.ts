import assert from "node:assert/strict";
import test from "node:test";
import { emptyState, type GoState, legalGo, playGo, type Sign } from "../../../web/src/go/board";
import { handicapPoints, pointIndex, pointText } from "../../../web/src/go/coords";

test("every point of every size has a name that leads back to it", () => {
  for (let size = 2; size <= 19; size++)
    for (let index = 0; index < size * size; index++) assert.equal(pointIndex(size, pointText(size, index)), index);
});

test("points are named as in GTP", () => {
  assert.equal(pointText(19, 0), "A19");
  assert.equal(pointText(19, 18), "T19");
  assert.equal(pointText(9, 80), "J1");
  assert.equal(pointIndex(19, "d4"), 15 * 19 + 3);
  for (const text of ["I5", "A0", "A20", "K10x", "", "pass", "Z1", "A-1"]) assert.equal(pointIndex(19, text), -1, text);
  assert.equal(pointIndex(9, "K5"), -1);
});

test("handicap stones stand where GTP puts them", () => {
  assert.deepEqual(handicapPoints(19, 2), ["D4", "Q16"]);
  assert.deepEqual(handicapPoints(19, 5), ["D4", "Q16", "D16", "Q4", "K10"]);
  assert.deepEqual(handicapPoints(19, 6), ["D4", "Q16", "D16", "Q4", "D10", "Q10"]);
  assert.deepEqual(handicapPoints(19, 7), ["D4", "Q16", "D16", "Q4", "D10", "Q10", "K10"]);
  assert.deepEqual(handicapPoints(19, 8), ["D4", "Q16", "D16", "Q4", "D10", "Q10", "K4", "K16"]);
  assert.equal(handicapPoints(19, 9)[8], "K10");
  assert.deepEqual(handicapPoints(9, 4), ["C3", "G7", "C7", "G3"]);
  assert.deepEqual(handicapPoints(5, 2), []);
});

function played(size: number, moves: string): GoState {
  let state = emptyState(size);
  for (const move of moves.split(" ")) {
    const next = playGo(state, move);
    assert.ok(next, `${move} of ${moves}`);
    state = next;
  }
  return state;
}

test("a string without liberties is captured and counted", () => {
  const state = played(5, "B1 A1 A2");
  assert.equal(state.signs[pointIndex(5, "A1")], 0);
  assert.deepEqual(state.captures, { black: 1, white: 0 });
});

test("a ko may not be retaken at once, but after a move elsewhere", () => {
  const before = played(5, "C4 B4 B3 A3 C2 B2 D3");
  const taken = playGo(before, "C3");
  assert.ok(taken);
  assert.equal(taken.signs[pointIndex(5, "B3")], 0);
  assert.equal(playGo(taken, "B3"), null);
  const later = playGo(playGo(taken, "E5")!, "E1")!;
  assert.ok(playGo(later, "B3"));
});

test("suicide and occupied points are illegal", () => {
  const state = played(3, "A2 C3 B1 C1");
  assert.equal(playGo({ ...state, turn: -1 }, "A1"), null);
  assert.equal(playGo(state, "A2"), null);
  assert.equal(playGo(state, "D4"), null);
});

test("suicide of several stones is legal where the rules allow it, and removes them", () => {
  const state = { ...played(3, "A1 B1 pass A3 pass B2"), suicide: true };
  const after = playGo(state, "A2");
  assert.ok(after);
  assert.equal(after.signs[pointIndex(3, "A1")], 0);
  assert.equal(after.captures.white, 2);
  assert.equal(playGo({ ...state, suicide: false }, "A2"), null);
});

/** The slow reference: floods from every point after each move. */
function naive(size: number, signs: readonly Sign[], at: number, turn: Sign): Sign[] | null {
  if (signs[at] !== 0) return null;
  const board = [...signs];
  board[at] = turn;
  const dead = (of: Sign): number[] => {
    const free = new Set<number>();
    for (let changed = true; changed; ) {
      changed = false;
      for (let i = 0; i < board.length; i++) {
        if (board[i] !== of || free.has(i)) continue;
        const x = i % size;
        const around = [x > 0 ? i - 1 : -1, x < size - 1 ? i + 1 : -1, i - size, i + size].filter((n) => n >= 0 && n < board.length);
        if (around.some((n) => board[n] === 0 || (board[n] === of && free.has(n)))) {
          free.add(i);
          changed = true;
        }
      }
    }
    return board.flatMap((sign, i) => (sign === of && !free.has(i) ? [i] : []));
  };
  for (const stone of dead(-turn as Sign)) board[stone] = 0;
  return dead(turn).length > 0 ? null : board;
}

test("random games agree with the slow reference", () => {
  let seed = 1;
  const random = (n: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * n);
  };
  for (let game = 0; game < 20; game++) {
    const size = 4 + (game % 4);
    let state = emptyState(size);
    for (let ply = 0; ply < 80; ply++) {
      const expected = state.signs.flatMap((_, i) => (i !== state.ko && naive(size, state.signs, i, state.turn) ? [pointText(size, i)] : []));
      assert.deepEqual(legalGo(state), expected);
      const move = expected.length > 0 ? expected[random(expected.length)]! : "pass";
      const next: GoState | null = playGo(state, move);
      assert.ok(next);
      if (move !== "pass") assert.deepEqual([...next.signs], naive(size, state.signs, pointIndex(size, move), state.turn));
      state = next;
    }
  }
});
