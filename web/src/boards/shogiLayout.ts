// Where things stand on the drawing of the shogi board. Units are the width of a square.
import type { Side } from "../net/protocol";

export const cellHeight = 1.08;
const frame = 0.5; // coordinates and edge around the squares
const stand = 2.3; // width of a piece stand beside the board
const row = 1.3; // height of one above or below it

export interface Layout {
  wide: boolean;
  flipped: boolean;
  width: number;
  height: number;
  boardX: number;
  boardY: number;
}

export function layout(wide: boolean, flipped: boolean): Layout {
  const board = { width: 9 + 2 * frame, height: 9 * cellHeight + 2 * frame };
  return wide
    ? { wide, flipped, width: board.width + 2 * stand, height: board.height, boardX: stand + frame, boardY: frame }
    : { wide, flipped, width: board.width, height: board.height + 2 * row, boardX: frame, boardY: row + frame };
}

/** The top left of a square: file 1 to 9 from the right, rank 1 to 9 from the top, as Black sees it. */
export function squareAt(at: Layout, file: number, rank: number): { x: number; y: number } {
  const column = at.flipped ? file - 1 : 9 - file;
  const line = at.flipped ? 9 - rank : rank - 1;
  return { x: at.boardX + column, y: at.boardY + line * cellHeight };
}

/** Square "7g" as file and rank. */
export function fileRank(square: string): { file: number; rank: number } {
  return { file: Number(square[0]), rank: square.charCodeAt(1) - 96 };
}

export function squareName(file: number, rank: number): string {
  return `${file}${String.fromCharCode(96 + rank)}`;
}

export function centreOf(at: Layout, square: string): { x: number; y: number } {
  const { file, rank } = fileRank(square);
  const { x, y } = squareAt(at, file, rank);
  return { x: x + 0.5, y: y + cellHeight / 2 };
}

/** The piece stand of a side: the near side has its own at the right or below. */
export function standOf(at: Layout, side: Side): { x: number; y: number; width: number; height: number } {
  const near = (side === "b") !== at.flipped;
  if (at.wide) {
    const height = 7 * 0.94 + 0.3;
    return {
      x: near ? at.width - stand + 0.2 : 0.1,
      y: near ? at.height - height - 0.06 : 0.06,
      width: stand - 0.3,
      height,
    };
  }
  return { x: frame / 2, y: near ? at.height - row + 0.1 : 0, width: at.width - frame, height: row - 0.1 };
}

const standOrder = "RBGSNLP";

/** The top left of a kind of piece ("P") on a stand. */
export function standPiece(at: Layout, side: Side, letter: string): { x: number; y: number } {
  const box = standOf(at, side);
  const near = (side === "b") !== at.flipped;
  const place = standOrder.indexOf(letter);
  if (at.wide) return { x: box.x + 0.25, y: box.y + 0.12 + (near ? place : 6 - place) * 0.94 };
  const step = (box.width - 0.1) / 7;
  return { x: box.x + 0.05 + (near ? place : 6 - place) * step, y: box.y + 0.1 };
}

export { standOrder };
