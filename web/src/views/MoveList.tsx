// The moves of the line that is shown.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { settings } from "../base/settings";
import { useValue } from "../base/value";
import { doc } from "../control/app";
import { moveText, stateAt, turnOf } from "../game/state";
import { lineThrough, type TreeNode } from "../game/tree";
import { japanese, t } from "../i18n/text";

function useLine(): TreeNode[] {
  const node = useValue(doc.current);
  const revision = useValue(doc.revision);
  return useMemo(() => lineThrough(node).filter((at) => at.move !== null), [node, revision]);
}

/** Keeps the current move in sight without moving the page. */
function useFollow(current: TreeNode): preact.RefObject<HTMLOListElement> {
  const ref = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const list = ref.current;
    const item = list?.querySelector<HTMLElement>("[aria-current]");
    if (list && item) list.scrollTop = item.offsetTop - list.clientHeight / 2;
  }, [current]);
  return ref;
}

export function MoveList(): preact.JSX.Element {
  const line = useLine();
  const current = useValue(doc.current);
  useValue(settings);
  const { start } = doc.game.get();
  const ref = useFollow(current);
  const words = japanese();
  return (
    <ol class={`moves ${start.game}`} ref={ref} aria-label={t("moves")}>
      {line.map((node) => (
        <li key={node.id}>
          <button
            type="button"
            aria-current={node === current ? "step" : undefined}
            class={turnOf(stateAt(start, node.parent!)) === "b" ? "by-b" : "by-w"}
            onClick={() => doc.current.set(node)}
          >
            <span class="number">{node.ply}</span>
            {moveText(stateAt(start, node.parent!), node.move!, words)}
          </button>
        </li>
      ))}
      {line.length === 0 && <li class="muted">{t("noMoves")}</li>}
    </ol>
  );
}
