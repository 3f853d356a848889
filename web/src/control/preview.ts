// A line that is shown on the board instead of the position: a candidate's, a better move's, a playout.
import { Value } from "../base/value";
import { type State, statesAlong } from "../game/state";

export interface Line {
  readonly base: State;
  readonly moves: readonly string[];
  readonly states: readonly State[]; // after each of the moves
  readonly shown: number; // how many of them are on the board
  readonly numbered: boolean;
}

const step_ms = 650;

export class Preview {
  readonly line = new Value<Line | null>(null);
  private timer: ReturnType<typeof setInterval> | undefined;

  /** Go shows the whole line at once, with numbers; shogi plays it move by move. */
  show(base: State, moves: readonly string[]): void {
    const states = statesAlong(base, moves);
    if (states.length === 0) return this.clear();
    const go = base.game === "go";
    const line = { base, moves: moves.slice(0, states.length), states, shown: go ? states.length : 1, numbered: go };
    this.begin(line, go ? 0 : step_ms);
  }

  /** Plays a line move by move, whichever the game. */
  replay(base: State, moves: readonly string[], interval_ms: number): void {
    const states = statesAlong(base, moves);
    this.begin({ base, moves: moves.slice(0, states.length), states, shown: 0, numbered: false }, interval_ms);
  }

  private begin(line: Line, interval_ms: number): void {
    clearInterval(this.timer);
    this.line.set(line);
    if (interval_ms > 0) this.timer = setInterval(() => this.step(1), interval_ms);
  }

  step(by: number): void {
    const line = this.line.get();
    if (line) this.goto(line.shown + by);
  }

  goto(shown: number): void {
    const line = this.line.get();
    if (!line) return;
    const next = Math.max(0, Math.min(line.states.length, shown));
    if (next === line.states.length) clearInterval(this.timer);
    if (next !== line.shown) this.line.set({ ...line, shown: next });
  }

  pause(): void {
    clearInterval(this.timer);
  }

  clear(): void {
    clearInterval(this.timer);
    this.line.set(null);
  }
}
