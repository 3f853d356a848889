// A shogi piece, drawn: a wooden pentagon with its character. One unit wide, pointing up.
import { PieceType, pieceTypeToSFEN } from "tsshogi";

const kanji: Record<PieceType, string> = {
  [PieceType.PAWN]: "歩",
  [PieceType.LANCE]: "香",
  [PieceType.KNIGHT]: "桂",
  [PieceType.SILVER]: "銀",
  [PieceType.GOLD]: "金",
  [PieceType.BISHOP]: "角",
  [PieceType.ROOK]: "飛",
  [PieceType.KING]: "玉",
  [PieceType.PROM_PAWN]: "と",
  [PieceType.PROM_LANCE]: "杏",
  [PieceType.PROM_KNIGHT]: "圭",
  [PieceType.PROM_SILVER]: "全",
  [PieceType.HORSE]: "馬",
  [PieceType.DRAGON]: "龍",
};

/** How large a piece is beside the king. */
const sizes: Partial<Record<PieceType, number>> = {
  [PieceType.PAWN]: 0.86,
  [PieceType.PROM_PAWN]: 0.86,
  [PieceType.LANCE]: 0.9,
  [PieceType.PROM_LANCE]: 0.9,
  [PieceType.KNIGHT]: 0.9,
  [PieceType.PROM_KNIGHT]: 0.9,
  [PieceType.KING]: 1,
};

export function isPromotedType(type: PieceType): boolean {
  return pieceTypeToSFEN(type).startsWith("+");
}

export function pieceChar(type: PieceType, black: boolean, letters: boolean): string {
  if (letters) return pieceTypeToSFEN(type).toUpperCase();
  return type === PieceType.KING && !black ? "王" : kanji[type];
}

const outline = "M0 -.46 L.29 -.35 L.41 .45 L-.41 .45 L-.29 -.35 Z";

export function ShogiPiece({ type, black, turned, letters, x, y, extra = "" }: {
  type: PieceType;
  black: boolean;
  /** Drawn upside down: it belongs to the far side. */
  turned: boolean;
  letters: boolean;
  x: number;
  y: number;
  extra?: string;
}): preact.JSX.Element {
  const scale = sizes[type] ?? 0.95;
  const text = pieceChar(type, black, letters);
  return (
    <g
      class={`piece ${isPromotedType(type) ? "promoted" : ""} ${extra}`}
      transform={`translate(${x + 0.5} ${y + 0.54}) scale(${scale}) ${turned ? "rotate(180)" : ""}`}
    >
      <path class="piece-shadow" d={outline} transform={`translate(${turned ? "-.02 -.04" : ".02 .04"})`} />
      <path class="piece-wood" d={outline} />
      <text class={letters ? "piece-letter" : "piece-kanji kanji"} y={letters ? 0.24 : 0.275} data-length={text.length}>
        {text}
      </text>
    </g>
  );
}
