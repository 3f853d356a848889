// Where each node of a tree of variations is drawn: its distance from the root is the column; the main
// line has the first row, and a variation the first row below that is free all the way.
import { nextOf, type TreeNode } from "./tree";

export interface Placed {
  readonly node: TreeNode;
  readonly column: number;
  readonly row: number;
}

export function layoutTree(root: TreeNode): Placed[] {
  const placed: Placed[] = [];
  const used: number[] = []; // the first free row of each column
  // Each entry begins a line, which is followed to its end.
  const starts: { node: TreeNode; column: number; above: number }[] = [{ node: root, column: 0, above: -1 }];
  for (let start = starts.pop(); start; start = starts.pop()) {
    const line: TreeNode[] = [];
    for (let at: TreeNode | undefined = start.node; at; at = nextOf(at)) line.push(at);
    // A variation hangs from its parent's column, which has to be free too.
    const from = Math.max(0, start.column - 1);
    let row = start.above + 1;
    for (let c = from; c < start.column + line.length; c++) row = Math.max(row, used[c] ?? 0);
    for (let c = from; c < start.column + line.length; c++) used[c] = row + 1;
    const later: typeof starts = [];
    line.forEach((node, i) => {
      placed.push({ node, column: start.column + i, row });
      for (const child of node.children.slice(nextOf(node) ? 1 : 0)) later.push({ node: child, column: start.column + i + 1, above: row });
    });
    // The variation that begins last is drawn first, so that lines do not cross.
    starts.push(...later);
  }
  return placed;
}
