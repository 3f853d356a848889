import assert from "node:assert/strict";
import test from "node:test";
import { withEarlier } from "../../../web/src/control/analysis";
import { spend, refill, type SideClock } from "../../../web/src/control/clock";
import { clockText, lead, quality, shogiScore, shortCount } from "../../../web/src/game/numbers";
import { gameOf, recordOf } from "../../../web/src/game/record";
import { play, positionAt, type Start, stateAt } from "../../../web/src/game/state";
import { addMove, allNodes, heldBy, lineThrough, movesTo, pathTo, promote, removeNode, rootNode, tipOf } from "../../../web/src/game/tree";
import { layoutTree } from "../../../web/src/game/treeLayout";
import type { Candidate, GameRecord, Report } from "../../../web/src/net/protocol";

const go: Start = { game: "go", size: 9, komi: 7, rules: "chinese" };

function grow(moves: string[][]): ReturnType<typeof rootNode> {
  const root = rootNode();
  for (const line of moves) {
    let at = root;
    for (const move of line) at = addMove(at, move);
  }
  return root;
}

test("a tree keeps its variations in order", () => {
  const root = grow([["C3", "G7", "E5"], ["C3", "G3"], ["E5"]]);
  assert.equal([...allNodes(root)].length, 6);
  assert.deepEqual(movesTo(tipOf(root)), ["C3", "G7", "E5"]);
  const side = root.children[0]!.children[1]!;
  assert.deepEqual(lineThrough(side).map((node) => node.move), [null, "C3", "G3"]);
  promote(side);
  assert.deepEqual(movesTo(tipOf(root)), ["C3", "G3"]);
  removeNode(side);
  assert.deepEqual(movesTo(tipOf(root)), ["C3", "G7", "E5"]);
});

test("a node that was deleted leads to the last one that is left", () => {
  const root = grow([["C3", "G7", "E5"], ["C3", "G3"]]);
  const tip = tipOf(root);
  assert.equal(heldBy(tip), tip);
  removeNode(tip.parent!);
  assert.equal(heldBy(tip), root.children[0]);
  assert.equal(heldBy(root), root);
});

test("no two nodes of a drawn tree stand in one place, and no line crosses another's nodes", () => {
  const root = grow([["A1", "A2", "A3", "A4"], ["A1", "B2", "B3", "B4", "B5"], ["A1", "A2", "C3"], ["D1", "D2"], ["A1", "B2", "E3"]]);
  const placed = layoutTree(root);
  assert.equal(placed.length, [...allNodes(root)].length);
  assert.equal(new Set(placed.map(({ column, row }) => `${column} ${row}`)).size, placed.length);
  const where = new Map(placed.map((at) => [at.node, at]));
  for (const { node, column, row } of placed) {
    assert.equal(column, pathTo(node).length - 1);
    const parent = node.parent && where.get(node.parent)!;
    if (!parent) continue;
    assert.ok(row >= parent.row);
    // The stem goes down the parent's column.
    for (const other of placed) assert.ok(!(other.column === parent.column && other.row > parent.row && other.row <= row));
  }
});

test("a long game with many variations is laid out in a moment", () => {
  const root = rootNode();
  let at = root;
  for (let i = 0; i < 2000; i++) {
    addMove(at, `x${i}`);
    at = addMove(at, `m${i}`);
  }
  assert.equal(layoutTree(root).length, 4001);
});

const record: GameRecord = {
  game: "go",
  start: { size: 9, komi: 7, rules: "chinese" },
  headers: { black: "a", white: "b" },
  nodes: [
    { parent: -1, comment: "root" },
    { parent: 0, move: "b E5" },
    { parent: 1, move: "w C3", comment: "left", winrate: 0.25 },
    { parent: 1, move: "w G7" },
    { parent: 3, move: "w C7" }, // White twice
    { parent: 4, setup: { black: ["A1"], turn: "b" } },
    { parent: 5, move: "b B2" },
  ],
};

test("a record becomes a tree and the same record again", () => {
  const { game, problem } = gameOf(record);
  assert.equal(problem, null);
  assert.deepEqual(game.root.children[0]!.children.map((node) => node.move), ["C3", "G7"]);
  assert.equal(game.root.children[0]!.children[0]!.comment, "left");
  const expected = record.nodes.map(({ winrate, ...rest }) => (winrate === undefined ? rest : { ...rest, found: { winrate } }));
  assert.deepEqual(recordOf(game).nodes, expected);
  assert.deepEqual(recordOf(game).start, record.start);
});

