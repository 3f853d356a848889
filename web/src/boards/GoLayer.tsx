// What the engine thinks, above the stones: candidates with win rate and visits, ownership, policy.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { GoState } from "../go/board";
import { pointIndex } from "../go/coords";
import { forMover, percent, quality, shortCount } from "../game/numbers";
import type { Candidate, Report } from "../net/protocol";

export interface GoLayerProps {
  state: GoState;
  report: Report | null;
  candidates: boolean;
  ownership: boolean;
  policy: boolean;
  cursor: string | null;
  ghost: string | null;
}

function Spot({ size, candidate, best, share, side }: {
  size: number;
  candidate: Candidate;
  best: Candidate;
  share: number;
  side: "b" | "w";
}): preact.JSX.Element | null {
  const index = pointIndex(size, candidate.move);
  if (index < 0) return null;
  const lost = forMover(best.winrate, side) - forMover(candidate.winrate, side);
  const first = candidate === best;
  const seldom = share < 0.02; // looked at and left: shown without figures
  return (
    <g transform={`translate(${(index % size) + 0.5} ${Math.floor(index / size) + 0.5})`}>
      <circle
        r={seldom ? 0.2 : 0.47}
        class={`spot ${first ? "best" : quality(lost)}`}
        style={{ opacity: first ? 0.95 : 0.45 + 0.45 * Math.sqrt(share) }}
      />
      {!seldom && (
        <>
          <text class="spot-rate" y={0.02}>
            {percent(forMover(candidate.winrate, side), 0)}
          </text>
          <text class="spot-visits" y={0.29}>
            {shortCount(candidate.visits)}
          </text>
        </>
      )}
    </g>
  );
}

function Spots({ state, report }: { state: GoState; report: Report }): preact.JSX.Element {
  const best = report.moves[0];
  const most = Math.max(1, ...report.moves.map((move) => move.visits));
  return (
    <g>
      {best &&
        report.moves.map((candidate) => (
          <Spot
            key={candidate.move}
            size={state.size}
            candidate={candidate}
            best={best}
            share={candidate.visits / most}
            side={report.turn}
          />
        ))}
    </g>
  );
}

const grain = 24; // pixels of the canvas to a point

/** A square on each point, darker the surer it is whose. On a canvas: 361 elements are too many to change. */
function Owners({ size, values }: { size: number; values: readonly number[] }): preact.JSX.Element {
  const ref = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const context = ref.current?.getContext("2d");
    if (!context) return;
    context.clearRect(0, 0, size * grain, size * grain);
    for (let index = 0; index < size * size; index++) {
      const value = values[index] ?? 0;
      context.globalAlpha = Math.min(0.9, Math.abs(value));
      context.fillStyle = value > 0 ? "#111" : "#fff";
      const [x, y] = [index % size, Math.floor(index / size)];
      context.fillRect((x + 0.3) * grain, (y + 0.3) * grain, 0.4 * grain, 0.4 * grain);
    }
  }, [values]);
  return <canvas class="go-layer owners" ref={ref} width={size * grain} height={size * grain} />;
}

function Policy({ size, values }: { size: number; values: readonly number[] }): preact.JSX.Element {
  const most = Math.max(0.001, ...values);
  return (
    <g>
      {values.slice(0, size * size).map((value, index) =>
        value < most * 0.02 ? null : (
          <g key={index} transform={`translate(${(index % size) + 0.5} ${Math.floor(index / size) + 0.5})`}>
            <circle r={0.46} class="policy" style={{ opacity: 0.15 + 0.75 * Math.sqrt(value / most) }} />
            {value >= 0.005 && (
              <text class="spot-visits" y={0.1}>
                {percent(value, value < 0.095 ? 1 : 0)}
              </text>
            )}
          </g>
        ),
      )}
    </g>
  );
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

export function GoLayer(props: GoLayerProps): preact.JSX.Element {
  const { state, report } = props;
  const { size } = state;
  return (
    <>
      {props.ownership && report?.ownership && <Owners size={size} values={report.ownership} />}
      <svg class="go-layer" viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
        {props.policy && report?.policy ? (
          <Policy size={size} values={report.policy} />
        ) : (
          props.candidates && report && <Spots state={state} report={report} />
        )}
        {props.ghost && <Mark size={size} move={props.ghost} name={state.turn === 1 ? "ghost-b" : "ghost-w"} />}
        {props.cursor && <Mark size={size} move={props.cursor} name="cursor" />}
      </svg>
    </>
  );
}
