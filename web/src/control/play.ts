// A game against the engine, between two people at this screen, or of the engine against itself.
import { Value } from "../base/value";
import { type Document, emptyGame } from "../game/document";
import { type Start, turnOf } from "../game/state";
import { heldBy, type TreeNode } from "../game/tree";
import type { Client, Handle } from "../net/client";
import { RequestError } from "../net/client";
import type { MoveReply, Report, Side } from "../net/protocol";
import { hasMove } from "../shogi/position";
import type { Analysis } from "./analysis";
import { Clock, type ClockRules } from "./clock";
import { Counting } from "./counting";

export type Player = { kind: "person" } | { kind: "engine"; level: number };

export interface PlaySetup {
  start: Start;
  players: Record<Side, Player>;
  clock: ClockRules | null;
}

export interface Result {
  winner: Side | null;
  reason: "resign" | "time" | "score" | "mate" | "repetition" | "perpetual check" | "declared" | string;
  score?: string; // "B+3.5"
  byPerson?: boolean; // by a button, and not by the engine: Undo takes it back alone
}

export type Phase = "idle" | "playing" | "counting" | "over";

export function opposite(side: Side): Side {
  return side === "b" ? "w" : "b";
}

const hint_ms = 1500;

export class Play {
  readonly setup = new Value<PlaySetup | null>(null);
  readonly phase = new Value<Phase>("idle");
  readonly live = new Value<TreeNode | null>(null); // the node at which the game stands
  readonly thinking = new Value<Report | boolean>(false);
  /** The side whose last move came from the opening book. */
  readonly book = new Value<Side | null>(null);
  readonly paused = new Value(false);
  /** Shogi: whether the side to move may declare a win by its entered king. */
  readonly declares = new Value(false);
  readonly result = new Value<Result | null>(null);
  readonly hint = new Value<Report | null>(null);
  readonly problem = new Value("");
  /** A position of the user's own to begin the next game from. */
  readonly from = new Value<Start | null>(null);
  readonly clock = new Clock();
  readonly counting: Counting;
  private handle: Handle<unknown> | null = null;
  private root: TreeNode | null = null; // of the game that is played

  constructor(
    private readonly client: Client,
    private readonly doc: Document,
    private readonly analysis: Analysis,
  ) {
    this.counting = new Counting(client, doc);
    this.clock.onFlag = (side) => this.finish({ winner: opposite(side), reason: "time" });
    doc.game.subscribe(() => doc.game.get().root !== this.root && this.abandon());
    doc.revision.subscribe(() => this.followTree());
  }

  begin(setup: PlaySetup): void {
    this.cancel();
    this.analysis.stop();
    const game = emptyGame(setup.start);
    game.headers.black = name(setup.players.b);
    game.headers.white = name(setup.players.w);
    game.headers.date = new Date().toISOString().slice(0, 10);
    this.from.set(null);
    this.setup.set(setup);
    this.result.set(null);
    this.problem.set("");
    this.paused.set(false);
    this.clock.setUp(setup.clock);
    this.root = game.root;
    this.doc.open(game);
    this.phase.set("playing");
    this.arrive(game.root);
  }

  /** Another game is on the board: a record was opened. */
  private abandon(): void {
    this.cancel();
    this.root = null;
    this.live.set(null);
    this.result.set(null);
    this.phase.set("idle");
  }

  /** Moves of the game were deleted: it goes back to what is left, and waits there. */
  private followTree(): void {
    const live = this.live.get();
    const left = live && heldBy(live);
    if (!left || left === live) return;
    this.cancel();
    if (this.phase.get() !== "over") {
      this.phase.set("playing");
      this.paused.set(true);
    }
    this.live.set(left);
  }

  /** Back to where the game stands, from wherever the user went in the meantime. */
  show(): void {
    const live = this.live.get();
    if (live && (this.phase.get() === "playing" || this.phase.get() === "counting")) this.doc.current.set(live);
  }

  /** A game that a reload interrupted: it waits, with full clocks, until the user goes on. */
  restore(setup: PlaySetup, live: TreeNode, result: Result | null): void {
    this.root = this.doc.game.get().root;
    this.setup.set(setup);
    this.clock.setUp(setup.clock);
    this.result.set(result);
    this.live.set(live);
    if (result) live.end ??= this.endOf(result);
    this.phase.set(result ? "over" : "playing");
    this.paused.set(!result);
  }

