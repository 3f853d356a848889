// How values are shown.
import type { Side } from "../net/protocol";

/** A win rate of Black's as that of a side. */
export function forMover(winrate: number, side: Side): number {
  return side === "b" ? winrate : 1 - winrate;
}

export function percent(value: number, digits = 1): string {
  return (100 * value).toFixed(digits);
}

/** 812, 1.2k, 34k, 5.6M */
export function shortCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  for (const [unit, name] of [[1e3, "k"], [1e6, "M"], [1e9, "G"]] as const) {
    const value = count / unit;
    if (value < 9.95) return `${value.toFixed(1)}${name}`;
    if (value < 999.5) return `${Math.round(value)}${name}`;
  }
  return `${Math.round(count / 1e12)}T`;
}

/** "B+3.5", "W+12", "0" */
export function lead(score: number, digits = 1): string {
  const text = Math.abs(score).toFixed(digits);
  if (Number(text) === 0) return "0";
  return `${score > 0 ? "B" : "W"}+${text}`;
}

/** How much worse than the best a move is, in the words of its colour. */
export function quality(lost: number): "good" | "fair" | "poor" | "bad" {
  if (lost < 0.02) return "good";
  if (lost < 0.06) return "fair";
  if (lost < 0.15) return "poor";
  return "bad";
}

/** Shogi: "+3.2" in pawns, "mate in 7"; Black's. */
export function shogiScore(value: { cp?: number; mate?: number }, mate: (plies: number) => string): string {
  if (value.mate) return `${value.mate > 0 ? "+" : "−"}${mate(Math.abs(value.mate))}`;
  if (value.cp === undefined) return "";
  const pawns = value.cp / 100;
  return `${pawns < 0 ? "−" : "+"}${Math.abs(pawns).toFixed(1)}`;
}

/** 0:09, 12:05, 1:00:00; the last ten seconds with tenths. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(left / 1000);
  const two = (n: number): string => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
