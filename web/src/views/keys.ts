// Keys that work wherever the focus is not in a field or on the board.
import { analysis, doc, play, route, visit } from "../control/app";

type Action = () => void;

const pages: Record<string, Action> = {
  "1": () => visit("play"),
  "2": () => visit("analyse"),
  "3": () => visit("watch"),
};

const throughMoves: Record<string, Action> = {
  ArrowLeft: () => doc.back(),
  ArrowRight: () => doc.forward(),
  ArrowUp: () => doc.sibling(-1),
  ArrowDown: () => doc.sibling(1),
  PageUp: () => doc.back(10),
  PageDown: () => doc.forward(10),
  Home: () => doc.back(Infinity),
  End: () => doc.forward(Infinity),
};

const whilePlaying: Record<string, Action> = {
  p: () => play.setup.get()?.start.game === "go" && play.move("pass"),
  u: () => play.undo(),
  h: () => play.askHint(),
};

const whileAnalysing: Record<string, Action> = {
  " ": () => analysis.toggle(),
};

function actionFor(key: string): Action | undefined {
  const here = route.get();
  if (here === "about") return pages[key]; // the other keys scroll it
  const own = here === "play" ? whilePlaying[key.toLowerCase()] : whileAnalysing[key];
  return own ?? throughMoves[key] ?? pages[key];
}

export function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  const target = event.target as Element;
  if (target.closest("input:not([type=checkbox]), textarea, select")) return;
  if (event.key === " " && target.closest("button, a, summary, input")) return;
  const action = actionFor(event.key);
  if (!action) return;
  event.preventDefault();
  action();
}