  /** Whose turn it is, where a person may move now. */
  personToMove(): Side | null {
    const live = this.live.get();
    if (this.phase.get() !== "playing" || !live || this.doc.current.get() !== live || this.thinking.get() || this.paused.get()) return null;
    const side = turnOf(this.doc.state(live));
    return this.setup.get()?.players[side].kind === "person" ? side : null;
  }

  /** A person's move. */
  move(text: string): boolean {
    if (!this.personToMove()) return false;
    return this.advance(text);
  }

  private advance(text: string): boolean {
    const live = this.live.get();
    const node = live && this.doc.add(text, live);
    if (!node) return false;
    if (node.parent!.children[0] !== node) this.doc.makeMain(node); // what was only looked at is a variation
    this.problem.set("");
    this.clock.press();
    this.arrive(node);
    return true;
  }

  private arrive(node: TreeNode): void {
    this.hint.set(null);
    this.live.set(node);
    this.thinking.set(false);
    this.book.set(null);
    this.declares.set(false);
    void this.settle(node);
  }

  /** Whether the game is over here, asks the server, which knows repetition and superko; then goes on. */
  private async settle(node: TreeNode): Promise<void> {
    const state = this.doc.state(node);
    if (state.game === "go" && state.go.passes >= 2) return this.count();
    const side = turnOf(state);
    if (state.game === "shogi" && !hasMove(state.shogi)) return this.finish({ winner: opposite(side), reason: "mate" });
    if (!this.paused.get()) this.clock.start(side);
    if (this.setup.get()?.players[side].kind === "engine") this.think(node, side);
    if (node.parent || state.game === "shogi") await this.referee(node);
  }

  private async referee(node: TreeNode): Promise<void> {
    try {
      const { over, declares } = await this.client.request("position", { position: this.doc.position(node) }).done;
      if (this.live.get() !== node || this.phase.get() !== "playing") return;
      this.declares.set(declares === true);
      if (!over || over.reason === "passes") return;
      this.finish({ winner: over.winner, reason: over.reason });
    } catch (error) {
      if (this.live.get() !== node) return;
      this.problem.set((error as Error).message);
      if (error instanceof RequestError && error.reply.code === "illegal") this.takeBack(node);
    }
  }

  private takeBack(node: TreeNode): void {
    this.cancel();
    const parent = node.parent;
    if (!parent) return;
    this.live.set(parent);
    this.doc.remove(node);
    this.doc.current.set(parent);
    const message = this.problem.get();
    this.arrive(parent);
    this.problem.set(message);
  }

  private think(node: TreeNode, side: Side): void {
    if (this.paused.get()) return;
    const player = this.setup.get()!.players[side];
    const clock = this.clock.state();
    const handle = this.client.request(
      "move",
      {
        position: this.doc.position(node),
        every_ms: 200,
        ...(player.kind === "engine" ? { level: player.level } : {}),
        ...(clock ? { clock } : {}),
      },
      (message) => message.type === "report" && this.live.get() === node && this.thinking.set(message),
    );
    this.handle = handle;
    this.thinking.set(true);
    handle.done.then(
      (reply) => this.live.get() === node && this.answered(side, reply),
      (error: Error) => this.failed(node, error),
    );
  }

  private failed(node: TreeNode, error: Error): void {
    if (this.live.get() !== node) return;
    this.thinking.set(false);
    this.paused.set(true);
    this.clock.halt();
    this.problem.set(error.message);
  }

  private answered(side: Side, reply: MoveReply): void {
    this.handle = null;
    this.thinking.set(false);
    if (reply.stopped) {
      // Another search took the engine: the game waits until the user goes on with it.
      this.clock.halt();
      this.paused.set(true);
      return;
    }
    if (reply.move === "resign") return this.finish({ winner: opposite(side), reason: "resign" });
    if (reply.move === "win") return this.finish({ winner: side, reason: "declared" });
    if (!this.advance(reply.move)) this.problem.set(reply.move);
    else if (reply.book) this.book.set(side);
  }

  private cancel(): void {
    if (this.handle) this.client.stop(this.handle);
    this.handle = null;
    this.thinking.set(false);
    this.hint.set(null);
    this.clock.halt();
    this.counting.clear();
  }

