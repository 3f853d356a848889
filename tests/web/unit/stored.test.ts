import assert from "node:assert/strict";
import test from "node:test";
import { type Possible, readStored, whole, yesOrNo } from "../../../web/src/base/stored";

interface Form {
  level: number;
  komi: number;
  theme: "light" | "dark";
  legal: boolean;
}

const initial: Form = { level: 3, komi: 6.5, theme: "light", legal: false };
const possible: Possible<Form> = {
  level: whole(1, 10),
  komi: (value) => whole(-100, 100)(2 * value),
  theme: ["light", "dark"],
  legal: yesOrNo,
};

function read(text: string | null): Form {
  Object.assign(globalThis, { localStorage: { getItem: () => text } });
  return readStored("key", initial, possible);
}

test("what was kept comes back", () => {
  const kept: Form = { level: 7, komi: -0.5, theme: "dark", legal: true };
  assert.deepEqual(read(JSON.stringify(kept)), kept);
});

test("what cannot be is as it was at first", () => {
  for (const text of [null, "", "null", "7", "[]", "{", '{"level":11,"komi":0.3,"theme":"","legal":1}'])
    assert.deepEqual(read(text), initial);
  for (const komi of ["null", '"7"', "[]", "[7]", "true", "{}"])
    assert.deepEqual(read(`{"komi":${komi},"level":4}`), { ...initial, level: 4 });
});
