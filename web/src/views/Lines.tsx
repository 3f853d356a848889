// The candidates as a table: a pointer or the focus on one plays its line on the board.
import { useMemo } from "preact/hooks";
import { useValue } from "../base/value";
import { analysis, doc, preview } from "../control/app";
import { forMover, lead, percent, quality, shogiScore, shortCount } from "../game/numbers";
import { lineText, type State } from "../game/state";
import { japanese, t } from "../i18n/text";
import type { Candidate, Report } from "../net/protocol";

/** Go's score names the side; shogi's is that of the side to move, as the win rate beside it. */
function score(candidate: Candidate, state: State, sign: number): string {
  if (state.game === "shogi") {
    const { cp, mate } = candidate;
    const own = { ...(cp === undefined ? {} : { cp: sign * cp }), ...(mate === undefined ? {} : { mate: sign * mate }) };
    return shogiScore(own, (plies) => t("mateIn", { n: plies }));
  }
  return candidate.score === undefined ? "" : lead(candidate.score);
}

function Row({ candidate, report, state }: { candidate: Candidate; report: Report; state: State }): preact.JSX.Element {
  const line = candidate.pv.slice(0, 10);
  const language = japanese();
  const words = useMemo(() => lineText(state, line, language), [state, line.join(" "), language]);
  const best = report.moves[0]!;
  const rate = forMover(candidate.winrate, report.turn);
  const lost = forMover(best.winrate, report.turn) - rate;
  const name = candidate === best ? "best" : quality(lost);
  const share = candidate.visits / Math.max(1, ...report.moves.map(({ visits }) => visits));
  const show = (): void => preview.show(state, candidate.pv);
  return (
    <tr
      tabIndex={0}
      class={name}
      onPointerEnter={(event) => event.pointerType === "mouse" && show()}
      onFocus={show}
      onBlur={() => preview.clear()}
      onClick={() => doc.add(candidate.move)}
      onKeyDown={(event) => event.key === "Enter" && doc.add(candidate.move)}
    >
      <th scope="row">
        <i class={`dot ${name}`} />
        {words[0] ?? candidate.move}
      </th>
      <td>{percent(rate)}%</td>
      <td>{score(candidate, state, report.turn === "b" ? 1 : -1)}</td>
      {state.game === "go" ? (
        <td class="visits" style={{ backgroundSize: `${Math.round(100 * share)}% calc(100% - 10px)` }}>
          {shortCount(candidate.visits)}
        </td>
      ) : (
        <td>{candidate.depth ?? report.depth ?? ""}</td>
      )}
      <td class="line">{words.slice(1).join(" ")}</td>
    </tr>
  );
}

export function Lines(): preact.JSX.Element {
  const report = useValue(analysis.report);
  useValue(doc.current);
  const state = doc.state();
  if (!report || report.moves.length === 0) return <p class="muted">{t("linesHelp")}</p>;
  return (
    <div class="lines-scroll" onPointerLeave={() => preview.clear()}>
      <table class="lines">
        <thead>
          <tr>
            <th scope="col">{t("move")}</th>
            <th scope="col">{t("winRate")}</th>
            <th scope="col">{t("score")}</th>
            <th scope="col">{t(state.game === "go" ? "visits" : "depth")}</th>
            <th scope="col">{t("line")}</th>
          </tr>
        </thead>
        <tbody>
          {/* By rank, not by move: a row that moves under a pointer is never left by it. */}
          {report.moves.map((candidate, rank) => (
            <Row key={rank} candidate={candidate} report={report} state={state} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
