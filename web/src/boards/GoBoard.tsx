// The Go board: Shudan draws stones, markers and coordinates. What changes many times a second (the
// engine's candidates) is another layer above it, so that this one is drawn only when stones change.
import { Goban, type Map as PointMap, type Marker } from "@sabaki/shudan";
import { memo } from "../base/memo";
import type { GoState } from "../go/board";
import { pointIndex, pointText } from "../go/coords";

export interface GoBoardProps {
  state: GoState;
  vertexSize: number;
  coordinates: boolean;
  last: string | null;
  /** Numbers on stones or points, as text for each move. */
  labels: ReadonlyMap<string, string> | null;
  dead: ReadonlySet<string> | null;
  owner: readonly number[] | null;
  legal: readonly string[] | null;
}

function rows<T>(size: number, of: (index: number) => T): T[][] {
  return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_unused, x) => of(y * size + x)));
}

function markers({ state, last, labels, legal }: GoBoardProps): PointMap<Marker | null> {
  const { size } = state;
  const map = rows<Marker | null>(size, () => null);
  const put = (move: string, marker: Marker): void => {
    const index = pointIndex(size, move);
    if (index >= 0) map[Math.floor(index / size)]![index % size] = marker;
  };
  for (const move of legal ?? []) put(move, { type: "point" });
  if (last && !labels) put(last, { type: "circle" });
  for (const [move, label] of labels ?? []) put(move, { type: "label", label });
  return map;
}

/** A point's owner, where its own stone does not show it. */
function territory(sign: number, owner: number): 1 | -1 | 0 {
  return sign === owner ? 0 : (owner as 1 | -1 | 0);
}

function GoBoardView(props: GoBoardProps): preact.JSX.Element {
  const { state, vertexSize, coordinates, dead, owner } = props;
  const { size } = state;
  const dimmed = [...(dead ?? [])].map((move): [number, number] => {
    const index = pointIndex(size, move);
    return [index % size, Math.floor(index / size)];
  });
  return (
    <Goban
      vertexSize={vertexSize}
      signMap={rows(size, (index) => state.signs[index]!)}
      markerMap={markers(props) as PointMap<Marker>}
      {...(owner ? { paintMap: rows(size, (index) => territory(state.signs[index]!, owner[index]!)) } : {})}
      dimmedVertices={dimmed}
      showCoordinates={coordinates}
      class={props.legal ? "with-legal" : ""}
    />
  );
}

export const GoBoard = memo(GoBoardView);

/** The point under an event, or null where it is off the board. */
export function pointOf(size: number, event: Event): string | null {
  const vertex = (event.target as Element).closest<HTMLElement>(".shudan-vertex");
  if (!vertex) return null;
  return pointText(size, Number(vertex.dataset.y) * size + Number(vertex.dataset.x));
}
