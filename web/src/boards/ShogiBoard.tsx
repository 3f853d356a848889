// The shogi board with its piece stands, drawn as one picture.
import { Color, type Piece, PieceType, pieceTypeToSFEN, Square } from "tsshogi";
import type { ComponentChildren } from "preact";
import { memo } from "../base/memo";
import { settings } from "../base/settings";
import { useValue } from "../base/value";
import { japanese } from "../i18n/text";
import type { Side } from "../net/protocol";
import type { ShogiState } from "../shogi/position";
import { cellHeight, type Layout, squareAt, squareName, standOf, standOrder, standPiece } from "./shogiLayout";
import { ShogiPiece } from "./ShogiPiece";

export interface ShogiBoardProps {
  state: ShogiState;
  at: Layout;
  letters: boolean;
  coordinates: boolean;
  selected: string | null; // a square, or a piece in hand ("P*")
  targets: readonly string[] | null;
  cursor: string | null;
}

const ranks = "一二三四五六七八九";
const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];

export const handTypes: readonly PieceType[] = [
  PieceType.ROOK,
  PieceType.BISHOP,
  PieceType.GOLD,
  PieceType.SILVER,
  PieceType.KNIGHT,
  PieceType.LANCE,
  PieceType.PAWN,
];

function Lines({ at }: { at: Layout }): preact.JSX.Element {
  const { boardX: x, boardY: y } = at;
  const height = 9 * cellHeight;
  const inner = numbers.slice(0, 8);
  const dots = [3, 6];
  return (
    <g>
      <rect class="board-wood" x={x - 0.5} y={y - 0.5} width={10} height={height + 1} rx={0.08} />
      <path
        class="board-line"
        d={
          inner.map((n) => `M${x + n} ${y}v${height}`).join("") +
          inner.map((n) => `M${x} ${y + n * cellHeight}h9`).join("")
        }
      />
      <rect class="board-edge" x={x} y={y} width={9} height={height} />
      {dots.map((column) =>
        dots.map((line) => <circle class="board-dot" cx={x + column} cy={y + line * cellHeight} r={0.07} />),
      )}
    </g>
  );
}

