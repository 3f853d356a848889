// Beside the board while the search itself is watched.
import { useState } from "preact/hooks";
import { useValue } from "../base/value";
import { analysis, client, doc, preview } from "../control/app";
import type { Moment } from "../control/analysis";
import { forMover, lead, percent, quality, shortCount } from "../game/numbers";
import { lineText, type State } from "../game/state";
import { japanese, sideName, t } from "../i18n/text";
import type { PlayoutReply, Report } from "../net/protocol";
import { Button, Problem } from "./Controls";
import { LiveBox } from "./LiveBox";

function Figure({ name, value }: { name: string; value: string }): preact.JSX.Element {
  return (
    <div class="figure">
      <b>{value}</b>
      <span>{name}</span>
    </div>
  );
}

function Figures({ report }: { report: Report }): preact.JSX.Element {
  const seconds = (report.elapsed_ms / 1000).toFixed(1);
  return (
    <div class="figures">
      <Figure name={t(report.visits > 0 ? "visits" : "nodes")} value={shortCount(report.visits || report.nodes)} />
      <Figure name={t("perSecond")} value={shortCount(report.nps)} />
      <Figure name={t("depth")} value={report.depth === undefined ? "–" : String(report.depth)} />
      <Figure name={t("seconds")} value={seconds} />
      <Figure name={t("sideWins", { side: sideName(doc.game.get().start.game, "b") })} value={`${percent(report.winrate)}%`} />
      <Figure name={t("memory")} value={report.memory_full === undefined ? "–" : `${percent(report.memory_full, 0)}%`} />
    </div>
  );
}

/** Black's chance over the time of this search. */
function Trace({ past }: { past: readonly Moment[] }): preact.JSX.Element {
  const last = past[past.length - 1]?.elapsed_ms || 1;
  const rates = past.map(({ winrate }) => winrate);
  const middle = (Math.min(...rates) + Math.max(...rates)) / 2;
  const span = Math.max(0.1, 1.2 * (Math.max(...rates) - Math.min(...rates)));
  const y = (rate: number): string => (30 - (60 * (rate - middle)) / span).toFixed(1);
  const points = past.map(({ elapsed_ms, winrate }) => `${((300 * elapsed_ms) / last).toFixed(1)},${y(winrate)}`);
  return (
    <svg class="trace" viewBox="0 0 300 60" preserveAspectRatio="none" role="img" aria-label={t("trace")}>
      <path class="trace-middle" d={`M0 ${y(0.5)}H300`} />
      <polyline class="trace-line" points={points.join(" ")} />
    </svg>
  );
}

function Growing({ report, state }: { report: Report; state: State }): preact.JSX.Element {
  const total = report.moves.reduce((sum, { visits }) => sum + visits, 0);
  const best = report.moves[0];
  return (
    <ol class="growing" onPointerLeave={() => preview.clear()}>
      {report.moves.slice(0, 8).map((candidate, rank) => {
        const lost = best ? forMover(best.winrate, report.turn) - forMover(candidate.winrate, report.turn) : 0;
        const words = lineText(state, candidate.pv, japanese());
        // Alpha-beta counts no visits: its lines are as wide as their win rate.
        const share = total > 0 ? candidate.visits / total : forMover(candidate.winrate, report.turn);
        return (
          <li key={rank} onPointerEnter={(event) => event.pointerType === "mouse" && preview.show(state, candidate.pv)}>
            <span class={`share ${candidate === best ? "best" : quality(lost)}`} style={{ width: `${(100 * share).toFixed(1)}%` }} />
            <span class="growing-text">
              <b>{words[0] ?? candidate.move}</b> {total > 0 && `${percent(share, 0)}% · `}
              {percent(forMover(candidate.winrate, report.turn))}%{candidate.depth !== undefined && ` · ${t("depthOf", { n: candidate.depth })}`}
              <small>{words.slice(1).join(" ")}</small>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function Playout(): preact.JSX.Element | null {
  const [reply, setReply] = useState<PlayoutReply | null>(null);
  const [problem, setProblem] = useState("");
  const [number, setNumber] = useState(0);
  const line = useValue(preview.line);
  const connected = useValue(client.state) === "open";
  if (useValue(doc.game).start.game !== "go") return null;
  const replaying = reply && line && !line.numbered;

  async function ask(): Promise<void> {
    setProblem("");
    try {
      const answer = await client.request("playout", { position: doc.position(), number }).done;
      setNumber(number + 1);
      setReply(answer);
      preview.replay(doc.state(), answer.moves, 90);
    } catch (error) {
      setProblem((error as Error).message);
    }
  }

  return (
    <section class="card">
      <h3>{t("playout")}</h3>
      <p class="muted">{t("playoutHelp")}</p>
      <div class="row wrap">
        <Button label={t("playoutShow")} icon="play" disabled={!connected} onClick={() => void ask()} />
        {replaying && (
          <>
            <Button icon="back" title={t("back")} onClick={() => { preview.pause(); preview.step(-1); }} />
            <Button icon="forward" title={t("forward")} onClick={() => { preview.pause(); preview.step(1); }} />
            <Button label={t("close")} kind="quiet" onClick={() => preview.clear()} />
          </>
        )}
      </div>
      <Problem text={problem} />
      {replaying && (
        <>
          <input
            type="range"
            aria-label={t("playout")}
            min={0}
            max={line.states.length}
            value={line.shown}
            onInput={(event) => { preview.pause(); preview.goto(event.currentTarget.valueAsNumber); }}
          />
          <p>
            {t("moveNumber", { n: line.shown })} / {line.states.length} · {lead(reply.score)} · {reply.policy}
          </p>
        </>
      )}
    </section>
  );
}

export function WatchPanel(): preact.JSX.Element {
  const on = useValue(analysis.on);
  const report = useValue(analysis.report);
  const past = useValue(analysis.past);
  const problem = useValue(analysis.problem);
  const hello = useValue(client.hello);
  useValue(doc.current);
  return (
    <>
      <section class="card">
        <div class="row">
          <Button label={t(on ? "stopAnalysis" : "startAnalysis")} icon="engine" kind="primary" pressed={on} onClick={() => analysis.toggle()} />
          <span class="muted">{report ? [report.search, report.backend].filter(Boolean).join(" · ") : hello?.backends.join(", ")}</span>
        </div>
        <Problem text={problem} />
        {report ? (
          <>
            <Figures report={report} />
            <Trace past={past} />
            <Growing report={report} state={doc.state()} />
          </>
        ) : (
          <p class="muted">{t("watchHelp")}</p>
        )}
      </section>
      <Playout />
      <LiveBox />
    </>
  );
}
