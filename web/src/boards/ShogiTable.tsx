// The shogi board as a place to play: mouse, touch and keys; promotion is asked for.
import { useMemo, useRef, useState } from "preact/hooks";
import { Color, PieceType, Square, promotedPieceType } from "tsshogi";
import { keepFocus, useSize, useStateOf } from "../base/hooks";
import { t } from "../i18n/text";
import type { Report } from "../net/protocol";
import { origins, type ShogiState, type Target, targets } from "../shogi/position";
import { handTypes, letterOf, ShogiBoard } from "./ShogiBoard";
import { ShogiLayer } from "./ShogiLayer";
import { cellHeight, fileRank, layout, type Layout, squareAt, squareName } from "./shogiLayout";
import { pieceChar, ShogiPiece } from "./ShogiPiece";

export interface ShogiTableProps {
  state: ShogiState;
  flipped: boolean;
  letters: boolean;
  coordinates: boolean;
  legal: boolean;
  report: Report | null;
  onMove: ((usi: string) => void) | null;
}

interface Drag {
  from: string;
  x: number;
  y: number;
  moved: boolean;
}

function pieceAt(state: ShogiState, spot: string): { type: PieceType; black: boolean } | null {
  const black = state.position.color === Color.BLACK;
  if (spot[1] === "*") {
    const type = handTypes.find((hand) => letterOf(hand) === spot[0]);
    return type ? { type, black } : null;
  }
  const square = Square.newByUSI(spot);
  const piece = square && state.position.board.at(square);
  return piece ? { type: piece.type, black: piece.color === Color.BLACK } : null;
}

/** Whether the side to move may pick up what stands there. */
function isOwn(state: ShogiState, spot: string): boolean {
  const piece = pieceAt(state, spot);
  return piece !== null && piece.black === (state.position.color === Color.BLACK);
}

function spotUnder(x: number, y: number): string | null {
  return document.elementFromPoint(x, y)?.closest<SVGElement>("[data-spot]")?.dataset.spot || null;
}

/**
 * Chosen when a pointer goes down: the tap that brought the question ends in a click on whatever is
 * under the finger then, which is this.
 */
function Promotion({ state, at, letters, from, to, choose }: {
  state: ShogiState;
  at: Layout;
  letters: boolean;
  from: string;
  to: string;
  choose: (promote: boolean | null) => void;
}): preact.JSX.Element | null {
  const piece = pieceAt(state, from);
  if (!piece) return null;
  const { file, rank } = fileRank(to);
  const { x, y } = squareAt(at, file, rank);
  const left = Math.min(Math.max(0.05, x - 0.6), at.width - 2.25);
  const answer = (event: Event, promote: boolean | null): void => {
    event.stopPropagation(); // the square below is not chosen
    choose(promote);
  };
  const options: [boolean, PieceType][] = [
    [true, promotedPieceType(piece.type)],
    [false, piece.type],
  ];
  return (
    <g class="promotion">
      <rect class="veil" x={0} y={0} width={at.width} height={at.height} onPointerDown={(event) => answer(event, null)} />
      <rect class="promotion-box" x={left} y={y - 0.05} width={2.2} height={cellHeight + 0.1} rx={0.12} />
      {options.map(([promote, type], i) => (
        <g
          key={i}
          class="promotion-choice"
          data-promote={String(promote)}
          role="button"
          aria-label={t(promote ? "promote" : "keep")}
          onPointerDown={(event) => answer(event, promote)}
        >
          <rect x={left + 0.05 + i * 1.05} y={y} width={1.05} height={cellHeight} rx={0.1} />
          <ShogiPiece type={type} black={piece.black} turned={piece.black === at.flipped} letters={letters} x={left + 0.08 + i * 1.05} y={y} />
        </g>
      ))}
    </g>
  );
}

