// Clocks of two players: main time, then periods of byoyomi. Counts down here; the engine is told.
import { Value } from "../base/value";
import type { ClockState, Side } from "../net/protocol";

export interface ClockRules {
  main_ms: number;
  period_ms: number;
  count: number; // periods
}

export interface SideClock {
  main_ms: number;
  period_ms: number; // left of this period, while `count` is above 0
  count: number; // periods left; 0 while main time runs
  flagged: boolean;
}

/** The clock after `ms` more of a side's thinking. */
export function spend(rules: ClockRules, clock: SideClock, ms: number): SideClock {
  const next = { ...clock, flagged: false };
  let left = ms;
  if (next.count === 0) {
    if (left < next.main_ms) return { ...next, main_ms: next.main_ms - left };
    left -= next.main_ms;
    next.main_ms = 0;
    if (rules.count === 0) return { ...next, flagged: true };
    next.count = rules.count;
    next.period_ms = rules.period_ms;
  }
  while (left >= next.period_ms) {
    left -= next.period_ms;
    if (--next.count === 0) return { ...next, period_ms: 0, flagged: true };
    next.period_ms = rules.period_ms;
  }
  return { ...next, period_ms: next.period_ms - left };
}

/** A move was made: a period that was begun is whole again. */
export function refill(rules: ClockRules, clock: SideClock): SideClock {
  return clock.count > 0 ? { ...clock, period_ms: rules.period_ms } : clock;
}

export class Clock {
  readonly sides = new Value<Record<Side, SideClock> | null>(null);
  readonly running = new Value<Side | null>(null);
  onFlag: (side: Side) => void = () => undefined;
  private rules: ClockRules | null = null;
  private since = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  setUp(rules: ClockRules | null): void {
    this.halt();
    this.rules = rules;
    const full = rules && { main_ms: rules.main_ms, period_ms: 0, count: 0, flagged: false };
    // Without main time the first period runs at once.
    const begin = rules && full && (rules.main_ms > 0 ? full : spend(rules, full, 0));
    this.sides.set(begin && { b: begin, w: { ...begin } });
  }

  start(side: Side): void {
    this.press();
    if (!this.rules) return;
    this.running.set(side);
    this.since = performance.now();
    this.timer = setInterval(() => this.tick(), 100);
  }

  private tick(): void {
    const side = this.running.get();
    const sides = this.sides.get();
    if (!side || !sides || !this.rules) return;
    const now = performance.now();
    const next = spend(this.rules, sides[side], now - this.since);
    this.since = now;
    this.sides.set({ ...sides, [side]: next });
    if (!next.flagged) return;
    this.halt();
    this.onFlag(side);
  }

  /** The side that is to move has moved. */
  press(): void {
    const side = this.running.get();
    this.tick();
    const sides = this.sides.get();
    if (side && sides && this.rules && this.running.get() === side)
      this.sides.set({ ...sides, [side]: refill(this.rules, sides[side]) });
    this.halt();
  }

  halt(): void {
    clearInterval(this.timer);
    this.running.set(null);
  }

  state(): ClockState | undefined {
    const sides = this.sides.get();
    if (!sides || !this.rules) return undefined;
    const { main_ms, period_ms, count } = this.rules;
    const of = (clock: SideClock): { left_ms: number; count: number } => ({
      left_ms: Math.max(1, Math.round(clock.count > 0 ? clock.period_ms : clock.main_ms)),
      count: clock.count,
    });
    return { kind: count > 0 ? "byoyomi" : "absolute", main_ms, period_ms, count, b: of(sides.b), w: of(sides.w) };
  }
}
