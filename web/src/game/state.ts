// The position at a node, for either game. Computed from the parent's and kept.
import { emptyState, type GoState, legalGo, playGo, type Sign, withStones } from "../go/board";
import { handicapPoints, PASS, pointIndex, pointText } from "../go/coords";
import type { GoStart, Position, ShogiStart, Side } from "../net/protocol";
import { legalShogi, playShogi, shogiMoveText, type ShogiState, shogiStart, shogiTurn } from "../shogi/position";
import type { TreeNode } from "./tree";
import { movesTo, pathTo } from "./tree";

export type Start = ({ game: "go" } & GoStart) | ({ game: "shogi" } & ShogiStart);
export type State = { game: "go"; go: GoState } | { game: "shogi"; shogi: ShogiState };

const states = new WeakMap<TreeNode, State>();

export function startState(start: Start): State | null {
  if (start.game === "shogi") {
    const shogi = shogiStart(start.sfen);
    return shogi && { game: "shogi", shogi };
  }
  const suicide = start.rules === "tromp-taylor" || start.rules === "new-zealand";
  const empty = emptyState(start.size, suicide);
  // Stones that are set up are those of the handicap: docs/web.md.
  const given = start.setup && Object.keys(start.setup).length > 0;
  const { black = [], white = [] } = given ? start.setup! : { black: handicapPoints(start.size, start.handicap ?? 0) };
  const turn = start.turn === "w" || (start.turn === undefined && (start.handicap ?? 0) >= 2) ? -1 : 1;
  return { game: "go", go: withStones(empty, black, white, turn) };
}

/** Splits "b Q16" into its side and its move; side is undefined where the text has none. */
export function splitMove(text: string): { side?: Side; move: string } {
  const match = /^([bw]) (.+)$/.exec(text);
  return match ? { side: match[1] as Side, move: match[2]! } : { move: text };
}

/** `recorded`: a move of a record, which ko and the rule against suicide do not stop. */
export function play(state: State, text: string, recorded = false): State | null {
  if (state.game === "shogi") {
    const shogi = playShogi(state.shogi, text);
    return shogi && { game: "shogi", shogi };
  }
  const { side, move } = splitMove(text);
  const turn: 1 | -1 = side === undefined ? state.go.turn : side === "b" ? 1 : -1;
  const strict = turn === state.go.turn ? state.go : { ...state.go, turn, ko: -1 };
  const go = playGo(recorded ? { ...strict, ko: -1, suicide: true } : strict, move);
  return go && { game: "go", go: { ...go, suicide: strict.suicide } };
}

function setUp(state: State, node: TreeNode): State {
  const { setup } = node;
  if (!setup || state.game !== "go") return state;
  const signs: Sign[] = [...state.go.signs];
  const { size } = state.go;
  for (const text of setup.black ?? []) signs[pointIndex(size, text)] = 1;
  for (const text of setup.white ?? []) signs[pointIndex(size, text)] = -1;
  for (const text of setup.empty ?? []) signs[pointIndex(size, text)] = 0;
  const turn = setup.turn === undefined ? state.go.turn : setup.turn === "b" ? 1 : -1;
  return { game: "go", go: { ...state.go, signs, turn, ko: -1 } };
}

/** The state at a node. Throws where a record has an illegal move: readers check before. */
export function stateAt(start: Start, node: TreeNode): State {
  const known = states.get(node);
  if (known) return known;
  let state: State | undefined;
  for (const at of pathTo(node)) {
    const kept = states.get(at);
    if (kept) {
      state = kept;
      continue;
    }
    const before: State | null = state ?? startState(start);
    const after: State | null = before && at.move !== null ? play(before, at.move, at.recorded) : before;
    if (!after) throw new Error(`move ${at.ply} is illegal: ${at.move ?? ""}`);
    state = setUp(after, at);
    states.set(at, state);
  }
  return state!;
}

export function turnOf(state: State): Side {
  return state.game === "go" ? (state.go.turn === 1 ? "b" : "w") : shogiTurn(state.shogi);
}

export function legalMoves(state: State): string[] {
  return state.game === "go" ? legalGo(state.go) : legalShogi(state.shogi);
}

/**
 * What a request says of the position at a node. Stones that a record sets up in the middle of the
 * game cannot be said as moves: the position then begins there.
 */
export function positionAt(start: Start, node: TreeNode): Position {
  if (start.game === "shogi") return { game: "shogi", sfen: start.sfen, moves: movesTo(node) };
  const path = pathTo(node);
  const last = path.map((at) => at.setup !== undefined).lastIndexOf(true);
  if (last < 0) return { ...start, moves: movesTo(node) };
  const state = stateAt(start, path[last]!);
  if (state.game !== "go") throw new Error("no Go position");
  const { handicap: _, ...rest } = start;
  const moves = path.slice(last + 1).flatMap((at) => (at.move === null ? [] : [at.move]));
  return { ...rest, setup: stonesOf(state.go), turn: state.go.turn === 1 ? "b" : "w", moves };
}


/** The position at a node as one to begin a game from. What a ko forbids is forgotten. */
export function startFrom(start: Start, node: TreeNode): Start {
  const state = stateAt(start, node);
  if (state.game === "shogi") return { game: "shogi", sfen: state.shogi.position.sfen };
  const { komi, rules } = start as { game: "go" } & GoStart;
  const { size } = state.go;
  return { game: "go", size, komi, rules, setup: stonesOf(state.go), turn: state.go.turn === 1 ? "b" : "w" };
}

function stonesOf({ size, signs }: GoState): { black: string[]; white: string[] } {
  const named = (sign: Sign): string[] => signs.flatMap((s, i) => (s === sign ? [pointText(size, i)] : []));
  return { black: named(1), white: named(-1) };
}

export function moveText(state: State, text: string, japanese: boolean): string {
  if (state.game === "shogi") return shogiMoveText(state.shogi, text, japanese);
  const { move } = splitMove(text);
  if (move.toLowerCase() === PASS) return japanese ? "パス" : "pass";
  return move;
}

/** The states along a line of moves, as far as they are legal. */
export function statesAlong(state: State, moves: readonly string[]): State[] {
  const result: State[] = [];
  let at = state;
  for (const move of moves) {
    const next = play(at, move);
    if (!next) break;
    result.push(next);
    at = next;
  }
  return result;
}

/** A move of a line with its text and what follows, kept because lines come again many times a second. */
interface Spelt {
  state: State;
  text: string;
  next: Map<string, Spelt | null>;
}

const spelt = new WeakMap<State, Map<string, Map<string, Spelt | null>>>();

function spell(state: State, move: string, japanese: boolean): Spelt | null {
  const after = play(state, move);
  return after && { state: after, text: moveText(state, move, japanese), next: new Map() };
}

export function lineText(state: State, moves: readonly string[], japanese: boolean): string[] {
  // The text of a Go move does not depend on the position.
  if (state.game === "go") return moves.map((move) => moveText(state, move, japanese));
  const language = japanese ? "ja" : "en";
  const known = spelt.get(state) ?? new Map<string, Map<string, Spelt | null>>();
  spelt.set(state, known);
  let at: State = state;
  let next = known.get(language) ?? new Map<string, Spelt | null>();
  known.set(language, next);
  const texts: string[] = [];
  for (const move of moves) {
    let step = next.get(move);
    if (step === undefined) next.set(move, (step = spell(at, move, japanese)));
    if (step === null) break;
    texts.push(step.text);
    at = step.state;
    next = step.next;
  }
  return texts;
}
