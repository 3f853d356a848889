// The whole page.
import { useEffect, useState } from "preact/hooks";
import { useWindowEvent } from "../base/hooks";
import { settings } from "../base/settings";
import { useValue } from "../base/value";
import { client, doc, files, type Route, route } from "../control/app";
import { moveText, stateAt } from "../game/state";
import { japanese, t } from "../i18n/text";
import { About } from "./About";
import { AnalysePanel } from "./AnalysePanel";
import { BoardPane } from "./BoardPane";
import { Header } from "./Header";
import { onKey } from "./keys";
import { PlayPanel } from "./PlayPanel";
import { WatchPanel } from "./WatchPanel";

const panels: Record<Exclude<Route, "about">, () => preact.JSX.Element> = {
  play: PlayPanel,
  analyse: AnalysePanel,
  watch: WatchPanel,
};

/** Says each move that appears on the board to those who do not see it. */
function Announcer(): preact.JSX.Element {
  const node = useValue(doc.current);
  const words =
    node.parent && node.move !== null
      ? `${t("moveNumber", { n: node.ply })}: ${moveText(stateAt(doc.game.get().start, node.parent), node.move, japanese())}`
      : "";
  return (
    <p class="unseen" aria-live="polite">
      {words}
    </p>
  );
}

const notice_ms = 6000;

/** What the server has to say, for a while. */
function Notice(): preact.JSX.Element | null {
  const notice = useValue(client.notice);
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => client.notice.set(""), notice_ms);
    return () => clearTimeout(timer);
  }, [notice]);
  return notice ? (
    <p class="notice" role="status">
      {notice}
    </p>
  ) : null;
}

/** A file dropped anywhere, and a record pasted anywhere but into a field, are opened. */
function useRecords(): boolean {
  const [over, setOver] = useState(false);
  useWindowEvent("dragover", (event) => {
    event.preventDefault();
    setOver(true);
  });
  useWindowEvent("dragleave", (event) => {
    if (event.relatedTarget === null) setOver(false);
  });
  useWindowEvent("drop", (event) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer?.files[0];
    if (file) void files.openFile(file);
    else void files.openText(event.dataTransfer?.getData("text/plain") ?? "");
  });
  useWindowEvent("paste", (event) => {
    if ((event.target as Element).closest?.("input, textarea")) return;
    void files.openText(event.clipboardData?.getData("text/plain") ?? "");
  });
  return over;
}

export function App(): preact.JSX.Element {
  const here = useValue(route);
  useValue(settings);
  const over = useRecords();
  useWindowEvent("keydown", onKey);
  const Panel = here === "about" ? null : panels[here];
  return (
    <>
      <Header />
      <main class={here}>
        {Panel ? (
          <>
            <BoardPane />
            <aside class="panel">
              <Panel />
            </aside>
          </>
        ) : (
          <About />
        )}
      </main>
      <Notice />
      {over && <div class="drop">{t("dropHere")}</div>}
      <Announcer />
    </>
  );
}
