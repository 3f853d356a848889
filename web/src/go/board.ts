// Stones on a Go board: what a move captures, and which moves are plainly illegal. The server judges
// superko and the rules of each country; this is what drawing a position or a line needs.
import { PASS, pointIndex, pointText } from "./coords";

export type Sign = 1 | -1 | 0; // black, white, empty

export interface GoState {
  readonly size: number;
  readonly signs: readonly Sign[];
  readonly turn: 1 | -1;
  readonly ko: number; // the point that may not be retaken at once, or -1
  readonly captures: { readonly black: number; readonly white: number }; // stones that each side took
  readonly passes: number; // in a row, at the end
  readonly suicide: boolean; // whether the rules allow it
}

export function emptyState(size: number, suicide = false): GoState {
  return {
    size,
    signs: new Array<Sign>(size * size).fill(0),
    turn: 1,
    ko: -1,
    captures: { black: 0, white: 0 },
    passes: 0,
    suicide,
  };
}

export function neighbours(size: number, index: number): number[] {
  const x = index % size;
  const result: number[] = [];
  if (x > 0) result.push(index - 1);
  if (x < size - 1) result.push(index + 1);
  if (index >= size) result.push(index - size);
  if (index < size * (size - 1)) result.push(index + size);
  return result;
}

/** The stones connected to the one at `index`, and whether they have a liberty. */
export function chain(size: number, signs: readonly Sign[], index: number): { stones: number[]; alive: boolean } {
  const sign = signs[index];
  const seen = new Set([index]);
  const stones = [index];
  let alive = false;
  for (let i = 0; i < stones.length; i++) {
    for (const next of neighbours(size, stones[i]!)) {
      if (signs[next] === 0) alive = true;
      else if (signs[next] === sign && !seen.has(next)) {
        seen.add(next);
        stones.push(next);
      }
    }
  }
  return { stones, alive };
}

export function withStones(state: GoState, black: readonly string[], white: readonly string[], turn: 1 | -1): GoState {
  const signs = [...state.signs];
  for (const text of black) signs[pointIndex(state.size, text)] = 1;
  for (const text of white) signs[pointIndex(state.size, text)] = -1;
  return { ...state, signs, turn };
}

function pass(state: GoState): GoState {
  return { ...state, turn: -state.turn as 1 | -1, ko: -1, passes: state.passes + 1 };
}

/** The state after a move, or null where it is illegal. */
export function playGo(state: GoState, move: string): GoState | null {
  if (move.toLowerCase() === PASS) return pass(state);
  const { size, turn } = state;
  const at = pointIndex(size, move);
  if (at < 0 || state.signs[at] !== 0 || at === state.ko) return null;
  const signs = [...state.signs];
  signs[at] = turn;
  const taken: number[] = [];
  for (const next of neighbours(size, at)) {
    if (signs[next] !== -turn) continue;
    const { stones, alive } = chain(size, signs, next);
    if (alive) continue;
    for (const stone of stones) signs[stone] = 0;
    taken.push(...stones);
  }
  const own = chain(size, signs, at);
  let lost = 0;
  if (!own.alive) {
    if (!state.suicide || own.stones.length === 1) return null;
    for (const stone of own.stones) signs[stone] = 0;
    lost = own.stones.length;
  }
  const ko = taken.length === 1 && own.stones.length === 1 && isLone(size, signs, at) ? taken[0]! : -1;
  const { black, white } = state.captures;
  const captures =
    turn === 1
      ? { black: black + taken.length, white: white + lost }
      : { black: black + lost, white: white + taken.length };
  return { ...state, signs, turn: -turn as 1 | -1, ko, captures, passes: 0 };
}

/** Whether the stone's only liberty is the one that its capture made. */
function isLone(size: number, signs: readonly Sign[], at: number): boolean {
  return neighbours(size, at).filter((next) => signs[next] === 0).length === 1;
}

export function legalGo(state: GoState): string[] {
  const moves: string[] = [];
  for (let i = 0; i < state.signs.length; i++) {
    const text = pointText(state.size, i);
    if (state.signs[i] === 0 && playGo(state, text)) moves.push(text);
  }
  return moves;
}
