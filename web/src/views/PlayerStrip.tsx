// One player beside the board: name, captured stones, clock, and whether the engine thinks.
import { useValue } from "../base/value";
import { doc, play, route } from "../control/app";
import type { SideClock } from "../control/clock";
import { clockText } from "../game/numbers";
import { turnOf } from "../game/state";
import { sideName, t } from "../i18n/text";
import type { Side } from "../net/protocol";

function playerName(side: Side, inPlay: boolean): string {
  const player = inPlay ? play.setup.get()?.players[side] : undefined;
  if (player?.kind === "engine") return t("engineLevel", { level: player.level });
  const { headers, start } = doc.game.get();
  const known = headers[side === "b" ? "black" : "white"];
  if (known) return known;
  const other = play.setup.get()?.players[side === "b" ? "w" : "b"];
  if (player && other?.kind === "engine") return t("you");
  return sideName(start.game, side);
}

function ClockFace({ clock, running }: { clock: SideClock; running: boolean }): preact.JSX.Element {
  const left = clock.count > 0 ? clock.period_ms : clock.main_ms;
  return (
    <span class={`clock ${running ? "running" : ""} ${left < 10000 ? "short" : ""}`} role="timer">
      {clock.count > 0 && <small>{t("periods", { n: clock.count })}</small>}
      {clockText(left)}
    </span>
  );
}

export function PlayerStrip({ side }: { side: Side }): preact.JSX.Element {
  const inPlay = useValue(route) === "play" && useValue(play.phase) !== "idle";
  const node = useValue(doc.current);
  const game = useValue(doc.game);
  const clocks = useValue(play.clock.sides);
  const running = useValue(play.clock.running);
  const thinking = useValue(play.thinking);
  const book = useValue(play.book);
  useValue(play.setup);
  const state = doc.state(node);
  const turn = turnOf(state);
  const taken = state.game === "go" ? state.go.captures[side === "b" ? "black" : "white"] : 0;
  return (
    <div class={`player ${turn === side ? "to-move" : ""}`}>
      <span class={`badge ${game.start.game} ${side}`} aria-hidden="true">
        {game.start.game === "shogi" ? (side === "b" ? "▲" : "△") : ""}
      </span>
      <span class="player-name">{playerName(side, inPlay)}</span>
      {inPlay && thinking && turn === side && <span class="thinking">{t("thinking")}</span>}
      {inPlay && book === side && <span class="from-book">{t("fromBook")}</span>}
      <span class="grow" />
      {taken > 0 && <span class="taken">{t("captured", { n: taken })}</span>}
      {inPlay && clocks && <ClockFace clock={clocks[side]} running={running === side} />}
    </div>
  );
}
