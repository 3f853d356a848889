// Matches and clusters that run on the server's machine.
import { useEffect, useState } from "preact/hooks";
import { settings } from "../base/settings";
import { useValue } from "../base/value";
import { GoBoard } from "../boards/GoBoard";
import { ShogiBoard } from "../boards/ShogiBoard";
import { layout } from "../boards/shogiLayout";
import { client } from "../control/app";
import { shortCount } from "../game/numbers";
import { emptyState, type Sign } from "../go/board";
import { t } from "../i18n/text";
import type { LiveCluster, LiveMatch, LiveReply, LiveTable } from "../net/protocol";
import { shogiStart } from "../shogi/position";

const every_ms = 500;

/** What runs now; asked for while the page is looked at. */
function useLive(): LiveReply | null {
  const [live, setLive] = useState<LiveReply | null>(null);
  const connected = useValue(client.state) === "open";
  useEffect(() => {
    if (!connected) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const ask = async (): Promise<void> => {
      if (!document.hidden) {
        const reply = await client.request("live", {}).done.catch(() => null);
        if (!ended && reply) setLive(reply);
      }
      if (!ended) timer = setTimeout(() => void ask(), every_ms);
    };
    void ask();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [connected]);
  return live;
}

function elo(value: number | null, infinite = ""): string {
  if (value === null) return infinite;
  return (value < -0.5 ? "−" : "+") + Math.abs(value).toFixed(0);
}

/** "Elo +35 [−20, +92]" of two engines. */
function difference({ difference: d }: LiveMatch): string {
  if (!d) return "";
  return `Elo ${elo(d.elo, d.low === null ? "−∞" : "+∞")} [${elo(d.low, "−∞")}, ${elo(d.high, "+∞")}]`;
}

function GoMini({ size, table }: { size: number; table: LiveTable }): preact.JSX.Element {
  const signs = Array.from({ length: size * size }, (_, i): Sign => (table.board[i] === "b" ? 1 : table.board[i] === "w" ? -1 : 0));
  const state = { ...emptyState(size), signs };
  return (
    <div class="goban mini" aria-hidden="true">
      <GoBoard state={state} vertexSize={Math.floor(156 / size)} coordinates={false} last={table.last || null} labels={null} dead={null} owner={null} legal={null} />
    </div>
  );
}

function ShogiMini({ table }: { table: LiveTable }): preact.JSX.Element | null {
  const state = shogiStart(table.board);
  const at = layout(false, false);
  return state && (
    <div class="shogiban mini" style={{ aspectRatio: `${at.width} / ${at.height}` }}>
      <ShogiBoard state={state} at={at} letters={settings.get().letters} coordinates={false} selected={null} targets={null} cursor={null} />
    </div>
  );
}

/** The server's "1:05 left", in the page's language. */
function timeLeft(text: string): string {
  const time = /^[\d:]+/.exec(text)?.[0];
  return time ? t("timeLeft", { time }) : text;
}

function Match({ match }: { match: LiveMatch }): preact.JSX.Element {
  const order = match.engines.map((_, i) => i).sort((a, b) => match.engines[b]!.elo - match.engines[a]!.elo);
  const title = match.game === "go" ? `${t("go")} ${match.size}×${match.size}` : t("shogi");
  return (
    <div class="live-match">
      <p>
        <b>{title}</b> · {t("gamesOf", { done: match.done, games: match.games })} {match.left && `· ${timeLeft(match.left)}`}
      </p>
      <table class="live-table">
        <thead>
          <tr>
            <th scope="col">{t("engineName")}</th>
            <th scope="col">Elo</th>
            <th scope="col">±</th>
            <th scope="col">{t("winsLosses")}</th>
          </tr>
        </thead>
        <tbody>
          {order.map((i) => {
            const e = match.engines[i]!;
            return (
              <tr key={i} title={e.command}>
                <td>{e.name}</td>
                <td>{elo(e.elo)}</td>
                <td>{e.half === null ? "" : e.half.toFixed(0)}</td>
                <td>
                  {e.wins}–{e.losses}
                  {e.draws > 0 && `–${e.draws}`}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {match.difference && <p class="muted">{difference(match)}</p>}
      <div class="live-boards">
        {match.tables.map((table) => (
          <figure key={table.game}>
            {match.game === "go" ? <GoMini size={match.size ?? 19} table={table} /> : <ShogiMini table={table} />}
            <figcaption>
              {t("gameNumber", { n: table.game })} · {t("moveNumber", { n: table.moves })}
              <br />
              {match.game === "go" ? "●" : "▲"} {match.engines[table.black]?.name}
              <br />
              {match.game === "go" ? "○" : "△"} {match.engines[table.white]?.name}
            </figcaption>
          </figure>
        ))}
      </div>
    </div>
  );
}

const workers_shown = 12;

/** Of a large cluster those that search most. */
function Cluster({ cluster }: { cluster: LiveCluster }): preact.JSX.Element {
  const nodes = (w: LiveCluster["workers"][number]): number => (w.busy ? w.nodes : -1);
  const many = cluster.workers.length > workers_shown;
  const shown = many ? [...cluster.workers].sort((a, b) => nodes(b) - nodes(a)).slice(0, workers_shown) : cluster.workers;
  return (
    <div class="live-cluster">
      <p>
        <b>{cluster.name}</b> · {t(cluster.game)} · {t("workersBusy", { busy: cluster.workers.filter((w) => w.busy).length, all: cluster.workers.length })}
      </p>
      <table class="live-table">
        <thead>
          <tr>
            <th scope="col">{t("worker")}</th>
            <th scope="col">{t("nodes")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((w) => (
            <tr key={w.name} class={w.busy ? "" : "muted"} title={w.engine}>
              <td>{w.name}</td>
              <td>{w.busy ? shortCount(w.nodes) : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {many && <p class="muted">{t("workersMore", { n: cluster.workers.length - shown.length })}</p>}
    </div>
  );
}

export function LiveBox(): preact.JSX.Element {
  const live = useLive();
  const none = !live || (live.matches.length === 0 && live.clusters.length === 0);
  return (
    <section class="card live">
      <h3>{t("live")}</h3>
      {none && <p class="muted">{t("liveHelp")}</p>}
      {live?.matches.map((match, i) => <Match key={i} match={match} />)}
      {live?.clusters.map((cluster, i) => <Cluster key={i} cluster={cluster} />)}
    </section>
  );
}
