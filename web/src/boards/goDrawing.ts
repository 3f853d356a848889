// What the engine thinks, drawn on a canvas above the stones: candidates, ownership, policy. Elements would be laid
// out and painted anew at every report, which costs several times as much.
import { pointIndex } from "../go/coords";
import { forMover, percent, quality, shortCount } from "../game/numbers";
import type { Candidate, Report } from "../net/protocol";
import type { Colours } from "./colours";

/** A canvas on which a point of the board is so many pixels wide. */
export interface Sheet {
  context: CanvasRenderingContext2D;
  size: number;
  grain: number;
  colours: Colours;
}

const seldom = 0.02; // looked at and left: shown without figures
const font = "system-ui, sans-serif";

function middle({ size, grain }: Sheet, index: number): [number, number] {
  return [((index % size) + 0.5) * grain, (Math.floor(index / size) + 0.5) * grain];
}

function disc(sheet: Sheet, index: number, radius: number, colour: string, opacity: number, edge: boolean): void {
  const { context, grain } = sheet;
  const [x, y] = middle(sheet, index);
  context.globalAlpha = opacity;
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius * grain, 0, 2 * Math.PI);
  context.fill();
  if (edge) {
    context.strokeStyle = "#0003";
    context.lineWidth = 0.03 * grain;
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** Words around the middle of a point, `below` it by that share of a point. */
function words(sheet: Sheet, index: number, text: string, below: number, height: number, weight: number): void {
  const { context, grain } = sheet;
  const [x, y] = middle(sheet, index);
  context.font = `${weight} ${height * grain}px ${font}`;
  context.textAlign = "center";
  context.lineWidth = 0.03 * grain;
  context.strokeStyle = "#0006";
  context.strokeText(text, x, y + below * grain);
  context.fillStyle = "#fff";
  context.fillText(text, x, y + below * grain);
}

function drawSpot(sheet: Sheet, candidate: Candidate, best: Candidate, share: number, side: "b" | "w"): void {
  const index = pointIndex(sheet.size, candidate.move);
  if (index < 0) return;
  const rate = forMover(candidate.winrate, side);
  const first = candidate === best;
  const colour = sheet.colours[first ? "best" : quality(forMover(best.winrate, side) - rate)];
  disc(sheet, index, share < seldom ? 0.2 : 0.47, colour, first ? 0.95 : 0.45 + 0.45 * Math.sqrt(share), true);
  if (share < seldom) return;
  words(sheet, index, percent(rate, 0), 0.02, 0.36, 650);
  words(sheet, index, shortCount(candidate.visits), 0.29, 0.23, 500);
}

function drawSpots(sheet: Sheet, report: Report): void {
  const best = report.moves[0];
  const most = Math.max(1, ...report.moves.map(({ visits }) => visits));
  for (const candidate of report.moves) drawSpot(sheet, candidate, best!, candidate.visits / most, report.turn);
}

/** A square on each point, darker the surer it is whose. */
function drawOwners({ context, size, grain }: Sheet, values: readonly number[]): void {
  for (let index = 0; index < size * size; index++) {
    const value = values[index] ?? 0;
    context.globalAlpha = Math.min(0.9, Math.abs(value));
    context.fillStyle = value > 0 ? "#111" : "#fff";
    const [x, y] = [index % size, Math.floor(index / size)];
    context.fillRect((x + 0.3) * grain, (y + 0.3) * grain, 0.4 * grain, 0.4 * grain);
  }
  context.globalAlpha = 1;
}

function drawPolicy(sheet: Sheet, values: readonly number[]): void {
  const points = values.slice(0, sheet.size * sheet.size);
  const most = Math.max(0.001, ...points);
  points.forEach((value, index) => {
    if (value < most * 0.02) return;
    disc(sheet, index, 0.46, "#6a4fb3", 0.15 + 0.75 * Math.sqrt(value / most), false);
    if (value >= 0.005) words(sheet, index, percent(value, value < 0.095 ? 1 : 0), 0.1, 0.23, 500);
  });
}

export interface Drawn {
  candidates: boolean;
  ownership: boolean;
  policy: boolean;
}

/** The canvas anew. */
export function drawReport(sheet: Sheet, report: Report, drawn: Drawn): void {
  const { context, size, grain } = sheet;
  context.clearRect(0, 0, size * grain, size * grain);
  if (drawn.ownership && report.ownership) drawOwners(sheet, report.ownership);
  if (drawn.policy && report.policy) drawPolicy(sheet, report.policy);
  else if (drawn.candidates) drawSpots(sheet, report);
}

/** Which of the three are on the canvas now, as a word each. */
export function drawnParts(report: Report, drawn: Drawn): string {
  const policy = drawn.policy && report.policy !== undefined;
  const parts = [
    drawn.ownership && report.ownership && "ownership",
    policy && "policy",
    drawn.candidates && !policy && report.moves.length > 0 && "candidates",
  ];
  return parts.filter(Boolean).join(" ");
}
