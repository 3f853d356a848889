// The characters on shogi pieces and boards as a font of the page's own: many machines have none with
// kanji, and would show boxes. HarfBuzz cuts it out of a whole font when the page is built.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const resolve = createRequire(import.meta.url).resolve;
const folder = dirname(resolve("@expo-google-fonts/yuji-syuku/package.json"));

/** Every kana and kanji that the sources in these folders write. */
function charactersOf(folders) {
  const text = folders
    .flatMap((dir) => readdirSync(dir).map((file) => join(dir, file)))
    .map((file) => readFileSync(file, "utf8"))
    .join("");
  return [...new Set(text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu))].sort();
}

/** A font with the characters that the sources in these folders have, as bytes of a TrueType file. */
export async function kanjiFont(folders) {
  const { instance } = await WebAssembly.instantiate(readFileSync(resolve("harfbuzzjs/dist/harfbuzz-subset.wasm")), {});
  const hb = instance.exports;
  const bytes = () => new Uint8Array(hb.memory.buffer); // anew each time: the memory may have grown
  hb._initialize?.();
  const whole = readFileSync(join(folder, "400Regular/YujiSyuku_400Regular.ttf"));
  const at = hb.malloc(whole.length);
  bytes().set(whole, at);
  const HB_MEMORY_MODE_READONLY = 1;
  const face = hb.hb_face_create(hb.hb_blob_create(at, whole.length, HB_MEMORY_MODE_READONLY, 0, 0), 0);
  const input = hb.hb_subset_input_create_or_fail();
  const wanted = hb.hb_subset_input_unicode_set(input);
  for (const character of charactersOf(folders)) hb.hb_set_add(wanted, character.codePointAt(0));
  const subset = hb.hb_subset_or_fail(face, input);
  if (!subset) throw new Error("the font of the pieces cannot be made");
  const blob = hb.hb_face_reference_blob(subset);
  const start = hb.hb_blob_get_data(blob, 0);
  return bytes().slice(start, start + hb.hb_blob_get_length(blob));
}

/** The licence of the font that the above is part of. */
export function fontLicence() {
  return `Yuji Syuku, the font of the shogi pieces (OFL-1.1)\n\n${readFileSync(join(folder, "LICENSE_FONT"), "utf8").trim()}\n`;
}
