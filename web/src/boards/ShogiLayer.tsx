// What the engine thinks, above the shogi board: an arrow for each candidate, wider with more visits.
import type { Candidate, Report } from "../net/protocol";
import { forMover, percent, quality } from "../game/numbers";
import { centreOf, type Layout, standPiece } from "./shogiLayout";

function ends(at: Layout, move: string, side: "b" | "w"): { x1: number; y1: number; x2: number; y2: number } {
  const to = centreOf(at, move.slice(2, 4));
  if (move[1] === "*") {
    const { x, y } = standPiece(at, side, move[0]!);
    return { x1: x + 0.5, y1: y + 0.5, x2: to.x, y2: to.y };
  }
  const from = centreOf(at, move.slice(0, 2));
  return { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
}

/** An arrow as one filled shape, its head ending a little before the centre of the square. */
function arrowPath(x1: number, y1: number, x2: number, y2: number, width: number): string {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [nx, ny] = [-uy, ux];
  const head = Math.min(0.42, length * 0.5);
  const at = (along: number, across: number): string =>
    `${(x1 + ux * along + nx * across).toFixed(3)} ${(y1 + uy * along + ny * across).toFixed(3)}`;
  const neck = length - head;
  return `M${at(0.1, width / 2)}L${at(neck, width / 2)}L${at(neck, width / 2 + 0.13)}L${at(length, 0)}L${at(neck, -width / 2 - 0.13)}L${at(neck, -width / 2)}L${at(0.1, -width / 2)}Z`;
}

function Arrow({ at, candidate, best, share, side }: {
  at: Layout;
  candidate: Candidate;
  best: Candidate;
  share: number;
  side: "b" | "w";
}): preact.JSX.Element {
  const { x1, y1, x2, y2 } = ends(at, candidate.move, side);
  const lost = forMover(best.winrate, side) - forMover(candidate.winrate, side);
  const name = candidate === best ? "best" : quality(lost);
  return (
    <g style={{ opacity: candidate === best ? 0.9 : 0.35 + 0.4 * share }}>
      <path class={`arrow ${name}`} d={arrowPath(x1, y1, x2, y2, 0.1 + 0.12 * share)} />
      <circle class={`spot ${name}`} cx={x2} cy={y2} r={0.3} />
      <text class="arrow-rate" x={x2} y={y2 + 0.11}>
        {percent(forMover(candidate.winrate, side), 0)}
      </text>
    </g>
  );
}

export function ShogiLayer({ at, report, shown }: { at: Layout; report: Report; shown: number }): preact.JSX.Element {
  const moves = report.moves.filter((candidate) => /^([1-9][a-i]|[A-Z]\*)[1-9][a-i]/.test(candidate.move)).slice(0, shown);
  const best = moves[0];
  return (
    <svg class="shogi-layer" viewBox={`0 0 ${at.width} ${at.height}`} aria-hidden="true">
      {best &&
        [...moves]
          .reverse() // the best one is drawn above the others
          .map((candidate) => (
            <Arrow key={candidate.move} at={at} candidate={candidate} best={best} share={1 / (1 + moves.indexOf(candidate))} side={report.turn} />
          ))}
    </svg>
  );
}
