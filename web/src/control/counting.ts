// Counting after two passes: the engine proposes which stones are dead, the players correct it.
import { Value } from "../base/value";
import type { Document } from "../game/document";
import type { TreeNode } from "../game/tree";
import { chain } from "../go/board";
import { pointIndex, pointText } from "../go/coords";
import type { Client } from "../net/client";
import type { JudgeReply } from "../net/protocol";

export class Counting {
  readonly judged = new Value<JudgeReply | null>(null);
  readonly dead = new Value<ReadonlySet<string>>(new Set());
  private node: TreeNode | null = null;

  constructor(
    private readonly client: Client,
    private readonly doc: Document,
  ) {}

  async begin(node: TreeNode): Promise<void> {
    this.node = node;
    this.judged.set(null);
    this.dead.set(new Set());
    const reply = await this.client.request("judge", { position: this.doc.position(node) }).done;
    if (this.node === node) this.take(reply);
  }

  private take(reply: JudgeReply): void {
    this.judged.set(reply);
    this.dead.set(new Set(reply.dead));
  }

  /** Marks the string at a point dead, or alive again. */
  async toggle(point: string): Promise<void> {
    const { node } = this;
    if (!node || !this.judged.get()) return;
    const state = this.doc.state(node);
    if (state.game !== "go") return;
    const { size, signs } = state.go;
    const index = pointIndex(size, point);
    if (index < 0 || signs[index] === 0) return;
    const dead = new Set(this.dead.get());
    const stones = chain(size, signs, index).stones.map((stone) => pointText(size, stone));
    const revive = dead.has(point);
    for (const stone of stones) {
      if (revive) dead.delete(stone);
      else dead.add(stone);
    }
    this.dead.set(dead);
    const reply = await this.client.request("judge", { position: this.doc.position(node), dead: [...dead] }).done;
    if (this.node === node && this.dead.get() === dead) this.take(reply);
  }

  clear(): void {
    this.node = null;
    this.judged.set(null);
    this.dead.set(new Set());
  }
}
