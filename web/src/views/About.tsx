// What this is, the keys, and the licences of what it is made of.
import { useEffect, useState } from "preact/hooks";
import { choose, settings } from "../base/settings";
import { useValue } from "../base/value";
import { client } from "../control/app";
import { type Key, t } from "../i18n/text";
import { Check } from "./Controls";

const keys: readonly (readonly [string, Key])[] = [
  ["← →", "keyMoves"],
  ["↑ ↓", "keyVariations"],
  ["Home End", "keyEnds"],
  ["Space", "keyAnalysis"],
  ["1 2 3", "keyPages"],
  ["P U H", "keyPlay"],
  ["Tab", "keyTab"],
];

function Licences(): preact.JSX.Element {
  const [text, setText] = useState("");
  useEffect(() => {
    fetch("licences.txt")
      .then((reply) => (reply.ok ? reply.text() : ""))
      .then(setText, () => undefined);
  }, []);
  return <pre class="licences">{text}</pre>;
}

export function About(): preact.JSX.Element {
  const hello = useValue(client.hello);
  const { coordinates, letters } = useValue(settings);
  return (
    <article class="about">
      <section class="card">
        <h2>
          <span class="kanji">読み</span> Yomi {hello?.version}
        </h2>
        <p>{t("aboutText")}</p>
        {hello && (
          <dl>
            <dt>{t("backend")}</dt>
            <dd>{hello.backends.join(", ")}</dd>
            <dt>{t("threads")}</dt>
            <dd>{hello.threads}</dd>
          </dl>
        )}
      </section>
      <section class="card">
        <h3>{t("settings")}</h3>
        <div class="overlays">
          <Check label={t("coordinates")} name="coordinates" value={coordinates} onChange={(on) => choose({ coordinates: on })} />
          <Check label={t("letters")} name="letters" value={letters} onChange={(on) => choose({ letters: on })} />
        </div>
      </section>
      <section class="card">
        <h3>{t("keys")}</h3>
        <dl class="keys">
          {keys.map(([key, text]) => (
            <>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{t(text)}</dd>
            </>
          ))}
        </dl>
      </section>
      <section class="card">
        <h3>{t("licences")}</h3>
        <Licences />
      </section>
    </article>
  );
}
