// Small hooks.
import { useEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";

/** The size of an element, followed. */
export function useSize<T extends Element>(): [RefObject<T>, { width: number; height: number }] {
  const ref = useRef<T>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize({ width, height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}

/** A state that belongs to something: it is null again as soon as that is another. */
export function useStateOf<T>(owner: unknown): [T | null, (value: T | null) => void] {
  const [held, setHeld] = useState<{ owner: unknown; value: T | null }>({ owner, value: null });
  return [held.owner === owner ? held.value : null, (value) => setHeld({ owner, value })];
}

/** For a pointer that goes down: the keys stay with the page, and leave a field that had them. */
export function keepFocus(event: MouseEvent): void {
  event.preventDefault();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

export function useWindowEvent<K extends keyof WindowEventMap>(name: K, handle: (event: WindowEventMap[K]) => void): void {
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(() => {
    const listener = (event: WindowEventMap[K]): void => latest.current(event);
    window.addEventListener(name, listener);
    return () => window.removeEventListener(name, listener);
  }, [name]);
}
