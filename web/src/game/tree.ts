// A game with its variations. Nodes are changed in place; whoever shows them follows `Document`.
import type { Found } from "../net/protocol";

export interface TreeNode {
  readonly id: number;
  readonly parent: TreeNode | null;
  readonly children: TreeNode[]; // the first one is the main line
  readonly move: string | null; // null at the root and where stones are only set up
  readonly ply: number;
  comment: string;
  /** Stones that a record sets up in the middle of a game. */
  setup?: { black?: string[]; white?: string[]; empty?: string[]; turn?: "b" | "w" };
  recorded?: boolean; // Go: a record has the move, against the rules of ko or suicide
  /** How the game ended here. What follows was tried later; the main line goes there if `goesOn`. */
  end?: string;
  goesOn?: boolean;
  time_ms?: number;
  found?: Found;
}

let nextId = 1;

export function rootNode(): TreeNode {
  return { id: nextId++, parent: null, children: [], move: null, ply: 0, comment: "" };
}

/** The child with this move: the one that is there, or a new one. */
export function addMove(node: TreeNode, move: string): TreeNode {
  const known = node.children.find((child) => child.move === move);
  return known ?? addNode(node, move);
}

export function addNode(parent: TreeNode, move: string | null): TreeNode {
  const node: TreeNode = {
    id: nextId++,
    parent,
    children: [],
    move,
    ply: parent.ply + (move === null ? 0 : 1),
    comment: "",
  };
  parent.children.push(node);
  return node;
}

/** From the root to the node. */
export function pathTo(node: TreeNode): TreeNode[] {
  const path: TreeNode[] = [];
  for (let at: TreeNode | null = node; at; at = at.parent) path.push(at);
  return path.reverse();
}

export function movesTo(node: TreeNode): string[] {
  return pathTo(node).flatMap((at) => (at.move === null ? [] : [at.move]));
}

/** Where the node's line goes on: nowhere where the game ended. */
export function nextOf(node: TreeNode): TreeNode | undefined {
  return node.end === undefined || node.goesOn ? node.children[0] : undefined;
}

/** The end of the line on which the node lies. */
export function tipOf(node: TreeNode): TreeNode {
  let at = node;
  for (let next = nextOf(at); next; next = nextOf(at)) at = next;
  return at;
}

/** The root's line through the node to its end. */
export function lineThrough(node: TreeNode): TreeNode[] {
  return pathTo(tipOf(node));
}

export function removeNode(node: TreeNode): TreeNode | null {
  const parent = node.parent;
  if (!parent) return null;
  parent.children.splice(parent.children.indexOf(node), 1);
  return parent;
}

/** Makes the node and those above it the main line. */
export function promote(node: TreeNode): void {
  for (let at = node; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    siblings.splice(siblings.indexOf(at), 1);
    siblings.unshift(at);
    if (at.parent.end !== undefined) at.parent.goesOn = true;
  }
}

/** The deepest of the nodes to `node` that the tree still has. */
export function heldBy(node: TreeNode): TreeNode {
  const path = pathTo(node);
  const gone = path.findIndex((at) => at.parent !== null && !at.parent.children.includes(at));
  return gone < 0 ? node : path[gone - 1]!;
}

/** Every node, parents before their children, main lines first. */
export function* allNodes(root: TreeNode): Generator<TreeNode> {
  const stack = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
}
