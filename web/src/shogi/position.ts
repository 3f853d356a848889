// A shogi position for drawing and for entering moves: tsshogi's, with moves in USI's notation.
import {
  Color,
  formatMove,
  Move,
  PieceType,
  Position,
  Square,
  handPieceTypes,
  isPromotable,
  isPromotableRank,
  pieceTypeToSFEN,
} from "tsshogi";

export interface ShogiState {
  readonly position: Position; // never changed after it was made
  readonly last: Move | null;
}

export const handicaps: readonly { key: string; sfen: string }[] = [
  { key: "even", sfen: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1" },
  { key: "lance", sfen: "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1" },
  { key: "bishop", sfen: "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1" },
  { key: "rook", sfen: "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1" },
  { key: "rookLance", sfen: "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1" },
  { key: "two", sfen: "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1" },
  { key: "four", sfen: "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1" },
  { key: "six", sfen: "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1" },
  { key: "eight", sfen: "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1" },
  { key: "ten", sfen: "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1" },
];

export const evenSfen = handicaps[0]!.sfen;

/** The position of a SFEN text; "startpos" is the even game. Null where the text is none. */
export function shogiStart(sfen: string): ShogiState | null {
  const position = Position.newBySFEN(sfen === "startpos" ? evenSfen : sfen);
  return position && { position, last: null };
}

export function shogiTurn(state: ShogiState): "b" | "w" {
  return state.position.color === Color.BLACK ? "b" : "w";
}

export function playShogi(state: ShogiState, usi: string): ShogiState | null {
  const move = state.position.createMoveByUSI(usi);
  if (!move) return null;
  const position = state.position.clone();
  return position.doMove(move) ? { position, last: move } : null;
}

/** Moves from a square or of a piece in hand: destinations, and whether promotion may and must be. */
export interface Target {
  to: string;
  plain: boolean;
  promoted: boolean;
}

function origin(from: string): Square | PieceType | null {
  if (from.length === 2 && from[1] !== "*") return Square.newByUSI(from);
  return handPieceTypes.find((type) => pieceTypeToSFEN(type).toUpperCase() === from[0]) ?? null;
}

/** Every legal destination of `from`, which is a square ("7g") or a piece in hand ("P*"). */
export function targets(state: ShogiState, from: string): Target[] {
  const { position } = state;
  const start = origin(from);
  if (start === null) return [];
  if (start instanceof Square) {
    if (position.board.at(start)?.color !== position.color) return [];
  } else if (position.hand(position.color).count(start) === 0) return [];
  const result: Target[] = [];
  for (const to of Square.all) {
    const move = position.createMove(start, to);
    if (!move) continue;
    const plain = position.isValidMove(move);
    const promoted = canPromote(move) && position.isValidMove(move.withPromote());
    if (plain || promoted) result.push({ to: to.usi, plain, promoted });
  }
  return result;
}

function canPromote(move: Move): boolean {
  if (!(move.from instanceof Square) || !isPromotable(move.pieceType)) return false;
  return isPromotableRank(move.color, move.from.rank) || isPromotableRank(move.color, move.to.rank);
}

export function origins(state: ShogiState): string[] {
  const { position } = state;
  const squares = position.board.listSquaresByColor(position.color).map((square) => square.usi);
  const drops = position
    .hand(position.color)
    .counts.filter(({ count }) => count > 0)
    .map(({ type }) => `${pieceTypeToSFEN(type).toUpperCase()}*`);
  return [...squares, ...drops];
}

export function legalShogi(state: ShogiState): string[] {
  const moves: string[] = [];
  for (const from of origins(state)) {
    for (const { to, plain, promoted } of targets(state, from)) {
      if (plain) moves.push(from + to);
      if (promoted) moves.push(`${from}${to}+`);
    }
  }
  return moves;
}

/** Whether the side to move has any move: quicker than listing all of them. */
export function hasMove(state: ShogiState): boolean {
  return origins(state).some((from) => targets(state, from).length > 0);
}

/** "▲７六歩" in Japanese, "P-7f" in English. */
export function shogiMoveText(state: ShogiState, usi: string, japanese: boolean): string {
  const move = state.position.createMoveByUSI(usi);
  if (!move) return usi;
  if (japanese) return formatMove(state.position, move, state.last ? { lastMove: state.last } : {});
  const name = englishName(move.pieceType);
  if (!(move.from instanceof Square)) return `${name}*${move.to.usi}`;
  const others = Square.all.some((square) => ambiguous(state.position, move, square));
  const from = others ? move.from.usi : "";
  const promotion = move.promote ? "+" : canPromote(move) ? "=" : "";
  return `${name}${from}${move.capturedPieceType ? "x" : "-"}${move.to.usi}${promotion}`;
}

function ambiguous(position: Position, move: Move, square: Square): boolean {
  if (!(move.from instanceof Square) || square.equals(move.from)) return false;
  const piece = position.board.at(square);
  if (piece?.color !== move.color || piece.type !== move.pieceType) return false;
  const other = position.createMove(square, move.to);
  return other !== null && (position.isValidMove(other) || position.isValidMove(other.withPromote()));
}

export function englishName(type: PieceType): string {
  return pieceTypeToSFEN(type).toUpperCase();
}
