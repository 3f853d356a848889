// A finished game is gone through by the engine: the worst moves, what was better, and the line.
import { Value } from "../base/value";
import type { Document } from "../game/document";
import { tipOf, pathTo, type TreeNode } from "../game/tree";
import type { Client, Handle } from "../net/client";
import type { ReviewMove, ReviewReply } from "../net/protocol";
import type { Analysis } from "./analysis";

export interface Mistake {
  node: TreeNode; // the position before the move
  played: TreeNode;
  lost: number;
  better: string;
  pv: string[];
}

export class Review {
  readonly progress = new Value<{ done: number; total: number } | null>(null);
  readonly summary = new Value<ReviewReply | null>(null);
  readonly mistakes = new Value<Mistake[]>([]);
  readonly problem = new Value("");
  private handle: Handle<ReviewReply> | null = null;

  constructor(
    private readonly client: Client,
    private readonly doc: Document,
    private readonly analysis: Analysis,
  ) {
    doc.game.subscribe(() => this.forget());
  }

  start(visits?: number): void {
    this.stop();
    this.analysis.yield();
    this.summary.set(null);
    this.mistakes.set([]);
    this.problem.set("");
    const line = pathTo(tipOf(this.doc.game.get().root));
    const byPly = line.filter((node, i) => i === 0 || node.move !== null);
    const limit = visits === undefined ? {} : { limit: { visits } };
    this.progress.set({ done: 0, total: byPly.length });
    const handle = this.client.request(
      "review",
      { position: this.doc.position(line[line.length - 1]), ...limit },
      (message) => message.type === "review.move" && this.take(byPly, message),
    );
    this.handle = handle;
    handle.done.then(
      (reply) => this.finish(byPly, reply),
      (error: Error) => this.fail(error),
    );
  }

  private take(line: TreeNode[], found: ReviewMove): void {
    const node = line[found.index];
    this.progress.set({ done: found.done, total: found.total });
    if (!node) return;
    const { winrate, score, visits, nodes, depth, pv, cp, mate } = found;
    node.found = {
      winrate,
      pv,
      ...(score === undefined ? {} : { score }),
      ...(visits === undefined ? {} : { visits }),
      ...(depth === undefined ? {} : { depth }),
      ...(nodes === undefined || visits ? {} : { nodes }),
      ...(cp === undefined ? {} : { cp }),
      ...(mate ? { mate } : {}),
    };
    this.doc.valued();
  }

  private finish(line: TreeNode[], reply: ReviewReply): void {
    this.handle = null;
    this.progress.set(null);
    this.summary.set(reply);
    this.mistakes.set(
      reply.worst.flatMap(({ index, lost, better, pv }) => {
        const played = line[index];
        const node = line[index - 1];
        return played && node ? [{ node, played, lost, better, pv }] : [];
      }),
    );
  }

  private fail(error: Error): void {
    this.handle = null;
    this.progress.set(null);
    this.problem.set(error.message);
  }

  stop(): void {
    if (this.handle) this.client.stop(this.handle);
    this.handle = null;
    this.progress.set(null);
  }

  private forget(): void {
    this.stop();
    this.summary.set(null);
    this.mistakes.set([]);
  }
}
