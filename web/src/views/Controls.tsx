// The form elements of the page.
import type { ComponentChildren } from "preact";

export function Button({ label, onClick, kind = "", disabled = false, pressed, title, icon, children }: {
  label?: string;
  onClick: () => void;
  kind?: "primary" | "quiet" | "danger" | "";
  disabled?: boolean;
  pressed?: boolean;
  title?: string;
  icon?: string;
  children?: ComponentChildren;
}): preact.JSX.Element {
  return (
    <button
      type="button"
      class={`button ${kind}`}
      disabled={disabled}
      aria-pressed={pressed}
      title={title}
      aria-label={label ? undefined : title}
      onClick={onClick}
    >
      {icon && <Icon name={icon} />}
      {label}
      {children}
    </button>
  );
}

const icons: Record<string, string> = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  undo: "M9 7L4 12l5 5M4 12h10a5 5 0 0 1 0 10h-2",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1 1.5 1 2.5h6c0-1 .2-1.7 1-2.5A6 6 0 0 0 12 3z",
  flag: "M5 21V4h11l-2 4 2 4H5",
  pause: "M8 5v14M16 5v14",
  play: "M7 4l13 8-13 8z",
  flip: "M7 4v14l-3-3M7 18l3-3M17 20V6l-3 3M17 6l3 3",
  engine: "M13 3L5 14h6l-1 7 8-11h-6z",
  open: "M3 7h6l2 2h10v10H3z",
  save: "M12 4v11M7 11l5 5 5-5M4 20h16",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
  auto: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 3v18",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  up: "M12 20V5M6 11l6-6 6 6",
  pass: "M5 12h14M13 6l6 6-6 6",
  help: "M9 9a3 3 0 1 1 4 2.8c-.7.4-1 .9-1 2.2M12 18h0",
};

export function Icon({ name }: { name: string }): preact.JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  );
}

/** One of a few: a row of buttons that are radio buttons. */
export function Choice<T extends string | number>({ legend, value, options, onChange, name }: {
  legend: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
  name: string;
}): preact.JSX.Element {
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      <div class="choice-row">
        {options.map(([option, label]) => (
          <label key={option} class={option === value ? "chosen" : ""}>
            <input type="radio" name={name} value={option} checked={option === value} onChange={() => onChange(option)} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Select<T extends string | number>({ label, value, options, onChange, name }: {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
  name: string;
}): preact.JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        name={name}
        value={value}
        onChange={(event) => {
          const chosen = options.find(([option]) => String(option) === event.currentTarget.value);
          if (chosen) onChange(chosen[0]);
        }}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function NumberField({ label, value, min, max, step, onChange, name }: {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  onChange: (value: number) => void;
  name: string;
}): preact.JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        name={name}
        value={value}
        min={min}
        max={max}
        step={step}
        onChange={(event) => {
          const number = event.currentTarget.valueAsNumber;
          if (Number.isFinite(number)) onChange(Math.max(min, Math.min(max, number)));
        }}
      />
    </label>
  );
}

export function Check({ label, value, onChange, name }: {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
  name: string;
}): preact.JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" name={name} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

export function Problem({ text }: { text: string }): preact.JSX.Element | null {
  return text ? (
    <p class="problem" role="alert">
      {text}
    </p>
  ) : null;
}
