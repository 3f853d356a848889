// The game on the board survives a reload: kept in the tab's own storage, so that two tabs do not meet.
import type { Document } from "../game/document";
import { gameOf, recordOf } from "../game/record";
import { stateAt } from "../game/state";
import { allNodes, type TreeNode } from "../game/tree";
import type { GameRecord } from "../net/protocol";
import type { Play, PlaySetup, Result } from "./play";

const key = "yomi.game";
const pause_ms = 400;
const values_ms = 5000; // what an analysis finds is kept less often
let keeping = true;
const largest = 2_000_000; // characters; browsers keep about five million

interface Kept {
  record: GameRecord;
  at: number; // the node that is shown, in the record's order
  play: { setup: PlaySetup; live: number; result: Result | null } | null;
}

function save(doc: Document, play: Play): void {
  const game = doc.game.get();
  const order = [...allNodes(game.root)];
  const setup = play.setup.get();
  const live = order.indexOf(play.live.get() as TreeNode);
  const kept: Kept = {
    record: recordOf(game),
    at: order.indexOf(doc.current.get()),
    play: setup && live >= 0 ? { setup, live, result: play.result.get() } : null,
  };
  const text = JSON.stringify(kept);
  if (text.length < largest) sessionStorage.setItem(key, text);
  else sessionStorage.removeItem(key); // rather none than an earlier one
}

function restore(doc: Document, play: Play): void {
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "null") as Kept | null;
  if (!kept) return;
  const { game } = gameOf(kept.record);
  stateAt(game.start, game.root); // throws where it is no position
  const order = [...allNodes(game.root)];
  const live = kept.play && order[kept.play.live];
  doc.open(game, order[kept.at] ?? game.root);
  if (kept.play && live) play.restore(kept.play.setup, live, kept.play.result);
}

/** The game of this tab is not kept any more. */
export function forgetGame(): void {
  keeping = false;
  sessionStorage.removeItem(key);
}

/** Restores the game of this tab, and keeps every change of it. */
export function keepGame(doc: Document, play: Play): void {
  try {
    restore(doc, play);
  } catch {
    sessionStorage.removeItem(key); // of another version of the page
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  let valuesTimer: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    clearTimeout(timer);
    clearTimeout(valuesTimer);
    valuesTimer = undefined;
    try {
      if (keeping) save(doc, play);
    } catch {
      // storage that is full or switched off
    }
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(now, pause_ms);
  };
  for (const value of [doc.revision, doc.current, play.live, play.result]) value.subscribe(later);
  doc.values.subscribe(() => (valuesTimer ??= setTimeout(now, values_ms)));
  window.addEventListener("pagehide", now);
}
