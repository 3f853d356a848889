// What the engine thinks, above the shogi board: an arrow for each candidate, wider the better it is. On a canvas, as
// above the Go board: elements would be laid out and painted anew at every report.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Candidate, Report } from "../net/protocol";
import { forMover, percent, quality } from "../game/numbers";
import { type Colours, useColours } from "./colours";
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

/** An arrow as one filled shape that ends in the centre of the square. Its outline goes round to the left. */
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

const radius = 0.3; // of the spot at an arrow's end

interface Sheet {
  context: CanvasRenderingContext2D;
  at: Layout;
  scale: number; // pixels of a square
  colours: Colours;
}

/** Arrow and spot in one shape: what shows through is the board, not one of them through the other. */
function drawArrow({ context, at, scale, colours }: Sheet, candidate: Candidate, best: Candidate, share: number, side: "b" | "w"): void {
  const { x1, y1, x2, y2 } = ends(at, candidate.move, side);
  const rate = forMover(candidate.winrate, side);
  const shape = new Path2D(arrowPath(x1, y1, x2, y2, 0.1 + 0.12 * share));
  shape.moveTo(x2 + radius, y2);
  shape.arc(x2, y2, radius, 0, 2 * Math.PI, true);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.globalAlpha = candidate === best ? 0.9 : 0.35 + 0.4 * share;
  context.fillStyle = colours[candidate === best ? "best" : quality(forMover(best.winrate, side) - rate)];
  context.strokeStyle = "#0003";
  context.lineWidth = 0.03;
  context.fill(shape);
  context.stroke(shape);
  context.setTransform(1, 0, 0, 1, 0, 0); // letters of less than a pixel would be cut to whole ones
  context.font = `650 ${radius * scale}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.lineWidth = 0.03 * scale;
  context.strokeStyle = "#0006";
  context.fillStyle = "#fff";
  const where = [x2 * scale, (y2 + 0.11) * scale] as const;
  context.strokeText(percent(rate, 0), ...where);
  context.fillText(percent(rate, 0), ...where);
  context.globalAlpha = 1;
}

/** `width`: of the board, in pixels of the page. */
export function ShogiLayer({ at, report, shown, width }: { at: Layout; report: Report; shown: number; width: number }): preact.JSX.Element {
  const ref = useRef<HTMLCanvasElement>(null);
  const colours = useColours();
  const moves = report.moves.filter((candidate) => /^([1-9][a-i]|[A-Z]\*)[1-9][a-i]/.test(candidate.move)).slice(0, shown);
  const scale = (width * devicePixelRatio) / at.width;
  useLayoutEffect(() => {
    const context = ref.current?.getContext("2d");
    if (!context) return;
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    // The best one is drawn above the others.
    for (let i = moves.length - 1; i >= 0; i--) drawArrow({ context, at, scale, colours }, moves[i]!, moves[0]!, 1 / (1 + i), report.turn);
  });
  return (
    <canvas
      class="shogi-layer thoughts"
      ref={ref}
      width={Math.round(at.width * scale)}
      height={Math.round(at.height * scale)}
      data-drawn={moves.length > 0 ? "candidates" : ""}
      aria-hidden="true"
    />
  );
}
