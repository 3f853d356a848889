// Beside the board while a game is analysed.
import { useValue } from "../base/value";
import { analysis, doc, play, visit } from "../control/app";
import { startFrom } from "../game/state";
import { t } from "../i18n/text";
import { flip } from "./BoardPane";
import { CommentBox } from "./CommentBox";
import { Button, Check, Problem } from "./Controls";
import { Curve } from "./Curve";
import { EngineStatus } from "./EngineStatus";
import { FileBox } from "./FileBox";
import { Lines } from "./Lines";
import { MoveBox } from "./MoveBox";
import { MoveList } from "./MoveList";
import { Navigation } from "./Navigation";
import { ReviewBox } from "./ReviewBox";
import { VariationTree } from "./VariationTree";

function Overlays(): preact.JSX.Element {
  const shown = useValue(analysis.shown);
  const go = useValue(doc.game).start.game === "go";
  const set = (part: Partial<typeof shown>): void => analysis.shown.set({ ...shown, ...part });
  return (
    <div class="overlays">
      <Check label={t("candidates")} name="candidates" value={shown.candidates} onChange={(candidates) => set({ candidates })} />
      {go && <Check label={t("ownership")} name="ownership" value={shown.ownership} onChange={(ownership) => set({ ownership })} />}
      {go && <Check label={t("policy")} name="policy" value={shown.policy} onChange={(policy) => set({ policy })} />}
      {!go && <Button icon="flip" title={t("flip")} kind="quiet" onClick={() => flip.update((on) => !on)} />}
    </div>
  );
}

function playHere(): void {
  analysis.stop();
  play.from.set(startFrom(doc.game.get().start, doc.current.get()));
  visit("play");
}

export function AnalysePanel(): preact.JSX.Element {
  const on = useValue(analysis.on);
  const problem = useValue(analysis.problem);
  return (
    <>
      <section class="card">
        <div class="row">
          <Button label={t(on ? "stopAnalysis" : "startAnalysis")} icon="engine" kind="primary" pressed={on} onClick={() => analysis.toggle()} />
          <EngineStatus />
        </div>
        <Problem text={problem} />
        <Overlays />
        <Lines />
      </section>
      <section class="card">
        <Curve />
        <Navigation />
        <div class="row end">
          <Button label={t("playHere")} icon="play" kind="quiet" onClick={playHere} />
        </div>
      </section>
      <ReviewBox />
      <section class="card">
        <VariationTree />
        <CommentBox />
        <MoveBox />
      </section>
      <details class="card">
        <summary>{t("moves")}</summary>
        <MoveList />
      </details>
      <FileBox />
    </>
  );
}
