// The form that begins a game.
import { useLayoutEffect, useState } from "preact/hooks";
import { type Possible, readStored, whole, writeStored } from "../base/stored";
import { useValue } from "../base/value";
import { client, doc, play } from "../control/app";
import type { ClockRules } from "../control/clock";
import type { Player, PlaySetup } from "../control/play";
import { emptyGame } from "../game/document";
import type { Start } from "../game/state";
import { maxHandicap } from "../go/coords";
import { named, t } from "../i18n/text";
import type { Side } from "../net/protocol";
import { handicaps } from "../shogi/position";
import { flip } from "./BoardPane";
import { Button, Choice, NumberField, Select } from "./Controls";

interface Form {
  game: "go" | "shogi";
  opponent: "engine" | "person" | "engines";
  colour: Side | "random";
  level: number;
  other: number; // the second engine's level
  size: number;
  handicap: number;
  komi: number;
  rules: string;
  start: string; // shogi: a handicap's key
  time: "none" | "fast" | "medium" | "slow";
}

const key = "yomi.newgame";
const initial: Form = {
  game: "go",
  opponent: "engine",
  colour: "b",
  level: 5,
  other: 5,
  size: 9,
  handicap: 0,
  komi: 6.5,
  rules: "japanese",
  start: "even",
  time: "none",
};

const clocks: Record<Form["time"], ClockRules | null> = {
  none: null,
  fast: { main_ms: 5 * 60000, period_ms: 10000, count: 3 },
  medium: { main_ms: 15 * 60000, period_ms: 30000, count: 3 },
  slow: { main_ms: 45 * 60000, period_ms: 60000, count: 5 },
};

function clockName(time: Form["time"]): string {
  const clock = clocks[time];
  return clock ? t("byoyomi", { minutes: clock.main_ms / 60000, seconds: clock.period_ms / 1000 }) : t("noClock");
}

const sizes = [9, 13, 19];
const usualRules = ["japanese", "chinese", "korean", "aga", "tromp-taylor", "new-zealand"];
const komi_most = 50;

const possible: Possible<Form> = {
  game: ["go", "shogi"],
  opponent: ["engine", "person", "engines"],
  colour: ["b", "w", "random"],
  level: whole(1, 10),
  other: whole(1, 10),
  size: sizes,
  handicap: whole(0, 9),
  komi: (value) => whole(-2 * komi_most, 2 * komi_most)(2 * value),
  rules: usualRules,
  start: handicaps.map((h) => h.key),
  time: ["none", "fast", "medium", "slow"],
};

function usualKomi(rules: string): number {
  return rules === "japanese" || rules === "korean" ? 6.5 : 7.5;
}

function startOf(form: Form): Start {
  if (form.game === "shogi") return { game: "shogi", sfen: handicaps.find((h) => h.key === form.start)!.sfen };
  const { size, komi, rules } = form;
  const handicap = Math.min(form.handicap, maxHandicap(size));
  return { game: "go", size, komi, rules, ...(handicap >= 2 ? { handicap } : {}) };
}

function setupOf(form: Form): PlaySetup {
  const person: Player = { kind: "person" };
  const engine = (level: number): Player => ({ kind: "engine", level });
  const mine: Side = form.colour === "random" ? (Math.random() < 0.5 ? "b" : "w") : form.colour;
  const players: Record<Side, Player> =
    form.opponent === "person"
      ? { b: person, w: person }
      : form.opponent === "engines"
        ? { b: engine(form.level), w: engine(form.other) }
        : mine === "b"
          ? { b: person, w: engine(form.level) }
          : { b: engine(form.level), w: person };
  return { start: startOf(form), players, clock: clocks[form.time] };
}

type Change = (change: Partial<Form>) => void;

function GoFields({ form, change }: { form: Form; change: Change }): preact.JSX.Element {
  const offered = client.hello.get()?.rules;
  const rules = usualRules.filter((name) => !offered || offered.includes(name));
  const stones = [0, ...Array.from({ length: Math.max(0, maxHandicap(form.size) - 1) }, (_, i) => i + 2)];
  return (
    <>
      <Choice legend={t("size")} name="size" value={form.size} options={sizes.map((n) => [n, `${n}×${n}`] as const)} onChange={(size) => change({ size })} />
      <div class="fields">
        <Select
          label={t("handicap")}
          name="handicap"
          value={Math.min(form.handicap, maxHandicap(form.size))}
          options={stones.map((n) => [n, n === 0 ? t("none") : t("stones", { n })] as const)}
          onChange={(handicap) => change({ handicap, komi: handicap >= 2 ? 0.5 : usualKomi(form.rules) })}
        />
        <NumberField label={t("komi")} name="komi" value={form.komi} min={-komi_most} max={komi_most} step={0.5} onChange={(komi) => change({ komi })} />
        <Select
          label={t("rules")}
          name="rules"
          value={form.rules}
          options={rules.map((name) => [name, named("rules", name)] as const)}
          onChange={(name) => change({ rules: name, komi: form.handicap >= 2 ? form.komi : usualKomi(name) })}
        />
      </div>
    </>
  );
}

