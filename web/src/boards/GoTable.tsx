// The Go board as a place to play: mouse, touch and keys.
import { useMemo, useState } from "preact/hooks";
import { keepFocus, useSize, useStateOf } from "../base/hooks";
import type { GoState } from "../go/board";
import { pointIndex, pointText } from "../go/coords";
import { t } from "../i18n/text";
import type { Report } from "../net/protocol";
import { GoBoard, pointOf } from "./GoBoard";
import { GoLayer } from "./GoLayer";

export interface GoTableProps {
  state: GoState;
  last: string | null;
  labels: ReadonlyMap<string, string> | null;
  coordinates: boolean;
  legal: readonly string[] | null;
  dead: ReadonlySet<string> | null;
  owner: readonly number[] | null;
  report: Report | null;
  shown: { candidates: boolean; ownership: boolean; policy: boolean };
  /** Null where no point may be chosen now. */
  onPoint: ((point: string) => void) | null;
  onHover: (point: string | null) => void;
}

function stoneWord(state: GoState, point: string): string {
  const sign = state.signs[pointIndex(state.size, point)];
  return t(sign === 1 ? "black" : sign === -1 ? "white" : "emptyPoint");
}

/** Where a key takes the cursor. */
function moved(size: number, cursor: string, key: string): string {
  const index = pointIndex(size, cursor);
  const x = index % size;
  const y = Math.floor(index / size);
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  const clamp = (n: number): number => Math.max(0, Math.min(size - 1, n));
  return pointText(size, clamp(y + dy!) * size + clamp(x + dx!));
}

export function GoTable(props: GoTableProps): preact.JSX.Element {
  const { state, onPoint, coordinates } = props;
  const { size } = state;
  const [ref, box] = useSize<HTMLDivElement>();
  const [cursor, setCursor] = useState<string | null>(null);
  const [ghost, setGhost] = useStateOf<string>(state); // touched once, to be confirmed
  const side = Math.min(box.width, box.height);
  const edge = coordinates ? Math.max(12, Math.min(24, Math.floor(side / size))) : 4;
  // Lines go through the middle of a square: half its size has to be whole pixels of the screen.
  const grain = devicePixelRatio >= 2 ? 1 : 2;
  const vertexSize = Math.max(8, grain * Math.floor((side - 2 * edge) / size / grain));
  const middle = useMemo(() => pointText(size, Math.floor((size * size) / 2)), [size]);

  function choose(point: string, touch: boolean): void {
    if (!onPoint) return;
    if (touch && size > 9 && ghost !== point && !props.dead) return setGhost(point);
    setGhost(null);
    onPoint(point);
  }

  function key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = cursor ?? middle;
    if (event.key.startsWith("Arrow")) setCursor(cursor === null ? at : moved(size, at, event.key));
    else if ((event.key === "Enter" || event.key === " ") && cursor) onPoint?.(cursor);
    else if (event.key === "Escape") setCursor(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const label = `${t("goBoard", { size })}${cursor ? `, ${cursor}: ${stoneWord(state, cursor)}` : ""}`;
  return (
    <div class="board-area" ref={ref}>
      <div
        class={`goban ${onPoint ? (state.turn === 1 ? "turn-b" : "turn-w") : ""} ${coordinates ? "" : "bare"}`}
        style={{ fontSize: `${vertexSize}px`, "--edge": `${edge}px` }}
        tabIndex={0}
        role="application"
        aria-label={label}
        data-size={size}
        onKeyDown={key}
        onBlur={() => setCursor(null)}
        onMouseDown={keepFocus}
        onClick={(event) => {
          const point = pointOf(size, event);
          if (point) choose(point, (event as unknown as PointerEvent).pointerType === "touch");
        }}
        onPointerOver={(event) => event.pointerType === "mouse" && props.onHover(pointOf(size, event))}
        onPointerLeave={() => props.onHover(null)}
      >
        {box.width > 0 && (
          <>
            <GoBoard
              state={state}
              vertexSize={vertexSize}
              coordinates={coordinates}
              last={props.last}
              labels={props.labels}
              dead={props.dead}
              owner={props.owner}
              legal={props.legal}
            />
            <GoLayer state={state} vertexSize={vertexSize} report={props.report} {...props.shown} cursor={cursor} ghost={ghost} />
          </>
        )}
      </div>
    </div>
  );
}
