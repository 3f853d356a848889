// What the user chose about the page itself, kept in the browser.
import { type Possible, readStored, writeStored, yesOrNo } from "./stored";
import { Value } from "./value";

export type Theme = "auto" | "light" | "dark";
export type Language = "en" | "ja";

export interface Settings {
  theme: Theme;
  language: Language;
  coordinates: boolean;
  letters: boolean; // shogi pieces as letters, for those who do not read kanji
  legal: boolean; // legal moves are shown
}

const key = "yomi.settings";

function preferred(): Settings {
  const language = navigator.language.startsWith("ja") ? "ja" : "en";
  return { theme: "auto", language, coordinates: true, letters: false, legal: false };
}

const possible: Possible<Settings> = {
  theme: ["auto", "light", "dark"],
  language: ["en", "ja"],
  coordinates: yesOrNo,
  letters: yesOrNo,
  legal: yesOrNo,
};

export const settings = new Value<Settings>(readStored(key, preferred(), possible));

export function choose(change: Partial<Settings>): void {
  settings.update((old) => ({ ...old, ...change }));
}

function apply(): void {
  const { theme, language } = settings.get();
  const root = document.documentElement;
  root.lang = language;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  writeStored(key, settings.get());
}

export function followSettings(): void {
  settings.subscribe(apply);
  apply();
}
