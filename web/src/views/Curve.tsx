// Black's chance to win and the score over the moves. A click goes to the move.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { colour } from "../base/colour";
import { useSize } from "../base/hooks";
import { settings } from "../base/settings";
import { useValue } from "../base/value";
import { doc } from "../control/app";
import { lineThrough, type TreeNode } from "../game/tree";
import { sideName, t } from "../i18n/text";

type Data = [number[], (number | null)[], (number | null)[]];

/** Points of the curve; shogi's second one is in pawns, cut off where a game is decided. */
export function curveData(line: readonly TreeNode[]): Data {
  const rate = line.map(({ found }) => (found ? 100 * found.winrate : null));
  const score = line.map(({ found }) => {
    if (found?.score !== undefined) return found.score;
    if (found?.mate) return found.mate > 0 ? 20 : -20;
    return found?.cp === undefined ? null : Math.max(-20, Math.min(20, found.cp / 100));
  });
  return [line.map((_, i) => i), rate, score];
}

function symmetric(_: uPlot, low: number | null, high: number | null): [number, number] {
  const most = Math.max(5, Math.abs(low ?? 0), Math.abs(high ?? 0)) * 1.1;
  return [-most, most];
}

function options(width: number, pick: (index: number) => void, at: () => number): uPlot.Options {
  const ink = colour("--muted");
  const mark = colour("--text");
  const grid = { stroke: colour("--line"), width: 1 };
  const axis = { stroke: ink, grid, ticks: { show: false }, font: "11px system-ui" };
  return {
    width,
    height: 150,
    padding: [8, 0, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    scales: { x: { time: false, range: (_, low, high) => [low ?? 0, Math.max(10, high ?? 0)] }, y: { range: [0, 100] }, s: { range: symmetric } },
    axes: [
      { ...axis, size: 24, space: 40, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500] },
      { ...axis, size: 34, values: (_, ticks) => ticks.map((tick) => `${tick}%`), splits: () => [0, 25, 50, 75, 100] },
      { ...axis, scale: "s", side: 1, size: 34, grid: { show: false } },
    ],
    series: [
      {},
      { stroke: colour("--accent"), width: 2, fill: colour("--accent-soft"), points: { size: 4 }, spanGaps: true },
      { stroke: colour("--second"), width: 1.5, scale: "s", points: { show: false }, spanGaps: true },
    ],
    hooks: {
      draw: [(plot) => drawCurrent(plot, at(), mark)],
      ready: [(plot) => plot.over.addEventListener("click", () => pick(plot.cursor.idx ?? 0))],
    },
  };
}

function drawCurrent(plot: uPlot, index: number, mark: string): void {
  const { ctx, bbox } = plot;
  const x = Math.round(plot.valToPos(index, "x", true));
  ctx.save();
  ctx.strokeStyle = mark;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

export function Curve(): preact.JSX.Element {
  const [ref, box] = useSize<HTMLDivElement>();
  const node = useValue(doc.current);
  const revision = useValue(doc.revision);
  const { theme } = useValue(settings);
  const plot = useRef<uPlot | null>(null);
  const values = useValue(doc.values);
  const line = useMemo(() => lineThrough(node), [node, revision]);
  const latest = useRef({ line, node });
  latest.current = { line, node };

  useEffect(() => {
    if (!ref.current || box.width === 0) return;
    const pick = (index: number): void => {
      const chosen = latest.current.line[index];
      if (chosen) doc.current.set(chosen);
    };
    const at = (): number => latest.current.line.indexOf(latest.current.node);
    plot.current = new uPlot(options(box.width, pick, at), curveData(latest.current.line), ref.current);
    return () => plot.current?.destroy();
  }, [box.width, theme]);
  useEffect(() => plot.current?.setData(curveData(line)), [line, values]);

  const found = node.found;
  const label = found ? t("curveAt", { n: node.ply, side: sideName(doc.game.get().start.game, "b"), rate: Math.round(100 * found.winrate) }) : t("curve");
  return <div class="curve" ref={ref} role="img" aria-label={label} />;
}
