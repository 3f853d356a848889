// The colours of moves by how good they are, for what is drawn on a canvas.
import { useMemo } from "preact/hooks";
import { colour } from "../base/colour";
import { settings } from "../base/settings";
import { useValue } from "../base/value";
import type { quality } from "../game/numbers";

export type Quality = "best" | ReturnType<typeof quality>;
export type Colours = Record<Quality, string>;

export function useColours(): Colours {
  const { theme } = useValue(settings);
  return useMemo(
    () => ({ best: colour("--best"), good: colour("--good"), fair: colour("--fair"), poor: colour("--poor"), bad: colour("--bad") }),
    [theme],
  );
}