test("what the engine found is kept in a record", () => {
  const { game } = gameOf(record);
  const found = { winrate: 0.6, score: 2.5, visits: 400, pv: ["C5", "G5"] };
  game.root.found = { winrate: 0.5, cp: 30, depth: 9, nodes: 1000, pv: [] };
  game.root.children[0]!.found = found;
  const { game: again } = gameOf(recordOf(game));
  assert.deepEqual(again.root.found, game.root.found);
  assert.deepEqual(again.root.children[0]!.found, found);
  assert.deepEqual(recordOf(again), recordOf(game));
});

test("a handicap's stones stand where the record has them, else on their usual points", () => {
  const stones = (start: Start): number[] => {
    const state = stateAt(start, rootNode());
    assert.ok(state.game === "go" && state.go.turn === -1);
    return state.go.signs.flatMap((sign, i) => (sign ? [i] : []));
  };
  assert.deepEqual(stones({ ...go, handicap: 2 }), [24, 56]); // G7, C3
  assert.deepEqual(stones({ ...go, handicap: 2, setup: { black: ["A9", "B8"], white: [] }, turn: "w" }), [0, 10]);
});

test("a start without stones of its own is an empty board, or has the usual ones of its handicap", () => {
  for (const setup of [undefined, {}])
    for (const [handicap, count] of [[0, 0], [2, 2]] as const) {
      const state = stateAt({ ...go, handicap, setup, turn: "w" }, rootNode());
      assert.ok(state.game === "go" && state.go.turn === -1);
      assert.equal(state.go.signs.filter((sign) => sign !== 0).length, count);
    }
  const state = stateAt({ ...go, setup: { white: ["A9"] } }, rootNode());
  assert.ok(state.game === "go" && state.go.signs[0] === -1);
});

test("stones set up in the middle of a game begin the position that is asked about", () => {
  const { game } = gameOf(record);
  const last = game.root.children[0]!.children[1]!.children[0]!.children[0]!.children[0]!;
  const position = positionAt(game.start, last);
  assert.ok(position.game === "go");
  assert.deepEqual(position.moves, ["B2"]);
  assert.deepEqual(position.setup!.black.sort(), ["A1", "E5"]);
  assert.equal(position.turn, "b");
  const before = positionAt(game.start, last.parent!.parent!);
  assert.deepEqual(before.moves, ["E5", "G7", "w C7"]);
});

test("an illegal move in a record is left out with what follows it, and named", () => {
  const broken = { ...record, nodes: [...record.nodes.slice(0, 2), { parent: 1, move: "w E5" }, { parent: 2, move: "b A1" }] };
  const { game, problem } = gameOf(broken);
  assert.deepEqual(problem, { move: "w E5", ply: 2 });
  assert.equal(game.root.children[0]!.children.length, 0);
});

test("a record's moves against the ko rule are played as they stand, but not other ones", () => {
  const ko = "b E9,w D9,b F8,w C8,b E7,w D7,b D8,w E8,b D8".split(","); // E8 takes D8, which takes back at once
  const nodes = [{ parent: -1 }, ...ko.map((move, i) => ({ parent: i, move }))];
  const { game, problem } = gameOf({ ...record, nodes });
  assert.equal(problem, null);
  const tip = tipOf(game.root);
  assert.equal(tip.ply, ko.length);
  assert.ok(tip.recorded && !tip.parent!.recorded);
  assert.equal(play(stateAt(game.start, tip.parent!), "D8"), null);
  assert.deepEqual(recordOf(game).nodes, nodes);
});

const shogi: GameRecord = {
  game: "shogi",
  start: { sfen: "startpos" },
  headers: {},
  nodes: [{ parent: -1 }, { parent: 0, move: "7g7f" }, { parent: 1, end: "resign" }, { parent: 1, move: "3c3d" }, { parent: 3, move: "2g2f" }, { parent: 0, move: "2g2f" }],
};

test("shogi's end of a game is kept", () => {
  const { game } = gameOf({ ...shogi, nodes: shogi.nodes.slice(0, 3) });
  assert.equal(tipOf(game.root).end, "resign");
  assert.deepEqual(recordOf(game).nodes, shogi.nodes.slice(0, 3));
});

test("the main line ends where the game ended, whatever was tried there", () => {
  const { game } = gameOf(shogi);
  assert.deepEqual(movesTo(tipOf(game.root)), ["7g7f"]);
  assert.deepEqual(recordOf(game).nodes, shogi.nodes);
  const go = gameOf({ ...record, nodes: [...record.nodes.slice(0, 2), { parent: 1, end: "resign" }, { parent: 1, move: "w C3" }] });
  assert.deepEqual(movesTo(tipOf(go.game.root)), ["E5"]);
  assert.deepEqual(recordOf(go.game).nodes.slice(2), [{ parent: 1, end: "resign" }, { parent: 1, move: "w C3" }]);
  removeNode(go.game.root.children[0]!.children[0]!);
  assert.equal(recordOf(go.game).nodes.length, 2); // SGF has no word for it where nothing follows
});

