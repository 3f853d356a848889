// The game on the board: its tree, and the node that is shown. Playing and analysing share it.
import { Value } from "../base/value";
import type { Position } from "../net/protocol";
import { evenSfen } from "../shogi/position";
import { play, positionAt, type Start, type State, stateAt } from "./state";
import { addMove, nextOf, promote, removeNode, rootNode, type TreeNode } from "./tree";

export interface Game {
  readonly start: Start;
  readonly root: TreeNode;
  readonly headers: Record<string, string>;
}

export function emptyGame(start: Start): Game {
  return { start, root: rootNode(), headers: {} };
}

export const goStart: Start = { game: "go", size: 19, komi: 6.5, rules: "japanese" };
export const shogiStartEven: Start = { game: "shogi", sfen: evenSfen };

export class Document {
  readonly game = new Value<Game>(emptyGame(goStart));
  readonly current = new Value<TreeNode>(this.game.get().root);
  /** Changes whenever the tree does: a node more or less, a comment. */
  readonly revision = new Value(0);
  /** Changes with what the engine found at a node, several times a second while it thinks. */
  readonly values = new Value(0);

  open(game: Game, node: TreeNode = game.root): void {
    this.game.set(game);
    this.current.set(node);
    this.changed();
  }

  changed(): void {
    this.revision.update((n) => n + 1);
  }

  valued(): void {
    this.values.update((n) => n + 1);
  }

  state(node: TreeNode = this.current.get()): State {
    return stateAt(this.game.get().start, node);
  }

  position(node: TreeNode = this.current.get()): Position {
    return positionAt(this.game.get().start, node);
  }

  /** Adds a move after `from` and shows it. Null where it is illegal. */
  add(move: string, from: TreeNode = this.current.get()): TreeNode | null {
    if (!play(this.state(from), move)) return null;
    const node = addMove(from, move);
    this.current.set(node);
    this.changed();
    return node;
  }

  /** Makes the line to the node the main one. */
  makeMain(node: TreeNode): void {
    promote(node);
    this.changed();
  }

  remove(node: TreeNode): void {
    const parent = removeNode(node);
    if (!parent) return;
    for (let at: TreeNode | null = this.current.get(); at; at = at.parent) if (at === node) this.current.set(parent);
    this.changed();
  }

  back(steps = 1): void {
    let at = this.current.get();
    for (let i = 0; i < steps && at.parent; i++) at = at.parent;
    this.current.set(at);
  }

  /** Several steps end where the game ended; one more goes to what was tried there. */
  forward(steps = 1): void {
    let at = this.current.get();
    for (let i = 0; i < steps && at.children[0] && (i === 0 || nextOf(at)); i++) at = at.children[0];
    this.current.set(at);
  }

  /** To the next or the previous of the variations that begin where this one does. */
  sibling(step: number): void {
    const at = this.current.get();
    const siblings = at.parent?.children ?? [at];
    const next = siblings[siblings.indexOf(at) + step];
    if (next) this.current.set(next);
  }
}