export function ShogiTable(props: ShogiTableProps): preact.JSX.Element {
  const { state, onMove, letters } = props;
  const [ref, box] = useSize<HTMLDivElement>();
  const [selected, setSelected] = useStateOf<string>(state);
  const [drag, setDrag] = useStateOf<Drag>(state);
  // The same at once: a pointer may come down, move and go up before the board is drawn again.
  const held = useRef<{ state: ShogiState; drag: Drag } | null>(null);
  const [asking, setAsking] = useStateOf<Target>(state);
  const [cursor, setCursor] = useState<string | null>(null);

  const wide = box.width > box.height * 1.12;
  const at = useMemo(() => layout(wide, props.flipped), [wide, props.flipped]);
  const possible = useMemo(() => (selected ? targets(state, selected) : []), [state, selected]);
  // With a piece picked up, where it may go; else, on request, which pieces can move.
  const shownTargets = useMemo(() => {
    if (selected) return possible.map(({ to }) => to);
    if (!props.legal || !onMove) return null;
    return origins(state).filter((from) => targets(state, from).length > 0);
  }, [props.legal, possible, onMove === null]);

  function put(from: string, target: Target): void {
    if (!target.plain || !target.promoted) return finish(from, target, target.promoted);
    setSelected(from);
    setAsking(target);
  }

  function finish(from: string, target: Target, promote: boolean): void {
    setAsking(null);
    setSelected(null);
    onMove?.(`${from}${target.to}${promote ? "+" : ""}`);
  }

  /** A square or stand was chosen: puts the piece that is picked up, or picks one up. */
  function choose(spot: string): void {
    if (!onMove || asking) return;
    const target = selected ? possible.find(({ to }) => to === spot) : undefined;
    if (target) put(selected!, target);
    else setSelected(spot !== selected && isOwn(state, spot) ? spot : null);
  }

  function toBoard(event: PointerEvent): { x: number; y: number } {
    const svg = (event.currentTarget as Element).querySelector("svg")!;
    const { left, top, width } = svg.getBoundingClientRect();
    const scale = at.width / width;
    return { x: (event.clientX - left) * scale, y: (event.clientY - top) * scale };
  }

  function down(event: PointerEvent): void {
    const spot = spotUnder(event.clientX, event.clientY);
    if (!spot || !onMove || asking || event.button !== 0) return;
    if (isOwn(state, spot) && spot !== selected && !possible.some(({ to }) => to === spot)) {
      setSelected(spot);
      hold({ from: spot, ...toBoard(event), moved: false });
    } else choose(spot);
  }

  function hold(next: Drag | null): void {
    held.current = next && { state, drag: next };
    setDrag(next);
  }

  function move(event: PointerEvent): void {
    if (held.current?.state !== state) return;
    const { x, y } = toBoard(event);
    const { drag } = held.current;
    if (drag.moved || Math.hypot(x - drag.x, y - drag.y) > 0.25) hold({ from: drag.from, x, y, moved: true });
  }

  function up(event: PointerEvent): void {
    if (held.current?.state !== state) return;
    const { from, moved } = held.current.drag;
    hold(null);
    const spot = spotUnder(event.clientX, event.clientY);
    if (!moved || !spot || spot === from || !onMove) return;
    const target = targets(state, from).find(({ to }) => to === spot);
    if (target) put(from, target);
    else setSelected(isOwn(state, spot) ? spot : null);
  }

  function key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (asking) {
      if (event.key === "Enter" || event.key === "+") finish(selected!, asking, true);
      else if (event.key === " " || event.key === "-" || event.key === "=") finish(selected!, asking, false);
      else if (event.key === "Escape") setAsking(null);
      else return;
    } else if (event.key.startsWith("Arrow")) setCursor(step(cursor, event.key, props.flipped));
    else if ((event.key === "Enter" || event.key === " ") && cursor) choose(cursor);
    else if (event.key === "Escape") {
      setCursor(null);
      setSelected(null);
    } else if (/^[rbgsnlp]$/i.test(event.key) && onMove && isHeld(state, event.key)) setSelected(`${event.key.toUpperCase()}*`);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const size = fit(at, box);
  const piece = drag?.moved ? pieceAt(state, drag.from) : null;
  return (
    <div class="board-area shogi-area" ref={ref}>
      <div
        class={`shogiban ${onMove ? "active" : ""}`}
        tabIndex={0}
        role="application"
        aria-label={`${t("shogiBoard")}${cursor ? `, ${spotWord(state, cursor)}` : ""}${asking ? `, ${t("askPromotion")}` : ""}`}
        style={{ aspectRatio: `${at.width} / ${at.height}`, width: `${size.width}px`, height: `${size.height}px` }}
        onKeyDown={key}
        onBlur={() => setCursor(null)}
        onMouseDown={keepFocus}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={() => hold(null)}
      >
        <ShogiBoard
          state={state}
          at={at}
          letters={letters}
          coordinates={props.coordinates}
          selected={selected}
          targets={shownTargets}
          cursor={cursor}
        >
          {piece && drag && (
            <ShogiPiece {...piece} turned={piece.black === at.flipped} letters={letters} x={drag.x - 0.5} y={drag.y - 0.54} extra="dragged" />
          )}
          {asking && selected && (
            <Promotion
              state={state}
              at={at}
              letters={letters}
              from={selected}
              to={asking.to}
              choose={(promote) => (promote === null ? setAsking(null) : finish(selected, asking, promote))}
            />
          )}
        </ShogiBoard>
        {props.report && !asking && !piece && <ShogiLayer at={at} report={props.report} shown={5} width={size.width} />}
      </div>
    </div>
  );
}

function fit(at: Layout, box: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(box.width / at.width, box.height / at.height);
  return { width: Math.floor(at.width * scale), height: Math.floor(at.height * scale) };
}

function isHeld(state: ShogiState, letter: string): boolean {
  const type = handTypes.find((hand) => letterOf(hand) === letter.toUpperCase());
  return type !== undefined && state.position.hand(state.position.color).count(type) > 0;
}

function step(cursor: string | null, key: string, flipped: boolean): string {
  if (cursor === null || cursor[1] === "*") return "5e";
  const { file, rank } = fileRank(cursor);
  const [dx, dy] = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  const turn = flipped ? -1 : 1;
  const clamp = (n: number): number => Math.max(1, Math.min(9, n));
  return squareName(clamp(file + turn * dx!), clamp(rank + turn * dy!));
}

function spotWord(state: ShogiState, spot: string): string {
  const piece = pieceAt(state, spot);
  if (!piece) return `${spot}: ${t("emptyPoint")}`;
  return `${spot}: ${t(piece.black ? "sente" : "gote")} ${pieceChar(piece.type, piece.black, false)}`;
}

