// The engine looks at the position on the board, wherever the user goes.
import { Value } from "../base/value";
import type { Document } from "../game/document";
import type { TreeNode } from "../game/tree";
import type { Client, Handle } from "../net/client";
import type { Candidate, Found, Report } from "../net/protocol";

/** What of the engine's view is on the board. */
export interface Shown {
  candidates: boolean;
  ownership: boolean;
  policy: boolean;
}

/** A point of the watched search's past. */
export interface Moment {
  elapsed_ms: number;
  visits: number;
  nps: number;
  winrate: number;
}

const settle_ms = 80; // while a key is held down, not every position is searched
const curve_ms = 1000;

export class Analysis {
  readonly on = new Value(false);
  readonly report = new Value<Report | null>(null);
  readonly shown = new Value<Shown>({ candidates: true, ownership: false, policy: false });
  readonly problem = new Value("");
  readonly past = new Value<Moment[]>([]);
  private handle: Handle<Report> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastCurve = 0;

  constructor(
    private readonly client: Client,
    private readonly doc: Document,
  ) {
    doc.current.subscribe(() => this.moved());
    this.shown.subscribe(() => this.on.get() && this.restart());
  }

  toggle(): void {
    if (this.on.get()) this.stop();
    else this.start();
  }

  start(): void {
    this.on.set(true);
    this.restart();
  }

  stop(): void {
    this.on.set(false);
    clearTimeout(this.timer);
    if (this.handle) this.client.stop(this.handle);
    this.handle = null;
  }

  /** Another request has taken the engine: nothing is to be stopped. */
  yield(): void {
    this.on.set(false);
    clearTimeout(this.timer);
    this.handle?.forget();
    this.handle = null;
  }

  private moved(): void {
    this.report.set(null);
    this.past.set([]);
    this.lastCurve = 0;
    if (!this.on.get()) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.restart(), settle_ms);
  }

  private restart(): void {
    clearTimeout(this.timer);
    this.handle?.forget();
    this.problem.set("");
    this.past.set([]);
    const node = this.doc.current.get();
    const { ownership, policy } = this.shown.get();
    const go = this.doc.game.get().start.game === "go";
    const handle = this.client.request(
      "analyze",
      {
        position: this.doc.position(node),
        every_ms: 100,
        max_moves: go ? 12 : 5,
        pv_length: 20,
        ...(go ? { ownership, policy } : {}),
      },
      (message) => message.type === "report" && this.take(node, message),
    );
    this.handle = handle;
    handle.done.then(
      (report) => {
        this.take(node, report);
        if (this.handle !== handle) return;
        this.on.set(false); // without a limit it ends only when another search takes the engine
        this.handle = null;
      },
      (error: Error) => {
        this.problem.set(error.message);
        this.on.set(false);
      },
    );
  }

  private take(node: TreeNode, report: Report): void {
    if (node !== this.doc.current.get()) return;
    this.report.set(withEarlier(report, this.report.get()));
    const { elapsed_ms, visits, nps, winrate } = report;
    this.past.update((past) => [...past.slice(-299), { elapsed_ms, visits, nps, winrate }]);
    if (!keep(node, report)) return;
    const now = performance.now();
    if (now - this.lastCurve < curve_ms && !report.final) return;
    this.lastCurve = now;
    this.doc.valued();
  }
}

/**
 * Alpha-beta reports the lines of the depth that it is at as they come: those not there yet are kept
 * from the report before.
 */
export function withEarlier(report: Report, before: Report | null): Report {
  if (!before || before.id !== report.id || before.moves.length <= report.moves.length) return report;
  const known = new Set(report.moves.map(({ move }) => move));
  const rest = before.moves.filter(({ move }) => !known.has(move));
  return { ...report, moves: [...report.moves, ...rest].slice(0, before.moves.length) };
}

/** What was found stays with the node, unless more is known already. */
export function keep(node: TreeNode, report: Report): boolean {
  const known = node.found;
  if (report.visits < (known?.visits ?? 0) || report.moves.length === 0) return false;
  if (report.visits === 0 && report.nodes < (known?.nodes ?? 0)) return false;
  node.found = foundOf(report, report.moves[0]!);
  return true;
}

function foundOf(report: Report, best: Candidate): Found {
  const found: Found = { winrate: report.winrate, visits: report.visits, pv: best.pv };
  if (report.score !== undefined) found.score = report.score;
  if (best.cp !== undefined) found.cp = best.cp;
  if (best.mate) found.mate = best.mate;
  if (report.depth !== undefined) found.depth = report.depth;
  if (report.visits === 0) found.nodes = report.nodes;
  return found;
}
