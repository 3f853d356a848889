// Between the server's flat records and the tree.
import type { GameRecord, GoStart, RecordNode, ShogiStart } from "../net/protocol";
import { emptyGame, type Game } from "./document";
import { play, splitMove, type Start, stateAt, turnOf } from "./state";
import { addNode, allNodes, tipOf, type TreeNode } from "./tree";

/** A move that cannot be played, and its number in the game. */
export interface BadMove {
  move: string;
  ply: number;
}

/** The game of a record, and the first move that had to be left out of it, with what follows. */
export function gameOf(record: GameRecord): { game: Game; problem: BadMove | null } {
  const start = { game: record.game, ...record.start } as Start;
  const game = emptyGame(start);
  Object.assign(game.headers, record.headers);
  const nodes: (TreeNode | null)[] = [];
  let problem: BadMove | null = null;
  record.nodes.forEach((flat, index) => {
    if (index === 0) nodes.push(fill(game.root, flat));
    else {
      const parent = nodes[flat.parent] ?? null;
      const node = parent && append(start, parent, flat);
      if (parent && !node) problem ??= { move: flat.move ?? "", ply: parent.ply + 1 };
      nodes.push(node);
    }
  });
  return { game, problem };
}

function fill(node: TreeNode, flat: RecordNode): TreeNode {
  node.comment = flat.comment ?? "";
  if (flat.time_ms !== undefined) node.time_ms = flat.time_ms;
  if (flat.found) node.found = flat.found;
  else if (flat.winrate !== undefined) node.found = { winrate: flat.winrate };
  return node;
}

function append(start: Start, parent: TreeNode, flat: RecordNode): TreeNode | null {
  if (flat.end !== undefined) {
    parent.end = flat.end;
    parent.goesOn = parent.children.length > 0;
    if (flat.comment) parent.comment = [parent.comment, flat.comment].filter(Boolean).join("\n");
    return parent;
  }
  let move = flat.move ?? null;
  if (move !== null) {
    const { side, move: bare } = splitMove(move);
    if (side === undefined || side === turnOf(stateAt(start, parent))) move = bare;
  }
  const node = addNode(parent, move);
  if (move !== null && !play(stateAt(start, parent), move)) node.recorded = true;
  if (flat.setup) node.setup = flat.setup;
  try {
    stateAt(start, node);
  } catch {
    parent.children.pop();
    return null;
  }
  return fill(node, flat);
}

export function recordOf(game: Game): GameRecord {
  const index = new Map<TreeNode, number>();
  const nodes: RecordNode[] = [];
  const later: RecordNode[] = [];
  for (const node of allNodes(game.root)) {
    const parent = nodes.length;
    index.set(node, parent);
    nodes.push(flatNode(game, node, node.parent ? index.get(node.parent)! : -1));
    // SGF has no word for the end of a game: it is of use only where something follows.
    if (node.end === undefined || (game.start.game === "go" && node.children.length === 0)) continue;
    (node.goesOn ? later : nodes).push({ parent, end: node.end });
  }
  nodes.push(...later);
  const { game: kind, ...start } = game.start;
  return { game: kind, start: start as GoStart | ShogiStart, headers: game.headers, nodes };
}

function flatNode(game: Game, node: TreeNode, parent: number): RecordNode {
  const flat: RecordNode = { parent };
  if (node.move !== null) flat.move = node.parent ? sided(game.start, node.parent, node.move) : node.move;
  if (node.comment) flat.comment = node.comment;
  if (node.setup) flat.setup = node.setup;
  if (node.time_ms !== undefined) flat.time_ms = node.time_ms;
  if (node.found) flat.found = node.found;
  return flat;
}

function sided(start: Start, parent: TreeNode, move: string): string {
  if (start.game === "shogi" || splitMove(move).side !== undefined) return move;
  return `${turnOf(stateAt(start, parent))} ${move}`;
}

export function lastNode(game: Game): TreeNode {
  return tipOf(game.root);
}