function Level({ label, value, name, onChange }: {
  label: string;
  value: number;
  name: string;
  onChange: (level: number) => void;
}): preact.JSX.Element {
  const { min, max } = useValue(client.hello)?.levels ?? { min: 1, max: 10 };
  const word = value <= min + 1 ? t("beginner") : value >= max ? t("fullStrength") : "";
  return (
    <label class="level">
      <span>
        {label} <b>{value}</b> <em>{word}</em>
      </span>
      <input type="range" name={name} min={min} max={max} value={value} onInput={(event) => onChange(event.currentTarget.valueAsNumber)} />
    </label>
  );
}

/** `from`: a position to begin from; the game and its start are then no choice. */
export function NewGame({ from, onDone }: { from: Start | null; onDone: () => void }): preact.JSX.Element {
  const [form, setForm] = useState<Form>(() => ({ ...readStored(key, initial, possible), ...(from ? { game: from.game } : {}) }));
  const change: Change = (part) => setForm((old) => ({ ...old, ...part }));
  // Before the first game the board shows what is chosen. Not after the next frame: the form may be gone then.
  useLayoutEffect(() => {
    if (!from && play.phase.get() === "idle" && doc.game.get().root.children.length === 0) doc.open(emptyGame(startOf(form)));
  }, [form.game, form.size, form.handicap, form.start]);
  const sides: readonly (readonly [Form["colour"], string])[] =
    form.game === "go"
      ? [["b", t("black")], ["w", t("white")], ["random", t("random")]]
      : [["b", t("sente")], ["w", t("gote")], ["random", t("random")]];

  function begin(): void {
    writeStored(key, form);
    flip.set(false);
    play.begin({ ...setupOf(form), ...(from ? { start: from } : {}) });
    onDone();
  }

  return (
    <form
      class="card new-game"
      onSubmit={(event) => {
        event.preventDefault();
        begin();
      }}
    >
      <h2>{t("newGame")}</h2>
      {from ? (
        <p>{t("fromHere")}</p>
      ) : (
        <Choice legend={t("game")} name="game" value={form.game} options={[["go", t("go")], ["shogi", t("shogi")]]} onChange={(game) => change({ game })} />
      )}
      <Choice
        legend={t("against")}
        name="opponent"
        value={form.opponent}
        options={[["engine", t("engine")], ["person", t("person")], ["engines", t("engines")]]}
        onChange={(opponent) => change({ opponent })}
      />
      {form.opponent === "engine" && (
        <Choice legend={t("youPlay")} name="colour" value={form.colour} options={sides} onChange={(colour) => change({ colour })} />
      )}
      {form.opponent !== "person" && (
        <Level
          label={form.opponent === "engines" ? t("levelOf", { side: sides[0]![1] }) : t("level")}
          name="level"
          value={form.level}
          onChange={(level) => change({ level })}
        />
      )}
      {form.opponent === "engines" && (
        <Level label={t("levelOf", { side: sides[1]![1] })} name="other" value={form.other} onChange={(other) => change({ other })} />
      )}
      {from ? null : form.game === "go" ? (
        <GoFields form={form} change={change} />
      ) : (
        <Select
          label={t("handicap")}
          name="start"
          value={form.start}
          options={handicaps.map((h) => [h.key, named("handicap", h.key)] as const)}
          onChange={(start) => change({ start })}
        />
      )}
      <Choice
        legend={t("time")}
        name="time"
        value={form.time}
        options={(["none", "fast", "medium", "slow"] as const).map((time) => [time, clockName(time)] as const)}
        onChange={(time) => change({ time })}
      />
      <div class="row end">
        {(from || play.phase.get() !== "idle") && <Button label={t("cancel")} kind="quiet" onClick={onDone} />}
        <button type="submit" class="button primary">
          {t("start")}
        </button>
      </div>
    </form>
  );
}
