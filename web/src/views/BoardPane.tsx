// The board in the middle of the page, whichever the game, with a strip for each player.
import { useMemo } from "preact/hooks";
import { settings } from "../base/settings";
import { useValue, Value } from "../base/value";
import { GoTable } from "../boards/GoTable";
import { ShogiTable } from "../boards/ShogiTable";
import { analysis, doc, play, preview, route } from "../control/app";
import type { Line } from "../control/preview";
import { legalMoves, type State, turnOf } from "../game/state";
import type { TreeNode } from "../game/tree";
import type { Report, Side } from "../net/protocol";
import { PlayerStrip } from "./PlayerStrip";
import { usePersonToMove } from "./turn";

export const flip = new Value(false);

/** What the board shows: the node's position, or a line from it. */
function shownState(node: TreeNode, line: Line | null): { state: State; last: string | null } {
  if (!line) return { state: doc.state(node), last: node.move };
  const shown = line.shown > 0 ? line.states[line.shown - 1]! : line.base;
  return { state: shown, last: line.shown > 0 ? line.moves[line.shown - 1]! : node.move };
}

/** Moves with their numbers. A point that is played twice keeps its first number. */
function lineLabels(line: Line | null): ReadonlyMap<string, string> | null {
  if (!line?.numbered) return null;
  const labels = new Map<string, string>();
  line.moves.slice(0, line.shown).forEach((move, i) => labels.has(move) || labels.set(move, String(i + 1)));
  return labels;
}

/** Who may enter a move now, and what becomes of it. */
function useEntry(): ((move: string) => void) | null {
  const where = useValue(route);
  const phase = useValue(play.phase);
  const mine = usePersonToMove() !== null;
  if (where !== "play") return enterAnalysis;
  if (phase === "counting") return enterDead;
  return mine ? enterMove : null;
}

const enterAnalysis = (move: string): void => void doc.add(move);
const enterDead = (point: string): void => void play.counting.toggle(point).catch((error: Error) => play.problem.set(error.message));
const enterMove = (move: string): void => void play.move(move);

export function nearSide(): Side {
  const players = play.setup.get()?.players;
  const gote = route.get() === "play" && players?.w.kind === "person" && players.b.kind === "engine";
  const turned = doc.game.get().start.game === "shogi" && flip.get(); // a Go board is not turned
  return gote !== turned ? "w" : "b";
}

function hoverCandidate(report: Report | null, state: State, point: string | null): void {
  const candidate = point ? report?.moves.find(({ move }) => move === point) : undefined;
  if (candidate) preview.show(state, candidate.pv);
  else if (preview.line.get()?.numbered) preview.clear();
}

function Board(): preact.JSX.Element {
  const node = useValue(doc.current);
  const line = useValue(preview.line);
  const where = useValue(route);
  const { coordinates, letters, legal } = useValue(settings);
  const phase = useValue(play.phase);
  const judged = useValue(play.counting.judged);
  const dead = useValue(play.counting.dead);
  const hint = useValue(play.hint);
  const report = useValue(analysis.report);
  const shown = useValue(analysis.shown);
  useValue(doc.game);
  useValue(play.setup);
  useValue(flip);
  const entry = useEntry();
  const { state, last } = shownState(node, line);
  const labels = useMemo(() => lineLabels(line), [line]);
  const counting = where === "play" && phase === "counting";
  const seen = where === "play" ? hint : shown.candidates || shown.ownership || shown.policy ? report : null;
  const above = line ? null : seen;
  const moves = useMemo(
    () => (legal && entry && entry !== enterDead && !line && state.game === "go" ? legalMoves(state) : null),
    [legal, entry, state, line],
  );
  if (state.game === "shogi")
    return (
      <ShogiTable
        state={state.shogi}
        flipped={nearSide() === "w"}
        letters={letters}
        coordinates={coordinates}
        legal={legal}
        report={shown.candidates || where === "play" ? above : null}
        onMove={line ? null : entry}
      />
    );
  return (
    <GoTable
      state={state.go}
      last={last}
      labels={labels}
      coordinates={coordinates}
      legal={moves}
      dead={counting ? dead : null}
      owner={counting ? (judged?.owner ?? null) : null}
      report={above}
      shown={where === "play" ? hintShown : shown}
      onPoint={line && !line.numbered ? null : entry}
      onHover={(point) => where !== "play" && hoverCandidate(report, doc.state(), point)}
    />
  );
}

const hintShown = { candidates: true, ownership: false, policy: false };

export function BoardPane(): preact.JSX.Element {
  useValue(flip);
  useValue(play.setup);
  useValue(route);
  useValue(doc.game);
  const near = nearSide();
  return (
    <section class="board-pane" aria-label="board">
      <PlayerStrip side={near === "b" ? "w" : "b"} />
      <Board />
      <PlayerStrip side={near} />
    </section>
  );
}

export function sideToMove(): Side {
  return turnOf(doc.state());
}