test("a line that is made the main one goes on where another had ended", () => {
  const later: GameRecord = { ...shogi, nodes: [...shogi.nodes.slice(0, 2), { parent: 1, move: "3c3d" }, { parent: 1, end: "resign" }] };
  const { game } = gameOf(shogi);
  promote(game.root.children[0]!.children[0]!);
  removeNode(game.root.children[1]!);
  removeNode(game.root.children[0]!.children[0]!.children[0]!);
  assert.deepEqual(movesTo(tipOf(game.root)), ["7g7f", "3c3d"]);
  assert.deepEqual(recordOf(game).nodes, later.nodes);
  assert.deepEqual(recordOf(gameOf(later).game).nodes, later.nodes);
});

test("what was tried where the game ended is drawn as a variation", () => {
  const { game } = gameOf(shogi);
  const rows = new Map(layoutTree(game.root).map(({ node, row }) => [movesTo(node).join(" "), row]));
  assert.equal(rows.get("7g7f"), 0);
  assert.ok(rows.get("7g7f 3c3d")! > 0);
});

test("the state of a node is that of its moves", () => {
  const root = grow([["E5", "D5"]]);
  const state = stateAt(go, tipOf(root));
  assert.ok(state.game === "go");
  assert.equal(state.go.signs.filter((sign) => sign !== 0).length, 2);
});

test("a clock runs down its main time, then its periods", () => {
  const rules = { main_ms: 1000, period_ms: 300, count: 2 };
  const full: SideClock = { main_ms: 1000, period_ms: 0, count: 0, flagged: false };
  assert.deepEqual(spend(rules, full, 400), { ...full, main_ms: 600 });
  const first = spend(rules, full, 1100);
  assert.deepEqual(first, { main_ms: 0, period_ms: 200, count: 2, flagged: false });
  assert.equal(refill(rules, first).period_ms, 300);
  assert.deepEqual(spend(rules, first, 250), { main_ms: 0, period_ms: 250, count: 1, flagged: false });
  const late = spend(rules, first, 500);
  assert.ok(late.flagged);
  assert.deepEqual(spend(rules, late, 0), { main_ms: 0, period_ms: 300, count: 2, flagged: false }); // after an undo
  assert.ok(spend({ main_ms: 1000, period_ms: 0, count: 0 }, full, 1000).flagged);
});

test("numbers are written short", () => {
  assert.deepEqual([0, 999, 1000, 9949, 34567, 999999, 5.6e6, 1e12].map(shortCount), ["0", "999", "1.0k", "9.9k", "35k", "1.0M", "5.6M", "1T"]);
  assert.deepEqual([3.5, -12, 0, 0.04].map((score) => lead(score)), ["B+3.5", "W+12.0", "0", "0"]);
  assert.deepEqual([-1, 0, 9999, 10000, 65000, 3600000].map(clockText), ["0:00.0", "0:00.0", "0:09.9", "0:10", "1:05", "1:00:00"]);
  assert.deepEqual([0, 0.03, 0.1, 0.5].map(quality), ["good", "fair", "poor", "bad"]);
  const mate = (n: number): string => `mate ${n}`;
  assert.deepEqual([{ cp: 120 }, { cp: -30 }, { mate: 5 }, { mate: -3 }, {}].map((value) => shogiScore(value, mate)), ["+1.2", "−0.3", "+mate 5", "−mate 3", ""]);
});

test("lines that a report does not have yet are kept from the one before, but not from another search", () => {
  const line = (move: string, depth: number): Candidate => ({ move, depth, visits: 0, winrate: 0.5, pv: [move] });
  const report = (id: number, moves: Candidate[]): Report => ({
    type: "report", id, final: false, turn: "b", winrate: 0.5, visits: 0, nodes: 1, nps: 1, elapsed_ms: 1, moves,
  });
  const before = report(1, [line("7g7f", 5), line("2g2f", 5), line("5i5h", 5)]);
  const merged = withEarlier(report(1, [line("2g2f", 6)]), before);
  assert.deepEqual(merged.moves.map(({ move, depth }) => `${move} ${depth}`), ["2g2f 6", "7g7f 5", "5i5h 5"]);
  assert.equal(withEarlier(report(2, [line("2g2f", 6)]), before).moves.length, 1);
  assert.equal(withEarlier(report(1, []), null).moves.length, 0);
});
