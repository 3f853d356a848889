// Texts in the language that is chosen.
import { settings } from "../base/settings";
import { en } from "./en";
import { ja } from "./ja";

export type Key = keyof typeof en;
export type Texts = Record<Key, string>;

const languages: Record<string, Texts> = { en, ja };

/** The text of a key; {name} stands for the argument of that name. */
export function t(key: Key, args: Record<string, string | number> = {}): string {
  const text = languages[settings.get().language]![key];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in args ? String(args[name]) : whole));
}

export function japanese(): boolean {
  return settings.get().language === "ja";
}

/** What a side is called: Black and White in Go, sente and gote in shogi. */
export function sideName(game: "go" | "shogi", side: "b" | "w"): string {
  return game === "go" ? t(side === "b" ? "black" : "white") : t(side === "b" ? "sente" : "gote");
}

/** A text for a name that comes from the server, where there is one; else the name. */
export function named(prefix: string, name: string): string {
  const key = `${prefix}.${name}`;
  return key in en ? t(key as Key) : name;
}