  finish(result: Result): void {
    this.cancel();
    this.result.set(result);
    this.phase.set("over");
    const { headers } = this.doc.game.get();
    headers.result = result.score ?? resultText(result);
    const live = this.live.get();
    if (live) live.end = this.endOf(result);
    this.doc.changed();
  }

  private endOf(result: Result): string {
    return this.doc.game.get().start.game === "shogi" ? shogiEnd(result) : result.reason;
  }

  resign(): void {
    const live = this.live.get();
    if (this.phase.get() !== "playing" || !live) return;
    const players = this.setup.get()!.players;
    const turn = turnOf(this.doc.state(live));
    const loser = players[turn].kind === "person" || players[opposite(turn)].kind === "engine" ? turn : opposite(turn);
    this.finish({ winner: opposite(loser), reason: "resign", byPerson: true });
  }

  declare(): void {
    const side = this.personToMove();
    if (side && this.declares.get()) this.finish({ winner: side, reason: "declared", byPerson: true });
  }

  private isPersons(node: TreeNode): boolean {
    return this.setup.get()?.players[turnOf(this.doc.state(node))].kind === "person";
  }

  /** Whether a person ended the game without a move: it goes on where it stands. */
  private isGivenUp(live: TreeNode): boolean {
    const result = this.result.get();
    return result !== null && (result.byPerson === true || (result.reason === "time" && this.isPersons(live)));
  }

  canUndo(): boolean {
    const live = this.live.get();
    return live !== null && this.phase.get() !== "idle" && (live.parent !== null || this.isGivenUp(live));
  }

  /** Back to the person's last turn. */
  undo(): void {
    const players = this.setup.get()?.players;
    let at = this.live.get();
    if (!players || !at || !this.canUndo()) return;
    const people = players.b.kind === "person" || players.w.kind === "person";
    this.cancel();
    let gone: TreeNode | null = null;
    if (!this.isGivenUp(at))
      do {
        gone = at!;
        at = gone.parent!;
      } while (at.parent && people && !this.isPersons(at));
    this.live.set(at);
    if (gone) this.doc.remove(gone);
    delete at.end;
    delete at.goesOn;
    this.result.set(null);
    delete this.doc.game.get().headers.result;
    this.phase.set("playing");
    this.doc.current.set(at);
    this.arrive(at);
  }

  pause(): void {
    const live = this.live.get();
    if (this.phase.get() !== "playing" || !live) return;
    if (this.paused.get()) {
      this.paused.set(false);
      this.arrive(live);
    } else {
      this.cancel();
      this.paused.set(true);
    }
  }

  askHint(): void {
    const live = this.live.get();
    if (!live || this.personToMove() === null) return;
    const go = this.doc.game.get().start.game === "go";
    const show = (report: Report): void => {
      if (this.live.get() === live && this.phase.get() === "playing") this.hint.set(report);
    };
    const request = { position: this.doc.position(live), limit: { time_ms: hint_ms }, max_moves: go ? 5 : 3, every_ms: 250 };
    const handle = this.client.request("analyze", request, (message) => message.type === "report" && show(message));
    this.handle = handle;
    handle.done.then(show, (error: Error) => this.problem.set(error.message));
  }

  private count(): void {
    this.clock.halt();
    this.phase.set("counting");
    this.counting.begin(this.live.get()!).catch((error: Error) => this.problem.set(error.message));
  }

  acceptCount(): void {
    const judged = this.counting.judged.get();
    if (!judged) return;
    const winner = judged.score > 0 ? "b" : judged.score < 0 ? "w" : null;
    this.finish({ winner, reason: "score", score: judged.text });
  }

  /** The players disagree about a stone: the passes are taken back. */
  resume(): void {
    this.counting.clear();
    this.phase.set("playing");
    this.undo();
  }
}

function name(player: Player): string {
  return player.kind === "engine" ? `Yomi ${player.level}` : "";
}

function resultText(result: Result): string {
  if (!result.winner) return "Draw";
  const how = result.reason === "resign" ? "R" : result.reason === "time" ? "T" : "";
  return `${result.winner.toUpperCase()}+${how}`;
}

/** The name that records have for it. */
function shogiEnd({ reason, winner }: Result): string {
  if (reason === "time") return "time up";
  if (reason === "declared") return "declaration";
  if (reason === "perpetual check") return winner === "b" ? "foul by white" : "foul by black";
  return reason;
}
