// What the browser keeps for the page. It may be of another version of the page, or damaged: only members
// that can be are taken.

/** The values that a member may have: a list, or a question. */
export type Possible<T> = { readonly [K in keyof T]: readonly T[K][] | ((value: T[K]) => boolean) };

export const yesOrNo: readonly boolean[] = [true, false];
export const whole = (least: number, most: number) => (value: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

/** The members of `initial`, each as kept where that is possible. */
export function readStored<T extends object>(key: string, initial: T, possible: Possible<T>): T {
  const values = { ...initial };
  try {
    const kept = (JSON.parse(localStorage.getItem(key) ?? "{}") ?? {}) as T;
    for (const name in initial) {
      const allowed = possible[name];
      const value = kept[name];
      if (typeof value !== typeof initial[name]) continue; // 2 * null is a number, too
      if (typeof allowed === "function" ? allowed(value) : allowed.includes(value)) values[name] = value;
    }
  } catch {
    // storage that is switched off or damaged: the initial values do
  }
  return values;
}

export function writeStored(key: string, values: object): void {
  try {
    localStorage.setItem(key, JSON.stringify(values));
  } catch {
    // storage that is full or switched off
  }
}
