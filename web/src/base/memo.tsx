// A component that is drawn again only when one of its properties is another value.
import { Component, type ComponentType } from "preact";

function differs(a: object, b: object): boolean {
  const x = a as Record<string, unknown>;
  const y = b as Record<string, unknown>;
  for (const key in x) if (!Object.is(x[key], y[key])) return true;
  for (const key in y) if (!(key in x)) return true;
  return false;
}

export function memo<P extends object>(Inner: ComponentType<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return differs(this.props, next);
    }
    render(): preact.JSX.Element {
      return <Inner {...(this.props as P)} />;
    }
  } as ComponentType<P>;
}
