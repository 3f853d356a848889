// Records: open, paste, save, or an empty board.
import { useRef, useState } from "preact/hooks";
import { useValue } from "../base/value";
import { client, doc, files } from "../control/app";
import { emptyGame, goStart, shogiStartEven } from "../game/document";
import { t } from "../i18n/text";
import { Button, Problem, Select } from "./Controls";

export function FileBox(): preact.JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const game = useValue(doc.game);
  const problem = useValue(files.problem);
  const warnings = useValue(files.warnings);
  const collection = useValue(files.collection);
  const connected = useValue(client.state) === "open";
  const formats = game.start.game === "go" ? ["sgf"] : ["kif", "ki2", "csa", "jkf"];
  return (
    <section class="card files">
      <h3>{t("records")}</h3>
      <p class="muted">{t("dropHelp")}</p>
      <div class="row wrap">
        <input
          ref={input}
          type="file"
          class="hidden"
          accept=".sgf,.kif,.kifu,.ki2,.ki2u,.csa,.jkf,.json,text/plain"
          aria-label={t("openFile")}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) void files.openFile(file);
            event.currentTarget.value = "";
          }}
        />
        <Button label={t("openFile")} icon="open" disabled={!connected} onClick={() => input.current?.click()} />
        {formats.map((format) => (
          <Button key={format} label={format.toUpperCase()} icon="save" title={t("saveAs", { format })} disabled={!connected} onClick={() => void files.save(format)} />
        ))}
      </div>
      <textarea
        name="paste"
        rows={2}
        placeholder={t("pasteHere")}
        aria-label={t("pasteHere")}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="row wrap">
        <Button
          label={t("readText")}
          disabled={!connected || text.trim() === ""}
          onClick={() => {
            void files.openText(text);
            setText("");
          }}
        />
        <div class="row aside">
          <Button label={t("emptyGo")} kind="quiet" onClick={() => doc.open(emptyGame(goStart))} />
          <Button label={t("emptyShogi")} kind="quiet" onClick={() => doc.open(emptyGame(shogiStartEven))} />
        </div>
      </div>
      {collection && (
        <Select
          label={t("gamesInFile", { n: collection.games })}
          name="collection"
          value={collection.index}
          options={Array.from({ length: collection.games }, (_, i) => [i, t("gameNumber", { n: i + 1 })] as const)}
          onChange={(index) => void files.openGame(index)}
        />
      )}
      <Problem text={problem} />
      {warnings.map((warning) => (
        <p key={warning} class="muted">
          {warning}
        </p>
      ))}
    </section>
  );
}
