// The variations as a tree: time to the right, variations below.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { memo } from "../base/memo";
import { useValue } from "../base/value";
import { doc } from "../control/app";
import { layoutTree, type Placed } from "../game/treeLayout";
import { splitMove, stateAt, turnOf } from "../game/state";
import type { TreeNode } from "../game/tree";
import { t } from "../i18n/text";
import { Button } from "./Controls";

const step = 22;
const row = 22;
const x = (placed: Placed): number => 14 + placed.column * step;
const y = (placed: Placed): number => 14 + placed.row * row;

function mover(node: TreeNode): string {
  if (!node.parent || node.move === null) return "root";
  const side = splitMove(node.move).side ?? turnOf(stateAt(doc.game.get().start, node.parent));
  return `by-${side}`;
}

function Drawing({ placed }: { placed: readonly Placed[] }): preact.JSX.Element {
  const where = new Map(placed.map((at) => [at.node, at]));
  return (
    <g>
      {placed.map((at) => {
        const parent = at.node.parent && where.get(at.node.parent);
        if (!parent) return null;
        const d = `M${x(parent)} ${y(parent)}${parent.row === at.row ? "" : `V${y(at) - step / 2}L${x(parent) + step / 2} ${y(at)}`}H${x(at)}`;
        return <path key={at.node.id} class="branch" d={d} />;
      })}
      {placed.map((at) => (
        <circle
          key={at.node.id}
          class={`twig ${mover(at.node)} ${at.node.comment ? "commented" : ""}`}
          cx={x(at)}
          cy={y(at)}
          r={7}
          onClick={() => doc.current.set(at.node)}
        />
      ))}
    </g>
  );
}

const Twigs = memo(Drawing);

export function VariationTree(): preact.JSX.Element {
  const node = useValue(doc.current);
  const revision = useValue(doc.revision);
  const { root } = useValue(doc.game);
  const placed = useMemo(() => layoutTree(root), [root, revision]);
  const shape = useMemo(() => placed, [placed.map((at) => `${at.node.id}${at.node.comment ? "c" : ""}-${at.row}`).join()]);
  const at = placed.find((one) => one.node === node);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = ref.current;
    if (!box || !at) return;
    box.scrollLeft = x(at) - box.clientWidth / 2;
    box.scrollTop = y(at) - box.clientHeight / 2;
  }, [at?.column, at?.row]);
  const width = 28 + Math.max(0, ...placed.map((one) => one.column)) * step;
  const height = 28 + Math.max(0, ...placed.map((one) => one.row)) * row;
  return (
    <div class="tree-box">
      <div class="tree" ref={ref} role="img" aria-label={t("treeOf", { n: placed.length })}>
        <svg width={width} height={height}>
          {at && <circle class="twig-current" cx={x(at)} cy={y(at)} r={10} />}
          <Twigs placed={shape} />
        </svg>
      </div>
      <div class="row">
        <Button label={t("makeMain")} icon="up" kind="quiet" disabled={node.parent === null} onClick={() => doc.makeMain(node)} />
        <Button label={t("deleteMove")} icon="trash" kind="quiet" disabled={node.parent === null} onClick={() => doc.remove(node)} />
      </div>
    </div>
  );
}
