// What the user chose about the page itself, kept in the browser.
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

function stored(): Settings {
  const settings = preferred();
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, unknown>;
    const known = settings as unknown as Record<string, unknown>;
    for (const name in settings) if (typeof kept[name] === typeof known[name]) known[name] = kept[name];
  } catch {
    // storage that is switched off or damaged: the defaults do
  }
  return settings;
}

export const settings = new Value<Settings>(stored());

export function choose(change: Partial<Settings>): void {
  settings.update((old) => ({ ...old, ...change }));
}

function apply(): void {
  const { theme, language } = settings.get();
  const root = document.documentElement;
  root.lang = language;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    localStorage.setItem(key, JSON.stringify(settings.get()));
  } catch {
    // as above
  }
}

export function followSettings(): void {
  settings.subscribe(apply);
  apply();
}
