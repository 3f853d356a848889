// Beside the board while a game is played.
import { useState } from "preact/hooks";
import { choose, settings } from "../base/settings";
import { useValue } from "../base/value";
import { client, doc, play, review, visit } from "../control/app";
import type { Result } from "../control/play";
import { lead, percent, shortCount } from "../game/numbers";
import { named, sideName, t } from "../i18n/text";
import { flip } from "./BoardPane";
import { Button, Check, Problem } from "./Controls";
import { MoveBox } from "./MoveBox";
import { MoveList } from "./MoveList";
import { Navigation } from "./Navigation";
import { NewGame } from "./NewGame";
import { usePersonToMove } from "./turn";

export function resultText(result: Result): string {
  if (!result.winner) return `${t("draw")} · ${named("reason", result.reason)}`;
  const winner = sideName(doc.game.get().start.game, result.winner);
  const how = result.score ? result.score.replace(/^[BW]\+/, "+") : named("reason", result.reason);
  return t("wins", { winner, how });
}

function Actions(): preact.JSX.Element {
  const setup = useValue(play.setup)!;
  const phase = useValue(play.phase);
  const paused = useValue(play.paused);
  useValue(play.live);
  const connected = useValue(client.state) === "open";
  const mine = usePersonToMove() !== null;
  const declares = useValue(play.declares);
  const engine = setup.players.b.kind === "engine" || setup.players.w.kind === "engine";
  const waits = engine || setup.clock !== null || paused; // without an engine and a clock nothing runs
  const playing = phase === "playing";
  return (
    <div class="actions" role="toolbar" aria-label={t("actions")}>
      {setup.start.game === "go" && <Button label={t("pass")} icon="pass" disabled={!mine} onClick={() => play.move("pass")} />}
      <Button label={t("undo")} icon="undo" disabled={!play.canUndo() || phase === "counting"} onClick={() => play.undo()} />
      <Button label={t("hint")} icon="hint" disabled={!mine || !connected} onClick={() => play.askHint()} />
      {waits && (
        <Button label={t(paused ? "resume" : "pause")} icon={paused ? "play" : "pause"} disabled={!playing} onClick={() => play.pause()} />
      )}
      <Button label={t("resign")} icon="flag" kind="danger" disabled={!playing} onClick={() => play.resign()} />
      {declares && mine && <Button label={t("declare")} icon="flag" onClick={() => play.declare()} />}
      {setup.start.game === "shogi" && <Button label={t("flip")} icon="flip" onClick={() => flip.update((on) => !on)} />}
    </div>
  );
}

function Counting(): preact.JSX.Element {
  const judged = useValue(play.counting.judged);
  return (
    <section class="card">
      <h3>{t("counting")}</h3>
      <p>{t("countingHelp")}</p>
      {judged?.settled === false && <p class="muted">{t("unsettled")}</p>}
      <p class="score" aria-live="polite">
        {judged ? lead(judged.score) : t("thinking")}
      </p>
      <div class="row">
        <Button label={t("accept")} kind="primary" disabled={!judged} onClick={() => play.acceptCount()} />
        <Button label={t("playOn")} onClick={() => play.resume()} />
      </div>
    </section>
  );
}

function Over({ again }: { again: () => void }): preact.JSX.Element | null {
  const result = useValue(play.result);
  if (!result) return null;
  return (
    <section class="card result">
      <h3 aria-live="polite">{resultText(result)}</h3>
      <div class="row">
        <Button
          label={t("review")}
          kind="primary"
          onClick={() => {
            visit("analyse");
            review.start();
          }}
        />
        <Button label={t("newGame")} onClick={again} />
      </div>
    </section>
  );
}

function Thought(): preact.JSX.Element | null {
  const thinking = useValue(play.thinking);
  const hint = useValue(play.hint);
  const report = typeof thinking === "object" ? thinking : hint;
  if (!report) return null;
  const side = sideName(doc.game.get().start.game, "b");
  return (
    <p class="muted thought">
      {t("sideRate", { side, rate: percent(report.winrate) })} · {report.visits > 0 ? t("visitsOf", { n: report.visits }) : t("nodesOf", { n: shortCount(report.nodes) })}
    </p>
  );
}

export function PlayPanel(): preact.JSX.Element {
  const phase = useValue(play.phase);
  const problem = useValue(play.problem);
  const { legal } = useValue(settings);
  const [form, setForm] = useState(false);
  const from = useValue(play.from);
  useValue(play.setup);
  const done = (): void => {
    play.from.set(null);
    setForm(false);
  };
  if (phase === "idle" || form || from) return <NewGame from={from} onDone={done} />;
  return (
    <>
      {phase === "counting" && <Counting />}
      {phase === "over" && <Over again={() => setForm(true)} />}
      <section class="card">
        <Actions />
        <Problem text={problem} />
        <Thought />
        <MoveBox />
        <Check label={t("showLegal")} name="legal" value={legal} onChange={(on) => choose({ legal: on })} />
      </section>
      <section class="card stretch">
        <MoveList />
        <Navigation />
      </section>
      {phase !== "over" && (
        <div class="row end">
          <Button label={t("newGame")} kind="quiet" onClick={() => setForm(true)} />
        </div>
      )}
    </>
  );
}
