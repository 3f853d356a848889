import assert from "node:assert/strict";
import test from "node:test";
import { en } from "../../../web/src/i18n/en";
import { ja } from "../../../web/src/i18n/ja";

const places = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

test("both languages have the same texts with the same places in them", () => {
  assert.deepEqual(Object.keys(ja).sort(), Object.keys(en).sort());
  for (const key of Object.keys(en) as (keyof typeof en)[]) {
    assert.notEqual(ja[key].trim(), "", key);
    const [a, b] = [places(en[key]), places(ja[key])];
    assert.deepEqual([...new Set(b)].every((place) => a.includes(place)), true, key);
  }
});
