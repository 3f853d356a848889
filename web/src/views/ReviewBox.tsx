// What the engine says of a whole game.
import { useValue } from "../base/value";
import { client, doc, preview, review } from "../control/app";
import type { Mistake } from "../control/review";
import { percent } from "../game/numbers";
import { lineText, moveText, turnOf } from "../game/state";
import { japanese, sideName, t } from "../i18n/text";
import type { ReviewSide } from "../net/protocol";
import { Button, Problem } from "./Controls";

/** What was better, and why: the line that follows it, and the one that follows what was played. */
function Row({ mistake }: { mistake: Mistake }): preact.JSX.Element {
  const state = doc.state(mistake.node);
  const words = japanese();
  const line = lineText(state, mistake.pv.length > 0 ? mistake.pv : [mistake.better], words);
  const show = (): void => {
    doc.current.set(mistake.node);
    preview.show(state, mistake.pv);
  };
  const answer = mistake.played.found?.pv ?? [];
  const after = doc.state(mistake.played);
  const showAnswer = (): void => {
    doc.current.set(mistake.played);
    preview.show(after, answer);
  };
  return (
    <li>
      <button type="button" onClick={show}>
        <span class={turnOf(state) === "b" ? "by-b" : "by-w"}>
          <span class="number">{mistake.played.ply}</span>
          {moveText(state, mistake.played.move!, words)}
        </span>
        <b class="lost">−{percent(mistake.lost, 0)}%</b>
        <span class="better">
          {t("better")} <b>{line[0]}</b> <span class="muted">{line.slice(1, 8).join(" ")}</span>
        </span>
      </button>
      {answer.length > 0 && (
        <button type="button" class="answer" onClick={showAnswer}>
          <span>
            {moveText(state, mistake.played.move!, words)} {t("insteadThen")}
          </span>
          <span class="better muted">{lineText(after, answer, words).slice(0, 8).join(" ")}</span>
        </button>
      )}
    </li>
  );
}

function Side({ name, side }: { name: string; side: ReviewSide }): preact.JSX.Element {
  return (
    <div class="review-side">
      <b>{name}</b>
      <span>{t("meanLoss", { n: percent(side.lost) })}</span>
      <span>{t("matched", { n: percent(side.matched, 0) })}</span>
    </div>
  );
}

export function ReviewBox(): preact.JSX.Element {
  const progress = useValue(review.progress);
  const summary = useValue(review.summary);
  const mistakes = useValue(review.mistakes);
  const problem = useValue(review.problem);
  const connected = useValue(client.state) === "open";
  const game = useValue(doc.game);
  useValue(doc.revision);
  return (
    <section class="card review">
      <div class="row">
        <h3>{t("reviewTitle")}</h3>
        <span class="grow" />
        {progress ? (
          <Button label={t("stop")} onClick={() => review.stop()} />
        ) : (
          <Button label={t("review")} disabled={!connected || game.root.children.length === 0} onClick={() => review.start()} />
        )}
      </div>
      {progress && <progress max={progress.total} value={progress.done} aria-label={t("reviewTitle")} />}
      <Problem text={problem} />
      {summary && (
        <>
          <div class="row">
            <Side name={sideName(game.start.game, "b")} side={summary.b} />
            <Side name={sideName(game.start.game, "w")} side={summary.w} />
          </div>
          <ol class="mistakes">
            {mistakes.map((mistake) => (
              <Row key={mistake.played.id} mistake={mistake} />
            ))}
          </ol>
          {mistakes.length === 0 && <p class="muted">{t("noMistakes")}</p>}
        </>
      )}
      {!summary && !progress && <p class="muted">{t("reviewHelp")}</p>}
    </section>
  );
}
