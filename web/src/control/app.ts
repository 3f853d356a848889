// The parts of the page that live as long as it does.
import { Value } from "../base/value";
import { Document } from "../game/document";
import { Client, pageIsRefused, pageSocket } from "../net/client";
import { Analysis } from "./analysis";
import { Files } from "./files";
import { Play } from "./play";
import { Preview } from "./preview";
import { Review } from "./review";

export type Route = "play" | "analyse" | "watch" | "about";
const routes: readonly Route[] = ["play", "analyse", "watch", "about"];

function routeOf(hash: string): Route {
  return routes.find((route) => hash === `#${route}`) ?? "play";
}

export const route = new Value<Route>(routeOf(location.hash));
window.addEventListener("hashchange", () => route.set(routeOf(location.hash)));

export function visit(next: Route): void {
  location.hash = next;
  route.set(next);
}

export const client = new Client(pageSocket, pageIsRefused);
export const doc = new Document();
export const preview = new Preview();
export const analysis = new Analysis(client, doc);
export const play = new Play(client, doc, analysis);
export const review = new Review(client, doc, analysis);
export const files = new Files(client, doc);

files.onOpened = () => visit("analyse");
// Wherever the page is: the box with the records may be out of sight.
files.problem.subscribe(() => client.notice.set(files.problem.get()));
files.warnings.subscribe(() => {
  const warnings = files.warnings.get();
  if (warnings.length > 0) client.notice.set(warnings.join("\n"));
});
doc.current.subscribe(() => preview.clear());
route.subscribe(() => {
  preview.clear();
  if (route.get() !== "play") return;
  analysis.stop(); // the engine is for the game
  play.show();
});