/** Ranks are written as in the moves beside the board: 七 in Japanese, g in English. */
function Coordinates({ at, letters }: { at: Layout; letters: boolean }): preact.JSX.Element {
  useValue(settings);
  const latin = letters || !japanese();
  return (
    <g class="board-coordinates">
      {numbers.map((n) => {
        const file = squareAt(at, n, at.flipped ? 9 : 1);
        const rank = squareAt(at, at.flipped ? 9 : 1, n);
        return (
          <g key={n}>
            <text x={file.x + 0.5} y={at.boardY - 0.14}>
              {n}
            </text>
            <text class={latin ? "" : "kanji"} x={at.boardX + 9.25} y={rank.y + cellHeight / 2 + 0.1}>
              {latin ? String.fromCharCode(96 + n) : ranks[n - 1]}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function Cell({ at, square, name }: { at: Layout; square: string; name: string }): preact.JSX.Element | null {
  const parsed = Square.newByUSI(square);
  if (!parsed) return null;
  const { x, y } = squareAt(at, parsed.file, parsed.rank);
  return <rect class={name} x={x} y={y} width={1} height={cellHeight} />;
}

function Highlights({ state, at, selected, targets, cursor }: ShogiBoardProps): preact.JSX.Element {
  const { last } = state;
  return (
    <g>
      {last && <Cell at={at} square={last.to.usi} name="cell-last" />}
      {last?.from instanceof Square && <Cell at={at} square={last.from.usi} name="cell-from" />}
      {selected && <Cell at={at} square={selected} name="cell-selected" />}
      {state.position.checked && <Checked state={state} at={at} />}
      {targets?.map((square) => <Target key={square} at={at} square={square} state={state} />)}
      {cursor && <Cell at={at} square={cursor} name="cursor" />}
    </g>
  );
}

function Checked({ state, at }: { state: ShogiState; at: Layout }): preact.JSX.Element | null {
  const king = state.position.board.findKing(state.position.color);
  return king ? <Cell at={at} square={king.usi} name="cell-check" /> : null;
}

function Target({ at, square, state }: { at: Layout; square: string; state: ShogiState }): preact.JSX.Element | null {
  const parsed = Square.newByUSI(square);
  if (!parsed) return null;
  if (state.position.board.at(parsed)) return <Cell at={at} square={square} name="cell-take" />;
  const { x, y } = squareAt(at, parsed.file, parsed.rank);
  return <circle class="cell-target" cx={x + 0.5} cy={y + cellHeight / 2} r={0.16} />;
}

function Stand({ props, side }: { props: ShogiBoardProps; side: Side }): preact.JSX.Element {
  const { at, state, letters, selected } = props;
  const box = standOf(at, side);
  const color = side === "b" ? Color.BLACK : Color.WHITE;
  const hand = state.position.hand(color);
  const mine = state.position.color === color;
  return (
    <g>
      <rect class="stand" x={box.x} y={box.y} width={box.width} height={box.height} rx={0.12} />
      {handTypes.map((type, i) => {
        const count = hand.count(type);
        const letter = standOrder[i]!;
        const { x, y } = standPiece(at, side, letter);
        if (count === 0) return null;
        const spot = mine ? `${letter}*` : "";
        return (
          <g key={letter}>
            {(spot === selected || spot === props.cursor) && spot !== "" && (
              <rect class={spot === selected ? "cell-selected" : "cursor"} x={x} y={y} width={1} height={1.02} rx={0.1} />
            )}
            <g transform={`translate(0 -.04)`}>
              <ShogiPiece type={type} black={side === "b"} turned={(side === "b") === at.flipped} letters={letters} x={x} y={y} />
            </g>
            {count > 1 && (
              <text class="stand-count" x={x + (at.wide ? 1.32 : 0.98)} y={y + (at.wide ? 0.68 : 1)}>
                {count}
              </text>
            )}
            <rect class="spot-area" data-spot={spot} x={x} y={y} width={at.wide ? 1.5 : 1.1} height={1} />
          </g>
        );
      })}
    </g>
  );
}

function Pieces({ state, at, letters }: ShogiBoardProps): preact.JSX.Element {
  const { board } = state.position;
  return (
    <g>
      {board.listNonEmptySquares().map((square) => {
        const piece: Piece = board.at(square)!;
        const black = piece.color === Color.BLACK;
        const { x, y } = squareAt(at, square.file, square.rank);
        return (
          <ShogiPiece key={square.index} type={piece.type} black={black} turned={black === at.flipped} letters={letters} x={x} y={y} />
        );
      })}
    </g>
  );
}

function Areas({ at }: { at: Layout }): preact.JSX.Element {
  return (
    <g>
      {numbers.map((rank) =>
        numbers.map((file) => {
          const { x, y } = squareAt(at, file, rank);
          const name = squareName(file, rank);
          return <rect key={name} class="spot-area" data-spot={name} x={x} y={y} width={1} height={cellHeight} />;
        }),
      )}
    </g>
  );
}

function ShogiBoardView(props: ShogiBoardProps): preact.JSX.Element {
  return (
    <g>
      <Lines at={props.at} />
      {props.coordinates && <Coordinates at={props.at} letters={props.letters} />}
      <Highlights {...props} />
      <Pieces {...props} />
      <Areas at={props.at} />
      <Stand props={props} side="b" />
      <Stand props={props} side="w" />
    </g>
  );
}

const Drawing = memo(ShogiBoardView);

/** The picture, with what is drawn above the pieces as its children. */
export function ShogiBoard({ children, ...props }: ShogiBoardProps & { children?: ComponentChildren }): preact.JSX.Element {
  return (
    <svg class="shogi" viewBox={`0 0 ${props.at.width} ${props.at.height}`} aria-hidden="true">
      <Drawing {...props} />
      {children}
    </svg>
  );
}

export function letterOf(type: PieceType): string {
  return pieceTypeToSFEN(type).toUpperCase();
}
