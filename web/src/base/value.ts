// A value that components follow: set it, and whoever uses it draws again.
import { useLayoutEffect, useReducer } from "preact/hooks";

export class Value<T> {
  private listeners = new Set<() => void>();
  constructor(private current: T) {}

  get(): T {
    return this.current;
  }

  set(next: T): void {
    if (Object.is(next, this.current)) return;
    this.current = next;
    this.touch();
  }

  update(change: (old: T) => T): void {
    this.set(change(this.current));
  }

  /** For values that were changed in place. */
  touch(): void {
    for (const listener of [...this.listeners]) listener();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

export function useValue<T>(value: Value<T>): T {
  const [, draw] = useReducer((n: number, _: void) => n + 1, 0);
  const shown = value.get();
  useLayoutEffect(() => {
    // Changed between drawing and subscribing.
    if (!Object.is(shown, value.get())) draw();
    return value.subscribe(() => draw());
  }, [value]);
  return shown;
}
