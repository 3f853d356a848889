// Above the stones: what the engine thinks, the cursor, and a stone that waits to be confirmed.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { GoState } from "../go/board";
import { pointIndex } from "../go/coords";
import type { Report } from "../net/protocol";
import { useColours } from "./colours";
import { drawnParts, drawReport, type Drawn } from "./goDrawing";

export interface GoLayerProps extends Drawn {
  state: GoState;
  vertexSize: number;
  report: Report | null;
  cursor: string | null;
  ghost: string | null;
}

function Thoughts({ size, vertexSize, report, ...drawn }: Drawn & { size: number; vertexSize: number; report: Report }): preact.JSX.Element {
  const ref = useRef<HTMLCanvasElement>(null);
  const colours = useColours();
  const grain = Math.round(vertexSize * devicePixelRatio);
  useLayoutEffect(() => {
    const context = ref.current?.getContext("2d");
    if (context) drawReport({ context, size, grain, colours }, report, drawn);
  });
  return <canvas class="go-layer thoughts" ref={ref} width={size * grain} height={size * grain} data-drawn={drawnParts(report, drawn)} aria-hidden="true" />;
}

function Mark({ size, move, name }: { size: number; move: string; name: string }): preact.JSX.Element | null {
  const index = pointIndex(size, move);
  if (index < 0) return null;
  const x = index % size;
  const y = Math.floor(index / size);
  return name === "cursor" ? (
    <rect class="cursor" x={x + 0.04} y={y + 0.04} width={0.92} height={0.92} rx={0.12} />
  ) : (
    <circle class={name} cx={x + 0.5} cy={y + 0.5} r={0.46} />
  );
}

export function GoLayer({ state, vertexSize, report, cursor, ghost, candidates, ownership, policy }: GoLayerProps): preact.JSX.Element {
  const { size } = state;
  return (
    <>
      {report && <Thoughts {...{ size, vertexSize, report, candidates, ownership, policy }} />}
      {(ghost || cursor) && (
        <svg class="go-layer" viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
          {ghost && <Mark size={size} move={ghost} name={state.turn === 1 ? "ghost-b" : "ghost-w"} />}
          {cursor && <Mark size={size} move={cursor} name="cursor" />}
        </svg>
      )}
    </>
  );
}
